// Measures live stores: an event with and without a store, and reading a store after each event. Frames go directly to the
// client's socket in this process, without a network or a second process.
import type { GatewaySocket, GatewaySocketEvent, RelationshipStore } from 'rapport-sdk'
import { type Candidate, interleave, percentile } from './interleave'

process.env.NODE_ENV = 'production'
const built = new URL('../dist/index.js', import.meta.url).href
const sdk = (await import(built)) as typeof import('rapport-sdk')

const rounds = Number(process.env.BENCH_ROUNDS ?? 9)
const warmUp = 3
const FRIEND = sdk.RelationshipType.FRIEND
const BLOCKED = sdk.RelationshipType.BLOCKED

/** A socket whose frames come from this benchmark. */
class Loopback implements GatewaySocket {
  static last: Loopback
  binaryType = ''
  #receive: (event: GatewaySocketEvent) => void = () => {}
  #sequence = 1

  constructor() {
    Loopback.last = this
  }

  addEventListener(type: string, listener: (event: GatewaySocketEvent) => void): void {
    if (type !== 'message') return
    this.#receive = listener
    queueMicrotask(() => this.receive('{"op":10,"d":{"heartbeat_interval":45000}}'))
  }

  send(data: string | ArrayBuffer): void {
    const { op } = JSON.parse(String(data))
    if (op === 2) this.receive('{"op":0,"t":"READY","s":1,"d":{"session_id":"s","auth_session_id_hash":"h"}}')
  }

  close(): void {}

  receive(data: string): void {
    this.#receive({ type: 'message', data })
  }

  /** Sends an update of one relationship, with a new nickname each time. */
  update(index: number): void {
    const s = ++this.#sequence
    const d = `{"id":"${idOf(index)}","type":${FRIEND},"nickname":"nickname ${s}","since":"2026-01-01T00:00:00.000000+00:00"}`
    this.receive(`{"op":0,"t":"RELATIONSHIP_UPDATE","s":${s},"d":${d}}`)
  }
}

const idOf = (index: number) => String(80_351_110_224_000_000n + BigInt(index))

function listOf(size: number): object[] {
  return Array.from({ length: size }, (_, index) => ({
    id: idOf(index),
    // One in ten is of another type.
    type: index % 10 === 9 ? BLOCKED : FRIEND,
    user: { id: idOf(index), username: `user ${index}`, avatar: null },
    nickname: null,
    user_ignored: false,
  }))
}

/** Connects a client with a listener for updates, and a store if `size` is given. */
async function connect(size?: number) {
  const body = JSON.stringify(listOf(size ?? 0))
  const client = new sdk.Client({
    baseUrl: 'http://127.0.0.1',
    token: 'a-token',
    fetch: async () => new Response(body, { headers: { 'content-type': 'application/json' } }),
    gateway: { url: 'ws://127.0.0.1', WebSocket: Loopback },
  })
  client.gateway.on('relationshipUpdate', () => {})
  await client.gateway.connect()
  const socket = Loopback.last
  if (size === undefined) return { client, socket }
  const store = client.relationships.live()
  await store.ready
  if (store.all().length !== size || store.stale) throw new Error('the store is not loaded')
  return { client, socket, store }
}

/** Updates all friends of a store in turn, and calls `read` after each event. */
async function candidate(name: string, events: number, size?: number, read?: (store: RelationshipStore) => unknown) {
  const { client, socket, store } = await connect(size)
  let index = 0
  const run = async () => {
    for (let count = 0; count < events; count++) {
      index = (index + 1) % (size ?? 10_000)
      if (index % 10 === 9) index = (index + 1) % (size ?? 10_000)
      socket.update(index)
      if (store !== undefined) read?.(store)
    }
  }
  return { name, run, dispose: () => client.dispose() }
}

/** Prints CPU times, because wall times depend on other load. */
async function table(events: number, candidates: readonly (Candidate & { dispose(): void })[]) {
  const samples = candidates.map((): number[] => [])
  const timed = candidates.map(({ name, run }, index) => ({
    name,
    async run() {
      const before = process.cpuUsage()
      await run()
      const { user, system } = process.cpuUsage(before)
      samples[index]?.push(user + system)
    },
  }))
  await interleave(timed, warmUp, rounds)
  const medians = samples.map((times) => percentile(times.slice(warmUp), 0.5) / events)
  const [base = Number.NaN] = medians
  console.table(
    candidates.map(({ name }, index) => ({
      name,
      'µs per event': medians[index]?.toFixed(2),
      ratio: (Number(medians[index]) / base).toFixed(2),
    })),
  )
  for (const { dispose } of candidates) dispose()
}

console.log(`Cost of an event, median of ${rounds} rounds, Node ${process.versions.node}`)
const many = 50_000
await table(many, [
  await candidate('no store', many),
  await candidate('a store of 10', many, 10),
  await candidate('a store of 10,000', many, 10_000),
  await candidate('a store of 10,000 with a subscriber', many, 10_000, subscribedTo()),
])

console.log('Cost of an event that changes a friend, followed by a read')
const some = 5_000
for (const [what, read] of Object.entries({
  'filter(BLOCKED), unchanged': (store: RelationshipStore) => store.filter(BLOCKED),
  'filter(FRIEND), changed': (store: RelationshipStore) => store.filter(FRIEND),
  'all()': (store: RelationshipStore) => store.all(),
})) {
  await table(some, [
    await candidate(`${what}: 10 items`, some, 10, read),
    await candidate(`${what}: 10,000 items`, some, 10_000, read),
  ])
}

/** Returns a function that subscribes and reads all lists, once per store. */
function subscribedTo() {
  let known: RelationshipStore | undefined
  return (store: RelationshipStore) => {
    if (store === known) return
    known = store
    store.subscribe(() => {})
    store.on('change', () => {})
    for (const list of [store.all(), store.filter(FRIEND), store.filter(BLOCKED)]) if (list.length === 0) throw list
  }
}
