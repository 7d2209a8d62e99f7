import { createMockService } from 'rapport-sdk/mocks'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { deferred } from '../deferred'
import { tokenOnly } from '../session-stores'
import { advance, relationship, settle, setUpLive, soon } from './set-up'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))

describe('the status of a store', () => {
  test('it is signedOut until a sign-in, loading until its load, and signedOut after a sign-out', async () => {
    const { service, ada, createClient, network } = await setUpLive()
    const client = createClient(ada, { token: undefined, fetch: network.wrap(service.fetch) })
    const store = client.relationships.live()
    const seen = [store.status]
    store.subscribe(() => seen.push(store.status))
    network.holdsResponses = true
    await client.session.setToken(service.token(ada))
    await settle()
    await network.release()
    await soon(store.ready)
    await client.session.setToken(null)
    expect(seen.filter((status, index) => status !== seen[index - 1])).toEqual([
      'signedOut',
      'loading',
      'ready',
      'signedOut',
    ])
    expect(network.requests).toBe(1)
  })

  test('refresh rejects without a request while nobody is signed in, and `ready` keeps waiting', async () => {
    const { service, ada, createClient, network } = await setUpLive()
    const client = createClient(ada, { token: undefined, fetch: network.wrap(service.fetch) })
    const store = client.relationships.live()
    await expect(store.refresh()).rejects.toThrow('nobody is signed in')
    expect(network.requests).toBe(0)
    expect(store.lastError).toBeUndefined()
    await client.session.setToken(service.token(ada))
    await soon(store.ready)
    expect(store.status).toBe('ready')
  })

  test('it is loading while the stored token is, and signedOut if there is none', async () => {
    const { ada, createClient } = await setUpLive()
    const stored = deferred<string | null>()
    const client = createClient(ada, {
      token: undefined,
      tokenStore: tokenOnly({ get: () => stored.promise, set: () => {} }),
    })
    const store = client.relationships.live()
    const listener = vi.fn(() => store.status)
    store.subscribe(listener)
    expect(store.status).toBe('loading')
    stored.resolve(null)
    await client.ready
    expect(store.status).toBe('signedOut')
    expect(listener.mock.results.map(({ value }) => value)).toEqual(['signedOut'])
  })

  test('it is failed after a first load that failed until a retry succeeds, and ready if a later load fails', async () => {
    const { client, service } = await setUpLive()
    service.faults.on('Get Relationships', { status: 500, times: 1 })
    const store = client.relationships.live()
    await soon(store.ready).catch(() => {})
    expect(store.status).toBe('failed')
    await advance(2_000)
    expect(store.status).toBe('ready')
    service.faults.on('Get Relationships', { status: 500, times: 1 })
    await store.refresh().catch(() => {})
    expect([store.status, store.lastError]).toMatchObject(['ready', { status: 500 }])
    store.close()
    expect(store.status).toBe('closed')
  })
})

describe('a store whose gateway sends the list with Ready', () => {
  const setUpSnapshot = () => setUpLive({}, createMockService({ now: 0, policy: { gateway: { readySnapshot: true } } }))

  test('has its items without another request if it waits for Ready', async () => {
    const { client, service, ada, grace, network } = await setUpSnapshot()
    await client.gateway.disconnect()
    service.relationships.befriend(ada, grace)
    const store = client.relationships.live()
    const games = client.gameRelationships.live()
    await soon(Promise.all([store.ready, games.ready]))
    const before = network.requests
    await client.gateway.connect()
    await settle()
    expect([store.stale, games.stale, network.requests - before]).toEqual([false, false, 0])
    expect(store.get(grace.id)?.user.username).toBe('grace')
  })

  test('Ready replaces a request in flight, and settles `ready` and `refresh`', async () => {
    const { client, service, ada, grace, network } = await setUpSnapshot()
    await client.gateway.disconnect()
    network.holdsResponses = true
    const store = client.relationships.live()
    const refreshed = store.refresh()
    service.relationships.befriend(ada, grace)
    await client.gateway.connect()
    await soon(Promise.all([store.ready, refreshed]))
    expect([store.stale, store.all().length]).toEqual([false, 1])
    await network.release()
    expect(store.all()).toHaveLength(1)
  })

  test('events that follow Ready are applied to its list', async () => {
    const { client, service, ada, grace, linus, network } = await setUpSnapshot()
    service.relationships.befriend(ada, grace)
    const store = client.relationships.live()
    await soon(store.ready)
    network.requests = 0
    await client.gateway.disconnect()
    client.gateway.once('ready', () => service.relationships.befriend(ada, linus))
    await client.gateway.connect()
    await settle()
    expect(store.all().map(({ id }) => id)).toEqual([grace.id, linus.id])
    expect([store.stale, network.requests]).toEqual([false, 0])
  })

  test('an invalid list in Ready is not used, and the store loads the list itself', async () => {
    const { client, service, network } = await setUpSnapshot()
    const store = client.relationships.live()
    await soon(store.ready)
    service.gateway.emit('Ready', { auth_session_id_hash: 'a hash', relationships: [{}] })
    await settle()
    expect(store.status).toBe('ready')
    service.faults.on('Get Relationships', { status: 200, body: [relationship('7')] })
    network.requests = 0
    await advance(2_000)
    expect([network.requests, store.all().length, store.lastError]).toEqual([1, 1, undefined])
  })
})
