import { isTimeoutError } from 'rapport-sdk'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { deferred } from '../deferred'
import { createGatewayClient, type Peer, READY, serveGateway } from '../servers/gateway-server'
import { behaving, connectScripted, ScriptedSocket } from '../servers/scripted-socket'
import { pass, stopClock } from '../stopped-clock'
import { pathsOf, reasonOf, rejectionOf } from '../transport/rejection'

describe('connect() with a timeout', () => {
  it('rejects with a TimeoutError that says why the last attempt failed', async () => {
    vi.useFakeTimers()
    ScriptedSocket.reset((socket) => {
      socket.send = () => socket.emit('close', { code: 1011, reason: 'overloaded' })
      behaving()(socket)
    })
    const { gateway } = createGatewayClient(
      { url: 'wss://gateway.example' },
      { gateway: { WebSocket: ScriptedSocket } },
    )
    const connected = rejectionOf(gateway.connect({ timeout: 1_000 }), isTimeoutError)
    await vi.advanceTimersByTimeAsync(1_000)
    const error = await connected
    expect(error).toMatchObject({ endpoint: 'gateway.connect', limit: 'timeout', limitMs: 1_000 })
    expect(error.message).toContain('closed with 1011: overloaded')
    expect(error.cause).toMatchObject({ name: 'GatewayError', reason: 'connection_failed', closeCode: 1011 })
    expect(gateway.state).toBe('closed')
    const before = ScriptedSocket.sockets.length
    await vi.advanceTimersByTimeAsync(600_000)
    expect(ScriptedSocket.sockets).toHaveLength(before)
  })

  it('rejects if the service accepts the connection and stays silent', async () => {
    const accepted = deferred<Peer>()
    const server = await serveGateway({ onConnect: accepted.resolve })
    stopClock()
    const { gateway } = createGatewayClient(server)
    const failed = rejectionOf(gateway.connect({ timeout: 2000 }), isTimeoutError)
    const peer = await accepted.promise
    await pass(2000)
    vi.useRealTimers()
    expect((await failed).message).toBe('gateway.connect: no session started within 2000 ms (`timeout`).')
    await vi.waitFor(() => expect(peer.isOpen).toBe(false))
  })

  it('does not affect another connect() without one', async () => {
    const identified = deferred<Peer>()
    const server = await serveGateway({ onIdentify: identified.resolve })
    const { gateway } = createGatewayClient(server)
    const bounded = reasonOf(gateway.connect({ timeout: 50 }))
    const unbounded = gateway.connect()
    expect(await bounded).toSatisfy(isTimeoutError)
    const peer = await identified.promise
    peer.ready()
    await expect(unbounded).resolves.toEqual(READY)
  })

  it('does not end an established connection', async () => {
    vi.useFakeTimers()
    ScriptedSocket.reset(behaving())
    const { gateway } = createGatewayClient(
      { url: 'wss://gateway.example' },
      { gateway: { WebSocket: ScriptedSocket } },
    )
    await gateway.connect({ timeout: 2_000 })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(gateway.state).toBe('ready')
    expect(ScriptedSocket.sockets).toHaveLength(1)
  })

  it('can be called again after it has timed out', async () => {
    let isSilent = true
    const server = await serveGateway({ onIdentify: (peer) => void (isSilent || peer.ready()) })
    const { gateway } = createGatewayClient(server)
    await rejectionOf(gateway.connect({ timeout: 50 }), isTimeoutError)
    isSilent = false
    await expect(gateway.connect()).resolves.toEqual(READY)
  })

  it.each([0, -1, Number.NaN, '5', null])('rejects the timeout %j', async (timeout) => {
    const { gateway } = createGatewayClient({ url: 'wss://gateway.example' })
    const error = await reasonOf(gateway.connect({ timeout: timeout as never }))
    expect(pathsOf(error as Parameters<typeof pathsOf>[0])).toEqual(['timeout'])
    expect(gateway.state).toBe('idle')
  })
})

describe('the time limits of Hello, Ready and Resumed', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })

  const endsAfter = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms - 1)
    expect(ScriptedSocket.sockets).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1_001)
    expect(ScriptedSocket.sockets).toHaveLength(2)
    expect(ScriptedSocket.sockets[0]?.closeCodes).toEqual([4000])
  }

  it('replace a connection that does not open', async () => {
    ScriptedSocket.reset()
    connectScripted()
    await vi.advanceTimersByTimeAsync(0)
    await endsAfter(15_000)
  })

  it('replace a connection that opens without Hello', async () => {
    ScriptedSocket.reset((socket) => queueMicrotask(() => socket.emit('open')))
    connectScripted()
    await vi.advanceTimersByTimeAsync(0)
    await endsAfter(15_000)
  })

  it('replace a connection without Ready', async () => {
    ScriptedSocket.reset((socket) => {
      socket.send = () => {}
      behaving()(socket)
    })
    const { gateway } = connectScripted()
    const reasons: (string | undefined)[] = []
    gateway.on('stateChange', ({ reason }) => reasons.push(reason))
    await vi.advanceTimersByTimeAsync(0)
    await endsAfter(30_000)
    expect(reasons).toContain('Ready was not received within 30000 ms')
  })

  it('replace a connection without Resumed', async () => {
    ScriptedSocket.reset(behaving())
    const { gateway } = connectScripted()
    await vi.advanceTimersByTimeAsync(0)
    const first = ScriptedSocket.last
    ScriptedSocket.reset((socket) => {
      socket.send = () => {}
      behaving()(socket)
    })
    first.emit('close', { code: 1006 })
    // In steps of one millisecond, because the wait before it opens is random.
    while (gateway.state !== 'resuming') await vi.advanceTimersByTimeAsync(1)
    await endsAfter(30_000)
  })

  it('no longer apply once they were met', async () => {
    ScriptedSocket.reset(behaving())
    connectScripted()
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    expect(ScriptedSocket.sockets).toHaveLength(1)
  })
})
