import { defaultGatewayProtocol, type GatewayProtocol, RelationshipType } from 'rapport-sdk'
import { describe, expect, test, vi } from 'vitest'
import { liveWorld, relationship, settle } from './live-world'

/** A world with a store that has a friend, 7, and a request, 8. */
async function loaded(options: Parameters<typeof liveWorld>[0] = {}) {
  const world = await liveWorld(options)
  const body = [relationship('7', { tomorrow: { list: [1] } }), relationship('8', { type: 3 })]
  world.service.faults.on('Get Relationships', { status: 200, body, times: 1 })
  const store = world.client.relationships.live()
  await store.ready
  return { ...world, store }
}

describe('what a store gives', () => {
  test('is one item by its key, all, or those of a type', async () => {
    const { store } = await loaded()
    expect(store.get('7')?.user.username).toBe('user 7')
    expect(store.get('9')).toBeUndefined()
    expect(store.all().map(({ id }) => id)).toEqual(['7', '8'])
    expect(store.getSnapshot()).toBe(store.all())
    expect(store.filter(RelationshipType.INCOMING_REQUEST)).toEqual([store.get('8')])
    expect(store.filter(RelationshipType.BLOCKED)).toEqual([])
  })

  test('is the same object until something of it changes', async () => {
    const { store, emit } = await loaded()
    const [all, seven, friends, requests] = [store.all(), store.get('7'), store.filter(1), store.filter(3)]
    expect([store.all(), store.filter(1), store.filter(3)]).toEqual([all, friends, requests])
    await emit('Relationship Update', { id: '8', nickname: 'Eight' })
    expect(store.all()).not.toBe(all)
    expect(store.get('7')).toBe(seven)
    // Who shows friends alone has nothing to show anew.
    expect(store.filter(1)).toBe(friends)
    expect(store.filter(3)).not.toBe(requests)
    expect(all.map(({ nickname }) => nickname)).toEqual([null, null])
  })

  test('cannot be changed, at any depth, wherever it came from', async () => {
    const { store, emit, client } = await loaded()
    const heard: object[] = []
    client.gateway.on('relationshipAdd', (added) => heard.push(added))
    const changes: object[] = []
    store.on('change', (change) => changes.push(change))
    await emit('Relationship Add', relationship('9', { tomorrow: { list: [1] } }))
    await emit('Relationship Update', { id: '7', user: { id: '7', name: { first: 'S' } } })
    await emit('Relationship Update', { id: '10', nickname: 'Ten' })
    const isFrozen = (value: unknown): boolean =>
      typeof value !== 'object' ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every((inner) => isFrozen(inner)))
    expect(isFrozen(store.all())).toBe(true)
    expect(isFrozen(store.filter(1))).toBe(true)
    expect(changes).toHaveLength(3)
    expect(isFrozen(changes)).toBe(false)
    expect(changes.every(isFrozen)).toBe(true)
    // Listeners of the gateway may do with theirs what they like.
    expect(heard.some(Object.isFrozen)).toBe(false)
    Object.assign(heard[0] ?? {}, { nickname: 'changed' })
    expect(store.get('9')?.nickname).toBeNull()
  })

  test('takes no prototype from an event that a protocol of its own has parsed', async () => {
    const protocol: GatewayProtocol = {
      ...defaultGatewayProtocol,
      decode(data) {
        const { op, t, d, s } = JSON.parse(String(data))
        if (op !== 0) return defaultGatewayProtocol.decode(data)
        return { kind: 'dispatch', type: t, data: d, sequence: s }
      },
    }
    const world = await liveWorld()
    const client = world.clientOf(world.grace, { gateway: { ...world.gateway, protocol } })
    const store = client.relationships.live()
    await client.gateway.connect()
    await settle()
    const d = '{"id":"7","__proto__":{"polluted":true}}'
    for (const s of [2, 3]) {
      world.service.gateway.raw(`{"op":0,"t":"RELATIONSHIP_UPDATE","s":${s},"d":${d}}`, { user: world.grace })
    }
    await settle()
    const item: object = store.get('7') ?? {}
    expect(item).toMatchObject({ id: '7' })
    expect(Object.getPrototypeOf(item)).toBe(Object.prototype)
    expect(Reflect.get(item, 'polluted')).toBeUndefined()
  })

  test('takes no prototype from an event', async () => {
    const { store, service, ada } = await loaded()
    const [session] = service.gateway.sessions
    const d = '{"id":"7","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'
    service.gateway.sendRaw(`{"op":0,"t":"RELATIONSHIP_UPDATE","s":${(session?.sequence ?? 0) + 1},"d":${d}}`, {
      user: ada,
    })
    await settle()
    const item: object = store.get('7') ?? {}
    expect(Object.getPrototypeOf(item)).toBe(Object.prototype)
    expect(Reflect.get(item, 'polluted')).toBeUndefined()
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
})

describe('listeners', () => {
  test('can be passed on without the store, as React does', async () => {
    const { store, emit } = await loaded()
    const { subscribe, getSnapshot } = store
    const seen: number[] = []
    const unsubscribe = subscribe(() => seen.push(getSnapshot().length))
    await emit('Relationship Add', relationship('9'))
    unsubscribe()
    unsubscribe()
    await emit('Relationship Add', relationship('10'))
    expect(seen).toEqual([3])
  })

  test('are called once for each time they were added', async () => {
    const { store, emit } = await loaded()
    const listener = vi.fn()
    const [first] = [store.on('change', listener), store.on('change', listener)]
    await emit('Relationship Add', relationship('9'))
    expect(listener).toHaveBeenCalledTimes(2)
    first()
    await emit('Relationship Add', relationship('10'))
    expect(listener).toHaveBeenCalledTimes(3)
  })

  test('that throw stop neither the others nor the store', async () => {
    const error = vi.fn()
    const { store, emit } = await loaded({ logger: { error } })
    const others = [vi.fn(), vi.fn()]
    store.on('change', () => {
      throw new Error('mine')
    })
    store.subscribe(() => Promise.reject(new Error('mine, later')))
    store.on('change', others[0] ?? vi.fn())
    store.subscribe(others[1] ?? vi.fn())
    await emit('Relationship Add', relationship('9'))
    expect(others.map((other) => other.mock.calls.length)).toEqual([1, 1])
    expect(error.mock.calls.map(([, thrown]) => thrown)).toEqual([new Error('mine'), new Error('mine, later')])
    expect(store.stale).toBe(false)
  })

  test('may take others away, close the store or read it while they are called', async () => {
    const { store, emit } = await loaded()
    const [other, last] = [vi.fn(), vi.fn()]
    const lengths: number[] = []
    store.on('change', () => {
      unsubscribe()
      lengths.push(store.all().length, store.filter(1).length)
    })
    const unsubscribe = store.on('change', other)
    store.subscribe(() => store.close())
    store.subscribe(last)
    await emit('Relationship Add', relationship('9'))
    expect(other).not.toHaveBeenCalled()
    expect(lengths).toEqual([3, 2])
    // Of the change, which came before the close, and of the close.
    expect(last).toHaveBeenCalledTimes(2)
    await emit('Relationship Add', relationship('10'))
    expect(store.all()).toHaveLength(3)
  })

  test('must be functions, and there is one event', async () => {
    const { store } = await loaded()
    expect(() => Reflect.apply(store.subscribe, store, [undefined])).toThrow(TypeError)
    expect(() => Reflect.apply(store.on, store, ['change', null])).toThrow(TypeError)
    expect(() => Reflect.apply(store.on, store, ['changed', () => {}])).toThrow('changed: unknown; known here: change')
  })
})

describe('a store that is closed', () => {
  test('follows nothing, keeps what it had, and says that it is stale', async () => {
    const { store, emit, service, road } = await loaded()
    const listener = vi.fn()
    store.subscribe(listener)
    const before = store.all()
    road.asked = 0
    store.close()
    store.close()
    expect(listener).toHaveBeenCalledTimes(1)
    await emit('Relationship Add', relationship('9'))
    service.gateway.invalidSession(false)
    await settle()
    expect(store.all()).toBe(before)
    expect(store.stale).toBe(true)
    expect(listener).toHaveBeenCalledTimes(1)
    expect(road.asked).toBe(0)
  })
})
