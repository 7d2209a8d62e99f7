import { isGatewayError } from 'rapport-sdk'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { rejectionOf } from '../transport/rejection'
import { liveWorld, settle } from './live-world'
import { loadedStore, pass } from './loaded-store'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }))
afterEach(() => void vi.useRealTimers())

describe('the session', () => {
  test('that is signed out closes the store, which keeps what it had', async () => {
    const { service, ada, grace, client, store, stale, road } = await loadedStore()
    service.relationships.befriend(ada, grace)
    await settle()
    stale.length = 0
    road.holdsAnswers = true
    const refreshed = store.refresh()
    await settle()
    await client.session.setToken(null)
    const error = await rejectionOf(refreshed, isGatewayError)
    expect(error.message).toContain('the store was closed: the session was signed out')
    expect(store.stale).toBe(true)
    expect(stale).toEqual([true])
    expect(store.get(grace.id)).toBeDefined()
    await road.release()
    expect(store.lastError).toBeUndefined()
    await client.session.setToken(service.token(grace))
    await client.gateway.connect()
    await pass(1_000)
    expect(road.asked).toBe(1)
    expect(store.stale).toBe(true)
  })

  test('of another user has the store loaded anew', async () => {
    const { service, ada, grace, linus, client, store, road } = await loadedStore()
    service.relationships.befriend(ada, linus)
    await settle()
    road.holdsAnswers = true
    const refreshed = store.refresh()
    await settle()
    service.relationships.befriend(grace, ada)
    await client.session.setToken(service.token(grace))
    expect(store.stale).toBe(true)
    await road.release()
    await refreshed
    await pass(1_000)
    expect(store.all().map(({ id }) => id)).toEqual([ada.id])
    expect(store.stale).toBe(false)
  })

  test('of another user takes away what the one before had, though nothing can be loaded', async () => {
    const { service, ada, grace, linus, client, store } = await loadedStore()
    service.relationships.befriend(ada, linus)
    await settle()
    const removed: string[] = []
    store.on('change', (change) => removed.push(...change.removed.map(({ id }) => id)))
    service.faults.on('Get Relationships', { status: 500, times: Infinity })
    await client.session.setToken(service.token(grace))
    expect(store.all()).toEqual([])
    expect(removed).toEqual([linus.id])
    await expect(store.ready).rejects.toMatchObject({ status: 500 })
  })

  test('that begins has a store loaded that could not be', async () => {
    const { service, ada, clientOf } = await liveWorld()
    const client = clientOf(ada)
    await client.session.setToken(null)
    const store = client.relationships.live()
    await expect(store.ready).rejects.toMatchObject({ status: 401 })
    await client.session.setToken(service.token(ada))
    await store.ready
    expect(store.lastError).toBeUndefined()
  })

  test('ends with the client: the store is closed, and no other can be opened', async () => {
    const { client, store, road } = await loadedStore()
    road.holdsRequests = true
    const refreshed = store.refresh()
    client.dispose()
    expect((await rejectionOf(refreshed, isGatewayError)).reason).toBe('disconnected')
    expect(store.stale).toBe(true)
    const late = await rejectionOf(new Promise(() => client.relationships.live()), isGatewayError)
    expect(late.reason).toBe('disconnected')
  })
})
