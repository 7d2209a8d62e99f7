import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { Client, type ClientOptions, type Gateway, type GatewayOptions } from 'rapport-sdk'
import { onTestFinished, vi } from 'vitest'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { PATIENCE_MS } from '../patience'

/** A frame of the default protocol. */
export interface Frame {
  readonly op: number
  readonly d?: unknown
  readonly s?: number | null
  readonly t?: string | null
}

export const TOKEN = 'the-token-of-ada'
export const READY = { auth_session_id_hash: 'hash-1', session_id: 'session-1' }

/** One connection, from the side of the service. */
export class Peer {
  readonly frames: Frame[] = []
  /** Path and query of the handshake. */
  readonly path: string
  closeCode: number | undefined
  readonly socket: WebSocket
  readonly #stream: Duplex

  constructor(socket: WebSocket, stream: Duplex, path: string) {
    this.socket = socket
    this.path = path
    this.#stream = stream
    socket.on('close', (code) => {
      this.closeCode = code
    })
    socket.on('error', () => {})
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN
  }

  send(frame: Frame): this {
    return this.raw(JSON.stringify(frame))
  }

  raw(data: string | Uint8Array): this {
    this.socket.send(data)
    return this
  }

  hello(heartbeatMs = 45_000): this {
    return this.send({ op: 10, d: { heartbeat_interval: heartbeatMs } })
  }

  dispatch(type: string, data: unknown, sequence: number | null = null): this {
    return this.send({ op: 0, t: type, d: data, s: sequence })
  }

  ready(data: object = READY, sequence = 1): this {
    return this.dispatch('READY', data, sequence)
  }

  /** Returns the frames received of one operation. */
  received(op: number): Frame[] {
    return this.frames.filter((frame) => frame.op === op)
  }

  /** Resolves with the first frame of an operation. */
  async expect(op: number): Promise<Frame> {
    return vi.waitFor(
      () => {
        const [frame] = this.received(op)
        if (frame === undefined) throw new Error(`no frame of operation ${op} was received`)
        return frame
      },
      { interval: 5 },
    )
  }

  /** Stops reading and writing, as if the cable were cut. */
  freeze(): void {
    this.#stream.pause()
    this.#stream.write = () => true
  }
}

/** How a server reacts. The defaults follow the protocol. */
export interface GatewayHandlers {
  onConnect?: (peer: Peer) => void
  onIdentify?: (peer: Peer) => void
  onResume?: (peer: Peer, frame: Frame) => void
  onHeartbeat?: (peer: Peer) => void
  /** Replaces the parsing of frames, for another protocol. */
  onMessage?: (peer: Peer, data: RawData, isBinary: boolean) => void
}

/** A real WebSocket server that speaks the default protocol unless its handlers differ. */
export class GatewayServer {
  readonly peers: Peer[] = []
  port = 0
  /** While set, handshakes are rejected with this status. */
  rejectStatus: number | undefined
  /** Headers of these rejections. */
  rejectHeaders: Record<string, string> = {}
  readonly #handlers: Required<GatewayHandlers>
  #server: WebSocketServer | undefined

  constructor(handlers: GatewayHandlers) {
    this.#handlers = {
      onConnect: (peer) => peer.hello(),
      onIdentify: (peer) => peer.ready(),
      onResume: (peer) => peer.dispatch('RESUMED', {}),
      onHeartbeat: (peer) => peer.send({ op: 11 }),
      onMessage: (peer, data) => this.#receive(peer, JSON.parse(String(data))),
      ...handlers,
    }
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}`
  }

  /** Listens until the test is over. A closed server can listen again, at the same port. */
  async listen(): Promise<this> {
    onTestFinished(() => this.close())
    const server = new WebSocketServer({
      port: this.port,
      host: '127.0.0.1',
      verifyClient: (_, accept) =>
        accept(this.rejectStatus === undefined, this.rejectStatus, undefined, this.rejectHeaders),
    })
    this.#server = server
    server.on('connection', (socket, { socket: stream, url = '' }) => this.#accept(new Peer(socket, stream, url)))
    await new Promise((resolve, reject) => server.on('listening', resolve).on('error', reject))
    this.port = (server.address() as AddressInfo).port
    return this
  }

  /** Stops listening and cuts every connection. */
  async close(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (server === undefined) return
    for (const socket of server.clients) socket.terminate()
    await new Promise((resolve) => server.close(resolve))
  }

  /** Resolves with the nth connection, from 0. */
  async peer(index = 0): Promise<Peer> {
    return vi.waitFor(
      () => {
        const peer = this.peers[index]
        if (peer === undefined) throw new Error(`there are only ${this.peers.length} connections`)
        return peer
      },
      { interval: 5 },
    )
  }

  #accept(peer: Peer): void {
    this.peers.push(peer)
    peer.socket.on('message', (data, isBinary) => this.#handlers.onMessage(peer, data, isBinary))
    this.#handlers.onConnect(peer)
  }

  #receive(peer: Peer, frame: Frame): void {
    peer.frames.push(frame)
    if (frame.op === 1) this.#handlers.onHeartbeat(peer)
    if (frame.op === 2) this.#handlers.onIdentify(peer)
    if (frame.op === 6) this.#handlers.onResume(peer, frame)
  }
}

/** Starts a gateway that listens until the test is over. */
export function serveGateway(handlers: GatewayHandlers = {}): Promise<GatewayServer> {
  return new GatewayServer(handlers).listen()
}

/** A backoff without waits, for tests of something else. */
export const NO_WAIT = { initialDelay: 0, baseDelay: 0, maxDelay: 0 }

/** The real timers: some tests replace the global ones. */
const { setTimeout: setRealTimeout, clearTimeout: clearRealTimeout } = globalThis

/** Rejects if a call does not settle, so that a test fails with the name of the call instead of at its own time limit. */
async function settles<T>(name: string, call: Promise<T>, limit = PATIENCE_MS): Promise<T> {
  let timer: ReturnType<typeof setRealTimeout> | undefined
  const expired = new Promise<never>((_, reject) => {
    timer = setRealTimeout(() => reject(new Error(`${name} did not settle within ${limit} ms`)), limit)
  })
  return Promise.race([call, expired]).finally(() => clearRealTimeout(timer))
}

/** Limits how long the calls of a gateway are awaited. */
export function limitWaits(gateway: Gateway): Gateway {
  const { connect, disconnect, waitFor } = gateway
  const limited: Pick<Gateway, 'connect' | 'disconnect' | 'waitFor'> = {
    connect: (options) => settles('gateway.connect', connect(options)),
    disconnect: () => settles('gateway.disconnect', disconnect()),
    waitFor: (type, options) => settles(`gateway.waitFor('${type}')`, waitFor(type, options)),
  }
  return Object.assign(gateway, limited)
}

/** Creates a signed-in client of a gateway, which is disposed when the test is over. */
export function createGatewayClient(
  { url }: { readonly url: string },
  { gateway, ...options }: Partial<Omit<ClientOptions, 'gateway'>> & { gateway?: Partial<GatewayOptions> } = {},
): Client {
  const client = new Client({
    baseUrl: 'https://service.example',
    token: TOKEN,
    ...options,
    gateway: { url, backoff: NO_WAIT, ...gateway },
  })
  limitWaits(client.gateway)
  onTestFinished(() => client.dispose())
  return client
}

/** Returns the token of the first frame of each connection, in order. */
export function tokensOf({ peers }: GatewayServer): unknown[] {
  return peers.map(({ frames }) => Object(frames[0]?.d).token)
}
