import { spawn } from 'node:child_process'
import { type AddressInfo, createServer } from 'node:net'
import { type GatewayState, isGatewayError } from 'rapport-sdk'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createGatewayClient, type Peer, serveGateway } from '../servers/gateway-server'
import { behaving, refuse, ScriptedSocket } from '../servers/scripted-socket'
import { pass, stopClock } from '../stopped-clock'
import { bundledScript } from '../temporary-files'
import { reasonOf, rejectionOf } from '../transport/rejection'

const exitingProcess = bundledScript('test/exiting-process.ts')

const url = 'wss://gateway.example'
const scripted = { WebSocket: ScriptedSocket, backoff: {} }

const uncaught: unknown[] = []
const record = (error: unknown) => uncaught.push(error)
beforeEach(() => void process.on('uncaughtException', record).on('unhandledRejection', record))
afterEach(() => {
  process.off('uncaughtException', record).off('unhandledRejection', record)
  expect(uncaught.splice(0)).toEqual([])
})

describe('disconnect()', () => {
  it('leads to no later connection during a backoff', async () => {
    vi.useFakeTimers()
    ScriptedSocket.reset(refuse)
    const { gateway } = createGatewayClient({ url }, { gateway: scripted })
    const connecting = reasonOf(gateway.connect())
    await vi.advanceTimersByTimeAsync(0)
    expect(gateway.state).toBe('reconnecting')
    const before = ScriptedSocket.sockets.length
    await gateway.disconnect()
    expect(await connecting).toSatisfy(isGatewayError)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(ScriptedSocket.sockets).toHaveLength(before)
    expect(gateway.state).toBe('closed')
  })

  it('raises no uncaught error while a socket is connecting', async () => {
    // Accepts the connection and never responds to the upgrade.
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const { gateway } = createGatewayClient({ url: `ws://127.0.0.1:${port}` })
    const arrived = new Promise((resolve) => silent.once('connection', resolve))
    const connecting = rejectionOf(gateway.connect(), isGatewayError)
    await arrived
    await gateway.disconnect()
    expect((await connecting).reason).toBe('disconnected')
    expect(gateway.state).toBe('closed')
    await new Promise((resolve) => silent.close(resolve))
  })

  it.each<GatewayState>(['connecting', 'identifying', 'resuming', 'ready', 'reconnecting'])(
    'is final in a listener of the state %s',
    async (state) => {
      const server = await serveGateway()
      const { gateway } = createGatewayClient(server)
      const states: GatewayState[] = []
      await gateway.connect()
      gateway.on('stateChange', (change) => {
        states.push(change.state)
        if (change.state === state) gateway.disconnect()
      })
      if (state === 'identifying') (await server.peer()).socket.close(4009)
      else (await server.peer()).socket.terminate()
      await vi.waitFor(() => expect(states.at(-1)).toBe('closed'))
      const before = server.peers.length
      // It would have connected again before another client.
      await createGatewayClient(server).gateway.connect()
      expect(states.filter((one) => one === 'closed')).toHaveLength(1)
      expect(states.at(-1)).toBe('closed')
      expect(server.peers).toHaveLength(before + 1)
    },
  )

  it('resolves while closing, however often it is called', async () => {
    const server = await serveGateway()
    const { gateway } = createGatewayClient(server)
    await gateway.connect()
    const closing = [gateway.disconnect(), gateway.disconnect()]
    await expect(Promise.all(closing)).resolves.toBeDefined()
    await gateway.disconnect()
    const peer = await server.peer()
    await vi.waitFor(() => expect(peer.closeCode).toBe(1000))
    expect(gateway.sessionHash).toBeNull()
  })

  it('is, like a sign-out, the reason of the state change, without the words of an error', async () => {
    const server = await serveGateway()
    const { gateway, session } = createGatewayClient(server)
    const reasons: unknown[] = []
    gateway.on('stateChange', ({ state, reason }) => state === 'closed' && reasons.push(reason))
    await gateway.connect()
    await gateway.disconnect()
    await gateway.connect()
    await session.setToken(null)
    expect(reasons).toEqual(['`disconnect` was called', 'the session was signed out'])
  })

  it('resolves even if the peer never closes', async () => {
    const server = await serveGateway()
    const { gateway } = createGatewayClient(server)
    await gateway.connect()
    ;(await server.peer()).freeze()
    // The `ws` package would wait for 30 seconds.
    stopClock()
    const disconnected = gateway.disconnect()
    await pass(1_000)
    await disconnected
  })

  it('resolves after one second if a browser never closes its socket', async () => {
    vi.useFakeTimers()
    ScriptedSocket.reset(behaving())
    const { gateway } = createGatewayClient({ url }, { gateway: scripted })
    const connecting = gateway.connect()
    await vi.advanceTimersByTimeAsync(0)
    await connecting
    ScriptedSocket.last.closes = false
    const disconnected = vi.fn()
    gateway.disconnect().then(disconnected)
    await vi.advanceTimersByTimeAsync(999)
    expect(disconnected).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(disconnected).toHaveBeenCalledOnce()
  })

  it('connect() works right after disconnect()', async () => {
    const server = await serveGateway()
    const { gateway } = createGatewayClient(server)
    await gateway.connect()
    const disconnected = gateway.disconnect()
    const connected = gateway.connect()
    await Promise.all([disconnected, connected])
    expect(gateway.state).toBe('ready')
  })

  it('connect() works in a listener of the closed state', async () => {
    const server = await serveGateway()
    const { gateway } = createGatewayClient(server)
    await gateway.connect()
    const again = new Promise((resolve) => {
      gateway.once('stateChange', () => resolve(gateway.connect()))
    })
    await gateway.disconnect()
    await again
    expect(gateway.state).toBe('ready')
  })

  it('it is followed by neither Ready nor Resumed in a listener of the ready state', async () => {
    const server = await serveGateway()
    const { gateway } = createGatewayClient(server)
    const emitted: string[] = []
    gateway.on('ready', () => emitted.push('ready')).on('dispatch', ({ type }) => emitted.push(type))
    gateway.on('stateChange', ({ state }) => {
      emitted.push(state)
      if (state === 'ready') gateway.disconnect()
    })
    await gateway.connect()
    await gateway.disconnect()
    expect(emitted).toEqual(['connecting', 'identifying', 'ready', 'closed'])
  })

  it('it is not emitted as an error', async () => {
    const server = await serveGateway()
    const { gateway } = createGatewayClient(server)
    const failed = vi.fn()
    gateway.on('error', failed)
    await gateway.connect()
    await gateway.disconnect()
    expect(failed).not.toHaveBeenCalled()
  })

  it('does nothing before connect()', async () => {
    const { gateway } = createGatewayClient({ url })
    await gateway.disconnect()
    expect(gateway.state).toBe('idle')
  })
})

