import { describe, expect, it } from 'vitest'
import { baseUrl, password, sender, setUp, start } from './set-up'

interface Required {
  code: number
  message: string
  mfa: { ticket: string; methods: { type: string; challenge?: string; backup_codes_allowed?: boolean }[] }
}

const header = 'X-Service-MFA-Authorization'
const params = { session_id_hashes: ['none'] }

function setUpFactor(mfa: readonly ('totp' | 'sms' | 'backup' | 'webauthn' | 'password')[] = ['totp', 'backup']) {
  const { service, send, ada } = setUp()
  const user = service.users.create({ login: 'mfa@example.com', username: 'mfa', password, mfa })
  const asAda = sender(service.fetch, baseUrl, service.token(user))
  const ask = async (by = asAda) => (await by<Required>('POST /auth/sessions/logout', params)).body
  const finish = async (mfa_type: string, data: unknown, by = asAda) => {
    const { ticket } = (await ask()).mfa
    return by<{ token: string }>('POST /mfa/finish', { ticket, mfa_type, data })
  }
  const attempt = async (headers: Record<string, string>, by = asAda) =>
    (await by('POST /auth/sessions/logout', params, headers)).status
  return { service, send, ada, user, asAda, ask, finish, attempt }
}

describe('step-up', () => {
  it('responds to a call that requires it with 401, code 60003, a ticket and the methods', async () => {
    const { asAda } = setUpFactor()
    const { status, body } = await asAda('POST /auth/sessions/logout', params)
    expect(status).toBe(401)
    expect(body).toEqual({
      code: 60003,
      message: expect.any(String),
      mfa: {
        ticket: expect.any(String),
        methods: [{ type: 'totp', backup_codes_allowed: true }, { type: 'backup' }],
      },
    })
  })

  it('it is not needed by a user without a second factor', async () => {
    const { service, ada } = setUpFactor()
    const asGrace = sender(service.fetch, baseUrl, service.token(ada))
    expect((await asGrace('POST /auth/sessions/logout', params)).status).toBe(204)
  })

  it('it is passed by the verification JWT in the header', async () => {
    const { service, user, finish, attempt } = setUpFactor()
    const { body } = await finish('totp', service.users.totp(user))
    expect(body.token.split('.')).toHaveLength(3)
    expect(await attempt({ [header]: body.token })).toBe(204)
  })

  it('the verification JWT names its user and session and expires after 5 minutes', async () => {
    const { service, user, finish } = setUpFactor()
    const { body } = await finish('totp', service.users.totp(user))
    const [head = '', claims = ''] = body.token.split('.')
    const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
    const iat = Date.parse(start) / 1000
    expect(decode(head)).toEqual({ alg: 'HS256', typ: 'JWT' })
    expect(decode(claims)).toEqual({ sub: user.id, sid: expect.any(String), iat, exp: iat + 300 })
  })

  it('the policy sets the attributes of the verification cookie', async () => {
    const { service, user, finish } = setUpFactor()
    const attributes = async () => (await finish('totp', service.users.totp(user))).headers.get('set-cookie')
    expect(await attributes()).toMatch(/; Path=\/; Secure; HttpOnly; SameSite=Lax$/)
    service.changePolicy({ verificationCookie: 'SameSite=None; Partitioned' })
    expect(await attributes()).toMatch(/; Path=\/; Secure; HttpOnly; SameSite=None; Partitioned$/)
  })

  it('it is passed by the verification cookie', async () => {
    const { service, user, finish, attempt } = setUpFactor()
    const { body, headers } = await finish('totp', service.users.totp(user))
    const cookie = headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(new RegExp(`^__Secure-recent_mfa=${body.token}; Max-Age=300; .*Secure; HttpOnly`))
    expect(cookie).toContain('Expires=Thu, 01 Jan 2026 00:05:00 GMT')
    const [pair] = cookie.split(';')
    for (const cookies of [`theme=dark; ${pair}`, `${pair};theme=dark`, `theme=dark;${pair}`])
      expect(await attempt({ cookie: cookies })).toBe(204)
  })

  it('a verification lasts for 5 minutes of the service clock', async () => {
    const { service, user, finish, attempt } = setUpFactor()
    const { body } = await finish('totp', service.users.totp(user))
    service.clock.advance('299999ms')
    expect(await attempt({ [header]: body.token })).toBe(204)
    service.clock.advance(1)
    expect(await attempt({ [header]: body.token })).toBe(401)
  })

  it('a verification is valid only for its session', async () => {
    const { service, user, finish, attempt } = setUpFactor()
    const { body } = await finish('totp', service.users.totp(user))
    const other = sender(service.fetch, baseUrl, service.token(user))
    expect(await attempt({ [header]: body.token }, other)).toBe(401)
    const stranger = service.users.create({ login: 'x@example.com', password, mfa: ['totp'] })
    expect(await attempt({ [header]: body.token }, sender(service.fetch, baseUrl, service.token(stranger)))).toBe(401)
  })

  it('has a ticket that cannot be finished by another user', async () => {
    const { service, user, ada, finish } = setUpFactor()
    const asGrace = sender(service.fetch, baseUrl, service.token(ada))
    expect((await finish('totp', service.users.totp(user), asGrace)).status).toBe(401)
  })

  it('has a ticket that survives a wrong code and can be used once', async () => {
    const { service, user, asAda, ask } = setUpFactor()
    const { ticket } = (await ask()).mfa
    const finish = async (data: string) => (await asAda('POST /mfa/finish', { ticket, mfa_type: 'totp', data })).status
    expect(await finish('000000')).toBe(400)
    expect(await finish(service.users.totp(user))).toBe(200)
    expect(await finish(service.users.totp(user))).toBe(401)
  })

  it('refuses a TOTP code that is not ASCII', async () => {
    const { finish } = setUpFactor()
    for (const code of ['１２３４５６', '12345é', '😀😀😀']) expect((await finish('totp', code)).status).toBe(400)
  })

  it('accepts an SMS code, a backup code or a passkey', async () => {
    const { service, user, asAda, ask, finish } = setUpFactor(['sms', 'backup', 'webauthn'])
    const { ticket, methods } = (await ask()).mfa
    expect(methods.map(({ type }) => type)).toEqual(['sms', 'backup', 'webauthn'])

    await asAda('POST /auth/mfa/sms/send', { ticket })
    const { code, text } = service.sms.last(String(user.phone), 'mfa')
    expect(text).toContain(code)
    expect((await asAda('POST /mfa/finish', { ticket, mfa_type: 'sms', data: code })).status).toBe(200)

    expect((await finish('backup', service.users.backupCodes(user)[0])).status).toBe(200)

    const again = (await ask()).mfa
    const data = JSON.stringify(service.users.passkey(user, again.methods.at(-1)?.challenge))
    expect((await asAda('POST /mfa/finish', { ticket: again.ticket, mfa_type: 'webauthn', data })).status).toBe(200)
    expect((await finish('totp', '123456')).status).toBe(400)
  })

  it('requires the password if the account has no other method', async () => {
    const { ask, finish } = setUpFactor(['password'])
    expect((await ask()).mfa.methods).toEqual([{ type: 'password' }])
    expect((await finish('password', 'wrong password')).status).toBe(400)
    expect((await finish('password', password)).status).toBe(200)
  })

  it('login needs no second factor if the password is the only one', async () => {
    const { send } = setUpFactor(['password'])
    expect((await send('POST /auth/login', { login: 'mfa@example.com', password })).body).toHaveProperty('token')
  })

  it('it is required by the calls that requireMfa decides, even without a second factor', async () => {
    const { as, ada, grace } = setUp({
      policy: { requireMfa: (name, user) => name === 'Get Relationships' && user.username === 'ada' },
    })
    const { status, body } = await as(ada)<Required>('GET /users/@me/relationships')
    expect([status, body.mfa.methods]).toEqual([401, [{ type: 'password' }]])
    expect((await as(grace)('GET /users/@me/relationships')).status).toBe(200)
  })

  it('it is never required by Verify MFA and Send MFA SMS', async () => {
    const { service } = setUp({ policy: { requireMfa: () => true } })
    const user = service.users.create({ login: 'mfa@example.com', password, mfa: ['sms'] })
    const asAda = sender(service.fetch, baseUrl, service.token(user))
    const { ticket } = (await asAda<Required>('GET /users/@me/relationships')).body.mfa
    expect((await asAda('POST /auth/mfa/sms/send', { ticket })).status).toBe(200)
    const { code } = service.sms.last(String(user.phone), 'mfa')
    const { status, body } = await asAda<{ token: string }>('POST /mfa/finish', { ticket, mfa_type: 'sms', data: code })
    expect(status).toBe(200)
    expect((await asAda('GET /users/@me/relationships', undefined, { [header]: body.token })).status).toBe(200)
  })

  it('it is never required by login', async () => {
    const { as, ada } = setUp({ policy: { requireMfa: () => true } })
    expect((await as(ada)('POST /auth/login', { login: 'ada@example.com', password })).status).toBe(200)
  })

  it('offers other methods or the password once all backup codes are used', async () => {
    const both = setUpFactor(['totp', 'backup'])
    for (const code of both.service.users.backupCodes(both.user)) await both.finish('backup', code)
    expect((await both.ask()).mfa.methods).toEqual([{ type: 'totp', backup_codes_allowed: false }])
    expect((await both.finish('backup', 'aaaa-aaaa')).status).toBe(400)
    expect((await both.finish('totp', both.service.users.totp(both.user))).status).toBe(200)

    const codesOnly = setUpFactor(['backup'])
    for (const code of codesOnly.service.users.backupCodes(codesOnly.user)) await codesOnly.finish('backup', code)
    expect((await codesOnly.ask()).mfa.methods).toEqual([{ type: 'password' }])
    expect((await codesOnly.finish('password', password)).status).toBe(200)
  })

  it('offers no SMS code without a phone number', async () => {
    const { service, user, ask, finish } = setUpFactor(['sms', 'totp'])
    service.users.changePhone(user, null)
    expect((await ask()).mfa.methods.map(({ type }) => type)).toEqual(['totp'])
    expect((await finish('sms', '123456')).status).toBe(400)
  })

  it('offers no password if the account has none', async () => {
    const { service, as } = setUp({ policy: { requireMfa: () => true } })
    const user = service.users.create({ login: 'none@example.com' })
    expect((await as(user)<Required>('GET /users/@me/relationships')).body.mfa.methods).toEqual([])
  })

  it('comes after the rejection of an invalid call', async () => {
    const { asAda } = setUpFactor()
    expect((await asAda('POST /auth/sessions/logout', { session_id_hashes: [] })).status).toBe(400)
  })

  it('a verification ends with its session', async () => {
    const { service, user, asAda, finish, attempt } = setUpFactor()
    const { body } = await finish('totp', service.users.totp(user))
    await asAda('POST /auth/logout', {})
    expect(await attempt({ [header]: body.token })).toBe(401)
  })
})
