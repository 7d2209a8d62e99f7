import { redisEvents } from 'rapport-sdk/redis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectRedis, cuttable, type RedisConnection } from '../servers/redis-server'
import { createProcess, KEY, setUp, upTo, WAIT } from './events-set-up'

const COUNT = 30
/** A batch with ten of them above {@link MAX_SIZE}. */
const padding = 'x'.repeat(500_000)
const MAX_SIZE = 3_000_000

/** Wraps a client of Redis for which a command or reply above {@link MAX_SIZE} takes longer than any `commandTimeout`. */
function slow(redis: RedisConnection): RedisConnection {
  return {
    isOpen: true,
    isReady: true,
    async sendCommand(args, options) {
      if (args.join('').length > MAX_SIZE) return new Promise(() => {})
      const reply = await redis.sendCommand(args, options)
      return JSON.stringify(reply).length > MAX_SIZE ? new Promise(() => {}) : reply
    },
    duplicate: () => redis.duplicate(),
    on: (event, listener) => redis.on(event, listener),
  }
}

function emitLarge({ service, ada }: Awaited<ReturnType<typeof setUp>>['service']): void {
  for (const number of upTo(COUNT)) {
    const event = { id: '7', nickname: `n${number}`, type: 1, padding }
    service.gateway.emit('Relationship Update', event, { to: ada })
  }
}

test('a loop receives a backlog of large events, although all of them take longer than `commandTimeout`', async () => {
  const { redis } = await setUp()
  for (const number of upTo(COUNT))
    await redis.xAdd(KEY, `5-${number}`, { v: '1', t: 'relationshipUpdate', d: JSON.stringify(padding), s: '' })
  const loop = redisEvents(slow(redis), { stream: 'test', account: 'ada' }).read({ group: 'mailer' })
  onTestFinished(async () => void (await loop.return?.()))

  for (const number of upTo(COUNT)) {
    const { value } = await loop.next()
    expect(value).toMatchObject({ number, missed: 0, data: padding })
    await value?.ack()
  }
})

test.each([undefined, 'workers'])(
  'a gateway that was cut off receives a backlog of large events and those after it (group %s)',
  async (group) => {
    const { service, redis, redisServer } = await setUp()
    createProcess(redis, service).hold()
    const { connection, cut, restore } = cuttable(slow(await connectRedis(redisServer)))
    const { client, numbers } = createProcess(connection, service, group === undefined ? {} : { group })
    await client.gateway.connect()

    cut()
    emitLarge(service)
    await vi.waitFor(async () => expect(await redis.xLen(KEY)).toBe(COUNT + 1), WAIT)
    restore()

    await vi.waitFor(() => expect([numbers, client.gateway.state]).toEqual([upTo(COUNT), 'ready']), WAIT)
  },
)

test('a holder that was cut off publishes its backlog of large events', async () => {
  const { service, redis, redisServer } = await setUp()
  const { connection, cut, restore } = cuttable(slow(await connectRedis(redisServer)))
  const holder = createProcess(connection, service, { leaseMs: 600_000 }).hold()
  const { client, numbers } = createProcess(redis, service)
  await client.gateway.connect()

  cut()
  emitLarge(service)
  await vi.waitFor(() => expect(String(holder.lastError)).toContain('did not reply'), WAIT)
  restore()

  await vi.waitFor(() => expect(numbers).toEqual(upTo(COUNT)), WAIT)
})
