import { setupServer } from 'msw/node'
import { Client, type ClientOptions } from 'rapport-sdk'
import {
  createMockService,
  type EndpointName,
  type MockApplication,
  type MockService,
  type MockUser,
} from 'rapport-sdk/mocks'
import { handlers } from 'rapport-sdk/mocks/msw'
import { listen } from 'rapport-sdk/mocks/node'

/** A mock service with two users and an application, and clients of it. */
export interface World extends AsyncDisposable {
  readonly service: MockService
  /** Has a phone and every type of second factor, and owns the application. */
  readonly ada: MockUser
  readonly grace: MockUser
  readonly application: MockApplication
  /** A client of Ada. */
  readonly client: Client
  /** A client of Grace. */
  readonly other: Client
  /** A signed-out client. */
  readonly guest: Client
  /** Sends a request without a client, for values that a client does not expose, such as MFA tickets. */
  readonly raw: (path: string, body: unknown, token?: string) => Promise<unknown>
}

/** How the clients reach the mock service. */
export type Transport = 'over HTTP' | 'through msw'

/** Makes a call with all its optional fields and asserts its effects. */
type RoundTrip = (world: World) => Promise<void>

/** Round trips by the names of their endpoints. */
export type RoundTrips<Names extends EndpointName> = Readonly<Record<Names, RoundTrip>>

export const PASSWORD = 'correct horse'

/** Creates a new world. `transport` may also be a function that starts another one. */
export async function openWorld(transport: Transport | ((service: MockService) => Listener)): Promise<World> {
  const service = createMockService({ seed: 7 })
  const start = typeof transport === 'function' ? transport : transport === 'over HTTP' ? overHttp : throughMsw
  const listener = await start(service)
  const send = listener.fetch ?? ((url: string, init: RequestInit) => fetch(url, init))
  const factors = ['totp', 'sms', 'backup', 'webauthn'] as const
  const ada = service.users.create({ login: 'ada@example.test', username: 'ada', password: PASSWORD, mfa: factors })
  const grace = service.users.create({ login: 'grace@example.test', username: 'grace', password: PASSWORD })
  const application = service.applications.create({ owner: ada, assets: [{ id: '800', name: 'hero' }], featured: true })
  const clients: Client[] = []
  const clientOf = (options: Partial<ClientOptions> = {}): Client => {
    const { url: baseUrl, fetch } = listener
    const client = new Client({ baseUrl, fetch, onResponseMismatch: 'throw', retry: 0, ...options })
    clients.push(client)
    return client
  }
  return {
    service,
    ada,
    grace,
    application,
    client: clientOf({
      token: service.token(ada),
      onMfaRequired: () => ({ type: 'totp', code: service.users.totp(ada) }),
    }),
    other: clientOf({ token: service.token(grace) }),
    guest: clientOf(),
    raw: async (path, body, token) => {
      const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: token }) }
      const response = await send(listener.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      return response.json()
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.dispose()
      await listener.close()
      await service.close()
    },
  }
}

/** A running transport. */
export interface Listener {
  readonly url: string
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  close(): void | Promise<void>
}

async function overHttp(service: MockService): Promise<Listener> {
  return listen(service)
}

function throughMsw(service: MockService): Listener {
  const server = setupServer(...handlers(service))
  server.listen({ onUnhandledRequest: 'error' })
  return { url: service.baseUrl, close: () => server.close() }
}
