import { setImmediate as tick } from 'node:timers/promises'
import fc from 'fast-check'
import { type RedisEvent, redisEvents } from 'rapport-sdk/redis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectRedis, startRedis } from '../servers/redis-server'
import { createProcess, KEY, setUp, upTo, WAIT } from './events-set-up'

type Redis = Awaited<ReturnType<typeof connectRedis>>

const options = { stream: 'test', account: 'ada' }

/** Publishes the events with these numbers, as a holder does. */
async function add(redis: Redis, from: number, to: number) {
  for (let number = from; number <= to; number++)
    await redis.xAdd(KEY, `5-${number}`, { v: '1', t: 'relationshipUpdate', d: '{}', s: '' })
}

/** Removes all events from the stream but the newest ones. */
const trim = (redis: Redis, length: number) => redis.xTrim(KEY, 'MAXLEN', length)

function open(redis: Redis) {
  const loop = redisEvents(redis, options).read({ group: 'mailer' })
  onTestFinished(async () => void (await loop.return?.()))
  return loop
}

async function next(loop: AsyncIterator<RedisEvent>): Promise<RedisEvent> {
  const { value } = await loop.next()
  return value
}

test('a loop that was not running receives the exact number of trimmed events with its first event', async () => {
  const { redis } = await setUp()
  await add(redis, 1, 6)
  const first = open(redis)
  await (await next(first)).ack()
  await first.return?.()

  await add(redis, 7, 900)
  await trim(redis, 5)

  const second = open(redis)
  expect(await next(second)).toMatchObject({ number: 896, missed: 894 })
  expect(await next(second)).toMatchObject({ number: 897, missed: 0 })
})

test('events that were delivered, not acknowledged, and trimmed are missed by the next consumer, until it acknowledges', async () => {
  const { redis } = await setUp()
  await add(redis, 1, 10)
  const first = open(redis)
  const events = []
  for (const _ of upTo(8)) events.push(await next(first))
  // An event acknowledges those before it.
  for (const index of [1, 0, 4]) await events[index]?.ack()
  await first.return?.()
  await trim(redis, 2)

  for (const _ of upTo(2)) {
    const loop = open(redis)
    // 6, 7 and 8.
    expect(await next(loop)).toMatchObject({ number: 9, missed: 3 })
    await loop.return?.()
  }
  const last = open(redis)
  await (await next(last)).ack()
  await last.return?.()
  expect(await next(open(redis))).toMatchObject({ number: 10, missed: 0 })
})

test('a slow loop misses nothing that it was given before the stream dropped it', async () => {
  const { redis } = await setUp()
  await add(redis, 1, 50)
  const loop = open(redis)
  const seen = [await next(loop)]
  await trim(redis, 1)
  for (const _ of upTo(49)) {
    const event = await next(loop)
    await event.ack()
    seen.push(event)
  }

  expect(seen.map(({ number }) => number)).toEqual(upTo(50))
  expect(seen.every(({ missed }) => missed === 0)).toBe(true)
  await seen[0]?.ack()
  await loop.return?.()
  await add(redis, 51, 51)
  expect(await next(open(redis))).toMatchObject({ number: 51, missed: 0 })
})

test('an event and those before it are not delivered again once it is acknowledged, also after the loop ended', async () => {
  const { redis } = await setUp()
  await add(redis, 1, 5)
  const first = open(redis)
  const events = []
  for (const _ of upTo(4)) events.push(await next(first))
  await events[1]?.ack()
  await first.return?.()
  const second = open(redis)
  expect(await next(second)).toMatchObject({ number: 3, missed: 0 })
  await second.return?.()
  await events[3]?.ack()

  expect(await next(open(redis))).toMatchObject({ number: 5, missed: 0 })
})

test('events that were lost with the stream are missed, if Redis still has the position of the group', async () => {
  const { redis } = await setUp()
  await add(redis, 1, 9)
  const first = open(redis)
  for (const _ of upTo(3)) await (await next(first)).ack()
  await next(first)
  await first.return?.()

  await redis.del(KEY)
  await add(redis, 21, 22)

  const second = open(redis)
  expect(await next(second)).toMatchObject({ number: 21, missed: 17 })
  await redis.del(`${KEY}:groups`)
  // It still knows the position.
  expect(await next(second)).toMatchObject({ number: 22, missed: 0 })
})

test('events that were lost with the stream and the position of the group are missed, if Redis still has the state', async () => {
  const { service, redis } = await setUp()
  const { client, hold } = createProcess(redis, service)
  hold()
  await client.gateway.connect()
  service.emit(9)
  const first = open(redis)
  for (const _ of upTo(4)) await (await next(first)).ack()
  await first.return?.()
  await vi.waitFor(async () => expect(await redis.hGet(`${KEY}:state`, 'n')).toBe('10'), WAIT)

  await redis.del([KEY, `${KEY}:groups`])
  service.emit(1)

  const second = open(redis)
  expect(await next(second)).toMatchObject({ number: 11, missed: 6 })
})

