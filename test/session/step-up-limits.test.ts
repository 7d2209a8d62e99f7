import {
  Client,
  type ClientOptions,
  isApiError,
  isMfaFailedError,
  isMfaRequiredError,
  isServerError,
  type MfaChallenge,
  type MfaFailureKind,
  type MfaHandler,
} from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { json, mfaRequired, noContent, type Responder, resetConnection, serve } from '../servers/http-server'
import { CODE, MFA_HEADER, serveStepUp, waitForPrompts } from '../servers/step-up-service'
import { reasonOf, rejectionOf } from '../transport/rejection'

const rejectedCode = json(400, { code: 60008, message: 'Invalid two-factor code' })

describe('step-up limits', () => {
  it('a 60003 after a verification prompts once more, then throws an MfaRequiredError', async () => {
    const { server, url } = await serveStepUp('rejects every JWT')
    const handler = vi.fn<MfaHandler>(() => ({ type: 'totp', code: CODE }))
    const client = new Client({ baseUrl: url, token: 'ada', onMfaRequired: handler })

    await rejectionOf(client.relationships.list(), isMfaRequiredError)

    expect(handler).toHaveBeenCalledTimes(2)
    expect(server.requests.map(({ url, headers }) => headers[MFA_HEADER] ?? url)).toEqual([
      '/users/@me/relationships',
      '/mfa/finish',
      'jwt-of-ada-1',
      '/mfa/finish',
      'jwt-of-ada-2',
    ])
  })

  it('ten calls to a service that rejects every JWT send a bounded number of requests', async () => {
    const server = await serve()
    server.fallback(({ url }) => (url === '/mfa/finish' ? json(200, { token: 'same-jwt' }) : mfaRequired()))
    const handler = vi.fn<MfaHandler>(() => ({ type: 'totp', code: CODE }))
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })

    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => client.relationships.list()))

    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    expect(handler).toHaveBeenCalledTimes(2)
    expect(server.requests.length).toBeLessThanOrEqual(10 * 6 + 20)
  })

  it('a call prompts at most twice, even if the service accepts its verifications for another call', async () => {
    const server = await serve()
    let jwts = 0
    let other: Promise<unknown> = Promise.resolve()
    server.fallback(({ url, headers }) => {
      if (url === '/mfa/finish') return json(200, { token: `jwt-${++jwts}` })
      if (headers[MFA_HEADER] === undefined) return mfaRequired()
      if (url === '/friend-suggestions') return json(200, [])
      return async (response, request) => {
        await other
        await mfaRequired()(response, request)
      }
    })
    const handler = vi.fn<MfaHandler>(async () => {
      const required = waitForPrompts(client, 1)
      other = client.friendSuggestions.list()
      await required
      return { type: 'totp', code: CODE }
    })
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })

    await rejectionOf(client.relationships.list(), isMfaRequiredError)

    expect(handler).toHaveBeenCalledTimes(2)
  })

  it('a call is retried at most three times with verifications of other calls', async () => {
    const server = await serve()
    let jwts = 0
    const verifyAnother = async () => {
      const { challenge } = await rejectionOf(client.friendSuggestions.list(), isMfaRequiredError)
      await challenge?.verify({ type: 'totp', code: CODE })
    }
    server.fallback(({ url }) => {
      if (url === '/mfa/finish') return json(200, { token: `jwt-${++jwts}` })
      if (url === '/friend-suggestions') return mfaRequired()
      return async (response, request) => {
        await verifyAnother()
        await mfaRequired()(response, request)
      }
    })
    const client = new Client({ baseUrl: server.url, token: 'ada' })

    await rejectionOf(client.relationships.list(), isMfaRequiredError)

    expect(server.requests.filter(({ url }) => url === '/users/@me/relationships')).toHaveLength(4)
  })

  it('a verification that returns no JWT fails instead of prompting again', async () => {
    for (const body of [{}, { token: 5 }, { token: '' }, { token: 'a\r\nb' }, null, 'text', []]) {
      const server = await serve(mfaRequired(), json(200, body))
      const handler = vi.fn<MfaHandler>(() => ({ type: 'totp', code: CODE }))
      const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })

      await expect(client.relationships.list()).rejects.toMatchObject({ name: 'ResponseMismatchError' })

      expect(handler).toHaveBeenCalledTimes(1)
    }
  })

  it('a 60003 from a sign-in call never calls the handler', async () => {
    const handler = vi.fn<MfaHandler>(() => ({ type: 'totp', code: CODE }))
    const server = await serve()
    server.fallback(() => mfaRequired())
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })

    const calls = [
      client.mfa.finish({ ticket: 't', mfa_type: 'totp', data: '1' }),
      client.mfa.sendSms({ ticket: 't' }),
      client.auth.login({ login: 'ada@example.test', password: 'correct horse' }),
      client.auth.verifyMfaLogin('totp', { ticket: 't', code: '1' }),
      client.auth.startPasswordlessLogin(),
      client.auth.finishPasswordlessLogin({ ticket: 't', credential: '{}' }),
      client.auth.resetPassword({ token: 't', password: 'correct horse' }),
      client.auth.oneTimeLogin({ ticket: 't' }),
    ]
    const errors = await Promise.all(calls.map((call) => rejectionOf(call, isApiError)))

    for (const error of errors) expect(error).toMatchObject({ status: 401, code: 60003 })
    expect(handler).not.toHaveBeenCalled()
    expect(server.requests).toHaveLength(calls.length)
  })

  it('a 60003 during the verification of a code ends the step-up instead of prompting', async () => {
    const server = await serve()
    server.fallback(() => mfaRequired())
    const handler = vi.fn<MfaHandler>(() => ({ type: 'totp', code: CODE }))
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })

    expect(await rejectionOf(client.relationships.list(), isApiError)).toMatchObject({ endpoint: 'Verify MFA' })

    expect(handler).toHaveBeenCalledTimes(1)
  })

  it('a 60003 from signing out other sessions steps up', async () => {
    const server = await serve(mfaRequired(), json(200, { token: 'jwt' }), noContent)
    const client = new Client({
      baseUrl: server.url,
      token: 'ada',
      onMfaRequired: () => ({ type: 'totp', code: CODE }),
    })

    await client.auth.sessions.logout({ session_id_hashes: ['hash'] })

    expect(server.request(2).headers[MFA_HEADER]).toBe('jwt')
    expect(client.session.token).toBe('ada')
  })

  it('a rejected code prompts again with the same ticket, the attempt and the last error', async () => {
    const service = await serveStepUp()
    const seen: unknown[] = []
    const handler: MfaHandler = ({ attempt, lastError }) => {
      seen.push([attempt, isApiError(lastError) ? lastError.serviceMessage : lastError])
      return { type: 'totp', code: attempt < 3 ? `00000${attempt}` : CODE }
    }
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: handler })

    await client.relationships.list()

    expect(seen).toEqual([
      [1, undefined],
      [2, 'Invalid two-factor code'],
      [3, 'Invalid two-factor code'],
    ])
    expect(service.finishes().map((request) => request.json())).toEqual([
      { ticket: 'ticket-1', mfa_type: 'totp', data: '000001' },
      { ticket: 'ticket-1', mfa_type: 'totp', data: '000002' },
      { ticket: 'ticket-1', mfa_type: 'totp', data: CODE },
    ])
    expect(service.calls()).toHaveLength(2)
  })

  it('three rejected codes throw an MfaFailedError with the last error as its cause', async () => {
    const server = await serve(mfaRequired(), rejectedCode, rejectedCode, rejectedCode)
    const handler = vi.fn<MfaHandler>(({ attempt }) => ({ type: 'totp', code: `00000${attempt}` }))
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })

    const error = await rejectionOf(client.relationships.list(), isMfaFailedError)

    expect(error.attempts).toBe(3)
    expect(error.message).toBe('MFA failed: 3 answers were refused.')
    expect(error.cause).toMatchObject({ code: 60008 })
    expect(handler).toHaveBeenCalledTimes(3)
  })

  it('an expired ticket restarts from the original request, with a new ticket and a first attempt', async () => {
    const server = await serve(
      mfaRequired('old-ticket'),
      json(401, { message: 'expired' }),
      mfaRequired('new-ticket'),
      json(200, { token: 'jwt' }),
      json(200, []),
    )
    const attempts: number[] = []
    const handler = ({ attempt }: MfaChallenge) => {
      attempts.push(attempt)
      return { type: 'totp', code: CODE }
    }
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })

    await client.relationships.list()

    expect(attempts).toEqual([1, 1])
    expect(server.request(3).json()).toMatchObject({ ticket: 'new-ticket' })
  })

  it('a second expired ticket throws an MfaFailedError', async () => {
    const { server, url } = await serveStepUp('expires every ticket')
    const handler = vi.fn<MfaHandler>(() => ({ type: 'totp', code: CODE }))
    const client = new Client({ baseUrl: url, token: 'ada', onMfaRequired: handler })

    await rejectionOf(client.relationships.list(), isMfaFailedError)

    expect(handler).toHaveBeenCalledTimes(2)
    expect(server.requests).toHaveLength(4)
  })

  it('a fatal failure ends the step-up for all waiting calls with the error of the service', async () => {
    const { server, url } = await serveStepUp('fails to verify')
    const handler = vi.fn<MfaHandler>(async () => {
      await all
      return { type: 'totp', code: CODE }
    })
    const client = new Client({ baseUrl: url, token: 'ada', onMfaRequired: handler })
    const all = waitForPrompts(client, 3)

    const outcomes = Array.from({ length: 3 }, () => rejectionOf(client.relationships.list(), isServerError))

    for (const error of await Promise.all(outcomes)) expect(error.serviceMessage).toBe('broken')
    expect(handler).toHaveBeenCalledTimes(1)
    expect(server.requests).toHaveLength(4)
  })
})

