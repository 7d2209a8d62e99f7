// The compared clients, behind a common interface.
import * as peer from '@discordjs/ws'
import { WebSocket } from 'ws'

const built = new URL('../dist/index.js', import.meta.url).href
const sdk = (await import(built)) as typeof import('rapport-sdk')

/** How a client reconnected, and its backoff before the first attempt. */
export interface Recovered {
  readonly how: 'resumed' | 'new session'
  readonly waitMs: number
}

/** A connected client. */
export interface Connected {
  /** Resolves after `count` events. */
  received(count: number): Promise<void>
  /** Resolves when the client has reconnected after the next lost connection. */
  recovered(): Promise<Recovered>
  close(): void
}

/** Counts events for {@link Connected.received}. */
class Counter {
  #left = 0
  #done = () => {}

  wait(count: number): Promise<void> {
    this.#left = count
    return new Promise((resolve) => {
      this.#done = resolve
    })
  }

  readonly count = (): void => {
    this.#left -= 1
    if (this.#left === 0) this.#done()
  }
}

const noRecovery = () => Promise.reject(new Error('this client does not reconnect'))

/** Only `ws` and `JSON.parse`: frames are parsed and ignored. */
export async function bare(url: string): Promise<Connected> {
  const counter = new Counter()
  const socket = new WebSocket(url)
  await new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      const frame = JSON.parse(data.toString())
      if (frame.op === 10) socket.send(JSON.stringify({ op: 2, d: {} }))
      else if (frame.t === 'READY') resolve()
      else counter.count()
    })
  })
  return { received: (count) => counter.wait(count), recovered: noRecovery, close: () => socket.terminate() }
}

/** This package. Its backoff resets at each loss; otherwise the second kill within 30 s would count as the same outage. */
export const ours = (url: string): Promise<Connected> => oursWith(url)

/** This package with a live store of the 10,000 users in the events. */
export const oursWithStore = (url: string): Promise<Connected> => oursWith(url, 10_000)

async function oursWith(url: string, users?: number): Promise<Connected> {
  const counter = new Counter()
  const backoff = { resetAfter: 0 }
  const client = new sdk.Client({
    baseUrl: 'http://127.0.0.1',
    token: 'a-token',
    // Newer versions of Node have a global WebSocket, which the other clients do not use.
    gateway: { url, backoff, WebSocket },
    fetch: async () => new Response(listOf(users ?? 0), { headers: { 'content-type': 'application/json' } }),
  })
  const { gateway } = client
  gateway.on('relationshipUpdate', counter.count)
  await gateway.connect()
  if (users !== undefined) {
    const store = client.relationships.live()
    await store.ready
    if (store.all().length !== users) throw new Error('the store is not loaded')
  }
  return {
    received: (count) => counter.wait(count),
    async recovered() {
      const { delayMs = 0 } = await gateway.waitFor('stateChange', { filter: ({ state }) => state === 'reconnecting' })
      const { previous } = await gateway.waitFor('stateChange', { filter: ({ state }) => state === 'ready' })
      return { how: previous === 'resuming' ? 'resumed' : 'new session', waitMs: delayMs }
    },
    close: () => client.dispose(),
  }
}

/** Returns the users of the server's events as a list of relationships. */
function listOf(users: number): string {
  const items = Array.from({ length: users }, (_, index) => {
    const id = `8035111022467${String(index).padStart(4, '0')}`
    return { id, type: 1, user: { id, username: `user ${index}`, avatar: null }, nickname: null, user_ignored: false }
  })
  return JSON.stringify(items)
}

/** Its fixed delay before each attempt. There is no option for it. */
const PEER_WAIT_MS = 500

/** The peer. A fake REST client gives it the gateway's URL. */
export async function theirs(url: string): Promise<Connected> {
  const counter = new Counter()
  let session: peer.SessionInfo | null = null
  const limit = { total: 1000, remaining: 1000, reset_after: 86_400_000, max_concurrency: 1 }
  const manager = new peer.WebSocketManager({
    token: 'a-token',
    intents: 0,
    rest: { get: async () => ({ url, shards: 1, session_start_limit: limit }) } as never,
    // By default, all managers of the process share one store.
    retrieveSessionInfo: () => session,
    updateSessionInfo: (_shard, info) => {
      session = info
    },
  })
  const { Dispatch, Ready, Resumed } = peer.WebSocketShardEvents
  manager.on(Dispatch, ({ t }) => {
    if (String(t) === 'RELATIONSHIP_UPDATE') counter.count()
  })
  await manager.connect()
  return {
    received: (count) => counter.wait(count),
    recovered: () =>
      new Promise((resolve) => {
        const end = (how: Recovered['how']) => () => resolve({ how, waitMs: PEER_WAIT_MS })
        manager.once(Resumed, end('resumed'))
        manager.once(Ready, end('new session'))
      }),
    close: () => void manager.destroy(),
  }
}

/** Names for the tables. */
export const names = {
  ours: 'ours',
  oursWithStore: 'ours, with a live store of 10,000 items',
  theirs: `@discordjs/ws ${peer.version}`,
}
