import { RelationshipType } from 'rapport-sdk'
import { redisEvents } from 'rapport-sdk/redis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectLimited, connectRedis, cuttable } from '../servers/redis-server'
import { createProcess, KEY, setUp, startService, upTo, WAIT } from './events-set-up'

type Redis = Awaited<ReturnType<typeof connectRedis>>

const STATE = `${KEY}:state`

test('the holder writes a lost state again as a whole, and its session and its consumers continue', async () => {
  const { service, redisServer, redis } = await setUp()
  const encrypt = [{ id: 'k1', key: crypto.getRandomValues(new Uint8Array(32)) }]
  const first = createProcess(redis, service, { leaseMs: 5_000, encrypt })
  const holder = first.hold()
  await first.client.gateway.connect()
  service.emit(3)
  await vi.waitFor(() => expect(first.numbers).toEqual([1, 2, 3]), WAIT)
  const { ready: _, ...before } = await redis.hGetAll(STATE)

  await redis.del(STATE)
  await vi.waitFor(async () => expect(await redis.hGetAll(STATE)).toMatchObject(before), WAIT)
  await redis.del(STATE)
  service.emit(2)
  await vi.waitFor(() => expect(first.numbers).toEqual(upTo(5)), WAIT)

  // The session is whole: another process resumes it.
  await holder.close()
  service.emit(1)
  const second = createProcess(await connectRedis(redisServer), service, { leaseMs: 5_000, encrypt })
  second.hold()
  await vi.waitFor(() => expect(first.numbers).toEqual(upTo(6)), WAIT)
  expect(service.service.gateway.sessions).toHaveLength(1)
})

test.each(['stream', 'state', 'lease', 'all'])(
  'an account heals within a lease after Redis has evicted its %s, whether events follow or not',
  async (what) => {
    const { service, redis } = await setUp()
    const { client, numbers, hold } = createProcess(redis, service, { leaseMs: 1_000 })
    const holder = hold()
    await client.gateway.connect()
    const keys = { stream: [KEY], state: [STATE], lease: [`${KEY}:lease`] }
    const lost = what === 'all' ? Object.values(keys).flat() : keys[what as keyof typeof keys]

    for (const round of upTo(3)) {
      service.emit(1)
      await redis.del(lost)
      if (round > 1) service.emit(1)
      await vi.waitFor(async () => {
        expect(await redis.hmGet(STATE, ['v', 'up'])).toEqual(['1', '1'])
        expect(holder.state).toBe('holding')
        expect(client.gateway.state).toBe('ready')
      }, WAIT)
    }

    // A new session starts with the events after it.
    const seen = numbers.length
    await vi.waitFor(() => {
      service.emit(1)
      expect(numbers.length).toBeGreaterThan(seen)
    }, WAIT)
  },
)

test('a state that is lost while the service refuses the token is not refused by the next processes', async () => {
  const { redisServer, service, redis } = await setUp()
  const { hold } = createProcess(redis, service, { leaseMs: 1_000 })
  const holder = hold()
  await vi.waitFor(() => expect(holder.state).toBe('holding'), WAIT)

  const changed = new Promise((resolve) => holder.onChange(resolve))
  await redis.del(STATE)
  service.service.gateway.drop(4004)
  await changed
  expect([null, '1']).toContain(await redis.hGet(STATE, 'v'))
  await holder.close()

  const other = await startService()
  const next = createProcess(await connectRedis(redisServer), other, { leaseMs: 1_000 })
  next.hold()
  await next.client.gateway.connect()
  other.emit(1)
  await vi.waitFor(() => expect(next.numbers).toEqual([1]), WAIT)
})

test('numbers continue those of the stream if the state was lost while nobody held the connection', async () => {
  const { service, redis } = await setUp()
  const first = createProcess(redis, service)
  const holder = first.hold()
  await first.client.gateway.connect()
  service.emit(4)
  await vi.waitFor(() => expect(first.numbers).toEqual(upTo(4)), WAIT)
  await holder.close()

  await redis.del(STATE)
  const next = createProcess(redis, service)
  next.hold()
  await next.client.gateway.connect()

  const seen: unknown[] = []
  for await (const { type, number, ack } of redisEvents(redis, { stream: 'test', account: 'ada' }).read({
    group: 'mailer',
  })) {
    await ack()
    seen.push([type, number])
    if (number === 6) break
  }
  expect(seen).toEqual([['ready', 1], ...upTo(4).map((n) => ['relationshipUpdate', n + 1]), ['ready', 6]])
})

