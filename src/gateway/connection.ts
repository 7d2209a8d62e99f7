import { setSafeTimeout } from '../abort'
import type { GatewaySession } from './dispatcher'
import type { GatewayWarningCode } from './events'
import { Heartbeat } from './heartbeat'
import type { GatewayConfig } from './options'
import type { DispatchFrame, GatewayCloseAction, GatewayFrame, GatewayProtocol } from './protocol'
import type { GatewaySocket, GatewaySocketEvent } from './socket'

/** Why a connection was lost, or could not be opened. */
export interface ConnectionEnd {
  /** In words. */
  readonly reason: string
  /** Code of the close frame, if the service sent one. */
  readonly closeCode?: number
  /** HTTP status with which the upgrade was refused, if the platform says. */
  readonly status?: number
  /** Code of the platform's error, such as `ECONNREFUSED`, if it has one. */
  readonly code?: string
}

/** Callbacks of a connection. None is called after the connection has ended. */
export interface ConnectionHandlers {
  onHello(): void
  /** `raw` is the frame as it came. */
  onDispatch(frame: DispatchFrame, raw: string | ArrayBuffer): void
  onInvalidSession(resumable: boolean): void
  onWarning(code: GatewayWarningCode, message: string): void
  /** Called with what the protocol says to do next, unless this side closed the connection. */
  onClose(end: ConnectionEnd, action: GatewayCloseAction): void
  onProtocolError(cause: unknown): void
}

/** How long opening the socket and the greeting may take. */
const GREETING_MS = 15_000
/** How long a socket may take to close. */
const CLOSE_MS = 1_000
/** The code to drop a connection with that is to be resumed; 1000 would end the session. */
const DROPPED = 4000
/** The shortest interval between heartbeats that a service may ask for. */
const MIN_HEARTBEAT_MS = 100

/** One socket's life, from opening to its end. */
export class Connection {
  /** From the greeting on. */
  heartbeat: Heartbeat | undefined
  readonly #socket: GatewaySocket
  readonly #protocol: GatewayProtocol
  readonly #maxFrameBytes: number
  readonly #session: GatewaySession
  readonly #handlers: ConnectionHandlers
  #cancelLimit = () => {}
  #closed = () => {}
  #isOpened = false
  #hasEnded = false
  /** What the platform said of an error. */
  #problem: Omit<ConnectionEnd, 'closeCode'> = { reason: '' }

