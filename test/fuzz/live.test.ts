import fc from 'fast-check'
import {
  Client,
  type GameRelationship,
  type Immutable,
  type LiveStore,
  type Relationship,
  RelationshipType,
} from 'rapport-sdk'
import { createMockService, type MockApplication, type MockUser } from 'rapport-sdk/mocks'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runs } from './arbitraries'
import { outcomeOf } from './responses'

type Item = Immutable<Relationship> | Immutable<GameRelationship>

/** A live store with the state that its change events imply. */
interface WatchedStore {
  readonly name: string
  readonly store: LiveStore<Item, never, number>
  readonly keyOf: (item: Item) => string
  readonly list: () => Promise<readonly Item[]>
  /** Returns the problems of its filtered views. */
  readonly check: () => string[]
  /** The items by its change events. */
  readonly known: Map<string, Item>
  /** Rules that its change events have broken. */
  readonly violations: string[]
}

/** A user whose client has an unreliable connection. */
interface Person {
  readonly user: MockUser
  readonly client: Client
  readonly token: string
  /** The number of next events that are lost. */
  lossesLeft: number
  held: 'requests' | 'responses' | undefined
  readonly pending: (() => void)[]
}

/** Two users with live stores, a third one without, and two games. */
class LiveWorld {
  readonly service = createMockService({ now: 0 })
  readonly users: readonly MockUser[] = ['ada', 'grace', 'linus'].map((username) => this.#create(username))
  readonly games: readonly MockApplication[] = ['chess', 'bridge'].map((name) => this.#game(name))
  readonly people: readonly Person[] = this.users.slice(0, 2).map((user) => this.#person(user))
  readonly stores: readonly WatchedStore[] = this.people.flatMap((person) => this.#watch(person))
  readonly #directClients = new Map<string, Client>()

  /** Returns a client of a user with a reliable connection, for a game if one is passed. */
  directClient(user: MockUser, game?: MockApplication): Client {
    const name = `${user.id} ${game?.id}`
    const existing = this.#directClients.get(name)
    if (existing !== undefined) return existing
    const token = this.service.token(user, game === undefined ? {} : { oauth2: game })
    const { baseUrl, fetch } = this.service
    const client = new Client({ baseUrl, fetch, token, retry: 0 })
    this.#directClients.set(name, client)
    return client
  }

  /** Removes all faults, and signs in and connects all clients. */
  repair(): void {
    this.service.faults.clear()
    this.service.gateway.clear()
    for (const person of this.people) {
      person.lossesLeft = 0
      person.held = undefined
      for (const release of person.pending.splice(0)) release()
      const { state } = person.client.gateway
      void outcomeOf(person.client.session.setToken(person.token))
      if (state === 'closed' || state === 'idle') void outcomeOf(person.client.gateway.connect())
    }
  }

  async close(): Promise<void> {
    for (const client of [...this.people.map((person) => person.client), ...this.#directClients.values()])
      client.dispose()
    await this.service.close()
  }

  #create(username: string): MockUser {
    return this.service.users.create({ login: `${username}@example.com`, username })
  }

  #game(name: string): MockApplication {
    return this.service.applications.create({ owner: this.users[2] ?? '', name })
  }

  #person(user: MockUser): Person {
    const { service } = this
    const person: Omit<Person, 'client'> = {
      user,
      token: service.token(user),
      lossesLeft: 0,
      held: undefined,
      pending: [],
    }
    const hold = () => new Promise<void>((resolve) => void person.pending.push(resolve))
    class LossySocket extends service.WebSocket {
      override dispatchEvent(event: Event): boolean {
        const data: unknown = Reflect.get(event, 'data')
        const isLost =
          complete.lossesLeft > 0 && typeof data === 'string' && /"t":"[A-Z_]+_(?:ADD|UPDATE|REMOVE)"/.test(data)
        if (isLost) complete.lossesLeft--
        return isLost || super.dispatchEvent(event)
      }
    }
    const client = new Client({
      baseUrl: service.baseUrl,
      token: person.token,
      retry: 0,
      gateway: { url: service.gateway.url, WebSocket: LossySocket },
      fetch: async (input, { signal: _, ...init }) => {
        if (complete.held === 'requests') await hold()
        const response = await service.fetch(input, init)
        if (complete.held === 'responses') await hold()
        return response
      },
    })
    const complete: Person = Object.assign(person, { client })
    return complete
  }

  #watch({ user, client }: Person): WatchedStore[] {
    const direct = this.directClient.bind(this)
    const stores = [
      [`relationships of ${user.username}`, client.relationships.live(), () => direct(user).relationships.list()],
      [`games of ${user.username}`, client.gameRelationships.live(), () => direct(user).gameRelationships.list()],
    ] as const
    return stores.map(([name, store, list]) => watch(name, store, list))
  }
}

function watch(
  name: string,
  store: LiveStore<never, never, number> | LiveStore<Item, never, number>,
  list: () => Promise<readonly Item[]>,
): WatchedStore {
  const known = new Map<string, Item>()
  const violations: string[] = []
  const keyOf = (item: Item) => ('application_id' in item ? `${item.application_id} ${item.id}` : item.id)
  // A cached view must equal one that is computed now.
  const check = () =>
    [0, 1, 2, 3, 4]
      .filter((type) => {
        const expected = store.all().filter((item: Item) => item.type === type)
        const view = store.filter(type)
        return view.length !== expected.length || view.some((item, index) => item !== expected[index])
      })
      .map((type) => `the view of type ${type} is wrong`)
  store.on('change', ({ added, updated, removed }) => {
    for (const item of added) if (known.has(keyOf(item))) violations.push(`${keyOf(item)} was added twice`)
    for (const item of updated)
      if (!known.has(keyOf(item))) violations.push(`${keyOf(item)} was updated before it was added`)
    for (const item of removed)
      if (!known.delete(keyOf(item))) violations.push(`${keyOf(item)} was removed before it was added`)
    for (const item of [...added, ...updated]) known.set(keyOf(item), item)
    if (store.all().length !== known.size) violations.push('the change events and all() differ in size')
    if (!store.all().every((item) => known.get(keyOf(item)) === item))
      violations.push('all() has an item without a change event')
    violations.push(...check())
  })
  return { name, store, keyOf, list, check, known, violations }
}

/** Actions of one user about another. */
const ACTIONS = {
  request: (client: Client, whom: string) => client.relationships.create(whom, { note: `to ${whom}` }),
  accept: (client: Client, whom: string) => client.relationships.accept(whom),
  block: (client: Client, whom: string) => client.relationships.block(whom),
  remove: (client: Client, whom: string) => client.relationships.delete(whom),
  ignore: (client: Client, whom: string) => client.relationships.ignore(whom),
  unignore: (client: Client, whom: string) => client.relationships.unignore(whom),
  rename: (client: Client, whom: string) => client.relationships.update(whom, { nickname: `named ${++names}` }),
  clear: (client: Client) => client.relationships.deleteBulk(),
} as const
const GAME_ACTIONS = {
  play: (client: Client, whom: string) => client.gameRelationships.create(whom),
  stop: (client: Client, whom: string) => client.gameRelationships.delete(whom),
} as const
let names = 0

/** Faults of the connection of one user with live stores. */
const FAULTS = {
  drop: ({ service }: LiveWorld, { user }: Person) => service.gateway.drop(1006, { user }),
  reconnect: ({ service }: LiveWorld, { user }: Person) => service.gateway.reconnect({ user }),
  'invalid, resumable': ({ service }: LiveWorld, { user }: Person) => service.gateway.invalidSession(true, { user }),
  invalid: ({ service }: LiveWorld, { user }: Person) => service.gateway.invalidSession(false, { user }),
  duplicate: ({ service }: LiveWorld, { user }: Person) => service.gateway.duplicate({ user }),
  'duplicate the next': ({ service }: LiveWorld, { user }: Person) => service.gateway.duplicate({ user, times: 2 }),
  refuse: ({ service }: LiveWorld) => service.gateway.refuse({ times: 2 }),
  freeze: ({ service }: LiveWorld, { user }: Person) => service.gateway.freeze({ user }),
  unfreeze: ({ service }: LiveWorld) => service.gateway.clear(),
  lose: (_: LiveWorld, person: Person) => void person.lossesLeft++,
  'invalid payload': ({ service }: LiveWorld, { user }: Person) =>
    service.gateway.emit('Relationship Add', { id: '1' }, { to: user }),
  'malformed frame': ({ service }: LiveWorld, { user }: Person) => service.gateway.sendRaw('{"op":0', { user }),
  'sign out': (_: LiveWorld, { client }: Person) => void outcomeOf(client.session.setToken(null)),
  'sign in': (_: LiveWorld, { client, token }: Person) => void outcomeOf(client.session.setToken(token)),
  'an unknown update': ({ service }: LiveWorld, { user }: Person) =>
    service.gateway.emit('Relationship Update', { id: '1', nickname: 'who' }, { to: user }),
  disconnect: (_: LiveWorld, { client }: Person) => void client.gateway.disconnect(),
  connect: (_: LiveWorld, { client }: Person) => void outcomeOf(client.gateway.connect()),
  'hold requests': (_: LiveWorld, person: Person) => {
    person.held = 'requests'
  },
  'hold responses': (_: LiveWorld, person: Person) => {
    person.held = 'responses'
  },
  release: (_: LiveWorld, person: Person) => {
    person.held = undefined
    for (const release of person.pending.splice(0)) release()
  },
  'release the last': (_: LiveWorld, { pending }: Person) => pending.pop()?.(),
  'fail lists': ({ service }: LiveWorld) => service.faults.on('Get Relationships', { status: 500, times: 1 }),
} as const

/** One step of a scenario. */
type LiveStep =
  | { readonly type: 'act'; readonly action: keyof typeof ACTIONS; readonly who: number; readonly whom: number }
  | {
      readonly type: 'play'
      readonly action: keyof typeof GAME_ACTIONS
      readonly who: number
      readonly whom: number
      readonly game: number
    }
  | { readonly type: 'befriend' | 'addImplicit'; readonly who: number; readonly whom: number }
  | { readonly type: 'fault'; readonly fault: keyof typeof FAULTS; readonly who: number }
  | { readonly type: 'refresh'; readonly which: number }
  | { readonly type: 'wait'; readonly ms: number }
  /** The next step runs before the effects of the last one have arrived. */
  | { readonly type: 'skipSettling' }

const user = fc.nat(2)
const keys = <T extends object>(of: T) => fc.constantFrom(...(Object.keys(of) as (keyof T)[]))
const step: fc.Arbitrary<LiveStep> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ type: fc.constant('act' as const), action: keys(ACTIONS), who: user, whom: user }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('play' as const),
      action: keys(GAME_ACTIONS),
      who: user,
      whom: user,
      game: fc.nat(1),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constantFrom('befriend' as const, 'addImplicit' as const), who: user, whom: user }),
  },
  { weight: 12, arbitrary: fc.record({ type: fc.constant('fault' as const), fault: keys(FAULTS), who: fc.nat(1) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('refresh' as const), which: fc.nat(3) }) },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.constantFrom(50, 260, 1_500, 6_000, 11_000) }),
  },
  { weight: 8, arbitrary: fc.constant({ type: 'skipSettling' as const }) },
)

