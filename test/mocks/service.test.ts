import { createMockService } from 'rapport-sdk/mocks'
import { describe, expect, it, test } from 'vitest'
import { baseUrl, password, sender, settle, setUp, start } from './set-up'

/** Returns the responses of a series of calls, with all IDs, tokens and times. */
async function run(seed: number) {
  const { service, send, as, ada, grace } = setUp({ seed })
  const application = service.applications.create({ owner: ada })
  const user = service.users.create({ login: 'mfa@example.com', password, mfa: ['totp', 'sms', 'backup', 'webauthn'] })
  const responses = [
    await send('POST /auth/login', { login: 'mfa@example.com', password }),
    await send('POST /auth/conditional/start'),
    await as(ada)(`PUT /users/@me/relationships/${grace.id}`, {}),
    await as(grace)('GET /users/@me/relationships'),
    await as(ada)(`POST /applications/${application.id}/widget-configs`, { display_name: 'x', surfaces: {} }),
  ]
  const secrets = [service.users.totp(user), service.users.backupCodes(user), service.token(ada), service.fingerprint()]
  return JSON.stringify([responses.map(({ body }) => body), secrets, service.journal.requests])
}

describe('a mock service', () => {
  it('returns the same responses as another one with the same seed', async () => {
    expect(await run(7)).toBe(await run(7))
    expect(await run(7)).not.toBe(await run(8))
  })

  it('no two records have the same ID', () => {
    const service = createMockService()
    const ids = Array.from({ length: 1000 }, (_, index) => service.users.create({ login: `${index}@example.com` }).id)
    expect(new Set(ids).size).toBe(1000)
    expect(ids.every((id) => /^\d{19}$/.test(id))).toBe(true)
  })

  it('shares no state with another one', async () => {
    const [one, other] = [setUp(), setUp({ seed: 2 })]
    one.service.faults.on('Login Account', { status: 503 })
    expect((await one.send('POST /auth/login', {})).status).toBe(503)
    expect((await other.send('POST /auth/login', {})).status).toBe(400)
    expect(other.service.journal.requests).toHaveLength(1)
    const stolen = sender(other.service.fetch, baseUrl, one.service.token(one.ada))
    expect((await stolen('GET /auth/sessions')).status).toBe(401)
  })

  it('a clock with a start time moves only by advance()', () => {
    const service = createMockService({ now: start })
    expect(new Date(service.clock.now()).toISOString()).toBe(start)
    service.clock.advance('1.5h')
    service.clock.advance(1)
    expect(new Date(service.clock.now()).toISOString()).toBe('2026-01-01T01:30:00.001Z')
    expect(() => service.clock.advance(-1)).toThrow('only moves forward')
    expect(() => service.clock.advance('soon' as '1s')).toThrow('"soon" is not a duration')
  })

  it.each([
    ['RangeError', Number.POSITIVE_INFINITY, 'clock.advance: Infinity ms'],
    ['RangeError', Number.NEGATIVE_INFINITY, 'only moves forward'],
    ['RangeError', Number.NaN, 'clock.advance: NaN ms'],
    ['RangeError', -0.5, 'only moves forward'],
    ['RangeError', Number.MAX_VALUE, 'end of the year 9999'],
    ['RangeError', 253_402_300_800_000, 'end of the year 9999'],
    ['RangeError', `${'9'.repeat(20)}d`, 'end of the year 9999'],
    ['TypeError', '', '"" is not a duration'],
    ['TypeError', '-5m', '"-5m" is not a duration'],
    ['TypeError', ['5m'], '5m is not a duration'],
    ['TypeError', 5n, '5 is not a duration'],
    ['TypeError', null, 'null is not a duration'],
    ['TypeError', undefined, 'undefined is not a duration'],
    ['TypeError', true, 'true is not a duration'],
    ['TypeError', Symbol('5m'), 'Symbol(5m) is not a duration'],
  ])('clock.advance() throws a %s for %o and leaves the service usable', async (name, by, message) => {
    const { service, send } = setUp()
    const advance = () => service.clock.advance(by as number)
    expect(advance).toThrow(expect.objectContaining({ name }))
    expect(advance).toThrow(message)
    expect(new Date(service.clock.now()).toISOString()).toBe(start)
    expect((await send('POST /auth/forgot', { login: 'ada@example.com' })).status).toBe(200)
  })

  it('works at the end of the year 9999, the latest time of its clock', async () => {
    const { service, send } = setUp()
    service.clock.advance(Date.parse('9999-12-31T23:59:59.999Z') - service.clock.now())
    expect((await send('POST /auth/login', { login: 'ada@example.com', password })).status).toBe(200)
    expect(() => service.clock.advance(1)).toThrow('end of the year 9999')
    expect(() => createMockService({ now: 'yesterday' })).toThrow('not a point in time')
  })

  it('a clock without a start time follows the wall clock', () => {
    expect(Math.abs(createMockService().clock.now() - Date.now())).toBeLessThan(60_000)
  })

  it('a snapshot can be restored any number of times', async () => {
    const { service, send, ada, grace, as } = setUp()
    const asAda = as(ada)
    const snapshot = service.snapshot()
    const change = async () => {
      service.clock.advance('1h')
      await asAda(`PUT /users/@me/relationships/${grace.id}`, {})
      const { body } = await send('POST /auth/register', { username: 'new' })
      return [body, (await asAda('GET /users/@me/relationships')).body]
    }
    const first = await change()
    service.restore(snapshot)
    expect(service.clock.now()).toBe(Date.parse(start))
    expect((await asAda('GET /users/@me/relationships')).body).toEqual([])
    expect(await change()).toEqual(first)
    service.restore(snapshot)
    expect(await change()).toEqual(first)
  })

  it('restore() restores the faults and the journal', async () => {
    const { service, send } = setUp()
    const path = 'GET /auth/location-metadata'
    const statuses = async (count: number) => {
      const found: number[] = []
      for (let index = 0; index < count; index++) found.push((await send(path)).status)
      return found
    }
    service.faults.on('Get Location Metadata', { status: 500, times: 2 })
    const removeFault = service.faults.on('Get Location Metadata', { status: 502, times: 1 })
    expect(await statuses(1)).toEqual([500])
    const snapshot = service.snapshot()
    service.faults.on('Get Location Metadata', { status: 504 })
    expect(await statuses(3)).toEqual([500, 502, 504])
    for (let round = 0; round < 2; round++) {
      service.restore(snapshot)
      expect(service.journal.find('Get Location Metadata')).toHaveLength(1)
      expect(service.journal.find('GET /auth/location-metadata')).toHaveLength(1)
      expect(await statuses(3)).toEqual([500, 502, 200])
    }
    service.restore(snapshot)
    removeFault()
    expect(await statuses(2)).toEqual([500, 200])
    service.faults.clear()
    service.restore(structuredClone(snapshot))
    expect(await statuses(3)).toEqual([500, 502, 200])
  })

  it('it is in its initial state after reset()', async () => {
    const { service, send, ada } = setUp()
    service.faults.on('Login Account', { status: 503 })
    service.clock.advance('1d')
    await send('POST /auth/forgot', { login: 'ada@example.com' })
    service.reset()
    expect(service.users.all()).toEqual([])
    expect(service.mail.all()).toEqual([])
    expect(service.journal.requests).toEqual([])
    expect(service.clock.now()).toBe(Date.parse(start))
    expect(() => service.users.get(ada)).toThrow('has no user')
    expect(service.users.create({ login: 'ada@example.com', username: 'ada', global_name: 'Ada', password })).toEqual(
      ada,
    )
    expect((await send('POST /auth/login', { login: 'ada@example.com', password })).status).toBe(200)
  })

  it('rejects pending and later calls once it is closed', async () => {
    const { service, send } = setUp()
    service.faults.on('GET /auth/location-metadata', { latency: '1h' })
    const waiting = expect(send('GET /auth/location-metadata')).rejects.toThrow('fetch failed')
    await settle()
    await Promise.all([waiting, service.close()])
    await expect(send('GET /auth/location-metadata')).rejects.toThrow('fetch failed')
  })

  it('mistakes of a test throw errors that explain them', () => {
    const { service, ada } = setUp()
    expect(() => service.users.create({ login: 'ada@example.com' })).toThrow(
      'ada@example.com belongs to another account',
    )
    expect(() => service.users.create({ login: 'x@example.com', username: 'ADA' })).toThrow('the username ADA is taken')
    expect(() => service.users.create({ login: 'x@example.com', mfa: ['smoke' as 'sms'] })).toThrow(
      'users.create: mfa[0]: expected "totp" or "sms" or ',
    )
    expect(() => service.users.totp(ada)).toThrow("create the user with mfa: ['totp']")
    expect(() => service.token('1')).toThrow('has no user 1')
    expect(() => service.applications.botToken('1')).toThrow('has no application 1')
    expect(() => service.users.changeEmail(ada, 'grace@example.com')).toThrow('already belongs to an account')
    expect(() => service.users.changePhone(ada, '+15550100')).not.toThrow()
    expect(() => service.users.changePhone(ada, '+15550100')).toThrow('already belongs to an account')
  })
})

