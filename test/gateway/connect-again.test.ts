import { afterEach, describe, expect, it, vi } from 'vitest'
import { clientOf, NO_WAIT, serveGateway } from './gateway-server'
import { behaving, ScriptedSocket } from './scripted-socket'

const url = 'wss://gateway.example'

afterEach(() => {
  vi.restoreAllMocks()
})

/** A script of sockets whose service refuses the token. */
function fatal(socket: ScriptedSocket): void {
  socket.send = () => {
    socket.sent.push({ op: 2 })
    queueMicrotask(() => socket.emit('close', { code: 4004 }))
  }
  behaving()(socket)
}

describe('connect() called by a listener after every fatal close', () => {
  it.each(['error', 'stateChange'] as const)(
    'connect() called from `%s` after every fatal close waits longer each time',
    async (type) => {
      vi.useFakeTimers()
      vi.spyOn(Math, 'random').mockReturnValue(1)
      ScriptedSocket.reset(fatal)
      const { gateway } = clientOf({ url }, { gateway: { WebSocket: ScriptedSocket, backoff: {} } })
      const waits: (number | undefined)[] = []
      gateway.on('stateChange', ({ state, delayMs }) => {
        if (state === 'reconnecting') waits.push(delayMs)
      })
      gateway.on(type, () => {
        if (gateway.state === 'closed') gateway.connect().catch(() => {})
      })
      gateway.connect().catch(() => {})
      await vi.advanceTimersByTimeAsync(60_000)
      // At 0, 0.1, 1.1, 3.1, 7.1, 15.1 and 31.1 s.
      expect(ScriptedSocket.sockets).toHaveLength(7)
      expect(waits.slice(0, 4)).toEqual([100, 1_000, 2_000, 4_000])
    },
  )

  it('connect() after every fatal close sends at most one Identify in five seconds, even without a backoff', async () => {
    const server = await serveGateway({ identified: (peer) => peer.socket.close(4004) })
    const { gateway } = clientOf(server, { gateway: { backoff: NO_WAIT } })
    gateway.on('error', () => gateway.connect().catch(() => {}))
    gateway.connect().catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect(server.peers.length).toBeLessThanOrEqual(6)
    expect(gateway.state).toBe('reconnecting')
    await gateway.disconnect()
  })

  it.each([
    { end: 'a close before the greeting', token: 'the-token-of-ada' },
    { end: 'a session without a token', token: null },
  ])('connect() waits even if the listener calls disconnect() before, after $end', async ({ token }) => {
    const server = await serveGateway({ connected: (peer) => peer.socket.close(4004) })
    const { gateway, session } = clientOf(server, { gateway: { backoff: {} } })
    await session.setToken(token)
    let ends = 0
    gateway.on('error', async () => {
      ends++
      // Without a wait it would go on for ever, in microtasks.
      if (ends >= 50) return
      await gateway.disconnect()
      gateway.connect().catch(() => {})
    })
    gateway.connect().catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(ends).toBeLessThan(20)
    await gateway.disconnect()
  })

  it('connect() after every failure does not block the event loop if nobody is signed in', async () => {
    const server = await serveGateway()
    const { gateway, session } = clientOf(server, { gateway: { backoff: {} } })
    await session.setToken(null)
    let ends = 0
    gateway.on('error', () => {
      ends++
      gateway.connect().catch(() => {})
    })
    gateway.connect().catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(ends).toBeLessThan(10)
    await gateway.disconnect()
  })
})

describe('connect() called again after a fatal close', () => {
  async function ended() {
    vi.useFakeTimers()
    vi.spyOn(Math, 'random').mockReturnValue(1)
    ScriptedSocket.reset(fatal)
    const client = clientOf({ url }, { gateway: { WebSocket: ScriptedSocket, backoff: {} } })
    for (let round = 0; round < 5; round++) {
      await Promise.all([client.gateway.connect().catch(() => {}), vi.advanceTimersByTimeAsync(5_000)])
    }
    expect(client.gateway.state).toBe('closed')
    ScriptedSocket.reset(behaving())
    return client
  }

  it('connect() after a fatal close waits for the rest of the backoff', async () => {
    const { gateway } = await ended()
    const waits: (number | undefined)[] = []
    gateway.on('stateChange', ({ delayMs }) => waits.push(delayMs))
    gateway.connect().catch(() => {})
    expect(waits).toEqual([3_000])
  })

  it('connect() after a fatal close connects at once if the backoff is over', async () => {
    const { gateway } = await ended()
    await vi.advanceTimersByTimeAsync(10_000)
    gateway.connect()
    expect(gateway.state).toBe('connecting')
  })

  it('connect() after a fatal close connects at once with another token', async () => {
    const { gateway, session } = await ended()
    await session.setToken('the-token-of-grace')
    gateway.connect()
    expect(gateway.state).toBe('connecting')
  })

  it('connect() waits as long after a disconnect() that had nothing to end', async () => {
    const { gateway } = await ended()
    const waits: (number | undefined)[] = []
    gateway.on('stateChange', ({ delayMs }) => waits.push(delayMs))
    await gateway.disconnect()
    gateway.connect().catch(() => {})
    expect(waits).toEqual([3_000])
  })

  it('connect() connects at once after a disconnect() that ended the wait', async () => {
    const { gateway } = await ended()
    gateway.connect().catch(() => {})
    expect(gateway.state).toBe('reconnecting')
    await gateway.disconnect()
    gateway.connect()
    expect(gateway.state).toBe('connecting')
  })

  it('connect() starts over with its waits once a connection has lasted', async () => {
    const { gateway } = await ended()
    gateway.connect()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(gateway.state).toBe('ready')
    ScriptedSocket.script = fatal
    ScriptedSocket.last.emit('close', { code: 4004 })
    const waits: (number | undefined)[] = []
    gateway.on('stateChange', ({ delayMs }) => waits.push(delayMs))
    gateway.connect().catch(() => {})
    expect(waits).toEqual([100])
  })
})
