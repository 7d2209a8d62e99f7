import { createMockService, type MockServiceEvent, type PolicyChanges } from 'rapport-sdk/mocks'
import { describe, expect, it, test, vi } from 'vitest'
import { inMemory, setUpGateway } from './gateway-client'
import { baseUrl, password, problems, sender, setUp, setUpPair, start } from './set-up'

const location = 'GET /auth/location-metadata'

test('set() moves the clock forward and back', async () => {
  const { service, ada } = setUp({ policy: { lifetimes: { session: '1d' } } })
  const send = sender(service.fetch, baseUrl, service.token(ada))
  service.clock.set('2026-01-02T00:00:00Z')
  expect((await send('GET /auth/sessions')).status).toBe(401)
  service.clock.set(new Date(start))
  expect((await send('GET /auth/sessions')).status).toBe(200)
  service.clock.set(0)
  expect(service.clock.now()).toBe(0)
  service.clock.set('2028-02-29T00:00Z')
  expect(service.clock.now()).toBe(Date.UTC(2028, 1, 29))
  service.clock.set(0)
  expect(() => service.clock.set('tomorrow')).toThrow('clock.set: "tomorrow" is not a point in time')
  expect(() => service.clock.set('2026-02-29T00:00:00Z')).toThrow('"2026-02-29T00:00:00Z" is not a point in time')
  for (const time of ['2026-13-01T00:00:00Z', '2026-01-01', '2026-01-01T00:00:00', '2026-01-01 00:00Z', '', '0'])
    expect(() => service.clock.set(time)).toThrow(`${JSON.stringify(time)} is not a point in time`)
  expect(() => service.clock.set(-1)).toThrow(RangeError)
  expect(() => service.clock.set('+010000-01-01T00:00:00Z')).toThrow(RangeError)
  expect(service.clock.now()).toBe(0)
})

test('the clock has whole milliseconds, whatever it is moved by', () => {
  const service = createMockService({ now: 1000 })
  service.clock.advance('1.005s')
  expect(service.clock.now()).toBe(2005)
  for (const step of [0.5, '0.5ms', '1.0005s'] as const)
    expect(() => service.clock.advance(step)).toThrow('ms; expected whole milliseconds')
  expect(() => service.clock.set(0.5)).toThrow('0.5 is not a point in time')
  expect(service.clock.now()).toBe(2005)
})

test('a frozen clock only moves by advance() and set(), and continues from there', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000 })
  const service = createMockService()
  service.clock.freeze()
  vi.setSystemTime(1_500)
  expect([service.clock.now(), service.clock.isFrozen]).toEqual([1_000, true])
  service.clock.advance('1s')
  const frozen = service.snapshot()
  service.clock.freeze(false)
  vi.setSystemTime(1_510)
  expect([service.clock.now(), service.clock.isFrozen]).toEqual([2_010, false])
  service.restore(frozen)
  vi.setSystemTime(1_520)
  expect([service.clock.now(), service.clock.isFrozen]).toEqual([2_000, true])
  service.reset()
  expect([service.clock.now(), service.clock.isFrozen]).toEqual([1_520, false])
})

test('a clock that starts at a fixed time is frozen, and follows the wall clock once it is unfrozen', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 5_000 })
  const service = createMockService({ now: 1_000 })
  const state = () => [service.clock.now(), service.clock.isFrozen]
  service.clock.advance('1s')
  vi.setSystemTime(6_000)
  expect(state()).toEqual([2_000, true])
  service.clock.freeze(false)
  vi.setSystemTime(6_500)
  expect(state()).toEqual([2_500, false])
  const running = service.snapshot()
  service.clock.freeze()
  vi.setSystemTime(9_000)
  expect(state()).toEqual([2_500, true])
  service.clock.freeze(false)
  vi.setSystemTime(9_100)
  expect(state()).toEqual([2_600, false])
  service.restore(running)
  expect(state()).toEqual([5_100, false])
  service.reset()
  expect(state()).toEqual([1_000, true])
})

