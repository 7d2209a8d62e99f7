import { redisEvents, redisRateLimits, redisTokenStore } from 'rapport-sdk/redis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { reasonOf } from '../transport/rejection'
import { createProcess, KEY, setUp, WAIT } from './events-set-up'

const HIGHEST_ID = '18446744073709551615-18446744073709551615'

test.each([
  ['a string in place of the stream', KEY, ['SET', KEY, 'foreign']],
  ['an entry with the highest ID', KEY, ['XADD', KEY, HIGHEST_ID, 'foreign', 'entry']],
  ['a string in place of the state', `${KEY}:state`, ['SET', `${KEY}:state`, 'foreign']],
  ['a state of another version', `${KEY}:state`, ['HSET', `${KEY}:state`, 'v', '2']],
  ['a fencing token that is no number', `${KEY}:state`, ['HSET', `${KEY}:state`, 'v', '1', 'fence', 'foreign']],
  ['a fencing token that is too high', `${KEY}:state`, ['HSET', `${KEY}:state`, 'v', '1', 'fence', '9'.repeat(20)]],
  ['a number that is none', `${KEY}:state`, ['HSET', `${KEY}:state`, 'v', '1', 'n', 'foreign']],
  ['a Ready that is not JSON', `${KEY}:state`, ['HSET', `${KEY}:state`, 'v', '1', 'n', '0', 'ready', 'foreign']],
  ['a list in place of the lease', `${KEY}:lease`, ['RPUSH', `${KEY}:lease`, 'foreign']],
  ['a lease that does not end', `${KEY}:lease`, ['SET', `${KEY}:lease`, 'foreign']],
])('%s is an error of the holder that names the key, until the key is deleted', async (_, key, command) => {
  const { service, redis } = await setUp()
  await redis.sendCommand(command)
  const { client, numbers, hold } = createProcess(redis, service)
  const holder = hold()
  client.gateway.connect().catch(() => {})

  await vi.waitFor(() => expect(String(holder.lastError)).toContain(`the Redis key ${key} is damaged`), WAIT)
  expect(String(holder.lastError)).toContain('Delete it')
  expect(String(holder.lastError)).not.toContain('foreign')

  await redis.del(key)
  await vi.waitFor(() => expect(client.gateway.state).toBe('ready'), WAIT)
  service.emit(2)
  await vi.waitFor(() => expect(numbers).toEqual([1, 2]), WAIT)
  expect(holder.lastError).toBeUndefined()
})

test('an entry with the highest ID during a session is an error of the holder and of consumers, until the key is deleted', async () => {
  const { service, redis } = await setUp()
  const { client, numbers, hold } = createProcess(redis, service)
  const holder = hold()
  const reasons: string[] = []
  client.gateway.on('stateChange', ({ reason = '' }) => reasons.push(reason))
  await client.gateway.connect()
  service.emit(1)
  await vi.waitFor(() => expect(numbers).toEqual([1]), WAIT)

  await redis.xAdd(KEY, HIGHEST_ID, { foreign: 'entry' })
  service.emit(1)
  await vi.waitFor(() => expect(String(holder.lastError)).toContain(`the Redis key ${KEY} is damaged`), WAIT)
  await vi.waitFor(() => expect(reasons.join()).toContain(KEY), WAIT)

  await redis.del(KEY)
  await vi.waitFor(() => expect(numbers).toEqual([1, 2]), WAIT)
  service.emit(1)
  await vi.waitFor(() => expect(numbers).toEqual([1, 2, 3]), WAIT)
})

test.each([
  ['a list in place of the lease', ['RPUSH', `${KEY}:group:mailer`, 'foreign']],
  ['a lease that does not end', ['SET', `${KEY}:group:mailer`, 'foreign']],
])('%s of a group is an error that names the key', async (_, command) => {
  const { redis } = await setUp()
  await redis.sendCommand(command)
  const loop = redisEvents(redis, { stream: 'test', account: 'ada' }).read({ group: 'mailer' })
  onTestFinished(async () => void (await loop.return?.()))

  expect(String(await reasonOf(loop.next()))).toContain(`the Redis key ${KEY}:group:mailer is damaged`)
})

test('names with control characters, or that UTF-8 does not have, are refused', async () => {
  const { redis } = await setUp()
  for (const name of ['\0', '\u202e', '\ud800', '\x1b[31m']) {
    expect(() => redisTokenStore(redis, `ada${name}`)).toThrow(/key: expected a string of 1 to 200 characters/)
    expect(() => redisRateLimits(redis, `ada${name}`)).toThrow(/prefix: expected a string of 1 to 200 characters/)
    expect(() => redisEvents(redis, { stream: `a${name}`, account: `b${name}` })).toThrow(/stream: .*\n.*account: /)
    const events = redisEvents(redis, { stream: 'test', account: 'ada' })
    expect(() => events.read({ group: `a${name}` })).toThrow(/group: expected a string of 1 to 200 characters/)
  }
})

/** Reads the events of a group. */
function openLoop(redis: Parameters<typeof redisEvents>[0]) {
  const loop = redisEvents(redis, { stream: 'test', account: 'ada' }).read({ group: 'mailer' })
  onTestFinished(async () => void (await loop.return?.()))
  return loop
}

test('a loop skips a damaged event once those before it are acknowledged', async () => {
  const { redis } = await setUp()
  for (const [index, d] of ['{}', 'foreign', '{}'].entries())
    await redis.xAdd(KEY, `5-${index + 1}`, { v: '1', t: 'relationshipUpdate', d })
  const first = openLoop(redis)
  await first.next()
  expect(String(await reasonOf(first.next()))).toContain('5-2 is damaged')
  const second = openLoop(redis)
  const { value } = await second.next()
  expect(value).toMatchObject({ number: 1 })
  await value?.ack()
  expect(String(await reasonOf(second.next()))).toContain('5-2 is damaged')

  expect((await openLoop(redis).next()).value).toMatchObject({ number: 3, missed: 0 })
})

test('an entry with the highest ID is an error of the loops of a group until the stream is deleted, and not after that', async () => {
  const { redis } = await setUp()
  const add = (number: number) => redis.xAdd(KEY, `5-${number}`, { v: '1', t: 'relationshipUpdate', d: '{}' })
  await add(1)
  await redis.xAdd(KEY, HIGHEST_ID, { foreign: 'entry' })
  const first = openLoop(redis)
  await (await first.next()).value?.ack()
  expect(String(await reasonOf(first.next()))).toContain(`the Redis key ${KEY} `)
  expect(String(await reasonOf(openLoop(redis).next()))).toContain(`the Redis key ${KEY} `)

  await redis.del(KEY)
  await add(2)
  expect((await openLoop(redis).next()).value).toMatchObject({ number: 2, missed: 0 })
})
