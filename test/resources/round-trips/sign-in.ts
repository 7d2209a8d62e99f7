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