test('a group starts with the oldest event, and misses none, if Redis has lost all that it knew of it', async () => {
  const { redis } = await setUp()
  await add(redis, 1, 6)
  const first = open(redis)
  for (const _ of upTo(2)) await (await next(first)).ack()
  await first.return?.()

  await trim(redis, 3)
  await redis.del(`${KEY}:groups`)

  expect(await next(open(redis))).toMatchObject({ number: 4, missed: 0 })
})

test('`missed` is exactly the number of events that were trimmed and never acknowledged, in any interleaving', async () => {
  const redisServer = await startRedis()
  const redis = await connectRedis(redisServer)
  const step = fc.oneof(
    fc.record({ kind: fc.constant('emit' as const), count: fc.integer({ min: 1, max: 12 }) }),
    fc.record({ kind: fc.constant('read' as const), count: fc.integer({ min: 1, max: 8 }) }),
    fc.record({ kind: fc.constant('ack' as const), count: fc.integer({ min: 0, max: 9 }) }),
    fc.record({ kind: fc.constant('trim' as const), count: fc.integer({ min: 0, max: 12 }) }),
    fc.record({ kind: fc.constantFrom('crash' as const, 'leave' as const), count: fc.constant(0) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      await redis.flushAll()
      let emitted = 0
      let loop = redisEvents(redis, options).read({ group: 'mailer' })
      /** Events of this consumer that are not acknowledged. */
      let open: RedisEvent[] = []
      const acknowledged = new Set<number>()
      let missed = 0
      let handed = 0
      const end = async () => {
        await loop.return?.()
        open = []
        loop = redisEvents(redis, options).read({ group: 'mailer' })
      }
      const read = async () => {
        const event = await next(loop)
        handed = event.number
        open.push(event)
      }
      const settle = (event: RedisEvent) => {
        expect(acknowledged.has(event.number)).toBe(false)
        acknowledged.add(event.number)
        missed += event.missed
      }
      const acknowledge = async (event: RedisEvent) => {
        await event.ack()
        settle(event)
      }
      // The group exists from the start.
      const first = loop.next()
      await vi.waitFor(async () => expect(await redis.hGet(`${KEY}:groups`, 'mailer')).not.toBeNull(), WAIT)
      await loop.return?.()
      await first
      loop = redisEvents(redis, options).read({ group: 'mailer' })
      for (const { kind, count } of steps) {
        if (kind === 'emit') {
          await add(redis, emitted + 1, emitted + count)
          emitted += count
        } else if (kind === 'read') {
          for (let left = count; left > 0; left--) {
            const more = await redis.xRange(KEY, `(5-${handed}`, '+')
            if (more?.length) await read()
          }
        } else if (kind === 'ack') {
          const events = open.splice(0, count + 1)
          await events.at(-1)?.ack()
          for (const event of events) settle(event)
        } else if (kind === 'trim') await trim(redis, count)
        else {
          if (kind === 'leave') for (const event of open) await acknowledge(event)
          await end()
          handed = Math.max(0, ...acknowledged) === emitted ? emitted : 0
          if (handed === 0) {
            // Unknown without a look: only what is there may be read.
            const left = await redis.xRange(KEY, '-', '+')
            const due = (left ?? [])
              .map(({ id }) => Number(id.split('-')[1]))
              .filter((number) => !acknowledged.has(number))
            handed = Math.min(...due, emitted + 1) - 1
          }
        }
        await tick()
      }
      // At the end everything is handled.
      await end()
      await add(redis, emitted + 1, emitted + 1)
      emitted += 1
      for (let number = 0; number !== emitted; ) {
        const event = await next(loop)
        number = event.number
        await acknowledge(event)
      }
      await loop.return?.()
      expect(acknowledged.size + missed).toBe(emitted)
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 30) },
  )
})

test('a slow loop receives the number of events that were trimmed after Redis lost its data and the numbers started again', async () => {
  const { redis } = await setUp()
  await add(redis, 1, 30)
  const loop = open(redis)
  for (const _ of upTo(30)) await (await next(loop)).ack()

  await redis.flushAll()
  for (const number of upTo(20))
    await redis.xAdd(KEY, `9-${number}`, { v: '1', t: 'relationshipUpdate', d: '{}', s: '' })
  await trim(redis, 5)

  expect(await next(loop)).toMatchObject({ number: 16, missed: 15 })
  expect(await next(loop)).toMatchObject({ number: 17, missed: 0 })
})

test('events that never reached the holder are missed, and Redis has no list of a Ready', async () => {
  const { service, redis } = await setUp({ policy: { gateway: { readySnapshot: true } } })
  const { ada, service: mock } = service
  mock.relationships.request(mock.users.create({ login: 'grace@example.test' }), ada)
  createProcess(redis, service).hold()
  const loop = open(redis)
  expect(await next(loop)).toMatchObject({ type: 'ready', missed: 0 })
  const stored = JSON.parse((await redis.hGet(`${KEY}:state`, 'ready')) ?? '')
  expect(stored).toHaveProperty('session_id')
  expect(Object.values(stored).filter(Array.isArray)).toEqual([])

  mock.gateway.sendRaw({ op: 0, t: 'RELATIONSHIP_UPDATE', s: 900, d: { id: '7', type: 1 } })

  expect(await next(loop)).toMatchObject({ type: 'relationshipUpdate', missed: 1 })
})
