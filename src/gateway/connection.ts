// One connection: opens the socket, sends heartbeats, parses frames. `connection-manager.ts` reconnects.
import { setSafeTimeout } from '../abort'
import { readRetryAfter } from '../transport/response'
import type { Dispatcher, GatewaySession } from './dispatcher'
import type { GatewayWarningCode } from './events'
import { Heartbeat } from './heartbeat'
import type { GatewayCloseAction, GatewayFrame, GatewayProtocol } from './protocol'
import type { GatewaySocket, GatewaySocketEvent } from './socket'

/** Why a connection was lost or could not be opened. */
export interface ConnectionFailure {
  /** Description for people. */
  readonly reason: string
  /** Code of the close frame, if the service sent one. */
  readonly closeCode?: number
  /** HTTP status of the rejected upgrade, if the platform reports it. */
  readonly status?: number
  /** Code of the platform's error, such as `ECONNREFUSED`, if it has one. */
  readonly code?: string
  /** `Retry-After` of the rejected upgrade in milliseconds, if the platform reports it. */
  readonly retryAfterMs?: number
}

/** Callbacks of a connection. None is called after the connection has closed. */
export interface ConnectionHandlers {
  onHello(): void
  onInvalidSession(resumable: boolean): void
  onWarning(code: GatewayWarningCode, message: string): void
  /** Called unless this side closed the connection; `action` is the protocol's classification. */
  onClose(failure: ConnectionFailure, action: GatewayCloseAction): void
  /** A function of the protocol threw. */
  onProtocolError(cause: unknown): void
}

/** Maximum time to open the socket and receive Hello, in milliseconds. */
const HELLO_TIMEOUT_MS = 15_000
/** Maximum time to close a socket, in milliseconds. */
const CLOSE_TIMEOUT_MS = 1_000
/** Close code for a connection that will be resumed; 1000 would end the session. */
const RESUMABLE_CLOSE_CODE = 4000
/** Minimum heartbeat interval that a service may request, in milliseconds. */
const MIN_HEARTBEAT_MS = 100

/** One socket, from opening to closing. */
export class Connection {
  /** Set by Hello. */
  heartbeat: Heartbeat | undefined
  readonly #socket: GatewaySocket
  readonly #protocol: GatewayProtocol
  readonly #session: GatewaySession
  readonly #dispatcher: Dispatcher
  readonly #handlers: ConnectionHandlers
  #cancelTimeLimit = () => {}
  #onClosed = () => {}
  #isOpened = false
  #hasEnded = false
  /** Details of the last `error` event; `reason` is empty or starts with a colon. */
  #socketError: SocketError = { reason: '' }

