import { RelationshipType } from 'rapport-sdk'
import { expect, test, vi } from 'vitest'
import { connectRedis, cuttable, type RedisConnection } from '../servers/redis-server'
import { createProcess, setUp, upTo, WAIT } from './events-set-up'

async function setUpGroup() {
  const world = await setUp()
  const { service, redis, redisServer } = world
  const users = ['grace', 'alan', 'kay'].map((name) =>
    service.service.users.create({ login: `${name}@example.test`, username: name }),
  )
  const befriend = (index: number) => service.service.relationships.befriend(service.ada, users[index]?.id ?? '')
  const holding = createProcess(redis, service)
  holding.hold()
  await holding.client.gateway.connect()
  const join = async (connection: RedisConnection = redis, leaseMs?: number) => {
    const member = createProcess(connection, service, { group: 'workers', leaseMs })
    await member.client.gateway.connect()
    const store = member.client.relationships.live()
    await store.ready
    return { ...member, store, friends: () => store.filter(RelationshipType.FRIEND).map(({ id }) => id) }
  }
  return { ...world, redisServer, holding, users, befriend, join }
}

test('a live store is stale while another member of its group receives the events, and loads when its own does', async () => {
  const { users, befriend, join, redisServer } = await setUpGroup()
  const active = await join()
  const standby = await join(await connectRedis(redisServer))
  const changes: unknown[] = []
  standby.client.gateway.on('stateChange', ({ state, reason }) => changes.push([state, reason]))
  await vi.waitFor(() => expect([active.store.stale, standby.store.stale]).toEqual([false, true]), WAIT)

  befriend(0)
  await vi.waitFor(() => expect(active.friends()).toEqual([users[0]?.id]), WAIT)
  expect(standby.store.stale).toBe(true)
  expect(standby.client.gateway.state).not.toBe('ready')
  active.client.dispose()
  befriend(1)

  await vi.waitFor(() => expect(standby.store.stale).toBe(false), WAIT)
  expect(standby.friends()).toEqual([users[0]?.id, users[1]?.id])
  expect(standby.client.gateway.state).toBe('ready')
  befriend(2)
  await vi.waitFor(() => expect(standby.friends()).toHaveLength(3), WAIT)
  expect(String(changes)).not.toContain('Resumed was not received')
})

test('a member that was cut off becomes stale, and loads when it receives the events again', async () => {
  const { users, befriend, join, redisServer } = await setUpGroup()
  const split = cuttable(await connectRedis(redisServer))
  const first = await join(split.connection, 1_000)
  const second = await join(await connectRedis(redisServer), 1_000)
  await vi.waitFor(() => expect([first.store.stale, second.store.stale]).toEqual([false, true]), WAIT)

  split.cut()
  await vi.waitFor(() => expect(second.store.stale).toBe(false), WAIT)
  befriend(0)
  await vi.waitFor(() => expect(second.friends()).toEqual([users[0]?.id]), WAIT)
  split.restore()
  await vi.waitFor(() => expect(first.store.stale).toBe(true), WAIT)
  second.client.dispose()

  await vi.waitFor(() => expect([first.store.stale, first.friends()]).toEqual([false, [users[0]?.id]]), WAIT)
})

test('a member receives what the group has not seen before its Ready, in order and once', async () => {
  const { service, holding, join } = await setUpGroup()
  service.emit(250)
  await vi.waitFor(() => expect(holding.numbers).toHaveLength(250), WAIT)

  const one = await join()
  expect(one.numbers).toEqual(upTo(250))
  service.emit(5)
  await vi.waitFor(() => expect(one.numbers).toEqual(upTo(255)), WAIT)
})
