import { describe, expect, it } from 'vitest'
import { password, problems, setUp } from './set-up'

const email = 'linus@example.com'

describe('Register Account', () => {
  it('returns a token, and the account can log in', async () => {
    const { send, service } = setUp()
    const { status, body } = await send('POST /auth/register', { username: 'linus', email, password })
    expect(status).toBe(200)
    expect(body).toEqual({ token: expect.any(String) })
    expect(service.users.find(email)).toMatchObject({ username: 'linus', email, mfa: [] })
    expect((await send('POST /auth/login', { login: email, password })).body).toHaveProperty('token')
  })

  it('registration requires a username or a global name, from which it derives a username', async () => {
    const { send, service } = setUp()
    expect(problems((await send('POST /auth/register', { email })).body)).toEqual(['username: REQUIRED'])
    expect((await send('POST /auth/register', { email, global_name: null })).status).toBe(400)
    expect((await send('POST /auth/register', { email, global_name: 'Líñus T.' })).status).toBe(200)
    expect(service.users.find(email)).toMatchObject({ username: 'linust.', global_name: 'Líñus T.' })
  })

  it('usernames and e-mail addresses are unique and case-insensitive', async () => {
    const { send } = setUp()
    const { status, body } = await send('POST /auth/register', { username: 'ADA', email: 'Ada@Example.com', password })
    expect(status).toBe(400)
    expect(problems(body)).toEqual(['username: USERNAME_ALREADY_TAKEN', 'email: EMAIL_ALREADY_REGISTERED'])
  })

  it.each(['', ' ', '\u200b\t', 'ada\ud800'])(
    'registration refuses the username %j, which nobody can read',
    async (username) => {
      const { send } = setUp()
      const { status, body } = await send('POST /auth/register', { username, consent: true })
      expect([status, ...problems(body)]).toEqual([400, 'username: USERNAME_INVALID'])
    },
  )

  it.each(['linus', 'linus@', 'li nus@example.com', 'linus\ud800@example.com'])(
    'registration refuses the e-mail address %j, which is none',
    async (address) => {
      const { send } = setUp()
      const { status, body } = await send('POST /auth/register', { username: 'linus', email: address })
      expect([status, ...problems(body)]).toEqual([400, 'email: EMAIL_INVALID'])
    },
  )

  it('registration accepts passwords of 8 to 72 characters that the policy accepts', async () => {
    const { send } = setUp()
    const codes = async (candidate: string) =>
      problems((await send('POST /auth/register', { username: `u${candidate.length}`, password: candidate })).body)
    expect(await codes('abcdefg')).toEqual(['password: TOO_SHORT'])
    expect(await codes('abcdefgh')).toEqual([])
    expect(await codes('ab'.repeat(36))).toEqual([])
    expect(await codes('x'.repeat(73))).toEqual(['password: TOO_LONG'])
    expect(await codes('aaaaaaaaa')).toEqual(['password: PASSWORD_DOES_NOT_MEET_REQUIREMENTS'])
  })

  it('gives the account the ID of its fingerprint, which can be used once', async () => {
    const { send, service } = setUp()
    const fingerprint = service.fingerprint()
    const [id] = fingerprint.split('.')
    expect((await send('POST /auth/register', { username: 'linus', email, fingerprint })).status).toBe(200)
    expect(service.users.find(email)?.id).toBe(id)
    const again = await send('POST /auth/register', { username: 'other', fingerprint })
    expect(problems(again.body)).toEqual(['fingerprint: FINGERPRINT_ALREADY_USED'])
  })

  it('registration accepts the fingerprint as a header', async () => {
    const { send, service } = setUp()
    const fingerprint = service.fingerprint()
    await send('POST /auth/register', { username: 'linus', email }, { 'x-fingerprint': fingerprint })
    expect(service.users.find(email)?.id).toBe(fingerprint.split('.')[0])
  })

  it('registration with an invite returns whether the guild has a verification form', async () => {
    const { send } = setUp()
    const { body } = await send('POST /auth/register', { username: 'linus', email, invite: 'plain' })
    expect(body).toMatchObject({ show_verification_form: false })
  })

  it('registration requires consent and the promotional e-mail choice if the location metadata says so', async () => {
    const { send } = setUp({
      policy: {
        locationMetadata: () => ({
          country_code: 'DE',
          consent_required: true,
          promotional_email_opt_in: { required: true, pre_checked: false },
        }),
      },
    })
    expect((await send('GET /auth/location-metadata')).body).toEqual({
      country_code: 'DE',
      consent_required: true,
      promotional_email_opt_in: { required: true, pre_checked: false },
    })
    const codes = async (more: object) =>
      problems((await send('POST /auth/register', { username: 'linus', ...more })).body)
    const missing = ['consent: CONSENT_REQUIRED', 'promotional_email_opt_in: PROMOTIONAL_EMAIL_OPT_IN_REQUIRED']
    expect(await codes({})).toEqual(missing)
    expect(await codes({ consent: false, promotional_email_opt_in: true })).toEqual(['consent: CONSENT_REQUIRED'])
    expect(await codes({ consent: true, promotional_email_opt_in: false })).toEqual([])
  })

  it('date_of_birth must be a calendar date', async () => {
    const { send } = setUp()
    const codes = async (date_of_birth: unknown, username: string) =>
      problems((await send('POST /auth/register', { username, date_of_birth })).body)
    expect(await codes('2001-02-28', 'one')).toEqual([])
    expect(await codes('2001-02-29', 'two')).toEqual(['date_of_birth: INVALID_FORMAT'])
    expect(await codes(20010228, 'three')).toEqual(['date_of_birth: INVALID_TYPE'])
  })
})

