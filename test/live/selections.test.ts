import { RelationshipType } from 'rapport-sdk'
import { describe, expect, test, vi } from 'vitest'
import { relationship, settle, setUpStoreWithSeven } from './set-up'

describe('store.select()', () => {
  test('a selection notifies only if its value changes', async () => {
    const { store, emit } = await setUpStoreWithSeven()
    const { subscribe, getSnapshot } = store.select(({ filter }) => filter(RelationshipType.FRIEND).length)
    const listener = vi.fn(getSnapshot)
    const unsubscribe = subscribe(listener)
    expect(getSnapshot()).toBe(1)
    await emit('Relationship Update', { id: '7', nickname: 'Seven' })
    await emit('Relationship Add', relationship('8'))
    await emit('Relationship Add', relationship('9', { type: RelationshipType.BLOCKED }))
    expect(listener.mock.results.map(({ value }) => value)).toEqual([2])
    unsubscribe()
    await emit('Relationship Remove', { id: '8' })
    expect(listener).toHaveBeenCalledTimes(1)
    expect(getSnapshot()).toBe(1)
  })

  test('a selector that creates an array runs once for each change, so that the snapshot keeps its identity', async () => {
    const { store, emit } = await setUpStoreWithSeven()
    const selector = vi.fn(({ all }: Pick<typeof store, 'all'>) => all().map(({ id }) => id))
    const { getSnapshot } = store.select(selector)
    const before = getSnapshot()
    expect(getSnapshot()).toBe(before)
    expect(selector).toHaveBeenCalledTimes(1)
    await emit('Relationship Add', relationship('8'))
    expect(getSnapshot()).toEqual(['7', '8'])
    expect(getSnapshot()).toBe(getSnapshot())
    expect(selector).toHaveBeenCalledTimes(2)
  })

  test('isEqual keeps the previous value', async () => {
    const { store, emit } = await setUpStoreWithSeven()
    const ids = store.select(
      ({ all }) => all().map(({ id }) => id),
      (one, other) => one.join() === other.join(),
    )
    const listener = vi.fn()
    ids.subscribe(listener)
    const before = ids.getSnapshot()
    await emit('Relationship Update', { id: '7', nickname: 'Seven' })
    expect(ids.getSnapshot()).toBe(before)
    expect(listener).not.toHaveBeenCalled()
    await emit('Relationship Add', relationship('8'))
    expect(listener).toHaveBeenCalledTimes(1)
  })

  test('follows `stale` and `status`, also when the store is closed', async () => {
    const { client, store } = await setUpStoreWithSeven()
    const { subscribe, getSnapshot } = store.select(({ status, stale }) => `${status} ${stale}`)
    const seen = [getSnapshot()]
    subscribe(() => seen.push(getSnapshot()))
    await client.gateway.disconnect()
    store.close()
    expect(seen).toEqual(['ready false', 'ready true', 'closed true'])
  })

  test('an effect that subscribes, unsubscribes and subscribes again keeps its listener', async () => {
    const { store, emit } = await setUpStoreWithSeven()
    for (const { subscribe } of [store, store.select(({ all }) => all())]) {
      const listener = vi.fn()
      subscribe(listener)()
      subscribe(listener)
      await emit('Relationship Update', { id: '7', nickname: String(Math.random()) })
      expect(listener).toHaveBeenCalledTimes(1)
    }
  })
})

describe('store.subscribeTo()', () => {
  test('reports changes of one item with the item, and its removal with undefined', async () => {
    const { store, emit } = await setUpStoreWithSeven()
    const nicknames: unknown[] = []
    const unsubscribe = store.subscribeTo('7', (item) => nicknames.push(item?.nickname))
    await emit('Relationship Add', relationship('8'))
    await emit('Relationship Update', { id: '7', nickname: 'Seven' })
    await emit('Relationship Remove', { id: '7' })
    await emit('Relationship Add', relationship('7'))
    expect(nicknames).toEqual(['Seven', undefined, null])
    unsubscribe()
    await emit('Relationship Remove', { id: '7' })
    expect(nicknames).toHaveLength(3)
  })

  test('a sign-out reports each watched item as removed', async () => {
    const { client, store } = await setUpStoreWithSeven()
    const items: unknown[] = []
    store.subscribeTo('7', (item) => items.push(item))
    await client.session.setToken(null)
    await settle()
    expect(items).toEqual([undefined])
  })
})
