import { setupServer } from 'msw/node'
import { Client, type ClientOptions } from 'rapport-sdk'
import { createMockService, type MockApplication, type MockService, type MockUser } from 'rapport-sdk/mocks'
import { handlers } from 'rapport-sdk/mocks/msw'
import { listen } from 'rapport-sdk/mocks/node'

/** A mock service with two people and an application, reached in some way. */
export interface World extends AsyncDisposable {
  readonly service: MockService
  /** Has a phone and every kind of second factor, and owns the application. */
  readonly ada: MockUser
  readonly grace: MockUser
  readonly application: MockApplication
  /** A client of Ada. */
  readonly client: Client
  /** A client of Grace. */
  readonly other: Client
  /** A client that nobody has signed in with. */
  readonly guest: Client
  /** Sends a request without the client, for what a client keeps to itself: the tickets of second factors. */
  readonly raw: (path: string, body: unknown, token?: string) => Promise<unknown>
}

/** How a world is reached. */
export type Way = 'over HTTP' | 'through msw'

export const PASSWORD = 'correct horse'

/** Opens a world of its own. */
export async function openWorld(way: Way): Promise<World> {
  const service = createMockService({ seed: 7 })
  const door = way === 'over HTTP' ? await overHttp(service) : throughMsw(service)
  const factors = ['totp', 'sms', 'backup', 'webauthn'] as const
  const ada = service.users.create({ login: 'ada@example.test', username: 'ada', password: PASSWORD, mfa: factors })
  const grace = service.users.create({ login: 'grace@example.test', username: 'grace', password: PASSWORD })
  const application = service.applications.create({ owner: ada, assets: [{ id: '800', name: 'hero' }], featured: true })
  const clients: Client[] = []
  const clientOf = (options: Partial<ClientOptions> = {}): Client => {
    const client = new Client({ baseUrl: door.url, onResponseMismatch: 'throw', retry: 0, ...options })
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
      const response = await fetch(door.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      return response.json()
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.dispose()
      await door.close()
      await service.close()
    },
  }
}

interface Door {
  readonly url: string
  close(): void | Promise<void>
}

async function overHttp(service: MockService): Promise<Door> {
  return listen(service)
}

function throughMsw(service: MockService): Door {
  const server = setupServer(...handlers(service))
  server.listen({ onUnhandledRequest: 'error' })
  return { url: service.baseUrl, close: () => server.close() }
}
