import { Client, type InitialState, isServerError, type RelationshipStore, type TokenRecord } from 'rapport-sdk'
import { createClient, gameRelationships, gateway, live, relationships } from 'rapport-sdk/core'
import { createMockService } from 'rapport-sdk/mocks'
import { dehydrate } from 'rapport-sdk/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { deferred } from '../deferred'
import { rejectionOf } from '../transport/rejection'
import { relationship, settle } from './set-up'

/** A service on which ada is a friend of grace, what a server has loaded for ada, and a function that opens a page. */
async function setUp(mock?: Parameters<typeof createMockService>[0]) {
  const service = createMockService(mock)
  const [ada, grace, linus] = ['ada', 'grace', 'linus'].map((username) =>
    service.users.create({ login: `${username}@example.com`, username }),
  )
  if (!ada || !grace || !linus) throw new Error('The users were not created.')
  service.relationships.befriend(ada, grace)
  const options = {
    baseUrl: service.baseUrl,
    fetch: service.fetch,
    gateway: { url: service.gateway.url, WebSocket: service.WebSocket },
    retry: 0,
  }
  const parent = new Client(options)
  onTestFinished(async () => {
    parent.dispose()
    await service.close()
  })
  const createClientOf = (user = ada) => {
    const client = parent.as(service.token(user), user.id)
    onTestFinished(() => client.dispose())
    return client
  }
  const initial = await dehydrate(createClientOf(), { live: ['relationships'] })
  service.journal.clear()
  /** A page whose token store has not answered yet. */
  const openLoading = () => {
    const stored = deferred<TokenRecord | null>()
    const client = new Client({ ...options, tokenStore: { get: () => stored.promise, set: () => {} } })
    onTestFinished(() => client.dispose())
    return { client, answer: stored.resolve }
  }
  const countRequests = () => service.journal.find('Get Relationships').length
  return { service, ada, grace, linus, options, createClientOf, initial, openLoading, countRequests }
}

/** A Ready that contains the lists. */
const SNAPSHOT = { policy: { gateway: { readySnapshot: true } } }

const stateOf = (store: RelationshipStore) => [store.status, ...store.all().map(({ user }) => user.username)]

describe('dehydrate', () => {
  test('returns the user, the time and the lists as plain JSON without a token', async () => {
    const { initial, ada, grace, service } = await setUp()
    expect(JSON.parse(JSON.stringify(initial))).toEqual(initial)
    expect(initial).toEqual({
      session: { status: 'signedIn', user: { id: ada.id } },
      time: expect.any(Number),
      live: { relationships: [expect.objectContaining({ id: grace.id })] },
    })
    expect(JSON.stringify(initial)).not.toContain(service.token(ada))
  })

  test('loads the three lists, also with a client of parts', async () => {
    const { service, ada, grace, linus, options, createClientOf, countRequests } = await setUp()
    service.users.suggest(ada, linus)
    const all = await dehydrate(createClientOf(), { live: ['relationships', 'gameRelationships', 'friendSuggestions'] })
    expect(all.live.friendSuggestions?.map(({ suggested_user }) => suggested_user.id)).toEqual([linus.id])
    const parts = createClient(options, { relationships, gameRelationships, gateway, live })
    onTestFinished(() => parts.dispose())
    const page = parts.as(service.token(ada), ada.id)
    const some = await dehydrate(page, { live: ['relationships', 'gameRelationships'] })
    expect(some.live).toEqual({ relationships: all.live.relationships, gameRelationships: [] })
    service.journal.clear()
    const store = page.relationships.live({ initial: some })
    expect([store.status, store.get(grace.id)?.user.username]).toEqual(['ready', 'grace'])
    expect([page.gameRelationships.live({ initial: some }).status, countRequests()]).toEqual(['ready', 0])
  })

  test('loads no list without a client, of a client that is signed out, and of an unknown user', async () => {
    const { service, ada, options, countRequests } = await setUp()
    const client = new Client(options)
    onTestFinished(() => client.dispose())
    const none = { user: null, status: 'signedOut' }
    for (const given of [undefined, client])
      expect(await dehydrate(given, { live: ['relationships'] })).toMatchObject({ session: none, live: {} })
    const unknown = await dehydrate(client.as(service.token(ada)), { live: ['relationships'] })
    expect(unknown).toMatchObject({ session: { user: null, status: 'signedIn' }, live: {} })
    expect(countRequests()).toBe(0)
  })

  test('rejects with the error of a list, and aborts with its signal', async () => {
    const { service, createClientOf } = await setUp()
    service.faults.on('Get Relationships', { status: 500, times: 1 })
    await rejectionOf(dehydrate(createClientOf(), { live: ['relationships'] }), isServerError)
    const signal = AbortSignal.abort(new Error('the browser is gone'))
    await expect(dehydrate(createClientOf(), { live: ['relationships'], signal })).rejects.toThrow(
      'the browser is gone',
    )
  })

  test('refuses a client whose user changes meanwhile', async () => {
    const { service, grace, createClientOf } = await setUp()
    const client = createClientOf()
    client.on('request', () => void client.session.setToken(service.token(grace)))
    await expect(dehydrate(client, { live: ['relationships'] })).rejects.toThrow(
      'dehydrate: the user of the client changed',
    )
  })
})

