import {
  AccountDeletionScheduledError,
  AccountDisabledError,
  Client,
  isApiError,
  isMfaCancelledError,
  isResponseMismatchError,
  isTimeoutError,
  type MfaHandler,
} from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { delay, json, serve } from '../servers/http-server'
import { reasonOf, rejectionOf } from '../transport/rejection'

const credentials = { login: 'ada@example.test', password: 'correct horse' }
const settings = { locale: 'en-GB', theme: 'dark' }
const pending = json(200, {
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

describe('signing in', () => {
  it('login() completes without a second factor and stores the token', async () => {
    const server = await serve(json(200, { user_id: '100', token: 'new-token', user_settings: settings }))
    const client = new Client({ baseUrl: server.url })

    expect(await client.auth.login(credentials)).toMatchObject({
      status: 'complete',
      token: 'new-token',
      user_id: '100',
    })
    expect(client.session.token).toBe('new-token')
  })

  it('login() resolves to a challenge without a handler, and verify() completes it', async () => {
    const server = await serve(pending, json(400, { code: 60008 }), verified)
    const client = new Client({ baseUrl: server.url })

    const result = await client.auth.login({ ...credentials, login_source: 'gift', gift_code_sku_id: '7' })

    if (result.status !== 'mfa') throw new Error('it did not ask for a second factor')
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

  it('login() runs the MFA handler, and onMfaRequired: false turns it off', async () => {
    const server = await serve(pending, verified, pending)
    const handler = vi.fn<MfaHandler>(({ reason }) => ({ type: 'totp', code: reason }))
    const client = new Client({ baseUrl: server.url, onMfaRequired: handler })

    expect(await client.auth.login(credentials)).toMatchObject({ status: 'complete' })
    expect(server.request(1).json()).toMatchObject({ code: 'login' })
    expect(await client.auth.login(credentials, { onMfaRequired: false })).toMatchObject({ status: 'mfa' })
    expect(handler).toHaveBeenCalledTimes(1)
  })

  it('a login whose ticket has expired starts again once', async () => {
    const server = await serve(pending, json(401, {}), pending, verified)
    const client = new Client({ baseUrl: server.url, onMfaRequired: () => ({ type: 'totp', code: '123456' }) })

    expect(await client.auth.login(credentials)).toMatchObject({ status: 'complete' })
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/auth/login',
      '/auth/mfa/totp',
      '/auth/login',
      '/auth/mfa/totp',
    ])
  })

  it('a cancelled prompt is an MfaCancelledError and stores nothing', async () => {
    const server = await serve(pending)
    const client = new Client({ baseUrl: server.url, onMfaRequired: () => null })

    await rejectionOf(client.auth.login(credentials), isMfaCancelledError)
    expect(client.session.token).toBeNull()
  })

  it('aborting a login aborts the challenge of its prompt', async () => {
    const server = await serve(pending)
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

  it('the deadline bounds all requests of a login, without the time of the prompt', async () => {
    const server = await serve(delay(600, pending), delay(600, verified), delay(600, pending), delay(20, verified))
    const slow: MfaHandler = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1200))
      return { type: 'totp', code: '123456' }
    }
    const client = new Client({ baseUrl: server.url, deadline: 1000, onMfaRequired: slow })

    expect(await rejectionOf(client.auth.login(credentials), isTimeoutError)).toMatchObject({ limit: 'deadline' })
    expect(await client.auth.login(credentials)).toMatchObject({ status: 'complete' })
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
  ])('a login response of %j is a ResponseMismatchError because it has no token', async (body) => {
    const server = await serve(json(200, body), json(200, body), json(200, body), json(200, body))
    const client = new Client({ baseUrl: server.url })

    await rejectionOf(client.auth.login(credentials), isResponseMismatchError)
    await rejectionOf(client.auth.resetPassword({ token: 't', password: 'correct horse' }), isResponseMismatchError)
    await rejectionOf(client.auth.oneTimeLogin({ ticket: 't' }), isResponseMismatchError)
    await rejectionOf(client.auth.verifyMfaLogin('totp', { ticket: 't', code: '1' }), isResponseMismatchError)
    expect(client.session.token).toBeNull()
  })

  it('a password reset is sent again with method, ticket and code', async () => {
    const server = await serve(
      json(200, { user_id: '100', mfa: true, ticket: 'reset-ticket', totp: true }),
      json(200, { token: 'new-token' }),
    )
    const client = new Client({ baseUrl: server.url })

    const result = await client.auth.resetPassword({ token: 'reset-token', password: 'new password' })
    if (result.status !== 'mfa') throw new Error('it did not ask for a second factor')
    expect(result.challenge.reason).toBe('password_reset')

    const completed = await result.challenge.verify({ type: 'totp', code: '123456' })
    expect(completed).toEqual({ status: 'complete', token: 'new-token', user_id: '100' })
    expect(server.request(1).json()).toEqual({
      token: 'reset-token',
      password: 'new password',
      method: 'totp',
      ticket: 'reset-ticket',
      code: '123456',
    })
  })

  it('login() reports an account that can be restored', async () => {
    const server = await serve(json(400, { code: 20013, message: 'disabled' }), json(403, { code: 20011, message: '' }))
    const client = new Client({ baseUrl: server.url })

    const disabled = await reasonOf(client.auth.login(credentials))
    expect(disabled).toBeInstanceOf(AccountDisabledError)
    expect(String(disabled)).toContain('undelete: true')
    expect(await reasonOf(client.auth.login(credentials))).toBeInstanceOf(AccountDeletionScheduledError)
  })
})
