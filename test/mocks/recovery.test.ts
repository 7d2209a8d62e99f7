import { describe, expect, it } from 'vitest'
import { baseUrl, password, problems, sender, setUp } from './calls'

const login = 'ada@example.com'
const fresh = 'a brand new password'

describe('Forgot Password', () => {
  it('mails a reset token, and a one-time login token to accounts without a second factor', async () => {
    const { send, service } = setUp()
    expect((await send('POST /auth/forgot', { login })).body).toEqual({ method: 'one_time_login' })
    expect(service.mail.last(login)).toMatchObject({
      kind: 'password_reset',
      token: expect.any(String),
      ticket: expect.any(String),
    })
  })

  it('mails a reset token alone where a second factor is set up', async () => {
    const { send, service } = setUp()
    service.users.create({ login: 'mfa@example.com', password, mfa: ['totp'] })
    expect((await send('POST /auth/forgot', { login: 'mfa@example.com' })).body).toEqual({ method: 'password_reset' })
    expect(service.mail.last('mfa@example.com')).not.toHaveProperty('ticket')
  })

  it('sends the reset token by SMS to who asks by phone number', async () => {
    const { send, service } = setUp()
    service.users.create({ login: '+15550100', password })
    expect((await send('POST /auth/forgot', { login: '+15550100' })).body).toEqual({ method: 'password_reset' })
    expect(service.sms.last('+15550100', 'password_reset').token).toEqual(expect.any(String))
  })

  it('tells listeners of each message before the call is answered, until they are taken back', async () => {
    const { send, service } = setUp()
    service.users.create({ login: '+15550100', password })
    const heard: string[] = []
    const stop = service.mail.onSent(({ to, kind }) => heard.push(`mail ${to} ${kind}`))
    service.sms.onSent(({ to, kind }) => heard.push(`SMS ${to} ${kind}`))
    await send('POST /auth/forgot', { login })
    await send('POST /auth/forgot', { login: '+15550100' })
    expect(heard).toEqual([`mail ${login} password_reset`, 'SMS +15550100 password_reset'])
    stop()
    service.restore(service.snapshot())
    await send('POST /auth/forgot', { login })
    await send('POST /auth/forgot', { login: '+15550100' })
    expect(heard.slice(2)).toEqual(['SMS +15550100 password_reset'])
  })

  it('does not tell that an account is unknown', async () => {
    const { send, service } = setUp()
    expect((await send('POST /auth/forgot', { login: 'nobody@example.com' })).status).toBe(200)
    expect(() => service.mail.last('nobody@example.com')).toThrow('no mail was sent to nobody@example.com')
  })
})

