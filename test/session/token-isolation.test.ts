import { Client, isMfaCancelledError, isMfaRequiredError, type MfaAnswer, type MfaHandler } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { deferred } from '../deferred'
import { type HttpServer, hold, json, mfaRequired, serve } from '../servers/http-server'
import { CODE, MFA_HEADER, serveStepUp } from '../servers/step-up-service'
import { rejectionOf } from '../transport/rejection'

const answer: MfaHandler = () => ({ type: 'totp', code: CODE })

/** Calls with more tokens than anybody would keep. */
async function visitors(client: Client, server: HttpServer) {
  const calls = Array.from({ length: 300 }, (_, index) => {
    server.respondWith(json(200, []))
    return client.relationships.list({ token: `visitor-${index}` })
  })
  await Promise.all(calls)
}

describe('calls of one client with different tokens', () => {
  it('calls with other tokens do not split the prompt of the first token', async () => {
    const slow = hold(mfaRequired())
    const server = await serve(slow.responder)
    server.fallback(({ url }) => (url === '/mfa/finish' ? json(200, { token: 'jwt' }) : json(200, [])))
    const given = deferred<MfaAnswer>()
    const handler = vi.fn<MfaHandler>(() => given.promise)
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })

    const first = client.relationships.list()
    await server.waitForRequests(1)
    await visitors(client, server)
    server.respondWith(mfaRequired())
    const second = client.relationships.list()
    await vi.waitFor(() => expect(handler).toHaveBeenCalledTimes(1))
    slow.release()
    await new Promise((resolve) => setTimeout(resolve, 30))
    given.resolve({ type: 'totp', code: CODE })
    await Promise.all([first, second])
    await client.relationships.list()

    expect(handler).toHaveBeenCalledTimes(1)
    expect(server.request(-1).headers[MFA_HEADER]).toBe('jwt')
  })

  it('signing out ends the prompt of a call that began before calls with other tokens', async () => {
    const slow = hold(mfaRequired())
    const server = await serve(slow.responder)
    const handler = vi.fn<MfaHandler>(() => new Promise(() => {}))
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })
    const first = rejectionOf(client.relationships.list(), isMfaCancelledError)
    await server.waitForRequests(1)
    await visitors(client, server)
    slow.release()
    await vi.waitFor(() => expect(handler).toHaveBeenCalledTimes(1))

    await client.session.setToken(null)

    await first
  })

  it('prompts of two tokens can be open at once, and each answer serves its own token', async () => {
    const service = await serveStepUp()
    const handler = vi.fn<MfaHandler>(async () => {
      await service.server.waitForRequests(2)
      return { type: 'totp', code: CODE }
    })
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: handler })

    await Promise.all([client.relationships.list(), client.relationships.list({ token: 'grace' })])

    expect(handler).toHaveBeenCalledTimes(2)
    expect(
      service
        .finishes()
        .map(({ headers }) => headers.authorization)
        .toSorted(),
    ).toEqual(['ada', 'grace'])
    const replays = service.calls().flatMap(({ headers }) => headers[MFA_HEADER] ?? [])
    expect(replays.toSorted()).toEqual([expect.stringContaining('of-ada-'), expect.stringContaining('of-grace-')])
  })

  it('a verification survives calls with other tokens', async () => {
    const service = await serveStepUp()
    const client = new Client({ baseUrl: service.url, onMfaRequired: answer })
    await client.relationships.list({ token: 'ada' })
    await visitors(client, service.server)

    await client.relationships.list({ token: 'ada' })

    expect(service.server.request(-1).headers[MFA_HEADER]).toBe('jwt-of-ada-1')
    expect(service.finishes()).toHaveLength(1)
  })

  it('a challenge without a handler survives calls with other tokens', async () => {
    const service = await serveStepUp()
    const client = new Client({ baseUrl: service.url, token: 'ada' })
    const { challenge } = await rejectionOf(client.relationships.list(), isMfaRequiredError)
    await visitors(client, service.server)

    await challenge?.verify({ type: 'totp', code: CODE })

    expect(await client.relationships.list()).toEqual([])
  })

  it('a challenge from before a change of token is rejected, whatever other tokens have called since', async () => {
    const service = await serveStepUp()
    const client = new Client({ baseUrl: service.url, token: 'ada' })
    const { challenge } = await rejectionOf(client.relationships.list(), isMfaRequiredError)
    await visitors(client, service.server)
    await client.session.setToken(null)

    await rejectionOf(challenge?.verify({ type: 'totp', code: CODE }) ?? Promise.resolve(), isMfaCancelledError)

    expect(service.finishes()).toHaveLength(0)
  })
})
