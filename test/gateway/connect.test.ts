import { Client, isGatewayError, isRapportError } from 'rapport-sdk'
import { expect, it, vi } from 'vitest'
import { deferred } from '../deferred'
import { createGatewayClient, type Peer, READY, serveGateway, TOKEN } from '../servers/gateway-server'
import { behaving, ScriptedSocket } from '../servers/scripted-socket'
import { tokenOnly } from '../session-stores'
import { reasonOf, rejectionOf } from '../transport/rejection'

const ready = { ...READY, user: { id: '1' } }

it('connect() resolves with Ready and all its fields', async () => {
  const server = await serveGateway({ onIdentify: (peer) => peer.ready(ready) })
  const { gateway } = createGatewayClient(server)
  expect(gateway.state).toBe('idle')
  await expect(gateway.connect()).resolves.toEqual(ready)
  expect(gateway.state).toBe('ready')
})

it('connect() identifies with the token of the session', async () => {
  const server = await serveGateway()
  await createGatewayClient(server).gateway.connect()
  const peer = await server.peer()
  expect(peer.frames).toEqual([{ op: 2, d: { token: TOKEN, properties: { client: 'rapport-sdk' } } }])
})

it('connect() goes through its states in order and emits each', async () => {
  const server = await serveGateway()
  const { gateway } = createGatewayClient(server)
  const states: string[] = []
  gateway.on('stateChange', ({ previous, state }) => states.push(`${previous} → ${state}`))
  await gateway.connect()
  await gateway.disconnect()
  expect(states).toEqual(['idle → connecting', 'connecting → identifying', 'identifying → ready', 'ready → closed'])
})

it('repeated connect() calls share one connection', async () => {
  const server = await serveGateway()
  const { gateway } = createGatewayClient(server)
  const [first, second] = await Promise.all([gateway.connect(), gateway.connect()])
  expect(second).toEqual(first)
  await expect(gateway.connect()).resolves.toEqual(first)
  expect(server.peers).toHaveLength(1)
})

it('connect() during a reconnect waits until the session is resumed', async () => {
  const server = await serveGateway({ onResume: () => {} })
  const { gateway } = createGatewayClient(server)
  await gateway.connect()
  ;(await server.peer()).socket.terminate()
  const peer = await server.peer(1)
  await peer.expect(6)
  const states: string[] = []
  const connecting = gateway.connect().then(() => states.push(gateway.state))
  peer.dispatch('RESUMED', {})
  await connecting
  expect(states).toEqual(['ready'])
})

it('connect() after disconnect() starts a new session', async () => {
  const server = await serveGateway()
  const { gateway } = createGatewayClient(server)
  await gateway.connect()
  await gateway.disconnect()
  await gateway.connect()
  expect((await server.peer(1)).frames.map(({ op }) => op)).toEqual([2])
})

it('connect(), disconnect() and connect() at once open a single socket', async () => {
  ScriptedSocket.reset(behaving())
  const { gateway } = createGatewayClient({ url: 'wss://gateway.example' }, { gateway: { WebSocket: ScriptedSocket } })
  const first = rejectionOf(gateway.connect(), isGatewayError)
  gateway.disconnect()
  await gateway.connect()
  expect((await first).reason).toBe('disconnected')
  expect(ScriptedSocket.sockets).toHaveLength(1)
})

it('an aborted connect() rejects with the reason of its signal and leaves nothing behind', async () => {
  const server = await serveGateway({ onIdentify: () => {} })
  const { gateway } = createGatewayClient(server)
  const control = new AbortController()
  const call = reasonOf(gateway.connect({ signal: control.signal }))
  const peer = await server.peer()
  await peer.expect(2)
  const reason = new Error('enough')
  control.abort(reason)
  expect(await call).toBe(reason)
  expect(gateway.state).toBe('closed')
  await vi.waitFor(() => expect(peer.isOpen).toBe(false))
})