describe('Reset Password', () => {
  const forgotten = async () => {
    const { send, service, ...rest } = setUp()
    await send('POST /auth/forgot', { login })
    const { token, ticket = '' } = service.mail.last(login, 'password_reset')
    return { send, service, token, ticket, ...rest }
  }

  it('sets the password, signs in and ends the other sessions', async () => {
    const { send, service, ada, token } = await forgotten()
    const old = service.token(ada)
    const { body } = await send<{ token: string }>('POST /auth/reset', { token, password: fresh, source: '/login' })
    expect(body).toEqual({ token: expect.any(String) })
    expect((await sender(service.fetch, baseUrl, body.token)('GET /auth/sessions')).status).toBe(200)
    expect((await sender(service.fetch, baseUrl, old)('GET /auth/sessions')).status).toBe(401)
    expect((await send('POST /auth/login', { login, password })).status).toBe(400)
    expect((await send('POST /auth/login', { login, password: fresh })).status).toBe(200)
  })

  it('leaves the other sessions where the policy says so', async () => {
    const { service, send, ada } = setUp({ policy: { resetEndsSessions: false } })
    const old = service.token(ada)
    await send('POST /auth/forgot', { login })
    await send('POST /auth/reset', { token: service.mail.last(login).token, password: fresh })
    expect((await sender(service.fetch, baseUrl, old)('GET /auth/sessions')).status).toBe(200)
  })

  it('takes a token once and while it lives', async () => {
    const { send, service, token } = await forgotten()
    expect((await send('POST /auth/reset', { token, password: fresh })).status).toBe(200)
    expect(problems((await send('POST /auth/reset', { token, password: fresh })).body)).toEqual([
      'token: INVALID_TOKEN',
    ])
    await send('POST /auth/forgot', { login })
    service.clock.advance('1h')
    const late = { token: service.mail.last(login).token, password: fresh }
    expect(problems((await send('POST /auth/reset', late)).body)).toEqual(['token: INVALID_TOKEN'])
  })

  it('takes passwords of 8 to 72 characters', async () => {
    const { send, token } = await forgotten()
    const codes = async (given: string) => problems((await send('POST /auth/reset', { token, password: given })).body)
    expect(await codes('x'.repeat(7))).toEqual(['password: TOO_SHORT'])
    expect(await codes('x'.repeat(73))).toEqual(['password: TOO_LONG'])
    expect(await codes('xy'.repeat(36))).toEqual([])
  })

  it('asks for the second factor before it changes anything', async () => {
    const { send, service } = setUp()
    const mfa = ['totp', 'backup', 'sms'] as const
    const user = service.users.create({ login: 'mfa@example.com', password, mfa, phone: '+15550100' })
    await send('POST /auth/forgot', { login: 'mfa@example.com' })
    const { token } = service.mail.last('mfa@example.com')
    const first = await send<{ ticket: string }>('POST /auth/reset', { token, password: fresh })
    expect(first.body).toEqual({
      user_id: user.id,
      mfa: true,
      ticket: expect.any(String),
      totp: true,
      sms: true,
      backup: true,
      webauthn: null,
    })
    expect((await send('POST /auth/login', { login: 'mfa@example.com', password })).status).toBe(200)

    const answer = { token, password: fresh, ticket: first.body.ticket }
    const wrong = await send('POST /auth/reset', { ...answer, method: 'totp', code: '000000' })
    expect(wrong.status).toBe(400)
    await send('POST /auth/mfa/sms/send', { ticket: first.body.ticket })
    const { code } = service.sms.last('+15550100', 'mfa')
    const done = await send('POST /auth/reset', { ...answer, method: 'sms', code })
    expect(done.body).toEqual({ token: expect.any(String) })
    expect((await send('POST /auth/login', { login: 'mfa@example.com', password })).status).toBe(400)
  })

  it('ties the ticket of the second factor to the reset token', async () => {
    const { send, service } = setUp()
    const user = service.users.create({ login: 'mfa@example.com', password, mfa: ['totp'] })
    const tokens: (string | undefined)[] = []
    for (let count = 0; count < 2; count++) {
      await send('POST /auth/forgot', { login: 'mfa@example.com' })
      tokens.push(service.mail.last('mfa@example.com').token)
    }
    const [one, two] = tokens
    const { ticket } = (await send('POST /auth/reset', { token: one, password: fresh })).body
    const answer = { password: fresh, ticket, method: 'totp', code: service.users.totp(user) }
    expect((await send('POST /auth/reset', { ...answer, token: two })).status).toBe(401)
    expect((await send('POST /auth/reset', { ...answer, token: one })).status).toBe(200)
  })

  it('can be skipped with the one-time login token, once and while it lives', async () => {
    const { send, service, ticket } = await forgotten()
    expect((await send('POST /auth/one-time-login', { ticket })).body).toEqual({ token: expect.any(String) })
    expect((await send('POST /auth/one-time-login', { ticket })).status).toBe(400)
    await send('POST /auth/forgot', { login })
    service.clock.advance('15m')
    expect(
      (await send('POST /auth/one-time-login', { ticket: service.mail.last(login, 'password_reset').ticket })).status,
    ).toBe(400)
  })

  it('ends older reset and one-time login tokens of an account with its reset, and no one else’s', async () => {
    const { send, service, token, ticket } = await forgotten()
    await send('POST /auth/forgot', { login })
    const newer = service.mail.last(login, 'password_reset')
    await send('POST /auth/forgot', { login: 'grace@example.com' })
    const hers = service.mail.last('grace@example.com', 'password_reset')
    expect((await send('POST /auth/reset', { token: newer.token, password: fresh })).status).toBe(200)

    expect(problems((await send('POST /auth/reset', { token, password })).body)).toEqual(['token: INVALID_TOKEN'])
    for (const old of [ticket, newer.ticket]) {
      const { body } = await send('POST /auth/one-time-login', { ticket: old })
      expect(problems(body)).toEqual(['ticket: INVALID_TOKEN'])
    }
    expect((await send('POST /auth/reset', { token: hers.token, password: fresh })).status).toBe(200)
  })

  it('ends with a reset the logins that the old password began, and other resets that wait for a second factor', async () => {
    const { send, service } = setUp()
    const user = service.users.create({ login: 'mfa@example.com', password, mfa: ['totp'] })
    const begun = (await send('POST /auth/login', { login: 'mfa@example.com', password })).body
    const reset = async () => {
      await send('POST /auth/forgot', { login: 'mfa@example.com' })
      const { token } = service.mail.last('mfa@example.com')
      const { ticket } = (await send('POST /auth/reset', { token, password: fresh })).body
      return { token, ticket, password: fresh, method: 'totp', code: service.users.totp(user) }
    }
    const [older, newer] = [await reset(), await reset()]
    expect((await send('POST /auth/reset', newer)).status).toBe(200)
    expect((await send('POST /auth/reset', older)).status).toBe(400)
    const { status } = await send('POST /auth/mfa/totp', { ticket: begun.ticket, code: newer.code })
    expect(status).toBe(401)
  })

  it('ends handoffs with a reset that ends the sessions', async () => {
    for (const resetEndsSessions of [true, false]) {
      const { send, service, ada } = setUp({ policy: { resetEndsSessions } })
      const { body } = await sender(service.fetch, baseUrl, service.token(ada))('POST /auth/handoff', { key: 'k' })
      await send('POST /auth/forgot', { login })
      await send('POST /auth/reset', { token: service.mail.last(login).token, password: fresh })
      const { status } = await send('POST /auth/handoff/exchange', { key: 'k', ...body })
      expect(status).toBe(resetEndsSessions ? 400 : 200)
    }
  })

  it('keeps the revert token after a reset, so that the owner can take the account back', async () => {
    const { send, service, ada } = setUp()
    service.users.changeEmail(ada, 'thief@example.com')
    const { token } = service.mail.last(login, 'account_recovery')
    await send('POST /auth/forgot', { login: 'thief@example.com' })
    await send('POST /auth/reset', { token: service.mail.last('thief@example.com').token, password: fresh })
    expect((await send('POST /auth/revert', { token, password })).status).toBe(200)
  })

  it('refuses reset tokens that were sent to an address or number which the account no longer has', async () => {
    const { send, service, ada, token, ticket } = await forgotten()
    service.users.changeEmail(ada, 'ada@example.org')
    expect((await send('POST /auth/reset', { token, password: fresh })).status).toBe(400)
    expect((await send('POST /auth/one-time-login', { ticket })).status).toBe(400)
    service.users.changePhone(ada, '+15550100')
    await send('POST /auth/forgot', { login: '+15550100' })
    service.users.changePhone(ada, '+15550111')
    const late = { token: service.sms.last('+15550100', 'password_reset').token, password: fresh }
    expect((await send('POST /auth/reset', late)).status).toBe(400)
  })

  it('does not take the token of one purpose for another', async () => {
    const { send, token, ticket } = await forgotten()
    expect((await send('POST /auth/one-time-login', { ticket: token })).status).toBe(400)
    expect((await send('POST /auth/reset', { token: ticket, password: fresh })).status).toBe(400)
  })
})

