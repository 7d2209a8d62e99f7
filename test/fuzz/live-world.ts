import { Client, type GameRelationship, type Immutable, type LiveStore, type Relationship } from 'rapport-sdk'
import { createMockService, type MockApplication, type MockUser } from 'rapport-sdk/mocks'
import { outcomeOf } from './answers'

type Item = Immutable<Relationship> | Immutable<GameRelationship>

/** A store, and what it has told of itself. */
export interface Watched {
  readonly name: string
  readonly store: LiveStore<Item, never, number>
  readonly keyOf: (item: Item) => string
  readonly list: () => Promise<readonly Item[]>
  /** What is wrong with its lists of one type. */
  readonly check: () => string[]
  /** What it must have by what its changes have told. */
  readonly told: Map<string, Item>
  /** What was wrong with them. */
  readonly violations: string[]
}

/** Somebody with a client whose way to the service is bad. */
export interface Person {
  readonly user: MockUser
  readonly client: Client
  readonly token: string
  /** Events that are lost on the way, from now on. */
  losses: number
  holds: 'requests' | 'answers' | undefined
  readonly waiting: (() => void)[]
}

/** Two people with stores, a third one without, and two games. */
export class LiveWorld {
  readonly service = createMockService({ now: 0 })
  readonly users: readonly MockUser[] = ['ada', 'grace', 'linus'].map((username) => this.#create(username))
  readonly games: readonly MockApplication[] = ['chess', 'bridge'].map((name) => this.#game(name))
  readonly people: readonly Person[] = this.users.slice(0, 2).map((user) => this.#person(user))
  readonly watched: readonly Watched[] = this.people.flatMap((person) => this.#watch(person))
  readonly #plain = new Map<string, Client>()

  /** A client of anybody on a good road; with a game, one of that game. */
  plain(user: MockUser, game?: MockApplication): Client {
    const name = `${user.id} ${game?.id}`
    const known = this.#plain.get(name)
    if (known !== undefined) return known
    const token = this.service.token(user, game === undefined ? {} : { oauth2: game })
    const { baseUrl, fetch } = this.service
    const client = new Client({ baseUrl, fetch, token, retry: 0 })
    this.#plain.set(name, client)
    return client
  }

  /** Makes everything go well again. */
  mend(): void {
    this.service.faults.clear()
    this.service.gateway.clear()
    for (const person of this.people) {
      person.losses = 0
      person.holds = undefined
      for (const go of person.waiting.splice(0)) go()
      const { state } = person.client.gateway
      void outcomeOf(person.client.session.setToken(person.token))
      if (state === 'closed' || state === 'idle') void outcomeOf(person.client.gateway.connect())
    }
  }

  async close(): Promise<void> {
    for (const client of [...this.people.map((person) => person.client), ...this.#plain.values()]) client.dispose()
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
      losses: 0,
      holds: undefined,
      waiting: [],
    }
    const held = () => new Promise<void>((resolve) => void person.waiting.push(resolve))
    class Lossy extends service.WebSocket {
      override dispatchEvent(event: Event): boolean {
        const data: unknown = Reflect.get(event, 'data')
        const isLost = whole.losses > 0 && typeof data === 'string' && /"t":"[A-Z_]+_(?:ADD|UPDATE|REMOVE)"/.test(data)
        if (isLost) whole.losses--
        return isLost || super.dispatchEvent(event)
      }
    }
    const client = new Client({
      baseUrl: service.baseUrl,
      token: person.token,
      retry: 0,
      gateway: { url: service.gateway.url, WebSocket: Lossy },
      fetch: async (input, { signal: _, ...init }) => {
        if (whole.holds === 'requests') await held()
        const response = await service.fetch(input, init)
        if (whole.holds === 'answers') await held()
        return response
      },
    })
    const whole: Person = Object.assign(person, { client })
    return whole
  }

  #watch({ user, client }: Person): Watched[] {
    const truth = this.plain.bind(this)
    const stores = [
      [`relationships of ${user.username}`, client.relationships.live(), () => truth(user).relationships.list()],
      [`games of ${user.username}`, client.gameRelationships.live(), () => truth(user).gameRelationships.list()],
    ] as const
    return stores.map(([name, store, list]) => watch(name, store, list))
  }
}

function watch(
  name: string,
  store: LiveStore<never, never, number> | LiveStore<Item, never, number>,
  list: () => Promise<readonly Item[]>,
): Watched {
  const told = new Map<string, Item>()
  const violations: string[] = []
  const keyOf = (item: Item) => ('application_id' in item ? `${item.application_id} ${item.id}` : item.id)
  /** Views that are kept must be what they would be if they were made now. */
  const check = () =>
    [0, 1, 2, 3, 4]
      .filter((type) => {
        const expected = store.all().filter((item: Item) => item.type === type)
        const view = store.filter(type)
        return view.length !== expected.length || view.some((item, index) => item !== expected[index])
      })
      .map((type) => `the list of type ${type} is wrong`)
  store.on('change', ({ added, updated, removed }) => {
    for (const item of added) if (told.has(keyOf(item))) violations.push(`${keyOf(item)} was added twice`)
    for (const item of updated) if (!told.has(keyOf(item))) violations.push(`${keyOf(item)} was updated, and not there`)
    for (const item of removed) if (!told.delete(keyOf(item))) violations.push(`${keyOf(item)} was removed, not there`)
    for (const item of [...added, ...updated]) told.set(keyOf(item), item)
    if (store.all().length !== told.size) violations.push('what was told is not what is there')
    if (!store.all().every((item) => told.get(keyOf(item)) === item)) violations.push('something was not told')
    violations.push(...check())
  })
  return { name, store, keyOf, list, check, told, violations }
}
