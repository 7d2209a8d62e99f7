import type { GatewaySocket, GatewaySocketEvent } from 'rapport-sdk'
import { createGatewayClient, type Frame, READY } from './gateway-server'

type Listener = (event: GatewaySocketEvent) => void

/** The WebSocket of a browser without a network, for tests with fake timers. */
export class ScriptedSocket implements GatewaySocket {
  /** All sockets that were opened, in order. */
  static sockets: ScriptedSocket[] = []
  /** Called with each new socket. */
  static script: (socket: ScriptedSocket) => void = () => {}

  binaryType = 'blob'
  readonly url: string
  readonly sent: Frame[] = []
  /** Whether the service acknowledges heartbeats. */
  acknowledges = true
  /** Whether `close()` leads to a close event. */
  closes = true
  isClosed = false
  readonly closeCodes: (number | undefined)[] = []
  readonly #listeners: [string, Listener][] = []

  constructor(url: string) {
    this.url = url
    ScriptedSocket.sockets.push(this)
    ScriptedSocket.script(this)
  }

  static reset(script: (socket: ScriptedSocket) => void = () => {}): void {
    ScriptedSocket.sockets = []
    ScriptedSocket.script = script
  }

  static get last(): ScriptedSocket {
    const socket = ScriptedSocket.sockets.at(-1)
    if (socket === undefined) throw new Error('no socket was opened')
    return socket
  }

  get listenerCount(): number {
    return this.#listeners.length
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.push([type, listener])
  }

  send(data: string | ArrayBuffer): void {
    const frame: Frame = JSON.parse(String(data))
    this.sent.push(frame)
    if (frame.op === 1 && this.acknowledges) this.receive({ op: 11 })
    if (frame.op === 2) this.receive({ op: 0, t: 'READY', s: 1, d: READY })
    if (frame.op === 6) this.receive({ op: 0, t: 'RESUMED', s: null, d: {} })
  }

  close(code?: number): void {
    this.closeCodes.push(code)
    if (this.closes) queueMicrotask(() => this.emit('close', { code }))
  }

  /** Emits an event of the socket to the client. */
  emit(type: string, event: object = {}): void {
    if (type === 'close') this.isClosed = true
    for (const [kind, listener] of this.#listeners) if (kind === type) listener({ type, ...event })
  }

  receive(frame: Frame): void {
    this.emit('message', { data: JSON.stringify(frame) })
  }

  /** Opens and sends Hello. */
  open(heartbeatMs = 45_000): void {
    this.emit('open')
    this.receive({ op: 10, d: { heartbeat_interval: heartbeatMs } })
  }

  sentOf(op: number): Frame[] {
    return this.sent.filter((frame) => frame.op === op)
  }
}

/** A script of sockets that cannot be opened. */
export function refuse(socket: ScriptedSocket): void {
  queueMicrotask(() => socket.emit('close', { code: 1006 }))
}

/** Returns a script of sockets that open at once and follow the protocol. */
export function behaving(heartbeatMs = 45_000): (socket: ScriptedSocket) => void {
  return (socket) => queueMicrotask(() => socket.open(heartbeatMs))
}

/** Starts to connect a gateway over scripted sockets, and records its warnings and the delays of its backoff. */
export function connectScripted(backoff = {}) {
  const { gateway } = createGatewayClient(
    { url: 'wss://gateway.example' },
    { gateway: { WebSocket: ScriptedSocket, backoff } },
  )
  const delays: number[] = []
  const warnings: string[] = []
  gateway.on('warning', ({ code }) => warnings.push(code))
  gateway.on('stateChange', ({ delayMs }) => {
    if (delayMs !== undefined) delays.push(delayMs)
  })
  gateway.connect().catch(() => {})
  return { gateway, delays, warnings }
}
