import type { SessionRecord } from '../database'
import { type Dispatch, dispatchFrame } from './protocol'

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

  resume(): void {
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

/** A client's socket, as a door hands it to the gateway. */
export interface GatewayPeer {
  /** The address that the client connected to. */
  readonly url: string
  /** Sends a message: a text, or bytes where a test asked for them. */
  send(data: string | Uint8Array): void
  /** Closes the socket with a close frame. */
  close(code: number, reason: string): void
  /** Ends the socket without one: to the client it closed with 1006. */
  terminate(): void
  /** Tells how many bytes wait because the client does not read; a door that cannot tell is not asked. */
  waiting?(): number
  /** Stops reading from the socket, or goes on; a door that cannot is not asked to. */
  pause?(isPaused: boolean): void
}

/** What a door tells the gateway of a socket. */
export interface GatewayLink {
  /** The client sent a message. Anything but a text is no frame. */
  receive(data: unknown): void
  /** The socket has closed, with this code. */
  closed(code: number): void
}

/** What a client is told once it has resumed, beside the events it missed. */
const RESUMED = 'RESUMED'

/** A gateway session: the events of one client, across the connections that it has one after another. */
export class GatewaySession {
  readonly id: string
  /** The authentication session that it belongs to. */
  readonly auth: SessionRecord
  /** The number of its last event. */
  sequence = 0
  /** When it lost its connection; `undefined` while it has one. */
  detachedAt: number | undefined
  #connection: Connection | undefined
  #kept: Dispatch[] = []
  /** How many events can be sent again; the last one is kept in any case. */
  readonly #limit: number

  constructor(id: string, auth: SessionRecord, replayLimit: number) {
    this.id = id
    this.auth = auth
    this.#limit = replayLimit
  }

  get connection(): Connection | undefined {
    return this.#connection
  }

  attach(connection: Connection): void {
    this.#connection = connection
    this.detachedAt = undefined
    connection.session = this
  }

  detach(now: number): void {
    if (this.#connection !== undefined) this.#connection.session = undefined
    this.#connection = undefined
    this.detachedAt = now
  }

  /** Numbers an event, keeps it and sends it, as often as `times` says. */
  dispatch(name: string, data: unknown, times = 1): void {
    this.#push(name, JSON.stringify(data ?? null), times)
  }

  /** Sends the last event again, as it was. @returns whether there was one to send and somebody to send it to. */
  repeat(): boolean {
    const last = this.#kept.at(-1)
    if (last === undefined || this.#connection === undefined) return false
    this.#connection.send(dispatchFrame(last))
    return true
  }

  /** Whether all that came after an event is still kept. */
  remembers(sequence: number): boolean {
    return sequence >= this.sequence - this.#limit
  }

  /**
   * Sends what came after an event once more, then that all is told. What the client has not seen is numbered anew,
   * since a word of an earlier resume may be among it, which says nothing now.
   */
  replay(sequence: number): void {
    const missed = this.#kept.filter((event) => event.sequence > sequence && event.name !== RESUMED)
    this.#kept = this.#kept.filter((event) => event.sequence <= sequence)
    this.sequence = sequence
    for (const { name, data } of missed) this.#push(name, data)
    this.dispatch(RESUMED, {})
  }

  #push(name: string, data: string, times = 1): void {
    this.sequence += 1
    const event: Dispatch = { sequence: this.sequence, name, data }
    this.#kept.push(event)
    // In steps rather than one by one: a session of many events is not to copy its list for each.
    const excess = this.#kept.length - Math.max(1, this.#limit)
    if (excess > this.#limit) this.#kept.splice(0, excess)
    for (let count = 0; count < times; count++) this.#connection?.send(dispatchFrame(event))
  }
}
