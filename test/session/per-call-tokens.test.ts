import {
  Client,
  isMfaCancelledError,
  isMfaRequiredError,
  isRequestValidationError,
  type MfaAnswer,
  type MfaHandler,
  type RequestOptions,
} from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { describe, expect, it, test, vi } from 'vitest'
import { deferred } from '../deferred'
import { type HttpServer, hold, json, mfaRequired, serve } from '../servers/http-server'
import { CODE, MFA_HEADER, type StepUpServer, serveStepUp, waitForPrompts } from '../servers/step-up-service'
import { rejectionOf } from '../transport/rejection'

const answer: MfaHandler = () => ({ type: 'totp', code: CODE })
const bob: RequestOptions = { token: 'bob' }
const carol: RequestOptions = { token: 'carol' }

/** Signs out a token that is not the one of the session. */
async function signOut(client: Client, service: StepUpServer, options: RequestOptions) {
  service.server.respondWith(json(200, null))
  await client.auth.logout({}, options)
}

/** The message of the error that a call fails with if its prompt is ended. */
const cancelled = (reason: string) => `MFA was cancelled: ${reason}.`

describe('the verification of a per-call token', () => {
  it('signing out one token drops the verification of only that token', async () => {
    const service = await serveStepUp()
    const handler = vi.fn(answer)
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: handler })
    for (const options of [{}, bob, carol]) await client.relationships.list(options)
    expect(handler).toHaveBeenCalledTimes(3)

    await signOut(client, service, bob)
    await client.relationships.list()
    await client.relationships.list(carol)
    expect(handler).toHaveBeenCalledTimes(3)
    await client.relationships.list(bob)

    expect(handler).toHaveBeenCalledTimes(4)
    expect(client.session.token).toBe('ada')
  })

  it('signing out one token ends the prompt of only that token', async () => {
    const service = await serveStepUp()
    const userAnswer = deferred<MfaAnswer>()
    const opened = deferred<void>()
    const handler = vi.fn<MfaHandler>(() => {
      if (handler.mock.calls.length === 3) opened.resolve()
      return userAnswer.promise
    })
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: handler })
    const others = [client.relationships.list(), client.relationships.list(carol)]
    const call = rejectionOf(client.relationships.list(bob), isMfaCancelledError)
    await opened.promise

    await signOut(client, service, bob)

    expect((await call).message).toBe(cancelled('the token was signed out'))
    userAnswer.resolve({ type: 'totp', code: CODE })
    expect(await Promise.all(others)).toEqual([[], []])
  })

  it('a per-call token that becomes the session token keeps its prompt, and calls of the session join it', async () => {
    const service = await serveStepUp()
    const opened = deferred<void>()
    const userAnswer = deferred<MfaAnswer>()
    const handler = vi.fn<MfaHandler>(() => {
      opened.resolve()
      return userAnswer.promise
    })
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: handler })
    const call = client.relationships.list(bob)
    await opened.promise

    await client.session.setToken('bob')
    const joined = waitForPrompts(client, 1)
    const ofSession = client.relationships.list()
    await joined
    userAnswer.resolve({ type: 'totp', code: CODE })

    expect(await Promise.all([call, ofSession])).toEqual([[], []])
    expect(handler).toHaveBeenCalledTimes(1)
  })

  it('a challenge of a signed-out token is rejected even after calls with other tokens', async () => {
    const service = await serveStepUp()
    const client = new Client({ baseUrl: service.url, token: 'ada' })
    const { challenge } = await rejectionOf(client.relationships.list(bob), isMfaRequiredError)
    await rejectionOf(client.relationships.list(carol), isMfaRequiredError)
    await signOut(client, service, bob)

    const verifying = challenge?.verify({ type: 'totp', code: CODE }) ?? Promise.resolve()

    expect((await rejectionOf(verifying, isMfaCancelledError)).message).toBe(cancelled('the token was signed out'))
    expect(service.finishes()).toHaveLength(0)
  })

  it('verify() of a disposed client throws an error that says so', async () => {
    const service = await serveStepUp()
    const client = new Client({ baseUrl: service.url, token: 'ada' })
    const errors = [
      await rejectionOf(client.relationships.list(), isMfaRequiredError),
      await rejectionOf(client.relationships.list(bob), isMfaRequiredError),
    ]
    client.dispose()

    for (const { challenge } of errors) {
      const verifying = challenge?.verify({ type: 'totp', code: CODE }) ?? Promise.resolve()
      const { message } = await rejectionOf(verifying, isMfaCancelledError)
      expect(message).toContain('MFA was cancelled: the client was disposed.')
    }
  })

  it('the session emits elevated for a per-call token', async () => {
    const service = await serveStepUp()
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: answer })
    const changes: string[] = []
    client.session.onChange(({ type }) => changes.push(type))

    await client.relationships.list(bob)

    expect(changes).toEqual(['elevated'])
  })

  it('a per-call token that equals the session token shares its verification', async () => {
    const service = await serveStepUp()
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: answer })
    await client.relationships.list()

    await client.relationships.list({ token: 'ada' })

    expect(service.server.request(-1).headers[MFA_HEADER]).toBe('jwt-of-ada-1')
    expect(service.finishes()).toHaveLength(1)
  })
})

/** Calls with more tokens than a client remembers at a time. */
async function callWithManyTokens(client: Client, server: HttpServer) {
  const calls = Array.from({ length: 300 }, (_, index) => {
    server.respondWith(json(200, []))
    return client.relationships.list({ token: `visitor-${index}` })
  })
  await Promise.all(calls)
}

