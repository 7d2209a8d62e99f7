import { inspect } from 'node:util'
import { isRapportError, RelationshipType } from 'rapport-sdk'
import { redisEvents } from 'rapport-sdk/redis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectRedis, cuttable, startRedis } from '../servers/redis-server'
import { rejectionOf } from '../transport/rejection'
import { createProcess, KEY, setUp, startService, untilWaiting, upTo, WAIT } from './events-set-up'

test('one process holds the connection, and the gateways of all processes receive its events in order', async () => {
  const { redisServer, service, redis } = await setUp()
  const one = createProcess(redis, service)
  const two = createProcess(await connectRedis(redisServer), service)
  const holders = [one.hold(), two.hold()]
  const [ready] = await Promise.all([one.client.gateway.connect(), two.client.gateway.connect()])

  expect(ready.auth_session_id_hash).toMatch(/./)
  expect(holders.map(({ state }) => state).sort()).toEqual(['holding', 'waiting'])
  const once = two.client.gateway.waitFor('relationshipUpdate', { filter: ({ id }) => id === '7' })
  service.emit(300)
  await once
  await vi.waitFor(() => expect([one.numbers.length, two.numbers.length]).toEqual([300, 300]), WAIT)

  expect(one.numbers).toEqual(upTo(300))
  expect(two.numbers).toEqual(upTo(300))
  expect(service.service.gateway.sessions).toHaveLength(1)
})

test('a live store of a consumer follows the events', async () => {
  const { service, redis } = await setUp()
  const grace = service.service.users.create({ login: 'grace@example.test', username: 'grace' })
  const { client, hold } = createProcess(redis, service)
  hold()
  await client.gateway.connect()
  const store = client.relationships.live()
  await store.ready
  expect(store.stale).toBe(false)

  service.service.relationships.befriend(service.ada, grace)

  await vi.waitFor(() => expect(store.filter(RelationshipType.FRIEND).map(({ id }) => id)).toEqual([grace.id]), WAIT)
})

test('a holder that closes hands over its session: the next one resumes it, and no event is lost', async () => {
  const { redisServer, service, redis } = await setUp()
  const one = createProcess(redis, service)
  const two = createProcess(await connectRedis(redisServer), service)
  const reader = createProcess(await connectRedis(redisServer), service)
  const first = one.hold()
  await reader.client.gateway.connect()
  const second = two.hold()
  service.emit(10)

  await first.close()
  service.emit(10)
  await vi.waitFor(() => expect(second.state).toBe('holding'), WAIT)
  service.emit(10)

  await vi.waitFor(() => expect(reader.numbers).toHaveLength(30), WAIT)
  expect(reader.numbers).toEqual(upTo(30))
  expect(first.state).toBe('closed')
})

test('a consumer resumes after an outage of Redis, and the next holder after lost writes', async () => {
  const redisServer = await startRedis({ isPersistent: true })
  const service = await startService()
  const { client, numbers, hold } = createProcess(await connectRedis(redisServer), service, { leaseMs: 1_000 })
  const holder = hold()
  await client.gateway.connect()
  service.emit(10)
  await vi.waitFor(() => expect(numbers).toHaveLength(10), WAIT)

  await redisServer.kill()
  service.emit(10)
  // Its lease has ended.
  await vi.waitFor(() => expect(holder.state).toBe('waiting'), WAIT)
  service.emit(10)
  await redisServer.start()

  await vi.waitFor(() => expect(numbers).toHaveLength(30), WAIT)
  service.emit(1)
  await vi.waitFor(() => expect(numbers).toHaveLength(31), WAIT)
  expect(numbers).toEqual(upTo(31))
})

