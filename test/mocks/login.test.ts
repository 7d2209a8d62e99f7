import { describe, expect, it } from 'vitest'
import { baseUrl, password, problems, sender, setUp } from './set-up'

const credentials = { login: 'ada@example.com', password }

describe('Login Account', () => {
  it('returns a token and the settings if the account has no second factor', async () => {
    const { send, ada } = setUp()
    const { status, body } = await send('POST /auth/login', credentials)
    expect(status).toBe(200)
    expect(body).toEqual({
      user_id: ada.id,
      token: expect.any(String),
      user_settings: { locale: 'en-US', theme: 'dark' },
    })
  })

  it('accepts a phone number', async () => {
    const { send, service } = setUp()
    service.users.create({ login: '+15550100', password, locale: 'fr', theme: 'light' })
    const { body } = await send('POST /auth/login', { login: '+15550100', password })
    expect(body).toMatchObject({ user_settings: { locale: 'fr', theme: 'light' } })
  })

  it('returns a token that is the Authorization header without a scheme', async () => {
    const { send, service } = setUp()
    const { body } = await send<{ token: string }>('POST /auth/login', credentials)
    const asAda = sender(service.fetch, baseUrl, body.token)
    expect((await asAda('GET /users/@me/relationships')).status).toBe(200)
    const bearer = sender(service.fetch, baseUrl, `Bearer ${body.token}`)
    expect((await bearer('GET /users/@me/relationships')).status).toBe(401)
  })

  it('does not reveal whether the login or the password was wrong', async () => {
    const { send } = setUp()
    const wrongPassword = await send('POST /auth/login', { ...credentials, password: 'wrong password' })
    const wrongLogin = await send('POST /auth/login', { ...credentials, login: 'nobody@example.com' })
    expect(wrongPassword.status).toBe(400)
    expect(problems(wrongPassword.body)).toEqual(['login: INVALID_LOGIN', 'password: INVALID_LOGIN'])
    expect(wrongLogin.body).toEqual(wrongPassword.body)
  })

  it('accepts passwords of 8 to 72 characters', async () => {
    const { send } = setUp()
    const codes = async (length: number) =>
      problems((await send('POST /auth/login', { ...credentials, password: 'x'.repeat(length) })).body)
    expect(await codes(7)).toEqual(['password: TOO_SHORT'])
    expect(await codes(8)).toContain('password: INVALID_LOGIN')
    expect(await codes(72)).toContain('password: INVALID_LOGIN')
    expect(await codes(73)).toEqual(['password: TOO_LONG'])
  })

  it('accepts only documented login sources and null', async () => {
    const { send } = setUp()
    expect((await send('POST /auth/login', { ...credentials, login_source: 'gift' })).status).toBe(200)
    expect((await send('POST /auth/login', { ...credentials, login_source: null })).status).toBe(200)
    const { body } = await send('POST /auth/login', { ...credentials, login_source: 'elsewhere' })
    expect(problems(body)).toEqual(['login_source: INVALID_VALUE'])
  })

  it('returns the required actions of the policy', async () => {
    const { send } = setUp({ policy: { requiredActions: () => ['update_password'] } })
    const { body } = await send('POST /auth/login', credentials)
    expect(body).toMatchObject({ required_actions: ['update_password'] })
  })
})

