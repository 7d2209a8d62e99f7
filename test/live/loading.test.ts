import {
  type Client,
  isApiError,
  isConnectionError,
  isGatewayError,
  isResponseMismatchError,
  type LiveChange,
  type RelationshipStore,
} from 'rapport-sdk'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { reasonOf, rejectionOf } from '../transport/rejection'
import { relationship, settle, setUpLive, soon } from './set-up'

type Closable = { readonly client: Client; readonly store: RelationshipStore }

const unhandled: unknown[] = []
const record = (reason: unknown) => void unhandled.push(reason)
beforeEach(() => void process.on('unhandledRejection', record))
afterEach(async () => {
  await settle()
  process.off('unhandledRejection', record)
  expect(unhandled.splice(0)).toEqual([])
})

describe('the first load of a store', () => {
  test('it is aborted when the store is closed', async () => {
    const signals: AbortSignal[] = []
    const pending: typeof fetch = (input, init) => {
      signals.push(new Request(input, init).signal)
      return new Promise(() => {})
    }
    const { client } = await setUpLive({ fetch: pending })
    const store = client.relationships.live()
    await settle()
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    store.close()
    await settle()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  test('a loaded store has the items of the service and is ready and not stale', async () => {
    const { service, ada, grace, client } = await setUpLive()
    service.relationships.befriend(ada, grace)
    await settle()
    const store = client.relationships.live()
    expect(store.stale).toBe(true)
    expect(store.all()).toEqual([])
    await soon(store.ready)
    expect(store.all()).toEqual(await client.relationships.list())
    expect(store.stale).toBe(false)
  })

  test('events during a load apply at once and again on top of the response', async () => {
    const { service, ada, grace, linus, client, network, emit } = await setUpLive()
    service.relationships.befriend(ada, grace)
    await settle()
    network.holdsResponses = true
    const store = client.relationships.live()
    await settle()
    // The pending response has grace and not linus.
    service.relationships.request(linus, ada)
    await emit('Relationship Update', { id: grace.id, nickname: 'Amazing' })
    expect(store.all().map(({ id }) => id)).toEqual([linus.id, grace.id])
    await network.release()
    expect(store.get(linus.id)?.type).toBe(3)
    expect(store.get(grace.id)).toMatchObject({ nickname: 'Amazing', user: { username: 'grace' } })
    expect(store.all()).toHaveLength(2)
    expect(store.stale).toBe(false)
    expect(network.requests).toBe(1)
  })

  test('an item that is removed during a load stays removed even if the response has it', async () => {
    const { service, ada, grace, client, createClient, network } = await setUpLive()
    service.relationships.befriend(ada, grace)
    await settle()
    network.holdsResponses = true
    const store = client.relationships.live()
    await settle()
    await createClient(grace).relationships.delete(ada.id)
    await network.release()
    expect(store.all()).toEqual([])
    expect(store.stale).toBe(false)
  })

  test('a response and the events received while it was pending emit one change', async () => {
    const { service, ada, grace, linus, client, network, emit } = await setUpLive()
    service.relationships.befriend(ada, grace)
    await settle()
    const store = client.relationships.live()
    await soon(store.ready)
    const changes: LiveChange<{ readonly id: string }>[] = []
    let calls = 0
    store.on('change', (change) => changes.push(change))
    store.subscribe(() => calls++)

    network.holdsResponses = true
    service.faults.on('Get Relationships', { status: 200, body: [relationship('7'), relationship('8')], times: 1 })
    const refreshed = store.refresh()
    await settle()
    await emit('Relationship Add', relationship(linus.id))
    await emit('Relationship Remove', { id: '8' })
    expect(changes.splice(0).map(({ added }) => added.map(({ id }) => id))).toEqual([[linus.id]])
    calls = 0
    await network.release()
    await refreshed
    expect(changes).toHaveLength(1)
    expect(calls).toBe(1)
    expect(changes[0]?.added.map(({ id }) => id)).toEqual(['7'])
    expect(changes[0]?.removed.map(({ id }) => id)).toEqual([grace.id])
    expect(changes[0]?.updated).toEqual([])
    expect(store.all().map(({ id }) => id)).toEqual(['7', linus.id])
  })

  test('a load removes items that the response does not have', async () => {
    const { service, client, emit } = await setUpLive()
    const store = client.relationships.live()
    await soon(store.ready)
    await emit('Relationship Add', relationship('7'))
    expect(store.get('7')).toBeDefined()
    await store.refresh()
    expect(store.get('7')).toBeUndefined()
    expect(service.gateway.sessions).toHaveLength(1)
  })

  test('a load keeps the object of an unchanged item', async () => {
    const { service, client } = await setUpLive()
    const body = [relationship('7'), relationship('8')]
    service.faults.on('Get Relationships', { status: 200, body, times: 1 })
    const store = client.relationships.live()
    await soon(store.ready)
    const [seven, eight] = store.all()
    const later = [relationship('8', { nickname: 'Eight' }), relationship('7')]
    service.faults.on('Get Relationships', { status: 200, body: later, times: 1 })
    await store.refresh()
    expect(store.all().map(({ id }) => id)).toEqual(['8', '7'])
    expect(store.get('7')).toBe(seven)
    expect(store.get('8')).not.toBe(eight)
  })

  test('a load without changes emits no change', async () => {
    const { service, ada, grace, client } = await setUpLive()
    service.relationships.befriend(ada, grace)
    await settle()
    const store = client.relationships.live()
    await soon(store.ready)
    const before = store.getSnapshot()
    const [listener, onChange] = [vi.fn(), vi.fn()]
    store.subscribe(listener)
    store.on('change', onChange)
    await store.refresh()
    expect(store.getSnapshot()).toBe(before)
    expect(listener).not.toHaveBeenCalled()
    expect(onChange).not.toHaveBeenCalled()
  })
})

test('refresh() during a load sends one further request for all callers', async () => {
  const { service, ada, grace, client, network } = await setUpLive()
  const store = client.friendSuggestions.live()
  await soon(store.ready)
  network.requests = 0
  network.holdsResponses = true
  const first = store.refresh()
  await settle()
  service.users.suggest(ada, grace)
  const others = [store.refresh(), store.refresh(), store.refresh()]
  await settle()
  expect(network.requests).toBe(1)
  await network.release()
  await first
  await Promise.all(others)
  expect(network.requests).toBe(2)
  expect(store.get(grace.id)?.suggested_user.username).toBe('grace')
})

test('a refresh() that fails rejects, keeps the items and can be called again', async () => {
  const { service, ada, grace, client } = await setUpLive()
  service.relationships.befriend(ada, grace)
  await settle()
  const store = client.relationships.live()
  await soon(store.ready)
  const before = store.all()
  service.faults.on('Get Relationships', { status: 503, times: 1 })
  const error = await rejectionOf(store.refresh(), isApiError)
  expect(store.lastError).toBe(error)
  expect(store.all()).toBe(before)
  // No event was missed.
  expect(store.stale).toBe(false)
  await store.refresh()
  expect(store.lastError).toBeUndefined()
})

test('an unhandled rejection of refresh() does not end the process', async () => {
  const { service, client } = await setUpLive()
  const store = client.relationships.live()
  await soon(store.ready)
  service.faults.on('Get Relationships', { network: true, times: 1 })
  store.refresh()
  await settle()
  expect(isConnectionError(store.lastError)).toBe(true)
})

describe('a store that cannot be loaded', () => {
  test('sets lastError, stays stale and can be loaded again', async () => {
    const { service, ada, grace, client } = await setUpLive()
    service.relationships.befriend(ada, grace)
    await settle()
    service.faults.on('Get Relationships', { status: 500, times: 1 })
    const store = client.relationships.live()
    const first = store.ready
    const error = await rejectionOf(first, isApiError)
    expect(error.status).toBe(500)
    expect(store.ready).toBe(first)
    expect(store.lastError).toBe(error)
    expect(store.stale).toBe(true)
    const again = store.refresh()
    expect(store.ready).not.toBe(first)
    await again
    await soon(store.ready)
    expect(store.stale).toBe(false)
    expect(store.get(grace.id)).toBeDefined()
  })

  test('a response that is not an array of items rejects with a ResponseMismatchError', async () => {
    const { service, client } = await setUpLive()
    service.faults.on('Get Relationships', { status: 200, body: { relationships: [] } })
    const store = client.relationships.live()
    const { issues } = await rejectionOf(soon(store.ready), isResponseMismatchError)
    expect(issues).toEqual([
      { path: [], code: 'invalid_type', message: 'expected an array of items with an ID', severity: 'error' },
    ])
    expect(store.stale).toBe(true)
    service.faults.clear()
    for (const body of [[null], ['7'], [{ type: 1 }]]) {
      service.faults.on('Get Relationships', { status: 200, body, times: 1 })
      await rejectionOf(store.refresh(), isResponseMismatchError)
    }
    service.faults.on('Get Friend Suggestions', { status: 200, body: [{ reasons: [] }] })
    await rejectionOf(soon(client.friendSuggestions.live().ready), isResponseMismatchError)
  })

  test('still follows events', async () => {
    const { service, client, emit } = await setUpLive()
    service.faults.on('Get Relationships', { status: 500 })
    const store = client.relationships.live()
    await reasonOf(soon(store.ready))
    await emit('Relationship Add', relationship('7'))
    expect(store.all()).toHaveLength(1)
    expect(store.stale).toBe(true)
  })
})

test.each([
  ['is closed', '`close` was called', ({ store }: Closable) => store.close()],
  ['has a client that is disposed', 'the client was disposed', ({ client }: Closable) => client.dispose()],
])('a store that %s during a load rejects what waits with a typed error', async (_, cause, end) => {
  const { client, network } = await setUpLive()
  network.holdsRequests = true
  const store = client.relationships.live()
  const waits = [store.ready, store.refresh()]
  await settle()
  end({ client, store })
  for (const wait of waits) expect((await rejectionOf(soon(wait), isGatewayError)).reason).toBe('disconnected')
  const late = await rejectionOf(store.refresh(), isGatewayError)
  expect(late.message).toBe(`gateway: client.relationships.live: the store was closed: ${cause}.`)
  await network.release()
  expect(store.all()).toEqual([])
  expect(network.requests).toBe(1)
})
