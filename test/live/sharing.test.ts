import { isGatewayError } from 'rapport-sdk'
import { describe, expect, test, vi } from 'vitest'
import { reasonOf, rejectionOf } from '../transport/rejection'
import { relationship, settle, setUpLive, setUpStoreWithSeven, soon } from './set-up'

describe('stores of one kind', () => {
  test('share one load and are ready together', async () => {
    const { client, network } = await setUpLive()
    const stores = Array.from({ length: 20 }, () => client.relationships.live())
    await Promise.all(stores.map(({ ready }) => ready))
    expect(network.requests).toBe(1)
    await Promise.all(stores.map((store) => store.refresh()))
    // One for the first call, and one for all calls made while it was pending.
    expect(network.requests).toBe(3)
  })

  test('have the same items and arrays with one request', async () => {
    const { client, store, network, emit } = await setUpStoreWithSeven()
    const other = client.relationships.live()
    expect(other).not.toBe(store)
    expect(other.stale).toBe(false)
    expect(other.all()).toBe(store.all())
    await soon(other.ready)
    await emit('Relationship Add', relationship('8'))
    expect(other.filter(1)).toBe(store.filter(1))
    expect(other.filter(1)).toHaveLength(2)
    await settle()
    expect(network.requests).toBe(0)
  })

  test('have their own listeners and are closed one by one', async () => {
    const { client, store, emit } = await setUpStoreWithSeven()
    const other = client.relationships.live()
    const [listener, others, subscriber] = [vi.fn(), vi.fn(), vi.fn()]
    store.on('change', listener)
    other.on('change', others)
    other.subscribe(subscriber)
    await emit('Relationship Add', relationship('8'))
    const [all, friends] = [store.all(), store.filter(1)]
    store.close()
    expect(store.stale).toBe(true)
    expect(other.stale).toBe(false)
    await emit('Relationship Update', { id: '7', nickname: 'Seven' })
    await emit('Relationship Add', relationship('9'))
    expect([listener, others, subscriber].map(({ mock }) => mock.calls.length)).toEqual([1, 3, 3])
    // A closed store keeps its items, in the same arrays.
    expect(store.all()).toBe(all)
    expect(store.filter(1)).toBe(friends)
    expect(store.get('7')?.nickname).toBeNull()
    expect(other.get('7')?.nickname).toBe('Seven')
    expect(other.all().map(({ id }) => id)).toEqual(['7', '8', '9'])
  })

  test('reject only the calls that wait for the one that is closed', async () => {
    const { client, network } = await setUpLive()
    network.holdsResponses = true
    const [one, other] = [client.relationships.live(), client.relationships.live()]
    await settle()
    one.close()
    expect((await rejectionOf(soon(one.ready), isGatewayError)).reason).toBe('disconnected')
    await network.release()
    await soon(other.ready)
    expect(other.lastError).toBeUndefined()
    expect(network.requests).toBe(1)
  })

  test('start over if one is opened after the last was closed', async () => {
    const { client, store, emit, network } = await setUpStoreWithSeven()
    store.close()
    await emit('Relationship Add', relationship('8'))
    const next = client.relationships.live()
    expect([next.stale, next.all()]).toEqual([true, []])
    await soon(next.ready)
    expect(network.requests).toBe(1)
    expect(next.all()).toEqual([])
  })

  test('keep items and send no request if one is closed and opened again at once, as by StrictMode of React', async () => {
    const { client, store, emit, network } = await setUpStoreWithSeven()
    store.close()
    const next = client.relationships.live()
    next.close()
    const last = client.relationships.live()
    expect([last.status, last.stale, last.all()]).toEqual(['ready', false, store.all()])
    await emit('Relationship Add', relationship('8'))
    expect([last, next, store].map((one) => one.all().length)).toEqual([2, 1, 1])
    expect(network.requests).toBe(0)
  })

  test('share the load of one that was opened after the others were closed', async () => {
    const { client, store, network } = await setUpStoreWithSeven()
    store.close()
    client.relationships.live().close()
    await Promise.resolve()
    const next = client.relationships.live()
    await settle()
    const other = client.relationships.live()
    expect(other.all()).toBe(next.all())
    expect(network.requests).toBe(1)
  })

  test('have the error of a failed load if one is opened after it', async () => {
    const { client, service, network } = await setUpLive()
    service.faults.on('Get Relationships', { status: 500 })
    const first = client.relationships.live()
    const error = await reasonOf(soon(first.ready))
    const second = client.relationships.live()
    expect(await reasonOf(soon(second.ready))).toBe(error)
    expect(second.lastError).toBe(error)
    expect(network.requests).toBe(1)
  })

  test('stores of other clients and other kinds are separate', async () => {
    const { client, createClient, grace, store, emit } = await setUpStoreWithSeven()
    const theirs = createClient(grace).relationships.live()
    const games = client.gameRelationships.live()
    await soon(Promise.all([theirs.ready, games.ready]))
    await emit('Relationship Add', relationship('8'))
    expect([store, theirs, games].map((one) => one.all().length)).toEqual([2, 0, 0])
  })
})