test('service.fetch accepts a Request, a URL or a string', async () => {
  const { service } = setUp()
  const url = `${baseUrl}/auth/location-metadata`
  for (const input of [url, new URL(url), new Request(url)]) {
    const response = await service.fetch(input)
    expect([response.status, response.url]).toEqual([200, url])
  }
  const request = new Request(url, { method: 'POST' })
  expect((await service.fetch(request, { method: 'GET' })).status).toBe(200)
})

test('service.fetch rejects other origins and never uses the network', async () => {
  const { service } = setUp()
  const response = service.fetch('https://elsewhere.example/api/v9/auth/location-metadata')
  await expect(response).rejects.toMatchObject({
    name: 'TypeError',
    cause: expect.objectContaining({ message: expect.stringContaining('is not the mock service') }),
  })
  expect(service.journal.requests).toEqual([])
})

test('service.fetch rejects with the reason of an abort, before or during the call', async () => {
  const { service } = setUp()
  const url = `${baseUrl}/auth/location-metadata`
  const reason = new Error('no longer wanted')
  await expect(service.fetch(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  service.faults.on('Get Location Metadata', { latency: '1h' })
  const controller = new AbortController()
  const waiting = expect(service.fetch(new Request(url, { signal: controller.signal }))).rejects.toBe(reason)
  await settle()
  controller.abort(reason)
  await waiting
  expect(service.journal.requests.map(({ status }) => status)).toEqual([null])
})

test('service.fetch leaves no listener on a signal', async () => {
  const { service } = setUp()
  const { signal } = new AbortController()
  let listeners = 0
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)]
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners += 1
    add(...args)
  }
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners -= 1
    remove(...args)
  }
  service.faults.on('Get Location Metadata', { latency: 1 })
  for (let count = 0; count < 10; count++) {
    await (await service.fetch(`${baseUrl}/auth/location-metadata`, { signal })).json()
  }
  expect(listeners).toBe(0)
})

