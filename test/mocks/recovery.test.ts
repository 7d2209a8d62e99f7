import { describe, expect, it } from 'vitest'
import { baseUrl, password, problems, sender, setUp } from './set-up'

const login = 'ada@example.com'
const fresh = 'a brand new password'

describe('Forgot Password', () => {
  it('mails a reset token and a one-time login token if there is no second factor', async () => {
    const { send, service } = setUp()
    expect((await send('POST /auth/forgot', { login })).body).toEqual({ method: 'one_time_login' })
    expect(service.mail.last(login)).toMatchObject({
      kind: 'password_reset',
      token: expect.any(String),
      ticket: expect.any(String),
    })
  })

  it('mails only a reset token if there is a second factor', async () => {
    const { send, service } = setUp()
    service.users.create({ login: 'mfa@example.com', password, mfa: ['totp'] })
    expect((await send('POST /auth/forgot', { login: 'mfa@example.com' })).body).toEqual({ method: 'password_reset' })
    expect(service.mail.last('mfa@example.com')).not.toHaveProperty('ticket')
  })

  it('sends the reset token by SMS for a phone number', async () => {
    const { send, service } = setUp()
    service.users.create({ login: '+15550100', password })
    expect((await send('POST /auth/forgot', { login: '+15550100' })).body).toEqual({ method: 'password_reset' })
    expect(service.sms.last('+15550100', 'password_reset').token).toEqual(expect.any(String))
  })

  it('onEvent() listeners receive messages before the response until they are removed', async () => {
    const { send, service } = setUp()
    service.users.create({ login: '+15550100', password })
    const messages: string[] = []
    const listenTo = (type: 'mail' | 'sms') =>
      service.onEvent((event) => {
        if (event.type === type) messages.push(`${type} ${event.message.to} ${event.message.kind}`)
      })
    const removeListener = listenTo('mail')
    listenTo('sms')
    await send('POST /auth/forgot', { login })
    await send('POST /auth/forgot', { login: '+15550100' })
    expect(messages).toEqual([`mail ${login} password_reset`, 'sms +15550100 password_reset'])
    removeListener()
    service.restore(service.snapshot())
    await send('POST /auth/forgot', { login })
    await send('POST /auth/forgot', { login: '+15550100' })
    expect(messages.slice(2)).toEqual(['sms +15550100 password_reset'])
  })

  it('responds to an unknown login as to an account without a second factor', async () => {
    const { send, service } = setUp()
    service.users.create({ login: '+15550100', password })
    const forgot = async (login: string) => (await send('POST /auth/forgot', { login })).body
    expect(await forgot('nobody@example.com')).toEqual(await forgot(login))
    expect(await forgot('+15550199')).toEqual(await forgot('+15550100'))
    expect(() => service.mail.last('nobody@example.com')).toThrow('no mail was sent to nobody@example.com')
    expect(() => service.sms.last('+15550199')).toThrow('no SMS was sent to +15550199')
  })
})

