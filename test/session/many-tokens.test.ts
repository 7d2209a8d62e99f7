import { Client, type MfaAnswer, type MfaHandler } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { deferred } from '../deferred'
import { hold, json, mfaRequired, serve } from '../servers/http-server'
import { CODE, MFA_HEADER } from '../servers/step-up-service'
import { liveControllers } from './live-controllers'

/** More tokens than a client remembers at a time. */
const MANY = 300

/** A fetch that answers an empty list at once. */
const emptyList = async () => new Response('[]', { headers: { 'content-type': 'application/json' } })

/** Makes a call for each of many visitors, one after another. */
async function visit(client: Client, from: number) {
  for (let index = from; index < from + MANY; index++) await client.relationships.list({ token: `visitor-${index}` })
}

describe('a client that calls with a new token each time', () => {
  it('a client that calls with a new token each time keeps no state for old tokens', async () => {
    const client = new Client({ baseUrl: 'https://service.example', fetch: emptyList })
    await visit(client, 0)
    const before = await liveControllers()

    await visit(client, MANY)

    expect((await liveControllers()) - before).toBeLessThan(MANY / 2)
  }, 30_000)

  it('a client keeps the state of a token while its call is pending, so that its prompts stay one', async () => {
    const slow = hold(mfaRequired())
    const server = await serve(slow.responder)
    server.fallback(({ url, headers }) => {
      if (url === '/mfa/finish') return json(200, { token: 'jwt' })
      return headers.authorization === 'ada' && headers[MFA_HEADER] !== 'jwt' ? mfaRequired() : json(200, [])
    })
    const given = deferred<MfaAnswer>()
    const opened = deferred<void>()
    const handler = vi.fn<MfaHandler>(() => {
      opened.resolve()
      return given.promise
    })
    const client = new Client({ baseUrl: server.url, onMfaRequired: handler })
    const first = client.relationships.list({ token: 'ada' })
    await server.waitForRequests(1)
    await visit(client, 0)

    const second = client.relationships.list({ token: 'ada' })
    await opened.promise
    slow.release()
    await new Promise((resolve) => setTimeout(resolve, 30))
    given.resolve({ type: 'totp', code: CODE })
    await Promise.all([first, second])

    expect(handler).toHaveBeenCalledTimes(1)
  }, 30_000)
})
