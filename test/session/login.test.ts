import {
  AccountDeletionScheduledError,
  AccountDisabledError,
  Client,
  explain,
  isApiError,
  isMfaCancelledError,
  isMfaFailedError,
  isResponseMismatchError,
  isTimeoutError,
  isWebAuthnError,
  type MfaChallenge,
  type MfaHandler,
} from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { describe, expect, it, test, vi } from 'vitest'
import { hold, json, noResponse, serve } from '../servers/http-server'
import { pass, stopClock } from '../stopped-clock'
import { reasonOf, rejectionOf } from '../transport/rejection'

const credentials = { login: 'ada@example.test', password: 'correct horse' }
const settings = { locale: 'en-GB', theme: 'dark' }
const mfaRequiredForLogin = json(200, {
  user_id: '100',
  mfa: true,
  ticket: 'login-ticket',
  login_instance_id: 'instance',
  totp: true,
  sms: true,
  backup: true,
  webauthn: null,
  required_actions: ['update_password'],
})
const verified = json(200, { token: 'new-token', user_settings: settings })

describe('login()', () => {
  it('completes without a second factor and stores the token', async () => {
    const server = await serve(json(200, { user_id: '100', token: 'new-token', user_settings: settings }))
    const client = new Client({ baseUrl: server.url })

    expect(await client.auth.login(credentials)).toMatchObject({
      status: 'complete',
      token: 'new-token',
      user_id: '100',
    })
    expect(client.session.token).toBe('new-token')
  })

  it('resolves to a challenge without a handler, and verify() completes it', async () => {
    const server = await serve(mfaRequiredForLogin, json(400, { code: 60008 }), verified)
    const client = new Client({ baseUrl: server.url })

    const result = await client.auth.login({ ...credentials, login_source: 'gift', gift_code_sku_id: '7' })

    if (result.status !== 'mfa') throw new Error('the login required no second factor')
    expect(result).toMatchObject({ user_id: '100' })
    expect(result.challenge.methods.map(({ type }) => type)).toEqual(['totp', 'sms', 'backup'])
    await rejectionOf(result.challenge.verify({ type: 'totp', code: '000000' }), isApiError)
    expect(await result.challenge.verify({ type: 'totp', code: '123456' })).toEqual({
      status: 'complete',
      token: 'new-token',
      user_id: '100',
      user_settings: settings,
      required_actions: ['update_password'],
    })
    expect(server.request(2).url).toBe('/auth/mfa/totp')
    expect(server.request(2).json()).toEqual({
      ticket: 'login-ticket',
      login_instance_id: 'instance',
      code: '123456',
      login_source: 'gift',
      gift_code_sku_id: '7',
    })
    expect(client.session.token).toBe('new-token')
  })

  it('runs the MFA handler, and onMfaRequired: false turns it off', async () => {
    const server = await serve(mfaRequiredForLogin, verified, mfaRequiredForLogin)
    const handler = vi.fn<MfaHandler>(({ reason }) => ({ type: 'totp', code: reason }))
    const client = new Client({ baseUrl: server.url, onMfaRequired: handler })

    expect(await client.auth.login(credentials)).toMatchObject({ status: 'complete' })
    expect(server.request(1).json()).toMatchObject({ code: 'login' })
    expect(await client.auth.login(credentials, { onMfaRequired: false })).toMatchObject({ status: 'mfa' })
    expect(handler).toHaveBeenCalledTimes(1)
  })

  it('starts again once if its ticket has expired', async () => {
    const server = await serve(mfaRequiredForLogin, json(401, {}), mfaRequiredForLogin, verified)
    const client = new Client({ baseUrl: server.url, onMfaRequired: () => ({ type: 'totp', code: '123456' }) })

    expect(await client.auth.login(credentials)).toMatchObject({ status: 'complete' })
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/auth/login',
      '/auth/mfa/totp',
      '/auth/login',
      '/auth/mfa/totp',
    ])
  })

  it('with a cancelled prompt throws an MfaCancelledError and stores no token', async () => {
    const server = await serve(mfaRequiredForLogin)
    const client = new Client({ baseUrl: server.url, onMfaRequired: () => null })

    await rejectionOf(client.auth.login(credentials), isMfaCancelledError)
    expect(client.session.token).toBeNull()
  })

  it('aborts the challenge of its prompt if it is aborted', async () => {
    const server = await serve(mfaRequiredForLogin)
    const control = new AbortController()
    const signals: AbortSignal[] = []
    const client = new Client({
      baseUrl: server.url,
      onMfaRequired: ({ signal }) => {
        signals.push(signal)
        control.abort('enough')
        return new Promise(() => {})
      },
    })

    expect(await reasonOf(client.auth.login(credentials, { signal: control.signal }))).toBe('enough')
    expect(signals[0]?.aborted).toBe(true)
  })

  it('has a deadline that bounds all of its requests, without the time of the prompt', async () => {
    const slow = [mfaRequiredForLogin, verified, mfaRequiredForLogin].map(hold)
    const server = await serve(...slow.map(({ responder }) => responder), verified)
    stopClock()
    const onMfaRequired: MfaHandler = async () => {
      await pass(1200)
      return { type: 'totp', code: '123456' }
    }
    const client = new Client({ baseUrl: server.url, deadline: 1000, onMfaRequired })

    const late = rejectionOf(client.auth.login(credentials), isTimeoutError)
    await server.waitForRequests(1)
    await pass(600)
    slow[0]?.release()
    await server.waitForRequests(2)
    await pass(400)
    expect(await late).toMatchObject({ limit: 'deadline' })

    const login = client.auth.login(credentials)
    await server.waitForRequests(3)
    await pass(600)
    slow[2]?.release()
    expect(await login).toMatchObject({ status: 'complete' })
  })

  it.each([
    {},
    null,
    [[]],
    'text',
    { mfa: true },
    { mfa: true, ticket: 5 },
    { token: 5 },
    { token: '' },
    { token: 'a\nb' },
  ])('a sign-in response without a valid token throws a ResponseMismatchError: %j', async (body) => {
    const server = await serve(json(200, body), json(200, body), json(200, body), json(200, body))
    const client = new Client({ baseUrl: server.url })

    await rejectionOf(client.auth.login(credentials), isResponseMismatchError)
    await rejectionOf(client.auth.resetPassword({ token: 't', password: 'correct horse' }), isResponseMismatchError)
    await rejectionOf(client.auth.oneTimeLogin({ ticket: 't' }), isResponseMismatchError)
    await rejectionOf(client.auth.verifyMfaLogin('totp', { ticket: 't', code: '1' }), isResponseMismatchError)
    expect(client.session.token).toBeNull()
  })

  it('reports an account that can be restored', async () => {
    const server = await serve(json(400, { code: 20013, message: 'disabled' }), json(403, { code: 20011, message: '' }))
    const client = new Client({ baseUrl: server.url })

    const disabled = await reasonOf(client.auth.login(credentials))
    expect(disabled).toBeInstanceOf(AccountDisabledError)
    expect(explain(disabled).action).toBe('restore')
    expect(await reasonOf(client.auth.login(credentials))).toBeInstanceOf(AccountDeletionScheduledError)
  })
})
const answer: MfaHandler = () => ({ type: 'totp', code: '123456' })
const OPTIONS = { challenge: 'Y2hhbGxlbmdl', rpId: 'service.example' }

