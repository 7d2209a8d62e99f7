import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { createGatewayClient, READY, TOKEN } from '../servers/gateway-server'
import { ScriptedSocket } from '../servers/scripted-socket'

type Client = ReturnType<typeof createGatewayClient>

/** Events of the newest connection or an earlier one. */
const service = fc.oneof(
  fc.constantFrom<readonly [string, object]>(
    ['open', {}],
    ['error', { message: 'failed' }],
    ['message', { data: '{"op":10,"d":{"heartbeat_interval":40000}}' }],
    ['message', { data: '{"op":11}' }],
    ['message', { data: '{"op":1}' }],
    ['message', { data: '{"op":7}' }],
    ['message', { data: '{"op":9,"d":true}' }],
    ['message', { data: '{"op":9,"d":false}' }],
    ['message', { data: JSON.stringify({ op: 0, t: 'READY', s: 1, d: READY }) }],
    ['message', { data: '{"op":0,"t":"RESUMED","d":{}}' }],
    ['message', { data: '{"op":0,"t":"RELATIONSHIP_REMOVE","s":2,"d":{"id":"1"}}' }],
    ['message', { data: '{"op":0,"t":"AUTH_SESSION_CHANGE","d":{"auth_session_id_hash":"h"}}' }],
    ['message', { data: 'not a frame' }],
  ),
  fc.constantFrom(1000, 1006, 4000, 4004, 4009).map((code) => ['close', { code }] as const),
)
const step = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant('service'), service, fc.nat(3)) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('behave')) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('time'), fc.constantFrom(0, 0, 1, 100, 1_000, 20_000, 90_000)) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('connect', 'disconnect', 'jump', 'signOut', 'signIn', 'abort')) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

async function run([what, ...args]: Step, client: Client, control: AbortController): Promise<void> {
  const [first, age = 0] = args
  if (what === 'service' && Array.isArray(first)) ScriptedSocket.sockets.at(-1 - Number(age))?.emit(first[0], first[1])
  if (what === 'behave') ScriptedSocket.sockets.slice(-1).forEach(behave)
  if (what === 'time') await vi.advanceTimersByTimeAsync(Number(first))
  if (what === 'jump') vi.setSystemTime(Date.now() + 3_600_000)
  if (what === 'connect') client.gateway.connect({ signal: control.signal }).catch(() => {})
  if (what === 'disconnect') client.gateway.disconnect()
  if (what === 'abort') control.abort()
  if (what === 'signOut') client.session.setToken(null).catch(() => {})
  if (what === 'signIn') client.session.setToken(`${TOKEN}-${ScriptedSocket.sockets.length}`).catch(() => {})
}

/** Opens and follows the protocol. */
function behave(socket: ScriptedSocket): void {
  socket.open(40_000)
  const [frame] = socket.sent.filter(({ op }) => op !== 1)
  if (frame?.op === 2) socket.receive({ op: 0, t: 'READY', s: 1, d: READY })
  if (frame?.op === 6) socket.receive({ op: 0, t: 'RESUMED', d: {} })
}

/** Returns the sockets that neither side has closed. */
const alive = () => ScriptedSocket.sockets.filter(({ closeCodes, isClosed }) => closeCodes.length === 0 && !isClosed)

const reached = new Set<string>()

/** Steps that a random run may not include. */
const LOST_AND_RESUMED: Step[] = [
  ['time', 0],
  ['behave'],
  ['service', ['close', { code: 1006 }], 0],
  ['time', 1_000],
  ['behave'],
]

it('a gateway has at most one connection and leaves nothing behind after disconnect(), whatever happens in any order', async () => {
  vi.useFakeTimers()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      // So that a counterexample shrinks to the steps that left the timer behind.
      vi.clearAllTimers()
      ScriptedSocket.reset((socket) => {
        // Its responses are separate steps.
        socket.send = (data) => socket.sent.push(JSON.parse(String(data)))
      })
      const client = createGatewayClient(
        { url: 'wss://gateway.example' },
        { gateway: { WebSocket: ScriptedSocket, backoff: {} } },
      )
      const control = new AbortController()
      const states: string[] = ['idle']
      const errors: unknown[] = []
      client.gateway.on('stateChange', ({ previous, state }) => {
        expect(previous).toBe(states.at(-1))
        // No session is ready or resumed before Hello.
        if (previous === 'connecting') expect(['identifying', 'resuming', 'reconnecting', 'closed']).toContain(state)
        states.push(state)
        reached.add(`${previous}>${state}`)
      })
      client.gateway.on('error', (error) => errors.push(error))
      await run(['connect'], client, control)
      for (const next of steps) {
        await run(next, client, control)
        const { state } = client.gateway
        expect(state).toBe(states.at(-1))
        expect(alive().length).toBeLessThanOrEqual(1)
        if (state === 'closed') expect(alive()).toEqual([])
        if (state === 'closed') expect(client.gateway.sessionHash).toBeNull()
        if (state === 'ready') expect(client.gateway.sessionHash).not.toBeNull()
      }
      expect(errors.filter((error) => Object(error).reason === 'listener_threw')).toEqual([])
      await client.gateway.disconnect()
      client.dispose()
      expect(vi.getTimerCount()).toBe(0)
    }),
    { numRuns: 1_000, examples: [[LOST_AND_RESUMED]] },
  )
  const hops = 'connecting>identifying identifying>ready connecting>resuming resuming>ready ready>reconnecting'.split(
    ' ',
  )
  expect([...reached]).toEqual(expect.arrayContaining(hops))
})
