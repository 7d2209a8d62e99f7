import { Client } from 'rapport-sdk'
import { redisEvents, redisTokenStore } from 'rapport-sdk/redis'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { deferred } from '../deferred'
import { connectRedis, type RedisConnection } from '../servers/redis-server'
import { createProcess, KEY, setUp, upTo, WAIT } from './events-set-up'

/** Unhandled rejections of the test. */
const unhandled: unknown[] = []
const onUnhandled = (error: unknown) => void unhandled.push(error)
beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', onUnhandled)
})
afterEach(() => void process.off('unhandledRejection', onUnhandled))

/** Wraps a client that holds the reply to one command, until it is released: its number, or the first one that creates a key. */
function holding(redis: Awaited<ReturnType<typeof connectRedis>>, held: number | string) {
  let count = 0
  let hasHeld = false
  const { promise: released, resolve: release } = deferred<void>()
  const connection: RedisConnection = {
    isOpen: true,
    get isReady() {
      return redis.isReady
    },
    async sendCommand(args, options) {
      const isThis = ++count === held
      const reply = redis.sendCommand(args, options)
      const hasCreated = async () => {
        await Promise.allSettled([reply])
        return typeof held === 'string' && (await redis.exists(held)) === 1
      }
      // Only one: what comes after it would wait in any case.
      if (!isThis && (!(await hasCreated()) || hasHeld)) return reply
      hasHeld = true
      await Promise.allSettled([reply, released])
      return reply
    },
    duplicate: () => redis.duplicate(),
    on: (event, listener) => redis.on(event, listener),
  }
  const isHeld = () => hasHeld
  /** Resolves after the replies to five commands in a row: those of something that does not wait have one each before. */
  const pass = async () => {
    for (const _ of upTo(5)) await redis.ping()
  }
  return { connection, release, isHeld, pass }
}

const STEPS = upTo(8)

/** Emits events, each of which is written and read, until a command is held. */
async function emitUntil(isHeld: () => boolean, { emit }: { readonly emit: () => void }): Promise<void> {
  await vi.waitFor(() => {
    emit()
    expect(isHeld()).toBe(true)
  }, WAIT)
}

test.each(STEPS)('a holder that is closed during command %i leaves no lease and no connection', async (step) => {
  const { service, redisServer, redis } = await setUp()
  const { connection, release, isHeld, pass } = holding(await connectRedis(redisServer), step)
  const holder = createProcess(connection, service, { leaseMs: 600_000, commandTimeout: 60_000 }).hold()
  await emitUntil(isHeld, service)

  const closed = holder.close()
  await pass()
  release()
  await closed

  expect(await redis.exists(`${KEY}:lease`)).toBe(0)
  await vi.waitFor(() => expect(service.service.gateway.sessions.some(({ connected }) => connected)).toBe(false), WAIT)
  expect(holder.state).toBe('closed')
  expect(unhandled).toEqual([])
})

test('`close` of a holder resolves once the attempt that is running has given its lease back', async () => {
  const { service, redisServer, redis } = await setUp()
  const { connection, release, isHeld, pass } = holding(await connectRedis(redisServer), `${KEY}:lease`)
  const holder = createProcess(connection, service, { leaseMs: 600_000, commandTimeout: 60_000 }).hold()
  await vi.waitFor(() => expect(isHeld()).toBe(true), WAIT)

  let closed = 0
  const closing = [holder.close(), holder.close()].map((closes) => closes.then(() => closed++))
  await pass()
  expect(closed).toBe(0)
  release()
  await Promise.race(closing)

  expect(await redis.exists(`${KEY}:lease`)).toBe(0)
})

test('`close` of a holder resolves once a fatal close of the service is stored', async () => {
  const { service, redisServer } = await setUp()
  service.service.gateway.drop(4014, { at: 'identify' })
  const { connection, release, isHeld, pass } = holding(await connectRedis(redisServer), `${KEY}:failure`)
  const holder = createProcess(connection, service, { leaseMs: 600_000, commandTimeout: 60_000 }).hold()
  await vi.waitFor(() => expect(isHeld()).toBe(true), WAIT)

  let isClosed = false
  const closing = holder.close().then(() => {
    isClosed = true
  })
  await pass()
  expect(isClosed).toBe(false)
  release()
  await closing
})