test('a holder that is cut off from Redis disconnects and writes nothing after another has taken over', async () => {
  const { redisServer, service, redis } = await setUp()
  const own = await connectRedis(redisServer)
  const split = cuttable(own)
  const first = createProcess(split.connection, service, { leaseMs: 1_000 }).hold()
  await vi.waitFor(() => expect(first.state).toBe('holding'), WAIT)
  const two = createProcess(redis, service, { leaseMs: 1_000 })
  const second = two.hold()
  await two.client.gateway.connect()

  split.cut()
  service.emit(10)
  // On the connection of the holder, after what it has sent.
  const [seconds, micros] = await redis.time()
  const leaseMs = await own.pTTL(`${KEY}:lease`)
  const endsAt = Number(seconds) * 1_000 + Number(micros) / 1_000 + leaseMs
  // Ticks, not time: however long this process does not run, it is one.
  let ticks = 0
  const clock = setInterval(() => ticks++, 50)
  onTestFinished(() => clearInterval(clock))
  await vi.waitFor(() => expect(second.state).toBe('holding'), WAIT)
  expect(ticks * 50).toBeLessThan(leaseMs + 2_000)
  // The fencing token is the time of the takeover, by the clock of Redis.
  const takenAt = Number(await redis.hGet(`${KEY}:state`, 'fence'))
  expect(takenAt - endsAt).toBeGreaterThan(-5)
  split.restore()
  service.emit(10)

  await vi.waitFor(() => expect(two.numbers).toHaveLength(20), WAIT)
  await vi.waitFor(() => expect(first.state).toBe('waiting'), WAIT)
  expect(two.numbers).toEqual(upTo(20))
  expect(await redis.xLen(KEY)).toBe(21)
})

test('a stream that Redis has lost starts a new session, so that live stores load again', async () => {
  const { service, redis } = await setUp()
  const { client, numbers, hold } = createProcess(redis, service)
  hold()
  await client.gateway.connect()
  service.emit(5)
  await vi.waitFor(() => expect(numbers).toHaveLength(5), WAIT)
  let sessions = 0
  client.gateway.on('ready', () => {
    sessions += 1
  })

  await redis.flushAll()
  service.emit(1)

  await vi.waitFor(() => expect(sessions).toBeGreaterThan(0), WAIT)
  service.emit(1)
  await vi.waitFor(() => expect(numbers.at(-1)).toBe(7), WAIT)
})

test('a group delivers each event once to one of its consumers, in order, and continues after one ends', async () => {
  const { redisServer, service, redis } = await setUp()
  const { events, client, hold } = createProcess(redis, service)
  hold()
  await client.gateway.connect()
  service.emit(30)
  const seen: string[] = []
  const consume = async (name: string, count: number) => {
    const own = redisEvents(await connectRedis(redisServer), { stream: 'test', account: 'ada' })
    let left = count
    for await (const { type, data, ack } of own.read({ group: 'mailer' })) {
      if (type !== 'relationshipUpdate') {
        await ack()
        continue
      }
      seen.push(`${name}:${String(Object(data).nickname)}`)
      // The last one is not acknowledged.
      if (--left === 0) return
      await ack()
    }
  }

  await consume('one', 11)
  await consume('two', 20)

  const expected = [
    ...upTo(11).map((n) => `one:n${n}`),
    ...upTo(30)
      .slice(10)
      .map((n) => `two:n${n}`),
  ]
  expect(seen).toEqual(expected)
  expect(typeof events.read).toBe('function')
})

test('the gateway of a group receives what the group has not seen yet, also from before it connected', async () => {
  const { redisServer, service, redis } = await setUp()
  const holding = createProcess(redis, service)
  holding.hold()
  await holding.client.gateway.connect()
  service.emit(20)
  await vi.waitFor(() => expect(holding.numbers).toHaveLength(20), WAIT)

  const one = createProcess(await connectRedis(redisServer), service, { group: 'workers' })
  await one.client.gateway.connect()
  await vi.waitFor(() => expect(one.numbers).toEqual(upTo(20)), WAIT)
  one.client.dispose()
  service.emit(5)

  const two = createProcess(await connectRedis(redisServer), service, { group: 'workers' })
  await two.client.gateway.connect()
  await vi.waitFor(() => expect(two.numbers.at(-1)).toBe(25), WAIT)
  expect(two.numbers).toEqual(upTo(25).slice(20))
})

test('a client that is disposed at once leaves the group to others', async () => {
  const { service, redis } = await setUp()
  const holding = createProcess(redis, service)
  holding.hold()
  await holding.client.gateway.connect()
  service.emit(1)
  const one = createProcess(redis, service, { group: 'workers' })
  const disposed = new Promise<void>((resolve) => {
    one.client.gateway.on('dispatch', ({ type }) => {
      if (type !== 'ready') return
      one.client.dispose()
      resolve()
    })
  })
  one.client.gateway.connect().catch(() => {})
  await disposed
  const two = createProcess(redis, service, { group: 'workers' })
  await two.client.gateway.connect()
  two.client.dispose()

  await vi.waitFor(async () => expect(await redis.exists(`${KEY}:group:workers`)).toBe(0), WAIT)
})

