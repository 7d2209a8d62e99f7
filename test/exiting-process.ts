// A process that must exit by itself, although clients are still there: `exiting-process.ts <case> [argument]`.
import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { Client } from 'rapport-sdk'
import { createMockService, type MockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { undiciFetch } from 'rapport-sdk/node'
import { WebSocket } from 'ws'
import { deferred } from './deferred'
import { tokenOnly } from './session-stores'

/** Creates clients with a cookie session that nobody disposes. */
async function createCookieClients(): Promise<void> {
  const baseUrl = 'https://app.example/rapport'
  const fetch = async () => Response.json({ status: 'signedOut', user: null })
  const clients = [new Client({ baseUrl, session: 'cookie' }), new Client({ baseUrl, session: 'cookie', fetch })]
  await Promise.all(clients.map(({ ready }) => ready))
  console.log(clients.map(({ session }) => session.status).join(' '))
}

/** Makes a call with undiciFetch, whose socket stays open. */
async function callWithUndici(baseUrl: string): Promise<void> {
  const client = new Client({ baseUrl, token: 'ada', fetch: undiciFetch() })
  console.log(JSON.stringify(await client.relationships.list()))
}

/**
 * Makes a call in every state that has a timer or a socket, then disposes of the clients: a timer left behind would keep the process for an
 * hour. It does so once all of them are reached here, and the end of its input says that the service has the requests.
 */
async function dispose(baseUrl: string): Promise<void> {
  const forever = () => new Promise<never>(() => {})
  const pending = new Set(['suggestions', 'sign-in', 'passkey', 'rate limit', 'retry'])
  const reached = deferred<void>()
  const reach = (state: string) => {
    pending.delete(state)
    if (pending.size === 0) reached.resolve()
    return forever()
  }
  const HOUR_MS = 3_600_000
  const limits = { timeout: HOUR_MS, deadline: 2 * HOUR_MS, mfaTimeout: HOUR_MS }
  const retry = { limit: 6, maxRateLimitWaitMs: HOUR_MS }
  const client = new Client({ baseUrl, token: 'ada', ...limits, retry, webauthn: { get: () => reach('passkey') } })
  client.on('rateLimited', () => void reach('rate limit'))
  client.on('retry', () => void reach('retry'))
  const waiting = new Client({ baseUrl, ...limits, tokenStore: tokenOnly({ get: forever, set: () => {} }) })
  const prompted = (state: string) => ({ onMfaRequired: () => reach(state) })

  const calls = [
    client.relationships.list(),
    client.friendSuggestions.list(prompted('suggestions')),
    client.auth.login({ login: 'ada@example.test', password: 'correct horse' }, prompted('sign-in')),
    client.auth.loginWithPasskey(),
    client.auth.sessions.list(),
    client.widgetConfigs.featured(),
    waiting.relationships.list(),
  ]
  const outcomes = Promise.allSettled(calls)

  await Promise.all([reached.promise, once(process.stdin.resume(), 'end')])
  client.dispose()
  waiting.dispose()
  process.stdout.write('disposed, ')
  const rejected = (await outcomes).filter(({ status }) => status === 'rejected')
  process.stdout.write(`then ${rejected.length} rejected\n`)
}

/** Disconnects gateways in every state that has timers or sockets, once they are reached and its input ends. */
async function disconnect(json: string): Promise<void> {
  const urls: Readonly<Record<string, string>> = JSON.parse(json)
  /** What each gateway must be before; the service sees the others. */
  const reached: Readonly<Record<string, string>> = {
    ready: 'ready',
    disposed: 'ready',
    frozen: 'ready',
    refused: 'reconnecting',
    identifying: 'identifying',
    invalid: 'reconnecting',
  }
  const inputEnds = once(process.stdin.resume(), 'end')

  const disconnects = Object.entries(urls).map(async ([name, url]) => {
    // The WebSocket of Node 22 cannot terminate a connection whose peer does not respond.
    const gateway = name === 'frozen' ? { url, WebSocket } : { url }
    const client = new Client({ baseUrl: 'https://service.example', token: 'ada', gateway })
    const isReached =
      reached[name] && client.gateway.waitFor('stateChange', { filter: ({ state }) => state === reached[name] })
    client.gateway.connect().catch(() => {})
    client.gateway.stream(['relationshipAdd'])
    await isReached
    await (name === 'connecting' ? turn() : inputEnds)
    if (name === 'disposed') client.dispose()
    else client.gateway.disconnect()
  })
  await Promise.all(disconnects)
  process.stdout.write('disconnected')
}

/** What the socket of `ws` and that of the mock have in common. */
interface Socket {
  addEventListener(type: 'message', listener: () => void): void
  send(data: string): void
}

/** Connects to a mock in memory, and to one whose server it then closes. */
async function connectToMocks(): Promise<void> {
  const connect = async (socket: Socket, service: MockService) => {
    const next = () => new Promise<void>((resolve) => socket.addEventListener('message', () => resolve()))
    await next()
    const user = service.users.create({ login: 'ada@example.com' })
    socket.send(JSON.stringify({ op: 2, d: { token: service.token(user) } }))
    await next()
  }
  const inMemory = createMockService()
  await connect(new inMemory.WebSocket(inMemory.gateway.url), inMemory)
  const overSockets = createMockService()
  const server = await listen(overSockets)
  await connect(new WebSocket(server.gatewayUrl), overSockets)
  await overSockets.close()
  process.stdout.write('connected twice')
}

const CASES: Readonly<Record<string, (argument: string) => Promise<void>>> = {
  'cookie clients': createCookieClients,
  undici: callWithUndici,
  dispose,
  disconnect,
  mocks: connectToMocks,
}
const [, , name = '', argument = ''] = process.argv
await CASES[name]?.(argument)
