import { Client } from 'rapport-sdk'
import { WebSocket } from 'ws'
import type { Listening } from './gateway-plan'

/** Waits this short start over at each loss: the soak is about what a reconnect leaves, not about how long one takes. */
const backoff = { firstMs: 20, baseMs: 20, maxMs: 50, stableMs: 0 }

/** How long anything may take; a round whose events do not come ends the soak. */
const LONGEST_WAIT_MS = 30_000

/** Every socket that was made, for as long as it is not collected. */
const made = new Set<WeakRef<WebSocket>>()

class WatchedSocket extends WebSocket {
  constructor(url: string) {
    super(url)
    made.add(new WeakRef(this))
  }
}

/** How many sockets something still holds on to; exact once garbage has been collected. */
export function socketsAlive(): number {
  for (const socket of made) if (socket.deref() === undefined) made.delete(socket)
  return made.size
}

/** A client with its live stores, and a count of what comes to it. */
export class Listener {
  readonly client: Client
  /** What was off, in words; there is to be nothing. */
  readonly wrongs: string[] = []
  /** The last event. */
  serial = 0
  resumes = 0
  sessions = 0
  /** Listeners that were added and not taken away, its own and those of the stores. */
  added = 0
  readonly #relationships
  readonly #stores
  readonly #friends: number
  #wanted: { readonly isSo: () => boolean; readonly done: () => void } | undefined

  constructor({ url, gatewayUrl, token, friends }: Listening) {
    this.#friends = friends
    this.client = new Client({ baseUrl: url, token, gateway: { url: gatewayUrl, backoff, WebSocket: WatchedSocket } })
    const { gateway } = this.client
    this.#countListeners()
    const kinds = ['relationshipAdd', 'relationshipUpdate', 'relationshipRemove'] as const
    const others = ['gameRelationshipAdd', 'gameRelationshipRemove', 'friendSuggestionDelete'] as const
    for (const kind of [...kinds, ...others]) gateway.on(kind, (event) => this.#hear(event))
    gateway.on('resumed', () => {
      this.resumes++
      this.#look()
    })
    gateway.on('ready', () => {
      this.sessions++
      this.#look()
    })
    gateway.on('stateChange', () => this.#look())
    gateway.on('warning', ({ code, message }) => this.wrongs.push(`${code}: ${message}`))
    gateway.on('error', ({ reason, message }) => this.wrongs.push(`${reason}: ${message}`))
    this.#relationships = this.client.relationships.live()
    this.#stores = [
      this.#relationships,
      this.client.gameRelationships.live(),
      this.client.friendSuggestions.live(),
    ] as const
    for (const store of this.#stores) store.subscribe(() => this.#look())
  }

  /** Resolves once something is so; looked at with each event, change of state and change of a store. */
  async until(what: string, isSo: () => boolean): Promise<void> {
    if (isSo()) return
    let timer: ReturnType<typeof setTimeout> | undefined
    await new Promise<void>((resolve, reject) => {
      const late = () => reject(new Error(`${what} did not come; the last event is ${this.serial}, ${this.wrongs}`))
      timer = setTimeout(late, LONGEST_WAIT_MS)
      this.#wanted = { isSo, done: resolve }
    }).finally(() => clearTimeout(timer))
  }

  /** Resolves once every store is up to date and the friends are all there. */
  async settled(): Promise<void> {
    const isSettled = () =>
      this.#stores.every(({ stale }) => !stale) && this.#relationships.all().length === this.#friends
    await this.until('an up-to-date list of friends', isSettled)
  }

  close(): void {
    for (const store of this.#stores) store.close()
    this.client.dispose()
  }

  #hear(event: object): void {
    const serial = 'serial' in event ? event.serial : 'without a number'
    if (serial !== this.serial + 1) this.wrongs.push(`event ${serial} after ${this.serial}`)
    this.serial = Number(serial)
    this.#look()
  }

  #look(): void {
    if (this.#wanted === undefined || !this.#wanted.isSo()) return
    const { done } = this.#wanted
    this.#wanted = undefined
    done()
  }

  #countListeners(): void {
    const { gateway } = this.client
    const on = gateway.on.bind(gateway)
    const off = gateway.off.bind(gateway)
    gateway.on = (type, listener) => {
      this.added++
      return on(type, listener)
    }
    gateway.off = (type, listener) => {
      this.added--
      return off(type, listener)
    }
  }
}
