import type { MockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { setUpPair } from './set-up'

const [HEARTBEAT, IDENTIFY, RESUME, ACK] = [1, 2, 6, 11]

/** A frame of the default protocol. */
export interface Frame<D = unknown> {
  readonly op: number
  readonly d: D
  readonly s: number | null
  readonly t: string | null
}

/** The members of a WebSocket that a {@link FrameClient} uses. */
interface Socket {
  readonly readyState: number
  send(data: string): void
  close(code?: number): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { code: number; reason: string }) => void): void
  addEventListener(type: 'error', listener: (event: { message?: string }) => void): void
}

export interface Close {
  readonly code: number
  readonly reason: string
}

/** A gateway client that sends and receives single frames. */
export interface FrameClient {
  readonly socket: Socket
  /** All frames received. */
  readonly frames: readonly Frame[]
  readonly closed: Promise<Close>
  send(op: number, d?: unknown): void
  /** Resolves with the next frame. Rejects if the connection closes first. */
  next<D>(): Promise<Frame<D>>
  /** Resolves with the names and payloads of all events sent so far and not returned before. */
  nextEvents(): Promise<[string | null, unknown][]>
}

/** A way to connect to the gateway of a mock service. */
export interface Transport {
  readonly name: string
  serve(service: MockService): Promise<{ readonly url: string; open(url?: string): FrameClient }>
}

export const inMemory: Transport = {
  name: 'in memory',
  async serve(service) {
    onTestFinished(() => service.close())
    const { url } = service.gateway
    return { url, open: (to = url) => createFrameClient(new service.WebSocket(to)) }
  },
}

export const overSockets: Transport = {
  name: 'over a real socket',
  async serve(service) {
    const server = await listen(service)
    onTestFinished(() => service.close())
    const url = server.gatewayUrl
    return { url, open: (to = url) => createFrameClient(new WebSocket(to)) }
  },
}

export const transports = [inMemory, overSockets]

export function createFrameClient(socket: Socket): FrameClient {
  const frames: Frame[] = []
  let returned = 0
  let wake = () => {}
  socket.addEventListener('message', ({ data }) => {
    frames.push(JSON.parse(String(data)))
    wake()
  })
  socket.addEventListener('error', () => {})
  const closed = new Promise<Close>((resolve) => {
    socket.addEventListener('close', ({ code, reason }) => {
      resolve({ code, reason })
      wake()
    })
  })
  const client: FrameClient = {
    socket,
    frames,
    closed,
    send: (op, d = null) => socket.send(JSON.stringify({ op, d })),
    async next<D>() {
      while (returned >= frames.length) {
        if (socket.readyState === 3) throw new Error(`closed: ${JSON.stringify(await closed)}`)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return frames[returned++] as Frame<D>
    },
    async nextEvents() {
      // Frames arrive in order: all events sent before the acknowledgement arrive before it.
      const events: [string | null, unknown][] = []
      client.send(HEARTBEAT)
      for (;;) {
        const { op, t, d } = await client.next()
        if (op === ACK) return events
        if (op === 0) events.push([t, d])
      }
    },
  }
  return client
}

export interface Ready {
  readonly auth_session_id_hash: string
  readonly session_id: string
  readonly resume_gateway_url?: string
  readonly [field: string]: unknown
}

/** Reads Hello, identifies and resolves with Ready. */
export async function identify(client: FrameClient, token: string): Promise<Ready> {
  await client.next()
  client.send(IDENTIFY, { token, properties: {} })
  return (await client.next<Ready>()).d
}

/** Sets up a service with ada and grace and its gateway. `connect` opens a client that has identified. */
export async function setUpGateway(transport: Transport, options: Parameters<typeof setUpPair>[0] = {}) {
  const setup = setUpPair(options)
  const { service, ada, grace } = setup
  const { url, open } = await transport.serve(service)
  const connect = async (user: { id: string }, more: Parameters<MockService['token']>[1] = {}) => {
    const token = service.token(user, more)
    const client = open()
    return { client, token, ready: await identify(client, token) }
  }
  return { ...setup, url, open, connect, connectAda: () => connect(ada), connectGrace: () => connect(grace) }
}

/** Sets up a gateway with a connected client of ada. */
export async function setUpSession(transport: Transport, options: Parameters<typeof setUpGateway>[1] = {}) {
  const setup = await setUpGateway(transport, options)
  const { service, ada, open } = setup
  const { client, token, ready } = await setup.connectAda()
  /** Sends `count` events to ada, with the IDs `from`, `from + 1`, … */
  const emit = (count: number, from = 1) => {
    for (let id = from; id < from + count; id++) {
      service.gateway.emit('Relationship Add', { id: String(id) }, { to: ada })
    }
  }
  /** Opens a connection that resumes the session of ada. */
  const resume = async (seq: unknown = 1, more: object = {}, url?: string) => {
    const resumed = open(url)
    await resumed.next()
    resumed.send(RESUME, { token, session_id: ready.session_id, seq, ...more })
    return resumed
  }
  return { ...setup, client, token, ready, emit, resume }
}

/** Resolves with the sequence number, name and ID of every event that a client has received. */
export async function numberedEvents(client: FrameClient) {
  await client.nextEvents()
  return client.frames.filter(({ op }) => op === 0).map(({ s, t, d }) => [s, t, (d as { id?: string }).id])
}

/** Sets up a gateway with a connected client of ada, `a`, and one of grace, `g`. */
export async function setUpSessions(transport: Transport) {
  const setup = await setUpSession(transport)
  const { client: g } = await setup.connectGrace()
  return { ...setup, a: setup.client, g, gateway: setup.service.gateway }
}