describe('a live store that starts from the list of a server', () => {
  test('it is ready at once and sends no request, also if it is opened twice', async () => {
    const { createClientOf, initial, countRequests } = await setUp()
    const client = createClientOf()
    const store = client.relationships.live({ initial })
    expect([...stateOf(store), store.stale]).toEqual(['ready', 'grace', true])
    await store.ready
    client.relationships.live({ initial })
    client.relationships.live()
    await settle()
    expect([...stateOf(store), store.lastError, countRequests()]).toEqual(['ready', 'grace', undefined, 0])
  })

  test('loads, as ever, if the data of the server has none', async () => {
    const { createClientOf, initial, countRequests } = await setUp()
    for (const given of [null, undefined, { ...initial, live: {} }]) {
      const store = createClientOf().relationships.live({ initial: given })
      expect(stateOf(store)).toEqual(['loading'])
      await store.ready
    }
    expect(countRequests()).toBe(3)
  })

  test('loads again after Ready, and then follows events', async () => {
    const { service, ada, grace, linus, createClientOf, initial, countRequests } = await setUp()
    const client = createClientOf()
    const store = client.relationships.live({ initial })
    service.relationships.remove(ada, grace)
    await client.gateway.connect()
    await expect.poll(() => store.stale).toBe(false)
    expect([...stateOf(store), countRequests()]).toEqual(['ready', 1])
    service.relationships.befriend(ada, linus)
    await expect.poll(() => stateOf(store)).toEqual(['ready', 'linus'])
    expect(countRequests()).toBe(1)
  })

  test('takes its list from a Ready that contains it, without a request', async () => {
    const { service, ada, linus, createClientOf, initial, countRequests } = await setUp(SNAPSHOT)
    const client = createClientOf()
    const store = client.relationships.live({ initial })
    service.relationships.befriend(ada, linus)
    await client.gateway.connect()
    await expect.poll(() => store.stale).toBe(false)
    expect([...stateOf(store), countRequests()]).toEqual(['ready', 'grace', 'linus', 0])
  })

  test('shows the list of a connected client, whose Ready has passed, and loads it at once', async () => {
    const { service, ada, linus, createClientOf, initial, countRequests } = await setUp()
    const client = createClientOf()
    await client.gateway.connect()
    service.relationships.befriend(ada, linus)
    const store = client.relationships.live({ initial })
    expect(stateOf(store)).toEqual(['ready', 'grace'])
    await expect.poll(() => stateOf(store)).toEqual(['ready', 'grace', 'linus'])
    expect([store.stale, countRequests()]).toEqual([false, 1])
  })

  test('shows a list that is 60 seconds old, and loads it at once; the list stays if that fails', async () => {
    const { service, createClientOf, initial, countRequests } = await setUp()
    service.faults.on('Get Relationships', { status: 500, times: 1 })
    const store = createClientOf().relationships.live({ initial: { ...initial, time: initial.time - 60_000 } })
    expect(stateOf(store)).toEqual(['ready', 'grace'])
    await expect.poll(() => isServerError(store.lastError)).toBe(true)
    expect([...stateOf(store), countRequests()]).toEqual(['ready', 'grace', 1])
  })

  test('a list from the future is fresh for no longer than one from now', async () => {
    const { createClientOf, initial, countRequests } = await setUp()
    const store = createClientOf().relationships.live({ initial: { ...initial, time: 1e300 } })
    await store.ready
    await settle()
    expect([...stateOf(store), countRequests()]).toEqual(['ready', 'grace', 0])
  })

  test('it is ready while the session loads, and sends no request if that is the session of its user', async () => {
    const { service, ada, openLoading, initial, countRequests } = await setUp()
    const { client, answer } = openLoading()
    const store = client.relationships.live({ initial })
    const states: unknown[] = []
    store.subscribe(() => states.push(stateOf(store)))
    expect([...stateOf(store), client.session.status]).toEqual(['ready', 'grace', 'loading'])
    answer({ token: service.token(ada), userId: ada.id })
    await store.ready
    await settle()
    expect([...stateOf(store), countRequests()]).toEqual(['ready', 'grace', 0])
    expect(states.every((state) => String(state) === 'ready,grace')).toBe(true)
  })

  test.each([
    ['of another user', 'grace'],
    ['whose user is unknown', undefined],
  ] as const)('initial data is dropped and loaded if the session is one %s', async (_, name) => {
    const setup = await setUp()
    const { client, answer } = setup.openLoading()
    const { linus, service, openLoading: __, initial } = setup
    const store = client.relationships.live({ initial })
    const shown: string[] = []
    client.session.onChange(() => shown.push(...store.all().map(({ id }) => id)))
    answer({ token: service.token(linus), userId: name && setup[name].id })
    await store.ready
    expect([...stateOf(store), setup.countRequests(), ...shown]).toEqual(['ready', 1])
  })

  test('initial data is dropped if nobody is signed in, or the session cannot be loaded', async () => {
    const { openLoading, options, initial, countRequests } = await setUp()
    const { client, answer } = openLoading()
    const store = client.relationships.live({ initial })
    answer(null)
    await expect.poll(() => stateOf(store)).toEqual(['signedOut'])
    const failing = { get: () => Promise.reject(new Error('down')), set: () => {} }
    const broken = new Client({ ...options, tokenStore: failing })
    onTestFinished(() => broken.dispose())
    const other = broken.relationships.live({ initial })
    expect(stateOf(other)).toEqual(['ready', 'grace'])
    await expect.poll(() => stateOf(other)).toEqual(['signedOut'])
    expect(countRequests()).toBe(0)
  })

  test('the list of another user is never shown once the session is known', async () => {
    const { createClientOf, grace, linus, initial } = await setUp()
    for (const user of [grace, linus]) {
      const store = createClientOf(user).relationships.live({ initial })
      expect(stateOf(store)).toEqual(['loading'])
      await store.ready
      expect(store.get(grace.id)).toBeUndefined()
    }
  })

  test('ignores an older list once it is loaded, and the list does not come back after a sign-out', async () => {
    const { service, ada, linus, createClientOf, initial } = await setUp()
    service.relationships.befriend(ada, linus)
    const client = createClientOf()
    const store = client.relationships.live()
    await store.ready
    client.relationships.live({ initial })
    expect(stateOf(store)).toEqual(['ready', 'grace', 'linus'])
    const other = createClientOf()
    const seeded = other.relationships.live({ initial })
    await other.session.setToken(null)
    expect(stateOf(other.relationships.live({ initial }))).toEqual(['signedOut'])
    await other.session.setToken(service.token(ada))
    other.relationships.live({ initial })
    await seeded.ready
    expect(stateOf(seeded)).toEqual(['ready', 'grace', 'linus'])
  })

  test('initial data replaces the request in flight of a store that was opened without it', async () => {
    const { createClientOf, initial } = await setUp()
    const client = createClientOf()
    const store = client.relationships.live()
    const added: string[] = []
    store.on('change', (change) => added.push(...change.added.map(({ id }) => id)))
    client.relationships.live({ initial })
    await store.ready
    expect([...stateOf(store), added.length]).toEqual(['ready', 'grace', 1])
  })

  const damage: readonly [string, (state: InitialState) => unknown][] = [
    ['a string', () => 'state'],
    ['an array', () => []],
    ['no session', ({ session: _, ...rest }) => rest],
    ['no user', (state) => ({ ...state, session: { status: 'signedIn', user: null } })],
    ['a number as the ID', (state) => ({ ...state, session: { status: 'signedIn', user: { id: 1 } } })],
    ['no time', ({ time: _, ...rest }) => rest],
    ['no lists', ({ live: _, ...rest }) => rest],
    ['an object as the list', (state) => ({ ...state, live: { relationships: {} } })],
    ['an item that is not an object', (state) => ({ ...state, live: { relationships: [null] } })],
    ['an item without an ID', (state) => ({ ...state, live: { relationships: [{}] } })],
    ['a value that JSON does not know', (state) => ({ ...state, live: { relationships: [1n] } })],
  ]
  test.each(damage)('a damaged state is dropped, and the list is loaded: %s', async (_, change) => {
    const { createClientOf, initial, countRequests } = await setUp()
    const store = createClientOf().relationships.live({ initial: Object(change(initial)) })
    expect(stateOf(store)).toEqual(['loading'])
    await store.ready
    expect([...stateOf(store), countRequests()]).toEqual(['ready', 'grace', 1])
  })

  test('keys `__proto__` of a state set no prototype, and the state is neither changed nor frozen', async () => {
    const { createClientOf, initial } = await setUp()
    const planted = JSON.stringify(initial).replaceAll('{"', '{"__proto__":{"isAdmin":true},"')
    const state: InitialState = JSON.parse(planted)
    const store = createClientOf().relationships.live({ initial: state })
    const [item] = store.all()
    expect(stateOf(store)).toEqual(['ready', 'grace'])
    for (const object of [item, item?.user, {}]) {
      expect(Reflect.get(Object(object), 'isAdmin')).toBeUndefined()
      expect(Object.hasOwn(Object(object), '__proto__')).toBe(false)
    }
    expect([JSON.stringify(state), Object.isFrozen(state.live)]).toEqual([planted, false])
    expect([Object.isFrozen(item), Object.isFrozen(state.live.relationships?.[0])]).toEqual([true, false])
  })

  test('readInitial changes no store, also for a state of many users at once', async () => {
    const { createClientOf, grace, initial, openLoading } = await setUp()
    const other = await dehydrate(createClientOf(grace), { live: ['relationships'] })
    const store = openLoading().client.relationships.live()
    const [first, second] = [initial, other].map((state) => store.readInitial(state))
    expect(first?.view.all().map(({ user }) => user.username)).toEqual(['grace'])
    expect(second?.view.filter(1).map(({ user }) => user.username)).toEqual(['ada'])
    expect([first?.view.get(grace.id)?.id, first?.view.status, stateOf(store)]).toEqual([
      grace.id,
      'ready',
      ['loading'],
    ])
    expect(store.readInitial({ ...initial, live: {} })).toBeUndefined()
    store.close()
    first?.adopt()
    expect(stateOf(store)).toEqual(['closed'])
  })

  test('an event during a load of a fresh list is applied to it', async () => {
    const { createClientOf, initial, service, ada } = await setUp()
    const client = createClientOf()
    const store = client.relationships.live({ initial })
    await client.gateway.connect()
    service.gateway.emit('Relationship Add', relationship('7'), { to: ada })
    await expect.poll(() => store.get('7')?.user.username).toBe('user 7')
  })
})
