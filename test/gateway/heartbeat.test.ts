import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createGatewayClient, READY, serveGateway } from '../servers/gateway-server'
import { behaving, connectScripted, ScriptedSocket } from '../servers/scripted-socket'

const INTERVAL = 40_000

describe('a missed acknowledgement', () => {
  it('drops the connection and opens another without waiting for its close', async () => {
    const server = await serveGateway({ onConnect: (peer) => peer.hello(100) })
    const { gateway } = createGatewayClient(server)
    await gateway.connect()
    const old = await server.peer()
    await old.expect(1)
    old.freeze()
    // The frozen connection never closes.
    const next = await server.peer(1)
    expect(await next.expect(6)).toMatchObject({ d: { session_id: READY.session_id } })
    await vi.waitFor(() => expect(gateway.state).toBe('ready'))
  })

  it('closes the connection with 4000, so that the service keeps the session', async () => {
    const server = await serveGateway({
      onConnect: (peer) => peer.hello(100),
      onHeartbeat: (peer) => {
        if (server.peers.length > 1) peer.send({ op: 11 })
      },
    })
    const { gateway } = createGatewayClient(server)
    await gateway.connect()
    const old = await server.peer()
    await vi.waitFor(() => expect(old.closeCode).toBe(4000))
    await server.peer(1)
  })

  it('late frames of a dropped connection are ignored, and one connection stays open', async () => {
    vi.useFakeTimers()
    ScriptedSocket.reset(behaving(INTERVAL))
    const { gateway } = createGatewayClient(
      { url: 'wss://gateway.example' },
      { gateway: { WebSocket: ScriptedSocket } },
    )
    const seen: string[] = []
    gateway.on('relationshipRemove', ({ id }) => seen.push(id))
    gateway.on('stateChange', ({ state }) => seen.push(state))
    await gateway.connect()
    const old = ScriptedSocket.last
    old.acknowledges = false
    old.closes = false
    await vi.advanceTimersByTimeAsync(3 * INTERVAL)
    expect(ScriptedSocket.sockets).toHaveLength(2)
    expect(old.closeCodes).toEqual([4000])
    seen.length = 0
    old.receive({ op: 0, t: 'RELATIONSHIP_REMOVE', s: 2, d: { id: '1' } })
    old.receive({ op: 0, t: 'READY', s: 1, d: { auth_session_id_hash: 'late' } })
    old.receive({ op: 7 })
    old.receive({ op: 9, d: false })
    old.receive({ op: 10, d: { heartbeat_interval: 100 } })
    old.emit('close', { code: 4004 })
    await vi.advanceTimersByTimeAsync(INTERVAL / 2)
    expect(seen).toEqual([])
    expect(gateway.sessionHash).toBe(READY.auth_session_id_hash)
    expect(ScriptedSocket.sockets).toHaveLength(2)
  })
})