test('a loop over the events ends with the reason of its signal', async () => {
  const { redis } = await setUp()
  const events = redisEvents(redis, { stream: 'test', account: 'ada' })
  const control = new AbortController()
  const next = events.read({ group: 'mailer', signal: control.signal }).next()
  await untilWaiting(redis, 'mailer')

  const reason = new Error('stop')
  control.abort(reason)

  await expect(next).rejects.toBe(reason)
})

test('a damaged event is an error that names the key, and the next loop continues after it', async () => {
  const { redis } = await setUp()
  const events = redisEvents(redis, { stream: 'test', account: 'ada' })
  await redis.xAdd(KEY, '5-1', { v: '1', t: 'relationshipUpdate', d: 'secret-value', s: '1' })
  await redis.xAdd(KEY, '5-2', { v: '1', t: 'relationshipUpdate', d: '{"id":"7"}', s: '2' })

  const error = await rejectionOf(events.read({ group: 'mailer' }).next(), isRapportError)
  expect(error.message).toContain(`${KEY} 5-1 is damaged`)
  expect(inspect(error, { depth: 9 })).not.toContain('secret-value')

  const reading = events.read({ group: 'mailer' })
  const { value } = await reading.next()
  await reading.return?.()
  expect(value).toMatchObject({ id: '5-2', type: 'relationshipUpdate', data: { id: '7' }, number: 2 })
})

test.each([KEY, `${KEY}:state`])('an invalid value in %s is an error that names the key, not a crash', async (key) => {
  const { service, redis } = await setUp()
  await redis.set(key, 'foreign')
  const { client, hold } = createProcess(redis, service)
  const holder = hold()
  const reasons: string[] = []
  client.gateway.on('stateChange', ({ reason = '' }) => reasons.push(reason))
  const connecting = client.gateway.connect().catch((error) => error)

  await vi.waitFor(() => expect(reasons.join()).toContain(KEY), WAIT)
  await vi.waitFor(() => expect(String(holder.lastError)).toContain(KEY), WAIT)
  client.gateway.disconnect()
  await connecting
})

test('a token that the service refuses closes the gateways of all processes for good', async () => {
  const { redisServer, service, redis } = await setUp()
  const refused = { ...service, token: 'secret-token' }
  const one = createProcess(redis, refused)
  const two = createProcess(await connectRedis(redisServer), refused)
  const holder = one.hold()

  const errors = await Promise.all([one, two].map(({ client }) => client.gateway.connect().catch((error) => error)))

  expect(errors.map(({ reason }) => reason)).toEqual(['closed_for_good', 'closed_for_good'])
  await vi.waitFor(() => expect(holder.state).toBe('failed'), WAIT)
  expect(String(holder.lastError)).not.toContain('secret-token')
  for (const key of await redis.keys('*')) expect(key).not.toContain('secret-token')
})

test('encrypted events and sessions are not readable in Redis', async () => {
  const { service, redis } = await setUp()
  const encrypt = [{ id: 'k1', key: crypto.getRandomValues(new Uint8Array(32)) }]
  const { client, numbers, hold } = createProcess(redis, service, { encrypt })
  const holder = hold()
  await client.gateway.connect()
  service.emit(3)
  await vi.waitFor(() => expect(numbers).toEqual([1, 2, 3]), WAIT)

  const stored = JSON.stringify([await redis.xRange(KEY, '-', '+'), await redis.hGetAll(`${KEY}:state`)])
  expect(stored).not.toMatch(/nickname|auth_session_id_hash/)
  await holder.close()
  const second = createProcess(redis, service, { encrypt })
  second.hold()
  service.emit(1)
  await vi.waitFor(() => expect(numbers).toEqual([1, 2, 3, 4]), WAIT)
})

