import {
  Client,
  isMfaCancelledError,
  isMfaFailedError,
  isMfaRequiredError,
  type MfaAnswer,
  type MfaHandler,
} from 'rapport-sdk'
import { describe, expect, it, test, vi } from 'vitest'
import { deferred } from '../deferred'
import { delay, type HttpServer, hold, json, mfaRequired, serve } from '../servers/http-server'
import { CODE, MFA_HEADER, serveStepUp } from '../servers/step-up-service'
import { rejectionOf } from '../transport/rejection'

const answer: MfaHandler = () => ({ type: 'totp', code: CODE })
const rejectedCode = json(400, { code: 60008, message: 'Invalid two-factor code' })
const STAGGER = 40

/** Serves a 60003 to ten requests, each {@link STAGGER} ms after the one before, and `later` from then on. */
async function serveStaggered(later: Parameters<HttpServer['fallback']>[0]) {
  const server = await serve(...Array.from({ length: 10 }, (_, index) => delay(STAGGER * index, mfaRequired())))
  return server.fallback(later)
}

const tenCalls = (client: Client) => Array.from({ length: 10 }, () => client.relationships.list())

test('ten staggered calls open one dialog, and cancelling it cancels all of them', async () => {
  const server = await serveStaggered(() => mfaRequired())
  const handler = vi.fn<MfaHandler>(() => null)
  const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })

  await Promise.all(tenCalls(client).map((call) => rejectionOf(call, isMfaCancelledError)))

  expect(handler).toHaveBeenCalledTimes(1)
  expect(server.requests).toHaveLength(10)
})

test('ten staggered calls open one dialog if the user verifies before the last response', async () => {
  const server = await serveStaggered(({ url, headers }) => {
    if (url === '/mfa/finish') return json(200, { token: 'jwt' })
    return headers[MFA_HEADER] === 'jwt' ? json(200, []) : mfaRequired()
  })
  const handler = vi.fn(answer)
  const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })

  await Promise.all(tenCalls(client))

  expect(handler).toHaveBeenCalledTimes(1)
})

test('ten staggered calls share the failure of a prompt whose codes were all rejected', async () => {
  const server = await serveStaggered(({ url }) => (url === '/mfa/finish' ? rejectedCode : mfaRequired()))
  const handler = vi.fn<MfaHandler>(({ attempt }) => ({ type: 'totp', code: `00000${attempt}` }))
  const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })

  await Promise.all(tenCalls(client).map((call) => rejectionOf(call, isMfaFailedError)))

  expect(handler).toHaveBeenCalledTimes(3)
})

test('ten staggered calls open two prompts if a proxy strips the header, and the error says what to check', async () => {
  const server = await serve()
  let jwts = 0
  let calls = 0
  server.fallback(({ url }) => {
    if (url === '/mfa/finish') return json(200, { token: `jwt-${++jwts}` })
    return calls < 10 ? delay(STAGGER * calls++, mfaRequired()) : mfaRequired()
  })
  const handler = vi.fn(answer)
  const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })

  const errors = await Promise.all(tenCalls(client).map((call) => rejectionOf(call, isMfaRequiredError)))

  expect(handler).toHaveBeenCalledTimes(2)
  for (const { message } of errors)
    expect(message).toContain(
      'The service requires a second factor again although one was verified. Check that no proxy ' +
        'removes the header x-service-mfa-authorization',
    )
})

describe('a cancelled prompt', () => {
  it('does not cancel a later call, which opens a new prompt', async () => {
    const service = await serveStepUp()
    const handler = vi.fn<MfaHandler>(answer).mockReturnValueOnce(null)
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: handler })

    await rejectionOf(client.relationships.list(), isMfaCancelledError)

    expect(await client.relationships.list()).toEqual([])
    expect(handler).toHaveBeenCalledTimes(2)
  })

  it('cancels an earlier call even if a later call has been verified since', async () => {
    const late = hold(mfaRequired())
    const server = await serve(late.responder, mfaRequired())
    const handler = vi.fn<MfaHandler>(answer).mockReturnValueOnce(null)
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })
    const early = rejectionOf(client.relationships.ignore('100'), isMfaCancelledError)
    await server.waitForRequests(1)
    await rejectionOf(client.relationships.list(), isMfaCancelledError)
    server.respondWith(mfaRequired(), json(200, { token: 'jwt' }), json(200, []))
    await client.relationships.list()

    late.release()
    await early

    expect(server.requests).toHaveLength(5)
  })

  it('does not affect another token, a later session or a call that never prompts', async () => {
    const late = hold(mfaRequired())
    const [ofBob, background] = [hold(mfaRequired()), hold(mfaRequired())]
    const server = await serve(late.responder, ofBob.responder, background.responder, mfaRequired())
    const userAnswer = deferred<MfaAnswer | null>()
    const handler = vi.fn<MfaHandler>(answer).mockReturnValueOnce(userAnswer.promise)
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })
    const early = rejectionOf(client.relationships.list(), isMfaCancelledError)
    await server.waitForRequests(1)
    const bob = client.relationships.list({ token: 'bob' })
    await server.waitForRequests(2)
    const silent = rejectionOf(client.relationships.list({ onMfaRequired: false }), isMfaRequiredError)
    await server.waitForRequests(3)
    const cancelled = rejectionOf(client.relationships.list(), isMfaCancelledError)
    await vi.waitFor(() => expect(handler).toHaveBeenCalledTimes(1))
    userAnswer.resolve(null)
    await cancelled

    background.release()
    await silent
    late.release()
    await early
    server.respondWith(json(200, { token: 'jwt-of-bob' }), json(200, []))
    ofBob.release()

    expect(await bob).toEqual([])
    expect(handler).toHaveBeenCalledTimes(2)
  })

  it('a prompt that ended because its last call was aborted cancels no other call', async () => {
    const late = hold(mfaRequired())
    const server = await serve(late.responder, mfaRequired())
    const opened = deferred<void>()
    const handler = vi.fn<MfaHandler>(answer).mockImplementationOnce(() => {
      opened.resolve()
      return new Promise(() => {})
    })
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })
    const early = client.relationships.list()
    await server.waitForRequests(1)
    const control = new AbortController()
    const aborted = client.relationships.list({ signal: control.signal }).catch(() => 'aborted')
    await opened.promise
    control.abort()
    await aborted

    server.respondWith(json(200, { token: 'jwt' }), json(200, []))
    late.release()

    expect(await early).toEqual([])
  })
})