describe('heartbeats', () => {
  const url = 'wss://gateway.example'
  let socket: ScriptedSocket
  const beats = () => socket.sentOf(1).length

  beforeEach(() => {
    vi.useFakeTimers()
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    ScriptedSocket.reset(behaving(INTERVAL))
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  async function connected() {
    const { gateway } = createGatewayClient({ url }, { gateway: { WebSocket: ScriptedSocket } })
    await gateway.connect()
    socket = ScriptedSocket.last
    return gateway
  }

  it('start after a random part of the interval, with the last sequence number', async () => {
    await connected()
    await vi.advanceTimersByTimeAsync(INTERVAL / 2 - 1)
    expect(beats()).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(socket.sentOf(1)).toEqual([{ op: 1, d: 1 }])
    await vi.advanceTimersByTimeAsync(INTERVAL)
    expect(beats()).toBe(2)
  })

  it('carry null if no event has had a sequence number', async () => {
    ScriptedSocket.reset(behaving(100))
    const { gateway } = createGatewayClient({ url }, { gateway: { WebSocket: ScriptedSocket } })
    gateway.connect().catch(() => {})
    await vi.advanceTimersByTimeAsync(0)
    ScriptedSocket.last.receive({ op: 0, t: 'READY', s: null, d: READY })
    await vi.advanceTimersByTimeAsync(50)
    expect(ScriptedSocket.last.sentOf(1)).toEqual([{ op: 1, d: null }])
  })

  it('they are not postponed by traffic', async () => {
    await connected()
    for (let second = 0; second < 100; second++) {
      socket.receive({ op: 0, t: 'RELATIONSHIP_REMOVE', s: second + 2, d: { id: '1' } })
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect(beats()).toBe(3)
  })

  it('idle connections share the timer that looks for a suspension, which ends with the last of them', async () => {
    const gateways = [await connected(), await connected(), await connected()]
    const setTimeoutSpy = vi.spyOn(globalThis, 'setTimeout')
    await vi.advanceTimersByTimeAsync(INTERVAL / 2 - 1_000)
    // 19 seconds: one look every five seconds, whatever the number of connections.
    expect(setTimeoutSpy).toHaveBeenCalledTimes(3)
    expect(vi.getTimerCount()).toBe(gateways.length + 1)

    for (const gateway of gateways) void gateway.disconnect()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('they are sent at once if the service requests one', async () => {
    await connected()
    socket.receive({ op: 1 })
    expect(beats()).toBe(1)
  })

  it('measure the latency', async () => {
    const gateway = await connected()
    expect(gateway.latency).toBeNull()
    socket.acknowledges = false
    await vi.advanceTimersByTimeAsync(INTERVAL / 2)
    await vi.advanceTimersByTimeAsync(120)
    socket.receive({ op: 11 })
    expect(gateway.latency).toBe(120)
    // This acknowledgement follows no heartbeat.
    await vi.advanceTimersByTimeAsync(50)
    socket.receive({ op: 11 })
    expect(gateway.latency).toBe(120)
  })

  it('start over with each connection, without the unacknowledged ones of the last', async () => {
    await connected()
    socket.acknowledges = false
    await vi.advanceTimersByTimeAsync(INTERVAL / 2 + 10)
    expect(beats()).toBe(1)
    socket.emit('close', { code: 1006 })
    await vi.advanceTimersByTimeAsync(0)
    expect(ScriptedSocket.sockets).toHaveLength(2)
    socket = ScriptedSocket.last
    await vi.advanceTimersByTimeAsync(INTERVAL / 2 - 1)
    expect(beats()).toBe(0)
    await vi.advanceTimersByTimeAsync(3 * INTERVAL)
    expect(ScriptedSocket.sockets).toHaveLength(2)
  })

  it('end the connection one interval later and not before if they are not acknowledged', async () => {
    await connected()
    socket.acknowledges = false
    await vi.advanceTimersByTimeAsync(INTERVAL / 2 + INTERVAL - 1)
    expect(socket.closeCodes).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(socket.closeCodes).toEqual([4000])
  })

  /** Throttles the timers of a tab for half a minute while a heartbeat is unacknowledged. Frames are read after the timers. */
  async function throttle() {
    await connected()
    socket.acknowledges = false
    await vi.advanceTimersByTimeAsync(INTERVAL / 2 + INTERVAL - 5_000)
    expect(beats()).toBe(1)
    vi.setSystemTime(Date.now() + 30_000)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(socket.closeCodes).toEqual([])
    expect(beats()).toBe(2)
  }

  it('a late timer in a hidden tab does not by itself end the connection', async () => {
    await throttle()
    socket.receive({ op: 11 })
    socket.acknowledges = true
    await vi.advanceTimersByTimeAsync(3 * INTERVAL)
    expect(ScriptedSocket.sockets).toHaveLength(1)
  })

  it('end the connection soon if they are late and stay unacknowledged', async () => {
    await throttle()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(socket.closeCodes).toEqual([4000])
  })

  it('they are sent at once after a clock jump over two intervals', async () => {
    await connected()
    await vi.advanceTimersByTimeAsync(INTERVAL / 2)
    expect(beats()).toBe(1)
    vi.setSystemTime(Date.now() + 2.5 * INTERVAL)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(beats()).toBe(2)
    expect(socket.closeCodes).toEqual([])
  })

  it('a peer that was lost during sleep has a few seconds to acknowledge', async () => {
    await connected()
    socket.acknowledges = false
    vi.setSystemTime(Date.now() + 1_000 * INTERVAL)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(beats()).toBe(1)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(socket.closeCodes).toEqual([4000])
    await vi.advanceTimersByTimeAsync(100)
    expect(ScriptedSocket.sockets).toHaveLength(2)
  })

  it('keep their pace if the system clock is set back', async () => {
    await connected()
    vi.setSystemTime(Date.now() - 24 * 60 * 60_000)
    await vi.advanceTimersByTimeAsync(INTERVAL / 2)
    expect(beats()).toBe(1)
    await vi.advanceTimersByTimeAsync(2 * INTERVAL)
    expect(beats()).toBe(3)
  })
})

it('heartbeats of several connections that are due within a second are sent together, others at their time', async () => {
  vi.useFakeTimers()
  const random = vi.spyOn(Math, 'random')
  onTestFinished(() => void random.mockRestore())
  ScriptedSocket.reset(behaving(INTERVAL))
  for (const dueAt of [10_000, 10_900, 12_000]) {
    random.mockReturnValue(dueAt / INTERVAL)
    const { gateway } = connectScripted()
    await vi.advanceTimersByTimeAsync(0)
    expect(gateway.state).toBe('ready')
  }
  const beats = () => ScriptedSocket.sockets.map(({ sent }) => sent.filter(({ op }) => op === 1).length)

  await vi.advanceTimersByTimeAsync(9_999)
  expect(beats()).toEqual([0, 0, 0])
  await vi.advanceTimersByTimeAsync(1)
  expect(beats()).toEqual([1, 1, 0])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(beats()).toEqual([1, 1, 1])
  await vi.advanceTimersByTimeAsync(INTERVAL - 2_000)
  expect(beats()).toEqual([2, 2, 1])
})