test('methods of the mock service and of its parts work detached', async () => {
  const service = createMockService({ now: '2026-05-01T10:00:00Z' })
  const { clock, users, faults, journal, token, gateway, snapshot, restore, reset, close } = service
  const { now, advance } = clock
  const { create } = users
  const user = create({ login: 'ada@example.test', password: 'correct horse', username: 'ada' })
  const before = now()
  advance('5m')
  expect(now() - before).toBe(300_000)
  const { on, clear } = faults
  on('Get Relationships', { status: 500 })
  clear()
  const { emit, sessions } = gateway
  expect([emit('relationshipAdd', {}), sessions]).toEqual([0, []])
  const authorization = token(user)
  const saved = snapshot()
  reset()
  restore(saved)
  const { fetch } = service
  const response = await fetch(`${service.baseUrl}/users/@me/relationships`, { headers: { authorization } })
  expect([response.status, journal.requests.length]).toEqual([200, 1])
  await close()
})

const fresh = 'a brand new password'

describe('lookups', () => {
  it('an account is found by its new e-mail address and phone number only', async () => {
    const { service, ada, send } = setUp()
    service.users.changePhone(ada, '+15550100')
    service.users.changePhone(ada, '+15550111')
    service.users.changeEmail(ada, 'Ada@Example.org')
    const login = async (name: string) => (await send('POST /auth/login', { login: name, password })).status
    expect(await login('ada@example.org')).toBe(200)
    expect(await login('+15550111')).toBe(200)
    expect(await login('ada@example.com')).toBe(400)
    expect(await login('+15550100')).toBe(400)
    expect((await send('POST /auth/register', { username: 'new', email: 'ada@example.com' })).status).toBe(200)
    expect(service.users.find('ADA@example.ORG')?.id).toBe(ada.id)
  })

  it('a reverted account is found by the restored e-mail address only', async () => {
    const { service, ada, send } = setUp()
    service.users.changePhone(ada, '+15550100')
    service.users.changeEmail(ada, 'thief@example.com')
    const { token } = service.mail.last('ada@example.com')
    await send('POST /auth/revert', { token, password: fresh })
    expect(service.users.find('ada@example.com')?.id).toBe(ada.id)
    expect(service.users.find('thief@example.com')).toBeUndefined()
    expect(service.users.find('+15550100')).toBeUndefined()
  })

  it('find the records of a restored snapshot, and none after a reset', async () => {
    const { service, ada, grace, send } = setUp()
    service.relationships.befriend(ada, grace)
    const token = service.token(ada)
    const asAda = sender(service.fetch, baseUrl, token)
    const snapshot = service.snapshot()
    service.users.changeEmail(ada, 'ada@example.org')
    service.relationships.block(ada, grace)
    await asAda('POST /auth/logout', {})

    service.restore(snapshot)
    expect(service.users.find('ada@example.org')).toBeUndefined()
    expect((await send('POST /auth/login', { login: 'ada@example.com', password })).status).toBe(200)
    expect((await asAda<{ user_sessions: unknown[] }>('GET /auth/sessions')).body.user_sessions).toHaveLength(2)
    expect((await asAda('GET /users/@me/relationships')).body).toMatchObject([{ id: grace.id, type: 1 }])
    service.users.changeEmail(ada, 'ada@example.net')
    expect(service.users.find('ada@example.com')).toBeUndefined()

    service.reset()
    expect(service.users.find('ada@example.com')).toBeUndefined()
    expect((await asAda('GET /users/@me/relationships')).status).toBe(401)
    expect(() => service.users.create({ login: 'ada@example.com', username: 'ada' })).not.toThrow()
  })

  it('relationships are listed in the order of their creation', async () => {
    const { service, ada, as } = setUp()
    const friends = ['c', 'a', 'b'].map((username) =>
      service.users.create({ login: `${username}@example.com`, username }),
    )
    for (const friend of friends) service.relationships.befriend(ada, friend)
    await as(ada)(`PATCH /users/@me/relationships/${friends[0]?.id}`, { nickname: 'C' })
    const { body } = await as(ada)<{ id: string }[]>('GET /users/@me/relationships')
    expect(body.map(({ id }) => id)).toEqual(friends.map(({ id }) => id))
  })

  it('more than 10,000 accounts with one display name get different usernames', () => {
    const { service } = setUp()
    const names = Array.from({ length: 10_020 }, (_, index) => {
      return service.users.create({ login: `${index}@example.com`, global_name: 'Linus' }).username
    })
    expect(new Set(names).size).toBe(10_020)
  })
})
