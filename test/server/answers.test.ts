import type { MockService } from 'rapport-sdk/mocks'
import { createSessionHandler } from 'rapport-sdk/server'
import { expect, test } from 'vitest'
import { ENDPOINT_TABLE } from '../contract/endpoint-table'
import { roundTrips } from '../resources/round-trips/round-trips'
import { type Listener, openWorld } from '../resources/round-trips/world'
import { keys, ORIGIN, Page, type Upstream } from './page'

const HANDOFF = ['Create Handoff Token', 'Exchange Handoff Token']
const byName = new Map(Object.entries(roundTrips))

/** Returns the strings in a value that can be exchanged for a token. */
function secretsIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return /^(?:token|ticket|handoff_token)$/.test(name) ? [value] : []
  return Object.entries(Object(value)).flatMap(([key, item]) => secretsIn(item, key))
}

/** Lets the clients of round trips call the service through a handler, each token with the cookies of its own session. */
function throughHandler() {
  const pages = new Map<string, Page>()
  const contents = new Map<string, unknown>()
  const secrets = new Set<string>()
  const seen: string[] = []

  const start = (service: MockService): Listener => {
    const upstream: Upstream = async (url, init) => {
      const headers = new Headers(init.headers)
      const planted = headers.get('x-planted')
      if (planted !== null) return Response.json({ user_id: '1', token: planted })
      const answer = await service.fetch(url, init)
      const content: unknown = await answer
        .clone()
        .json()
        .catch(() => undefined)
      contents.set(headers.get('x-call') ?? '', content)
      for (const secret of secretsIn(content)) secrets.add(secret)
      return answer
    }
    const requestHeaders = ['x-call', 'x-planted']
    const handler = createSessionHandler({
      ...{ baseUrl: service.baseUrl, keys, origin: ORIGIN, fetch: upstream, requestHeaders },
    })
    const pageOf = async (token: string | null) => {
      const page = pages.get(token ?? '') ?? new Page(handler)
      if (token !== null && !pages.has(token))
        await page.call('POST', '/auth/login', { body: {}, headers: { 'x-planted': token } })
      pages.set(token ?? '', page)
      return page
    }
    return {
      url: `${ORIGIN}/rapport`,
      async fetch(url, init) {
        const call = String(contents.size)
        contents.set(call, undefined)
        const headers = new Headers(init.headers)
        const page = await pageOf(headers.get('authorization'))
        headers.set('origin', ORIGIN)
        headers.set('x-call', call)
        if (page.cookie !== undefined) headers.set('cookie', page.cookie)
        const answer = await page.handler(new Request(url, { ...init, headers }))
        page.receive(answer)
        const text = await answer.clone().text()
        seen.push(text, ...[...answer.headers].filter(([name]) => name !== 'set-cookie').flat())
        // The clients of round trips need a token, and expect the service's own fields.
        const { token, user_id } = Object(contents.get(call))
        if (token === undefined) return answer
        return Response.json({ ...JSON.parse(text), token, user_id }, { status: answer.status })
      },
      close: () => {},
    }
  }
  return { start, secrets, seen }
}

test.each(ENDPOINT_TABLE.filter(({ name }) => !HANDOFF.includes(name)))(
  'no answer of the mock to $name, called by a script of the page, contains what can be exchanged for a token',
  async ({ name }) => {
    const { start, secrets, seen } = throughHandler()
    await using world = await openWorld(start)

    await byName.get(name)?.(world)

    const calls = world.service.journal.requests.filter(({ endpoint }) => endpoint === name)
    const statuses = calls.map(({ status }) => status ?? 500)
    expect(Math.min(...statuses)).toBeLessThan(300)
    expect([...secrets].filter((secret) => seen.some((text) => text.includes(secret)))).toEqual([])
  },
)

test('the search of answers finds tokens, verifications and tickets that the service has sent', async () => {
  const { start, secrets } = throughHandler()
  await using world = await openWorld(start)
  for (const name of ['Logout Auth Sessions', 'Verify MFA Login', 'Finish Passwordless Login'] as const)
    await roundTrips[name](world)

  // Two tickets and a verification; a ticket and a token; a ticket and a token.
  expect(secrets.size).toBeGreaterThanOrEqual(6)
})
