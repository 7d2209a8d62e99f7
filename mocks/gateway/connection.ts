// The mock's side of a socket, and the gateway sessions that outlive it.
import type { SessionRecord } from '../database'
import { FaultQueue } from '../faults/queue'
import { type Dispatch, dispatchFrame } from './protocol'

/** A client's socket, as an adapter passes it to the gateway. */
export interface GatewayPeer {
  /** Address that the client connected to. */
  readonly url: string
  /** Sends a message: a string, or bytes if a test sends them. */
  send(data: string | Uint8Array): void
  /** Closes the socket with a close frame. */
  close(code: number, reason: string): void
  /** Ends the socket without a close frame: the client sees code 1006. */
  terminate(): void
  /** Returns the number of bytes buffered because the client does not read, if the adapter knows it. */
  waiting?(): number
  /** Pauses or resumes reading from the socket, if the adapter can. */
  pause?(isPaused: boolean): void
  /** Answers the request of a connection that is then refused with an HTTP status, if the adapter can. */
  refuse?(status: number, body: string): void
}

/** Callbacks by which an adapter reports socket events to the gateway. */
export interface GatewayLink {
  /** The client sent a message. Anything but a string is an invalid frame. */
  receive(data: unknown): void
  /** The socket has closed, with this code. */
  closed(code: number): void
}

/** Maximum number of bytes buffered for a client that does not read: 16 MiB. The last message may exceed it. */
export const MAX_BUFFERED_BYTES = 2 ** 24

/**
 * One connection of a client. While frozen, it neither reads nor writes, as if the other end had vanished; messages in
 * both directions are buffered until it is unfrozen.
 */
export class Connection {
  /** The session that the client has identified or resumed. */
  session: GatewaySession | undefined
  /** ID of its session, or of the last one that it had. */
  sessionId: string | null = null
  /** Time of the last heartbeat, initially of the connect. */
  lastHeartbeat: number
  /** Time when an overdue heartbeat was requested. */
  requestedAt: number | undefined
  /** Whether the gateway has not closed it. */
  isOpen = true
  #isFrozen = false
  #incoming: (() => void)[] = []
  #outgoing: (() => void)[] = []
  /** Bytes sent since it was frozen. */
  #frozenBytes = 0
  readonly #peer: GatewayPeer
  readonly #onSent: (data: string | Uint8Array) => void

  /** @param onSent is called with each message when it is sent to the socket. */
  constructor(peer: GatewayPeer, now: number, onSent: (data: string | Uint8Array) => void) {
    this.#peer = peer
    this.#onSent = onSent
    this.lastHeartbeat = now
  }

  /** Address that the client connected to, without its query. */
  get url(): string {
    const { origin, pathname } = new URL(this.#peer.url)
    return origin + pathname
  }

  get isFrozen(): boolean {
    return this.#isFrozen
  }

  /** Runs the handler of a received message, or buffers it while frozen. */
  receive(handle: () => void): void {
    if (this.#isFrozen) this.#incoming.push(handle)
    else if (this.isOpen) handle()
  }

  /** Sends a message. Terminates the connection if too much is buffered: the client would not read a close frame. */
  send(data: string | Uint8Array): void {
    if (!this.isOpen) return
    if (this.#frozenBytes + (this.#peer.waiting?.() ?? 0) > MAX_BUFFERED_BYTES) {
      this.forceClose(1006, '')
      return
    }
    if (this.#isFrozen) this.#frozenBytes += data.length
    this.#write(() => {
      this.#onSent(data)
      this.#peer.send(data)
    })
  }

  /** Closes the connection; with 1006 there is no close frame. */
  close(code: number, reason: string): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.#write(() => this.#end(code, reason))
  }

  /** Closes the connection at once, frozen or not. Buffered messages are lost. */
  forceClose(code: number, reason: string): void {
    const wasFrozen = this.#isFrozen
    // A close frame that is buffered in a frozen connection has not been sent.
    const isOver = !this.isOpen && !wasFrozen
    this.markClosed()
    if (isOver) return
    this.#end(code, reason)
    if (wasFrozen) this.#peer.pause?.(false)
  }

  /** Marks the connection as closed, after its socket has closed. */
  markClosed(): void {
    this.isOpen = false
    this.#isFrozen = false
    this.#incoming = []
    this.#outgoing = []
    this.#frozenBytes = 0
  }

