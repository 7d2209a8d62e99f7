import { Client, type MfaHandler } from 'rapport-sdk'
import { createMockService, type MockApplication, type MockService, type MockUser } from 'rapport-sdk/mocks'
import { createPasskeys, type Passkeys } from './passkeys'

/** Somebody with a client of their own. */
export interface Person {
  readonly name: string
  readonly user: MockUser
  readonly client: Client
}

/** Everything that the page is about: a service, and who uses it. */
export interface World {
  readonly service: MockService
  /** Who sits before the page. */
  readonly ada: Person
  /** Who is simulated beside her. */
  readonly grace: Person
  readonly password: string
  readonly passkeys: Passkeys
  readonly games: readonly MockApplication[]
}

/** Makes the service in the page, with its people and games. Whoever needs a second factor is asked by `ask`. */
export function createWorld(ask: (world: World) => MfaHandler): World {
  const service = createMockService({ rpId: location.hostname })
  const password = 'correct horse'
  const create = (username: string, mfa: readonly ('totp' | 'sms' | 'backup' | 'webauthn')[] = []) =>
    service.users.create({ login: `${username}@example.test`, username, password, mfa })
  const [ada, grace, linus] = [
    create('ada', ['totp', 'sms', 'backup', 'webauthn']),
    create('grace'),
    create('linus'),
  ] as const
  service.relationships.befriend(ada, linus)
  const games = ['Chess', 'Bridge Builder', 'Tunnel Digger', 'Go'].map((name) =>
    service.applications.create({ name, owner: linus }),
  )
  service.users.suggestGames(ada, { games: games.map(({ id }) => id) })

  const passkeys = createPasskeys(service, ada)
  const connection = {
    baseUrl: service.baseUrl,
    fetch: service.fetch,
    gateway: { url: service.gateway.url, WebSocket: service.WebSocket, connectOnSignIn: true },
  }
  const adaClient: Client = new Client({
    ...connection,
    webauthn: passkeys.adapter,
    onMfaRequired: (challenge) => ask(world)(challenge),
  })
  const graceClient = new Client({ ...connection, token: service.token(grace) })
  const world: World = {
    service,
    ada: { name: 'Ada', user: ada, client: adaClient },
    grace: { name: 'Grace', user: grace, client: graceClient },
    password,
    passkeys,
    games,
  }
  return world
}