test('all() lists the faults, and remove() removes one', async () => {
  const { service, send } = setUp()
  service.faults.on('Get Location Metadata', { status: 503, times: 2 })
  const off = service.faults.on('Get Location Metadata', { status: 500 })
  await send(location)
  const [first, second] = service.faults.all()
  expect([first, second]).toMatchObject([
    { selector: 'Get Location Metadata', fault: { status: 503 }, left: 1 },
    { fault: { status: 500 }, left: null },
  ])
  expect(service.faults.remove(first?.id ?? 0)).toBe(true)
  expect(service.faults.remove(first?.id ?? 0)).toBe(false)
  expect((await send(location)).status).toBe(500)
  off()
  expect(service.faults.all()).toEqual([])
  expect((await send(location)).status).toBe(200)
})

test('a fault with `match` affects only requests of that user, with those parameters and headers', async () => {
  const { service, ada, grace, as } = setUp()
  const post = 'POST /users/@me/relationships'
  const match = { user: ada, params: { username: 'grace' }, headers: { 'x-test': 'yes' } }
  service.faults.on(post, { status: 503, match })
  const [asAda, asGrace] = [as(ada), as(grace)]
  const header = { 'x-test': 'yes' }
  const status = async (send: typeof asAda, username: string, headers = {}) =>
    (await send(post, { username, discriminator: null }, headers)).status
  expect(await status(asGrace, 'grace', header)).toBe(400)
  expect(await status(asAda, 'nobody', header)).toBe(400)
  expect(await status(asAda, 'grace', header)).toBe(503)
  expect(await status(asAda, 'grace')).toBe(204)
  const invalid = { status: 503, match: { users: ada } } as object as { status: 503 }
  expect(() => service.faults.on(post, invalid)).toThrow('match.users: unknown; expected one of user, params, headers')
})

describe('accounts', () => {
  it('remove() removes an account with its sessions, both sides of its relationships and its applications', async () => {
    const { service, ada, grace, as, asAda, list } = setUpPair()
    service.relationships.befriend(ada, grace)
    const application = service.applications.create({ owner: grace })
    service.identities.create({ application, user: ada, externalUserId: 'x' })
    service.users.suggest(ada, grace)
    const asGrace = as(grace)
    service.users.remove(grace)
    expect((await asGrace('GET /auth/sessions')).status).toBe(401)
    expect(await list(asAda)).toEqual([])
    expect((await asAda('GET /friend-suggestions')).body).toEqual([])
    expect(service.applications.all()).toEqual([])
    expect(service.users.all()).toEqual([service.users.get(ada)])
    expect(service.users.find('grace')).toBeUndefined()
    service.users.create({ login: 'grace@example.com', username: 'grace', password })
    expect(() => service.restore(service.snapshot())).not.toThrow()
  })

  it('enable() lets a locked, disabled or suspended account sign in again', async () => {
    const { service, ada, send } = setUp()
    const login = { login: 'ada@example.com', password }
    for (const close of ['lock', 'disable', 'suspend', 'scheduleDeletion'] as const) {
      service.users[close](ada)
      expect((await send('POST /auth/login', login)).status).not.toBe(200)
      service.users.enable(ada)
      expect((await send('POST /auth/login', login)).status).toBe(200)
    }
  })

  it('setFactors() adds and removes second factors, and keeps the secrets of those that stay', async () => {
    const { service, ada, send } = setUp()
    service.users.setFactors(ada, ['totp', 'sms', 'webauthn'])
    const secret = service.users.totpSecret(ada)
    const { body } = await send('POST /auth/login', { login: 'ada@example.com', password })
    expect(body).toMatchObject({ totp: true, sms: true, backup: false, webauthn: expect.any(String) })
    service.users.setFactors(ada, ['totp', 'backup'])
    expect(service.users.totpSecret(ada)).toBe(secret)
    expect(service.users.backupCodes(ada)).toHaveLength(10)
    const code = service.users.totp(ada)
    const { ticket } = (await send('POST /auth/login', { login: 'ada@example.com', password })).body
    expect((await send('POST /auth/mfa/totp', { ticket, code })).status).toBe(200)
    expect(() => service.users.setFactors(ada, ['fax' as 'sms'])).toThrow(
      'mfa[0]: expected "totp" or "sms" or "backup" or "webauthn" or "password", got "fax"',
    )
  })

  it('find() returns the account of a login or a username, and relationships.remove() ends a friendship', () => {
    const { service, ada, grace } = setUpPair()
    expect(service.users.find('GRACE')?.id).toBe(grace.id)
    service.relationships.befriend(ada, grace)
    service.relationships.remove(ada, grace)
    expect([service.relationships.between(ada, grace), service.relationships.between(grace, ada)]).toEqual([0, 0])
  })
})

