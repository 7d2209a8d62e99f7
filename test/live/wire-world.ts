import { setImmediate as turn } from 'node:timers/promises'
import { type ClientOptions, GatewayError } from 'rapport-sdk'
import { vi } from 'vitest'
import { createGatewayClient, type Peer, serveGateway } from '../servers/gateway-server'
import { json, type Responder, serve } from '../servers/http-server'
import { relationship } from './live-world'

/** The clock of the process, which fake timers leave alone. */
const realNow = performance.now.bind(performance)

/** Waits until something is so, or 5 seconds of real time have passed. */
export async function until(isSo: () => boolean): Promise<void> {
  const start = realNow()
  while (!isSo()) {
    if (realNow() - start > 5_000) throw new Error(`it did not come to: ${isSo}`)
    await turn()
  }
}

/** Lets time pass, under fake timers, with what is on the wire at each step. */
export async function passOnWire(ms: number, step = 250): Promise<void> {
  for (let passed = 0; passed < ms; passed += step) {
    await vi.advanceTimersByTimeAsync(Math.min(step, ms - passed))
    const start = realNow()
    while (realNow() - start < 8) await turn()
  }
}

/**
 * A client with a store that is loaded, of an HTTP server and a gateway of this test's own. `answer` is what the list
 * answers next and from then on.
 */
export async function wireWorld(options: Partial<Omit<ClientOptions, 'gateway'>> = {}) {
  const http = await serve()
  const gateway = await serveGateway()
  let next: Responder = json(200, [relationship('7'), relationship('8', { type: 3 })])
  http.fallback(() => (response, request) => next(response, request))
  const client = createGatewayClient(gateway, { baseUrl: http.url, retry: 0, ...options })
  const errors: unknown[] = []
  client.gateway.on('error', (error) => error instanceof GatewayError && errors.push(error))
  await client.gateway.connect()
  const store = client.relationships.live()
  await store.ready
  const loads = () => http.requests.length - 1
  let sequence = 1
  const world = {
    client,
    store,
    http,
    gateway,
    errors,
    /** Requests for the list since the store was loaded. */
    loads,
    get peer(): Peer {
      const peer = gateway.peers.at(-1)
      if (peer === undefined) throw new Error('there is no connection')
      return peer
    },
    answer(answer: Responder) {
      next = answer
    },
    /** Sends an event, and waits until the client has it. `skip` leaves out numbers before it. */
    async dispatch(type: string, data: unknown, skip = 0): Promise<void> {
      sequence += 1 + skip
      world.peer.dispatch(type, data, sequence)
      await world.arrived()
    },
    /** Waits until the client has what was sent. */
    async arrived(): Promise<void> {
      const seen = client.gateway.waitFor('dispatch', { filter: ({ type }) => type === 'MARK' })
      world.peer.dispatch('MARK', {})
      await seen
    },
  }
  return world
}
