import { describe, expect, test, vi } from 'vitest'
import { gameRelationship, relationship, settle, setUpLive, setUpStoreWithSeven, soon } from './set-up'

describe('an Add event', () => {
  test('adds an item for an unknown user', async () => {
    const { store, changes, emit } = await setUpStoreWithSeven()
    await emit('Relationship Add', relationship('8', { tomorrow: [1] }))
    expect(store.get('8')).toEqual(relationship('8', { tomorrow: [1] }))
    expect(store.all().map(({ id }) => id)).toEqual(['7', '8'])
    expect(changes).toEqual([{ added: [store.get('8')], updated: [], removed: [] }])
  })

  test('replaces the item of a known user in its place', async () => {
    const { store, changes, emit } = await setUpStoreWithSeven()
    await emit('Relationship Add', relationship('8'))
    await emit('Relationship Add', relationship('7', { type: 2 }))
    expect(store.get('7')).toEqual(relationship('7', { type: 2 }))
    expect(store.all().map(({ id }) => id)).toEqual(['7', '8'])
    expect(changes.at(-1)).toEqual({ added: [], updated: [store.get('7')], removed: [] })
  })

  test('emits no change if nothing differs', async () => {
    const { store, changes, emit } = await setUpStoreWithSeven()
    const before = store.getSnapshot()
    const listener = vi.fn()
    store.subscribe(listener)
    await emit('Relationship Add', relationship('7', { note: 'Hello' }))
    expect(store.getSnapshot()).toBe(before)
    expect(changes).toEqual([])
    expect(listener).not.toHaveBeenCalled()
  })
})

describe('an Update event', () => {
  test('changes the fields it has and keeps the others', async () => {
    const { store, changes, emit } = await setUpStoreWithSeven()
    const update = { id: '7', nickname: 'Seven', user_ignored: true }
    await emit('Relationship Update', update)
    expect(store.get('7')).toEqual({ ...relationship('7', { note: 'Hello' }), ...update })
    expect(changes).toEqual([{ added: [], updated: [store.get('7')], removed: [] }])
  })

  test('sets a nullable field to null by `null`, and removes any other', async () => {
    const { store, emit } = await setUpStoreWithSeven()
    const all = { is_spam_request: true, stranger_request: true, since: 'then', has_played_game: true, note: 'Hi' }
    const full = { nickname: 'Seven', origin_application_id: '900', ...all }
    await emit('Relationship Update', { id: '7', ...full })
    expect(store.get('7')).toEqual(relationship('7', full))
    const none = Object.fromEntries(Object.keys(full).map((name) => [name, null]))
    await emit('Relationship Update', { id: '7', ...none, tomorrow: null })
    const after = { nickname: null, origin_application_id: null, tomorrow: null }
    expect(store.get('7')).toStrictEqual(relationship('7', after))
  })

  test('changes the item once if it arrives twice', async () => {
    const { store, changes, emit } = await setUpStoreWithSeven()
    await emit('Relationship Update', { id: '7', type: 2 })
    const before = store.all()
    await emit('Relationship Update', { id: '7', type: 2 })
    expect(changes).toHaveLength(1)
    expect(store.all()).toBe(before)
  })
})

describe('a Remove event', () => {
  test('removes the item and ignores other fields', async () => {
    const { store, changes, emit } = await setUpStoreWithSeven()
    const before = store.get('7')
    await emit('Relationship Remove', { id: '7', type: 1, nickname: null })
    expect(store.get('7')).toBeUndefined()
    expect(store.all()).toEqual([])
    expect(changes).toEqual([{ added: [], updated: [], removed: [before] }])
  })

  test('changes nothing for an unknown user, or if it is the second one', async () => {
    const { store, changes, emit } = await setUpStoreWithSeven()
    const before = store.all()
    await emit('Relationship Remove', { id: '8' })
    expect(store.all()).toBe(before)
    await emit('Relationship Remove', { id: '7' })
    await emit('Relationship Remove', { id: '7' })
    expect(changes).toHaveLength(1)
    expect(store.stale).toBe(false)
  })
})

test('game relationships are identified by application and user', async () => {
  const { client, emit } = await setUpLive()
  const store = client.gameRelationships.live()
  await soon(store.ready)
  for (const application of ['900', '901']) await emit('Game Relationship Add', gameRelationship(application, '7'))
  await emit('Game Relationship Add', gameRelationship('900', '8', { type: 3 }))
  expect(store.all()).toHaveLength(3)
  expect(store.get({ application_id: '901', id: '7' })).toEqual(gameRelationship('901', '7'))
  expect(store.filter(3).map(({ id }) => id)).toEqual(['8'])
  const [first] = store.all()
  expect(first && store.get(first)).toBe(first)
  await emit('Game Relationship Remove', { id: '7', application_id: '900' })
  await emit('Game Relationship Remove', { id: '7', application_id: '900' })
  expect(store.all().map(({ application_id, id }) => `${application_id} ${id}`)).toEqual(['901 7', '900 8'])
})

test('game relationships whose concatenated IDs are equal are different items', async () => {
  const { client, emit } = await setUpLive()
  const store = client.gameRelationships.live()
  await soon(store.ready)
  await emit('Game Relationship Add', gameRelationship('1","2', '3'))
  await emit('Game Relationship Add', gameRelationship('1', '2","3'))
  expect(store.all()).toHaveLength(2)
})

test('friend suggestions are removed by an event and added by refresh()', async () => {
  const { client, service, ada, grace, linus } = await setUpLive()
  service.users.suggest(ada, grace)
  const store = client.friendSuggestions.live()
  await soon(store.ready)
  service.users.suggest(ada, linus, { reasons: [{ type: 2, platform: 'chess', name: 'linus64' }] })
  await client.friendSuggestions.delete(grace.id)
  await settle()
  expect(store.all()).toEqual([])
  await store.refresh()
  expect(store.get(linus.id)?.reasons).toEqual([{ type: 2, platform: 'chess', name: 'linus64' }])
  expect(store.filter(2)).toHaveLength(1)
  expect(store.filter(1)).toEqual([])
})

test('friend suggestions that are removed during a load stay removed', async () => {
  const { client, service, ada, grace, network } = await setUpLive()
  service.users.suggest(ada, grace)
  network.holdsResponses = true
  const store = client.friendSuggestions.live()
  await settle()
  await client.friendSuggestions.delete(grace.id)
  await network.release()
  await soon(store.ready)
  expect(store.all()).toEqual([])
})
