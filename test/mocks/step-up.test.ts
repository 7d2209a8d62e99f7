import { describe, expect, it } from 'vitest'
import { baseUrl, password, sender, setUp } from './calls'

interface Required {
  code: number
  message: string
  mfa: { ticket: string; methods: { type: string; challenge?: string; backup_codes_allowed?: boolean }[] }
}

const header = 'X-Service-MFA-Authorization'
const nothing = { session_id_hashes: ['none'] }

function withFactor(mfa: readonly ('totp' | 'sms' | 'backup' | 'webauthn' | 'password')[] = ['totp', 'backup']) {
  const { service, send, ada } = setUp()
  const user = service.users.create({ login: 'mfa@example.com', username: 'mfa', password, mfa })
  const mine = sender(service.fetch, baseUrl, service.token(user))
  const ask = async (by = mine) => (await by<Required>('POST /auth/sessions/logout', nothing)).body
  const finish = async (mfa_type: string, data: unknown, by = mine) => {
    const { ticket } = (await ask()).mfa
    return by<{ token: string }>('POST /mfa/finish', { ticket, mfa_type, data })
  }
  const attempt = async (headers: Record<string, string>, by = mine) =>
    (await by('POST /auth/sessions/logout', nothing, headers)).status
  return { service, send, ada, user, mine, ask, finish, attempt }
}

