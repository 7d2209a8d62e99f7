import { Client, type MfaHandler } from 'rapport-sdk'
import { createMockService, type MockApplication, type MockService, type MockUser } from 'rapport-sdk/mocks'
import { createPasskeys, type Passkeys } from './passkeys'

/** A user and their client. */
export interface Person {
  readonly name: string
  readonly user: MockUser
  readonly client: Client
}

/** The mock service and its users. */
export interface Playground {
  readonly service: MockService
  /** The user of the page. */
  readonly ada: Person
  /** The simulated user. */
  readonly grace: Person
  readonly password: string
  readonly passkeys: Passkeys
  readonly games: readonly MockApplication[]
}

/** Creates the service with its users and games. `createMfaHandler` creates the handler for second factors. */
export function createPlayground(createMfaHandler: (playground: Playground) => MfaHandler): Playground {
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
    onMfaRequired: (challenge) => handleMfa(challenge),
  })
  const graceClient = new Client({ ...connection, token: service.token(grace) })
  const playground: Playground = {
    service,
    ada: { name: 'Ada', user: ada, client: adaClient },
    grace: { name: 'Grace', user: grace, client: graceClient },
    password,
    passkeys,
    games,
  }
  const handleMfa = createMfaHandler(playground)
  return playground
}