describe('Reset Password', () => {
  const setUpReset = async () => {
    const { send, service, ...rest } = setUp()
    await send('POST /auth/forgot', { login })
    const { token, ticket = '' } = service.mail.last(login, 'password_reset')
    return { send, service, token, ticket, ...rest }
  }

  it('sets the password, signs in and ends the other sessions', async () => {
    const { send, service, ada, token } = await setUpReset()
    const old = service.token(ada)
    const { body } = await send<{ token: string }>('POST /auth/reset', { token, password: fresh, source: '/login' })
    expect(body).toEqual({ token: expect.any(String) })
    expect((await sender(service.fetch, baseUrl, body.token)('GET /auth/sessions')).status).toBe(200)
    expect((await sender(service.fetch, baseUrl, old)('GET /auth/sessions')).status).toBe(401)
    expect((await send('POST /auth/login', { login, password })).status).toBe(400)
    expect((await send('POST /auth/login', { login, password: fresh })).status).toBe(200)
  })

  it('keeps the other sessions if the policy says so', async () => {
    const { service, send, ada } = setUp({ policy: { resetEndsSessions: false } })
    const old = service.token(ada)
    await send('POST /auth/forgot', { login })
    await send('POST /auth/reset', { token: service.mail.last(login).token, password: fresh })
    expect((await sender(service.fetch, baseUrl, old)('GET /auth/sessions')).status).toBe(200)
  })

  it('a reset token can be used once and expires after an hour', async () => {
    const { send, service, token } = await setUpReset()
    expect((await send('POST /auth/reset', { token, password: fresh })).status).toBe(200)
    expect(problems((await send('POST /auth/reset', { token, password: fresh })).body)).toEqual([
      'token: INVALID_TOKEN',
    ])
    await send('POST /auth/forgot', { login })
    service.clock.advance('1h')
    const late = { token: service.mail.last(login).token, password: fresh }
    expect(problems((await send('POST /auth/reset', late)).body)).toEqual(['token: INVALID_TOKEN'])
  })

  it('accepts passwords of 8 to 72 characters', async () => {
    const { send, token } = await setUpReset()
    const codes = async (newPassword: string) =>
      problems((await send('POST /auth/reset', { token, password: newPassword })).body)
    expect(await codes('x'.repeat(7))).toEqual(['password: TOO_SHORT'])
    expect(await codes('x'.repeat(73))).toEqual(['password: TOO_LONG'])
    expect(await codes('xy'.repeat(36))).toEqual([])
  })

  it('rejects a password that the policy rejects, and keeps the old one', async () => {
    const { send, service } = setUp({ policy: { password: { minLength: 72 } } })
    await send('POST /auth/forgot', { login })
    const { token } = service.mail.last(login, 'password_reset')
    const { status, body } = await send('POST /auth/reset', { token, password: fresh })
    expect(status).toBe(400)
    expect(problems(body)).toEqual(['password: PASSWORD_DOES_NOT_MEET_REQUIREMENTS'])
    expect((await send('POST /auth/login', { login, password })).status).toBe(200)
  })

  it('requires the second factor before it changes anything', async () => {
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

    const params = { token, password: fresh, ticket: first.body.ticket }
    const wrong = await send('POST /auth/reset', { ...params, method: 'totp', code: '000000' })
    expect(wrong.status).toBe(400)
    await send('POST /auth/mfa/sms/send', { ticket: first.body.ticket })
    const { code } = service.sms.last('+15550100', 'mfa')
    const done = await send('POST /auth/reset', { ...params, method: 'sms', code })
    expect(done.body).toEqual({ token: expect.any(String) })
    expect((await send('POST /auth/login', { login: 'mfa@example.com', password })).status).toBe(400)
  })

  it('the ticket of a reset is valid only with its reset token', async () => {
    const { send, service } = setUp()
    const user = service.users.create({ login: 'mfa@example.com', password, mfa: ['totp'] })
    const tokens: (string | undefined)[] = []
    for (let count = 0; count < 2; count++) {
      await send('POST /auth/forgot', { login: 'mfa@example.com' })
      tokens.push(service.mail.last('mfa@example.com').token)
    }
    const [one, two] = tokens
    const { ticket } = (await send('POST /auth/reset', { token: one, password: fresh })).body
    const params = { password: fresh, ticket, method: 'totp', code: service.users.totp(user) }
    expect((await send('POST /auth/reset', { ...params, token: two })).status).toBe(401)
    expect((await send('POST /auth/reset', { ...params, token: one })).status).toBe(200)
  })

  it('a one-time login token can be used once and expires after 15 minutes', async () => {
    const { send, service, ticket } = await setUpReset()
    expect((await send('POST /auth/one-time-login', { ticket })).body).toEqual({ token: expect.any(String) })
    expect((await send('POST /auth/one-time-login', { ticket })).status).toBe(400)
    await send('POST /auth/forgot', { login })
    service.clock.advance('15m')
    expect(
      (await send('POST /auth/one-time-login', { ticket: service.mail.last(login, 'password_reset').ticket })).status,
    ).toBe(400)
  })

  it('invalidates older reset and one-time login tokens of the account only', async () => {
    const { send, service, token, ticket } = await setUpReset()
    await send('POST /auth/forgot', { login })
    const newer = service.mail.last(login, 'password_reset')
    await send('POST /auth/forgot', { login: 'grace@example.com' })
    const asGrace = service.mail.last('grace@example.com', 'password_reset')
    expect((await send('POST /auth/reset', { token: newer.token, password: fresh })).status).toBe(200)

    expect(problems((await send('POST /auth/reset', { token, password })).body)).toEqual(['token: INVALID_TOKEN'])
    for (const old of [ticket, newer.ticket]) {
      const { body } = await send('POST /auth/one-time-login', { ticket: old })
      expect(problems(body)).toEqual(['ticket: INVALID_TOKEN'])
    }
    expect((await send('POST /auth/reset', { token: asGrace.token, password: fresh })).status).toBe(200)
  })

  it('ends pending logins and other pending resets of the account', async () => {
    const { send, service } = setUp()
    const user = service.users.create({ login: 'mfa@example.com', password, mfa: ['totp'] })
    const pending = (await send('POST /auth/login', { login: 'mfa@example.com', password })).body
    const reset = async () => {
      await send('POST /auth/forgot', { login: 'mfa@example.com' })
      const { token } = service.mail.last('mfa@example.com')
      const { ticket } = (await send('POST /auth/reset', { token, password: fresh })).body
      return { token, ticket, password: fresh, method: 'totp', code: service.users.totp(user) }
    }
    const [older, newer] = [await reset(), await reset()]
    expect((await send('POST /auth/reset', newer)).status).toBe(200)
    expect((await send('POST /auth/reset', older)).status).toBe(400)
    const { status } = await send('POST /auth/mfa/totp', { ticket: pending.ticket, code: newer.code })
    expect(status).toBe(401)
  })

  it('ends handoffs if it ends the sessions', async () => {
    for (const resetEndsSessions of [true, false]) {
      const { send, service, ada } = setUp({ policy: { resetEndsSessions } })
      const { body } = await sender(service.fetch, baseUrl, service.token(ada))('POST /auth/handoff', { key: 'k' })
      await send('POST /auth/forgot', { login })
      await send('POST /auth/reset', { token: service.mail.last(login).token, password: fresh })
      const { status } = await send('POST /auth/handoff/exchange', { key: 'k', ...body })
      expect(status).toBe(resetEndsSessions ? 400 : 200)
    }
  })

  it('keeps the revert token, so that the owner can recover the account', async () => {
    const { send, service, ada } = setUp()
    service.users.changeEmail(ada, 'thief@example.com')
    const { token } = service.mail.last(login, 'account_recovery')
    await send('POST /auth/forgot', { login: 'thief@example.com' })
    await send('POST /auth/reset', { token: service.mail.last('thief@example.com').token, password: fresh })
    expect((await send('POST /auth/revert', { token, password })).status).toBe(200)
  })

  it('a reset token is invalid once the account has another address or number', async () => {
    const { send, service, ada, token, ticket } = await setUpReset()
    service.users.changeEmail(ada, 'ada@example.org')
    expect((await send('POST /auth/reset', { token, password: fresh })).status).toBe(400)
    expect((await send('POST /auth/one-time-login', { ticket })).status).toBe(400)
    service.users.changePhone(ada, '+15550100')
    await send('POST /auth/forgot', { login: '+15550100' })
    service.users.changePhone(ada, '+15550111')
    const late = { token: service.sms.last('+15550100', 'password_reset').token, password: fresh }
    expect((await send('POST /auth/reset', late)).status).toBe(400)
  })

  it('a reset token and a one-time login token are not interchangeable', async () => {
    const { send, token, ticket } = await setUpReset()
    expect((await send('POST /auth/one-time-login', { ticket: token })).status).toBe(400)
    expect((await send('POST /auth/reset', { token: ticket, password: fresh })).status).toBe(400)
  })
})

