import type { WireCase } from './wire-case'

const registration = {
  username: 'ada',
  global_name: 'Ada Lovelace',
  email: 'ada@example.test',
  phone_token: 'phone-token',
  password: 'correct horse',
  date_of_birth: '1990-12-10',
  fingerprint: '700.fingerprint',
  invite: 'join-us',
  guild_template_code: 'template-1',
  gift_code_sku_id: '600',
  consent: true,
  promotional_email_opt_in: false,
}

const reset = {
  token: 'reset-token',
  password: 'correct horse',
  source: '/reset',
  method: 'webauthn',
  ticket: 'ticket-1',
  code: '{"id":"AQ","type":"public-key"}',
}

const push = { provider: 'push', token: 'push-token', voip_provider: 'voip', voip_token: 'voip-token' }

// API, "C. Registration" to "G. Multi-factor verification".
export const accountCases: readonly WireCase[] = [
  {
    name: 'Register Account',
    send: (client) => client.auth.register(registration),
    method: 'POST',
    url: '/auth/register',
    body: registration,
    authorization: false,
    response: { token: 'a-new-token', show_verification_form: true },
  },
  {
    name: 'Register Account with Phone Number',
    send: (client) => client.auth.registerPhone({ phone: '+15550100' }),
    method: 'POST',
    url: '/auth/register/phone',
    body: { phone: '+15550100' },
    authorization: false,
  },
  {
    name: 'Get Location Metadata',
    send: (client) => client.auth.getLocationMetadata(),
    method: 'GET',
    url: '/auth/location-metadata',
    authorization: false,
    response: {
      country_code: 'NO',
      consent_required: true,
      promotional_email_opt_in: { required: true, pre_checked: false },
    },
  },
  {
    name: 'Validate Password',
    send: (client) => client.auth.validatePassword({ password: 'correct horse' }),
    method: 'POST',
    url: '/auth/password/validate',
    body: { password: 'correct horse' },
    authorization: true,
    response: { valid: true, password_strength: 4 },
  },
  {
    name: 'Get Username Suggestions',
    send: (client) => client.auth.suggestUsername({ global_name: 'Ada & Søn' }),
    method: 'GET',
    url: '/unique-username/username-suggestions-unauthed?global_name=Ada+%26+S%C3%B8n',
    authorization: false,
    response: { username: 'ada_0' },
  },
  {
    name: 'Check Username Eligibility',
    send: (client) => client.auth.checkUsername({ username: 'ada' }),
    method: 'POST',
    url: '/unique-username/username-attempt-unauthed',
    body: { username: 'ada' },
    authorization: false,
    response: { taken: null },
  },
  {
    name: 'Logout',
    send: (client) => client.auth.logout(push),
    method: 'POST',
    url: '/auth/logout',
    body: push,
    authorization: true,
  },
  {
    name: 'Forgot Password',
    send: (client) => client.auth.forgotPassword({ login: '+15550100' }),
    method: 'POST',
    url: '/auth/forgot',
    body: { login: '+15550100' },
    authorization: false,
    response: { method: 'one_time_login' },
  },
  {
    name: 'Reset Password',
    send: (client) => client.auth.resetPassword(reset),
    method: 'POST',
    url: '/auth/reset',
    body: reset,
    authorization: false,
    response: { token: 'a-new-token', user_id: '100' },
    result: { status: 'complete', token: 'a-new-token', user_id: '100' },
  },
  {
    name: 'One-Time Login',
    send: (client) => client.auth.oneTimeLogin({ ticket: 'one-time-ticket' }),
    method: 'POST',
    url: '/auth/one-time-login',
    body: { ticket: 'one-time-ticket' },
    authorization: false,
    response: { token: 'a-new-token' },
  },
  {
    name: 'Revert Account',
    send: (client) => client.auth.revertAccount({ token: 'revert-token', password: 'a new password' }),
    method: 'POST',
    url: '/auth/revert',
    body: { token: 'revert-token', password: 'a new password' },
    authorization: false,
    response: { email: 'ada@example.test' },
  },
  {
    name: 'Verify MFA',
    send: (client) => client.mfa.finish({ ticket: 'ticket-3', mfa_type: 'backup', data: 'abcd-efgh' }),
    method: 'POST',
    url: '/mfa/finish',
    body: { ticket: 'ticket-3', mfa_type: 'backup', data: 'abcd-efgh' },
    authorization: true,
    response: { token: 'a-verification-jwt' },
  },
  {
    name: 'Send MFA SMS',
    send: (client) => client.mfa.sendSms({ ticket: 'ticket-3' }),
    method: 'POST',
    url: '/auth/mfa/sms/send',
    body: { ticket: 'ticket-3' },
    authorization: true,
    response: { phone: '+*******0100' },
  },
]