describe('registration by phone', () => {
  const phone = '+15550199'

  it('uses an SMS code and a phone token', async () => {
    const { send, service } = setUp()
    expect(await send('POST /auth/register/phone', { phone })).toMatchObject({ status: 204, body: undefined })
    const { code } = service.sms.last(phone, 'phone_verification')
    expect(code).toMatch(/^\d{6}$/)
    const phone_token = service.users.phoneToken(phone, code)
    expect((await send('POST /auth/register', { username: 'linus', phone_token, password })).status).toBe(200)
    expect((await send('POST /auth/login', { login: phone, password })).body).toHaveProperty('token')
  })

  it('users.phoneToken() rejects a wrong, used or expired code', async () => {
    const { send, service } = setUp()
    await send('POST /auth/register/phone', { phone })
    const { code } = service.sms.last(phone, 'phone_verification')
    expect(() => service.users.phoneToken(phone, 'wrong')).toThrow('not the current code')
    service.users.phoneToken(phone, code)
    expect(() => service.users.phoneToken(phone, code)).toThrow('not the current code')
    await send('POST /auth/register/phone', { phone })
    service.clock.advance('10m')
    expect(() => service.users.phoneToken(phone, service.sms.last(phone, 'phone_verification').code)).toThrow(
      'not the current code',
    )
  })

  it('accepts a phone token once, within an hour, for an unregistered number', async () => {
    const { send, service } = setUp()
    const register = async (username: string, phone_token: string) =>
      problems((await send('POST /auth/register', { username, phone_token })).body)
    const token = service.users.phoneToken(phone)
    expect(await register('one', token)).toEqual([])
    expect(await register('two', token)).toEqual(['phone_token: INVALID_TOKEN'])
    expect(await register('two', service.users.phoneToken(phone))).toEqual(['phone_token: PHONE_ALREADY_REGISTERED'])
    const late = service.users.phoneToken('+15550198')
    service.clock.advance('1h')
    expect(await register('two', late)).toEqual(['phone_token: INVALID_TOKEN'])
  })

  it('accepts only numbers in E.164 format', async () => {
    const { send } = setUp()
    for (const invalid of ['5550199', '+0555', '+1 555 0199', '', `+1${'5'.repeat(15)}`]) {
      expect(problems((await send('POST /auth/register/phone', { phone: invalid })).body)).toEqual([
        'phone: INVALID_FORMAT',
      ])
    }
  })
})

describe('helpers of a registration form', () => {
  it('Validate Password returns a strength from 0 to 4 and whether the password is valid', async () => {
    const { send } = setUp()
    const validate = async (candidate: string) =>
      (await send('POST /auth/password/validate', { password: candidate })).body
    expect(await validate('aaaaaaaa')).toEqual({ valid: false, password_strength: 0 })
    expect(await validate('abcdefgh')).toEqual({ valid: true, password_strength: 0 })
    expect(await validate('Correct horse 7 battery')).toEqual({ valid: true, password_strength: 4 })
    expect(problems(await validate('abcdefg'))).toEqual(['password: TOO_SHORT'])
    expect(problems(await validate('x'.repeat(73)))).toEqual(['password: TOO_LONG'])
  })

  it('username suggestions are free and resemble the display name', async () => {
    const { send } = setUp()
    const path = 'GET /unique-username/username-suggestions-unauthed' as const
    expect((await send(`${path}?global_name=Barbara%20L.`)).body).toEqual({ username: 'barbaral.' })
    expect((await send(`${path}?global_name=Ada`)).body).toEqual({ username: expect.stringMatching(/^ada\d{4}$/) })
    expect((await send(`${path}?global_name=123`)).body).toEqual({ username: '123' })
  })

  it('username suggestions without a display name are two words, with a number once they are taken', async () => {
    const { service } = setUp()
    const accounts = Array.from({ length: 200 }, (_, index) => service.users.create({ login: `${index}@example.com` }))
    const names = accounts.map(({ username }) => username)
    const words = new Set(names.flatMap((name) => name.replace(/\d{4}$/, '').split('_')))
    expect(names.every((name) => /^[a-z]{4,}_[a-z]{5,}(?:\d{4})?$/.test(name))).toBe(true)
    expect(new Set(names).size).toBe(200)
    expect(words.size).toBeGreaterThan(15)
  })

  it('a username attempt returns whether the username is taken', async () => {
    const { send } = setUp()
    const path = 'POST /unique-username/username-attempt-unauthed' as const
    expect((await send(path, { username: 'Ada' })).body).toEqual({ taken: true })
    expect((await send(path, { username: 'nobody' })).body).toEqual({ taken: false })
  })
})
