import type { GatewayPeer } from './peer'
import type { GatewaySession } from './session'

/** Bytes that may wait for a client that does not read, 16 MiB. One more message may be larger than that. */
export const MAX_WAITING_BYTES = 2 ** 24

/**
 * One connection of a client. Frozen, it neither takes nor gives, as one does whose other end has vanished: what comes
 * and goes meanwhile waits, and passes once it has thawed.
 */
export class Connection {
  /** The session that the client identified for or resumed. */
  session: GatewaySession | undefined
  /** When the client beat last; connecting counts. */
  lastBeat: number
  /** When the client was asked for a beat that it owes. */
  askedAt: number | undefined
  /** Whether the gateway still talks to it. */
  isOpen = true
  #isFrozen = false
  #incoming: (() => void)[] = []
  #outgoing: (() => void)[] = []
  /** The size of what was sent since it froze. */
  #frozen = 0
  readonly #peer: GatewayPeer

  constructor(peer: GatewayPeer, now: number) {
    this.#peer = peer
    this.lastBeat = now
  }

  /** Where the client connected, without query. */
  get url(): string {
    const { origin, pathname } = new URL(this.#peer.url)
    return origin + pathname
  }

  get isFrozen(): boolean {
    return this.#isFrozen
  }

  /** Takes what the client sent, unless frozen. */
  take(act: () => void): void {
    if (this.#isFrozen) this.#incoming.push(act)
    else if (this.isOpen) act()
  }

  /** Sends a message. A client for which too much waits is dropped: it would not read a close frame either. */
  send(data: string | Uint8Array): void {
    if (!this.isOpen) return
    if (this.#frozen + (this.#peer.waiting?.() ?? 0) > MAX_WAITING_BYTES) {
      this.forceClose(1006, '')
      return
    }
    if (this.#isFrozen) this.#frozen += data.length
    this.#give(() => this.#peer.send(data))
  }

  /** Closes it; 1006 is no code that can be sent, but what a client sees when there was no close frame. */
  close(code: number, reason: string): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.#give(() => this.#end(code, reason))
  }

  /** Closes it at once, frozen or not. What waits in it is lost. */
  forceClose(code: number, reason: string): void {
    const wasFrozen = this.#isFrozen
    // A close that waits in a frozen connection has reached nobody.
    const isOver = !this.isOpen && !wasFrozen
    this.gone()
    if (isOver) return
    this.#end(code, reason)
    if (wasFrozen) this.#peer.pause?.(false)
  }

  /** The socket has gone. */
  gone(): void {
    this.isOpen = false
    this.#isFrozen = false
    this.#incoming = []
    this.#outgoing = []
    this.#frozen = 0
  }

  freeze(): void {
    if (this.#isFrozen || !this.isOpen) return
    this.#isFrozen = true
    this.#peer.pause?.(true)
  }

  thaw(): void {
    if (!this.#isFrozen) return
    this.#isFrozen = false
    this.#frozen = 0
    for (const act of this.#outgoing.splice(0)) act()
    for (const act of this.#incoming.splice(0)) this.take(act)
    this.#peer.pause?.(false)
  }

  #end(code: number, reason: string): void {
    if (code === 1006) this.#peer.terminate()
    else this.#peer.close(code, reason)
  }

  #give(act: () => void): void {
    if (this.#isFrozen) this.#outgoing.push(act)
    else act()
  }
}
