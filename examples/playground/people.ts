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
  readonly name: string
  readonly user: MockUser
  readonly client: Client
  /** Calls `listener` with each request, once it is settled. */
  onExchange(listener: (exchange: Exchange) => void): void
}

function createPerson(
  world: World,
  journal: Journal,
  name: string,
  user: MockUser,
  create: (fetch: ReturnType<typeof recordFetch>) => Client,
): Person {
  const listeners = new Set<(exchange: Exchange) => void>()
  const { fetch, baseUrl } = world.service
  const recorded = recordFetch(fetch, baseUrl, (exchange) => {
    const onEnd = logExchange(journal, name, exchange)
    return () => {
      onEnd()
      for (const listener of listeners) listener(exchange)
    }
  })
  const client = create(recorded)
  logEvents(journal, name, client)
  return { name, user, client, onExchange: (listener) => void listeners.add(listener) }
}

/** Creates Ada's client, whose dialog shows her phone. */
export function createAda(world: World, journal: Journal, tokenStore: TokenStore, passkeys: Passkeys): Person {
  const footer = (challenge: MfaChallenge) => {
    journal.add({ kind: 'client', who: 'Ada', what: 'prompt', text: `${challenge.endpoint}: second factor` })
    return createPhone(world, challenge)
  }
  return createPerson(world, journal, 'Ada', world.ada, (fetch) =>
    createClient(world.service, tokenStore, passkeys.adapter, footer, fetch),
  )
}

/** Creates the client of Grace, who is signed in. */
export function createGrace(world: World, journal: Journal): Person {
  const { service, grace } = world
  return createPerson(
    world,
    journal,
    'Grace',
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
