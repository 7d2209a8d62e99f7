import { redisEvents, redisTokenStore } from 'rapport-sdk/redis'
import { createClient } from 'redis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectLimited, connectRedis, cuttable, type RedisConnection, startRedis } from '../servers/redis-server'
import { reasonOf } from '../transport/rejection'
import { createProcess, KEY, positionOf, setUp, startService, untilWaiting, upTo, WAIT } from './events-set-up'

/** A `commandTimeout` that no test waits for. */
const LONG = 3_600_000

test('an invalid entry at the end of the stream does not stop the events after it', async () => {
  const { service, redis } = await setUp()
  const { client, numbers, hold } = createProcess(redis, service)
  hold()
  await client.gateway.connect()
  service.emit(2)
  await vi.waitFor(() => expect(numbers).toEqual([1, 2]), WAIT)

  await redis.xAdd(KEY, '*', { foreign: 'entry' })
  service.emit(3)

  await vi.waitFor(() => expect(numbers).toEqual([1, 2, 3, 4, 5]), WAIT)
})

test('a holder that may not write keeps its events, and its `lastError` says why until it may again', async () => {
  const { service, redis } = await setUp()
  const { client, numbers, hold } = createProcess(redis, service)
  const holder = hold()
  await client.gateway.connect()

  await redis.configSet('maxmemory', '1')
  service.emit(2)
  await vi.waitFor(() => expect(String(holder.lastError)).toContain(`OOM (${KEY})`), WAIT)
  await redis.configSet('maxmemory', '0')

  await vi.waitFor(() => expect(numbers).toEqual([1, 2]), WAIT)
  await vi.waitFor(() => expect(holder.lastError).toBeUndefined(), WAIT)
})

test('a holder that may not write closes without waiting for the end of its lease', async () => {
  const { service, redis } = await setUp()
  const { numbers, client, hold } = createProcess(redis, service, { leaseMs: 600_000 })
  const holder = hold()
  await client.gateway.connect()
  await redis.configSet('maxmemory', '1')
  service.emit(2)
  await vi.waitFor(() => expect(String(holder.lastError)).toContain('OOM'), WAIT)

  await holder.close()
  await redis.configSet('maxmemory', '0')
  hold()

  // The service sends them again.
  await vi.waitFor(() => expect(numbers).toEqual([1, 2]), WAIT)
})

test('a user of Redis without permission for the channels is an error of the holder', async () => {
  const { redisServer, service } = await setUp()
  const limited = await connectLimited(redisServer, 'resetchannels')
  const holder = createProcess(limited, service).hold()

  await vi.waitFor(() => expect(String(holder.lastError)).toMatch(/NOPERM.*&rapport:\*/), WAIT)
})

test('a command that waits for Redis does not poll', async () => {
  const { redis } = await setUp()
  const { connection, cut } = cuttable(redis)
  const isReady = vi.spyOn(connection, 'isReady', 'get')
  cut()

  const failed = reasonOf(Promise.resolve(redisTokenStore(connection, 'ada').get()))

  expect(String(await failed)).toContain('Redis did not reply within 2000 ms')
  expect(isReady.mock.calls.length).toBeLessThan(5)
})

test('a command that no longer waits for Redis does not end the wait of another one', async () => {
  const { redis } = await setUp()
  const { connection, cut, restore } = cuttable(redis)
  const store = redisTokenStore(connection, 'ada', { commandTimeout: LONG })
  const impatient = redisTokenStore(connection, 'grace', { commandTimeout: 20 })
  cut()

  const waiting = store.get()
  await reasonOf(Promise.resolve(impatient.get()))
  restore()

  expect(await waiting).toBeNull()
})

test('an acknowledgement waits until Redis is back', async () => {
  const { redisServer, service, redis } = await setUp()
  const { events, hold, client } = createProcess(redis, service, { commandTimeout: 500 })
  hold()
  await client.gateway.connect()
  const loop = events.read({ group: 'mailer' })
  onTestFinished(async () => void (await loop.return?.()))
  const { value } = await loop.next()

  redisServer.freeze()
  const sent = vi.spyOn(redis, 'sendCommand')
  const acknowledged = value?.ack()
  // It has failed, and is sent again.
  await vi.waitFor(() => expect(sent.mock.calls.length).toBeGreaterThanOrEqual(2), WAIT)
  redisServer.thaw()

  await acknowledged
  expect(await positionOf(redis, 'mailer')).toBe(value?.number)
})

test('`return` ends a loop that waits for an event', async () => {
  const { redis } = await setUp()
  const loop = redisEvents(redis, { stream: 'test', account: 'ada' }).read({ group: 'mailer' })
  const next = loop.next()
  await untilWaiting(redis, 'mailer')

  const ended = await loop.return?.()

  expect([await next, ended]).toEqual(Array(2).fill({ done: true, value: undefined }))
  await vi.waitFor(async () => expect(await redis.exists(`${KEY}:group:mailer`)).toBe(0), WAIT)
})

