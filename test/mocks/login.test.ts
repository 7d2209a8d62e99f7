import { describe, expect, it } from 'vitest'
import { baseUrl, password, problems, sender, setUp } from './calls'

const credentials = { login: 'ada@example.com', password }

describe('Login Account', () => {
  it('answers a token and the settings when no second factor is set up', async () => {
    const { send, ada } = setUp()
    const { status, body } = await send('POST /auth/login', credentials)
    expect(status).toBe(200)
    expect(body).toEqual({
      user_id: ada.id,
      token: expect.any(String),
      user_settings: { locale: 'en-US', theme: 'dark' },
    })
  })

  it('takes the phone number as login too', async () => {
    const { send, service } = setUp()
    service.users.create({ login: '+15550100', password, locale: 'fr', theme: 'light' })
    const { body } = await send('POST /auth/login', { login: '+15550100', password })
    expect(body).toMatchObject({ user_settings: { locale: 'fr', theme: 'light' } })
  })

  it('answers a token that the Authorization header carries as it is', async () => {
    const { send, service } = setUp()
    const { body } = await send<{ token: string }>('POST /auth/login', credentials)
    const mine = sender(service.fetch, baseUrl, body.token)
    expect((await mine('GET /users/@me/relationships')).status).toBe(200)
    const bearer = sender(service.fetch, baseUrl, `Bearer ${body.token}`)
    expect((await bearer('GET /users/@me/relationships')).status).toBe(401)
  })

  it('tells nobody whether the login or the password was wrong', async () => {
    const { send } = setUp()
    const wrongPassword = await send('POST /auth/login', { ...credentials, password: 'wrong password' })
    const wrongLogin = await send('POST /auth/login', { ...credentials, login: 'nobody@example.com' })
    expect(wrongPassword.status).toBe(400)
    expect(problems(wrongPassword.body)).toEqual(['login: INVALID_LOGIN', 'password: INVALID_LOGIN'])
    expect(wrongLogin.body).toEqual(wrongPassword.body)
  })

  it('takes passwords of 8 to 72 characters', async () => {
    const { send } = setUp()
    const codes = async (length: number) =>
      problems((await send('POST /auth/login', { ...credentials, password: 'x'.repeat(length) })).body)
    expect(await codes(7)).toEqual(['password: TOO_SHORT'])
    expect(await codes(8)).toContain('password: INVALID_LOGIN')
    expect(await codes(72)).toContain('password: INVALID_LOGIN')
    expect(await codes(73)).toEqual(['password: TOO_LONG'])
  })

  it('takes only documented login sources, and null', async () => {
    const { send } = setUp()
    expect((await send('POST /auth/login', { ...credentials, login_source: 'gift' })).status).toBe(200)
    expect((await send('POST /auth/login', { ...credentials, login_source: null })).status).toBe(200)
    const { body } = await send('POST /auth/login', { ...credentials, login_source: 'elsewhere' })
    expect(problems(body)).toEqual(['login_source: INVALID_VALUE'])
  })

  it('lists what the policy requires of the user', async () => {
    const { send } = setUp({ policy: { requiredActions: () => ['update_password'] } })
    const { body } = await send('POST /auth/login', credentials)
    expect(body).toMatchObject({ required_actions: ['update_password'] })
  })
})