  constructor(
    socket: GatewaySocket,
    protocol: GatewayProtocol,
    session: GatewaySession,
    dispatcher: Dispatcher,
    handlers: ConnectionHandlers,
  ) {
    this.#socket = socket
    this.#protocol = protocol
    this.#session = session
    this.#dispatcher = dispatcher
    this.#handlers = handlers
    socket.binaryType = 'arraybuffer'
    socket.addEventListener('open', () => {
      this.#isOpened = true
    })
    socket.addEventListener('message', ({ data }) => this.#receive(data))
    // Never removed: `ws` throws an uncaught exception for an `error` event without a listener.
    socket.addEventListener('error', (event) => {
      this.#socketError = parseErrorEvent(event)
      // Node 22 emits no `close` if the socket could not be opened. Other platforms emit it before any timer fires.
      this.#cancelTimeLimit()
      if (!this.#hasEnded) this.#cancelTimeLimit = setSafeTimeout(0, () => this.#fail())
    })
    socket.addEventListener('close', ({ code = 1006, reason = '' }) => {
      this.#onClosed()
      if (!this.#isOpened) this.#fail()
      if (this.#hasEnded) return
      this.#stop()
      const called = this.#callProtocol(() => protocol.classifyClose(code))
      if (called === undefined) return
      const details = reason ? `: ${reason}` : this.#socketError.reason
      const failure = { ...this.#socketError, reason: `closed with ${code}${details}`, closeCode: code }
      handlers.onClose(failure, called.result)
    })
    // Only `ws` has it. Nothing else reports the headers of a rejected upgrade.
    const { on }: { readonly on?: unknown } = Object(socket)
    if (typeof on === 'function')
      Reflect.apply(on, socket, ['unexpected-response', (_: unknown, response: unknown) => this.#onRejected(response)])
    this.startTimeLimit('Hello', HELLO_TIMEOUT_MS)
  }

  /** Drops the connection after `ms` unless `clearTimeLimit` is called before. */
  startTimeLimit(frame: string, ms: number): void {
    this.#cancelTimeLimit()
    this.#cancelTimeLimit = setSafeTimeout(ms, () => this.#drop(`${frame} was not received within ${ms} ms`))
  }

  clearTimeLimit(): void {
    this.#cancelTimeLimit()
  }

  /** Sends the frame that `createFrame` returns. */
  send(createFrame: (protocol: GatewayProtocol) => unknown): void {
    if (this.#hasEnded) return
    const called = this.#callProtocol(() => this.#protocol.encode(createFrame(this.#protocol)))
    try {
      if (called !== undefined) this.#socket.send(called.result)
    } catch {
      this.#drop('the socket failed to send')
    }
  }

  /** Closes the socket without calling `onClose`. */
  terminate(): void {
    this.#stop()
    this.#socket.close(RESUMABLE_CLOSE_CODE)
    this.#socket.terminate?.()
  }

  /** Closes the connection and ends its session. Resolves when the socket has closed, after one second at the latest. */
  close(): Promise<void> {
    this.#stop()
    return new Promise((resolve) => {
      const cancel = setSafeTimeout(CLOSE_TIMEOUT_MS, () => {
        this.#socket.terminate?.()
        resolve()
      })
      this.#onClosed = () => {
        cancel()
        resolve()
      }
      this.#socket.close(1000)
    })
  }

  #receive(data: unknown): void {
    if (this.#hasEnded) return
    if (typeof data !== 'string' && !(data instanceof ArrayBuffer)) {
      this.#handlers.onWarning('malformed_frame', 'received a message that is neither a string nor an ArrayBuffer')
      return
    }
    let frame: GatewayFrame
    try {
      frame = this.#protocol.decode(data)
    } catch {
      // Without the error: its message may quote the frame.
      this.#handlers.onWarning('malformed_frame', 'received an invalid frame')
      return
    }
    switch (frame?.kind) {
      case 'dispatch':
        if (this.heartbeat !== undefined) this.#dispatcher.handle(frame, data)
        else this.#handlers.onWarning('malformed_frame', 'received an event before Hello')
        break
      case 'heartbeatAck':
        this.heartbeat?.acknowledge()
        break
      case 'heartbeat':
        this.#sendHeartbeat()
        break
      case 'hello':
        this.#onHello(frame.heartbeatIntervalMs)
        break
      case 'reconnect':
        this.#drop('the service requested a reconnect')
        break
      case 'invalidSession':
        this.#handlers.onInvalidSession(frame.resumable)
        break
      default:
        this.#handlers.onWarning('unknown_frame', 'received a frame of an unknown kind')
    }
  }

  #onHello(intervalMs: number): void {
    if (!Number.isFinite(intervalMs) || intervalMs < MIN_HEARTBEAT_MS) {
      const message = `received a Hello without a heartbeat interval of at least ${MIN_HEARTBEAT_MS} ms`
      this.#handlers.onWarning('malformed_frame', message)
      return
    }
    // Ignore a second Hello.
    if (this.heartbeat !== undefined) return
    this.heartbeat = new Heartbeat(
      intervalMs,
      () => this.#sendHeartbeat(),
      () => this.#drop('a heartbeat was not acknowledged'),
    )
    this.#handlers.onHello()
  }

  #sendHeartbeat(): void {
    this.send((protocol) => protocol.heartbeat(this.#session.sequence))
  }

  /** Calls the protocol. If it throws, terminates the connection and returns `undefined`. */
  #callProtocol<T>(call: () => T): { readonly result: T } | undefined {
    try {
      return { result: call() }
    } catch (cause) {
      this.terminate()
      this.#handlers.onProtocolError(cause)
      return undefined
    }
  }

  #drop(reason: string, details?: Omit<ConnectionFailure, 'reason'>): void {
    if (this.#hasEnded) return
    this.terminate()
    this.#handlers.onClose({ ...details, reason }, 'resume')
  }

  #onRejected(response: unknown): void {
    const { statusCode, headers }: { readonly statusCode?: unknown; readonly headers?: unknown } = Object(response)
    const { 'retry-after': after, date }: { readonly 'retry-after'?: unknown; readonly date?: unknown } =
      Object(headers)
    const retryAfterMs = readRetryAfter(new Headers({ 'retry-after': String(after ?? ''), date: String(date ?? '') }))
    const status = Number(statusCode)
    const reason = `: Unexpected server response: ${status}`
    this.#socketError = { reason, status, ...(retryAfterMs !== undefined && { retryAfterMs }) }
    this.#fail()
  }

  #fail(): void {
    const { reason, ...details } = this.#socketError
    this.#drop(`the connection ${this.#isOpened ? 'failed' : 'could not be opened'}${reason}`, details)
  }

  #stop(): void {
    this.#hasEnded = true
    this.#cancelTimeLimit()
    this.heartbeat?.stop()
  }
}

type SocketError = Omit<ConnectionFailure, 'closeCode'>

/** Reads the details of an `error` event. Browsers provide none, `ws` provides all. */
function parseErrorEvent({ message = '', error }: GatewaySocketEvent): SocketError {
  const code: unknown = Reflect.get(Object(error), 'code')
  // The AggregateError of several addresses has a code, but no message.
  const description = message || (typeof code === 'string' ? code : '')
  return { reason: description && `: ${description}`, ...(typeof code === 'string' && { code }) }
}