describe('login to a restricted account', () => {
  it('fails with 20013 if it is disabled, and undelete restores it', async () => {
    const { send, service, ada } = setUp()
    service.users.disable(ada)
    const { body } = await send('POST /auth/login', credentials)
    expect(body).toMatchObject({ code: 20013, message: expect.any(String) })
    expect(await send('POST /auth/login', { ...credentials, undelete: false })).toMatchObject({ body: { code: 20013 } })
    expect((await send('POST /auth/login', { ...credentials, undelete: true })).body).toHaveProperty('token')
    expect((await send('POST /auth/login', credentials)).body).toHaveProperty('token')
    expect(service.users.get(ada).status).toBe('active')
  })

  it('fails with 20011 if it is scheduled for deletion, and undelete restores it after the second factor', async () => {
    const { send, service } = setUp()
    const user = service.users.create({ login: 'mfa@example.com', password, mfa: ['totp'] })
    service.users.scheduleDeletion(user)
    const login = { login: 'mfa@example.com', password }
    expect((await send('POST /auth/login', login)).body).toMatchObject({ code: 20011 })
    const { body } = await send<{ ticket: string }>('POST /auth/login', { ...login, undelete: true })
    expect(service.users.get(user).status).toBe('deletion_scheduled')
    await send('POST /auth/mfa/totp', { ticket: body.ticket, code: service.users.totp(user) })
    expect(service.users.get(user).status).toBe('active')
  })

  it('reveals that it is disabled only with the right password', async () => {
    const { send, service, ada } = setUp()
    service.users.disable(ada)
    const { body } = await send('POST /auth/login', { ...credentials, password: 'wrong password', undelete: true })
    expect(problems(body)).toContain('login: INVALID_LOGIN')
    expect(service.users.get(ada).status).toBe('disabled')
  })

  it('a suspended account loses its tokens, and the suspended token does not authorize', async () => {
    const { send, service, ada } = setUp()
    const token = service.token(ada)
    const suspended = service.users.suspend(ada)
    for (const used of [token, suspended]) {
      expect((await sender(service.fetch, baseUrl, used)('GET /users/@me/relationships')).status).toBe(401)
    }
    expect((await send('POST /auth/login', { ...credentials, undelete: true })).status).toBe(403)
  })

  it('requires a password reset if it is locked', async () => {
    const { send, service, ada } = setUp()
    service.users.lock(ada)
    expect(problems((await send('POST /auth/login', credentials)).body)).toEqual(['login: PASSWORD_RESET_REQUIRED'])
    await send('POST /auth/forgot', { login: 'ada@example.com' })
    const { token } = service.mail.last('ada@example.com')
    expect((await send('POST /auth/reset', { token, password: 'a new password' })).body).toHaveProperty('token')
  })
})

describe('Authorize IP Address', () => {
  it('allows login from an IP address that the policy wants verified', async () => {
    const { send, service } = setUp({ policy: { verifyNewLocation: () => true } })
    const refused = await send('POST /auth/login', credentials)
    expect(problems(refused.body)).toEqual(['login: ACCOUNT_LOGIN_VERIFICATION_EMAIL'])
    const { token } = service.mail.last('ada@example.com')
    expect((await send('POST /auth/authorize-ip', { token })).status).toBe(204)
    expect((await send('POST /auth/login', credentials)).body).toHaveProperty('token')
    const elsewhere = sender(service.fetchFrom('203.0.113.9'), baseUrl)
    expect((await elsewhere('POST /auth/login', credentials)).status).toBe(400)
  })

  it('login needs no verification from the address of an earlier session', async () => {
    const { send, service, ada } = setUp({ policy: { verifyNewLocation: () => true } })
    service.token(ada, { ip: '203.0.113.9' })
    const known = sender(service.fetchFrom('203.0.113.9'), baseUrl)
    expect((await known('POST /auth/login', credentials)).body).toHaveProperty('token')
    expect((await send('POST /auth/login', credentials)).status).toBe(400)
  })

  it('login from a new address sends no mail to an account without an e-mail address', async () => {
    const { send, service } = setUp({ policy: { verifyNewLocation: () => true } })
    service.users.create({ login: '+15550100', password })
    expect(problems((await send('POST /auth/login', { login: '+15550100', password })).body)).toEqual([
      'login: ACCOUNT_LOGIN_VERIFICATION_EMAIL',
    ])
    expect(service.mail.all()).toEqual([])
  })

  it('accepts a valid token once', async () => {
    const { send, service, ada } = setUp()
    const token = service.users.verificationToken(ada)
    expect((await send('POST /auth/authorize-ip', { token })).status).toBe(204)
    expect((await send('POST /auth/authorize-ip', { token })).status).toBe(400)
    const late = service.users.verificationToken(ada)
    service.clock.advance('1h')
    expect((await send('POST /auth/authorize-ip', { token: late })).status).toBe(400)
    expect(problems((await send('POST /auth/authorize-ip', { token: 'made up' })).body)).toEqual([
      'token: INVALID_TOKEN',
    ])
  })
})

