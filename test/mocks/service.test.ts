import { createMockService } from 'rapport-sdk/mocks'
import { describe, expect, it } from 'vitest'
import { baseUrl, password, sender, setUp, start } from './calls'

/** What a run of calls answered, all IDs, tokens and times in it. */
async function run(seed: number) {
  const { service, send, as, ada, grace } = setUp({ seed })
  const application = service.applications.create({ owner: ada })
  const user = service.users.create({ login: 'mfa@example.com', password, mfa: ['totp', 'sms', 'backup', 'webauthn'] })
  const answers = [
    await send('POST /auth/login', { login: 'mfa@example.com', password }),
    await send('POST /auth/conditional/start'),
    await as(ada)(`PUT /users/@me/relationships/${grace.id}`, {}),
    await as(grace)('GET /users/@me/relationships'),
    await as(ada)(`POST /applications/${application.id}/widget-configs`, { display_name: 'x', surfaces: {} }),
  ]
  const doors = [service.users.totp(user), service.users.backupCodes(user), service.token(ada), service.fingerprint()]
  return JSON.stringify([answers.map(({ body }) => body), doors, service.journal.requests])
}

describe('a service', () => {
  it('answers the same to the same calls for the same seed', async () => {
    expect(await run(7)).toBe(await run(7))
    expect(await run(7)).not.toBe(await run(8))
  })

  it('never gives two records the same ID', () => {
    const service = createMockService()
    const ids = Array.from({ length: 1000 }, (_, index) => service.users.create({ login: `${index}@example.com` }).id)
    expect(new Set(ids).size).toBe(1000)
    expect(ids.every((id) => /^\d{19}$/.test(id))).toBe(true)
  })

  it('shares nothing with another', async () => {
    const [one, other] = [setUp(), setUp({ seed: 2 })]
    one.service.faults.on('Login Account', { status: 503 })
    expect((await one.send('POST /auth/login', {})).status).toBe(503)
    expect((await other.send('POST /auth/login', {})).status).toBe(400)
    expect(other.service.journal.requests).toHaveLength(1)
    const stolen = sender(other.service.fetch, baseUrl, one.service.token(one.ada))
    expect((await stolen('GET /auth/sessions')).status).toBe(401)
  })

  it('stands still in time when it is given a time, and moves as far as it is told', () => {
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
  ])('refuses with a %s to advance its clock by %o, and stays usable', async (name, by, message) => {
    const { service, send } = setUp()
    const advance = () => service.clock.advance(by as number)
    expect(advance).toThrow(expect.objectContaining({ name }))
    expect(advance).toThrow(message)
    expect(new Date(service.clock.now()).toISOString()).toBe(start)
    expect((await send('POST /auth/forgot', { login: 'ada@example.com' })).status).toBe(200)
  })

  it('advances its clock to the end of the year 9999, and answers there', async () => {
    const { service, send } = setUp()
    service.clock.advance(Date.parse('9999-12-31T23:59:59.999Z') - service.clock.now())
    expect((await send('POST /auth/login', { login: 'ada@example.com', password })).status).toBe(200)
    expect(() => service.clock.advance(1)).toThrow('end of the year 9999')
    expect(() => createMockService({ now: 'yesterday' })).toThrow('not a point in time')
  })

  it('follows the wall clock, or a function, when it is given none', () => {
    expect(Math.abs(createMockService().clock.now() - Date.now())).toBeLessThan(1000)
    let time = 5
    const service = createMockService({ now: () => time })
    service.clock.advance(10)
    time = 6
    expect(service.clock.now()).toBe(16)
  })

  it('goes back to a snapshot, as often as one likes', async () => {
    const { service, send, ada, grace, as } = setUp()
    const mine = as(ada)
    const snapshot = service.snapshot()
    const change = async () => {
      service.clock.advance('1h')
      await mine(`PUT /users/@me/relationships/${grace.id}`, {})
      const { body } = await send('POST /auth/register', { username: 'new' })
      return [body, (await mine('GET /users/@me/relationships')).body]
    }
    const first = await change()
    service.restore(snapshot)
    expect(service.clock.now()).toBe(Date.parse(start))
    expect((await mine('GET /users/@me/relationships')).body).toEqual([])
    expect(await change()).toEqual(first)
    service.restore(snapshot)
    expect(await change()).toEqual(first)
  })

  it('goes back to the faults and the journal of a snapshot too', async () => {
    const { service, send } = setUp()
    const path = 'GET /auth/location-metadata'
    const statuses = async (count: number) => {
      const found: number[] = []
      for (let index = 0; index < count; index++) found.push((await send(path)).status)
      return found
    }
    service.faults.on('Get Location Metadata', { status: 500, times: 2 })
    const takeBack = service.faults.on('Get Location Metadata', { status: 502, times: 1 })
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
    takeBack()
    expect(await statuses(2)).toEqual([500, 200])
    service.faults.clear()
    service.restore(structuredClone(snapshot))
    expect(await statuses(3)).toEqual([500, 502, 200])
  })

  it('is as new after a reset', async () => {
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

  it('answers nothing once it is closed', async () => {
    const { service, send } = setUp()
    service.faults.on('GET /auth/location-metadata', { latency: '1h' })
    const waiting = send('GET /auth/location-metadata')
    const closing = new Promise((resolve) => setTimeout(resolve, 5)).then(service.close)
    await Promise.all([expect(waiting).rejects.toThrow('fetch failed'), closing])
    await expect(send('GET /auth/location-metadata')).rejects.toThrow('fetch failed')
  })

  it('says what is wrong with a test that sets it up wrongly', () => {
    const { service, ada } = setUp()
    expect(() => service.users.create({ login: 'ada@example.com' })).toThrow(
      'ada@example.com belongs to another account',
    )
    expect(() => service.users.create({ login: 'x@example.com', username: 'ADA' })).toThrow('the username ADA is taken')
    expect(() => service.users.create({ login: 'x@example.com', mfa: ['smoke' as 'sms'] })).toThrow(
      'not a second factor',
    )
    expect(() => service.users.totp(ada)).toThrow("create the user with mfa: ['totp']")
    expect(() => service.token('1')).toThrow('has no user 1')
    expect(() => service.applications.botToken('1')).toThrow('has no application 1')
    expect(() => service.users.changeEmail(ada, 'grace@example.com')).toThrow('already belongs to an account')
    expect(() => service.users.changePhone(ada, '+15550100')).not.toThrow()
    expect(() => service.users.changePhone(ada, '+15550100')).toThrow('already belongs to an account')
  })
})

describe('its fetch', () => {
  it('takes a Request, a URL, or a text', async () => {
    const { service } = setUp()
    const url = `${baseUrl}/auth/location-metadata`
    for (const input of [url, new URL(url), new Request(url)]) {
      const response = await service.fetch(input)
      expect([response.status, response.url]).toEqual([200, url])
    }
    const request = new Request(url, { method: 'POST' })
    expect((await service.fetch(request, { method: 'GET' })).status).toBe(200)
  })

  it('answers at its own origin alone, and never touches the network', async () => {
    const { service } = setUp()
    const answer = service.fetch('https://elsewhere.example/api/v9/auth/location-metadata')
    await expect(answer).rejects.toMatchObject({
      name: 'TypeError',
      cause: expect.objectContaining({ message: expect.stringContaining('is not the mock service') }),
    })
    expect(service.journal.requests).toEqual([])
  })

  it('rejects with the reason of an abort, before and while it waits', async () => {
    const { service } = setUp()
    const url = `${baseUrl}/auth/location-metadata`
    const reason = new Error('no longer wanted')
    await expect(service.fetch(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    service.faults.on('Get Location Metadata', { latency: '1h' })
    const controller = new AbortController()
    const waiting = service.fetch(new Request(url, { signal: controller.signal }))
    setTimeout(() => controller.abort(reason), 5)
    await expect(waiting).rejects.toBe(reason)
    expect(service.journal.requests.map(({ status }) => status)).toEqual([null])
  })

  it('leaves no listener on a signal', async () => {
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
})
