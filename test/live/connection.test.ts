import { type ClientOptions, isGatewayError } from 'rapport-sdk'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { tokenOnly } from '../session-stores'
import { rejectionOf } from '../transport/rejection'
import { advance, relationship, settle, setUpLive, setUpStore, soon } from './set-up'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }))

test('a resumed connection updates the store with the missed events, without a load', async () => {
  const { service, ada, grace, store, stale, network } = await setUpStore()
  service.gateway.drop()
  await settle()
  expect(store.stale).toBe(true)
  service.relationships.befriend(ada, grace)
  await advance(100)
  expect(store.get(grace.id)?.type).toBe(1)
  expect(stale.at(-1)).toBe(false)
  expect(network.requests).toBe(0)
})

test('a resumed connection with missing events reloads the store once', async () => {
  const { service, client, ada, store, network } = await setUpStore()
  const [session] = service.gateway.sessions
  const events = [2, 4].map((skip) => ({ op: 0, t: 'ANY', s: (session?.sequence ?? 0) + skip, d: {} }))
  for (const event of events) service.gateway.sendRaw(event, { user: ada })
  await settle()
  expect(store.stale).toBe(true)
  await advance(250)
  expect(network.requests).toBe(1)
  expect(store.stale).toBe(false)
  expect(client.gateway.state).toBe('ready')
  await advance(60_000)
  expect(network.requests).toBe(1)
})

test('an event that is nested too deeply to apply is reported and reloads the store', async () => {
  const { service, client, ada, grace, store, network } = await setUpStore()
  const errors: unknown[] = []
  client.gateway.on('error', (error) => errors.push(error))
  const s = (service.gateway.sessions[0]?.sequence ?? 0) + 1
  const d = relationship(grace.id, { deep: 'DEEP' })
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const frame = JSON.stringify({ op: 0, t: 'RELATIONSHIP_ADD', s, d }).replace('"DEEP"', deep)
  service.gateway.sendRaw(frame, { user: ada })
  await settle()
  expect(errors).toMatchObject([{ reason: 'listener_threw', cause: expect.any(RangeError) }])
  expect(store.stale).toBe(true)
  await advance(250)
  expect(network.requests).toBe(1)
  expect(store.stale).toBe(false)
})

test('a store that a Ready listener closes sends no request', async () => {
  const { service, client, network } = await setUpLive()
  client.gateway.on('ready', () => store.close())
  const store = client.relationships.live()
  await soon(store.ready)
  network.requests = 0
  service.gateway.invalidSession(false)
  await advance(5_000)
  expect(client.gateway.state).toBe('ready')
  expect(network.requests).toBe(0)
})

describe('a store of a client with connectOnSignIn', () => {
  const setUpEager = async () => {
    const { service, ada, createClient, network, gateway } = await setUpLive()
    const options = { fetch: network.wrap(service.fetch), gateway: { ...gateway, connectOnSignIn: true } }
    return {
      service,
      ada,
      network,
      create: (more: Partial<ClientOptions> = {}) => createClient(ada, { ...options, ...more }),
    }
  }

  test('waits for the gateway and loads once if it is opened with the client, as does a second store', async () => {
    const { network, create } = await setUpEager()
    const client = create()
    const stores = [client.relationships.live(), client.relationships.live()]
    expect(stores.map(({ status }) => status)).toEqual(['loading', 'loading'])
    await settle()
    for (const store of stores) {
      await soon(store.ready)
      expect([client.gateway.state, store.status, store.stale]).toEqual(['ready', 'ready', false])
    }
    await advance(60_000)
    expect(network.requests).toBe(1)
  })

  test('loads once if it is opened before the sign-in', async () => {
    const { service, ada, network, create } = await setUpEager()
    const client = create({ token: undefined })
    const store = client.relationships.live()
    await settle()
    expect(network.requests).toBe(0)
    await client.session.setToken(service.token(ada))
    await soon(store.ready)
    await advance(60_000)
    expect([network.requests, store.stale]).toEqual([1, false])
  })

  test('loads once if it is opened before the stored token is loaded', async () => {
    const { service, ada, network, create } = await setUpEager()
    const token = service.token(ada)
    const client = create({ token: undefined, tokenStore: tokenOnly({ get: async () => token, set: () => {} }) })
    const store = client.relationships.live()
    await soon(store.ready)
    await advance(60_000)
    expect([network.requests, store.stale]).toEqual([1, false])
  })

  test('loads once if it is opened when the gateway is connected', async () => {
    const { network, create } = await setUpEager()
    const client = create()
    const connected = client.gateway.connect()
    await settle()
    await connected
    const store = client.relationships.live()
    await soon(store.ready)
    expect([network.requests, store.stale]).toEqual([1, false])
  })

  test('loads as soon as the first attempt to connect has failed', async () => {
    const { service, network, create } = await setUpEager()
    service.gateway.refuse()
    const client = create()
    const store = client.relationships.live()
    await settle()
    await soon(store.ready)
    expect([client.gateway.state, store.status, store.stale]).toEqual(['reconnecting', 'ready', true])
    expect(network.requests).toBe(1)
  })

  test('waits at most a second for a gateway that does not answer', async () => {
    const { service, network, create } = await setUpEager()
    service.gateway.freeze({ times: 1 })
    const client = create()
    const store = client.relationships.live()
    await advance(900)
    expect(network.requests).toBe(0)
    await advance(100)
    await soon(store.ready)
    expect([network.requests, store.status, store.stale]).toEqual([1, 'ready', true])
  })

  test('refresh() does not wait for the gateway', async () => {
    const { service, network, create } = await setUpEager()
    service.gateway.freeze({ times: 1 })
    const store = create().relationships.live()
    await soon(store.refresh())
    await advance(5_000)
    expect([network.requests, store.status]).toEqual([1, 'ready'])
  })

  test('a sign-out ends the wait without a request', async () => {
    const { service, network, create } = await setUpEager()
    service.gateway.freeze({ times: 1 })
    const client = create()
    const store = client.relationships.live()
    await settle()
    await client.session.setToken(null)
    await advance(5_000)
    expect([network.requests, store.status]).toEqual([0, 'signedOut'])
  })
})

