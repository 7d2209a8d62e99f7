// Frames, the mock's side of a socket, and the gateway sessions that outlive it.
import type { SessionRecord } from '../database'
import { FaultQueue } from '../faults/queue'
import { parseBody } from '../request'

/**
 * Opcodes. The API document shows no frames: these numbers, like all that the mock sends and parses, follow common industry
 * practice.
 */
export const Op = {
  DISPATCH: 0,
  HEARTBEAT: 1,
  IDENTIFY: 2,
  RESUME: 6,
  RECONNECT: 7,
  INVALID_SESSION: 9,
  HELLO: 10,
  HEARTBEAT_ACK: 11,
} as const

export function frame(op: number, d: unknown = null): string {
  return JSON.stringify({ op, d, s: null, t: null })
}

/** An event with its sequence number; `data` is its payload as JSON. */
export interface Dispatch {
  readonly sequence: number
  readonly name: string
  readonly data: string
}

export function dispatchFrame({ sequence, name, data }: Dispatch): string {
  return `{"op":${Op.DISPATCH},"d":${data},"s":${sequence},"t":${JSON.stringify(name)}}`
}

export type ClientFrame =
  | { readonly kind: 'heartbeat' | 'unknown' | 'malformed' }
  | { readonly kind: 'identify'; readonly token: string }
  | { readonly kind: 'resume'; readonly token: string; readonly sessionId: string; readonly sequence: number }

const malformed: ClientFrame = { kind: 'malformed' }

/** Parses a frame of a client; anything but a string is malformed. */
export function parseFrame(sent: unknown): ClientFrame {
  const body = typeof sent === 'string' ? parseBody(sent) : undefined
  const { op, d } = fieldsOf(body?.kind === 'value' ? body.value : undefined)
  if (op === Op.HEARTBEAT) return { kind: 'heartbeat' }
  if (op === Op.IDENTIFY) return identifyFrame(fieldsOf(d))
  if (op === Op.RESUME) return resumeFrame(fieldsOf(d))
  return typeof op === 'number' ? { kind: 'unknown' } : malformed
}

function identifyFrame({ token }: Fields): ClientFrame {
  return typeof token === 'string' ? { kind: 'identify', token } : malformed
}

function resumeFrame({ token, session_id, seq }: Fields): ClientFrame {
  if (typeof token !== 'string' || typeof session_id !== 'string') return malformed
  return typeof seq === 'number' && Number.isSafeInteger(seq)
    ? { kind: 'resume', token, sessionId: session_id, sequence: seq }
    : malformed
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** Path of the gateway below the service's base URL; a convention, since the document shows none. */
const PATH = '/gateway'

const pathBelow = (baseUrl: URL): string => baseUrl.pathname.replace(/\/$/, '') + PATH

export function gatewayUrl(baseUrl: URL): string {
  return `${baseUrl.protocol === 'http:' ? 'ws' : 'wss'}://${baseUrl.host}${pathBelow(baseUrl)}`
}

/** Whether a path is the gateway's or below it, as a resume URL may be. */
export function isGatewayPath(baseUrl: URL, pathname: string): boolean {
  return pathname === pathBelow(baseUrl) || pathname.startsWith(`${pathBelow(baseUrl)}/`)
}

/** Whether a server can close with a code; includes 1006, which closes without a close frame. */
export function isCloseCode(code: number): boolean {
  const isProtocols = code >= 1000 && code <= 1014 && code !== 1004 && code !== 1005
  return Number.isInteger(code) && (isProtocols || (code >= 3000 && code <= 4999))
}

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
  /** Time when an overdue heartbeat was requested. */
  requestedAt: number | undefined
  /** Whether the gateway has not closed it. */
  isOpen = true
  #isFrozen = false
  #incoming: (() => void)[] = []
  #outgoing: (() => void)[] = []
  /** Bytes sent since it was frozen. */
  #frozenBytes = 0

  /**
   * @param lastHeartbeat Time of the last heartbeat, initially of the connect.
   * @param onSent is called with each message when it is sent to the socket.
   */
  constructor(
    private readonly peer: GatewayPeer,
    public lastHeartbeat: number,
    private readonly onSent: (data: string | Uint8Array) => void,
  ) {}

  /** Address that the client connected to, without its query. */
  get url(): string {
    const { origin, pathname } = new URL(this.peer.url)
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
    if (this.#frozenBytes + (this.peer.waiting?.() ?? 0) > MAX_BUFFERED_BYTES) {
      this.forceClose(1006, '')
      return
    }
    if (this.#isFrozen) this.#frozenBytes += data.length
    this.#write(() => {
      this.onSent(data)
      this.peer.send(data)
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
    if (wasFrozen) this.peer.pause?.(false)
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
    this.peer.pause?.(true)
  }

  unfreeze(): void {
    if (!this.#isFrozen) return
    this.#isFrozen = false
    this.#frozenBytes = 0
    for (const send of this.#outgoing.splice(0)) send()
    for (const handle of this.#incoming.splice(0)) this.receive(handle)
    this.peer.pause?.(false)
  }

  #end(code: number, reason: string): void {
    if (code === 1006) this.peer.terminate()
    else this.peer.close(code, reason)
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
  /** Sequence number of the last event. */
  sequence = 0
  /** Time when it lost its connection; `undefined` while connected. */
  detachedAt: number | undefined
  #connection: Connection | undefined
  #buffer: Dispatch[] = []

  /**
   * @param auth Authentication session of the client.
   * @param replayLimit Number of events that can be replayed; the last one is kept in any case.
   */
  constructor(
    readonly id: string,
    public auth: SessionRecord,
    private readonly replayLimit: number,
  ) {}

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
    return sequence >= this.sequence - this.replayLimit
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
    if (this.#buffer.length > Math.max(1, this.replayLimit)) this.#buffer.shift()
    for (let count = 0; count < times; count++) this.#connection?.send(dispatchFrame(event))
  }
}

/** Effect of a gateway fault on a connection. */
export interface GatewayEffect {
  /** What happens. */
  readonly kind: 'freeze' | 'reconnect' | 'duplicate' | 'refuse' | 'drop' | 'invalid_session'
  /** HTTP status of the answer that refuses a connection; `null` for none. */
  readonly status?: number | null
  /** Its body, as JSON. */
  readonly body?: unknown
  /** Close code of `drop`. */
  readonly code?: number
  /** Whether an invalid session can be resumed. */
  readonly resumable?: boolean
}

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
