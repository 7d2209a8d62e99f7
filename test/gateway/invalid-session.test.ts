import { afterEach, describe, expect, it, vi } from 'vitest'
import { createGatewayClient, type GatewayHandlers, READY, serveGateway } from '../servers/gateway-server'
import { behaving, connectScripted, ScriptedSocket } from '../servers/scripted-socket'

const url = 'wss://gateway.example'

/** Returns the first operation of each connection other than a heartbeat: 2 is Identify, 6 is Resume. */
const firstOperations = () => ScriptedSocket.sockets.map(({ sent }) => sent.find(({ op }) => op !== 1)?.op)

afterEach(() => {
  vi.restoreAllMocks()
})

describe('an invalid session', () => {
  it('starts a new one after a random 1 to 5 s if it cannot be resumed', async () => {
    vi.useFakeTimers()
    const waits: number[] = []
    for (const random of [0, 0.25, 0.5, 1]) {
      vi.spyOn(Math, 'random').mockReturnValue(random)
      ScriptedSocket.reset(behaving())
      const { gateway } = createGatewayClient({ url }, { gateway: { WebSocket: ScriptedSocket, backoff: {} } })
      await gateway.connect()
      ScriptedSocket.last.receive({ op: 9, d: false })
      expect(gateway.state).toBe('reconnecting')
      const before = Date.now()
      while (ScriptedSocket.sockets.length === 1) await vi.advanceTimersToNextTimerAsync()
      waits.push(Date.now() - before)
      await vi.advanceTimersByTimeAsync(1)
      expect(firstOperations()).toEqual([2, 2])
      await gateway.disconnect()
    }
    expect(waits).toEqual([1_000, 2_000, 3_000, 5_000])
  })

  it('starts a new one after `maxDelay` if that is shorter', async () => {
    vi.useFakeTimers()
    ScriptedSocket.reset(behaving())
    const { gateway, delays } = connectScripted({ initialDelay: 0, baseDelay: 1, maxDelay: 1 })
    await vi.advanceTimersByTimeAsync(0)
    ScriptedSocket.last.receive({ op: 9, d: false })
    expect(delays).toEqual([1])
    await vi.advanceTimersByTimeAsync(2)
    expect(gateway.state).toBe('ready')
    expect(firstOperations()).toEqual([2, 2])
  })

  it('it is resumed if it can be', async () => {
    const server = await serveGateway()
    const { gateway } = createGatewayClient(server)
    await gateway.connect()
    ;(await server.peer()).send({ op: 9, d: true })
    expect(await (await server.peer(1)).expect(6)).toMatchObject({ d: { session_id: READY.session_id } })
  })

  const failures: Readonly<Record<string, GatewayHandlers['onResume']>> = {
    'are closed': (peer) => peer.socket.close(4000),
    'are cut': (peer) => peer.socket.terminate(),
    'get an invalid session': (peer) => peer.send({ op: 9, d: true }),
    'are asked to reconnect': (peer) => peer.send({ op: 7 }),
  }
  it.each(Object.keys(failures))('a session is given up if three attempts to resume it %s', async (how) => {
    const { [how]: onResume = () => {} } = failures
    const server = await serveGateway({ onResume })
    const { gateway } = createGatewayClient(server)
    await gateway.connect()
    const ready = gateway.waitFor('ready')
    ;(await server.peer()).socket.terminate()
    await ready
    expect(server.peers.map(({ frames }) => frames[0]?.op)).toEqual([2, 6, 6, 6, 2])
  })

  it('a session is given up if three attempts to resume it time out', async () => {
    vi.useFakeTimers()
    ScriptedSocket.reset(behaving())
    const { gateway } = createGatewayClient({ url }, { gateway: { WebSocket: ScriptedSocket } })
    await gateway.connect()
    const first = ScriptedSocket.last
    ScriptedSocket.script = (socket) => {
      const { send } = socket
      socket.send = (data) => {
        if (String(data).includes('"op":6')) socket.sent.push({ op: 6 })
        else send.call(socket, data)
      }
      behaving()(socket)
    }
    first.emit('close', { code: 1006 })
    await vi.advanceTimersByTimeAsync(3 * 30_000 + 100)
    expect(firstOperations()).toEqual([2, 6, 6, 6, 2])
    expect(gateway.state).toBe('ready')
  })

  it('a session that fails to resume only now and then is kept', async () => {
    let fails = false
    const server = await serveGateway({
      onResume: (peer) => {
        fails = !fails
        if (fails) peer.socket.terminate()
        else peer.dispatch('RESUMED', {})
      },
    })
    const { gateway } = createGatewayClient(server)
    await gateway.connect()
    for (let round = 0; round < 4; round++) {
      const resumed = gateway.waitFor('resumed')
      server.peers.at(-1)?.socket.terminate()
      await resumed
    }
    expect(server.peers.map(({ frames }) => frames[0]?.op)).toEqual([2, 6, 6, 6, 6, 6, 6, 6, 6])
  })
})
