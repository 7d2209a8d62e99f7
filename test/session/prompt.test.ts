import { setImmediate as turn } from 'node:timers/promises'
import {
  Client,
  isApiError,
  isMfaCancelledError,
  isMfaRequiredError,
  isRequestValidationError,
  isTimeoutError,
  type MfaAnswer,
  type MfaChallenge,
  type MfaHandler,
} from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { deferred } from '../deferred'
import { json, mfaRequired, noResponse, serve } from '../servers/http-server'
import { CODE, serveStepUp, waitForPrompts } from '../servers/step-up-service'
import { pass, stopClock } from '../stopped-clock'
import { reasonOf, rejectionOf } from '../transport/rejection'

describe('an open prompt', () => {
  it('counts its time against neither timeout nor deadline', async () => {
    const service = await serveStepUp()
    stopClock()
    const slow: MfaHandler = async () => {
      await pass(1200)
      return { type: 'totp', code: CODE }
    }
    const client = new Client({ baseUrl: service.url, token: 'ada', timeout: 700, deadline: 900, onMfaRequired: slow })

    expect(await client.relationships.list()).toEqual([])
  })

  it('step-up works with retry 0 and uses none of the retries of the replay', async () => {
    const server = await serve(mfaRequired(), json(200, { token: 'jwt' }), json(200, []))
    const onMfaRequired: MfaHandler = () => ({ type: 'totp', code: CODE })
    const client = new Client({ baseUrl: server.url, token: 'ada', retry: 0, onMfaRequired })
    expect(await client.relationships.list()).toEqual([])

    const fails = json(503, {})
    const flaky = await serve(fails, mfaRequired(), json(200, { token: 'jwt' }), fails, json(200, []))
    const retrying = new Client({ baseUrl: flaky.url, token: 'ada', retry: 1, onMfaRequired })
    expect(await retrying.relationships.list()).toEqual([])
  })

  it('aborting one waiting call rejects only that call', async () => {
    const service = await serveStepUp()
    const userAnswer = deferred<MfaAnswer>()
    const opened = deferred<MfaChallenge>()
    const handler = vi.fn<MfaHandler>((challenge) => {
      opened.resolve(challenge)
      return userAnswer.promise
    })
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: handler })
    const control = new AbortController()
    const both = waitForPrompts(client, 2)

    const first = client.relationships.list({ signal: control.signal })
    const challenge = await opened.promise
    const second = client.friendSuggestions.list()
    await both
    const reason = new Error('left')
    control.abort(reason)

    expect(await reasonOf(first)).toBe(reason)
    expect(challenge.signal.aborted).toBe(false)
    userAnswer.resolve({ type: 'totp', code: CODE })
    expect(await second).toEqual([])
    expect(handler).toHaveBeenCalledTimes(1)
  })

  it('aborts challenge.signal with the last waiting call, and the next call opens another', async () => {
    const service = await serveStepUp()
    const challenges: MfaChallenge[] = []
    const handler: MfaHandler = (challenge) => {
      challenges.push(challenge)
      return challenges.length === 1 ? new Promise(() => {}) : { type: 'totp', code: CODE }
    }
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: handler })
    const both = waitForPrompts(client, 2)
    const controls = [new AbortController(), new AbortController()]
    const calls = controls.map(({ signal }) => reasonOf(client.relationships.list({ signal })))
    await both

    controls[0]?.abort('one')
    expect(challenges[0]?.signal.aborted).toBe(false)
    controls[1]?.abort('two')

    expect(await Promise.all(calls)).toEqual(['one', 'two'])
    expect(challenges[0]?.signal.aborted).toBe(true)
    expect(await client.relationships.list()).toEqual([])
    expect(service.finishes()).toHaveLength(1)
  })

  it.each<[string, MfaHandler]>([
    [
      'throws',
      () => {
        throw new Error('no dialog')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no dialog'))],
    ['returns null', () => null],
    ['returns undefined', () => undefined as unknown as null],
    ['returns an empty object', () => ({}) as MfaAnswer],
    ['returns a number', () => 123456 as unknown as MfaAnswer],
    ['returns a numeric code', () => ({ type: 'totp', code: 123456 }) as unknown as MfaAnswer],
    ['returns a circular credential', () => ({ type: 'webauthn', credential: circular() })],
  ])('a handler that %s rejects every waiting call, and the next call opens a new prompt', async (_, handler) => {
    const service = await serveStepUp()
    const prompts = vi.fn<MfaHandler>(async (challenge) => {
      await all
      return handler(challenge)
    })
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: prompts })
    const all = waitForPrompts(client, 3)

    const calls = Array.from({ length: 3 }, () => rejectionOf(client.relationships.list(), isMfaCancelledError))
    const errors = await Promise.all(calls)

    expect(prompts).toHaveBeenCalledTimes(1)
    expect(service.finishes()).toHaveLength(0)
    if (_ === 'throws' || _ === 'rejects') for (const { cause } of errors) expect(cause).toEqual(new Error('no dialog'))
    prompts.mockResolvedValueOnce({ type: 'totp', code: CODE })
    expect(await client.relationships.list()).toEqual([])
    expect(prompts).toHaveBeenCalledTimes(2)
  })

  it('calls inside the handler with onMfaRequired: false never join its own step-up', async () => {
    const service = await serveStepUp()
    const inner: unknown[] = []
    const client = new Client({
      baseUrl: service.url,
      token: 'ada',
      mfaTimeout: 3000,
      onMfaRequired: async () => {
        inner.push(await reasonOf(client.friendSuggestions.list({ onMfaRequired: false })))
        return { type: 'totp', code: CODE }
      },
    })

    await client.relationships.list()

    expect(inner[0]).toSatisfy(isMfaRequiredError)
  })

  it('fails after mfaTimeout, with advice, if its handler waits for it', async () => {
    const service = await serveStepUp()
    const client = new Client({
      baseUrl: service.url,
      token: 'ada',
      mfaTimeout: 200,
      onMfaRequired: async () => {
        await client.friendSuggestions.list()
        return { type: 'totp', code: CODE }
      },
    })

    const error = await rejectionOf(client.relationships.list(), isTimeoutError)

    expect(error).toMatchObject({ limit: 'mfaTimeout', limitMs: 200 })
    expect(error.message).toContain('onMfaRequired: false')
  })

  it('it is bypassed by the methods of the challenge', async () => {
    const server = await serve(
      mfaRequired('t', [{ type: 'sms' }]),
      json(200, { phone: '+1***' }),
      json(200, { token: 'jwt' }),
    )
    server.fallback(() => json(200, []))
    const client = new Client({
      baseUrl: server.url,
      token: 'ada',
      mfaTimeout: 3000,
      onMfaRequired: async (challenge) => {
        await challenge.sendSms()
        return { type: 'sms', code: CODE }
      },
    })

    expect(await client.relationships.list()).toEqual([])
  })
})

