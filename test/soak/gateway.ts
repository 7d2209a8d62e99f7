// Measures what a thousand reconnects and a million events, with live stores attached, leave behind.

import { fork } from 'node:child_process'
import { getEventListeners, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Client } from 'rapport-sdk'
import { WebSocket } from 'ws'
import {
  type Command,
  EVENTS_PER_ROUND,
  type Listening,
  type Loss,
  lossOf,
  RECONNECTS,
  STARTS_NEW_SESSION,
} from './gateway-plan'
import { heapInUse, MAX_GROWTH_BYTES, megabytes, resourcesLeft, watchProcess } from './measuring'

/** Short waits that start over at each loss: the soak measures what reconnects leave behind, not how long they take. */
const backoff = { initialDelay: 20, baseDelay: 20, maxDelay: 50, resetAfter: 0 }

/** The longest wait. A round whose events do not arrive ends the soak. */
const MAX_WAIT_MS = 120_000

/** Every socket that was created and not yet garbage-collected. */
const created = new Set<WeakRef<WebSocket>>()

class WatchedSocket extends WebSocket {
  constructor(url: string) {
    super(url)
    created.add(new WeakRef(this))
  }
}

/** Counts the sockets that are still referenced. Exact after garbage collection. */
function socketsAlive(): number {
  for (const socket of created) if (socket.deref() === undefined) created.delete(socket)
  return created.size
}

/** A client with its live stores, which checks and counts the events it receives. */
class Listener {
  readonly client: Client
  /** Descriptions of everything that went wrong. */
  readonly problems: string[] = []
  /** The number of the last event. */
  serial = 0
  resumes = 0
  sessions = 0
  /** The number of listeners of the gateway, including those of the stores. */
  listeners = 0
  readonly #relationships
  readonly #stores
  readonly #friends: number
  #pending: { readonly condition: () => boolean; readonly done: () => void } | undefined