it('an aborted connect() does not affect others that wait', async () => {
  const identified = deferred<Peer>()
  const server = await serveGateway({ onIdentify: identified.resolve })
  const { gateway } = createGatewayClient(server)
  const control = new AbortController()
  const aborted = reasonOf(gateway.connect({ signal: control.signal }))
  const other = gateway.connect()
  control.abort()
  await aborted
  const peer = await identified.promise
  peer.ready()
  await expect(other).resolves.toEqual(READY)
})

it('the signal of connect() does not end an established connection', async () => {
  const server = await serveGateway()
  const { gateway } = createGatewayClient(server)
  const control = new AbortController()
  await gateway.connect({ signal: control.signal })
  control.abort()
  expect(gateway.state).toBe('ready')
  const late = AbortSignal.abort(new Error('late'))
  await expect(gateway.connect({ signal: late })).rejects.toThrow('late')
})

it('connect() rejects if nobody is signed in', async () => {
  const server = await serveGateway()
  const client = createGatewayClient(server)
  await client.session.setToken(null)
  const error = await rejectionOf(client.gateway.connect(), isGatewayError)
  expect(error.reason).toBe('not_signed_in')
  expect(server.peers).toHaveLength(0)
})

it('connect() waits for the stored token', async () => {
  const server = await serveGateway()
  const tokenStore = tokenOnly({ get: async () => 'a stored token' })
  const client = new Client({ baseUrl: 'https://service.example', tokenStore, gateway: { url: server.url } })
  await client.gateway.connect()
  expect((await server.peer()).frames[0]).toMatchObject({ d: { token: 'a stored token' } })
  client.dispose()
})

it('connect() rejects if the stored token cannot be loaded', async () => {
  const server = await serveGateway()
  const tokenStore = { get: () => Promise.reject(new TypeError('disk')), set: () => {} }
  const client = new Client({ baseUrl: 'https://service.example', tokenStore, gateway: { url: server.url } })
  const error = await rejectionOf(client.gateway.connect(), isGatewayError)
  expect(error).toMatchObject({ reason: 'not_signed_in', cause: { cause: { name: 'TypeError' } } })
  expect(isRapportError(error.cause) && error.cause.message).toMatch(/^The token store failed to load the token\./)
})

it('connect() rejects for a client without a gateway or a disposed one', async () => {
  const client = new Client({ baseUrl: 'https://service.example', token: TOKEN })
  const { reason } = await rejectionOf(client.gateway.connect(), isGatewayError)
  expect(reason).toBe('not_configured')
  expect([client.gateway.state, client.gateway.sessionHash, client.gateway.latency]).toEqual(['idle', null, null])
  await client.gateway.disconnect()
  client.dispose()

  const server = await serveGateway()
  const disposed = createGatewayClient(server)
  disposed.dispose()
  const error = await rejectionOf(disposed.gateway.connect(), isGatewayError)
  expect(error.message).toContain('disposed')
})

it('connect() rejects if the WebSocket constructor throws', async () => {
  class Refusing {
    constructor() {
      throw new Error(`not from a page of https, ${TOKEN}`)
    }
  }
  const { gateway } = createGatewayClient(
    { url: 'wss://gateway.example' },
    { gateway: { WebSocket: Refusing as never } },
  )
  const error = await rejectionOf(gateway.connect(), isGatewayError)
  expect(error).toMatchObject({ reason: 'no_socket', cause: { message: 'not from a page of https, [redacted]' } })
})

it('clients made by as() connect independently', async () => {
  const server = await serveGateway()
  const ada = createGatewayClient(server)
  const grace = ada.as('the-token-of-grace')
  await Promise.all([ada.gateway.connect(), grace.gateway.connect()])
  const tokens = server.peers.map(({ frames }) => frames[0]?.d)
  expect(tokens).toMatchObject([{ token: TOKEN }, { token: 'the-token-of-grace' }])
  ada.dispose()
  expect(grace.gateway.state).toBe('ready')
  grace.dispose()
})
