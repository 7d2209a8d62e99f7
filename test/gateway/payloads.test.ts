import type { GatewayDispatch, ReadyEvent, RelationshipUpdateEvent } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { clientOf, READY, serveGateway } from './gateway-server'

async function connected() {
  const server = await serveGateway({ identified: (peer) => peer.ready({ ...READY, list: [{ id: '1' }] }) })
  const { gateway } = clientOf(server)
  const ready = await gateway.connect()
  const peer = await server.peer()
  let sequence = 1
  const update = (data: object) => peer.dispatch('RELATIONSHIP_UPDATE', { id: '1', ...data }, ++sequence)
  return { gateway, ready, update, peer }
}

/** Changes a payload at every depth, as a careless listener does. */
function spoil(payload: object): void {
  for (const [name, value] of Object.entries(payload)) {
    if (value instanceof Error) continue
    if (typeof value === 'object' && value !== null) spoil(value)
    else Reflect.set(payload, name, 'spoilt')
  }
  Reflect.set(payload, 'added', true)
}

const user = { id: '2', username: 'grace', tags: ['a', { b: 1 }] }

describe('a listener that changes its payload', () => {
  it('a listener that changes its payload does not affect later listeners, streams and waiters', async () => {
    const { gateway, update } = await connected()
    const heard: unknown[] = []
    gateway.on('dispatch', ({ data }) => spoil(Object(data)))
    gateway.on('dispatch', ({ data }) => heard.push(data))
    gateway.on('relationshipUpdate', spoil)
    gateway.on('relationshipUpdate', (event) => heard.push(event))
    gateway.once('relationshipUpdate', (event) => heard.push(event))
    const stream = gateway.stream(['relationshipUpdate', 'dispatch'])
    const waited = gateway.waitFor('relationshipUpdate', { filter: (event) => event.user?.username === 'grace' })
    update({ user })
    heard.push(await waited)
    const results = [await stream.next(), await stream.next()]
    for (const { value } of results) heard.push(value?.type === 'dispatch' ? value.data.data : value?.data)
    expect(heard).toHaveLength(6)
    for (const payload of heard) expect(payload).toEqual({ id: '1', user })
  })

  it('a listener that changes its payload does not affect earlier listeners', async () => {
    const { gateway, update } = await connected()
    const kept: RelationshipUpdateEvent[] = []
    gateway.on('relationshipUpdate', (event) => kept.push(event))
    gateway.on('relationshipUpdate', spoil)
    update({ user })
    await vi.waitFor(() => expect(kept).toEqual([{ id: '1', user }]))
  })

  it('a dispatch listener that changes its payload does not affect the validation', async () => {
    const { gateway, update } = await connected()
    const warnings: unknown[] = []
    gateway.on('warning', (warning) => warnings.push(warning))
    gateway.on('dispatch', ({ data }: GatewayDispatch) => Reflect.set(Object(data), 'id', 5))
    const next = gateway.waitFor('relationshipUpdate')
    update({})
    expect(await next).toEqual({ id: '1' })
    expect(warnings).toEqual([])
  })

  it('a listener that changes Ready does not affect the result of connect(), then or later', async () => {
    const server = await serveGateway({ identified: (peer) => peer.ready({ ...READY, list: [{ id: '1' }] }) })
    const { gateway } = clientOf(server)
    gateway.on('ready', spoil)
    const [first, second] = await Promise.all([gateway.connect(), gateway.connect()])
    spoil(first)
    const expected: ReadyEvent = { ...READY, list: [{ id: '1' }] }
    expect(second).toEqual(expected)
    expect(await gateway.connect()).toEqual(expected)
    expect(gateway.sessionHash).toBe(READY.auth_session_id_hash)
  })

  it('listeners that change state changes, warnings and resumes do not affect others', async () => {
    const { gateway, peer } = await connected()
    const heard: object[] = []
    for (const type of ['stateChange', 'warning', 'resumed'] as const) {
      gateway.on(type, (event: object) => spoil(event))
      gateway.on(type, (event: object) => heard.push(event))
    }
    const resumed = gateway.waitFor('resumed')
    peer.dispatch('RELATIONSHIP_UPDATE', { id: 5 }, 2).socket.close(4000)
    await resumed
    expect(heard.length).toBeGreaterThan(4)
    expect(JSON.stringify(heard)).not.toContain('spoilt')
  })

  it('a listener that changes its payload does not affect a live store', async () => {
    const server = await serveGateway()
    const relationship = { id: '1', type: 1, user, nickname: null, user_ignored: false }
    const client = clientOf(server, { fetch: async () => Response.json([relationship]) })
    client.gateway.on('dispatch', ({ data }) => spoil(Object(data)))
    client.gateway.on('relationshipUpdate', spoil)
    const store = client.relationships.live()
    client.gateway.on('relationshipUpdate', spoil)
    await client.gateway.connect()
    await store.ready
    const changed = new Promise((resolve) => store.on('change', resolve))
    ;(await server.peer()).dispatch('RELATIONSHIP_UPDATE', { id: '1', nickname: 'ada', extra: { deep: [1] } }, 2)
    await changed
    expect(store.get('1')).toEqual({ ...relationship, nickname: 'ada', extra: { deep: [1] } })
  })
})

describe('a payload', () => {
  it('a payload can be nested as deeply as JSON allows', async () => {
    const { gateway, peer } = await connected()
    const errors: unknown[] = []
    gateway.on('error', (error) => errors.push(error))
    const heard = [gateway.waitFor('relationshipRemove'), gateway.waitFor('relationshipRemove')]
    const deep = `${'[{"a":'.repeat(200_000)}1${'}]'.repeat(200_000)}`
    peer.raw(`{"op":0,"t":"RELATIONSHIP_REMOVE","s":2,"d":{"id":"1","deep":${deep}}}`)
    for (const { id } of await Promise.all(heard)) expect(id).toBe('1')
    expect(errors).toEqual([])
  })
})
