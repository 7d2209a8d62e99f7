import { setImmediate as turn } from 'node:timers/promises'
import { type ClientOptions, GatewayError } from 'rapport-sdk'
import { vi } from 'vitest'
import { PATIENCE_MS } from '../patience'
import { createGatewayClient, type Peer, serveGateway } from '../servers/gateway-server'
import { json, type Responder, serve } from '../servers/http-server'
import { relationship } from './set-up'

/** The clock of the process, which fake timers do not replace. */
const realNow = performance.now.bind(performance)

/** Waits until a condition holds, for at most two minutes of real time. */
export async function until(condition: () => boolean): Promise<void> {
  const start = realNow()
  while (!condition()) {
    if (realNow() - start > PATIENCE_MS) throw new Error(`timed out waiting for: ${condition}`)
    await turn()
  }
}

/** Advances fake timers in steps, and lets real sockets deliver after each step. */
export async function advanceOnWire(ms: number, step = 250): Promise<void> {
  for (let passed = 0; passed < ms; passed += step) {
    await vi.advanceTimersByTimeAsync(Math.min(step, ms - passed))
    const start = realNow()
    // In turns too: on a busy machine, one alone may take these milliseconds.
    for (let turns = 0; turns < 40 || realNow() - start < 8; turns++) await turn()
  }
}

/** Sets up a client with a loaded store over a real HTTP server and a real gateway. */
export async function setUpOnWire(options: Partial<Omit<ClientOptions, 'gateway'>> = {}) {
  const http = await serve()
  const gateway = await serveGateway()
  let next: Responder = json(200, [relationship('7'), relationship('8', { type: 3 })])
  http.fallback(() => (response, request) => next(response, request))
  const client = createGatewayClient(gateway, { baseUrl: http.url, retry: 0, ...options })
  const errors: unknown[] = []
  client.gateway.on('error', (error) => error instanceof GatewayError && errors.push(error))
  await client.gateway.connect()
  const store = client.relationships.live()
  let isReady = false
  void store.ready.then(() => {
    isReady = true
  })
  await until(() => isReady)
  const loads = () => http.requests.length - 1
  let sequence = 1
  const setup = {
    client,
    store,
    http,
    gateway,
    errors,
    /** Returns the number of loads since the first. */
    loads,
    get peer(): Peer {
      const peer = gateway.peers.at(-1)
      if (peer === undefined) throw new Error('there is no connection')
      return peer
    },
    /** Sets the response to every later load. */
    respondWith(responder: Responder) {
      next = responder
    },
    /** Sends an event, after skipping `skip` sequence numbers, and waits until the client has received it. */
    async dispatch(type: string, data: unknown, skip = 0): Promise<void> {
      sequence += 1 + skip
      setup.peer.dispatch(type, data, sequence)
      await setup.arrived()
    },
    /** Waits until the client has received everything sent. */
    async arrived(): Promise<void> {
      const seen = client.gateway.waitFor('dispatch', { filter: ({ type }) => type === 'MARK' })
      setup.peer.dispatch('MARK', {})
      await seen
    },
  }
  return setup
}
