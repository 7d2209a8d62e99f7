import { Client } from 'rapport-sdk'
import { WebSocket } from 'ws'
import type { Listening } from './gateway-plan'

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
export function socketsAlive(): number {
  for (const socket of created) if (socket.deref() === undefined) created.delete(socket)
  return created.size
}

/** A client with its live stores, which checks and counts the events it receives. */
export class Listener {
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