describe('step-up', () => {
  it('answers 401 with code 60003, a ticket and the methods', async () => {
    const { mine } = withFactor()
    const { status, body } = await mine('POST /auth/sessions/logout', nothing)
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

  it('is asked of nobody without a factor', async () => {
    const { service, ada } = withFactor()
    const hers = sender(service.fetch, baseUrl, service.token(ada))
    expect((await hers('POST /auth/sessions/logout', nothing)).status).toBe(204)
  })

  it('passes with the verification JWT in the header', async () => {
    const { service, user, finish, attempt } = withFactor()
    const { body } = await finish('totp', service.users.totp(user))
    expect(body.token.split('.')).toHaveLength(3)
    expect(await attempt({ [header]: body.token })).toBe(204)
  })

  it('passes with the cookie that the verification set', async () => {
    const { service, user, finish, attempt } = withFactor()
    const { body, headers } = await finish('totp', service.users.totp(user))
    const cookie = headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(new RegExp(`^__Secure-recent_mfa=${body.token}; Max-Age=300; .*Secure; HttpOnly`))
    expect(await attempt({ cookie: `theme=dark; ${cookie.split(';')[0]}` })).toBe(204)
  })

  it('lasts for 5 minutes of the service clock', async () => {
    const { service, user, finish, attempt } = withFactor()
    const { body } = await finish('totp', service.users.totp(user))
    service.clock.advance('299999ms')
    expect(await attempt({ [header]: body.token })).toBe(204)
    service.clock.advance(1)
    expect(await attempt({ [header]: body.token })).toBe(401)
  })

  it('belongs to one session: another token of the same user does not profit', async () => {
    const { service, user, finish, attempt } = withFactor()
    const { body } = await finish('totp', service.users.totp(user))
    const other = sender(service.fetch, baseUrl, service.token(user))
    expect(await attempt({ [header]: body.token }, other)).toBe(401)
    const stranger = service.users.create({ login: 'x@example.com', password, mfa: ['totp'] })
    expect(await attempt({ [header]: body.token }, sender(service.fetch, baseUrl, service.token(stranger)))).toBe(401)
  })

  it('refuses the ticket when another user tries to finish it', async () => {
    const { service, user, ada, finish } = withFactor()
    const hers = sender(service.fetch, baseUrl, service.token(ada))
    expect((await finish('totp', service.users.totp(user), hers)).status).toBe(401)
  })

  it('keeps the ticket after a wrong code and takes it once after the right one', async () => {
    const { service, user, mine, ask } = withFactor()
    const { ticket } = (await ask()).mfa
    const finish = async (data: string) => (await mine('POST /mfa/finish', { ticket, mfa_type: 'totp', data })).status
    expect(await finish('000000')).toBe(400)
    expect(await finish(service.users.totp(user))).toBe(200)
    expect(await finish(service.users.totp(user))).toBe(401)
  })

  it('takes an SMS code, a backup code or a passkey where the account has them', async () => {
    const { service, user, mine, ask, finish } = withFactor(['sms', 'backup', 'webauthn'])
    const { ticket, methods } = (await ask()).mfa
    expect(methods.map(({ type }) => type)).toEqual(['webauthn', 'sms', 'backup'])

    await mine('POST /auth/mfa/sms/send', { ticket })
    const { code } = service.sms.last(String(user.phone), 'mfa')
    expect((await mine('POST /mfa/finish', { ticket, mfa_type: 'sms', data: code })).status).toBe(200)

    expect((await finish('backup', service.users.backupCodes(user)[0])).status).toBe(200)

    const again = (await ask()).mfa
    const data = JSON.stringify(service.users.passkey(user, again.methods[0]?.challenge))
    expect((await mine('POST /mfa/finish', { ticket: again.ticket, mfa_type: 'webauthn', data })).status).toBe(200)
    expect((await finish('totp', '123456')).status).toBe(400)
  })

  it('asks for the password where the account has no other method', async () => {
    const { ask, finish } = withFactor(['password'])
    expect((await ask()).mfa.methods).toEqual([{ type: 'password' }])
    expect((await finish('password', 'wrong password')).status).toBe(400)
    expect((await finish('password', password)).status).toBe(200)
  })

  it('lets an account whose only factor is the password sign in without one', async () => {
    const { send } = withFactor(['password'])
    expect((await send('POST /auth/login', { login: 'mfa@example.com', password })).body).toHaveProperty('token')
  })

  it('is asked where requireMfa says, for accounts without a factor too', async () => {
    const { as, ada, grace } = setUp({
      requireMfa: (name, user) => name === 'Get Relationships' && user.username === 'ada',
    })
    const { status, body } = await as(ada)<Required>('GET /users/@me/relationships')
    expect([status, body.mfa.methods]).toEqual([401, [{ type: 'password' }]])
    expect((await as(grace)('GET /users/@me/relationships')).status).toBe(200)
  })

  it('answers Verify MFA and Send MFA SMS without step-up if requireMfa holds for every call', async () => {
    const { service } = setUp({ requireMfa: () => true })
    const user = service.users.create({ login: 'mfa@example.com', password, mfa: ['sms'] })
    const mine = sender(service.fetch, baseUrl, service.token(user))
    const { ticket } = (await mine<Required>('GET /users/@me/relationships')).body.mfa
    expect((await mine('POST /auth/mfa/sms/send', { ticket })).status).toBe(200)
    const { code } = service.sms.last(String(user.phone), 'mfa')
    const { status, body } = await mine<{ token: string }>('POST /mfa/finish', { ticket, mfa_type: 'sms', data: code })
    expect(status).toBe(200)
    expect((await mine('GET /users/@me/relationships', undefined, { [header]: body.token })).status).toBe(200)
  })

  it('answers a login without step-up if requireMfa holds for every call', async () => {
    const { as, ada } = setUp({ requireMfa: () => true })
    expect((await as(ada)('POST /auth/login', { login: 'ada@example.com', password })).status).toBe(200)
  })

  it('offers the other step-up methods, or the password, once all backup codes are spent', async () => {
    const both = withFactor(['totp', 'backup'])
    for (const code of both.service.users.backupCodes(both.user)) await both.finish('backup', code)
    expect((await both.ask()).mfa.methods).toEqual([{ type: 'totp', backup_codes_allowed: false }])
    expect((await both.finish('backup', 'aaaa-aaaa')).status).toBe(400)
    expect((await both.finish('totp', both.service.users.totp(both.user))).status).toBe(200)

    const codesOnly = withFactor(['backup'])
    for (const code of codesOnly.service.users.backupCodes(codesOnly.user)) await codesOnly.finish('backup', code)
    expect((await codesOnly.ask()).mfa.methods).toEqual([{ type: 'password' }])
    expect((await codesOnly.finish('password', password)).status).toBe(200)
  })

  it('offers no SMS code in a step-up without a phone number', async () => {
    const { service, user, ask, finish } = withFactor(['sms', 'totp'])
    service.users.changePhone(user, null)
    expect((await ask()).mfa.methods.map(({ type }) => type)).toEqual(['totp'])
    expect((await finish('sms', '123456')).status).toBe(400)
  })

  it('offers no password in a step-up if the account has none', async () => {
    const { service, as } = setUp({ requireMfa: () => true })
    const user = service.users.create({ login: 'none@example.com' })
    expect((await as(user)<Required>('GET /users/@me/relationships')).body.mfa.methods).toEqual([])
  })

  it('comes after the checks of token and form: what is wrong anyway needs no second factor', async () => {
    const { mine } = withFactor()
    expect((await mine('POST /auth/sessions/logout', { session_id_hashes: [] })).status).toBe(400)
  })

  it('is over when its session ends', async () => {
    const { service, user, mine, finish, attempt } = withFactor()
    const { body } = await finish('totp', service.users.totp(user))
    await mine('POST /auth/logout', {})
    expect(await attempt({ [header]: body.token })).toBe(401)
  })
})