test('a holder with a new key encrypts the session again, so that the old key can be removed', async () => {
  const { service, redis } = await setUp()
  const ring = (id: string) => ({ id, key: crypto.getRandomValues(new Uint8Array(32)) })
  const [old, current] = [ring('old'), ring('current')]
  const first = createProcess(redis, service, { encrypt: [old] })
  const holder = first.hold()
  await first.client.gateway.connect()
  await holder.close()

  const second = createProcess(redis, service, { encrypt: [current, old] }).hold()
  await vi.waitFor(() => expect(second.state).toBe('holding'), WAIT)
  await second.close()
  const third = createProcess(redis, service, { encrypt: [current] })
  third.hold()
  await third.client.gateway.connect()
  service.emit(1)

  await vi.waitFor(() => expect(third.numbers).toEqual([1]), WAIT)
  expect(service.service.gateway.sessions).toHaveLength(1)
})

test('the stream is bounded, and a group that is too far behind receives the number of events that it has missed', async () => {
  const { service, redis } = await setUp()
  const { client, events, numbers, hold } = createProcess(redis, service, { maxLength: 100 })
  hold()
  await client.gateway.connect()
  const loop = events.read({ group: 'slow' })
  onTestFinished(async () => void (await loop.return?.(undefined)))
  await loop.next()
  for (const count of upTo(20).map((step) => step * 50)) {
    service.emit(50)
    await vi.waitFor(() => expect(numbers).toHaveLength(count), WAIT)
  }

  expect(await redis.xLen(KEY)).toBeLessThan(400)
  let missed = 0
  let count = 0
  while (missed === 0) {
    const { value } = await loop.next()
    missed = Object(value).missed
    count += 1
  }
  expect(missed).toBeGreaterThan(500)
  expect(count).toBeLessThan(200)
})

test('a loop counts missed events also after Redis lost its data and the numbers started again', async () => {
  const { redis } = await setUp()
  const add = (id: string, t = 'relationshipUpdate') => redis.xAdd(KEY, id, { v: '1', t, d: '{}', s: '' })
  for (const id of ['5-1', '5-2', '5-3', '5-4', '5-5']) await add(id)
  const loop = redisEvents(redis, { stream: 'test', account: 'ada' }).read({ group: 'mailer' })
  onTestFinished(async () => void (await loop.return?.()))
  for (const _ of upTo(5)) await (await loop.next()).value?.ack()

  await redis.flushAll()
  await add('9-1', 'ready')
  for (const id of ['9-2', '9-4']) await add(id)

  const seen: unknown[] = []
  for (const _ of upTo(3)) {
    const { value } = await loop.next()
    seen.push([value?.id, value?.missed])
    await value?.ack()
  }
  expect(seen).toEqual([
    ['9-1', 0],
    ['9-2', 0],
    ['9-4', 1],
  ])
})

test('a loop counts no missed events after it was given events again', async () => {
  const { redisServer, redis } = await setUp()
  const other = await connectRedis(redisServer)
  const add = (id: string) => other.xAdd(KEY, id, { v: '1', t: 'relationshipUpdate', d: '{}', s: '' })
  for (const id of ['5-1', '5-2', '5-3']) await add(id)
  const loop = redisEvents(redis, { stream: 'test', account: 'ada' }).read({ group: 'mailer' })
  onTestFinished(async () => void (await loop.return?.()))
  await (await loop.next()).value?.ack()
  for (const _ of upTo(2)) await loop.next()
  const pending = loop.next()
  await other.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'])
  await add('5-4')

  const seen = [(await pending).value]
  while (seen.at(-1)?.id !== '5-4') seen.push((await loop.next()).value)
  expect(seen.map((event) => [event?.id, event?.missed])).toEqual([
    ['5-2', 0],
    ['5-3', 0],
    ['5-4', 0],
  ])
})

test('invalid options are reported together', () => {
  const create = () => redisEvents(Object({}), Object({ stream: '', account: 'a b', leaseMs: 5, typo: 1 }))

  expect(create).toThrow(/redis: expected.*stream: expected.*account: expected.*leaseMs: expected.*typo: unknown/s)
})

test('a stream with a colon is refused, because two accounts could share a key', () => {
  const create = () => redisEvents(Object({}), { stream: 'a:b', account: 'c' })

  expect(create).toThrow(/stream: expected a name without a colon/)
})