/** Responds to a login with these flags. */
const mfaLogin = (flags: object) => json(200, { user_id: '100', mfa: true, ticket: 'login-ticket', ...flags })

/** Returns the challenge of a login whose response has these flags. */
async function challengeOf(flags: object): Promise<MfaChallenge> {
  const server = await serve(mfaLogin(flags))
  const result = await new Client({ baseUrl: server.url }).auth.login(credentials)
  if (result.status === 'mfa') return result.challenge
  throw new Error('the login required no second factor')
}

describe('the second factor of a login', () => {
  it.each<[string, object, object[]]>([
    ['only TOTP', { totp: true, sms: false, backup: false, webauthn: null }, [{ type: 'totp' }]],
    ['TOTP with backup codes', { totp: true, backup: true }, [totp(true), { type: 'backup' }]],
    ['backup codes without TOTP', { totp: false, backup: true }, [{ type: 'backup' }]],
    ['only SMS', { sms: true }, [{ type: 'sms' }]],
    ['a WebAuthn device', { webauthn: JSON.stringify(OPTIONS) }, [{ type: 'webauthn' }]],
    ['none', {}, []],
  ])('login flags for %s give the same methods as a 60003', async (_, flags, methods) => {
    expect((await challengeOf(flags)).methods).toStrictEqual(methods)
  })

  it('a login challenge finds its WebAuthn options wherever they are in the response', async () => {
    const challenge = await challengeOf({ totp: true, webauthn: JSON.stringify(OPTIONS) })
    expect(challenge.webauthnOptions()).toEqual(OPTIONS)
  })

  it('webauthnOptions() throws a typed error if the account has no device', async () => {
    const challenge = await challengeOf({ totp: true })
    expect(() => challenge.webauthnOptions()).toThrow(expect.toSatisfy(isWebAuthnError))
  })

  it('sendSms() of a login challenge sends the ticket and the headers of the login and is not retried', async () => {
    const server = await serve(mfaLogin({ sms: true }), json(200, { phone: '+1***67' }), json(503, {}))
    const client = new Client({ baseUrl: server.url })
    const result = await client.auth.login(credentials, { headers: { 'X-App': 'one' } })
    if (result.status !== 'mfa') throw new Error('the login required no second factor')

    expect(await result.challenge.sendSms()).toEqual({ phone: '+1***67' })
    expect(await reasonOf(result.challenge.sendSms())).toSatisfy(isApiError)

    expect(server.requests).toHaveLength(3)
    const { url, headers, json: body } = server.request(1)
    expect(url).toBe('/auth/mfa/sms/send')
    expect(body()).toEqual({ ticket: 'login-ticket' })
    expect(headers).toMatchObject({ 'x-app': 'one' })
  })

  it('aborting a login aborts the SMS request of its handler', async () => {
    const server = await serve(mfaLogin({ sms: true }), noResponse)
    const control = new AbortController()
    const sms: Promise<unknown>[] = []
    const onMfaRequired: MfaHandler = (challenge) => {
      sms.push(reasonOf(challenge.sendSms()))
      return new Promise(() => {})
    }
    const client = new Client({ baseUrl: server.url, onMfaRequired })
    const login = reasonOf(client.auth.login(credentials, { signal: control.signal }))
    await server.waitForRequests(2)

    control.abort('enough')

    expect(await login).toBe('enough')
    expect(await Promise.all(sms)).toEqual(['enough'])
  })

  it('login() throws an MfaFailedError if its ticket expires twice', async () => {
    const server = await serve()
    server.fallback(({ url }) => (url === '/auth/login' ? mfaLogin({ totp: true }) : json(401, { message: 'expired' })))
    const handler = vi.fn(answer)
    const client = new Client({ baseUrl: server.url, onMfaRequired: handler })

    const error = await rejectionOf(client.auth.login(credentials), isMfaFailedError)

    expect(error.message).toBe('MFA failed: its ticket expired twice.')
    expect(error.attempts).toBe(2)
    expect(error.cause).toMatchObject({ status: 401, serviceMessage: 'expired' })
    expect(handler).toHaveBeenCalledTimes(2)
    expect(server.requests).toHaveLength(4)
  })

  it('login() without a source sends none with the second factor', async () => {
    const server = await serve(mfaLogin({ totp: true }), verified)
    const client = new Client({ baseUrl: server.url, onMfaRequired: answer })

    await client.auth.login(credentials)

    expect(server.request(1).json()).toStrictEqual({ ticket: 'login-ticket', code: '123456' })
  })
})

function totp(backup_codes_allowed: boolean) {
  return { type: 'totp', backup_codes_allowed }
}

test('a login challenge outlives the signal of its login', async () => {
  const service = createMockService()
  const ada = service.users.create({ ...credentials, mfa: ['totp'] })
  const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch })
  const control = new AbortController()
  const result = await client.auth.login(credentials, { signal: control.signal })
  control.abort()
  if (result.status !== 'mfa') throw new Error('the login required no second factor')
  expect(result.challenge.signal.aborted).toBe(false)
  const done = await result.challenge.verify({ type: 'totp', code: service.users.totp(ada) })
  expect(done.status).toBe('complete')
})

test('a login challenge has the endpoint that required it', async () => {
  const service = createMockService()
  service.users.create({ ...credentials, mfa: ['totp'] })
  const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch })
  const result = await client.auth.login(credentials)
  expect(result.status === 'mfa' && result.challenge.endpoint).toBe('Login Account')
})