function circular(): object {
  const value: { self?: object } = {}
  value.self = value
  return value
}

const ANSWERS = 'an answer is `{ type, code }` with strings, or `{ type: "webauthn", credential }`; `null` cancels'

/** Returns the error of a call with this handler. */
async function cancellationBy(onMfaRequired: MfaHandler) {
  const server = await serve(mfaRequired())
  const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired })
  return rejectionOf(client.relationships.list(), isMfaCancelledError)
}

const INVALID_ANSWERS: [string, unknown, string][] = [
  ['undefined', undefined, 'type'],
  ['an empty object', {}, 'type'],
  ['a code without a type', { code: '123456' }, 'type'],
  ['a numeric type', { type: 5, code: '123456' }, 'type'],
  ['a credential with a numeric type', { type: 5, credential: {} }, 'type'],
  ['a type without a code', { type: 'totp' }, 'code'],
  ['a numeric code', { type: 'totp', code: 123456 }, 'code'],
  ['a null code', { type: 'totp', code: null }, 'code'],
  ['a null credential', { type: 'webauthn', credential: null }, 'code'],
]

describe('the return value of an MFA handler', () => {
  it('fails the call with an MfaCancelledError that says so if it is null', async () => {
    const { message, cause } = await cancellationBy(() => null)
    expect(message).toBe('MFA was cancelled: the handler returned null.')
    expect(cause).toBeUndefined()
  })

  it('an error of the app that a handler throws becomes the cause, and the message does not repeat it', async () => {
    const reason = new Error('no dialog')
    const { message, cause } = await cancellationBy(() => Promise.reject(reason))
    expect(message).toBe('MFA was cancelled: the handler threw.')
    expect(cause).toBe(reason)
  })

  it.each(INVALID_ANSWERS)(
    'fails the call with an error that names the valid answers and the problem if it is %s',
    async (_, value, path) => {
      const error = await cancellationBy(() => value as MfaAnswer)

      expect(error.message).toBe(`MFA was cancelled: the handler did not return an answer; ${ANSWERS}.`)
      expect(error.cause).toSatisfy(isRequestValidationError)
      expect(error.cause).toMatchObject({ endpoint: 'onMfaRequired', issues: [{ path: [path], message: ANSWERS }] })
    },
  )

  it.each(INVALID_ANSWERS)('verify() rejects %s without a request', async (_, value, path) => {
    const server = await serve(mfaRequired())
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const { challenge } = await rejectionOf(client.relationships.list(), isMfaRequiredError)

    const verifying = challenge?.verify(value as MfaAnswer) ?? Promise.resolve()
    const { issues } = await rejectionOf(verifying, isRequestValidationError)

    expect(issues).toEqual([{ path: [path], code: 'invalid_type', message: ANSWERS, severity: 'error' }])
    expect(server.requests).toHaveLength(1)
    expect(challenge?.attempt).toBe(1)
    expect(challenge?.lastError).toBeUndefined()
  })

  it('a string credential is sent unchanged', async () => {
    const server = await serve(mfaRequired(), json(200, { token: 'jwt' }), json(200, []))
    const onMfaRequired: MfaHandler = () => ({ type: 'webauthn', credential: '{"id":"credential"}' })
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired })

    await client.relationships.list()

    expect(server.request(1).json()).toMatchObject({ mfa_type: 'webauthn', data: '{"id":"credential"}' })
  })

  it('a code next to a null credential is sent', async () => {
    const server = await serve(mfaRequired(), json(200, { token: 'jwt' }), json(200, []))
    const answer = { type: 'totp', code: '123456', credential: null }
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: () => answer })

    await client.relationships.list()

    expect(server.request(1).json()).toMatchObject({ mfa_type: 'totp', data: '123456' })
  })
})