const origin = { login_source: 'guild_invite', gift_code_sku_id: '600' } as const
const settings = { locale: 'en-GB', theme: 'dark' }
const challenge = '{"challenge":"c2lnbiBtZSBpbg","rpId":"service.example"}'
const credential = '{"id":"AQ","type":"public-key"}'

const session = {
  id_hash: 'aGFzaCAx',
  approx_last_used_time: '2026-05-01T10:00:00.000000+00:00',
  client_info: { os: 'Linux', platform: 'Firefox', location: 'Oslo, Norway' },
}
const unknownSession = { ...session, id_hash: 'aGFzaCAy', client_info: { os: null, platform: null, location: null } }

const completed = {
  user_id: '100',
  token: 'a-new-token',
  user_settings: settings,
  required_actions: ['update_password'],
}
const flags = { mfa: false, totp: false, sms: false, backup: false, webauthn: null }

// API, "A. Sessions" and "B. Login".
export const loginCases: readonly WireCase[] = [
  {
    name: 'Get Auth Sessions',
    send: (client) => client.auth.sessions.list(),
    method: 'GET',
    url: '/auth/sessions',
    authorization: true,
    response: { user_sessions: [session, unknownSession] },
  },
  {
    name: 'Logout Auth Sessions',
    send: (client) => client.auth.sessions.logout({ session_id_hashes: ['aGFzaCAx', 'aGFzaCAy'] }),
    method: 'POST',
    url: '/auth/sessions/logout',
    body: { session_id_hashes: ['aGFzaCAx', 'aGFzaCAy'] },
    authorization: true,
  },
  {
    name: 'Login Account',
    send: (client) => {
      return client.auth.login({ login: 'ada@example.test', password: 'correct horse', undelete: true, ...origin })
    },
    method: 'POST',
    url: '/auth/login',
    body: {
      login: 'ada@example.test',
      password: 'correct horse',
      undelete: true,
      login_source: 'guild_invite',
      gift_code_sku_id: '600',
    },
    authorization: false,
    response: { ...completed, ...flags, login_instance_id: 'instance-1' },
    result: { status: 'complete', ...completed, ...flags, login_instance_id: 'instance-1' },
  },
  {
    name: 'Verify MFA Login',
    send: (client) => {
      const params = { ticket: 'ticket-1', login_instance_id: 'instance-1', code: '123456', ...origin }
      return client.auth.verifyMfaLogin('totp', params)
    },
    method: 'POST',
    url: '/auth/mfa/totp',
    body: {
      ticket: 'ticket-1',
      login_instance_id: 'instance-1',
      code: '123456',
      login_source: 'guild_invite',
      gift_code_sku_id: '600',
    },
    authorization: false,
    response: { token: 'a-new-token', user_settings: settings },
  },
  {
    name: 'Start Passwordless Login',
    send: (client) => client.auth.startPasswordlessLogin(),
    method: 'POST',
    url: '/auth/conditional/start',
    authorization: false,
    response: { ticket: 'ticket-2', challenge },
  },
  {
    name: 'Finish Passwordless Login',
    send: (client) => client.auth.finishPasswordlessLogin({ ticket: 'ticket-2', credential, ...origin }),
    method: 'POST',
    url: '/auth/conditional/finish',
    body: { ticket: 'ticket-2', credential, login_source: 'guild_invite', gift_code_sku_id: '600' },
    authorization: false,
    response: completed,
  },
  {
    name: 'Authorize IP Address',
    send: (client) => client.auth.authorizeIp({ token: 'verification-token' }),
    method: 'POST',
    url: '/auth/authorize-ip',
    body: { token: 'verification-token' },
    authorization: false,
  },
  {
    name: 'Create Handoff Token',
    send: (client) => client.auth.createHandoffToken({ key: 'handoff-key' }),
    method: 'POST',
    url: '/auth/handoff',
    body: { key: 'handoff-key' },
    authorization: true,
    response: { handoff_token: 'handoff-token' },
  },
  {
    name: 'Exchange Handoff Token',
    send: (client) => client.auth.exchangeHandoffToken({ key: 'handoff-key', handoff_token: 'handoff-token' }),
    method: 'POST',
    url: '/auth/handoff/exchange',
    body: { key: 'handoff-key', handoff_token: 'handoff-token' },
    authorization: false,
    response: { token: 'a-new-token', user: { id: '100', username: 'ada', avatar: null } },
  },
]