  freeze(): void {
    if (this.#isFrozen || !this.isOpen) return
    this.#isFrozen = true
    this.#peer.pause?.(true)
  }

  unfreeze(): void {
    if (!this.#isFrozen) return
    this.#isFrozen = false
    this.#frozenBytes = 0
    for (const send of this.#outgoing.splice(0)) send()
    for (const handle of this.#incoming.splice(0)) this.receive(handle)
    this.#peer.pause?.(false)
  }

  #end(code: number, reason: string): void {
    if (code === 1006) this.#peer.terminate()
    else this.#peer.close(code, reason)
  }

  #write(send: () => void): void {
    if (this.#isFrozen) this.#outgoing.push(send)
    else send()
  }
}

/** Wire name of the event that follows the missed events after a resume. */
const RESUMED = 'RESUMED'

/** A gateway session: the events of one client across its successive connections. */
export class GatewaySession {
  readonly id: string
  /** Authentication session of the client. */
  readonly auth: SessionRecord
  /** Sequence number of the last event. */
  sequence = 0
  /** Time when it lost its connection; `undefined` while connected. */
  detachedAt: number | undefined
  #connection: Connection | undefined
  #buffer: Dispatch[] = []
  /** Number of events that can be replayed; the last one is kept in any case. */
  readonly #replayLimit: number

  constructor(id: string, auth: SessionRecord, replayLimit: number) {
    this.id = id
    this.auth = auth
    this.#replayLimit = replayLimit
  }

  get connection(): Connection | undefined {
    return this.#connection
  }

  attach(connection: Connection): void {
    this.#connection = connection
    this.detachedAt = undefined
    connection.session = this
    connection.sessionId = this.id
  }

  detach(now: number): void {
    if (this.#connection !== undefined) this.#connection.session = undefined
    this.#connection = undefined
    this.detachedAt = now
  }

  /** Numbers an event, buffers it and sends it `times` times. */
  dispatch(name: string, data: unknown, times = 1): void {
    this.#push(name, JSON.stringify(data ?? null), times)
  }

  /** Sends the last event again, unchanged. @returns whether there was an event and a connection. */
  resendLast(): boolean {
    const last = this.#buffer.at(-1)
    if (last === undefined || this.#connection === undefined) return false
    this.#connection.send(dispatchFrame(last))
    return true
  }

  /** Whether all events after a sequence number are still buffered. */
  canReplayFrom(sequence: number): boolean {
    return sequence >= this.sequence - this.#replayLimit
  }

  /**
   * Sends the events after a sequence number again, then `RESUMED`. They are renumbered, because a `RESUMED` of an
   * earlier resume among them is left out.
   */
  replay(sequence: number): void {
    const missed = this.#buffer.filter((event) => event.sequence > sequence && event.name !== RESUMED)
    this.#buffer = this.#buffer.filter((event) => event.sequence <= sequence)
    this.sequence = sequence
    for (const { name, data } of missed) this.#push(name, data)
    this.dispatch(RESUMED, {})
  }

  #push(name: string, data: string, times = 1): void {
    this.sequence += 1
    const event: Dispatch = { sequence: this.sequence, name, data }
    this.#buffer.push(event)
    // Trim in batches: trimming on every event would copy the array each time.
    const excess = this.#buffer.length - Math.max(1, this.#replayLimit)
    if (excess > this.#replayLimit) this.#buffer.splice(0, excess)
    for (let count = 0; count < times; count++) this.#connection?.send(dispatchFrame(event))
  }
}

/** Effect of a gateway fault on a connection. */
export type GatewayEffect =
  | { readonly kind: 'freeze' | 'reconnect' | 'duplicate' }
  /** HTTP status and JSON body of the answer; `null` for none. */
  | { readonly kind: 'refuse'; readonly status: number | null; readonly body: unknown }
  | { readonly kind: 'drop'; readonly code: number; readonly reason: string }
  | { readonly kind: 'invalid_session'; readonly resumable: boolean }

/** When a gateway fault applies: `connect` is before Hello, `event` is when an event is sent to a session. */
export type GatewayMoment = 'connect' | 'identify' | 'resume' | 'event'

/** A gateway fault that is set, as plain data for a snapshot. */
export interface PendingGatewayFault {
  /** Identifies the fault. */
  readonly id: number
  /** Effect on the connection. */
  readonly effect: GatewayEffect
  /** When it applies. */
  readonly at: readonly GatewayMoment[]
  /** ID of the user whose clients it affects; `null` for all. */
  readonly user: string | null
  /** Number of times it still applies; `null` for every time. */
  readonly left: number | null
  /** Number of times it still lets pass. */
  readonly after: number
}

export interface FaultOccasion {
  readonly moment: GatewayMoment
  readonly user: string | undefined
  readonly connection: Connection | undefined
}

export type GatewayFaultQueue = FaultQueue<Pick<PendingGatewayFault, 'effect' | 'at' | 'user'>, FaultOccasion>

export function createGatewayFaultQueue(): GatewayFaultQueue {
  return new FaultQueue(({ at, user: wanted }) => ({ moment, user }) => {
    return at.includes(moment) && (wanted === null || wanted === user)
  })
}
