import { type GatewayStateChange, isGatewayError } from 'rapport-sdk'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { deferred } from '../deferred'
import { allowMinutes, connectRedis, type RedisConnection, startRedis } from '../servers/redis-server'
import { createProcess, KEY, loseWrites, saveWrites, setUp, type startService, upTo } from './events-set-up'

allowMinutes()

/** Options of `vi.waitFor`: waits of the SDK plus a busy machine. */
const WAIT = { timeout: 150_000, interval: 10 }
const DEPLOYMENT_CODES = [4010, 4011, 4012, 4013, 4014]

/** Returns how often the account has tried to start a session. */
const identifies = ({ service }: Awaited<ReturnType<typeof startService>>) =>
  service.gateway.journal.filter(({ op }) => op === 'identify').length

test('a holder that was closed with 4004, or 4010 to 4014, fails, tries again, and recovers', async () => {
  const { service, redis } = await setUp()
  const { users, gateway } = service.service
  // All at the same time, because each waits 5 s.
  const recover = async (code: number) => {
    const user = users.create({ login: `${code}@example.test`, username: String(code) })
    gateway.drop(code, { at: 'identify', times: 1, user })
    const account = { server: service.server, token: service.service.token(user) }
    const holder = createProcess(redis, account, { account: String(code) }).hold()
    const states: string[] = []
    let failedAt = Infinity
    holder.onChange((state) => {
      states.push(state)
      if (state === 'failed') failedAt = performance.now()
    })
    await vi.waitFor(() => expect(holder.state).toBe('failed'), WAIT)
    expect(holder.lastError).toMatchObject({ reason: 'closed_for_good' })

    await vi.waitFor(() => expect(holder.state).toBe('holding'), WAIT)

    expect(performance.now() - failedAt).toBeGreaterThan(4_500)
    expect(holder.lastError).toBeUndefined()
    expect(states).toEqual(['connecting', 'failed', 'connecting', 'holding'])
    const failure = `rapport:1:events:{test:${code}}:failure`
    await vi.waitFor(async () => expect(await redis.exists(failure)).toBe(0), WAIT)
  }
  await Promise.all([4004, ...DEPLOYMENT_CODES].map(recover))
})

test('what Redis keeps of a fatal close has an end, and the waits after it double from 5 s to 5 min', async () => {
  const { service, redis } = await setUp()
  service.service.gateway.drop(4004, { at: 'identify' })
  const waits: number[] = []
  for (const count of upTo(9)) {
    // As if the wait were over, and the process another one.
    if (count > 1) await redis.hSet(`${KEY}:failure`, 'retry', 0)
    const own = redis.duplicate()
    onTestFinished(() => own.destroy())
    await own.connect()
    const holder = createProcess(own, service).hold()
    await vi.waitFor(async () => expect(await redis.hGet(`${KEY}:failure`, 'count')).toBe(String(count)), WAIT)
    const [seconds, micros] = await redis.time()
    const retry = Number(await redis.hGet(`${KEY}:failure`, 'retry'))
    waits.push(Math.ceil((retry - Number(seconds) * 1_000 - Number(micros) / 1_000) / 1_000))
    expect(await redis.pTTL(`${KEY}:failure`)).toBeGreaterThan(0)
    expect(await redis.pTTL(`${KEY}:failure`)).toBeLessThanOrEqual(600_000)
    await holder.close()
  }

  const expected = [5, 10, 20, 40, 80, 160, 300, 300, 300]
  for (const [index, wait] of waits.entries()) {
    expect(wait).toBeLessThanOrEqual(expected[index] ?? 0)
    expect(wait).toBeGreaterThan((expected[index] ?? 0) / 2)
  }
})

test('the first holders of other processes that fail during a wait do not prolong it', async () => {
  const { redisServer, service, redis } = await setUp()
  service.service.gateway.drop(4014, { at: 'identify' })
  const first = createProcess(redis, service).hold()
  await vi.waitFor(async () => expect(await redis.exists(`${KEY}:failure`)).toBe(1), WAIT)
  expect(first.state).toBe('failed')
  // So that the test does not depend on the time that the others need.
  const later = Date.now() + 3_600_000
  await redis.hSet(`${KEY}:failure`, 'retry', later)

  for (const count of upTo(3)) {
    const holder = createProcess(await connectRedis(redisServer), service).hold()
    await vi.waitFor(() => expect(identifies(service)).toBe(1 + count), WAIT)
    await vi.waitFor(() => expect(holder.state).toBe('failed'), WAIT)
    await holder.close()
  }

  expect(await redis.hGetAll(`${KEY}:failure`)).toMatchObject({ count: '1', retry: String(later) })
})

