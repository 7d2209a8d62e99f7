import { RelationshipType } from 'rapport-sdk'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { liveWorld, relationship, settle } from './live-world'
import { pass } from './loaded-store'

/** A world with a store that is loaded with these relationships; `next` is the answer to the next request. */
async function storeOf(...ids: string[]) {
  const world = await liveWorld()
  const next = (items: object[]) => world.service.faults.on('Get Relationships', { status: 200, body: items, times: 1 })
  next(ids.map((id) => relationship(id)))
  const store = world.client.relationships.live()
  await store.ready
  world.road.asked = 0
  const order = () => store.all().map(({ id }) => id)
  const orderOf = (type: number) => store.filter(type).map(({ id }) => id)
  return { ...world, store, next, order, orderOf }
}

describe('the order of a store', () => {
  test('a store keeps the order of the response, then of additions', async () => {
    const { emit, order, orderOf } = await storeOf('9', '7', '8')
    await emit('Relationship Add', relationship('3'))
    await emit('Relationship Add', relationship('1'))
    await emit('Relationship Add', relationship('2', { type: 3 }))
    expect(order()).toEqual(['9', '7', '8', '3', '1', '2'])
    expect(orderOf(1)).toEqual(['9', '7', '8', '3', '1'])
    expect(orderOf(3)).toEqual(['2'])
  })

  test('a store keeps its order when items change, also to another type and back', async () => {
    const { emit, order, orderOf } = await storeOf('9', '7', '8')
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
    const { emit, order, orderOf } = await storeOf('9', '7', '8')
    expect(orderOf(1)).toHaveLength(3)
    await emit('Relationship Remove', { id: '9' })
    await emit('Relationship Add', relationship('9'))
    expect([order(), orderOf(1)]).toEqual([
      ['7', '8', '9'],
      ['7', '8', '9'],
    ])
  })

  test('refresh() takes the order of the new response even if nothing else has changed', async () => {
    const { store, next, order, orderOf } = await storeOf('9', '7', '8')
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
    const { store, next, orderOf } = await storeOf('9', '7')
    const friends = store.filter(RelationshipType.FRIEND)
    next([relationship('1', { type: 3 }), relationship('9'), relationship('2', { type: 3 }), relationship('7')])
    await store.refresh()
    expect(store.filter(RelationshipType.FRIEND)).toBe(friends)
    expect(orderOf(3)).toEqual(['1', '2'])
  })

  test('items that were added during a load follow those of the response', async () => {
    const { store, next, order, emit, road } = await storeOf('9', '7')
    road.holdsAnswers = true
    next(['7', '3', '9'].map((id) => relationship(id)))
    const refreshed = store.refresh()
    await settle()
    for (const id of ['2', '3', '1']) await emit('Relationship Add', relationship(id))
    expect(order()).toEqual(['9', '7', '2', '3', '1'])
    await road.release()
    await refreshed
    expect(order()).toEqual(['7', '3', '9', '2', '1'])
  })

  describe('of what was removed and added again while it was loaded', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
    afterEach(() => void vi.useRealTimers())

    test('a store reloads once more if an item was removed and added again during a load', async () => {
      const { store, next, order, emit, road } = await storeOf('9', '7')
      road.holdsAnswers = true
      next(['7', '9', '1'].map((id) => relationship(id)))
      const refreshed = store.refresh()
      await settle()
      await emit('Relationship Remove', { id: '9' })
      await emit('Relationship Add', relationship('9'))
      await emit('Relationship Add', relationship('1'))
      await road.release()
      await refreshed
      expect(store.stale).toBe(true)
      next(['7', '9', '1'].map((id) => relationship(id)))
      await pass(250)
      expect(road.asked).toBe(2)
      expect(store.stale).toBe(false)
      expect(order()).toEqual(['7', '9', '1'])
    })
  })
})
