import {
  Client,
  isApiError,
  isMfaFailedError,
  isMfaRequiredError,
  isServerError,
  type MfaChallenge,
  type MfaHandler,
} from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { json, mfaRequired, noContent, serve } from '../servers/http-server'
import { CODE, MFA_HEADER, serveStepUp, waitForPrompts } from '../servers/step-up-service'
import { rejectionOf } from '../transport/rejection'

const refused = json(400, { code: 60008, message: 'Invalid two-factor code' })

describe('the limits of step-up', () => {
  it('a 60003 after a verification prompts once more, then is an MfaRequiredError', async () => {
    const server = await serve()
    let jwts = 0
    server.fallback(({ url }) => (url === '/mfa/finish' ? json(200, { token: `jwt-${++jwts}` }) : mfaRequired()))
    const handler = vi.fn<MfaHandler>(() => ({ type: 'totp', code: CODE }))
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })

    await rejectionOf(client.relationships.list(), isMfaRequiredError)

    expect(handler).toHaveBeenCalledTimes(2)
    expect(server.requests.map(({ url, headers }) => headers[MFA_HEADER] ?? url)).toEqual([
      '/users/@me/relationships',
      '/mfa/finish',
      'jwt-1',
      '/mfa/finish',
      'jwt-2',
    ])
  })

  it('ten calls to a service that is never satisfied end in a bounded number of requests', async () => {
    const server = await serve()
    server.fallback(({ url }) => (url === '/mfa/finish' ? json(200, { token: 'same-jwt' }) : mfaRequired()))
    const handler = vi.fn<MfaHandler>(() => ({ type: 'totp', code: CODE }))
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })

    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => client.relationships.list()))

    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    expect(handler).toHaveBeenCalledTimes(2)
    expect(server.requests.length).toBeLessThanOrEqual(10 * 6 + 20)
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

  it('signing out other sessions can step up', async () => {
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
      return { type: 'totp', code: attempt < 3 ? '000000' : CODE }
    }
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: handler })

    await client.relationships.list()

    expect(seen).toEqual([
      [1, undefined],
      [2, 'Invalid two-factor code'],
      [3, 'Invalid two-factor code'],
    ])
    expect(service.finishes().map((request) => request.json())).toEqual([
      { ticket: 'ticket-1', mfa_type: 'totp', data: '000000' },
      { ticket: 'ticket-1', mfa_type: 'totp', data: '000000' },
      { ticket: 'ticket-1', mfa_type: 'totp', data: CODE },
    ])
    expect(service.calls()).toHaveLength(2)
  })

  it('three rejected codes are an MfaFailedError with the last error as its cause', async () => {
    const server = await serve(mfaRequired(), refused, refused, refused)
    const handler = vi.fn<MfaHandler>(() => ({ type: 'totp', code: '000000' }))
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })

    const error = await rejectionOf(client.relationships.list(), isMfaFailedError)

    expect(error.attempts).toBe(3)
    expect(error.message).toBe('The second factor failed: 3 answers were refused. The next call asks again.')
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

  it('a second expired ticket ends the call', async () => {
    const server = await serve()
    server.fallback(({ url }) => (url === '/mfa/finish' ? json(401, { message: 'expired' }) : mfaRequired()))
    const handler = vi.fn<MfaHandler>(() => ({ type: 'totp', code: CODE }))
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })

    await rejectionOf(client.relationships.list(), isMfaFailedError)

    expect(handler).toHaveBeenCalledTimes(2)
    expect(server.requests).toHaveLength(4)
  })

  it('a fatal failure ends the step-up for all waiting calls with the error of the service', async () => {
    const server = await serve()
    server.fallback(({ url }) => (url === '/mfa/finish' ? json(500, { message: 'broken' }) : mfaRequired()))
    const handler = vi.fn<MfaHandler>(async () => {
      await all
      return { type: 'totp', code: CODE }
    })
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })
    const all = waitForPrompts(client, 3)

    const outcomes = Array.from({ length: 3 }, () => rejectionOf(client.relationships.list(), isServerError))

    for (const error of await Promise.all(outcomes)) expect(error.serviceMessage).toBe('broken')
    expect(handler).toHaveBeenCalledTimes(1)
    expect(server.requests).toHaveLength(4)
  })
})
