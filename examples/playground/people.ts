import { Client, type MfaChallenge, type TokenStore } from 'rapport-sdk'
import type { MockUser } from 'rapport-sdk/mocks'
import { logEvents, logExchange } from './journal/client-events'
import { type Exchange, recordFetch } from './journal/exchange'
import type { Journal } from './journal/journal'
import { createPhone } from './pages/phone'
import type { Passkeys } from './passkeys'
import { createClient } from './snippets/client'
import type { World } from './world'

/** A user and their client. */
export interface Person {
  /** Name of {@link account}. */
  readonly name: string
  /** User whose client it is. */
  readonly user: MockUser
  /** Account that is signed in, which may be another one; {@link user} if none is. */
  readonly account: MockUser
  readonly client: Client
  /** Calls `listener` with each request, once it is settled. */
  onExchange(listener: (exchange: Exchange) => void): void
}

function createPerson(
  world: World,
  journal: Journal,
  user: MockUser,
  create: (fetch: ReturnType<typeof recordFetch>) => Client,
): Person {
  const listeners = new Set<(exchange: Exchange) => void>()
  const { fetch, baseUrl } = world.service
  const recorded = recordFetch(fetch, baseUrl, (exchange) => {
    const onEnd = logExchange(journal, person.name, exchange)
    return () => {
      onEnd()
      for (const listener of listeners) listener(exchange)
    }
  })
  const client = create(recorded)
  const person: Person = {
    get name() {
      return nameOf(person.account)
    },
    user,
    get account() {
      return accountOf(world, client) ?? user
    },
    client,
    onExchange: (listener) => void listeners.add(listener),
  }
  logEvents(journal, () => person.name, client)
  return person
}

const nameOf = ({ username }: MockUser): string => `${username.charAt(0).toUpperCase()}${username.slice(1)}`

function accountOf({ service }: World, { session }: Client): MockUser | undefined {
  const { token, user } = session
  if (token === null) return undefined
  // Of a token that the page has set, only the service knows the user.
  const id = user?.id ?? new Map(service.snapshot().database.sessions).get(token)?.userId
  return service.users.all().find((each) => each.id === id)
}

/** Creates a text that contains the name of the signed-in account. */
export function accountText(person: Person, text: (name: string) => string): Text {
  const node = new Text()
  const render = () => {
    node.data = text(person.name)
  }
  person.client.session.onChange(render)
  render()
  return node
}

/** Creates Ada's client, whose dialog shows her phone. */
export function createAda(world: World, journal: Journal, tokenStore: TokenStore, passkeys: Passkeys): Person {
  const footer = (challenge: MfaChallenge) => {
    journal.add({ kind: 'client', who: 'Ada', what: 'prompt', text: `${challenge.endpoint}: second factor` })
    return createPhone(world, challenge)
  }
  return createPerson(world, journal, world.ada, (fetch) =>
    createClient(world.service, tokenStore, passkeys.adapter, footer, fetch),
  )
}

/** Creates the client of Grace, who is signed in. */
export function createGrace(world: World, journal: Journal): Person {
  const { service, grace } = world
  return createPerson(
    world,
    journal,
    grace,
    (fetch) =>
      new Client({
        baseUrl: service.baseUrl,
        token: service.token(grace),
        gateway: { url: service.gateway.url, WebSocket: service.WebSocket },
        fetch,
      }),
  )
}
