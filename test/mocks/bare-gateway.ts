import type { MockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { people } from './people'

/** A frame, as it crosses the wire. */
export interface Frame<D = unknown> {
  readonly op: number
  readonly d: D
  readonly s: number | null
  readonly t: string | null
}

/** What a socket has to have, whichever door it is of. */
interface Socket {
  readonly readyState: number
  send(data: string): void
  close(code?: number): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { code: number; reason: string }) => void): void
  addEventListener(type: 'error', listener: (event: { message?: string }) => void): void
}

export interface Closing {
  readonly code: number
  readonly reason: string
}

/** A client that knows frames and nothing else. */
export interface BareClient {
  readonly socket: Socket
  /** All frames that came. */
  readonly frames: readonly Frame[]
  readonly closed: Promise<Closing>
  send(op: number, d?: unknown): void
  /** The next frame that has not been taken. */
  next<D>(): Promise<Frame<D>>
  /** The names and payloads of the events that have come since this was last asked, and nothing is under way. */
  heard(): Promise<[string | null, unknown][]>
}

/** How tests reach a gateway. */
export interface Door {
  readonly name: string
  enter(service: MockService): Promise<{ readonly url: string; open(url?: string): BareClient }>
}

export const inMemory: Door = {
  name: 'in memory',
  async enter(service) {
    onTestFinished(() => service.close())
    const { url } = service.gateway
    return { url, open: (to = url) => bareClient(new service.WebSocket(to)) }
  },
}

export const overSockets: Door = {
  name: 'over a real socket',
  async enter(service) {
    const server = await listen(service)
    onTestFinished(() => service.close())
    const url = server.gatewayUrl
    return { url, open: (to = url) => bareClient(new WebSocket(to)) }
  },
}

export const doors = [inMemory, overSockets]

export function bareClient(socket: Socket): BareClient {
  const frames: Frame[] = []
  let taken = 0
  let wake = () => {}
  socket.addEventListener('message', ({ data }) => {
    frames.push(JSON.parse(String(data)))
    wake()
  })
  socket.addEventListener('error', () => {})
  const closed = new Promise<Closing>((resolve) => {
    socket.addEventListener('close', ({ code, reason }) => {
      resolve({ code, reason })
      wake()
    })
  })
  const client: BareClient = {
    socket,
    frames,
    closed,
    send: (op, d = null) => socket.send(JSON.stringify({ op, d })),
    async next<D>() {
      while (taken >= frames.length) {
        if (socket.readyState === 3) throw new Error(`closed: ${JSON.stringify(await closed)}`)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return frames[taken++] as Frame<D>
    },
    async heard() {
      // Frames come in order: what was sent before the acknowledgement has come with it.
      const events: [string | null, unknown][] = []
      client.send(1)
      for (;;) {
        const { op, t, d } = await client.next()
        if (op === 11) return events
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

/** Lets a client identify, up to Ready. */
export async function identify(client: BareClient, token: string): Promise<Ready> {
  await client.next()
  client.send(2, { token, properties: {} })
  return (await client.next<Ready>()).d
}

/** Two people behind a door, and clients of theirs that have identified. */
export async function gatewayPeople(door: Door, options: Parameters<typeof people>[0] = {}) {
  const world = people(options)
  const { service, ada, grace } = world
  const { url, open } = await door.enter(service)
  const enter = async (user: { id: string }, more: Parameters<MockService['token']>[1] = {}) => {
    const token = service.token(user, more)
    const client = open()
    return { client, token, ready: await identify(client, token) }
  }
  return { ...world, url, open, enter, adas: () => enter(ada), graces: () => enter(grace) }
}
