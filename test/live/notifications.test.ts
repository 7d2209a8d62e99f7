import { describe, expect, test, vi } from 'vitest'
import { gameRelationship, relationship, setUpLive, setUpStoreWithSeven, soon } from './set-up'

/** Formats a change as IDs with `+`, `~` or `-`. */
const describeChange = ({
  added,
  updated,
  removed,
}: Record<'added' | 'updated' | 'removed', readonly { id: string }[]>) =>
  [added, updated, removed].map((items, kind) => items.map(({ id }) => `${'+~-'[kind]}${id}`).join('')).join('')

describe('notifications of listeners', () => {
  test('every listener receives changes in order if the first listener changes the token', async () => {
    const { store, emit, client, service, grace } = await setUpStoreWithSeven()
    const received: string[][] = [[], [], []]
    store.on('change', (change) => {
      received[0]?.push(describeChange(change))
      if (change.added.length > 0) void client.session.setToken(service.token(grace))
    })
    store.on('change', (change) => received[1]?.push(describeChange(change)))
    store.subscribe(() => received[2]?.push(`${store.all().length}`))
    await emit('Relationship Add', relationship('8'))
    expect(received[0]).toEqual(['+8', '-7-8'])
    expect(received[1]).toEqual(received[0])
    // Subscribers are called for each change, and read the items of that moment.
    expect(received[2]?.slice(0, 2)).toEqual(['0', '0'])
  })

  test('every listener receives changes in order if the first listener signs out', async () => {
    const { store, emit, client } = await setUpStoreWithSeven()
    const received: string[][] = [[], []]
    store.on('change', (change) => {
      received[0]?.push(describeChange(change))
      void client.session.setToken(null)
    })
    store.on('change', (change) => received[1]?.push(describeChange(change)))
    await emit('Relationship Add', relationship('8'))
    expect(received).toEqual([
      ['+8', '-7-8'],
      ['+8', '-7-8'],
    ])
  })

  test('a change still reaches the other listeners if one of them closes the store', async () => {
    const { store, emit } = await setUpStoreWithSeven()
    const received: string[] = []
    store.on('change', () => store.close())
    store.on('change', (change) => received.push(describeChange(change)))
    const subscriber = vi.fn()
    store.subscribe(subscriber)
    await emit('Relationship Add', relationship('8'))
    await emit('Relationship Add', relationship('9'))
    expect(received).toEqual(['+8'])
    // Once for the change and once because the store is now stale.
    expect(subscriber).toHaveBeenCalledTimes(2)
  })

  test('a listener that is added during a notification does not receive earlier changes', async () => {
    const { store, emit, client } = await setUpStoreWithSeven()
    const late: string[] = []
    store.on('change', ({ added }) => {
      if (added.length === 0) return
      void client.session.setToken(null)
      store.on('change', (change) => late.push(describeChange(change)))
      expect(store.all()).toEqual([])
    })
    await emit('Relationship Add', relationship('8'))
    expect(late).toEqual([])
  })

  test('all stores of a client change before any listener is called', async () => {
    const { client, emit } = await setUpLive()
    const [people, games] = [client.relationships.live(), client.gameRelationships.live()]
    await soon(Promise.all([people.ready, games.ready]))
    await emit('Game Relationship Add', gameRelationship('900', '7'))
    const received: string[] = []
    people.on('change', ({ added }) => {
      if (added.length > 0) void client.session.setToken(null)
    })
    people.on('change', (change) => received.push(`people ${describeChange(change)}, games ${games.all().length}`))
    games.on('change', (change) => received.push(`games ${describeChange(change)}, people ${people.all().length}`))
    await emit('Relationship Add', relationship('8'))
    expect(received).toEqual(['people +8, games 0', 'people -8, games 0', 'games -7, people 0'])
  })

  test('every listener receives changes if one of them throws, and the logger receives its error', async () => {
    const error = vi.fn()
    const { client, emit } = await setUpLive({ logger: { error } })
    const store = client.relationships.live()
    await soon(store.ready)
    const thrown = new Error('listener')
    const received: string[] = []
    store.on('change', () => {
      throw thrown
    })
    store.on('change', (change) => received.push(describeChange(change)))
    await emit('Relationship Add', relationship('8'))
    await emit('Relationship Add', relationship('9'))
    expect(received).toEqual(['+8', '+9'])
    expect(error.mock.calls.map(([, reported]) => reported)).toEqual([thrown, thrown])
  })

  test('the rejection of every kind of listener reaches the logger', async () => {
    const error = vi.fn()
    const { client, emit } = await setUpLive({ logger: { error } })
    const store = client.relationships.live()
    await soon(store.ready)
    const reject = (name: string) => () => Promise.reject(name)
    store.on('change', reject('on'))
    store.subscribe(reject('subscribe'))
    store.subscribeTo('8', reject('subscribeTo'))
    store.select(({ all }) => all()).subscribe(reject('select'))
    await emit('Relationship Add', relationship('8'))
    const reported = error.mock.calls.map(([, reason]) => reason)
    expect(reported.sort()).toEqual(['on', 'select', 'subscribe', 'subscribeTo'])
  })
})

describe('the items of a store', () => {
  test('cannot be changed by a listener of the gateway through an event payload', async () => {
    const { client, emit } = await setUpLive()
    const mutate = (payload: object) => {
      try {
        Object.assign(payload, { nickname: 'changed', type: 2 })
      } catch {}
      try {
        Object.assign(Reflect.get(payload, 'user') ?? {}, { username: 'changed' })
      } catch {}
    }
    client.gateway.on('relationshipAdd', mutate)
    client.gateway.on('dispatch', ({ data }) => mutate(Object(data)))
    const store = client.relationships.live()
    client.gateway.on('relationshipAdd', mutate)
    client.gateway.on('relationshipUpdate', mutate)
    await soon(store.ready)
    await emit('Relationship Add', relationship('8'))
    await emit('Relationship Update', { id: '8', user: { id: '8', username: 'user 8', avatar: null } })
    expect(store.get('8')).toEqual(relationship('8', { user: { id: '8', username: 'user 8', avatar: null } }))
  })

  test('cannot be changed by a listener of the store through a change or an array', async () => {
    const { store, emit } = await setUpStoreWithSeven()
    store.on('change', (change) => {
      for (const list of [change, change.added, change.added[0] ?? {}]) {
        expect(() => Object.assign(list, { length: 0, id: '9', added: [] })).toThrow(TypeError)
      }
    })
    const other = vi.fn()
    store.on('change', other)
    await emit('Relationship Add', relationship('8'))
    expect(other).toHaveBeenCalledWith({ added: [relationship('8')], updated: [], removed: [] })
    for (const list of [store.all(), store.filter(1), store.getSnapshot()]) {
      expect(() => Reflect.apply(Array.prototype.push, list, [1])).toThrow(TypeError)
    }
  })

  test('a listener cannot change an event that is applied again on top of a response', async () => {
    const { store, emit, network, client } = await setUpStoreWithSeven()
    const payloads: object[] = []
    client.gateway.on('relationshipUpdate', (payload) => payloads.push(payload))
    network.holdsResponses = true
    const refreshed = store.refresh()
    await emit('Relationship Add', relationship('8'))
    await emit('Relationship Update', { id: '8', nickname: 'Eight' })
    try {
      Object.assign(payloads[0] ?? {}, { nickname: 'changed' })
    } catch {}
    await network.release()
    await refreshed
    expect(store.get('8')?.nickname).toBe('Eight')
  })
})