test('a new session reloads the store once', async () => {
  const { service, ada, grace, store, stale, network } = await setUpStore()
  service.gateway.invalidSession(false)
  await settle()
  service.relationships.befriend(ada, grace)
  expect(store.stale).toBe(true)
  expect(store.get(grace.id)).toBeUndefined()
  await advance(5_000)
  expect(store.get(grace.id)?.type).toBe(1)
  expect(stale).toEqual([true, false])
  expect(network.requests).toBe(1)
})

test('a new session drops the response of a load from the session before', async () => {
  const { service, client, store, network } = await setUpStore()
  const seen: string[][] = []
  store.on('change', () => seen.push(store.all().map(({ id }) => id)))
  const bodies = [[relationship('7')], [relationship('8')]]
  for (const body of bodies) service.faults.on('Get Relationships', { status: 200, body, times: 1 })
  network.holdsResponses = true
  const refreshed = store.refresh()
  await settle()
  await client.gateway.disconnect()
  await client.gateway.connect()
  await settle()
  expect(network.requests).toBe(2)
  await network.release()
  // The second response settles the callers of the dropped load.
  await refreshed
  expect(seen).toEqual([['8']])
  expect(store.stale).toBe(false)
})

test('a new session during the first load does not fail the store', async () => {
  const { service, client, network, ada, grace } = await setUpLive()
  await client.gateway.disconnect()
  network.holdsResponses = true
  const store = client.relationships.live()
  const { ready } = store
  await settle()
  service.relationships.befriend(ada, grace)
  await client.gateway.connect()
  expect(store.ready).toBe(ready)
  await network.release()
  await ready
  expect(store.all()).toHaveLength(1)
  expect(store.stale).toBe(false)
})

test('a new session whose load fails leaves the store stale until a retry succeeds', async () => {
  const { service, store } = await setUpStore()
  service.faults.on('Get Relationships', { status: 500, times: 1 })
  const failed = new Promise<void>((resolve) => {
    store.subscribe(() => {
      if (store.lastError === undefined) return
      expect(store.lastError).toMatchObject({ status: 500 })
      expect(store.stale).toBe(true)
      resolve()
    })
  })
  service.gateway.invalidSession(false)
  await advance(5_000)
  await failed
  await advance(1_000)
  expect(store.lastError).toBeUndefined()
  expect(store.stale).toBe(false)
})

describe('an invalid frame', () => {
  test.each([
    ['Relationship Add', { id: '7' }],
    ['Relationship Update', { id: 7 }],
    ['Relationship Remove', null],
  ])('reloads the store once if it is an %s event', async (event, data) => {
    const { store, network, emit } = await setUpStore()
    await emit(event, data)
    await emit(event, data)
    expect(store.stale).toBe(true)
    await advance(250)
    expect(store.stale).toBe(false)
    expect(network.requests).toBe(1)
  })

  test('does not reload the store if it is of another store', async () => {
    const { store, network, emit, client } = await setUpStore()
    const games = client.gameRelationships.live()
    await soon(games.ready)
    network.requests = 0
    await emit('Game Relationship Add', { id: '7' })
    expect([store.stale, games.stale]).toEqual([false, true])
    await advance(250)
    expect(games.stale).toBe(false)
    expect(network.requests).toBe(1)
  })

  test('reloads the store if it is unreadable, because it may have been an event', async () => {
    const { service, store, network } = await setUpStore()
    service.gateway.sendRaw('{"op":0,"t":"RELATIONSHIP_ADD"')
    await settle()
    expect(store.stale).toBe(true)
    await advance(250)
    expect(network.requests).toBe(1)
  })

  test('reloads the store once more if it is unreadable and arrives during a load', async () => {
    const { store, network, emit } = await setUpStore()
    network.holdsResponses = true
    const refreshed = store.refresh()
    await settle()
    await emit('Relationship Add', { id: '7' })
    await network.release()
    await refreshed
    expect(store.stale).toBe(true)
    await advance(250)
    expect(store.stale).toBe(false)
    expect(network.requests).toBe(2)
  })
})

describe('a client whose gateway is not connected', () => {
  test('a store without a connection loads and is stale until the gateway connects', async () => {
    const { service, createClient, ada, grace } = await setUpLive()
    service.relationships.befriend(ada, grace)
    const client = createClient(ada)
    const store = client.relationships.live()
    await soon(store.ready)
    expect(store.get(grace.id)).toBeDefined()
    expect(store.stale).toBe(true)
    await client.gateway.connect()
    await settle()
    expect(store.stale).toBe(false)
    await client.gateway.disconnect()
    expect(store.stale).toBe(true)
  })

  test('a client without a gateway has no live stores', async () => {
    const { Client } = await import('rapport-sdk')
    const client = new Client({ baseUrl: 'https://service.example', token: 'a token' })
    for (const open of [
      () => client.relationships.live(),
      () => client.gameRelationships.live(),
      () => client.friendSuggestions.live(),
    ]) {
      const error = await rejectionOf(Promise.resolve().then<unknown>(open), isGatewayError)
      expect(error.reason).toBe('not_configured')
      expect(error.message).toMatch(
        /client\.\w+\.live needs events: pass the option `gateway: \{ url \}` to the client/,
      )
    }
  })
})