it('mail.waitFor() resolves to a message that is sent later, or was sent already', async () => {
  const { service, send } = setUp()
  const waiting = service.mail.waitFor({ to: 'ADA@example.com', kind: 'password_reset' })
  await send('POST /auth/forgot', { login: 'grace@example.com' })
  await send('POST /auth/forgot', { login: 'ada@example.com' })
  expect(await waiting).toMatchObject({ to: 'ada@example.com', token: expect.any(String) })
  expect(await service.mail.waitFor({ to: 'grace@example.com' })).toMatchObject({ kind: 'password_reset' })
  service.mail.clear()
  expect(service.mail.all()).toEqual([])
  await expect(service.mail.waitFor({ timeout: 10 })).rejects.toThrow('no mail was sent; none was sent at all')
  const reason = new Error('enough')
  await expect(service.sms.waitFor({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})

describe('changePolicy()', () => {
  it('a rate limit refuses further calls until its period has passed', async () => {
    const { service, ada, grace, as } = setUp()
    service.changePolicy({ rateLimits: { 'Get Auth Sessions': { limit: 2, per: '1m' } } })
    const [asAda, asGrace] = [as(ada), as(grace)]
    const status = async (send: typeof asAda) => (await send('GET /auth/sessions')).status
    expect([await status(asAda), await status(asAda), await status(asAda)]).toEqual([200, 200, 429])
    expect(await status(asGrace)).toBe(200)
    service.clock.advance('59.5s')
    const refused = await asAda<{ retry_after: number }>('GET /auth/sessions')
    expect(refused.body).toEqual({ message: 'You are being rate limited.', retry_after: 0.5, global: false })
    expect(refused.headers.get('retry-after')).toBe('1')
    service.clock.advance('0.5s')
    expect(await status(asAda)).toBe(200)
    service.changePolicy({ rateLimits: { 'Get Auth Sessions': null, '*': { limit: 1, per: '1m' } } })
    expect((await asAda('GET /friend-suggestions')).status).toBe(200)
    const global = await asAda('GET /auth/sessions')
    expect([global.status, global.body.global, global.headers.get('x-ratelimit-global')]).toEqual([429, true, 'true'])
  })

  it('an authorization scheme is required before the token', async () => {
    const { service, ada } = setUp()
    service.changePolicy({ authorization: { scheme: 'Bearer' } })
    const token = service.token(ada)
    const status = async (value: string) => (await sender(service.fetch, baseUrl, value)('GET /auth/sessions')).status
    expect(await status(token)).toBe(401)
    expect(await status(`Basic ${token}`)).toBe(401)
    expect([await status(`Bearer ${token}`), await status(`bearer ${token}`)]).toEqual([200, 200])
  })

  it('requireMfa takes a decision for each endpoint', async () => {
    const { service, ada, as } = setUp()
    const send = as(ada)
    service.changePolicy({ requireMfa: { 'Get Auth Sessions': true, 'Get Relationships': 'with-factor' } })
    expect((await send('GET /auth/sessions')).body.code).toBe(60003)
    expect((await send('GET /users/@me/relationships')).status).toBe(200)
    service.users.setFactors(ada, ['totp'])
    expect((await send('GET /users/@me/relationships')).body.code).toBe(60003)
    service.changePolicy({ requireMfa: { 'Get Auth Sessions': false, 'Get Relationships': null } })
    expect((await send('GET /auth/sessions')).status).toBe(200)
    expect((await send('GET /users/@me/relationships')).status).toBe(200)
  })

  it('rules for passwords reject weak ones on registration', async () => {
    const { service, send } = setUp()
    service.changePolicy({ password: { minLength: 12, minStrength: 3 } })
    const register = async (value: string) =>
      problems((await send('POST /auth/register', { username: `u${value.length}`, password: value })).body)
    expect(await register('Short-1aB')).not.toEqual([])
    expect(await register('onlylowercaseletters')).not.toEqual([])
    expect(await register('Long-enough-1')).toEqual([])
  })

  it('accepts the settings, which are plain JSON', () => {
    const service = createMockService({ policy: { rateLimits: { '*': { limit: 5, per: '1s' } } } })
    const settings = JSON.parse(JSON.stringify(service.policySettings))
    expect(settings).toMatchObject({
      authorization: { scheme: null },
      lifetimes: { session: null, ticket: '5m' },
      rateLimits: { '*': { limit: 5, per: '1s' } },
    })
    service.changePolicy(settings)
    expect(service.policySettings).toEqual(settings)
    expect(service.policy.lifetimes.session).toBe(Number.POSITIVE_INFINITY)
  })

  it.each([
    [{ rateLimits: { 'Sign In': { limit: 1, per: '1m' } } }, 'rateLimits["Sign In"]: unknown'],
    [{ rateLimits: { '*': { limit: 0, per: '1m' } } }, 'rateLimits["*"].limit: expected an integer from 1'],
    [{ requireMfa: { 'Login Account': 'always' } }, 'requireMfa["Login Account"]: expected true, false, "with-factor"'],
    [{ authorization: {} }, 'authorization.scheme: required'],
    [{ password: { minLength: 7 } }, 'password.minLength: expected an integer from 8 to 72'],
  ])('rejects %j and changes nothing', (changes, message) => {
    const service = createMockService()
    const before = service.policy
    expect(() => service.changePolicy({ resetEndsSessions: false, ...changes } as PolicyChanges)).toThrow(message)
    expect(service.policy).toBe(before)
  })

  it('the gateway follows a changed policy', async () => {
    const { service, open } = await setUpGateway(inMemory)
    service.changePolicy({ gateway: { heartbeatInterval: 5_000 } })
    expect(await open().next()).toMatchObject({ d: { heartbeat_interval: 5_000 } })
  })
})

test('onEvent() reports requests, messages, accounts, faults, the clock, the policy and resets', async () => {
  const { service, ada, send } = setUp()
  const events: MockServiceEvent[] = []
  const stop = service.onEvent((event) => events.push(event))
  await send('POST /auth/forgot', { login: 'ada@example.com' })
  service.users.lock(ada)
  service.faults.on('Login Account', { status: 503 })
  await send('POST /auth/login', { login: 'x', password: 'a long password' })
  service.clock.advance('1s')
  service.changePolicy({ resetEndsSessions: false })
  service.restore(service.snapshot())
  service.mail.clear()
  service.reset()
  await Promise.resolve()
  expect(events.map((event) => ('action' in event ? `${event.type} ${event.action}` : event.type))).toEqual([
    'mail',
    'request',
    'user changed',
    'fault added',
    'fault applied',
    'request',
    'clock',
    'policy',
    'restore',
    'clear',
    'reset',
  ])
  expect(events[0]).toMatchObject({ at: start, message: { to: 'ada@example.com' } })
  stop()
  service.users.create({ login: 'x@example.com' })
  await Promise.resolve()
  expect(events).toHaveLength(11)
})

test('fork() creates a service with the same options and state that shares nothing', async () => {
  const { service, ada, grace } = setUp()
  const fork = service.fork(service.snapshot())
  fork.relationships.befriend(ada, grace)
  expect([service.relationships.between(ada, grace), fork.relationships.between(ada, grace)]).toEqual([0, 1])
  expect(fork.baseUrl).toBe(service.baseUrl)
  expect(service.fork().users.all()).toEqual([])
})
