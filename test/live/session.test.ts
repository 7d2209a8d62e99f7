import { isGatewayError } from 'rapport-sdk'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { rejectionOf } from '../transport/rejection'
import { liveWorld, settle } from './live-world'
import { loadedStore, pass } from './loaded-store'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }))
afterEach(() => void vi.useRealTimers())

describe('the session', () => {
  test('signing out empties the store and rejects what waits for its requests', async () => {
    const { service, ada, grace, client, store, stale, road } = await loadedStore()
    service.relationships.befriend(ada, grace)
    await settle()
    stale.length = 0
    const removed: string[] = []
    store.on('change', (change) => removed.push(...change.removed.map(({ id }) => id)))
    road.holdsAnswers = true
    const refreshed = store.refresh()
    await settle()
    await client.session.setToken(null)
    const error = await rejectionOf(refreshed, isGatewayError)
    expect(error.message).toContain('client.relationships.live: the session was signed out')
    expect(store.all()).toEqual([])
    expect(removed).toEqual([grace.id])
    expect(stale.every((isStale) => isStale)).toBe(true)
    await road.release()
    await pass(120_000)
    // The answer of before is nobody's, and nothing is asked for.
    expect([store.all(), store.stale, store.lastError, road.asked]).toEqual([[], true, undefined, 1])
  })

  test('the next sign-in fills a store that was emptied', async () => {
    const { service, ada, grace, client, store, road } = await loadedStore()
    const before = store.ready
    await client.session.setToken(null)
    const { ready } = store
    expect(ready).not.toBe(before)
    service.relationships.befriend(grace, ada)
    await client.session.setToken(service.token(grace))
    await ready
    expect(store.all().map(({ id }) => id)).toEqual([ada.id])
    expect(road.asked).toBe(1)
    await client.gateway.connect()
    await pass(1_000)
    expect(store.stale).toBe(false)
  })

  test('signing out during the first load leaves `ready` waiting for the next account', async () => {
    const { service, ada, client, road } = await liveWorld()
    road.holdsAnswers = true
    const store = client.relationships.live()
    const { ready } = store
    await settle()
    await client.session.setToken(null)
    await road.release()
    expect(store.ready).toBe(ready)
    await client.session.setToken(service.token(ada))
    await ready
    expect(store.lastError).toBeUndefined()
  })

  test('a sign-in of another user reloads the store', async () => {
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

  test('a sign-in of another user removes the old items even if nothing can be loaded', async () => {
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

  test('a store that is created before a sign-in waits without a request', async () => {
    const { service, ada, grace, clientOf, road } = await liveWorld()
    const client = clientOf(ada, { token: undefined, fetch: road.over(service.fetch) })
    service.relationships.befriend(ada, grace)
    const store = client.relationships.live()
    const another = client.relationships.live()
    await pass(60_000)
    expect([road.asked, store.stale, store.lastError]).toEqual([0, true, undefined])
    await client.session.setToken(service.token(ada))
    await Promise.all([store.ready, another.ready])
    expect(road.asked).toBe(1)
    expect(store.get(grace.id)?.type).toBe(1)
  })

  test('a store waits for a slow token store and has its failure in `lastError`', async () => {
    const { service, ada, clientOf } = await liveWorld()
    let load = (_: string) => {}
    const stored = new Promise<string>((resolve) => {
      load = resolve
    })
    const slow = clientOf(ada, { token: undefined, tokenStore: { get: () => stored, set: () => {} } })
    const store = slow.relationships.live()
    await settle()
    load(service.token(ada))
    await store.ready
    const get = () => Promise.reject(new Error('locked'))
    const failing = clientOf(ada, { token: undefined, tokenStore: { get, set: () => {} } }).relationships.live()
    await expect(failing.ready).rejects.toThrow('The token store failed to load the token')
    expect(failing.lastError).toMatchObject({ name: 'RapportError' })
  })

  test('an elevated session or the same token does not change the store', async () => {
    const { service, ada, clientOf, road } = await liveWorld()
    const token = service.token(ada)
    const client = clientOf(ada, { token, fetch: road.over(service.fetch) })
    const store = client.relationships.live()
    await store.ready
    const { ready } = store
    await client.session.setToken(token)
    await pass(60_000)
    expect(road.asked).toBe(1)
    expect(store.ready).toBe(ready)
  })

  test('a session that changes during the change event of a load does not resolve `ready` for the next account', async () => {
    const { service, ada, grace, linus, client, road } = await liveWorld()
    service.relationships.befriend(ada, linus)
    await settle()
    const store = client.relationships.live()
    const unsubscribe = store.on('change', () => {
      unsubscribe()
      road.holdsAnswers = true
      void client.session.setToken(service.token(grace))
    })
    await settle()
    expect(store.all()).toEqual([])
    const settled = vi.fn()
    void store.ready.then(settled, settled)
    await settle()
    expect(settled).not.toHaveBeenCalled()
    await road.release()
    await pass(1_000)
    expect(settled).toHaveBeenCalled()
  })

  test('dispose() closes the store, and no other can be opened', async () => {
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