/** Any sequence of steps. */
const liveSteps: fc.Arbitrary<LiveStep[]> = fc.array(step, { maxLength: 50, size: 'max' })

/** Runs everything that is due now. */
async function settle(): Promise<void> {
  for (let round = 0; round < 12; round++) await new Promise((resolve) => setImmediate(resolve))
}

/** Advances the fake timers. */
async function advance(ms: number): Promise<void> {
  await settle()
  await vi.advanceTimersByTimeAsync(ms)
  await settle()
}

/** Runs one step. */
async function runStep(world: LiveWorld, step: LiveStep): Promise<void> {
  if (step.type === 'wait') return advance(step.ms)
  if (step.type === 'skipSettling') return
  if (step.type === 'refresh') return void outcomeOf(world.stores[step.which]?.store.refresh() ?? Promise.resolve())
  if (step.type === 'fault') {
    const person = world.people[step.who]
    if (person !== undefined) FAULTS[step.fault](world, person)
    return
  }
  const [who, whom] = [world.users[step.who], world.users[step.whom]]
  if (who === undefined || whom === undefined || who === whom) return
  const game = step.type === 'play' ? world.games[step.game] : undefined
  // A rejected call changes nothing.
  if (step.type === 'act') await outcomeOf(ACTIONS[step.action](world.directClient(who), whom.id))
  else if (step.type === 'play') await outcomeOf(GAME_ACTIONS[step.action](world.directClient(who, game), whom.id))
  else if (step.type === 'befriend') world.service.relationships.befriend(who, whom)
  else if (world.service.relationships.between(who, whom) === RelationshipType.NONE)
    world.service.relationships.addImplicit(who, whom)
}