test('the first holder of a process tries at once, each later one waits with the others', async () => {
  const { redisServer, service, redis } = await setUp()
  const bad = createProcess(redis, service)
  const fault = service.service.gateway.drop(4014, { at: 'identify' })
  const first = bad.hold()
  await vi.waitFor(() => expect(first.state).toBe('failed'), WAIT)
  await first.close()
  // So that the test sees who waits for it.
  await redis.hSet(`${KEY}:failure`, 'retry', Date.now() + 3_600_000)
  const again = bad.hold()
  await vi.waitFor(() => expect(again.state).toBe('failed'), WAIT)
  expect(identifies(service)).toBe(1)
  fault.remove()

  const good = createProcess(await connectRedis(redisServer), service).hold()
  await vi.waitFor(() => expect(good.state).toBe('holding'), WAIT)

  await vi.waitFor(() => expect(again.state).toBe('waiting'), WAIT)
  expect(again.lastError).toBeUndefined()
  expect(identifies(service)).toBe(2)
})

test.each(DEPLOYMENT_CODES)(
  'after %i the gateways of an account wait, say why, and connect when a process can',
  async (code) => {
    const { redisServer, service, redis } = await setUp()
    const fault = service.service.gateway.drop(code, { at: 'identify' })
    const { client, hold } = createProcess(redis, service)
    const holder = hold()
    await vi.waitFor(() => expect(holder.state).toBe('failed'), WAIT)
    const changes: GatewayStateChange[] = []
    client.gateway.on('stateChange', (change) => changes.push(change))
    const connecting = client.gateway.connect()
    await vi.waitFor(
      () => expect(changes.map(({ reason }) => reason).join()).toContain(`${code}: Dropped by a fault`),
      WAIT,
    )
    fault.remove()

    const other = createProcess(await connectRedis(redisServer), service).hold()

    await connecting
    expect(other.state).toBe('holding')
    expect(changes.map(({ state }) => state)).not.toContain('closed')
  },
)

test('a process of another deployment continues the session of a holder that was closed with 4014', async () => {
  const { redisServer, service, redis } = await setUp()
  const reader = createProcess(await connectRedis(redisServer), service)
  const bad = createProcess(redis, service).hold()
  await reader.client.gateway.connect()
  service.emit(3)
  const other = createProcess(await connectRedis(redisServer), service).hold()
  await vi.waitFor(() => expect(reader.numbers).toHaveLength(3), WAIT)

  service.service.gateway.drop(4014)
  service.emit(3)

  await vi.waitFor(() => expect(other.state).toBe('holding'), WAIT)
  await vi.waitFor(() => expect(reader.numbers).toEqual(upTo(6)), WAIT)
  await vi.waitFor(() => expect(bad.state).toBe('waiting'), WAIT)
  expect(identifies(service)).toBe(1)
})

test('a process takes over at once if the holder fails while its own attempt is under way', async () => {
  const { redisServer, service, redis } = await setUp()
  // So that it does not take over because the lease ends.
  const options = { leaseMs: 3_600_000 }
  const bad = createProcess(redis, service, options).hold()
  await vi.waitFor(() => expect(bad.state).toBe('holding'), WAIT)
  const own = await connectRedis(redisServer)
  const subscribed = deferred<void>()
  const taken = deferred<void>()
  const refused = deferred<void>()
  const notified = deferred<void>()
  const connection: RedisConnection = {
    isOpen: true,
    isReady: true,
    async sendCommand(args, command) {
      const reply = await own.sendCommand(args, command)
      if (Array.isArray(reply) && String(reply[0]) === 'held') {
        refused.resolve()
        await notified.promise
      }
      return reply
    },
    duplicate: () => {
      const copy = own.duplicate()
      const subscribe = copy.subscribe.bind(copy)
      return Object.assign(copy, {
        async subscribe(channel: string, listener: (message: string) => void) {
          await subscribe(channel, (message) => {
            // The reply to the attempt comes before the timers of the notification.
            const later = setTimeout
            const timers = vi.spyOn(globalThis, 'setTimeout')
            timers.mockImplementation((run, ms = 0) => later(run, ms + 50))
            listener(message)
            timers.mockRestore()
            if (bad.state === 'failed') notified.resolve()
          })
          subscribed.resolve()
          // The start of a subscription leads to an attempt, too.
          await taken.promise
        },
      })
    },
    on: (event, listener) => own.on(event, listener),
  }
  const other = createProcess(connection, service, options).hold()
  await Promise.all([refused.promise, subscribed.promise])

  service.service.gateway.drop(4014)

  await vi.waitFor(() => expect(other.state).toBe('holding'), WAIT)
  taken.resolve()
})

test('a gateway is not closed for a failure that its own process is about to check', async () => {
  const { redisServer, service, redis } = await setUp()
  const fault = service.service.gateway.drop(4004, { at: 'identify' })
  const failed = createProcess(redis, service).hold()
  await vi.waitFor(() => expect(failed.state).toBe('failed'), WAIT)
  await failed.close()
  fault.remove()

  const { client, hold } = createProcess(await connectRedis(redisServer), service)
  const connecting = client.gateway.connect()
  const holder = hold()

  await connecting
  expect(holder.state).toBe('holding')
})

