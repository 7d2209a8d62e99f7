import { describe, expect, it } from 'vitest'
import { password, setUp } from './calls'

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

  it('offers no backup code at login once all of them are spent', async () => {
    const { service, send, login, user } = withFactors()
    for (const code of service.users.backupCodes(user)) {
      await send('POST /auth/mfa/backup', { ticket: (await login()).body.ticket, code })
    }
    expect((await login()).body).toMatchObject({ mfa: true, totp: true, sms: true, backup: false })
  })

  it('signs in with the password alone if spent backup codes were the only factor', async () => {
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

  it('offers no SMS code at login once the phone number is gone', async () => {
    const { service, login, user } = withFactors()
    service.users.changePhone(user, null)
    expect((await login()).body).toMatchObject({ mfa: true, totp: true, sms: false })
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
    const { code: first } = service.sms.last('+15550100', 'mfa')
    await send('POST /auth/mfa/sms/send', { ticket })
    const { code: last } = service.sms.last('+15550100', 'mfa')
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

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'is not led astray by a kind called %s',
    async (type) => {
      const { login, send, as, user } = withFactors()
      const { ticket } = (await login()).body
      const unavailable = { status: 400, body: { code: 60002 } }
      expect(await send(`POST /auth/mfa/${type}`, { ticket, code: '1' })).toMatchObject(unavailable)
      const refused = await as(user)<{ mfa: { ticket: string } }>('POST /auth/sessions/logout', {
        session_id_hashes: ['x'],
      })
      const answer = { ticket: refused.body.mfa.ticket, mfa_type: type, data: '1' }
      expect(await send('POST /mfa/finish', answer)).toMatchObject(unavailable)
    },
  )

  it('refuses the ticket of one login with the instance of another', async () => {
    const { login, send, service, user } = withFactors()
    const [one, two] = [(await login()).body, (await login()).body]
    const answer = { ticket: one.ticket, login_instance_id: two.login_instance_id, code: service.users.totp(user) }
    expect((await send('POST /auth/mfa/totp', answer)).status).toBe(401)
  })
})
