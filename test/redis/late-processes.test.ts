import { RelationshipType } from 'rapport-sdk'
import { expect, test, vi } from 'vitest'
import { connectRedis } from '../servers/redis-server'
import { createProcess, KEY, setUp, WAIT } from './events-set-up'

test('a process that starts late shows the list and the session hash as they are now, not as the session started', async () => {
  const { redisServer, service, redis } = await setUp({ policy: { gateway: { readySnapshot: true } } })
  const [grace, alan] = ['grace', 'alan'].map((name) =>
    service.service.users.create({ login: `${name}@example.test`, username: name }),
  )
  service.service.relationships.befriend(service.ada, grace ?? '')
  const early = createProcess(redis, service)
  early.hold()
  await early.client.gateway.connect()
  const changed = early.client.gateway.waitFor('authSessionChange')
  service.service.relationships.befriend(service.ada, alan ?? '')
  service.service.gateway.emit('Auth Session Change', { auth_session_id_hash: 'another' }, { to: service.ada })
  await changed

  const late = createProcess(await connectRedis(redisServer), service)
  const store = late.client.relationships.live()
  const readies: object[] = []
  late.client.gateway.on('ready', (event) => readies.push(event))
  readies.push(await late.client.gateway.connect())
  await vi.waitFor(() => expect(store.stale).toBe(false), WAIT)

  expect(store.filter(RelationshipType.FRIEND).map(({ id }) => id)).toEqual([grace?.id, alan?.id])
  expect(late.client.gateway.sessionHash).toBe('another')
  expect(late.client.session.user?.id).toBe(service.ada.id)
  for (const ready of readies) {
    expect(ready).toMatchObject({ auth_session_id_hash: 'another', user: { id: service.ada.id } })
    expect(Object.keys(ready).sort()).toEqual(['auth_session_id_hash', 'session_id', 'user'])
  }
  expect(await redis.hGet(`${KEY}:state`, 'ready')).not.toContain('relationships')
})

test('a process that connects during the session loads the list when a new session starts', async () => {
  const { service, redis } = await setUp({ policy: { gateway: { readySnapshot: true } } })
  const { client, hold } = createProcess(redis, service)
  hold()
  await client.gateway.connect()
  const store = client.relationships.live()
  await store.ready
  const lists = () => service.service.journal.find('Get Relationships').length
  const before = lists()

  service.service.gateway.invalidSession(false)

  await vi.waitFor(() => expect(lists()).toBeGreaterThan(before), WAIT)
  await vi.waitFor(() => expect(store.stale).toBe(false), WAIT)
})