test('a holder that its own listener closes leaves no lease and no connection', async () => {
  const { service, redis } = await setUp()
  const holder = createProcess(redis, service, { leaseMs: 600_000 }).hold()
  const closing = new Promise<void>((resolve) => {
    holder.onChange((state) => state === 'connecting' && resolve(holder.close()))
  })

  await closing

  expect(await redis.exists(`${KEY}:lease`)).toBe(0)
  await vi.waitFor(() => expect(service.service.gateway.sessions.some(({ connected }) => connected)).toBe(false), WAIT)
})

test.each(STEPS)(
  'a client that is disposed during command %i of its gateway leaves no lease of its group',
  async (step) => {
    const { service, redisServer, redis } = await setUp()
    const active = createProcess(redis, service)
    active.hold()
    await active.client.gateway.connect()
    const { connection, release, isHeld, pass } = holding(await connectRedis(redisServer), step)
    const options = { group: 'workers', leaseMs: 600_000, commandTimeout: 60_000 }
    const { client } = createProcess(connection, service, options)
    const connecting = client.gateway.connect().catch(() => {})
    await emitUntil(isHeld, service)

    client.dispose()
    await pass()
    release()
    await connecting

    await vi.waitFor(async () => expect(await redis.exists(`${KEY}:group:workers`)).toBe(0), WAIT)
    expect(unhandled).toEqual([])
  },
)

test.each(STEPS)('a loop that ends during command %i leaves no lease, and loses no event', async (step) => {
  const { service, redisServer, redis } = await setUp()
  const active = createProcess(redis, service)
  active.hold()
  await active.client.gateway.connect()
  service.emit(3)
  await vi.waitFor(() => expect(active.numbers).toHaveLength(3), WAIT)
  const { connection, release, isHeld, pass } = holding(await connectRedis(redisServer), step)
  const options = { stream: 'test', account: 'ada', leaseMs: 600_000, commandTimeout: 60_000 }
  const loop = redisEvents(connection, options).read({ group: 'mailer' })
  const seen: string[] = []
  const read = async (events: typeof loop) => {
    for await (const { data, ack } of events) {
      const nickname = String(Object(data).nickname)
      await ack()
      seen.push(nickname)
      if (nickname === 'n3') break
    }
  }
  let isRead = false
  const reading = read(loop).finally(() => {
    isRead = true
  })
  await vi.waitFor(() => expect(isHeld() || isRead).toBe(true), WAIT)

  const ended = loop.return?.()
  await pass()
  release()
  await Promise.all([reading, ended])
  await vi.waitFor(async () => expect(await redis.exists(`${KEY}:group:mailer`)).toBe(0), WAIT)

  if (!seen.includes('n3')) await read(redisEvents(redis, options).read({ group: 'mailer' }))
  expect(seen.at(-1)).toBe('n3')
  expect(unhandled).toEqual([])
})

test.each([1, 2, 3, 4])(
  'a client that is disposed during command %i of its token store leaves no subscription',
  async (step) => {
    const { redisServer, redis } = await setUp()
    await redisTokenStore(redis, 'ada').set({ token: 'token-1' })
    const { connection, release, isHeld, pass } = holding(await connectRedis(redisServer), step)
    const client = new Client({ baseUrl: 'https://service.example', tokenStore: redisTokenStore(connection, 'ada') })
    onTestFinished(() => client.dispose())
    let isSettled = false
    const settle = async () => {
      await client.ready
      await client.session.setToken('token-2')
    }
    const settled = settle()
      .catch(() => {})
      .finally(() => {
        isSettled = true
      })
    await vi.waitFor(() => expect(isHeld() || isSettled).toBe(true), WAIT)

    client.dispose()
    await pass()
    release()
    await settled

    const subscribers = async () =>
      (await redis.pubSubNumSub('rapport:1:token:{ada}:changes'))['rapport:1:token:{ada}:changes']
    await vi.waitFor(async () => expect(await subscribers()).toBe(0), WAIT)
    expect(unhandled).toEqual([])
  },
)