describe('calls of one client with many tokens', () => {
  it('do not split the prompt of the first token', async () => {
    const slow = hold(mfaRequired())
    const server = await serve(slow.responder)
    server.fallback(({ url }) => (url === '/mfa/finish' ? json(200, { token: 'jwt' }) : json(200, [])))
    const userAnswer = deferred<MfaAnswer>()
    const handler = vi.fn<MfaHandler>(() => userAnswer.promise)
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })
    const required = vi.fn()
    client.on('mfaRequired', required)

    const first = client.relationships.list()
    await server.waitForRequests(1)
    await callWithManyTokens(client, server)
    server.respondWith(mfaRequired())
    const second = client.relationships.list()
    await vi.waitFor(() => expect(handler).toHaveBeenCalledTimes(1))
    slow.release()
    await vi.waitFor(() => expect(required).toHaveBeenCalledTimes(2))
    userAnswer.resolve({ type: 'totp', code: CODE })
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
    await callWithManyTokens(client, server)
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

  it('do not end a verification', async () => {
    const service = await serveStepUp()
    const client = new Client({ baseUrl: service.url, onMfaRequired: answer })
    await client.relationships.list({ token: 'ada' })
    await callWithManyTokens(client, service.server)

    await client.relationships.list({ token: 'ada' })

    expect(service.server.request(-1).headers[MFA_HEADER]).toBe('jwt-of-ada-1')
    expect(service.finishes()).toHaveLength(1)
  })

  it('do not end a challenge without a handler', async () => {
    const service = await serveStepUp()
    const client = new Client({ baseUrl: service.url, token: 'ada' })
    const { challenge } = await rejectionOf(client.relationships.list(), isMfaRequiredError)
    await callWithManyTokens(client, service.server)

    await challenge?.verify({ type: 'totp', code: CODE })

    expect(await client.relationships.list()).toEqual([])
  })

  it('a challenge from before a change of token is rejected even after calls with other tokens', async () => {
    const service = await serveStepUp()
    const client = new Client({ baseUrl: service.url, token: 'ada' })
    const { challenge } = await rejectionOf(client.relationships.list(), isMfaRequiredError)
    await callWithManyTokens(client, service.server)
    await client.session.setToken(null)

    await rejectionOf(challenge?.verify({ type: 'totp', code: CODE }) ?? Promise.resolve(), isMfaCancelledError)

    expect(service.finishes()).toHaveLength(0)
  })

  it('a client keeps the state of a token while a call with it is pending, so that only one prompt opens', async () => {
    const slow = hold(mfaRequired())
    const server = await serve(slow.responder)
    server.fallback(({ url, headers }) => {
      if (url === '/mfa/finish') return json(200, { token: 'jwt' })
      return headers.authorization === 'ada' && headers[MFA_HEADER] !== 'jwt' ? mfaRequired() : json(200, [])
    })
    const userAnswer = deferred<MfaAnswer>()
    const opened = deferred<void>()
    const handler = vi.fn<MfaHandler>(() => {
      opened.resolve()
      return userAnswer.promise
    })
    const client = new Client({ baseUrl: server.url, onMfaRequired: handler })
    const required = vi.fn()
    client.on('mfaRequired', required)
    const first = client.relationships.list({ token: 'ada' })
    await server.waitForRequests(1)
    for (let index = 0; index < 300; index++) await client.relationships.list({ token: `visitor-${index}` })

    const second = client.relationships.list({ token: 'ada' })
    await opened.promise
    slow.release()
    await vi.waitFor(() => expect(required).toHaveBeenCalledTimes(2))
    userAnswer.resolve({ type: 'totp', code: CODE })
    await Promise.all([first, second])

    expect(handler).toHaveBeenCalledTimes(1)
  })
})

test('a per-call token keeps its open prompt when the session changes', async () => {
  const service = await serveStepUp()
  const opened = deferred<void>()
  const userAnswer = deferred<MfaAnswer>()
  const onMfaRequired = () => {
    opened.resolve()
    return userAnswer.promise
  }
  const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired })
  const call = client.relationships.list({ token: 'bob' })
  await opened.promise
  await client.session.setToken('grace')
  userAnswer.resolve({ type: 'totp', code: CODE })
  await expect(call).resolves.toEqual([])
})

test('a per-call token keeps its verification when the session changes, and loses it when that token is signed out', async () => {
  const service = createMockService({ policy: { requireMfa: (endpoint) => endpoint === 'Get Relationships' } })
  const bob = service.users.create({ login: 'bob@example.com', password: 'correct horse', mfa: ['totp'] })
  const token = service.token(bob)
  let prompts = 0
  const onMfaRequired = (): MfaAnswer => {
    prompts++
    return { type: 'totp', code: service.users.totp(bob) }
  }
  const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, onMfaRequired })
  await client.relationships.list({ token })
  await client.session.setToken('another token')
  await client.session.setToken(null)
  await client.relationships.list({ token })
  expect(prompts).toBe(1)

  await client.auth.logout({}, { token })
  const next = service.token(bob)
  await client.relationships.list({ token: next })
  expect(prompts).toBe(2)
})

test.each([undefined, null, '', 5, 'a\r\nb'])('suspended() and as() reject an invalid token: %j', (token) => {
  const client = new Client({ baseUrl: 'http://localhost', token: 'main token' })
  for (const create of [() => client.suspended(token as string), () => client.as(token as string)]) {
    expect(create).toThrow(expect.toSatisfy(isRequestValidationError))
  }
})
