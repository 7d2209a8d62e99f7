import type { WireCase } from './wire-case'

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
