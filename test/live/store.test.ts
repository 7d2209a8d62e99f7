import { defaultGatewayProtocol, type GatewayProtocol, RelationshipType } from 'rapport-sdk'
import { describe, expect, test, vi } from 'vitest'
import { advance, relationship, settle, setUpLive, soon } from './set-up'

/** Sets up a loaded store with a friend, 7, and an incoming request, 8. */
async function loaded(options: Parameters<typeof setUpLive>[0] = {}) {
  const setup = await setUpLive(options)
  const body = [relationship('7', { tomorrow: { list: [1] } }), relationship('8', { type: 3 })]
  setup.service.faults.on('Get Relationships', { status: 200, body, times: 1 })
  const store = setup.client.relationships.live()
  await soon(store.ready)
  return { ...setup, store }
}

describe('the items of a store', () => {
  test('they are returned by their key, by their type or all together', async () => {
    const { store } = await loaded()
    expect(store.get('7')?.user.username).toBe('user 7')
    expect(store.get('9')).toBeUndefined()
    expect(store.all().map(({ id }) => id)).toEqual(['7', '8'])
    expect(store.getSnapshot()).toBe(store.all())
    expect(store.filter(RelationshipType.INCOMING_REQUEST)).toEqual([store.get('8')])
    expect(store.filter(RelationshipType.BLOCKED)).toEqual([])
  })

  test('they are the same, as are their arrays, until one of them changes', async () => {
    const { store, emit } = await loaded()
    const [all, seven, friends, requests] = [store.all(), store.get('7'), store.filter(1), store.filter(3)]
    expect([store.all(), store.filter(1), store.filter(3)]).toEqual([all, friends, requests])
    await emit('Relationship Update', { id: '8', nickname: 'Eight' })
    expect(store.all()).not.toBe(all)
    expect(store.get('7')).toBe(seven)
    // A list of friends does not need to render again.
    expect(store.filter(1)).toBe(friends)
    expect(store.filter(3)).not.toBe(requests)
    expect(all.map(({ nickname }) => nickname)).toEqual([null, null])
  })

  test('they are deeply frozen, as are arrays and changes', async () => {
    const { store, emit, client } = await loaded()
    const received: object[] = []
    client.gateway.on('relationshipAdd', (added) => received.push(added))
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
    // Listeners of the gateway can change their payloads.
    expect(received.some(Object.isFrozen)).toBe(false)
    Object.assign(received[0] ?? {}, { nickname: 'changed' })
    expect(store.get('9')?.nickname).toBeNull()
  })

  test('an event of a custom protocol never sets the prototype of an item', async () => {
    const protocol: GatewayProtocol = {
      ...defaultGatewayProtocol,
      decode(data) {
        const { op, t, d, s } = JSON.parse(String(data))
        if (op !== 0) return defaultGatewayProtocol.decode(data)
        return { kind: 'dispatch', type: t, data: d, sequence: s }
      },
    }
    const setup = await setUpLive()
    const client = setup.createClient(setup.grace, { gateway: { ...setup.gateway, protocol } })
    const store = client.relationships.live()
    await client.gateway.connect()
    await settle()
    const d = '{"id":"7","__proto__":{"polluted":true}}'
    for (const s of [2, 3]) {
      setup.service.gateway.sendRaw(`{"op":0,"t":"RELATIONSHIP_UPDATE","s":${s},"d":${d}}`, { user: setup.grace })
    }
    await settle()
    const item: object = store.get('7') ?? {}
    expect(item).toMatchObject({ id: '7' })
    expect(Object.getPrototypeOf(item)).toBe(Object.prototype)
    expect(Reflect.get(item, 'polluted')).toBeUndefined()
  })

  test('an event never sets the prototype of an item', async () => {
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

describe('the listeners of a store', () => {
  test('subscribe() and getSnapshot() work detached from the store, as React calls them', async () => {
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

  test('they are called twice if they are added twice', async () => {
    const { store, emit } = await loaded()
    const listener = vi.fn()
    const [first] = [store.on('change', listener), store.on('change', listener)]
    await emit('Relationship Add', relationship('9'))
    expect(listener).toHaveBeenCalledTimes(2)
    first()
    await emit('Relationship Add', relationship('10'))
    expect(listener).toHaveBeenCalledTimes(3)
  })

  test('affect neither other listeners nor the store if they throw or reject', async () => {
    const error = vi.fn()
    const { store, emit } = await loaded({ logger: { error } })
    const others = [vi.fn(), vi.fn()]
    store.on('change', () => {
      throw new Error('thrown')
    })
    store.subscribe(() => Promise.reject(new Error('rejected')))
    store.on('change', others[0] ?? vi.fn())
    store.subscribe(others[1] ?? vi.fn())
    await emit('Relationship Add', relationship('9'))
    expect(others.map((other) => other.mock.calls.length)).toEqual([1, 1])
    expect(error.mock.calls.map(([, reported]) => reported)).toEqual([new Error('thrown'), new Error('rejected')])
    expect(store.stale).toBe(false)
  })

  test('can remove others, close the store and read it while they are called', async () => {
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
    // Once for the change, which happened before the close, and once for the close.
    expect(last).toHaveBeenCalledTimes(2)
    await emit('Relationship Add', relationship('10'))
    expect(store.all()).toHaveLength(3)
  })

  test('listeners must be functions', async () => {
    const { store } = await loaded()
    expect(() => Reflect.apply(store.subscribe, store, [undefined])).toThrow(TypeError)
    expect(() => Reflect.apply(store.on, store, ['change', null])).toThrow(TypeError)
  })
})

test('a closed store keeps its items, is stale and follows no events', async () => {
  const { store, emit, service, network } = await loaded()
  const listener = vi.fn()
  store.subscribe(listener)
  const before = store.all()
  network.requests = 0
  store.close()
  store.close()
  expect(listener).toHaveBeenCalledTimes(1)
  await emit('Relationship Add', relationship('9'))
  service.gateway.invalidSession(false)
  await settle()
  expect(store.all()).toBe(before)
  expect(store.stale).toBe(true)
  expect(listener).toHaveBeenCalledTimes(1)
  expect(network.requests).toBe(0)
})

/** Sets up a store with these relationships, in this order. `next` sets the response to the next request. */
async function setUpWith(...ids: string[]) {
  const setup = await setUpLive()
  const next = (items: object[]) => setup.service.faults.on('Get Relationships', { status: 200, body: items, times: 1 })
  next(ids.map((id) => relationship(id)))
  const store = setup.client.relationships.live()
  await soon(store.ready)
  setup.network.requests = 0
  const order = () => store.all().map(({ id }) => id)
  const orderOf = (type: number) => store.filter(type).map(({ id }) => id)
  return { ...setup, store, next, order, orderOf }
}

describe('the order of a store', () => {
  test('it is that of the response, then of additions', async () => {
    const { emit, order, orderOf } = await setUpWith('9', '7', '8')
    await emit('Relationship Add', relationship('3'))
    await emit('Relationship Add', relationship('1'))
    await emit('Relationship Add', relationship('2', { type: 3 }))
    expect(order()).toEqual(['9', '7', '8', '3', '1', '2'])
    expect(orderOf(1)).toEqual(['9', '7', '8', '3', '1'])
    expect(orderOf(3)).toEqual(['2'])
  })

  test('it is kept when items change, also to another type and back', async () => {
    const { emit, order, orderOf } = await setUpWith('9', '7', '8')
    expect([orderOf(1), orderOf(3)]).toEqual([['9', '7', '8'], []])
    await emit('Relationship Update', { id: '7', type: 3 })
    expect([orderOf(1), orderOf(3)]).toEqual([['9', '8'], ['7']])
    await emit('Relationship Add', relationship('9', { type: 3 }))
    expect([orderOf(1), orderOf(3)]).toEqual([['8'], ['9', '7']])
    await emit('Relationship Update', { id: '7', type: 1 })
    await emit('Relationship Add', relationship('9'))
    expect([orderOf(1), orderOf(3)]).toEqual([['9', '7', '8'], []])
    expect(order()).toEqual(['9', '7', '8'])
  })

  test('an item that was removed and added again is last', async () => {
    const { emit, order, orderOf } = await setUpWith('9', '7', '8')
    expect(orderOf(1)).toHaveLength(3)
    await emit('Relationship Remove', { id: '9' })
    await emit('Relationship Add', relationship('9'))
    expect([order(), orderOf(1)]).toEqual([
      ['7', '8', '9'],
      ['7', '8', '9'],
    ])
  })

  test('it is that of the new response after refresh(), even if nothing else has changed', async () => {
    const { store, next, order, orderOf } = await setUpWith('9', '7', '8')
    const [all, friends, first] = [store.getSnapshot(), store.filter(RelationshipType.FRIEND), store.get('9')]
    const [subscriber, onChange] = [vi.fn(), vi.fn()]
    store.subscribe(subscriber)
    store.on('change', onChange)
    next(['8', '9', '7'].map((id) => relationship(id)))
    await store.refresh()
    expect([order(), orderOf(1)]).toEqual([
      ['8', '9', '7'],
      ['8', '9', '7'],
    ])
    expect(store.getSnapshot()).not.toBe(all)
    expect(store.filter(RelationshipType.FRIEND)).not.toBe(friends)
    // Nothing was added, updated or removed.
    expect(store.get('9')).toBe(first)
    expect(subscriber).toHaveBeenCalledTimes(1)
    expect(onChange).not.toHaveBeenCalled()
  })

  test('the array of a type stays the same object if a new response changes only other types', async () => {
    const { store, next, orderOf } = await setUpWith('9', '7')
    const friends = store.filter(RelationshipType.FRIEND)
    next([relationship('1', { type: 3 }), relationship('9'), relationship('2', { type: 3 }), relationship('7')])
    await store.refresh()
    expect(store.filter(RelationshipType.FRIEND)).toBe(friends)
    expect(orderOf(3)).toEqual(['1', '2'])
  })

  test('items that were added during a load follow those of the response', async () => {
    const { store, next, order, emit, network } = await setUpWith('9', '7')
    network.holdsResponses = true
    next(['7', '3', '9'].map((id) => relationship(id)))
    const refreshed = store.refresh()
    await settle()
    for (const id of ['2', '3', '1']) await emit('Relationship Add', relationship(id))
    expect(order()).toEqual(['9', '7', '2', '3', '1'])
    await network.release()
    await refreshed
    expect(order()).toEqual(['7', '3', '9', '2', '1'])
  })

  test('a store reloads once more if an item was removed and added again during a load', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { store, next, order, emit, network } = await setUpWith('9', '7')
    network.holdsResponses = true
    next(['7', '9', '1'].map((id) => relationship(id)))
    const refreshed = store.refresh()
    await settle()
    await emit('Relationship Remove', { id: '9' })
    await emit('Relationship Add', relationship('9'))
    await emit('Relationship Add', relationship('1'))
    await network.release()
    await refreshed
    expect(store.stale).toBe(true)
    next(['7', '9', '1'].map((id) => relationship(id)))
    await advance(250)
    expect(network.requests).toBe(2)
    expect(store.stale).toBe(false)
    expect(order()).toEqual(['7', '9', '1'])
  })
})
