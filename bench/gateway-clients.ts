// The clients that are compared, each behind the same few functions.
import * as peer from '@discordjs/ws'
import { WebSocket } from 'ws'

const built = new URL('../dist/index.js', import.meta.url).href
const sdk = (await import(built)) as typeof import('rapport-sdk')

/** How a client found back: in which way, and how long it meant to wait before its first attempt. */
export interface Recovered {
  readonly how: 'resumed' | 'started anew'
  readonly waitMs: number
}

/** A connected client. */
export interface Connected {
  /** Resolves once so many events have come. */
  received(count: number): Promise<void>
  /** Resolves once it has found back from the next loss of its connection. */
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

const noRecovery = () => Promise.reject(new Error('it does not come back'))

/** `ws` and `JSON.parse`, with nothing around them: the frames are read, and nobody looks at them. */
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

/** Ours. Its waits start over at each loss, or the second kill in half a minute would count as an outage going on. */
export const ours = (url: string): Promise<Connected> => oursWith(url)

/** Ours with a live store of the 10,000 users that the events are about. */
export const oursWithStore = (url: string): Promise<Connected> => oursWith(url, 10_000)

async function oursWith(url: string, users?: number): Promise<Connected> {
  const counter = new Counter()
  const backoff = { stableMs: 0 }
  const client = new sdk.Client({
    baseUrl: 'http://127.0.0.1',
    token: 'a-token',
    // Newer Nodes have one of their own, which the others do not use.
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
      return { how: previous === 'resuming' ? 'resumed' : 'started anew', waitMs: delayMs }
    },
    close: () => client.dispose(),
  }
}

/** The users of the server's events, as a list of relationships. */
function listOf(users: number): string {
  const items = Array.from({ length: users }, (_, index) => {
    const id = `8035111022467${String(index).padStart(4, '0')}`
    return { id, type: 1, user: { id, username: `user ${index}`, avatar: null }, nickname: null, user_ignored: false }
  })
  return JSON.stringify(items)
}

/** What it sleeps before each attempt. It has no option. */
const PEER_WAIT_MS = 500

/** The peer, told of the gateway's address by a stand-in for its REST client. */
export async function theirs(url: string): Promise<Connected> {
  const counter = new Counter()
  let session: peer.SessionInfo | null = null
  const limit = { total: 1000, remaining: 1000, reset_after: 86_400_000, max_concurrency: 1 }
  const manager = new peer.WebSocketManager({
    token: 'a-token',
    intents: 0,
    rest: { get: async () => ({ url, shards: 1, session_start_limit: limit }) } as never,
    // The default is one store for all managers of the process.
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
        manager.once(Ready, end('started anew'))
      }),
    close: () => void manager.destroy(),
  }
}

/** Name and version of each, for the tables. */
export const names = {
  ours: 'ours',
  oursWithStore: 'ours, with a live store of 10,000 items',
  theirs: `@discordjs/ws ${peer.version}`,
}
