import { RelationshipType } from 'rapport-sdk'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { relationship, settle, setUpStoreWithSeven } from './set-up'

describe('placeholders of unknown users', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))

  test('they are added by an Update, and cause one reload after 250 ms', async () => {
    const { store, changes, emit, network, service } = await setUpStoreWithSeven()
    await emit('Relationship Update', { id: '8', nickname: 'Eight' })
    expect(store.get('8')).toEqual({
      id: '8',
      type: RelationshipType.NONE,
      user: { id: '8' },
      nickname: 'Eight',
      user_ignored: false,
    })
    expect(changes).toEqual([{ added: [store.get('8')], updated: [], removed: [] }])
    expect(store.stale).toBe(true)
    await emit('Relationship Update', { id: '8', type: 1 })
    await emit('Relationship Update', { id: '9', type: 1 })
    expect(store.get('8')).toMatchObject({ type: 1, nickname: 'Eight' })
    await vi.advanceTimersByTimeAsync(249)
    expect(network.requests).toBe(0)
    const all = ['7', '8'].map((id) => relationship(id, { note: 'whole' }))
    service.faults.on('Get Relationships', { status: 200, body: all, times: 1 })
    await vi.advanceTimersByTimeAsync(1)
    await settle()
    expect(network.requests).toBe(1)
    expect(store.all()).toEqual(all)
    expect(store.stale).toBe(false)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(network.requests).toBe(1)
  })

  test('they are completed by an Add', async () => {
    const { store, emit } = await setUpStoreWithSeven()
    await emit('Relationship Update', { id: '8', nickname: 'Eight' })
    await emit('Relationship Add', relationship('8'))
    expect(store.stale).toBe(false)
    await emit('Relationship Update', { id: '9', nickname: 'Nine' })
    expect(store.stale).toBe(true)
    await emit('Relationship Remove', { id: '9' })
    expect(store.stale).toBe(false)
  })

  test('need no reload after an Update during a load if the response has the user', async () => {
    const { store, emit, network, service } = await setUpStoreWithSeven()
    const all = ['7', '8'].map((id) => relationship(id, { note: 'whole' }))
    service.faults.on('Get Relationships', { status: 200, body: all, times: 1 })
    network.holdsResponses = true
    const refreshed = store.refresh()
    await settle()
    await emit('Relationship Update', { id: '8', nickname: 'Eight' })
    expect(store.get('8')?.user).toEqual({ id: '8' })
    await network.release()
    await refreshed
    expect(store.get('8')).toEqual(relationship('8', { note: 'whole', nickname: 'Eight' }))
    expect(store.stale).toBe(false)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(network.requests).toBe(1)
  })

  test('cause one more reload after an Update during a load if the response lacks the user', async () => {
    const { store, emit, network } = await setUpStoreWithSeven()
    network.holdsResponses = true
    const refreshed = store.refresh()
    await settle()
    await emit('Relationship Update', { id: '8', nickname: 'Eight' })
    await network.release()
    await refreshed
    expect(store.stale).toBe(true)
    await vi.advanceTimersByTimeAsync(250)
    await settle()
    expect(network.requests).toBe(2)
    expect(store.stale).toBe(false)
  })

  test('cause one reload for a user, and another after a failure', async () => {
    const { store, emit, network, service } = await setUpStoreWithSeven()
    service.faults.on('Get Relationships', { status: 500, times: 1 })
    await emit('Relationship Update', { id: '8', nickname: 'Eight' })
    await vi.advanceTimersByTimeAsync(250)
    await settle()
    expect(store.lastError).toMatchObject({ status: 500 })
    expect([store.stale, store.get('8')?.nickname]).toEqual([true, 'Eight'])
    await emit('Relationship Update', { id: '8', type: 1 })
    await emit('Relationship Update', { id: '9', type: 1 })
    await vi.advanceTimersByTimeAsync(499)
    expect(network.requests).toBe(1)
    await vi.advanceTimersByTimeAsync(501)
    await settle()
    expect(network.requests).toBe(2)
    expect([store.stale, store.lastError, store.all()]).toEqual([false, undefined, []])
  })

  test('they are covered by the retry of a load that fails', async () => {
    const { store, emit, network, service } = await setUpStoreWithSeven()
    service.faults.on('Get Relationships', { status: 500, times: 1 })
    network.holdsResponses = true
    store.refresh()
    await settle()
    await emit('Relationship Update', { id: '8', nickname: 'Eight' })
    await network.release()
    expect(store.lastError).toMatchObject({ status: 500 })
    await vi.advanceTimersByTimeAsync(1_000)
    await settle()
    expect(network.requests).toBe(2)
    expect([store.stale, store.lastError]).toEqual([false, undefined])
  })

  test('leave no timer behind when the store is closed', async () => {
    const { store, emit, client, network } = await setUpStoreWithSeven()
    await client.gateway.disconnect()
    await client.gateway.connect()
    await settle()
    network.requests = 0
    const before = vi.getTimerCount()
    await emit('Relationship Update', { id: '8', nickname: 'Eight' })
    expect(vi.getTimerCount()).toBe(before + 1)
    store.close()
    await settle()
    expect(vi.getTimerCount()).toBe(before)
    await vi.advanceTimersByTimeAsync(1000)
    expect(network.requests).toBe(0)
  })
})
