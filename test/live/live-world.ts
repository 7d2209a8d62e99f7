import { setImmediate as turn } from 'node:timers/promises'
import { Client, type ClientOptions } from 'rapport-sdk'
import { createMockService, type MockUser } from 'rapport-sdk/mocks'
import { onTestFinished } from 'vitest'

/** Lets happen what is due at once: requests, frames and what comes of them. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 30; round++) await turn()
}

/** Requests for lists, which wait on their way there or back when that is asked for. */
export class Road {
  /** How many have set out. */
  asked = 0
  holdsRequests = false
  holdsAnswers = false
  #waiting: (() => void)[] = []

  /** Lets go on what waits, and what comes later. */
  async release(): Promise<void> {
    this.holdsRequests = false
    this.holdsAnswers = false
    for (const go of this.#waiting.splice(0)) go()
    await settle()
  }

  /** A `fetch` whose requests for lists take this road. An abort does not bring them back. */
  readonly over =
    (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
    async (input, init) => {
      const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
      if (method !== 'GET') return fetch(input, init)
      this.asked++
      if (this.holdsRequests) await this.#wait()
      const { signal: _, ...rest } = init ?? {}
      const response = await fetch(input, rest)
      if (this.holdsAnswers) await this.#wait()
      return response
    }

  #wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}

/** A service with a few people in it, one of whom, ada, has a client whose gateway is connected. */
export async function liveWorld(options: Partial<ClientOptions> = {}) {
  const service = createMockService({ now: 0 })
  onTestFinished(() => void service.close())
  const create = (username: string) => service.users.create({ login: `${username}@example.com`, username })
  const [ada, grace, linus] = [create('ada'), create('grace'), create('linus')]
  const road = new Road()
  const gateway = { url: service.gateway.url, WebSocket: service.WebSocket }
  const clientOf = (user: MockUser, given: Partial<ClientOptions> = {}) => {
    const client = new Client({
      baseUrl: service.baseUrl,
      fetch: service.fetch,
      gateway,
      token: service.token(user),
      retry: 0,
      ...given,
    })
    onTestFinished(() => client.dispose())
    return client
  }
  const client = clientOf(ada, { fetch: road.over(service.fetch), ...options })
  const connected = client.gateway.connect()
  await settle()
  await connected
  /** Sends ada an event as it is, whatever the service knows. */
  const emit = async (event: Parameters<typeof service.gateway.emit>[0], data: unknown) => {
    service.gateway.emit(event, data, { to: ada })
    await settle()
  }
  return { service, ada, grace, linus, client, clientOf, road, emit, gateway } as const
}

/** A relationship as the service sends it. */
export function relationship(id: string, fields: object = {}) {
  return {
    id,
    type: 1,
    user: { id, username: `user ${id}` },
    nickname: null,
    user_ignored: false,
    ...fields,
  }
}

/** A game relationship as the service sends it. */
export function gameRelationship(application_id: string, id: string, fields: object = {}) {
  const since = '2026-01-01T00:00:00.000Z'
  return { id, application_id, type: 1, user: { id }, since, dm_access_type: 0, user_id: '1', ...fields }
}