/** Makes a call whose verification fails, and returns its error with the number of prompts and requests. */
async function failVerification(failure: Responder, options: Partial<ClientOptions> = {}) {
  const server = await serve()
  server.fallback(({ url }) => (url === '/mfa/finish' ? failure : mfaRequired()))
  const handler = vi.fn<MfaHandler>(({ attempt }) => ({ type: 'totp', code: `00000${attempt}` }))
  const client = new Client({ baseUrl: server.url, token: 'ada', retry: 0, onMfaRequired: handler, ...options })
  const reason = await reasonOf(client.relationships.list())
  return { reason, prompts: handler.mock.calls.length, requests: server.requests.length }
}

describe('the classification of a failed verification', () => {
  it.each([400, 403, 404, 422])('takes %i for a rejected code by default: the prompt opens again', async (status) => {
    expect(await failVerification(json(status, {}))).toMatchObject({ prompts: 3, requests: 4 })
  })

  it('takes 401 for an expired ticket by default: the original request is sent again', async () => {
    expect(await failVerification(json(401, {}))).toMatchObject({ prompts: 2, requests: 4 })
  })

  it.each([
    ['a 429', json(429, { retry_after: 1 })],
    ['a 500', json(500, {})],
    ['a 60003', mfaRequired()],
    ['a broken connection', resetConnection],
    ['a response without a JWT', json(200, 'no object')],
  ])('takes %s for fatal by default: no further prompt opens', async (_, failure) => {
    expect(await failVerification(failure)).toMatchObject({ prompts: 1, requests: 2 })
  })

  it('classifyMfaFailure receives the error and decides what happens next', async () => {
    const kinds: Record<number, MfaFailureKind> = { 60008: 'refused', 60011: 'expired', 60099: 'fatal' }
    const classifyMfaFailure = (error: Error) => (isApiError(error) ? (kinds[error.code ?? 0] ?? 'fatal') : 'fatal')

    const outcome = async (code: number) => {
      const { prompts, requests } = await failVerification(json(400, { code }), { classifyMfaFailure })
      return [prompts, requests]
    }

    expect(await outcome(60008)).toEqual([3, 4])
    expect(await outcome(60011)).toEqual([2, 4])
    expect(await outcome(60099)).toEqual([1, 2])
  })

  it('a classifier that returns an invalid value does not cause endless prompts', async () => {
    const classifyMfaFailure = () => 'perhaps' as MfaFailureKind
    expect(await failVerification(json(400, {}), { classifyMfaFailure })).toMatchObject({ prompts: 1, requests: 2 })
  })

  it('a login whose code is rejected three times throws an MfaFailedError', async () => {
    const server = await serve(json(200, { user_id: '1', mfa: true, ticket: 'ticket', totp: true }))
    server.fallback(() => json(400, { code: 60008 }))
    const client = new Client({
      baseUrl: server.url,
      onMfaRequired: ({ attempt }) => ({ type: 'totp', code: `00000${attempt}` }),
    })

    await rejectionOf(client.auth.login({ login: 'a@example.test', password: 'correct horse' }), isMfaFailedError)

    expect(server.requests).toHaveLength(4)
  })
})
