import { isGatewayError, isMfaCancelledError, type RelationshipStore } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { beforeEach, expect, test, vi } from 'vitest'
import { tokenOnly } from '../session-stores'
import { rejectionOf } from '../transport/rejection'
import { advance, settle, setUpLive, setUpStore, soon } from './set-up'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }))

test('signing out empties the store and rejects pending calls of refresh()', async () => {
  const { service, ada, grace, client, store, stale, network } = await setUpStore()
  service.relationships.befriend(ada, grace)
  await settle()
  stale.length = 0
  const removed: string[] = []
  store.on('change', (change) => removed.push(...change.removed.map(({ id }) => id)))
  network.holdsResponses = true
  const refreshed = store.refresh()
  await settle()
  await client.session.setToken(null)
  const error = await rejectionOf(refreshed, isGatewayError)
  expect(error.message).toContain('client.relationships.live: the session was signed out')
  expect(store.all()).toEqual([])
  expect(removed).toEqual([grace.id])
  expect(stale.every((isStale) => isStale)).toBe(true)
  await network.release()
  await advance(120_000)
  // The pending response is dropped, and no request is sent.
  expect([store.all(), store.stale, store.lastError, network.requests]).toEqual([[], true, undefined, 1])
})

test('the next sign-in fills a store that was emptied', async () => {
  const { service, ada, grace, client, store, network } = await setUpStore()
  const before = store.ready
  await client.session.setToken(null)
  const { ready } = store
  expect(ready).not.toBe(before)
  service.relationships.befriend(grace, ada)
  await client.session.setToken(service.token(grace))
  await ready
  expect(store.all().map(({ id }) => id)).toEqual([ada.id])
  expect(network.requests).toBe(1)
  await client.gateway.connect()
  await advance(1_000)
  expect(store.stale).toBe(false)
})

test('a listener of onChange never reads the items of another account, even if it was added before the store', async () => {
  const { service, ada, grace, client } = await setUpLive()
  service.relationships.befriend(ada, grace)
  const seen: string[][] = []
  client.session.onChange(({ type }) => seen.push([type, ...store.all().map(({ id }) => id)]))
  const store = client.relationships.live()
  await soon(store.ready)
  expect(store.all().map(({ id }) => id)).toEqual([grace.id])
  await client.session.setToken(service.token(grace))
  await client.session.setToken(null)
  expect(seen).toEqual([['tokenChanged'], ['signedOut']])
})

test('an abort listener of a prompt never reads the items of another account', async () => {
  const service = createMockService({ now: 0, policy: { requireMfa: (name) => name === 'Logout Auth Sessions' } })
  const seen: string[][] = []
  let store: RelationshipStore | undefined
  const { ada, grace, client } = await setUpLive(
    {
      onMfaRequired: ({ signal }) => {
        signal.addEventListener('abort', () => seen.push(store?.all().map(({ id }) => id) ?? ['no store']))
        return new Promise(() => {})
      },
    },
    service,
  )
  service.relationships.befriend(ada, grace)
  store = client.relationships.live()
  await store.ready
  const call = client.auth.sessions.logout({ session_id_hashes: ['none'] })
  const failed = rejectionOf(call, isMfaCancelledError)
  await settle()
  await client.session.setToken(service.token(grace))
  await failed
  expect(seen).toEqual([[]])
})

test('a listener of the gateway never reads the items of another account', async () => {
  const { service, ada, grace, client, store } = await setUpStore()
  service.relationships.befriend(ada, grace)
  await settle()
  expect(store.all()).toHaveLength(1)
  const seen: string[][] = []
  client.gateway.on('stateChange', () => seen.push(store.all().map(({ id }) => id)))
  await client.session.setToken(service.token(service.users.create({ login: 'a@example.com', username: 'a' })))
  await settle()
  expect(seen.length).toBeGreaterThan(0)
  expect(seen.flat()).toEqual([])
})

test('an abort listener of the request of one store never reads the items of another account in another', async () => {
  const seen: number[] = []
  let count = () => 0
  const service = createMockService({ now: 0 })
  const fetch: typeof globalThis.fetch = (input, init) => {
    init?.signal?.addEventListener('abort', () => seen.push(count()))
    return service.fetch(input, init)
  }
  const { ada, grace, linus, client } = await setUpLive({ fetch }, service)
  service.users.suggest(ada, linus)
  service.relationships.befriend(ada, grace)
  const relationships = client.relationships.live()
  const suggestions = client.friendSuggestions.live()
  await Promise.all([relationships.ready, suggestions.ready])
  count = () => relationships.all().length + suggestions.all().length
  expect(count()).toBe(2)
  service.faults.on('Get Relationships', { latency: 1000 })
  service.faults.on('Get Friend Suggestions', { latency: 1000 })
  const refreshed = [relationships.refresh(), suggestions.refresh()].map((call) => call.catch(() => {}))
  await settle()
  await client.session.setToken(service.token(service.users.create({ login: 'a@example.com', username: 'a' })))
  await advance(2000)
  await Promise.all(refreshed)
  expect(seen.length).toBeGreaterThan(1)
  expect(seen.every((items) => items === 0)).toBe(true)
})