describe('an account with second factors', () => {
  const setUpFactors = () => {
    const { service, send, ...rest } = setUp()
    const mfa = ['totp', 'sms', 'backup', 'webauthn'] as const
    const user = service.users.create({ login: 'mfa@example.com', password, mfa, phone: '+15550100' })
    const login = () => send<Record<string, string>>('POST /auth/login', { login: 'mfa@example.com', password })
    return { service, send, user, login, ...rest }
  }

  it('login lists the second factors of the account', async () => {
    const { login, user } = setUpFactors()
    const { body } = await login()
    expect(body).toEqual({
      user_id: user.id,
      mfa: true,
      ticket: expect.any(String),
      login_instance_id: expect.any(String),
      totp: true,
      sms: true,
      backup: true,
      webauthn: expect.any(String),
    })
    expect(JSON.parse(String(body.webauthn))).toMatchObject({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: 'service.example',
      allowCredentials: [{ id: expect.any(String), type: 'public-key' }],
    })
  })

  it('login offers no backup code once all of them are used', async () => {
    const { service, send, login, user } = setUpFactors()
    for (const code of service.users.backupCodes(user)) {
      await send('POST /auth/mfa/backup', { ticket: (await login()).body.ticket, code })
    }
    expect((await login()).body).toMatchObject({ mfa: true, totp: true, sms: true, backup: false })
  })

  it('login needs no second factor if used backup codes were the only one', async () => {
    const { service, send } = setUp()
    const user = service.users.create({ login: 'mfa@example.com', password, mfa: ['backup'] })
    const login = () => send('POST /auth/login', { login: 'mfa@example.com', password })
    for (const code of service.users.backupCodes(user)) {
      const { ticket } = (await login()).body
      expect((await send('POST /auth/mfa/backup', { ticket, code })).status).toBe(200)
    }
    expect((await login()).body).toMatchObject({ token: expect.any(String) })
    expect((await send('POST /auth/forgot', { login: 'mfa@example.com' })).body).toEqual({ method: 'one_time_login' })
  })

  it('login offers no SMS code without a phone number', async () => {
    const { service, login, user } = setUpFactors()
    service.users.changePhone(user, null)
    expect((await login()).body).toMatchObject({ mfa: true, totp: true, sms: false })
  })

  it('login completes with a TOTP code of the service clock', async () => {
    const { login, send, service, user } = setUpFactors()
    const { ticket, login_instance_id } = (await login()).body
    const code = service.users.totp(user)
    const { status, body } = await send('POST /auth/mfa/totp', { ticket, login_instance_id, code })
    expect(status).toBe(200)
    expect(body).toEqual({ token: expect.any(String), user_settings: { locale: 'en-US', theme: 'dark' } })
  })

  it('a login ticket survives a wrong code', async () => {
    const { login, send, service, user } = setUpFactors()
    const { ticket } = (await login()).body
    const wrong = await send('POST /auth/mfa/totp', { ticket, code: '000000' })
    expect(wrong.status).toBe(400)
    const { status } = await send('POST /auth/mfa/totp', { ticket, code: service.users.totp(user) })
    expect(status).toBe(200)
  })

  it.each(['１２３４５６', '١٢٣٤٥٦', '12345é', '😀😀😀'])(
    'a TOTP code that is not ASCII is refused: %s',
    async (code) => {
      const { login, send } = setUpFactors()
      const { ticket } = (await login()).body
      const { status, body } = await send('POST /auth/mfa/totp', { ticket, code })
      expect([status, body]).toEqual([400, { code: 60008, message: 'Invalid two-factor code' }])
    },
  )

  it('a login ticket can be used once', async () => {
    const { login, send, service, user } = setUpFactors()
    const params = { ticket: (await login()).body.ticket, code: service.users.totp(user) }
    expect((await send('POST /auth/mfa/totp', params)).status).toBe(200)
    expect((await send('POST /auth/mfa/totp', params)).status).toBe(401)
  })

  it('a login ticket expires after 5 minutes', async () => {
    const { login, send, service, user } = setUpFactors()
    const { ticket } = (await login()).body
    service.clock.advance('299999ms')
    expect((await send('POST /auth/mfa/totp', { ticket, code: 'wrong' })).status).toBe(400)
    service.clock.advance(1)
    expect((await send('POST /auth/mfa/totp', { ticket, code: service.users.totp(user) })).status).toBe(401)
  })

  it('an outdated TOTP code is rejected', async () => {
    const { login, send, service, user } = setUpFactors()
    const code = service.users.totp(user)
    service.clock.advance('90s')
    expect((await send('POST /auth/mfa/totp', { ticket: (await login()).body.ticket, code })).status).toBe(400)
  })

  it('each backup code can be used once, also in place of a TOTP code', async () => {
    const { login, send, service, user } = setUpFactors()
    const [first, second] = service.users.backupCodes(user)
    const use = async (type: string, code: string | undefined) =>
      (await send(`POST /auth/mfa/${type}`, { ticket: (await login()).body.ticket, code })).status
    expect(await use('backup', first)).toBe(200)
    expect(await use('backup', first)).toBe(400)
    expect(await use('totp', second)).toBe(200)
    expect(service.users.backupCodes(user)).toHaveLength(8)
  })

  it('login completes with the last code that was sent by SMS', async () => {
    const { login, send, service } = setUpFactors()
    const { ticket } = (await login()).body
    const { body } = await send('POST /auth/mfa/sms/send', { ticket })
    expect(body).toEqual({ phone: '+1***0100' })
    const { code: first } = service.sms.last('+15550100', 'mfa')
    await send('POST /auth/mfa/sms/send', { ticket })
    const { code: last } = service.sms.last('+15550100', 'mfa')
    expect((await send('POST /auth/mfa/sms', { ticket, code: first })).status).toBe(400)
    expect((await send('POST /auth/mfa/sms', { ticket, code: last })).status).toBe(200)
  })

  it('no SMS is sent to a user who has another factor', async () => {
    const { service, user, send, login } = setUpFactors()
    service.users.setFactors(user, ['totp'])
    expect((await send('POST /auth/mfa/sms/send', { ticket: (await login()).body.ticket })).status).toBe(400)
    expect(() => service.sms.last('+15550100')).toThrow('none was sent')
  })

  it('an SMS code is rejected before one was sent', async () => {
    const { login, send } = setUpFactors()
    expect((await send('POST /auth/mfa/sms', { ticket: (await login()).body.ticket, code: '' })).status).toBe(400)
  })

  it('login completes only with a passkey that signs the challenge of this login', async () => {
    const { login, send, service, user } = setUpFactors()
    const earlier = (await login()).body
    const { ticket, webauthn } = (await login()).body
    const stale = JSON.stringify(service.users.passkey(user, earlier.webauthn))
    expect((await send('POST /auth/mfa/webauthn', { ticket, code: stale })).status).toBe(400)
    const code = JSON.stringify(service.users.passkey(user, webauthn))
    expect((await send('POST /auth/mfa/webauthn', { ticket, code })).status).toBe(200)
  })

  it('login rejects unknown types of factors and those that the account lacks', async () => {
    const { login, send } = setUpFactors()
    const { ticket } = (await login()).body
    expect((await send('POST /auth/mfa/password', { ticket, code: password })).status).toBe(400)
    expect((await send('POST /auth/mfa/telepathy', { ticket, code: '1' })).status).toBe(400)
  })

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'login rejects a type of factor named %s',
    async (type) => {
      const { login, send, as, user } = setUpFactors()
      const { ticket } = (await login()).body
      const unavailable = { status: 400, body: { code: 60002 } }
      expect(await send(`POST /auth/mfa/${type}`, { ticket, code: '1' })).toMatchObject(unavailable)
      const refused = await as(user)<{ mfa: { ticket: string } }>('POST /auth/sessions/logout', {
        session_id_hashes: ['x'],
      })
      const params = { ticket: refused.body.mfa.ticket, mfa_type: type, data: '1' }
      expect(await send('POST /mfa/finish', params)).toMatchObject(unavailable)
    },
  )

  it('login rejects a ticket with the login_instance_id of another login', async () => {
    const { login, send, service, user } = setUpFactors()
    const [one, two] = [(await login()).body, (await login()).body]
    const params = { ticket: one.ticket, login_instance_id: two.login_instance_id, code: service.users.totp(user) }
    expect((await send('POST /auth/mfa/totp', params)).status).toBe(401)
  })
})
