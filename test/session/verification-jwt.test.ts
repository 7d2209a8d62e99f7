import { Client, isMfaCancelledError, isMfaRequiredError, type MfaAnswer, type MfaHandler } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { deferred } from '../deferred'
import { hold, json, mfaRequired, serve } from '../servers/http-server'
import { CODE, MFA_HEADER, serveStepUp } from '../servers/step-up-service'
import { tokenOnly } from '../session-stores'
import { rejectionOf } from '../transport/rejection'

const answer: MfaHandler = () => ({ type: 'totp', code: CODE })
const verified = (jwt: string) => json(200, { token: jwt })
const MINUTE = 60_000
const MARGIN = 10_000

describe('the verification JWT', () => {
  it('it is sent with every request for nearly five minutes by a monotonic clock', async () => {
    const service = await serveStepUp()
    const handler = vi.fn(answer)
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: handler })
    vi.useFakeTimers({ toFake: ['performance', 'Date'] })
    await client.relationships.list()

    vi.advanceTimersByTime(4.5 * MINUTE)
    vi.setSystemTime(Date.now() + 1000 * MINUTE)
    const { response } = await client.friendSuggestions.list().withResponse()
    expect(response).toMatchObject({ elevated: true, attempts: 1 })
    expect(handler).toHaveBeenCalledTimes(1)

    vi.advanceTimersByTime(0.5 * MINUTE - 1)
    await client.relationships.list()
    expect(service.calls().at(-2)?.headers[MFA_HEADER]).toBeUndefined()
    expect(handler).toHaveBeenCalledTimes(2)
  })

  it('does not live longer if the system clock is set back', async () => {
    const service = await serveStepUp()
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: answer })
    vi.useFakeTimers({ toFake: ['performance', 'Date'] })
    await client.relationships.list()

    vi.advanceTimersByTime(5 * MINUTE)
    vi.setSystemTime(Date.now() - 60 * MINUTE)
    await client.relationships.list()

    expect(service.finishes()).toHaveLength(2)
  })

  it('it is never written to the token store', async () => {
    const service = await serveStepUp()
    const set = vi.fn()
    const tokenStore = tokenOnly({ get: () => 'ada', set })
    const client = new Client({ baseUrl: service.url, tokenStore, onMfaRequired: answer })

    await client.relationships.list()

    expect(service.finishes()).toHaveLength(1)
    expect(set).not.toHaveBeenCalled()
  })

  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['logout', (client) => client.auth.logout()],
    ['setToken', (client) => client.session.setToken('ada')],
    ['revert', (client) => client.auth.revertAccount({ token: 'revert-token', password: 'new password' })],
  ])('it is dropped on %s', async (_, change) => {
    const service = await serveStepUp()
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: answer })
    await client.relationships.list()
    if (_ !== 'setToken') service.server.respondWith(json(200, { email: 'ada@example.test' }))

    await change(client)
    await client.session.setToken('ada')
    await client.relationships.list()

    expect(service.calls().at(-2)?.headers[MFA_HEADER]).toBeUndefined()
    expect(service.finishes()).toHaveLength(2)
  })

  it('it is stored by mfa.finish()', async () => {
    const service = await serveStepUp()
    const client = new Client({ baseUrl: service.url, token: 'ada' })
    const elevated = vi.fn()
    client.session.onChange(elevated)

    await client.mfa.finish({ ticket: 'ticket', mfa_type: 'totp', data: CODE })
    await client.relationships.list()

    expect(elevated).toHaveBeenCalledWith(expect.objectContaining({ type: 'elevated' }))
    expect(service.calls().map(({ headers }) => headers[MFA_HEADER])).toEqual(['jwt-of-ada-1'])
  })

  it('leads to a new prompt if the service no longer accepts it', async () => {
    const service = await serveStepUp()
    const handler = vi.fn(answer)
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: handler })
    await client.relationships.list()
    service.revokeJwts()

    await client.relationships.list()

    expect(handler).toHaveBeenCalledTimes(2)
  })

  it.each<[string, string | null]>([
    ['signing out', null],
    ['a change of token', 'grace'],
    ['setting the same token', 'ada'],
  ])('%s while a prompt is open rejects the waiting calls and sends no code', async (_, next) => {
    const service = await serveStepUp()
    const userAnswer = deferred<MfaAnswer>()
    const signals: AbortSignal[] = []
    const client = new Client({
      baseUrl: service.url,
      token: 'ada',
      onMfaRequired: ({ signal }) => {
        signals.push(signal)
        return userAnswer.promise
      },
    })
    const calls = Array.from({ length: 2 }, () => rejectionOf(client.relationships.list(), isMfaCancelledError))
    await vi.waitFor(() => expect(signals).toHaveLength(1))
    await service.server.waitForRequests(2)

    await client.session.setToken(next)
    await Promise.all(calls)
    userAnswer.resolve({ type: 'totp', code: CODE })
    // A call of another client is complete, and the only one that was sent.
    await rejectionOf(new Client({ baseUrl: service.url, token: 'bob' }).relationships.list(), isMfaRequiredError)

    expect(signals[0]?.aborted).toBe(true)
    expect(service.server.requests).toHaveLength(3)
  })

  it('a handler that signs out ends its own prompt', async () => {
    const service = await serveStepUp()
    const client: Client = new Client({
      baseUrl: service.url,
      token: 'ada',
      onMfaRequired: () => {
        client.session.setToken(null)
        return new Promise(() => {})
      },
    })

    await rejectionOf(client.relationships.list(), isMfaCancelledError)
  })

  it('mfa.finish() that completes after the session changed is rejected and elevates no session', async () => {
    const slow = hold(json(200, { token: 'late-jwt' }))
    const server = await serve(slow.responder)
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const changes: string[] = []
    client.session.onChange(({ type }) => changes.push(type))
    const finish = rejectionOf(
      client.mfa.finish({ ticket: 'ticket', mfa_type: 'totp', data: CODE }),
      isMfaCancelledError,
    )
    await server.waitForRequests(1)

    await client.session.setToken('grace')
    slow.release()

    await finish
    expect(changes).toEqual(['tokenChanged'])
  })

  it('a replay that succeeds after the session changed resolves and elevates no session', async () => {
    const late = hold(json(200, []))
    const server = await serve(mfaRequired(), json(200, { token: 'jwt' }), late.responder, json(200, []))
    const onMfaRequired = () => ({ type: 'totp', code: CODE })
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired })
    const call = client.relationships.list()
    await server.waitForRequests(3)
    await client.session.setToken('grace')
    late.release()

    expect(await call).toEqual([])
    await client.relationships.list()
    expect(server.request(3).headers).not.toHaveProperty(MFA_HEADER)
  })

  it('it is discarded if its verification completes after the session changed', async () => {
    const finishing = deferred<void>()
    const server = await serve(mfaRequired(), async (response, request) => {
      await finishing.promise
      await json(200, { token: 'late-jwt' })(response, request)
    })
    server.fallback(() => json(200, []))
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: answer })
    const call = rejectionOf(client.relationships.list(), isMfaCancelledError)
    await server.waitForRequests(2)

    await client.session.setToken('grace')
    finishing.resolve()
    await call
    await client.relationships.list()
    await client.session.setToken('ada')
    await client.relationships.list()

    expect(server.requests.every(({ headers }) => headers[MFA_HEADER] === undefined)).toBe(true)
  })
})

describe('a rejected or expired verification JWT', () => {
  it('does not drop the newer one if its rejection arrives late: the call replays without a prompt', async () => {
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

  it('leads to one prompt if two concurrent calls are rejected', async () => {
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

  it('it is dropped to the millisecond after five minutes less the margin', async () => {
    vi.useFakeTimers({ toFake: ['performance'], now: 0 })
    const service = await serveStepUp()
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: answer })
    await client.relationships.list()

    vi.advanceTimersByTime(5 * MINUTE - MARGIN - 1)
    await client.relationships.list()
    expect(service.server.request(-1).headers[MFA_HEADER]).toBe('jwt-of-ada-1')

    vi.advanceTimersByTime(1)
    await client.relationships.list()
    expect(service.calls().at(-2)?.headers[MFA_HEADER]).toBeUndefined()
  })
})
