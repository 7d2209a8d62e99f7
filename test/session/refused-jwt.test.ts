import { Client, type MfaHandler } from 'rapport-sdk'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { hold, json, mfaRequired, serve } from '../servers/http-server'
import { CODE, MFA_HEADER, serveStepUp } from '../servers/step-up-service'

const answer: MfaHandler = () => ({ type: 'totp', code: CODE })
const verified = (jwt: string) => json(200, { token: jwt })
const MARGIN = 10_000

afterEach(() => {
  vi.useRealTimers()
})

describe('a verification JWT that is no longer accepted', () => {
  it('a late response that rejects an old verification JWT does not drop the newer one: the call replays without a prompt', async () => {
    const slow = hold(mfaRequired('late'))
    const server = await serve(mfaRequired(), verified('old'), json(200, []))
    const handler = vi.fn(answer)
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })
    await client.relationships.list()

    server.respondWith(slow.responder)
    const late = client.relationships.list()
    await server.waitForRequests(4)
    server.respondWith(mfaRequired('early'), verified('new'), json(200, []))
    await client.relationships.list()
    server.respondWith(json(200, []))
    slow.release()

    expect(await late).toEqual([])
    expect(handler).toHaveBeenCalledTimes(2)
    expect(server.request(-1).headers[MFA_HEADER]).toBe('new')
  })

  it('a verification JWT that two concurrent calls find rejected leads to one prompt', async () => {
    const service = await serveStepUp()
    const handler = vi.fn<MfaHandler>(async () => {
      await service.server.waitForRequests(handler.mock.calls.length === 1 ? 1 : 5)
      return { type: 'totp', code: CODE }
    })
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: handler })
    await client.relationships.list()
    service.revokeJwts()

    await Promise.all([client.relationships.list(), client.relationships.list()])

    expect(handler).toHaveBeenCalledTimes(2)
    expect(service.finishes()).toHaveLength(2)
  })

  it('a verification JWT is dropped to the millisecond after five minutes less the margin', async () => {
    vi.useFakeTimers({ toFake: ['performance'], now: 0 })
    const service = await serveStepUp()
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: answer })
    await client.relationships.list()

    vi.advanceTimersByTime(5 * 60_000 - MARGIN - 1)
    await client.relationships.list()
    expect(service.server.request(-1).headers[MFA_HEADER]).toBe('jwt-of-ada-1')

    vi.advanceTimersByTime(1)
    await client.relationships.list()
    expect(service.calls().at(-2)?.headers[MFA_HEADER]).toBeUndefined()
  })
})
