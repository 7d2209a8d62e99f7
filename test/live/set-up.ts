import { setImmediate as turn } from 'node:timers/promises'
import { Client, type ClientOptions, GatewayError, type LiveChange } from 'rapport-sdk'
import { createMockService, type MockUser } from 'rapport-sdk/mocks'
import { onTestFinished, vi } from 'vitest'
import { PATIENCE_MS } from '../patience'
import { createGatewayClient, type Peer, serveGateway } from '../servers/gateway-server'
import { json, type Responder, serve } from '../servers/http-server'

/** Waits until pending requests and frames are processed. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 30; round++) await turn()
}

/** Returns the outcome of a promise, and rejects if it is still pending once requests and frames are processed. */
export function soon<T>(promise: Promise<T>): Promise<T> {
  const late = settle().then(() => Promise.reject(new Error('A promise did not settle.')))
  return Promise.race([promise, late])
}

/** Counts GET requests and can hold them, or their responses, back. */
export class Network {
  /** Number of GET requests sent. */
  requests = 0
  holdsRequests = false
  holdsResponses = false
  #waiting: (() => void)[] = []

  /** Releases what is held back, and holds nothing from now on. */
  async release(): Promise<void> {
    this.holdsRequests = false
    this.holdsResponses = false
    for (const go of this.#waiting.splice(0)) go()
    await settle()
  }

  /** Wraps a `fetch` so that its GET requests pass this network, which ignores aborts. */
  readonly wrap =
    (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
    async (input, init) => {
      const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
      if (method !== 'GET') return fetch(input, init)
      this.requests++
      if (this.holdsRequests) await this.#wait()
      const { signal: _, ...rest } = init ?? {}
      const response = await fetch(input, rest)
      if (this.holdsResponses) await this.#wait()
      return response
    }

  #wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}

/** Sets up a mock service with three users, and a client of ada whose gateway is connected. */
export async function setUpLive(options: Partial<ClientOptions> = {}, service = createMockService({ now: 0 })) {
  onTestFinished(() => void service.close())
  const create = (username: string) => service.users.create({ login: `${username}@example.com`, username })
  const [ada, grace, linus] = [create('ada'), create('grace'), create('linus')]
  const network = new Network()
  const gateway = { url: service.gateway.url, WebSocket: service.WebSocket }
  const createClient = (user: MockUser, clientOptions: Partial<ClientOptions> = {}) => {
    const client = new Client({
      baseUrl: service.baseUrl,
      fetch: service.fetch,
      gateway,
      token: service.token(user),
      retry: 0,
      ...clientOptions,
    })
    onTestFinished(() => client.dispose())
    return client
  }
  const client = createClient(ada, { fetch: network.wrap(service.fetch), ...options })
  const connected = client.gateway.connect()
  await settle()
  await connected
  /** Sends ada an event, whatever the state of the service. */
  const emit = async (event: Parameters<typeof service.gateway.emit>[0], data: unknown) => {
    service.gateway.emit(event, data, { to: ada })
    await settle()
  }
  return { service, ada, grace, linus, client, createClient, network, emit, gateway } as const
}

/** Returns a relationship as the service sends it. */
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

/** Returns a game relationship as the service sends it. */
export function gameRelationship(application_id: string, id: string, fields: object = {}) {
  const since = '2026-01-01T00:00:00.000Z'
  return { id, application_id, type: 1, user: { id }, since, dm_access_type: 0, user_id: '1', ...fields }
}

/** Advances fake timers, and waits until requests and frames are processed. */
export async function advance(ms: number): Promise<void> {
  await settle()
  await vi.advanceTimersByTimeAsync(ms)
  await settle()
}

/** Sets up a loaded store, and records `stale` at each notification. */
export async function setUpStore() {
  const setup = await setUpLive()
  const store = setup.client.relationships.live()
  await soon(store.ready)
  setup.network.requests = 0
  const stale: boolean[] = []
  store.subscribe(() => stale.push(store.stale))
  return { ...setup, store, stale }
}

/** Sets up a loaded store with one relationship, to user 7, and records its changes. */
export async function setUpStoreWithSeven() {
  const setup = await setUpLive()
  const { client, service, network } = setup
  service.faults.on('Get Relationships', { status: 200, body: [relationship('7', { note: 'Hello' })], times: 1 })
  const store = client.relationships.live()
  await soon(store.ready)
  network.requests = 0
  const changes: LiveChange<{ readonly id: string }>[] = []
  store.on('change', (change) => changes.push(change))
  return { ...setup, store, changes }
}

/** The clock of the process, which fake timers do not replace. */
const realNow = performance.now.bind(performance)
const { setTimeout: realTimeout } = globalThis

/** Waits until a condition holds, for at most two minutes of real time. */
export async function until(condition: () => boolean): Promise<void> {
  const start = realNow()
  while (!condition()) {
    if (realNow() - start > PATIENCE_MS) throw new Error(`timed out waiting for: ${condition}`)
    // Turns without a pause would take the CPU time that the other side needs.
    await new Promise((resolve) => realTimeout(resolve, 1))
  }
}

/** Sets up a client with a loaded store over a real HTTP server and a real gateway. */
export async function setUpOnWire(options: Partial<Omit<ClientOptions, 'gateway'>> = {}) {
  const http = await serve()
  const gateway = await serveGateway()
  let next: Responder = json(200, [relationship('7'), relationship('8', { type: 3 })])
  http.fallback(() => (response, request) => next(response, request))
  const client = createGatewayClient(gateway, { baseUrl: http.url, retry: 0, ...options })
  const errors: unknown[] = []
  client.gateway.on('error', (error) => error instanceof GatewayError && errors.push(error))
  let [sent, pending] = [0, 0]
  client.on('request', () => {
    sent++
    pending++
  })
  client.on('callEnd', () => pending--)
  await client.gateway.connect()
  const store = client.relationships.live()
  let isReady = false
  void store.ready.then(() => {
    isReady = true
  })
  await until(() => isReady)
  const loads = () => sent - 1
  let sequence = 1
  const setup = {
    client,
    store,
    http,
    gateway,
    errors,
    /** Returns the number of loads since the first. */
    loads,
    get peer(): Peer {
      const peer = gateway.peers.at(-1)
      if (peer === undefined) throw new Error('there is no connection')
      return peer
    },
    /** Sets the response to every later load. */
    respondWith(responder: Responder) {
      next = responder
    },
    /** Advances fake timers in steps, and waits after each step until the loads that it sends have ended. */
    async advance(ms: number, step = 250): Promise<void> {
      for (let passed = 0; passed < ms; passed += step) {
        await vi.advanceTimersByTimeAsync(Math.min(step, ms - passed))
        await turn()
        await until(() => pending === 0)
        await turn()
      }
    },
    /** Sends an event, after skipping `skip` sequence numbers, and waits until the client has received it. */
    async dispatch(type: string, data: unknown, skip = 0): Promise<void> {
      sequence += 1 + skip
      setup.peer.dispatch(type, data, sequence)
      await setup.arrived()
    },
    /** Waits until the client has received everything sent. */
    async arrived(): Promise<void> {
      const seen = client.gateway.waitFor('dispatch', { filter: ({ type }) => type === 'MARK' })
      setup.peer.dispatch('MARK', {})
      await seen
    },
  }
  return setup
}