describe('a service that rejects every JWT', () => {
  it('leads to two prompts in all, for any number of calls', async () => {
    const server = await serveStepUp('rejects every JWT')
    const handler = vi.fn(answer)
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })

    for (let call = 0; call < 5; call++) {
      const { message } = await rejectionOf(client.relationships.list(), isMfaRequiredError)
      expect(message).toContain('Prompts are blocked for 5 minutes.')
    }

    expect(handler).toHaveBeenCalledTimes(2)
  })

  it('leads to two more prompts after exactly five minutes', async () => {
    vi.useFakeTimers({ toFake: ['performance'], now: 0 })
    const server = await serveStepUp('rejects every JWT')
    const handler = vi.fn(answer)
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })
    await rejectionOf(client.relationships.list(), isMfaRequiredError)

    vi.advanceTimersByTime(5 * 60_000 - 1)
    await rejectionOf(client.relationships.list(), isMfaRequiredError)
    expect(handler).toHaveBeenCalledTimes(2)
    vi.advanceTimersByTime(1)
    await rejectionOf(client.relationships.list(), isMfaRequiredError)

    expect(handler).toHaveBeenCalledTimes(4)
  })

  it('a new session and another token have two prompts of their own', async () => {
    const server = await serveStepUp('rejects every JWT')
    const handler = vi.fn(answer)
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })
    await rejectionOf(client.relationships.list(), isMfaRequiredError)

    await rejectionOf(client.relationships.list({ token: 'bob' }), isMfaRequiredError)
    expect(handler).toHaveBeenCalledTimes(4)
    await client.session.setToken('ada')
    await rejectionOf(client.relationships.list(), isMfaRequiredError)

    expect(handler).toHaveBeenCalledTimes(6)
  })

  it('the prompt limit starts again when a challenged call passes with its verification', async () => {
    const jwt = (name: string) => json(200, { token: name })
    const passes = json(200, [])
    const server = await serve(
      ...[mfaRequired(), jwt('one'), mfaRequired(), jwt('two'), passes],
      // It had accepted this JWT: to reject it now is an expiry, not an ignored verification.
      ...[mfaRequired(), jwt('three'), mfaRequired(), jwt('four'), passes],
    )
    const handler = vi.fn(answer)
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })

    await client.relationships.list()
    await client.relationships.list()

    expect(handler).toHaveBeenCalledTimes(4)
  })

  it('the prompt limit does not start again when an unchallenged call passes', async () => {
    let jwts = 0
    const server = await serve()
    server.fallback(({ url }) => {
      if (url === '/mfa/finish') return json(200, { token: `jwt-${++jwts}` })
      return url === '/friend-suggestions' ? json(200, []) : mfaRequired()
    })
    const handler = vi.fn<MfaHandler>(answer)
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })
    client.on('elevated', () => void client.friendSuggestions.list())

    for (let call = 0; call < 3; call++) await rejectionOf(client.relationships.list(), isMfaRequiredError)

    expect(handler).toHaveBeenCalledTimes(2)
  })

  it('a manually verified challenge whose JWT is rejected leads to an error that says so', async () => {
    const server = await serveStepUp('rejects every JWT')
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const messages: string[] = []
    for (let call = 0; call < 3; call++) {
      const { message, challenge } = await rejectionOf(client.relationships.list(), isMfaRequiredError)
      messages.push(message)
      await challenge?.verify({ type: 'totp', code: CODE })
    }

    expect(messages.map((message) => message.includes('removes the header'))).toEqual([false, false, true])
  })
})
