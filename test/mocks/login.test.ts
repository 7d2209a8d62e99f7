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