test('`return` ends a loop whose event is damaged and cannot be acknowledged, because Redis fails', async () => {
  const { redis } = await setUp()
  await redis.xAdd(KEY, '*', { v: '1', d: 'damaged' })
  let isDown = false
  const connection: RedisConnection = {
    isOpen: true,
    isReady: true,
    async sendCommand(args, options) {
      if (isDown) throw new Error('ECONNRESET')
      const reply = await redis.sendCommand(args, options)
      isDown = JSON.stringify(reply)?.includes('damaged') ?? false
      return reply
    },
    duplicate: () => redis.duplicate(),
    on: (event, listener) => redis.on(event, listener),
  }
  const loop = redisEvents(connection, { stream: 'test', account: 'ada' }).read({ group: 'mailer' })
  const next = loop.next().catch((error: Error) => error)
  await vi.waitFor(() => expect(isDown).toBe(true), WAIT)

  const ended = await loop.return?.()
  expect(ended).toMatchObject({ done: true })
  expect(String(await next)).toContain(KEY)
})

test('a loop rejects when the app closes its client of Redis, whatever `commandTimeout` is', async () => {
  const { redis } = await setUp()
  const next = redisEvents(redis, { stream: 'test', account: 'ada', commandTimeout: LONG })
    .read({ group: 'mailer' })
    .next()
  const rejection = reasonOf(next)
  await untilWaiting(redis, 'mailer')

  redis.destroy()

  expect(String(await rejection)).toContain('closed')
})

test('commands reject at once, and say why, if the app has closed its client or closes it while they wait', async () => {
  const { redisServer, redis } = await setUp()
  const events = redisEvents(redis, { stream: 'test', account: 'ada', commandTimeout: LONG })
  const tokens = redisTokenStore(redis, 'ada', { commandTimeout: LONG })
  await redisServer.kill()
  await vi.waitFor(() => expect(redis.isReady).toBe(false), WAIT)
  const waiting = reasonOf(Promise.resolve(tokens.get()))

  redis.destroy()

  expect(String(await waiting)).toContain('The client of Redis is closed (rapport:1:token:{ada})')
  expect(String(await reasonOf(Promise.resolve(tokens.get())))).toContain('is closed')
  expect(String(await reasonOf(events.remove()))).toContain(`is closed (${KEY})`)
})

test('a command waits for a client that the app connects later', async () => {
  const { redisServer } = await setUp()
  const redis = createClient({ socket: { port: redisServer.port, host: '127.0.0.1' } }).on('error', () => {})
  onTestFinished(() => redis.destroy())
  const token = redisTokenStore(redis, 'ada', { commandTimeout: LONG }).get()

  await redis.connect()

  expect(await token).toBeNull()
})

test.each([undefined, 'workers'])(
  'a gateway and its live stores notice a lost connection to Redis at once, and lose no event (group %s)',
  async (group) => {
    const redisServer = await startRedis({ isPersistent: true })
    const service = await startService()
    const redis = await connectRedis(redisServer)
    const { client, numbers, hold } = createProcess(redis, service, group === undefined ? {} : { group })
    hold()
    await client.gateway.connect()
    const store = client.relationships.live()
    await store.ready
    expect(store.stale).toBe(false)

    await redisServer.kill()
    await vi.waitFor(() => expect(redis.isReady).toBe(false), WAIT)
    await vi.waitFor(() => expect(store.stale).toBe(true), { interval: 5 })
    expect(client.gateway.state).not.toBe('ready')
    service.emit(5)
    await redisServer.start()

    await vi.waitFor(() => expect(numbers).toEqual(upTo(5)), WAIT)
    await vi.waitFor(() => expect([client.gateway.state, store.stale]).toEqual(['ready', false]), WAIT)
  },
)

test('all accounts share the listeners on the client of Redis, and remove them when they end', async () => {
  const { redisServer, service, redis } = await setUp()
  const other = createProcess(await connectRedis(redisServer), service)
  other.hold()
  await other.client.gateway.connect()
  const counts = () => redis.eventNames().map((name) => [name, redis.listenerCount(name)])
  const before = counts()

  const processes = upTo(20).map(() => createProcess(redis, service))
  await Promise.all(processes.map(({ client }) => client.gateway.connect()))
  expect(counts().every(([, count]) => Number(count) <= 2)).toBe(true)
  expect(counts().length).toBeGreaterThan(before.length)
  for (const { client } of processes) client.dispose()

  await vi.waitFor(() => expect(counts()).toEqual(before), WAIT)
})

test('a gateway reconnects after the app has closed its client of Redis and connected it again', async () => {
  const { service, redis } = await setUp()
  const { client, numbers, hold } = createProcess(redis, service, { leaseMs: 1_000 })
  hold()
  await client.gateway.connect()

  redis.destroy()
  await vi.waitFor(() => expect(client.gateway.state).not.toBe('ready'), { interval: 5 })
  service.emit(3)
  await redis.connect()

  await vi.waitFor(() => expect(numbers).toEqual([1, 2, 3]), WAIT)
})
