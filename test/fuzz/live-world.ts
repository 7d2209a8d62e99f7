import { Client, type GameRelationship, type Immutable, type LiveStore, type Relationship } from 'rapport-sdk'
import { createMockService, type MockApplication, type MockUser } from 'rapport-sdk/mocks'
import { outcomeOf } from './responses'

type Item = Immutable<Relationship> | Immutable<GameRelationship>

/** A live store with the state that its change events imply. */
export interface WatchedStore {
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
export interface Person {
  readonly user: MockUser
  readonly client: Client
  readonly token: string
  /** The number of next events that are lost. */
  lossesLeft: number
  held: 'requests' | 'responses' | undefined
  readonly pending: (() => void)[]
}

/** Two users with live stores, a third one without, and two games. */
export class LiveWorld {
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