describe('after disconnect()', () => {
  it.each(['connecting', 'identifying', 'ready', 'reconnecting', 'invalid'])(
    'no timer is left in the state %s',
    async (state) => {
      vi.useFakeTimers()
      ScriptedSocket.reset(state === 'connecting' ? undefined : behaving())
      const { gateway } = createGatewayClient({ url }, { gateway: scripted })
      gateway.connect().catch(() => {})
      await vi.advanceTimersByTimeAsync(0)
      if (state === 'reconnecting') ScriptedSocket.last.emit('close', { code: 1006 })
      if (state === 'invalid') ScriptedSocket.last.receive({ op: 9, d: false })
      expect(vi.getTimerCount()).toBeGreaterThan(0)
      await gateway.disconnect()
      expect(vi.getTimerCount()).toBe(0)
      await vi.advanceTimersByTimeAsync(120_000)
      expect(ScriptedSocket.sockets).toHaveLength(1)
    },
  )

  it('the process can exit in every state', async () => {
    const frozen: Peer[] = []
    const servers = {
      ready: await serveGateway(),
      disposed: await serveGateway(),
      refused: await serveGateway(),
      connecting: await serveGateway(),
      greeting: await serveGateway({ onConnect: () => {} }),
      identifying: await serveGateway({ onIdentify: () => {} }),
      invalid: await serveGateway({ onIdentify: (peer) => peer.ready().send({ op: 9, d: false }) }),
      frozen: await serveGateway({
        onIdentify: (peer) => {
          peer.ready()
          frozen.push(peer)
        },
      }),
    }
    await servers.refused.close()
    const urls = Object.fromEntries(Object.entries(servers).map(([state, { url }]) => [state, url]))
    const child = spawn(process.execPath, [exitingProcess(), 'disconnect', JSON.stringify(urls)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const said = new Promise<number>((resolve) => child.stdout.once('data', () => resolve(performance.now())))
    await vi.waitFor(() => expect([frozen.length, servers.greeting.peers.length]).toEqual([1, 1]))
    frozen[0]?.freeze()
    child.stdin.end()
    const saidAt = await said
    expect(await exited).toBe(0)
    expect(performance.now() - saidAt).toBeLessThan(25_000)
  })
})