test.each([true, false])(
  'the first holder warns if Redis may evict keys that are in use (with a logger: %s)',
  async (hasLogger) => {
    const { service, redis, redisServer } = await setUp()
    await redis.configSet('maxmemory-policy', 'allkeys-lru')
    const warn = hasLogger ? vi.fn() : vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => void vi.restoreAllMocks())
    const { events, client } = createProcess(redis, service, hasLogger ? { logger: { warn } } : {})
    const options = { url: service.server.gatewayUrl }
    const holders = [events.hold(client, options), events.hold(client, options)]
    await vi.waitFor(() => expect(warn).toHaveBeenCalled(), WAIT)
    await client.gateway.connect()
    for (const holder of holders) await holder.close()

    expect(warn.mock.calls.map(([message]) => message)).toEqual([
      expect.stringMatching(/maxmemory-policy.*allkeys-lru.*noeviction/),
    ])
    await redis.configSet('maxmemory-policy', 'noeviction')
    const other = createProcess(await connectRedis(redisServer), service, hasLogger ? { logger: { warn } } : {})
    const last = other.hold()
    await vi.waitFor(() => expect(last.state).toBe('holding'), WAIT)
    expect(warn).toHaveBeenCalledTimes(1)
  },
)

test('no warning is given, and the holder works, if the memory policy cannot be read', async () => {
  const { service, redis, redisServer } = await setUp()
  await redis.configSet('maxmemory-policy', 'allkeys-lru')
  const limited = await connectLimited(redisServer, '&rapport:*', '-info')
  const warn = vi.fn()
  const { client, hold } = createProcess(limited, service, { logger: { warn } })
  hold()
  await client.gateway.connect()

  expect(warn).not.toHaveBeenCalled()
})

test('an account works again after Redis was full for a while and has evicted any of its keys', async () => {
  const { service, redis } = await setUp()
  const { client, numbers, hold } = createProcess(redis, service, { leaseMs: 1_000 })
  const member = createProcess(redis, service, { leaseMs: 1_000, group: 'workers' })
  const holder = hold()
  await Promise.all([client.gateway.connect(), member.client.gateway.connect()])
  const [, used = '0'] = /used_memory:(\d+)/.exec(await redis.info('memory')) ?? []
  await redis.configSet({ 'maxmemory-policy': 'allkeys-random', maxmemory: String(Number(used) + 100_000) })
  const evicted = async () => Number(/evicted_keys:(\d+)/.exec(await redis.info('stats'))?.[1])

  for (let round = 0; (await evicted()) < 300; round++) {
    service.emit(1)
    await redis.set(`filler:${round}`, 'x'.repeat(5_000)).catch(() => {})
  }
  await redis.configSet({ maxmemory: '0', 'maxmemory-policy': 'noeviction' })

  await vi.waitFor(() => expect(holder.state).toBe('holding'), WAIT)
  const seen = [numbers.length, member.numbers.length]
  await vi.waitFor(() => {
    service.emit(1)
    expect(numbers.length).toBeGreaterThan(Number(seen[0]))
    expect(member.numbers.length).toBeGreaterThan(Number(seen[1]))
  }, WAIT)
  expect(await redis.hGet(STATE, 'v')).toBe('1')
})

test.each([
  ['a stream that Redis has lost', (redis: Redis) => redis.del(KEY)],
  ['a stream whose newest events Redis has lost', (redis: Redis) => redis.xTrim(KEY, 'MAXLEN', 0)],
])('a client that was cut off loads its lists again because of %s, although no event follows', async (_, lose) => {
  const { service, redis, redisServer } = await setUp()
  createProcess(redis, service).hold()
  const split = cuttable(await connectRedis(redisServer))
  const { client } = createProcess(split.connection, service)
  await client.gateway.connect()
  const store = client.relationships.live()
  await store.ready
  const friend = service.service.users.create({ login: 'grace@example.test', username: 'grace' })

  split.cut()
  service.service.relationships.befriend(service.ada, friend)
  await vi.waitFor(async () => expect(Number(await redis.hGet(STATE, 'n'))).toBeGreaterThan(1), WAIT)
  await lose(redis)
  split.restore()

  await vi.waitFor(() => expect(store.filter(RelationshipType.FRIEND)).toHaveLength(1), WAIT)
  expect(store.stale).toBe(false)
})