  constructor(
    socket: GatewaySocket,
    { protocol, maxFrameBytes }: Pick<GatewayConfig, 'protocol' | 'maxFrameBytes'>,
    session: GatewaySession,
    handlers: ConnectionHandlers,
  ) {
    this.#socket = socket
    this.#protocol = protocol
    this.#maxFrameBytes = maxFrameBytes
    this.#session = session
    this.#handlers = handlers
    socket.binaryType = 'arraybuffer'
    socket.addEventListener('open', () => {
      this.#isOpened = true
    })
    socket.addEventListener('message', ({ data }) => this.#receive(data))
    // Never removed: `ws` throws an uncaught exception for an `error` event without a listener.
    socket.addEventListener('error', (event) => {
      this.#problem = problemOf(event)
      // Node 22 does not close what could not be opened. Elsewhere a close follows, before any timer.
      this.#cancelLimit()
      if (!this.#hasEnded) this.#cancelLimit = setSafeTimeout(0, () => this.#fail())
    })
    socket.addEventListener('close', ({ code = 1006, reason = '' }) => {
      this.#closed()
      if (!this.#isOpened) this.#fail()
      if (this.#hasEnded) return
      this.#stop()
      const asked = this.#ask(() => protocol.classifyClose(code))
      const why = reason ? `: ${reason}` : this.#problem.reason
      if (asked === undefined) return
      handlers.onClose({ ...this.#problem, reason: `closed with ${code}${why}`, closeCode: code }, asked.answer)
    })
    this.expect('the greeting', GREETING_MS)
  }

  /** Ends the connection unless `clearTimeLimit` is called in time. */
  expect(what: string, ms: number): void {
    this.#cancelLimit()
    this.#cancelLimit = setSafeTimeout(ms, () => this.#drop(`${what} did not come within ${ms} ms`))
  }

  clearTimeLimit(): void {
    this.#cancelLimit()
  }

  /** Sends the frame that `make` gives. */
  send(make: (protocol: GatewayProtocol) => unknown): void {
    if (this.#hasEnded) return
    const asked = this.#ask(() => this.#protocol.encode(make(this.#protocol)))
    try {
      if (asked !== undefined) this.#socket.send(asked.answer)
    } catch {
      this.#drop('the socket could not send')
    }
  }

  /** Drops the connection without calling `onClose`. */
  terminate(): void {
    this.#stop()
    this.#socket.close(DROPPED)
    this.#socket.terminate?.()
  }

  /** Closes the connection for good. Resolves when that is done, or has taken too long. */
  close(): Promise<void> {
    this.#stop()
    return new Promise((resolve) => {
      const cancel = setSafeTimeout(CLOSE_MS, () => {
        this.#socket.terminate?.()
        resolve()
      })
      this.#closed = () => {
        cancel()
        resolve()
      }
      this.#socket.close(1000)
    })
  }

  #receive(data: unknown): void {
    if (this.#hasEnded) return
    if (typeof data !== 'string' && !(data instanceof ArrayBuffer)) {
      this.#handlers.onWarning('malformed_frame', 'a message is neither text nor bytes')
      return
    }
    if (isLarger(data, this.#maxFrameBytes)) {
      const message = `a frame of more than ${this.#maxFrameBytes} bytes was dropped`
      this.#handlers.onWarning('frame_too_large', message)
      return
    }
    let frame: GatewayFrame
    try {
      frame = this.#protocol.decode(data)
    } catch {
      // What it says may quote what came.
      this.#handlers.onWarning('malformed_frame', 'what came is no frame of the protocol')
      return
    }
    switch (frame?.kind) {
      case 'dispatch':
        if (this.heartbeat !== undefined) this.#handlers.onDispatch(frame, data)
        else this.#handlers.onWarning('malformed_frame', 'an event before the greeting')
        break
      case 'heartbeatAck':
        this.heartbeat?.acknowledged()
        break
      case 'heartbeat':
        this.#beat()
        break
      case 'hello':
        this.#greet(frame.heartbeatIntervalMs)
        break
      case 'reconnect':
        this.#drop('the service asked to connect anew')
        break
      case 'invalidSession':
        this.#handlers.onInvalidSession(frame.resumable)
        break
      default:
        this.#handlers.onWarning('unknown_frame', 'a frame of a kind that the protocol does not know')
    }
  }

  #greet(intervalMs: number): void {
    if (!Number.isFinite(intervalMs) || intervalMs < MIN_HEARTBEAT_MS) {
      const message = `a greeting whose heartbeat interval is not at least ${MIN_HEARTBEAT_MS} ms`
      this.#handlers.onWarning('malformed_frame', message)
      return
    }
    // A second greeting changes nothing.
    if (this.heartbeat !== undefined) return
    this.heartbeat = new Heartbeat(
      intervalMs,
      () => this.#beat(),
      () => this.#drop('a heartbeat was not acknowledged'),
    )
    this.#handlers.onHello()
  }

  #beat(): void {
    this.send((protocol) => protocol.heartbeat(this.#session.sequence))
  }

  /** What the protocol says. If it throws, that ends the connection. */
  #ask<T>(ask: () => T): { readonly answer: T } | undefined {
    try {
      return { answer: ask() }
    } catch (cause) {
      this.terminate()
      this.#handlers.onProtocolError(cause)
      return undefined
    }
  }

  #drop(reason: string, details?: Omit<ConnectionEnd, 'reason'>): void {
    if (this.#hasEnded) return
    this.terminate()
    this.#handlers.onClose({ ...details, reason }, 'resume')
  }

  #fail(): void {
    const { reason, ...details } = this.#problem
    this.#drop(`the connection ${this.#isOpened ? 'failed' : 'could not be opened'}${reason}`, details)
  }

  #stop(): void {
    this.#hasEnded = true
    this.#cancelLimit()
    this.heartbeat?.stop()
  }
}

/** What `ws` says of an upgrade that was refused. Browsers say nothing. */
const REFUSED = /server response: (\d{3})$/

/** What an `error` event tells. Platforms differ: browsers tell nothing, `ws` tells all. */
function problemOf({ message = '', error }: GatewaySocketEvent): Omit<ConnectionEnd, 'closeCode'> {
  const code: unknown = Reflect.get(Object(error), 'code')
  // An error of several addresses has a code and no message.
  const words = message || (typeof code === 'string' ? code : '')
  const [, status] = REFUSED.exec(message) ?? []
  return {
    reason: words && `: ${words}`,
    ...(typeof code === 'string' && { code }),
    ...(status !== undefined && { status: Number(status) }),
  }
}

/** Whether a frame has more bytes than `limit`. Counts them only if the length of the string does not tell. */
function isLarger(data: string | ArrayBuffer, limit: number): boolean {
  if (typeof data !== 'string') return data.byteLength > limit
  if (data.length * 3 <= limit) return false
  let bytes = data.length
  for (let index = 0; index < data.length && bytes <= limit; index++) {
    const unit = data.charCodeAt(index)
    // In UTF-8 a half of a surrogate pair takes two bytes.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit & 0xf800) !== 0xd800 ? 2 : 1
  }
  return bytes > limit
}
