import { expect } from 'vitest'
import { PASSWORD, type RoundTrips } from './world'

const origin = { login_source: 'guild_invite', gift_code_sku_id: '600' } as const
const settings = { locale: 'en-US', theme: 'dark' }
const text = expect.any(String)

/** API, "A. Sessions" and "B. Login". */
export const signInRoundTrips: RoundTrips<
  | 'Get Auth Sessions'
  | 'Logout Auth Sessions'
  | 'Login Account'
  | 'Verify MFA Login'
  | 'Start Passwordless Login'
  | 'Finish Passwordless Login'
  | 'Authorize IP Address'
  | 'Create Handoff Token'
  | 'Exchange Handoff Token'
> = {
  'Get Auth Sessions': async ({ client, service, ada }) => {
    service.token(ada, { userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0' })
    const { user_sessions } = await client.auth.sessions.list()
    const info = { os: expect.toBeOneOf([text, null]), platform: expect.toBeOneOf([text, null]), location: null }
    const session = { id_hash: text, approx_last_used_time: text, client_info: info }
    expect(user_sessions).toEqual([session, session])
    const linux = { os: 'Linux', platform: 'Firefox', location: null }
    expect(user_sessions).toContainEqual({ ...session, client_info: linux })
  },

  'Logout Auth Sessions': async ({ client, service, ada }) => {
    const token = service.token(ada)
    const { user_sessions } = await client.auth.sessions.list()
    const [own] = (await client.as(token).auth.sessions.list()).user_sessions
    expect(user_sessions).toHaveLength(2)
    const hashes = user_sessions.map(({ id_hash }) => id_hash)
    const { data, response } = await client.auth.sessions.logout({ session_id_hashes: hashes }).withResponse()
    expect({ data, status: response.status, elevated: response.elevated }).toEqual({
      data: undefined,
      status: 204,
      elevated: true,
    })
    expect(hashes).toContain(own?.id_hash)
    await expect(client.as(token).auth.sessions.list()).rejects.toThrow(expect.objectContaining({ status: 401 }))
  },

  'Login Account': async ({ guest, service, grace }) => {
    service.users.disable(grace)
    const credentials = { login: 'grace@example.test', password: PASSWORD }
    const result = await guest.auth.login({ ...credentials, undelete: true, ...origin })
    expect(result).toEqual({ status: 'complete', user_id: grace.id, token: text, user_settings: settings })
    expect(guest.session.isAuthenticated).toBe(true)
    expect(service.users.get(grace).status).toBe('active')
  },

  'Verify MFA Login': async ({ guest, service, ada, raw }) => {
    const first = await raw('/auth/login', { login: 'ada@example.test', password: PASSWORD })
    expect(first).toEqual({
      user_id: ada.id,
      mfa: true,
      ticket: text,
      login_instance_id: text,
      totp: true,
      sms: true,
      backup: true,
      webauthn: text,
    })
    const { ticket, login_instance_id } = first as { ticket: string; login_instance_id: string }
    const params = { ticket, login_instance_id, code: service.users.totp(ada), ...origin }
    expect(await guest.auth.verifyMfaLogin('totp', params)).toEqual({ token: text, user_settings: settings })
    expect(await guest.relationships.list()).toEqual([])
  },

  'Start Passwordless Login': async ({ guest }) => {
    const { ticket, challenge } = await guest.auth.startPasswordlessLogin()
    expect(ticket).toEqual(text)
    expect(JSON.parse(challenge)).toMatchObject({ challenge: text, rpId: 'service.example' })
  },

  'Finish Passwordless Login': async ({ guest, service, ada }) => {
    const { ticket, challenge } = await guest.auth.startPasswordlessLogin()
    const credential = JSON.stringify(service.users.passkey(ada, challenge))
    const result = await guest.auth.finishPasswordlessLogin({ ticket, credential, ...origin })
    expect(result).toEqual({ user_id: ada.id, token: text, user_settings: settings })
    expect(guest.session.token).toBe(result.token)
  },

  'Authorize IP Address': async ({ guest, service, ada }) => {
    const token = service.users.verificationToken(ada)
    const { data, response } = await guest.auth.authorizeIp({ token }).withResponse()
    expect([data, response.status]).toEqual([undefined, 204])
    await expect(guest.auth.authorizeIp({ token }), 'the token is valid once').rejects.toThrow()
  },

  'Create Handoff Token': async ({ client }) => {
    expect(await client.auth.createHandoffToken({ key: 'handoff-1' })).toEqual({ handoff_token: text })
  },

  'Exchange Handoff Token': async ({ client, guest, ada }) => {
    const { handoff_token } = await client.auth.createHandoffToken({ key: 'handoff-1' })
    const result = await guest.auth.exchangeHandoffToken({ key: 'handoff-1', handoff_token })
    expect(result).toEqual({ token: text, user: expect.objectContaining({ id: ada.id, username: 'ada' }) })
    expect(guest.session.token).toBe(result.token)
    expect(result.token).not.toBe(client.session.token)
  },
}

/** API, "C. Registration" to "G. Multi-factor verification". */
export const accountRoundTrips: RoundTrips<
  | 'Register Account'
  | 'Register Account with Phone Number'
  | 'Get Location Metadata'
  | 'Validate Password'
  | 'Get Username Suggestions'
  | 'Check Username Eligibility'
  | 'Logout'
  | 'Forgot Password'
  | 'Reset Password'
  | 'One-Time Login'
  | 'Revert Account'
  | 'Verify MFA'
  | 'Send MFA SMS'
> = {
  'Register Account': async ({ guest, service }) => {
    const fingerprint = service.fingerprint()
    const result = await guest.auth.register({
      username: 'mary',
      global_name: 'Mary Jackson',
      email: 'mary@example.test',
      phone_token: service.users.phoneToken('+15550123'),
      password: PASSWORD,
      date_of_birth: '1990-04-09',
      fingerprint,
      invite: 'join-us',
      guild_template_code: 'template-1',
      gift_code_sku_id: '600',
      consent: true,
      promotional_email_opt_in: true,
    })
    expect(result).toEqual({ token: text, show_verification_form: false })
    expect(guest.session.token).toBe(result.token)
    const registered = { username: 'mary', global_name: 'Mary Jackson', phone: '+15550123' }
    const [id] = fingerprint.split('.')
    expect(service.users.find('mary@example.test')).toMatchObject({ ...registered, id })
  },

  'Register Account with Phone Number': async ({ guest, service }) => {
    const { data, response } = await guest.auth.registerPhone({ phone: '+15550123' }).withResponse()
    expect([data, response.status]).toEqual([undefined, 204])
    const { code } = service.sms.last('+15550123', 'phone_verification')
    expect(service.users.phoneToken('+15550123', code)).toEqual(text)
  },

  'Get Location Metadata': async ({ guest }) => {
    expect(await guest.auth.getLocationMetadata()).toEqual({
      country_code: expect.stringMatching(/^[A-Z]{2}$/),
      consent_required: false,
      promotional_email_opt_in: { required: false, pre_checked: false },
    })
  },

  'Validate Password': async ({ guest }) => {
    const strong = await guest.auth.validatePassword({ password: 'Correct-horse-7' })
    const weak = await guest.auth.validatePassword({ password: 'aaaaaaaa' })
    expect([strong, weak]).toEqual([
      { valid: true, password_strength: 4 },
      { valid: false, password_strength: 0 },
    ])
  },

  'Get Username Suggestions': async ({ guest }) => {
    const { username } = await guest.auth.suggestUsername({ global_name: 'Ada Lovelace' })
    expect(await guest.auth.checkUsername({ username })).toEqual({ taken: false })
  },

  'Check Username Eligibility': async ({ guest }) => {
    expect(await guest.auth.checkUsername({ username: 'ada' })).toEqual({ taken: true })
  },

  Logout: async ({ client }) => {
    const { token } = client.session
    const push = { provider: 'push', token: 'push-token', voip_provider: 'voip', voip_token: 'voip-token' }
    expect(await client.auth.logout(push)).toBeUndefined()
    expect(client.session.token).toBeNull()
    const again = client.relationships.list({ token: token ?? '' })
    await expect(again).rejects.toThrow(expect.objectContaining({ status: 401 }))
  },

  'Forgot Password': async ({ guest, service }) => {
    expect(await guest.auth.forgotPassword({ login: 'grace@example.test' })).toEqual({ method: 'one_time_login' })
    expect(service.mail.last('grace@example.test')).toMatchObject({ token: text, ticket: text })
    expect(await guest.auth.forgotPassword({ login: 'ada@example.test' })).toEqual({ method: 'password_reset' })
  },

  'Reset Password': async ({ guest, service, ada, raw }) => {
    await guest.auth.forgotPassword({ login: 'ada@example.test' })
    const { token } = service.mail.last('ada@example.test', 'password_reset')
    const first = await raw('/auth/reset', { token, password: 'another horse' })
    expect(first).toMatchObject({ user_id: ada.id, mfa: true, ticket: text, totp: true, sms: true, backup: true })
    const { ticket } = first as { ticket: string }
    const factor = { method: 'totp', ticket, code: service.users.totp(ada) }
    const result = await guest.auth.resetPassword({ token, password: 'another horse', source: '/reset', ...factor })
    expect(result).toEqual({ status: 'complete', token: text })
    expect(await guest.relationships.list()).toEqual([])
    const login = await guest.auth.login({ login: 'ada@example.test', password: 'another horse' })
    expect(login.status).toBe('mfa')
  },

  'One-Time Login': async ({ guest, service }) => {
    await guest.auth.forgotPassword({ login: 'grace@example.test' })
    const { ticket = '' } = service.mail.last('grace@example.test', 'password_reset')
    expect(await guest.auth.oneTimeLogin({ ticket })).toEqual({ token: text })
    expect(await guest.relationships.list()).toEqual([])
  },

  'Revert Account': async ({ client, guest, service, ada }) => {
    service.users.changeEmail(ada, 'thief@example.test')
    const { token } = service.mail.last('ada@example.test', 'account_recovery')
    const result = await guest.auth.revertAccount({ token, password: 'x' })
    expect(result).toEqual({ email: 'ada@example.test' })
    await expect(client.relationships.list()).rejects.toThrow(expect.objectContaining({ status: 401 }))
    expect(service.users.get(ada)).toMatchObject({ email: 'ada@example.test', phone: null, mfa: [] })
  },

  'Verify MFA': async ({ client, service, ada, raw }) => {
    const mfaRequired = await raw('/auth/sessions/logout', { session_id_hashes: ['a'] }, client.session.token ?? '')
    expect(mfaRequired).toEqual({ message: text, code: 60003, mfa: { ticket: text, methods: expect.any(Array) } })
    const { ticket } = (mfaRequired as { mfa: { ticket: string } }).mfa
    const [code = ''] = service.users.backupCodes(ada)
    expect(await client.mfa.finish({ ticket, mfa_type: 'backup', data: code })).toEqual({ token: text })
    const options = { onMfaRequired: false } as const
    expect(await client.auth.sessions.logout({ session_id_hashes: ['a'] }, options)).toBeUndefined()
  },

  'Send MFA SMS': async ({ guest, service, ada, raw }) => {
    const first = await raw('/auth/login', { login: 'ada@example.test', password: PASSWORD })
    const { ticket } = first as { ticket: string }
    const { phone } = await guest.mfa.sendSms({ ticket })
    expect(phone).not.toBe(ada.phone)
    expect(phone.slice(-2)).toBe(ada.phone?.slice(-2))
    const { code } = service.sms.last(ada.phone ?? '', 'mfa')
    expect(await guest.auth.verifyMfaLogin('sms', { ticket, code })).toMatchObject({ token: text })
  },
}
