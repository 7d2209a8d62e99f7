import { describe, expect, test, vi } from 'vitest'
import { gameRelationship, liveWorld, relationship } from './live-world'
import { storeWithSeven } from './loaded-store'

/** What a change says, in short. */
const sayings = ({ added, updated, removed }: Record<'added' | 'updated' | 'removed', readonly { id: string }[]>) =>
  [added, updated, removed].map((items, kind) => items.map(({ id }) => `${'+~-'[kind]}${id}`).join('')).join('')

describe('changes reach every listener in the order in which they happen', () => {
  test('if the first of them changes the token', async () => {
    const { store, emit, client, service, grace } = await storeWithSeven()
    const heard: string[][] = [[], [], []]
    store.on('change', (change) => {
      heard[0]?.push(sayings(change))
      if (change.added.length > 0) void client.session.setToken(service.token(grace))
    })
    store.on('change', (change) => heard[1]?.push(sayings(change)))
    store.subscribe(() => heard[2]?.push(`${store.all().length}`))
    await emit('Relationship Add', relationship('8'))
    expect(heard[0]).toEqual(['+8', '-7-8'])
    expect(heard[1]).toEqual(heard[0])
    // Subscribers are called for each change, and read what there is by then.
    expect(heard[2]?.slice(0, 2)).toEqual(['0', '0'])
  })

  test('if the first of them signs out', async () => {
    const { store, emit, client } = await storeWithSeven()
    const heard: string[][] = [[], []]
    store.on('change', (change) => {
      heard[0]?.push(sayings(change))
      void client.session.setToken(null)
    })
    store.on('change', (change) => heard[1]?.push(sayings(change)))
    await emit('Relationship Add', relationship('8'))
    expect(heard).toEqual([
      ['+8', '-7-8'],
      ['+8', '-7-8'],
    ])
  })

  test('if one of them closes the store: the others are still told what happened before', async () => {
    const { store, emit } = await storeWithSeven()
    const heard: string[] = []
    store.on('change', () => store.close())
    store.on('change', (change) => heard.push(sayings(change)))
    const subscriber = vi.fn()
    store.subscribe(subscriber)
    await emit('Relationship Add', relationship('8'))
    await emit('Relationship Add', relationship('9'))
    expect(heard).toEqual(['+8'])
    // Of the change, and that it is stale now.
    expect(subscriber).toHaveBeenCalledTimes(2)
  })

  test('but not one that subscribes later than they happened', async () => {
    const { store, emit, client } = await storeWithSeven()
    const late: string[] = []
    store.on('change', ({ added }) => {
      if (added.length === 0) return
      void client.session.setToken(null)
      store.on('change', (change) => late.push(sayings(change)))
      expect(store.all()).toEqual([])
    })
    await emit('Relationship Add', relationship('8'))
    expect(late).toEqual([])
  })

  test('also across the stores of a client, which all have changed before any listener is called', async () => {
    const { client, emit } = await liveWorld()
    const [people, games] = [client.relationships.live(), client.gameRelationships.live()]
    await Promise.all([people.ready, games.ready])
    await emit('Game Relationship Add', gameRelationship('900', '7'))
    const heard: string[] = []
    people.on('change', ({ added }) => {
      if (added.length > 0) void client.session.setToken(null)
    })
    people.on('change', (change) => heard.push(`people ${sayings(change)}, games ${games.all().length}`))
    games.on('change', (change) => heard.push(`games ${sayings(change)}, people ${people.all().length}`))
    await emit('Relationship Add', relationship('8'))
    expect(heard).toEqual(['people +8, games 0', 'people -8, games 0', 'games -7, people 0'])
  })

  test('if one of them throws, whose error is reported as it is', async () => {
    const error = vi.fn()
    const { client, emit } = await liveWorld({ logger: { error } })
    const store = client.relationships.live()
    await store.ready
    const mine = new Error('mine')
    const heard: string[] = []
    store.on('change', () => {
      throw mine
    })
    store.on('change', (change) => heard.push(sayings(change)))
    await emit('Relationship Add', relationship('8'))
    await emit('Relationship Add', relationship('9'))
    expect(heard).toEqual(['+8', '+9'])
    expect(error.mock.calls.map(([, thrown]) => thrown)).toEqual([mine, mine])
  })
})

describe('a listener cannot change what a store holds', () => {
  test('through the payload of the event, whether it was added before or after the store', async () => {
    const { client, emit } = await liveWorld()
    const spoil = (payload: object) => {
      try {
        Object.assign(payload, { nickname: 'spoilt', type: 2 })
      } catch {}
      try {
        Object.assign(Reflect.get(payload, 'user') ?? {}, { username: 'spoilt' })
      } catch {}
    }
    client.gateway.on('relationshipAdd', spoil)
    client.gateway.on('dispatch', ({ data }) => spoil(Object(data)))
    const store = client.relationships.live()
    client.gateway.on('relationshipAdd', spoil)
    client.gateway.on('relationshipUpdate', spoil)
    await store.ready
    await emit('Relationship Add', relationship('8'))
    await emit('Relationship Update', { id: '8', user: { id: '8', username: 'user 8', avatar: null } })
    expect(store.get('8')).toEqual(relationship('8', { user: { id: '8', username: 'user 8', avatar: null } }))
  })

  test('through what it is given, or through what it reads', async () => {
    const { store, emit } = await storeWithSeven()
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

  test('through the payload of an event that is applied again over the answer', async () => {
    const { store, emit, road, client } = await storeWithSeven()
    const payloads: object[] = []
    client.gateway.on('relationshipUpdate', (payload) => payloads.push(payload))
    road.holdsAnswers = true
    const refreshed = store.refresh()
    await emit('Relationship Add', relationship('8'))
    await emit('Relationship Update', { id: '8', nickname: 'Eight' })
    try {
      Object.assign(payloads[0] ?? {}, { nickname: 'spoilt' })
    } catch {}
    await road.release()
    await refreshed
    expect(store.get('8')?.nickname).toBe('Eight')
  })
})
