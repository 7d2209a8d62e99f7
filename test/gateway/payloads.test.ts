import type { GatewayDispatch, ReadyEvent, RelationshipUpdateEvent } from 'rapport-sdk'
import { describe, expect, it, test, vi } from 'vitest'
import { createGatewayClient, READY, serveGateway } from '../servers/gateway-server'

async function connected() {
  const server = await serveGateway({ onIdentify: (peer) => peer.ready({ ...READY, list: [{ id: '1' }] }) })
  const { gateway } = createGatewayClient(server)
  const ready = await gateway.connect()
  const peer = await server.peer()
  let sequence = 1
  const update = (data: object) => peer.dispatch('RELATIONSHIP_UPDATE', { id: '1', ...data }, ++sequence)
  return { gateway, ready, update, peer }
}

/** Changes a payload at every depth. */
function mutate(payload: object): void {
  for (const [name, value] of Object.entries(payload)) {
    if (value instanceof Error) continue
    if (typeof value === 'object' && value !== null) mutate(value)
    else Reflect.set(payload, name, 'changed')
  }
  Reflect.set(payload, 'added', true)
}

const user = { id: '2', username: 'grace', tags: ['a', { b: 1 }] }

describe('a listener that changes its payload', () => {
  it('does not affect later listeners, streams and waiters', async () => {
    const { gateway, update } = await connected()
    const received: unknown[] = []
    gateway.on('dispatch', ({ data }) => mutate(Object(data)))
    gateway.on('dispatch', ({ data }) => received.push(data))
    gateway.on('relationshipUpdate', mutate)
    gateway.on('relationshipUpdate', (event) => received.push(event))
    gateway.once('relationshipUpdate', (event) => received.push(event))
    const stream = gateway.stream(['relationshipUpdate', 'dispatch'])
    const waited = gateway.waitFor('relationshipUpdate', { filter: (event) => event.user?.username === 'grace' })
    update({ user })
    received.push(await waited)
    const results = [await stream.next(), await stream.next()]
    for (const { value } of results) received.push(value?.type === 'dispatch' ? value.data.data : value?.data)
    expect(received).toHaveLength(6)
    for (const payload of received) expect(payload).toEqual({ id: '1', user })
  })

  it('does not affect earlier listeners', async () => {
    const { gateway, update } = await connected()
    const kept: RelationshipUpdateEvent[] = []
    gateway.on('relationshipUpdate', (event) => kept.push(event))
    gateway.on('relationshipUpdate', mutate)
    update({ user })
    await vi.waitFor(() => expect(kept).toEqual([{ id: '1', user }]))
  })

  it('does not affect the validation if it is one of dispatch', async () => {
    const { gateway, update } = await connected()
    const warnings: unknown[] = []
    gateway.on('warning', (warning) => warnings.push(warning))
    gateway.on('dispatch', ({ data }: GatewayDispatch) => Reflect.set(Object(data), 'id', 5))
    const next = gateway.waitFor('relationshipUpdate')
    update({})
    expect(await next).toEqual({ id: '1' })
    expect(warnings).toEqual([])
  })

  it('does not affect the result of connect() if it is one of Ready, then or later', async () => {
    const server = await serveGateway({ onIdentify: (peer) => peer.ready({ ...READY, list: [{ id: '1' }] }) })
    const { gateway } = createGatewayClient(server)
    gateway.on('ready', mutate)
    const [first, second] = await Promise.all([gateway.connect(), gateway.connect()])
    mutate(first)
    const expected: ReadyEvent = { ...READY, list: [{ id: '1' }] }
    expect(second).toEqual(expected)
    expect(await gateway.connect()).toEqual(expected)
    expect(gateway.sessionHash).toBe(READY.auth_session_id_hash)
  })

  it('listeners that change state changes, warnings and resumes do not affect others', async () => {
    const { gateway, peer } = await connected()
    const received: object[] = []
    for (const type of ['stateChange', 'warning', 'resumed'] as const) {
      gateway.on(type, (event: object) => mutate(event))
      gateway.on(type, (event: object) => received.push(event))
    }
    const resumed = gateway.waitFor('resumed')
    peer.dispatch('RELATIONSHIP_UPDATE', { id: 5 }, 2).socket.close(4000)
    await resumed
    expect(received.length).toBeGreaterThan(4)
    expect(JSON.stringify(received)).not.toContain('changed')
  })

  it('does not affect a live store', async () => {
    const server = await serveGateway()
    const relationship = { id: '1', type: 1, user, nickname: null, user_ignored: false }
    const client = createGatewayClient(server, { fetch: async () => Response.json([relationship]) })
    client.gateway.on('dispatch', ({ data }) => mutate(Object(data)))
    client.gateway.on('relationshipUpdate', mutate)
    const store = client.relationships.live()
    client.gateway.on('relationshipUpdate', mutate)
    await client.gateway.connect()
    await store.ready
    const changed = new Promise((resolve) => store.on('change', resolve))
    ;(await server.peer()).dispatch('RELATIONSHIP_UPDATE', { id: '1', nickname: 'ada', extra: { deep: [1] } }, 2)
    await changed
    expect(store.get('1')).toEqual({ ...relationship, nickname: 'ada', extra: { deep: [1] } })
  })
})

test('a payload can be nested as deeply as JSON allows', async () => {
  const { gateway, peer } = await connected()
  const errors: unknown[] = []
  gateway.on('error', (error) => errors.push(error))
  const received = [gateway.waitFor('relationshipRemove'), gateway.waitFor('relationshipRemove')]
  const deep = `${'[{"a":'.repeat(200_000)}1${'}]'.repeat(200_000)}`
  peer.raw(`{"op":0,"t":"RELATIONSHIP_REMOVE","s":2,"d":{"id":"1","deep":${deep}}}`)
  for (const { id } of await Promise.all(received)) expect(id).toBe('1')
  expect(errors).toEqual([])
})
