import { type RedisEvent, redisEvents } from 'rapport-sdk/redis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectRedis } from '../servers/redis-server'
import { createProcess, KEY, loseWrites, saveWrites, setUp, upTo, WAIT } from './events-set-up'

const ALL = `${KEY}*`

function setUpUsers(service: Awaited<ReturnType<typeof setUp>>['service']) {
  const grace = service.service.users.create({ login: 'grace@example.test', username: 'grace' })
  return { grace, graceToken: service.service.token(grace) }
}

test.each(['while it holds the connection', 'while nobody does'])(
  'another token %s starts a new session, and the previous events and Ready are removed',
  async (when) => {
    const { service, redis, redisServer } = await setUp()
    const { grace, graceToken } = setUpUsers(service)
    const reader = createProcess(await connectRedis(redisServer), { ...service, token: graceToken })
    const first = createProcess(redis, service)
    const holder = first.hold()
    await first.client.gateway.connect()
    await reader.client.gateway.connect()
    const [before] = service.service.gateway.sessions
    service.emit(3)
    await vi.waitFor(() => expect(first.numbers).toEqual(upTo(3)), WAIT)

    const isLive = when === 'while it holds the connection'
    if (isLive) await first.client.session.setToken(graceToken)
    else {
      await holder.close()
      createProcess(redis, { ...service, token: graceToken }).hold()
    }
    await vi.waitFor(() => expect(reader.client.session.user?.id).toBe(grace.id), WAIT)
    service.service.gateway.emit('Relationship Update', { id: '7', nickname: 'n9', type: 1 }, { to: grace })
    await vi.waitFor(() => expect(reader.numbers.at(-1)).toBe(9), WAIT)

    const entries = await redis.xRange(KEY, '-', '+')
    expect(entries?.map(({ message }) => message.t)).toEqual(['ready', 'relationshipUpdate'])
    expect(await redis.hGet(`${KEY}:state`, 'ready')).toContain(grace.id)
    expect(await redis.hGet(`${KEY}:state`, 'ready')).not.toContain(service.ada.id)
    const attempts = service.service.gateway.journal.map(({ op, user, session }) => [op, user, session])
    expect(attempts.filter(([op]) => op === 'resume')).toEqual([])
    expect(attempts.filter(([, user, session]) => user === grace.id && session === before?.id)).toEqual([])
  },
)

test('a sign-out removes the events and the session from Redis, and the next sign-in starts a new session', async () => {
  const { service, redis, redisServer } = await setUp()
  const one = createProcess(redis, service)
  const two = createProcess(await connectRedis(redisServer), service)
  one.hold()
  await one.client.gateway.connect()
  two.hold()
  service.emit(3)
  await vi.waitFor(() => expect(one.numbers).toEqual(upTo(3)), WAIT)
  expect(await redis.hExists(`${KEY}:state`, 'ready')).toBe(1)

  // As the token store does, in all processes.
  await Promise.all([one, two].map(({ client }) => client.session.setToken(null)))
  await vi.waitFor(async () => {
    expect(await redis.exists([KEY, `${KEY}:lease`])).toBe(0)
    expect(await redis.hmGet(`${KEY}:state`, ['ready', 'seq', 'token'])).toEqual([null, null, null])
  }, WAIT)
  await one.client.session.setToken(service.token)
  await one.client.gateway.connect()

  expect(service.service.gateway.journal.map(({ op }) => op)).toEqual(['identify', 'identify'])
  service.emit(1)
  await vi.waitFor(() => expect(one.numbers.at(-1)).toBe(4), WAIT)
})

test('a process that hands over keeps the session of the token', async () => {
  const { service, redis } = await setUp()
  const first = createProcess(redis, service)
  const holder = first.hold()
  await first.client.gateway.connect()
  service.emit(2)
  await vi.waitFor(() => expect(first.numbers).toEqual(upTo(2)), WAIT)
  await holder.close()
  first.client.dispose()

  const second = createProcess(redis, service)
  second.hold()
  await second.client.gateway.connect()

  expect(service.service.gateway.journal.map(({ op }) => op)).toEqual(['identify', 'resume'])
  expect(await redis.xLen(KEY)).toBe(3)
})

