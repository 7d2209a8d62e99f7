import { after } from '../transport/timer'
import type { GatewaySession } from './gateway-session'
import { Heartbeat } from './heartbeat'
import type { DispatchFrame, GatewayCloseAction, GatewayFrame, GatewayProtocol } from './protocol'
import type { GatewaySocket } from './socket'
import type { GatewayWarningCode } from './warning'

/** How a connection ended. */
export interface ConnectionEnd {
  /** In words. */
  readonly reason: string
  /** The close code, where the service has closed it. */
  readonly closeCode?: number
}

/** Whom a connection tells. Once it has ended, or was dropped, it tells nothing more. */
export interface ConnectionOwner {
  greeted(): void
  dispatched(frame: DispatchFrame): void
  invalidated(resumable: boolean): void
  warned(code: GatewayWarningCode, message: string): void
  /** It has ended by itself, whichever way; the protocol says what to do. */
  ended(end: ConnectionEnd, action: GatewayCloseAction): void
  /** The protocol threw. */
  broke(cause: unknown): void
}

/** How long opening the socket and the greeting may take. */
const GREETING_MS = 15_000
/** How long a socket may take to close. */
const CLOSE_MS = 1_000
/** The code to drop a connection with that is to be resumed; 1000 would end the session. */
const DROPPED = 4000

/** One socket's life, from opening to its end. */
export class Connection {
  /** From the greeting on. */
  heartbeat: Heartbeat | undefined
  readonly #socket: GatewaySocket
  readonly #protocol: GatewayProtocol
  readonly #session: GatewaySession
  readonly #owner: ConnectionOwner
  #cancelLimit = () => {}
  #closed = () => {}
  #isOpened = false
  #hasEnded = false
  #problem = ''

  constructor(socket: GatewaySocket, protocol: GatewayProtocol, session: GatewaySession, owner: ConnectionOwner) {
    this.#socket = socket
    this.#protocol = protocol
    this.#session = session
    this.#owner = owner
    socket.binaryType = 'arraybuffer'
    socket.addEventListener('open', () => {
      this.#isOpened = true
    })
    socket.addEventListener('message', ({ data }) => this.#receive(data))
    // This one stays for good: a socket of `ws` that fails with nobody listening ends the process.
    socket.addEventListener('error', ({ message }) => {
      this.#problem = message ? `: ${message}` : ''
      // Node 22 does not close what could not be opened. Elsewhere a close follows, before any timer.
      this.#cancelLimit()
      if (!this.#hasEnded) this.#cancelLimit = after(0, () => this.#fail())
    })
    socket.addEventListener('close', ({ code = 1006, reason = '' }) => {
      this.#closed()
      if (!this.#isOpened) this.#fail()
      if (this.#hasEnded) return
      this.#stop()
      const asked = this.#ask(() => protocol.classifyClose(code))
      const why = `closed with ${code}${reason ? `: ${reason}` : this.#problem}`
      if (asked !== undefined) owner.ended({ reason: why, closeCode: code }, asked.answer)
    })
    this.expect('the greeting', GREETING_MS)
  }

  /** Ends the connection unless `settled` is called in time. */
  expect(what: string, ms: number): void {
    this.#cancelLimit()
    this.#cancelLimit = after(ms, () => this.#drop(`${what} did not come within ${ms} ms`))
  }

  settled(): void {
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

  /** Drops the connection without a word to its owner. */
  abandon(): void {
    this.#stop()
    this.#socket.close(DROPPED)
    this.#socket.terminate?.()
  }

  /** Closes the connection for good. Resolves when that is done, or has taken too long. */
  close(): Promise<void> {
    this.#stop()
    return new Promise((resolve) => {
      const cancel = after(CLOSE_MS, () => {
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
    let frame: GatewayFrame
    try {
      if (typeof data !== 'string' && !(data instanceof ArrayBuffer)) throw new TypeError('expected text or bytes')
      frame = this.#protocol.decode(data)
    } catch {
      // What it says may quote what came.
      this.#owner.warned('malformed_frame', 'what came is no frame of the protocol')
      return
    }
    switch (frame?.kind) {
      case 'dispatch':
        if (this.heartbeat !== undefined) this.#owner.dispatched(frame)
        else this.#owner.warned('malformed_frame', 'an event before the greeting')
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
        this.#owner.invalidated(frame.resumable)
        break
      default:
        this.#owner.warned('unknown_frame', 'a frame of a kind that the protocol does not know')
    }
  }

  #greet(intervalMs: number): void {
    if (!(intervalMs > 0)) {
      this.#owner.warned('malformed_frame', 'a greeting without an interval for heartbeats')
      return
    }
    // A second greeting changes nothing.
    if (this.heartbeat !== undefined) return
    this.heartbeat = new Heartbeat(
      intervalMs,
      () => this.#beat(),
      () => this.#drop('a heartbeat was not acknowledged'),
    )
    this.#owner.greeted()
  }

  #beat(): void {
    this.send((protocol) => protocol.heartbeat(this.#session.sequence))
  }

  /** What the protocol says. If it throws, that ends the connection. */
  #ask<T>(ask: () => T): { readonly answer: T } | undefined {
    try {
      return { answer: ask() }
    } catch (cause) {
      this.abandon()
      this.#owner.broke(cause)
      return undefined
    }
  }

  #drop(reason: string): void {
    if (this.#hasEnded) return
    this.abandon()
    this.#owner.ended({ reason }, 'resume')
  }

  #fail(): void {
    this.#drop(`it ${this.#isOpened ? 'failed' : 'could not be opened'}${this.#problem}`)
  }

  #stop(): void {
    this.#hasEnded = true
    this.#cancelLimit()
    this.heartbeat?.stop()
  }
}