test('an abort listener that signs in again during the sign-out lets every store load for the new account', async () => {
  const service = createMockService({ now: 0 })
  let signInAgain = () => {}
  const fetch: typeof globalThis.fetch = (input, init) => {
    init?.signal?.addEventListener('abort', () => signInAgain())
    return service.fetch(input, init)
  }
  const { ada, grace, linus, client } = await setUpLive({ fetch }, service)
  service.relationships.befriend(linus, grace)
  service.users.suggest(linus, ada)
  const relationships = client.relationships.live()
  const suggestions = client.friendSuggestions.live()
  await Promise.all([relationships.ready, suggestions.ready])
  service.faults.on('Get Relationships', { latency: 1000 })
  service.faults.on('Get Friend Suggestions', { latency: 1000 })
  const refreshed = [relationships.refresh(), suggestions.refresh()].map((call) => call.catch(() => {}))
  await settle()

  const token = service.token(linus)
  const signedIn: Promise<void>[] = []
  signInAgain = () => {
    signInAgain = () => {}
    signedIn.push(Promise.resolve(client.session.setToken(token)))
  }
  await client.session.setToken(null)
  await advance(5000)
  await Promise.all([...refreshed, ...signedIn])

  expect(client.session.token).toBe(token)
  expect(relationships.all().map(({ id }) => id)).toEqual([grace.id])
  expect(suggestions.all().map(({ suggested_user }) => suggested_user.id)).toEqual([ada.id])
  expect([relationships.status, suggestions.status]).toEqual(['ready', 'ready'])
})

test('signing out during the first load leaves `ready` waiting for the next account', async () => {
  const { service, ada, client, network } = await setUpLive()
  network.holdsResponses = true
  const store = client.relationships.live()
  const { ready } = store
  await settle()
  await client.session.setToken(null)
  await network.release()
  expect(store.ready).toBe(ready)
  await client.session.setToken(service.token(ada))
  await ready
  expect(store.lastError).toBeUndefined()
})

test('a sign-in of another user reloads the store', async () => {
  const { service, ada, grace, linus, client, store, network } = await setUpStore()
  service.relationships.befriend(ada, linus)
  await settle()
  network.holdsResponses = true
  const refreshed = store.refresh()
  await settle()
  service.relationships.befriend(grace, ada)
  await client.session.setToken(service.token(grace))
  expect(store.stale).toBe(true)
  await network.release()
  await refreshed
  await advance(1_000)
  expect(store.all().map(({ id }) => id)).toEqual([ada.id])
  expect(store.stale).toBe(false)
})

test('a sign-in of another user removes the old items even if nothing can be loaded', async () => {
  const { service, ada, grace, linus, client, store } = await setUpStore()
  service.relationships.befriend(ada, linus)
  await settle()
  const removed: string[] = []
  store.on('change', (change) => removed.push(...change.removed.map(({ id }) => id)))
  service.faults.on('Get Relationships', { status: 500, times: Infinity })
  await client.session.setToken(service.token(grace))
  expect(store.all()).toEqual([])
  expect(removed).toEqual([linus.id])
  await expect(soon(store.ready)).rejects.toMatchObject({ status: 500 })
})

test('a store that is created before a sign-in waits without a request', async () => {
  const { service, ada, grace, createClient, network } = await setUpLive()
  const client = createClient(ada, { token: undefined, fetch: network.wrap(service.fetch) })
  service.relationships.befriend(ada, grace)
  const store = client.relationships.live()
  const another = client.relationships.live()
  await advance(60_000)
  expect([network.requests, store.stale, store.lastError]).toEqual([0, true, undefined])
  await client.session.setToken(service.token(ada))
  await soon(Promise.all([store.ready, another.ready]))
  expect(network.requests).toBe(1)
  expect(store.get(grace.id)?.type).toBe(1)
})

test('a store waits for a slow token store and sets `lastError` if it fails', async () => {
  const { service, ada, createClient } = await setUpLive()
  let load = (_: string) => {}
  const stored = new Promise<string>((resolve) => {
    load = resolve
  })
  const slow = createClient(ada, { token: undefined, tokenStore: tokenOnly({ get: () => stored, set: () => {} }) })
  const store = slow.relationships.live()
  await settle()
  load(service.token(ada))
  await soon(store.ready)
  const get = () => Promise.reject(new Error('locked'))
  const failing = createClient(ada, {
    token: undefined,
    tokenStore: tokenOnly({ get, set: () => {} }),
  }).relationships.live()
  await expect(soon(failing.ready)).rejects.toThrow('The token store failed to load the token')
  expect(failing.lastError).toMatchObject({ name: 'RapportError' })
})

test('an elevated session or the same token does not change the store', async () => {
  const { service, ada, createClient, network } = await setUpLive()
  const token = service.token(ada)
  const client = createClient(ada, { token, fetch: network.wrap(service.fetch) })
  const store = client.relationships.live()
  await soon(store.ready)
  const { ready } = store
  await client.session.setToken(token)
  await advance(60_000)
  expect(network.requests).toBe(1)
  expect(store.ready).toBe(ready)
})

test('a sign-in during the change event of a load does not resolve `ready` for the next account', async () => {
  const { service, ada, grace, linus, client, network } = await setUpLive()
  service.relationships.befriend(ada, linus)
  await settle()
  const store = client.relationships.live()
  const unsubscribe = store.on('change', () => {
    unsubscribe()
    network.holdsResponses = true
    void client.session.setToken(service.token(grace))
  })
  await settle()
  expect(store.all()).toEqual([])
  const settled = vi.fn()
  void store.ready.then(settled, settled)
  await settle()
  expect(settled).not.toHaveBeenCalled()
  await network.release()
  await advance(1_000)
  expect(settled).toHaveBeenCalled()
})

test('dispose() closes the store, and no other store can be opened', async () => {
  const { client, store, network } = await setUpStore()
  network.holdsRequests = true
  const refreshed = store.refresh()
  client.dispose()
  expect((await rejectionOf(refreshed, isGatewayError)).reason).toBe('disconnected')
  expect(store.stale).toBe(true)
  const late = await rejectionOf(
    Promise.resolve().then(() => client.relationships.live()),
    isGatewayError,
  )
  expect(late.reason).toBe('disconnected')
})