  constructor({ url, gatewayUrl, token, friends }: Listening) {
    this.#friends = friends
    this.client = new Client({ baseUrl: url, token, gateway: { url: gatewayUrl, backoff, WebSocket: WatchedSocket } })
    const { gateway } = this.client
    this.#countListeners()
    const kinds = ['relationshipAdd', 'relationshipUpdate', 'relationshipRemove'] as const
    const others = ['gameRelationshipAdd', 'gameRelationshipRemove', 'friendSuggestionDelete'] as const
    for (const kind of [...kinds, ...others]) gateway.on(kind, (event) => this.#receive(event))
    gateway.on('resumed', () => {
      this.resumes++
      this.#check()
    })
    gateway.on('ready', () => {
      this.sessions++
      this.#check()
    })
    gateway.on('stateChange', () => this.#check())
    gateway.on('warning', ({ code, message }) => this.problems.push(`${code}: ${message}`))
    gateway.on('error', ({ reason, message }) => this.problems.push(`${reason}: ${message}`))
    this.#relationships = this.client.relationships.live()
    this.#stores = [
      this.#relationships,
      this.client.gameRelationships.live(),
      this.client.friendSuggestions.live(),
    ] as const
    for (const store of this.#stores) store.subscribe(() => this.#check())
  }

  /** Resolves once a condition holds. It is checked at each event, state change and store change. */
  async until(what: string, condition: () => boolean): Promise<void> {
    if (condition()) return
    let timer: ReturnType<typeof setTimeout> | undefined
    await new Promise<void>((resolve, reject) => {
      const onTimeout = () =>
        reject(new Error(`timed out waiting for ${what}; the last event is ${this.serial}, ${this.problems}`))
      timer = setTimeout(onTimeout, MAX_WAIT_MS)
      this.#pending = { condition, done: resolve }
    }).finally(() => clearTimeout(timer))
  }

  /** Resolves once every store is up to date and has all friends. */
  async settled(): Promise<void> {
    const isSettled = () =>
      this.#stores.every(({ stale }) => !stale) && this.#relationships.all().length === this.#friends
    await this.until('an up-to-date list of friends', isSettled)
  }

  close(): void {
    for (const store of this.#stores) store.close()
    this.client.dispose()
  }

  #receive(event: object): void {
    const serial = 'serial' in event ? event.serial : 'without a number'
    if (serial !== this.serial + 1) this.problems.push(`event ${serial} after ${this.serial}`)
    this.serial = Number(serial)
    this.#check()
  }

  #check(): void {
    if (this.#pending === undefined || !this.#pending.condition()) return
    const { done } = this.#pending
    this.#pending = undefined
    done()
  }

  #countListeners(): void {
    const { gateway } = this.client
    const on = gateway.on.bind(gateway)
    const off = gateway.off.bind(gateway)
    gateway.on = (type, listener) => {
      this.listeners++
      return on(type, listener)
    }
    gateway.off = (type, listener) => {
      this.listeners--
      return off(type, listener)
    }
  }
}

const WARM_UP = Math.ceil(RECONNECTS / 10)

const handlesBefore = process.getActiveResourcesInfo()
const { unhandled, warnings } = watchProcess()

const child = fork(fileURLToPath(new URL('gateway-service.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] })
const [service] = (await once(child, 'message')) as [Listening]
const send = (command: Command) => child.send(command)

const shared = new AbortController().signal
const listener = new Listener(service)
const { gateway } = listener.client
const losses = new Map<Loss, number>()

/** Sends half of the events, a loss and the other half. Resolves once all have arrived and the connection is back. */
async function round(loss: Loss): Promise<void> {
  const before = Math.floor(EVENTS_PER_ROUND / 2)
  const last = listener.serial + EVENTS_PER_ROUND
  const connections = listener.resumes + listener.sessions
  const isBack = () => listener.resumes + listener.sessions > connections && gateway.state === 'ready'
  send({ kind: 'events', count: before })
  if (loss === 'leave') {
    await listener.until('the first half', () => listener.serial === last - EVENTS_PER_ROUND + before)
    await gateway.disconnect()
    await gateway.connect({ signal: shared })
  } else send({ kind: 'loss', loss })
  if (STARTS_NEW_SESSION.has(loss)) await listener.until('a new session', isBack)
  send({ kind: 'events', count: EVENTS_PER_ROUND - before })
  await listener.until(`the recovery from ${loss}`, () => isBack() && listener.serial === last)
  if (loss === 'vanish') send({ kind: 'thaw' })
  losses.set(loss, (losses.get(loss) ?? 0) + 1)
}

/** Measures the process while the connection is up and idle. */
async function measure() {
  await listener.settled()
  return {
    heap: await heapInUse(),
    listeners: listener.listeners,
    abortListeners: getEventListeners(shared, 'abort').length,
    sockets: socketsAlive(),
    resources: process.getActiveResourcesInfo(),
  }
}

await gateway.connect({ signal: shared })
const startedAt = performance.now()
for (let index = 0; index < WARM_UP; index++) await round(lossOf(index))
const warm = await measure()
for (let index = WARM_UP; index < RECONNECTS; index++) await round(lossOf(index))
const seconds = (performance.now() - startedAt) / 1000
const end = await measure()
const more = await resourcesLeft(warm.resources)

listener.close()
send({ kind: 'end' })
await once(child, 'exit')
const handles = await resourcesLeft(handlesBefore)

const growth = end.heap - warm.heap
const { resumes, sessions, serial, problems } = listener
const named = (names: readonly string[]) => (names.length === 0 ? 'none' : names.join(', '))
const kinds = [...losses].sort(([, one], [, other]) => other - one)
const lines = [
  `events                 ${serial} in ${seconds.toFixed(1)} s, each once and in order`,
  `connections            ${resumes} resumed, ${sessions} new sessions, after`,
  ...kinds.map(([name, count]) => `  ${name.padEnd(21)}${count}`),
  `heap after ${`${WARM_UP} losses`.padEnd(11)} ${megabytes(warm.heap)}`,
  `heap at the end        ${megabytes(end.heap)}, growth ${megabytes(growth)} of at most ${megabytes(MAX_GROWTH_BYTES)}`,
  `listeners              ${warm.listeners}, and ${end.listeners} at the end`,
  `listeners of signals   ${warm.abortListeners}, and ${end.abortListeners} at the end`,
  `sockets alive          ${warm.sockets}, and ${end.sockets} at the end`,
  `timers and handles     ${warm.resources.length}, new at the end: ${named(more)}`,
  `handles left           ${named(handles)}`,
  `unhandled rejections   ${unhandled.length}`,
  `warnings of Node       ${warnings.length}`,
  `problems               ${named(problems.slice(0, 10))}`,
]
const isConstant =
  end.listeners === warm.listeners && end.abortListeners === warm.abortListeners && end.sockets === warm.sockets
const leftovers = more.length + handles.length + unhandled.length + warnings.length
const isOk = growth <= MAX_GROWTH_BYTES && isConstant && leftovers === 0 && problems.length === 0
// Leftovers would keep the process alive.
process.stdout.write(`${lines.join('\n')}\n`, () => process.exit(isOk ? 0 : 1))