const login = { login: 'ada@example.test', password: 'correct horse' }

/** Returns a handler that answers at once, and the signals of its challenges. */
function recordSignals() {
  const signals: AbortSignal[] = []
  const handler: MfaHandler = ({ signal }) => {
    signals.push(signal)
    return { type: 'totp', code: CODE }
  }
  return { signals, handler }
}

describe('the end of a prompt', () => {
  it('challenge.signal is aborted if the login is aborted as the prompt opens', async () => {
    const server = await serve(json(200, { user_id: '100', mfa: true, ticket: 'ticket', totp: true }))
    const { signals, handler } = recordSignals()
    const control = new AbortController()
    const client = new Client({ baseUrl: server.url, onMfaRequired: handler })
    client.on('mfaRequired', () => control.abort('enough'))

    expect(await reasonOf(client.auth.login(login, { signal: control.signal }))).toBe('enough')

    expect(signals.every(({ aborted }) => aborted)).toBe(true)
    expect(server.requests).toHaveLength(1)
  })

  it('an aborted verification is not passed to the classifier', async () => {
    const server = await serve(mfaRequired(), noResponse)
    const { handler } = recordSignals()
    const classifyMfaFailure = vi.fn(() => 'refused' as const)
    const client = new Client({ baseUrl: server.url, token: 'ada', classifyMfaFailure, onMfaRequired: handler })
    const control = new AbortController()
    const reason = new Error('left')
    const call = reasonOf(client.relationships.list({ signal: control.signal }))
    await server.waitForRequests(2)

    control.abort(reason)

    expect(await call).toBe(reason)
    await turn()
    expect(classifyMfaFailure).not.toHaveBeenCalled()
  })

  it.each<[string, string | null, string]>([
    ['a sign-out', null, 'the session was signed out'],
    ['another token', 'grace', 'the session changed'],
    ['the same token', 'ada', 'the session changed'],
  ])('the error of a prompt that the session ends says why: %s', async (_, next, reason) => {
    const server = await serve(mfaRequired())
    const onMfaRequired: MfaHandler = async ({ signal }) => {
      await client.session.setToken(next)
      expect(signal.aborted).toBe(true)
      return { type: 'totp', code: CODE }
    }
    const client: Client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired })

    const { message } = await rejectionOf(client.relationships.list(), isMfaCancelledError)

    expect(message).toBe(`MFA was cancelled: ${reason}.`)
  })

  it('a verification with a status that is neither success nor error is fatal by default', async () => {
    const server = await serve(mfaRequired(), json(300, {}))
    const { signals, handler } = recordSignals()
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })

    expect(await rejectionOf(client.relationships.list(), isApiError)).toMatchObject({ status: 300 })

    expect(signals).toHaveLength(1)
  })
})
