import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { listen } from 'rapport-sdk/mocks/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { browserHarness } from './harness/browser-harness'
import { waitOn } from './harness/wait-on'

const harness = browserHarness()
const params = { login: 'ada@example.com', password: 'correct horse battery' }
const guide = readFileSync(new URL('../../docs/guides/cors.md', import.meta.url), 'utf8')

/** Returns the CORS headers of a section of the guide, for pages of an origin. */
function headersOf(section: string, origin: string): Record<string, string> {
  const text = guide.split(`## ${section}\n`)[1]?.split('\n## ')[0] ?? ''
  const rows = [...text.matchAll(/^\| `(Access-Control-(?:Allow|Expose)-\w+)` \| `([^`]+)`/gm)]
  return { ...Object.fromEntries(rows.map(([, name, value]) => [name, value])), 'Access-Control-Allow-Origin': origin }
}

/** Serves a mock behind a proxy that adds what the guide lists, except one header, and lets browsers cache responses. */
async function serveByGuide(origin: string, missing?: string) {
  const { service } = await harness.serve()
  const mock = await listen(service, { cors: false })
  const { origin: target, pathname } = new URL(mock.url)
  const server = createServer(async (request, response) => {
    const isPreflight = request.method === 'OPTIONS'
    const added = headersOf(isPreflight ? 'Preflight requests' : 'Responses', origin)
    if (missing !== undefined) delete added[missing]
    if (isPreflight) return void response.writeHead(204, added).end()
    const { method = 'GET', url } = request
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
    const body = await buffer(request)
    const init = { method, headers: headers as Record<string, string>, ...(body.length > 0 && { body }) }
    const answer = await fetch(target + url, init)
    const passed = ['content-type', 'retry-after'].flatMap((name) => {
      const value = answer.headers.get(name)
      return value === null ? [] : [[name, value]]
    })
    response.writeHead(answer.status, { ...added, ...Object.fromEntries(passed), 'cache-control': 'max-age=600' })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await mock.close()
  })
  const ada = service.users.create({ ...params, username: 'ada', mfa: ['totp'] })
  const grace = service.users.create({ login: 'grace@example.com', username: 'grace' })
  return { service, ada, grace, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}` }
}

describe('a service on another origin', () => {
  it('can be used if it sends what the guide lists: methods, step-up, fingerprint and rate limits', async () => {
    const page = await harness.open('page')
    const { service, ada, grace, baseUrl } = await serveByGuide(harness.pages.origin)
    service.relationships.befriend(ada, grace)
    const codes = [service.users.totp(ada)]
    service.faults.on('Get Auth Sessions', { status: 429, headers: { 'retry-after': '7' }, times: 1 })
    const result = await page.evaluate(
      async ({ baseUrl, params, codes, fingerprint, friend }) => {
        const { Client, isRateLimitError } = window.rapport
        const onMfaRequired = () => ({ type: 'totp', code: codes[0] ?? '' }) as const
        const client = new Client({ baseUrl, fingerprint, onMfaRequired, retry: 0 })
        await client.auth.login(params)
        await client.relationships.update(friend, { nickname: 'Friend' })
        await client.relationships.delete(friend)
        await client.relationships.create(friend)
        const limited = await client.auth.sessions.list().catch((error) => error)
        return { retryAfterMs: isRateLimitError(limited) ? limited.retryAfterMs : String(limited) }
      },
      { baseUrl, params, codes, fingerprint: service.fingerprint(), friend: grace.id },
    )
    expect(result).toEqual({ retryAfterMs: 7_000 })
  })

  it('a step-up succeeds with the headers that the guide lists', async () => {
    const page = await harness.open('page')
    const { service, ada, baseUrl } = await serveByGuide(harness.pages.origin)
    const options = { baseUrl, token: service.token(ada), code: service.users.totp(ada) }
    const status = await page.evaluate(async ({ code, ...options }) => {
      const client = new window.rapport.Client({ ...options, onMfaRequired: () => ({ type: 'totp', code }) })
      return (await client.auth.sessions.logout({ session_id_hashes: ['none'] }).withResponse()).response.status
    }, options)
    expect(status).toBe(204)
  })

  it.each(['Access-Control-Allow-Origin', 'Access-Control-Allow-Headers', 'Access-Control-Allow-Methods'])(
    'a call says that CORS is suspected if %s is missing, but not if the browser is offline',
    async (missing) => {
      const profile = await harness.profile()
      const page = await harness.open('page', profile)
      const { service, ada, grace, baseUrl } = await serveByGuide(harness.pages.origin, missing)
      const options = { baseUrl, token: service.token(ada), retry: 0, friend: grace.id }
      const call = () =>
        page.evaluate(async ({ friend, ...options }) => {
          const client = new window.rapport.Client(options)
          const error = await client.relationships.delete(friend).catch((reason: unknown) => reason)
          return window.rapport.isConnectionError(error) ? [error.isCorsSuspected, error.message] : String(error)
        }, options)
      expect(await call()).toEqual([
        true,
        expect.stringContaining(`allows requests from ${harness.pages.origin} (CORS)`),
      ])
      await profile.setOffline(true)
      await waitOn(page, () => !navigator.onLine)
      expect(await call()).toEqual([false, expect.not.stringContaining('CORS')])
    },
  )

  it('a list of one account is never served to the next, even if responses may be cached', async () => {
    const page = await harness.open('page')
    const { service, ada, grace, baseUrl } = await serveByGuide(harness.pages.origin)
    service.relationships.befriend(ada, grace)
    const tokens = [service.token(ada), service.token(grace)]
    const lists = await page.evaluate(
      async ({ baseUrl, tokens }) => {
        const lists: (string | undefined)[] = []
        for (const token of tokens) {
          const [relationship] = await new window.rapport.Client({ baseUrl, token }).relationships.list()
          lists.push(relationship?.id)
        }
        return lists
      },
      { baseUrl, tokens },
    )
    expect(lists).toEqual([grace.id, ada.id])
    expect(service.journal.find('Get Relationships')).toHaveLength(2)
  })
})
