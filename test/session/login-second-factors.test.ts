import { Client, isApiError, isMfaFailedError, isWebAuthnError, type MfaChallenge, type MfaHandler } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { json, noResponse, serve } from '../servers/http-server'
import { reasonOf, rejectionOf } from '../transport/rejection'

const credentials = { login: 'ada@example.test', password: 'correct horse' }
const answer: MfaHandler = () => ({ type: 'totp', code: '123456' })
const OPTIONS = { challenge: 'Y2hhbGxlbmdl', rpId: 'service.example' }
const verified = json(200, { token: 'new-token', user_settings: {} })

/** A login that is answered with these flags. */
const pending = (flags: object) => json(200, { user_id: '100', mfa: true, ticket: 'login-ticket', ...flags })

/** The challenge of a login whose answer has these flags. */
async function challengeOf(flags: object): Promise<MfaChallenge> {
  const server = await serve(pending(flags))
  const result = await new Client({ baseUrl: server.url }).auth.login(credentials)
  if (result.status === 'mfa') return result.challenge
  throw new Error('it did not ask for a second factor')
}

describe('the second factors of a login', () => {
  it.each<[string, object, object[]]>([
    ['TOTP alone', { totp: true, sms: false, backup: false, webauthn: null }, [{ type: 'totp' }]],
    ['TOTP with backup codes', { totp: true, backup: true }, [totp(true), { type: 'backup' }]],
    ['backup codes without TOTP', { totp: false, backup: true }, [{ type: 'backup' }]],
    ['SMS alone', { sms: true }, [{ type: 'sms' }]],
    ['a WebAuthn device', { webauthn: JSON.stringify(OPTIONS) }, [{ type: 'webauthn' }]],
    ['none', {}, []],
  ])('login flags for %s give the same methods as a 60003', async (_, flags, methods) => {
    expect((await challengeOf(flags)).methods).toStrictEqual(methods)
  })

  it('a login challenge finds its WebAuthn options wherever they are in the response', async () => {
    const challenge = await challengeOf({ totp: true, webauthn: JSON.stringify(OPTIONS) })
    expect(challenge.webauthnOptions()).toEqual(OPTIONS)
  })

  it('WebAuthn options of an account without a device are a typed error', async () => {
    const challenge = await challengeOf({ totp: true })
    expect(() => challenge.webauthnOptions()).toThrow(expect.toSatisfy(isWebAuthnError))
  })

  it('the SMS of a login carries the ticket and the headers of the login and is not retried', async () => {
    const server = await serve(pending({ sms: true }), json(200, { phone: '+1***67' }), json(503, {}))
    const client = new Client({ baseUrl: server.url })
    const result = await client.auth.login(credentials, { headers: { 'X-App': 'one' } })
    if (result.status !== 'mfa') throw new Error('it did not ask for a second factor')

    expect(await result.challenge.sendSms()).toEqual({ phone: '+1***67' })
    expect(await reasonOf(result.challenge.sendSms())).toSatisfy(isApiError)

    expect(server.requests).toHaveLength(3)
    const { url, headers, json: body } = server.request(1)
    expect(url).toBe('/auth/mfa/sms/send')
    expect(body()).toEqual({ ticket: 'login-ticket' })
    expect(headers).toMatchObject({ 'x-app': 'one' })
  })

  it('aborting a login aborts the SMS request of its handler', async () => {
    const server = await serve(pending({ sms: true }), noResponse)
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

  it('a login whose ticket expires twice is an MfaFailedError', async () => {
    const server = await serve()
    server.fallback(({ url }) => (url === '/auth/login' ? pending({ totp: true }) : json(401, { message: 'expired' })))
    const handler = vi.fn(answer)
    const client = new Client({ baseUrl: server.url, onMfaRequired: handler })

    const error = await rejectionOf(client.auth.login(credentials), isMfaFailedError)

    expect(error.message).toBe('The second factor failed: its ticket expired twice. The next call asks again.')
    expect(error.attempts).toBe(2)
    expect(error.cause).toMatchObject({ status: 401, serviceMessage: 'expired' })
    expect(handler).toHaveBeenCalledTimes(2)
    expect(server.requests).toHaveLength(4)
  })

  it('a login without a source sends none with the second factor', async () => {
    const server = await serve(pending({ totp: true }), verified)
    const client = new Client({ baseUrl: server.url, onMfaRequired: answer })

    await client.auth.login(credentials)

    expect(server.request(1).json()).toStrictEqual({ ticket: 'login-ticket', code: '123456' })
  })
})

function totp(backup_codes_allowed: boolean) {
  return { type: 'totp', backup_codes_allowed }
}
