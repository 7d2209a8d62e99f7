import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { Client, type ClientOptions, type GatewayOptions } from 'rapport-sdk'
import { onTestFinished, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'

/** A frame of the conventional protocol. */
export interface Frame {
  readonly op: number
  readonly d?: unknown
  readonly s?: number | null
  readonly t?: string | null
}

export const TOKEN = 'the-token-of-ada'
export const READY = { auth_session_id_hash: 'hash-1', session_id: 'session-1' }

/** One connection, as the service sees it. */
export class Peer {
  readonly frames: Frame[] = []
  /** What the client asked for. */
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

  raw(data: string | Buffer): this {
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

  /** The frames of one operation that have come. */
  received(op: number): Frame[] {
    return this.frames.filter((frame) => frame.op === op)
  }

  /** Resolves with the first frame of an operation. */
  async expect(op: number): Promise<Frame> {
    return vi.waitFor(
      () => {
        const [frame] = this.received(op)
        if (frame === undefined) throw new Error(`no frame of operation ${op} has come`)
        return frame
      },
      { timeout: 5_000, interval: 5 },
    )
  }

  /** From here on it neither reads nor writes, as a host whose cable is cut. */
  freeze(): void {
    this.#stream.pause()
    this.#stream.write = () => true
  }
}

/** What a server does with a connection; unless told otherwise it behaves. */
export interface Behaviour {
  connected?: (peer: Peer) => void
  identified?: (peer: Peer) => void
  resumed?: (peer: Peer, frame: Frame) => void
  beaten?: (peer: Peer) => void
}

const BEHAVES: Required<Behaviour> = {
  connected: (peer) => peer.hello(),
  identified: (peer) => peer.ready(),
  resumed: (peer) => peer.dispatch('RESUMED', {}),
  beaten: (peer) => peer.send({ op: 11 }),
}

/** A real server that speaks the conventional protocol. */
export class GatewayServer {
  readonly peers: Peer[] = []
  readonly behaviour: Required<Behaviour>
  port = 0
  #server: WebSocketServer | undefined

  constructor(behaviour: Behaviour) {
    this.behaviour = { ...BEHAVES, ...behaviour }
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}`
  }

  /** Listens until the test is over. */
  async listen(): Promise<this> {
    onTestFinished(() => this.close())
    const server = new WebSocketServer({ port: this.port, host: '127.0.0.1' })
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
        if (peer === undefined) throw new Error(`there are ${this.peers.length} connections`)
        return peer
      },
      { timeout: 5_000, interval: 5 },
    )
  }

  #accept(peer: Peer): void {
    this.peers.push(peer)
    peer.socket.on('message', (data) => {
      const frame: Frame = JSON.parse(String(data))
      peer.frames.push(frame)
      if (frame.op === 1) this.behaviour.beaten(peer)
      if (frame.op === 2) this.behaviour.identified(peer)
      if (frame.op === 6) this.behaviour.resumed(peer, frame)
    })
    this.behaviour.connected(peer)
  }
}

/** A server that listens until the test is over. */
export function serveGateway(behaviour: Behaviour = {}): Promise<GatewayServer> {
  return new GatewayServer(behaviour).listen()
}

/** Waits that are over at once, for tests that are not about them. */
export const NO_WAIT = { firstMs: 0, baseMs: 0, maxMs: 0 }

/** A signed-in client of a gateway, which is disposed when the test is over. */
export function clientOf(
  { url }: { readonly url: string },
  { gateway, ...options }: Partial<Omit<ClientOptions, 'gateway'>> & { gateway?: Partial<GatewayOptions> } = {},
): Client {
  const client = new Client({
    baseUrl: 'https://service.example',
    token: TOKEN,
    ...options,
    gateway: { url, backoff: NO_WAIT, ...gateway },
  })
  onTestFinished(() => client.dispose())
  return client
}

/** The tokens that connections began with, in their order. */
export function tokensOf({ peers }: GatewayServer): unknown[] {
  return peers.map(({ frames }) => Object(frames[0]?.d).token)
}
