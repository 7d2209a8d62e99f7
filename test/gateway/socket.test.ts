import { isGatewayError, isTimeoutError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket as WsWebSocket } from 'ws'
import { createGatewayClient, serveGateway } from '../servers/gateway-server'
import { behaving, connectScripted, ScriptedSocket } from '../servers/scripted-socket'
import { rejectionOf } from '../transport/rejection'

describe('a socket that fails', () => {
  it('it is dropped if it never emits close, as in Node 22', async () => {
    vi.useFakeTimers()
    ScriptedSocket.reset((socket) => queueMicrotask(() => socket.emit('error', { message: 'refused' })))
    const { gateway } = connectScripted()
    const lost = gateway.waitFor('stateChange', { filter: ({ state }) => state === 'reconnecting' })
    await vi.advanceTimersByTimeAsync(0)
    expect((await lost).reason).toBe('the connection could not be opened: refused')
    ScriptedSocket.script = behaving()
    await vi.advanceTimersByTimeAsync(100)
    expect(gateway.state).toBe('ready')
  })

  it('it is described by the code of its error if it has no message', async () => {
    vi.useFakeTimers()
    const error = Object.assign(new Error(''), { code: 'ECONNREFUSED' })
    ScriptedSocket.reset((socket) => queueMicrotask(() => socket.emit('error', { error })))
    const { gateway } = connectScripted()
    const lost = gateway.waitFor('stateChange', { filter: ({ state }) => state === 'reconnecting' })
    await vi.advanceTimersByTimeAsync(0)
    expect((await lost).reason).toBe('the connection could not be opened: ECONNREFUSED')
  })

  it('a message that is neither a string nor an ArrayBuffer is reported and ignored', async () => {
    vi.useFakeTimers()
    ScriptedSocket.reset(behaving())
    const { gateway } = connectScripted()
    await vi.advanceTimersByTimeAsync(0)
    const warned = vi.fn()
    gateway.on('warning', warned)
    for (const data of [5, null, undefined, {}, new Uint8Array(2)]) ScriptedSocket.last.emit('message', { data })
    const message = 'received a message that is neither a string nor an ArrayBuffer'
    expect(warned.mock.calls).toEqual(Array(5).fill([{ code: 'malformed_frame', message }]))
    expect(gateway.state).toBe('ready')
  })

  it('waitFor() rejects with its event and its timeout if no matching event is received', async () => {
    vi.useFakeTimers()
    ScriptedSocket.reset(behaving())
    const { gateway } = connectScripted()
    await vi.advanceTimersByTimeAsync(0)
    const waiting = rejectionOf(gateway.waitFor('relationshipAdd', { timeout: 200 }), isTimeoutError)
    await vi.advanceTimersByTimeAsync(200)
    const { endpoint, limit, limitMs, message } = await waiting
    expect([endpoint, limit, limitMs]).toEqual(["gateway.waitFor('relationshipAdd')", 'timeout', 200])
    expect(message).toContain('no matching event was received within 200 ms')
  })

  it('it is classified by its close code if it closes at once', async () => {
    vi.useFakeTimers()
    ScriptedSocket.reset(behaving())
    const { gateway } = connectScripted()
    await vi.advanceTimersByTimeAsync(0)
    ScriptedSocket.last.emit('error')
    ScriptedSocket.last.emit('close', { code: 4004 })
    expect(gateway.state).toBe('closed')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('it is replaced if it throws when a frame is sent', async () => {
    vi.useFakeTimers()
    ScriptedSocket.reset(behaving())
    const { gateway } = connectScripted()
    await vi.advanceTimersByTimeAsync(0)
    const lost = gateway.waitFor('stateChange')
    ScriptedSocket.last.send = () => {
      throw new Error('planted')
    }
    ScriptedSocket.last.receive({ op: 1 })
    expect(await lost).toMatchObject({ state: 'reconnecting', reason: 'the socket failed to send' })
    await vi.advanceTimersByTimeAsync(100)
    expect(gateway.state).toBe('ready')
  })

  it('it is resumed if it was open and never emits close', async () => {
    vi.useFakeTimers()
    ScriptedSocket.reset(behaving())
    const { gateway } = connectScripted()
    await vi.advanceTimersByTimeAsync(0)
    const lost = gateway.waitFor('stateChange')
    ScriptedSocket.last.emit('error', { message: 'reset' })
    await vi.advanceTimersByTimeAsync(0)
    expect(await lost).toMatchObject({ state: 'reconnecting', reason: 'the connection failed: reset' })
    expect(gateway.latency).toBeNull()
    await vi.advanceTimersByTimeAsync(100)
    expect(ScriptedSocket.last.sentOf(6)).toHaveLength(1)
    expect(gateway.state).toBe('ready')
  })
})

/** Returns a WebSocket class that records its name when it is constructed. */
function recordingClass(opened: string[], name: string) {
  return class extends WsWebSocket {
    constructor(url: string) {
      super(url)
      opened.push(name)
    }
  }
}

describe('the WebSocket class', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.doUnmock('isomorphic-ws')
  })

  it('it is the option, or that of the platform at connect time, or that of ws', async () => {
    const server = await serveGateway()
    const opened: string[] = []
    vi.stubGlobal('WebSocket', recordingClass(opened, 'platform'))
    const given = createGatewayClient(server, { gateway: { WebSocket: recordingClass(opened, 'given') } })
    await given.gateway.connect()
    const { gateway } = createGatewayClient(server)
    await gateway.connect()
    expect(opened).toEqual(['given', 'platform'])

    vi.stubGlobal('WebSocket', recordingClass(opened, 'another'))
    const resumed = gateway.waitFor('resumed')
    server.peers.at(-1)?.socket.terminate()
    await resumed
    expect(opened).toEqual(['given', 'platform', 'another'])

    vi.stubGlobal('WebSocket', undefined)
    await createGatewayClient(server).gateway.connect()
    expect(opened).toHaveLength(3)
    expect(server.peers).toHaveLength(4)
  })

  it('it is that of ws in Node instead of its own, unless the global was replaced', async () => {
    const server = await serveGateway()
    const opened: string[] = []
    class Own extends recordingClass(opened, 'own') {}
    // As in Node 22: a class without `terminate`.
    Object.setPrototypeOf(Own.prototype, EventTarget.prototype)
    vi.stubGlobal('WebSocket', Own)
    vi.resetModules()
    const { Client } = await import('rapport-sdk')
    const backoff = { initialDelay: 0, baseDelay: 0 }
    const client = new Client({
      baseUrl: 'https://service.example',
      token: 'a token',
      gateway: { url: server.url, backoff },
    })
    onTestFinished(() => client.dispose())
    const { gateway } = client
    await gateway.connect()
    expect(opened).toEqual([])

    vi.stubGlobal('WebSocket', recordingClass(opened, 'another'))
    const resumed = gateway.waitFor('resumed')
    server.peers.at(-1)?.socket.terminate()
    await resumed
    expect(opened).toEqual(['another'])

    // As of a test library: without `terminate`, as well.
    ScriptedSocket.reset(behaving())
    vi.stubGlobal('WebSocket', ScriptedSocket)
    const again = gateway.waitFor('resumed')
    server.peers.at(-1)?.socket.terminate()
    await again
    expect(ScriptedSocket.sockets).toHaveLength(1)
  })

  it('it is that of a platform that can destroy a connection, as in Bun', async () => {
    const server = await serveGateway()
    const opened: string[] = []
    vi.stubGlobal('WebSocket', recordingClass(opened, 'own'))
    vi.resetModules()
    const { Client } = await import('rapport-sdk')
    const client = new Client({ baseUrl: 'https://service.example', token: 'a token', gateway: { url: server.url } })
    onTestFinished(() => client.dispose())
    await client.gateway.connect()
    expect(opened).toEqual(['own'])
  })

  it('it is that of the mock even if it replaces the global one before the package is loaded', async () => {
    const service = createMockService()
    onTestFinished(() => service.close())
    const token = service.token(service.users.create({ login: 'ada@example.com' }))
    vi.stubGlobal('WebSocket', service.WebSocket)
    vi.resetModules()
    const { Client } = await import('rapport-sdk')
    const client = new Client({ baseUrl: service.baseUrl, token, gateway: { url: service.gateway.url } })
    onTestFinished(() => client.dispose())
    await client.gateway.connect()
    expect(client.gateway.state).toBe('ready')
  })

  it('it is that of a browser with a partial `process`, as of a bundler', async () => {
    ScriptedSocket.reset(behaving())
    vi.stubGlobal('WebSocket', ScriptedSocket)
    vi.stubGlobal('process', Object.create(process, { versions: { value: undefined } }))
    vi.resetModules()
    const { Client } = await import('rapport-sdk')
    const gateway = { url: 'wss://gateway.example' }
    const client = new Client({ baseUrl: 'https://service.example', token: 'a token', gateway })
    onTestFinished(() => client.dispose())
    await client.gateway.connect()
    expect(ScriptedSocket.sockets).toHaveLength(1)
  })

  it('a platform without any WebSocket class is an error', async () => {
    vi.stubGlobal('WebSocket', undefined)
    vi.doMock('isomorphic-ws', () => ({ default: null }))
    const { gateway } = createGatewayClient({ url: 'wss://gateway.example' })
    const error = await rejectionOf(gateway.connect(), isGatewayError)
    expect(error.reason).toBe('no_socket')
    expect(error.message).toContain('gateway.WebSocket')
  })
})