describe('an account with second factors', () => {
  const withFactors = () => {
    const { service, send, ...rest } = setUp()
    const mfa = ['totp', 'sms', 'backup', 'webauthn'] as const
    const user = service.users.create({ login: 'mfa@example.com', password, mfa, phone: '+15550100' })
    const login = () => send<Record<string, string>>('POST /auth/login', { login: 'mfa@example.com', password })
    return { service, send, user, login, ...rest }
  }

  it('is asked for one of those that it has', async () => {
    const { login, user } = withFactors()
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

  it('enters with a TOTP code of the service clock', async () => {
    const { login, send, service, user } = withFactors()
    const { ticket, login_instance_id } = (await login()).body
    const code = service.users.totp(user)
    const { status, body } = await send('POST /auth/mfa/totp', { ticket, login_instance_id, code })
    expect(status).toBe(200)
    expect(body).toEqual({ token: expect.any(String), user_settings: { locale: 'en-US', theme: 'dark' } })
  })

  it('may try again with the same ticket after a wrong code', async () => {
    const { login, send, service, user } = withFactors()
    const { ticket } = (await login()).body
    const wrong = await send('POST /auth/mfa/totp', { ticket, code: '000000' })
    expect(wrong.status).toBe(400)
    const { status } = await send('POST /auth/mfa/totp', { ticket, code: service.users.totp(user) })
    expect(status).toBe(200)
  })

  it('uses a ticket once', async () => {
    const { login, send, service, user } = withFactors()
    const answer = { ticket: (await login()).body.ticket, code: service.users.totp(user) }
    expect((await send('POST /auth/mfa/totp', answer)).status).toBe(200)
    expect((await send('POST /auth/mfa/totp', answer)).status).toBe(401)
  })

  it('has to start again when the ticket has expired', async () => {
    const { login, send, service, user } = withFactors()
    const { ticket } = (await login()).body
    service.clock.advance('299999ms')
    expect((await send('POST /auth/mfa/totp', { ticket, code: 'wrong' })).status).toBe(400)
    service.clock.advance(1)
    expect((await send('POST /auth/mfa/totp', { ticket, code: service.users.totp(user) })).status).toBe(401)
  })

  it('refuses a TOTP code that has gone by', async () => {
    const { login, send, service, user } = withFactors()
    const code = service.users.totp(user)
    service.clock.advance('90s')
    expect((await send('POST /auth/mfa/totp', { ticket: (await login()).body.ticket, code })).status).toBe(400)
  })

  it('uses each backup code once, as a backup code or in place of a TOTP code', async () => {
    const { login, send, service, user } = withFactors()
    const [first, second] = service.users.backupCodes(user)
    const use = async (type: string, code: string | undefined) =>
      (await send(`POST /auth/mfa/${type}`, { ticket: (await login()).body.ticket, code })).status
    expect(await use('backup', first)).toBe(200)
    expect(await use('backup', first)).toBe(400)
    expect(await use('totp', second)).toBe(200)
    expect(service.users.backupCodes(user)).toHaveLength(8)
  })

  it('enters with the code that was sent by SMS, of which the last one counts', async () => {
    const { login, send, service } = withFactors()
    const { ticket } = (await login()).body
    const { body } = await send('POST /auth/mfa/sms/send', { ticket })
    expect(body).toEqual({ phone: '+1***0100' })
    const { code: first } = service.sms.last('+15550100')
    await send('POST /auth/mfa/sms/send', { ticket })
    const { code: last } = service.sms.last('+15550100')
    expect((await send('POST /auth/mfa/sms', { ticket, code: first })).status).toBe(400)
    expect((await send('POST /auth/mfa/sms', { ticket, code: last })).status).toBe(200)
  })

  it('accepts no SMS code before one was sent', async () => {
    const { login, send } = withFactors()
    expect((await send('POST /auth/mfa/sms', { ticket: (await login()).body.ticket, code: '' })).status).toBe(400)
  })

  it('enters with a passkey that answers the challenge of this very login', async () => {
    const { login, send, service, user } = withFactors()
    const earlier = (await login()).body
    const { ticket, webauthn } = (await login()).body
    const stale = JSON.stringify(service.users.passkey(user, earlier.webauthn))
    expect((await send('POST /auth/mfa/webauthn', { ticket, code: stale })).status).toBe(400)
    const code = JSON.stringify(service.users.passkey(user, webauthn))
    expect((await send('POST /auth/mfa/webauthn', { ticket, code })).status).toBe(200)
  })

  it('refuses kinds that the account has not, and kinds that do not exist', async () => {
    const { login, send } = withFactors()
    const { ticket } = (await login()).body
    expect((await send('POST /auth/mfa/password', { ticket, code: password })).status).toBe(400)
    expect((await send('POST /auth/mfa/telepathy', { ticket, code: '1' })).status).toBe(400)
  })

  it('refuses the ticket of one login with the instance of another', async () => {
    const { login, send, service, user } = withFactors()
    const [one, two] = [(await login()).body, (await login()).body]
    const answer = { ticket: one.ticket, login_instance_id: two.login_instance_id, code: service.users.totp(user) }
    expect((await send('POST /auth/mfa/totp', answer)).status).toBe(401)
  })
})

describe('an account that may not be entered', () => {
  it('answers 20013 when disabled, and is restored with undelete', async () => {
    const { send, service, ada } = setUp()
    service.users.disable(ada)
    const { body } = await send('POST /auth/login', credentials)
    expect(body).toMatchObject({ code: 20013, message: expect.any(String) })
    expect(await send('POST /auth/login', { ...credentials, undelete: false })).toMatchObject({ body: { code: 20013 } })
    expect((await send('POST /auth/login', { ...credentials, undelete: true })).body).toHaveProperty('token')
    expect((await send('POST /auth/login', credentials)).body).toHaveProperty('token')
    expect(service.users.get(ada).status).toBe('active')
  })

  it('answers 20011 when marked for deletion, and is restored after the second factor', async () => {
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

  it('needs the right password before it tells that it is disabled', async () => {
    const { send, service, ada } = setUp()
    service.users.disable(ada)
    const { body } = await send('POST /auth/login', { ...credentials, password: 'wrong password', undelete: true })
    expect(problems(body)).toContain('login: INVALID_LOGIN')
    expect(service.users.get(ada).status).toBe('disabled')
  })

  it('loses its tokens when suspended; the suspended token is no Authorization', async () => {
    const { send, service, ada } = setUp()
    const token = service.token(ada)
    const suspended = service.users.suspend(ada)
    for (const used of [token, suspended]) {
      expect((await sender(service.fetch, baseUrl, used)('GET /users/@me/relationships')).status).toBe(401)
    }
    expect((await send('POST /auth/login', { ...credentials, undelete: true })).status).toBe(403)
  })

  it('takes a password reset when locked', async () => {
    const { send, service, ada } = setUp()
    service.users.lock(ada)
    expect(problems((await send('POST /auth/login', credentials)).body)).toEqual(['login: PASSWORD_RESET_REQUIRED'])
    await send('POST /auth/forgot', { login: 'ada@example.com' })
    const { token } = service.mail.last('ada@example.com')
    expect((await send('POST /auth/reset', { token, password: 'a new password' })).body).toHaveProperty('token')
  })
})

describe('Authorize IP Address', () => {
  it('lets an account be entered from an address that the policy wants verified', async () => {
    const { send, service } = setUp({ policy: { verifyNewLocation: () => true } })
    const refused = await send('POST /auth/login', credentials)
    expect(problems(refused.body)).toEqual(['login: ACCOUNT_LOGIN_VERIFICATION_EMAIL'])
    const { token } = service.mail.last('ada@example.com')
    expect((await send('POST /auth/authorize-ip', { token })).status).toBe(204)
    expect((await send('POST /auth/login', credentials)).body).toHaveProperty('token')
    const elsewhere = sender(service.fetchFrom('203.0.113.9'), baseUrl)
    expect((await elsewhere('POST /auth/login', credentials)).status).toBe(400)
  })

  it('takes a token once, and none that has expired or that nobody issued', async () => {
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