describe('Revert Account', () => {
  const takenOver = () => {
    const world = setUp()
    const { service } = world
    const mfa = ['totp', 'backup', 'webauthn'] as const
    const user = service.users.create({ login: 'owner@example.com', password, mfa, phone: '+15550100' })
    const sessionToken = service.token(user)
    service.users.changePhone(user, '+15550111')
    service.users.changeEmail(user, 'thief@example.com')
    const { token } = service.mail.last('owner@example.com')
    const revert = (by = token) => world.send('POST /auth/revert', { token: by, password: 'x' })
    return { ...world, user, token, sessionToken, revert }
  }

  it('restores the e-mail address, sets the password and removes every second factor', async () => {
    const { send, service, user, revert } = takenOver()
    expect(await revert()).toMatchObject({ status: 200, body: { email: 'owner@example.com' } })
    expect(service.users.get(user)).toMatchObject({ email: 'owner@example.com', phone: null, mfa: [] })
    expect(service.users.backupCodes(user)).toEqual([])
    expect(service.users.find('thief@example.com')).toBeUndefined()
    // The document bounds the new password at login, not here.
    expect((await send('POST /auth/login', { login: 'owner@example.com', password })).status).toBe(400)
  })

  it('lets the owner in with the new password alone', async () => {
    const { send, token } = takenOver()
    await send('POST /auth/revert', { token, password: fresh })
    const { body } = await send('POST /auth/login', { login: 'owner@example.com', password: fresh })
    expect(body).toHaveProperty('token')
  })

  it('invalidates every token of the account, whatever it is for', async () => {
    const { send, service, user, sessionToken, revert } = takenOver()
    const application = service.applications.create({ owner: user })
    const used = [sessionToken, service.token(user), service.token(user, { oauth2: application })]
    await send('POST /auth/forgot', { login: 'thief@example.com' })
    const reset = service.mail.last('thief@example.com').token
    const handoff = await sender(service.fetch, baseUrl, sessionToken)('POST /auth/handoff', { key: 'k' })
    await revert()
    for (const token of used) {
      expect((await sender(service.fetch, baseUrl, token)('GET /auth/sessions')).status).toBe(401)
    }
    expect((await send('POST /auth/reset', { token: reset, password: fresh })).status).toBe(400)
    expect((await send('POST /auth/handoff/exchange', { key: 'k', ...handoff.body })).status).toBe(400)
  })

  it('blacklists every phone number that was ever tied to the account', async () => {
    const { send, service, revert } = takenOver()
    await revert()
    for (const phone of ['+15550100', '+15550111']) {
      expect(problems((await send('POST /auth/register/phone', { phone })).body)).toEqual(['phone: PHONE_NOT_ALLOWED'])
      const phone_token = service.users.phoneToken(phone)
      const { body } = await send('POST /auth/register', { username: 'new', phone_token })
      expect(problems(body)).toEqual(['phone_token: PHONE_NOT_ALLOWED'])
    }
  })

  it('takes its token once', async () => {
    const { revert } = takenOver()
    expect((await revert()).status).toBe(200)
    expect((await revert()).status).toBe(400)
  })

  it('takes its token for 2 days', async () => {
    const { service, revert } = takenOver()
    service.clock.advance('2d')
    expect(problems((await revert()).body)).toEqual(['token: INVALID_TOKEN'])
    const inTime = takenOver()
    inTime.service.clock.advance(2 * 86_400_000 - 1)
    expect((await inTime.revert()).status).toBe(200)
  })

  it('leaves no later revert token to whoever took the account over', async () => {
    const { service, user, token, revert } = takenOver()
    service.clock.advance('1m')
    service.users.changeEmail(user, 'thief2@example.com')
    const { token: thiefs } = service.mail.last('thief@example.com')
    expect((await revert(token)).status).toBe(200)
    expect((await revert(thiefs)).status).toBe(400)
  })
})