describe('Revert Account', () => {
  const setUpTakenOver = () => {
    const setup = setUp()
    const { service } = setup
    const mfa = ['totp', 'backup', 'webauthn'] as const
    const user = service.users.create({ login: 'owner@example.com', password, mfa, phone: '+15550100' })
    const sessionToken = service.token(user)
    service.users.changePhone(user, '+15550111')
    service.users.changeEmail(user, 'thief@example.com')
    const { token } = service.mail.last('owner@example.com')
    const revert = (revertToken = token) => setup.send('POST /auth/revert', { token: revertToken, password: 'x' })
    return { ...setup, user, token, sessionToken, revert }
  }

  it('restores the e-mail address, sets the password and removes every second factor', async () => {
    const { send, service, user, revert } = setUpTakenOver()
    expect(await revert()).toMatchObject({ status: 200, body: { email: 'owner@example.com' } })
    expect(service.users.get(user)).toMatchObject({ email: 'owner@example.com', phone: null, mfa: [] })
    expect(service.users.backupCodes(user)).toEqual([])
    expect(service.users.find('thief@example.com')).toBeUndefined()
    // The API document limits the length of the new password at login, not here.
    expect((await send('POST /auth/login', { login: 'owner@example.com', password })).status).toBe(400)
  })

  it('the owner logs in with only the new password after Revert Account', async () => {
    const { send, token } = setUpTakenOver()
    await send('POST /auth/revert', { token, password: fresh })
    const { body } = await send('POST /auth/login', { login: 'owner@example.com', password: fresh })
    expect(body).toHaveProperty('token')
  })

  it('invalidates every token of the account', async () => {
    const { send, service, user, sessionToken, revert } = setUpTakenOver()
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

  it('blocks every phone number the account ever had', async () => {
    const { send, service, revert } = setUpTakenOver()
    await revert()
    for (const phone of ['+15550100', '+15550111']) {
      expect(problems((await send('POST /auth/register/phone', { phone })).body)).toEqual(['phone: PHONE_NOT_ALLOWED'])
      const phone_token = service.users.phoneToken(phone)
      const { body } = await send('POST /auth/register', { username: 'new', phone_token })
      expect(problems(body)).toEqual(['phone_token: PHONE_NOT_ALLOWED'])
    }
  })

  it('fails if another account has the address by now', async () => {
    const { service, user, revert } = setUpTakenOver()
    const other = service.users.create({ login: 'owner@example.com', password })
    const { status, body } = await revert()
    expect(status).toBe(400)
    expect(problems(body)).toEqual(['token: EMAIL_ALREADY_REGISTERED'])
    expect(service.users.get(user)).toMatchObject({ email: 'thief@example.com' })
    expect(service.users.get(other)).toMatchObject({ email: 'owner@example.com' })
  })

  it('a revert token can be used once', async () => {
    const { revert } = setUpTakenOver()
    expect((await revert()).status).toBe(200)
    expect((await revert()).status).toBe(400)
  })

  it('a revert token expires after 2 days', async () => {
    const { service, revert } = setUpTakenOver()
    service.clock.advance('2d')
    expect(problems((await revert()).body)).toEqual(['token: INVALID_TOKEN'])
    const inTime = setUpTakenOver()
    inTime.service.clock.advance(2 * 86_400_000 - 1)
    expect((await inTime.revert()).status).toBe(200)
  })

  it('invalidates later revert tokens', async () => {
    const { service, user, token, revert } = setUpTakenOver()
    service.clock.advance('1m')
    service.users.changeEmail(user, 'thief2@example.com')
    const { token: laterToken } = service.mail.last('thief@example.com')
    expect((await revert(token)).status).toBe(200)
    expect((await revert(laterToken)).status).toBe(400)
  })
})