test('`remove` removes all keys of the account and of no other, and the account can be used again', async () => {
  const { service, redis } = await setUp()
  const { client, events, hold, numbers } = createProcess(redis, service)
  const holder = hold()
  await client.gateway.connect()
  for (const group of ['mailer', 'audit:log']) {
    const loop = events.read({ group })
    onTestFinished(async () => void (await loop.return?.()))
    await (await loop.next()).value?.ack()
  }
  await redis.set('rapport:1:events:{test:adam}', 'another account')
  await holder.close()
  expect((await redis.keys(ALL)).length).toBeGreaterThan(3)

  await events.remove()

  expect(await redis.keys('*')).toEqual(['rapport:1:events:{test:adam}'])
  hold()
  await vi.waitFor(() => {
    service.emit(1)
    expect(numbers.length).toBeGreaterThan(0)
  }, WAIT)
})

test('what `remove` has removed stays removed while a loop and a gateway of groups are open, until somebody holds it', async () => {
  const { service, redis } = await setUp()
  const { events, client, hold } = createProcess(redis, service, { group: 'workers' })
  const holder = hold()
  await client.gateway.connect()
  const loop = events.read({ group: 'mailer' })
  onTestFinished(async () => void (await loop.return?.()))
  const { value } = await loop.next()
  await holder.close()

  await events.remove()
  const commands = vi.spyOn(redis, 'sendCommand')
  await value?.ack()
  const next = loop.next()
  await vi.waitFor(() => {
    const keys = commands.mock.calls.flatMap(([args]) => args.filter((arg) => String(arg).includes(':group:')))
    expect(keys.filter((key) => key === `${KEY}:group:mailer`).length).toBeGreaterThan(1)
    expect(keys).toContain(`${KEY}:group:workers`)
  }, WAIT)

  expect(await redis.keys(ALL)).toEqual([])
  hold()
  expect((await next).value).toMatchObject({ type: 'ready', number: 1, missed: 0 })
})

test('`remove` also removes invalid values, and rejects if Redis does not reply', async () => {
  const { redis, redisServer } = await setUp()
  const events = redisEvents(redis, { stream: 'test', account: 'ada', commandTimeout: 60_000 })
  for (const key of ['', ':state', ':lease', ':groups']) await redis.set(KEY + key, 'foreign')

  await events.remove()
  expect(await redis.keys(ALL)).toEqual([])

  const impatient = redisEvents(redis, { stream: 'test', account: 'ada', commandTimeout: 200 })
  redisServer.freeze()
  await expect(impatient.remove()).rejects.toThrow(/did not reply within 200 ms/)
  redisServer.thaw()
})

test('an event that is delivered again after a failover has the same ID, and no event takes the ID of another', async () => {
  const { service, redis, redisServer } = await setUp()
  const replica = await connectRedis(redisServer)
  const { client, hold, numbers } = createProcess(redis, service, { leaseMs: 1_000 })
  hold()
  await client.gateway.connect()
  const loop = redisEvents(replica, { stream: 'test', account: 'ada', leaseMs: 1_000 }).read({ group: 'mailer' })
  const seen: RedisEvent[] = []
  const reading = (async () => {
    for await (const event of loop) {
      // Seen once it is settled: an acknowledgement in flight would survive the writes that are lost below.
      await event.ack()
      seen.push(event)
    }
  })()
  for (const round of upTo(3)) {
    service.emit(5)
    await vi.waitFor(() => expect(numbers).toHaveLength(round * 10 - 5), WAIT)
    await saveWrites(redis, 'mailer')
    service.emit(5)
    await vi.waitFor(() => expect(seen).toHaveLength(1 + round * 10), WAIT)
    await loseWrites(redis, 'mailer')
    // Without another event, the holder notices it and receives the events again.
    await vi.waitFor(async () => expect(await redis.xLen(KEY)).toBe(1 + round * 10), WAIT)
  }
  await loop.return?.()
  await reading

  const again = redisEvents(replica, { stream: 'test', account: 'ada' }).read({ group: 'another' })
  const ids = new Map<string, unknown>()
  for (const _ of upTo(31)) {
    const { value } = await again.next()
    ids.set(value.id, value.data)
  }
  await again.return?.()
  for (const { id, data, type } of seen) if (type !== 'ready') expect([id, ids.get(id)]).toEqual([id, data])
  expect(new Set(seen.map(({ id }) => id)).size).toBe(31)
  expect(seen.every(({ missed }) => missed === 0)).toBe(true)
})