test('a holder says while the service cannot be reached, although Redis can', async () => {
  const { service, redis } = await setUp()
  const holder = createProcess(redis, service, { leaseMs: 30_000 }).hold()
  const states: string[] = []
  holder.onChange((state) => states.push(state))
  await vi.waitFor(() => expect(holder.state).toBe('holding'), WAIT)

  const sent = vi.spyOn(redis, 'sendCommand')
  const renewals = () => sent.mock.calls.filter(([args]) => args.includes(`${KEY}:lease`)).length
  const outage = service.service.gateway.refuse()
  service.service.gateway.drop()
  await vi.waitFor(() => expect(holder.lastError).toSatisfy(isGatewayError), WAIT)
  expect(holder.state).toBe('connecting')
  const before = renewals()
  // Renewals of the lease do not hide it.
  await vi.waitFor(() => expect(renewals()).toBeGreaterThan(before + 3), WAIT)
  await redis.ping()
  expect(holder.lastError).toMatchObject({ reason: 'connection_failed' })
  outage.remove()

  await vi.waitFor(() => expect(holder.state).toBe('holding'), WAIT)
  expect(holder.lastError).toBeUndefined()
  // Nobody waits for the account.
  expect(states).toEqual(['connecting', 'holding', 'connecting', 'holding'])
})

test('a holder that cannot reach the service for two leases gives the account to one that waits', async () => {
  const { redisServer, service, redis } = await setUp()
  const one = createProcess(redis, service, { leaseMs: 1_000 })
  /** Sockets of a process that is cut off from the service while `isCut`. */
  let isCut = false
  class Socket extends WebSocket {
    constructor(url: string) {
      super(isCut ? 'ws://127.0.0.1:1' : url)
    }
  }
  const away = one.events.hold(one.client, { url: service.server.gatewayUrl, WebSocket: Socket })
  onTestFinished(() => away.close())
  await one.client.gateway.connect()
  service.emit(3)
  await vi.waitFor(() => expect(one.numbers).toHaveLength(3), WAIT)
  const second = createProcess(await connectRedis(redisServer), service, { leaseMs: 1_000 }).hold()
  isCut = true
  service.service.gateway.drop()
  service.emit(3)

  await vi.waitFor(() => expect(second.state).toBe('holding'), WAIT)
  expect(away.state).not.toBe('holding')
  await vi.waitFor(() => expect(one.numbers).toEqual(upTo(6)), WAIT)
})

test('a write that a failover has lost is sent again with the next renewal, without another event', async () => {
  const { redisServer, service, redis } = await setUp()
  const replica = await startRedis()
  const reads = await connectRedis(replica)
  const { client, numbers, hold } = createProcess(redis, service, { leaseMs: 9_000 })
  const holder = hold()
  await client.gateway.connect()
  service.emit(5)
  await vi.waitFor(() => expect(numbers).toHaveLength(5), WAIT)
  await reads.replicaOf('127.0.0.1', redisServer.port)
  await vi.waitFor(async () => expect(await reads.xLen(KEY)).toBe(6), WAIT)
  await reads.sendCommand(['REPLICAOF', 'NO', 'ONE'])
  service.emit(4)
  await vi.waitFor(() => expect(numbers).toHaveLength(9), WAIT)

  // The replica has become the primary: it has not received the last events.
  const entries = (await reads.xRange(KEY, '-', '+')) ?? []
  const state = await reads.hGetAll(`${KEY}:state`)
  const transaction = redis.multi().del(KEY).del(`${KEY}:state`).hSet(`${KEY}:state`, state)
  for (const { id, message } of entries) transaction.xAdd(KEY, id, message)
  await transaction.exec()

  await vi.waitFor(async () => expect(await redis.xLen(KEY)).toBe(10), WAIT)
  expect(holder.state).toBe('holding')
  expect(identifies(service)).toBe(1)
})

test('a write that a failover has lost is sent again, also if the lease has changed hands since', async () => {
  const { service, redis } = await setUp()
  const { client, numbers, hold } = createProcess(redis, service, { leaseMs: 1_000 })
  hold()
  await client.gateway.connect()
  service.emit(4)
  await vi.waitFor(() => expect(numbers).toEqual(upTo(4)), WAIT)
  await saveWrites(redis, 'none')
  const before = await redis.get(`${KEY}:lease`)
  await redis.del(`${KEY}:lease`)
  await vi.waitFor(async () => expect([null, before]).not.toContain(await redis.get(`${KEY}:lease`)), WAIT)
  service.emit(4)
  await vi.waitFor(() => expect(numbers).toEqual(upTo(8)), WAIT)

  await loseWrites(redis, 'none')

  await vi.waitFor(async () => expect(await redis.xLen(KEY)).toBe(9), WAIT)
  expect(numbers).toEqual(upTo(8))
  expect(identifies(service)).toBe(1)
})