const unhandled: unknown[] = []
const record = (reason: unknown) => void unhandled.push(reason)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  process.on('unhandledRejection', record)
})
afterEach(() => {
  process.off('unhandledRejection', record)
})

async function play(scenario: readonly LiveStep[]): Promise<LiveWorld> {
  vi.clearAllTimers()
  const world = new LiveWorld()
  for (const { client } of world.people) void outcomeOf(client.gateway.connect())
  await settle()
  let isSettlingSkipped = false
  for (const step of scenario) {
    await runStep(world, step)
    if (!isSettlingSkipped) await settle()
    isSettlingSkipped = step.type === 'skipSettling'
  }
  return world
}

/** Repairs all connections until nothing is pending. */
async function repairAll(world: LiveWorld): Promise<void> {
  for (let round = 0; round < 4; round++) {
    world.repair()
    await advance(70_000)
  }
  // A lost event is noticed by the next one.
  world.service.gateway.emit('Unknown Event', {})
  await advance(1_000)
}

test('live stores converge to the data of the service, in its order, after any events and faults', async () => {
  await fc.assert(
    fc.asyncProperty(liveSteps, async (scenario) => {
      const world = await play(scenario)
      try {
        await repairAll(world)
        for (const watched of world.stores) {
          const { name, store, list, violations } = watched
          expect({ name, stale: store.stale, error: store.lastError, violations }).toEqual({
            name,
            stale: false,
            error: undefined,
            violations: [],
          })
          expect(store.all(), name).toEqual(await list())
          expect(watched.check(), name).toEqual([])
        }
      } finally {
        await world.close()
        await settle()
      }
      expect(unhandled.splice(0)).toEqual([])
      expect(vi.getTimerCount()).toBe(0)
    }),
    runs(0.5),
  )
})
