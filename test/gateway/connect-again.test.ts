import { afterEach, describe, expect, it, vi } from 'vitest'
import { createGatewayClient, NO_WAIT } from '../servers/gateway-server'
import { behaving, ScriptedSocket } from '../servers/scripted-socket'

const url = 'wss://gateway.example'

afterEach(() => {
  vi.restoreAllMocks()
})

/** A script of sockets whose service rejects the token. */
function fatal(socket: ScriptedSocket): void {
  socket.send = () => {
    socket.sent.push({ op: 2 })
    queueMicrotask(() => socket.emit('close', { code: 4004 }))
  }
  behaving()(socket)
}

describe('connect() called by a listener after every fatal close', () => {
  it.each(['error', 'stateChange'] as const)('waits longer each time, called from `%s`', async (type) => {
    vi.useFakeTimers()
    vi.spyOn(Math, 'random').mockReturnValue(1)
    ScriptedSocket.reset(fatal)
    const { gateway } = createGatewayClient({ url }, { gateway: { WebSocket: ScriptedSocket, backoff: {} } })
    const waits: (number | undefined)[] = []
    gateway.on('stateChange', ({ state, delayMs }) => {
      if (state === 'reconnecting') waits.push(delayMs)
    })
    gateway.on(type, () => {
      if (gateway.state === 'closed') gateway.connect().catch(() => {})
    })
    gateway.connect().catch(() => {})
    await vi.advanceTimersByTimeAsync(60_000)
    // Attempts at 0, 0.1, 1.1, 3.1, 7.1, 15.1 and 31.1 s.
    expect(ScriptedSocket.sockets).toHaveLength(7)
    expect(waits.slice(0, 4)).toEqual([100, 1_000, 2_000, 4_000])
  })

  it('sends at most one Identify in five seconds, even without a backoff', async () => {
    vi.useFakeTimers()
    ScriptedSocket.reset(fatal)
    const { gateway } = createGatewayClient({ url }, { gateway: { WebSocket: ScriptedSocket, backoff: NO_WAIT } })
    gateway.on('error', () => gateway.connect().catch(() => {}))
    gateway.connect().catch(() => {})
    await vi.advanceTimersByTimeAsync(3_000)
    expect(ScriptedSocket.sockets.length).toBeLessThanOrEqual(6)
    await vi.advanceTimersByTimeAsync(57_000)
    expect(ScriptedSocket.sockets.length).toBeLessThanOrEqual(5 + 12)
    expect(gateway.state).toBe('reconnecting')
  })

  it.each([
    ['a close before Hello', 'the-token-of-ada'],
    ['a session without a token', null],
  ])('waits after %s even if the listener calls disconnect() first', async (_, token) => {
    vi.useFakeTimers()
    ScriptedSocket.reset((socket) =>
      queueMicrotask(() => {
        socket.emit('open')
        socket.emit('close', { code: 4004 })
      }),
    )
    const { gateway, session } = createGatewayClient({ url }, { gateway: { WebSocket: ScriptedSocket, backoff: {} } })
    await session.setToken(token)
    let ends = 0
    gateway.on('error', async () => {
      ends++
      // Without a wait, it would run forever in microtasks.
      if (ends >= 50) return
      await gateway.disconnect()
      gateway.connect().catch(() => {})
    })
    gateway.connect().catch(() => {})
    await vi.advanceTimersByTimeAsync(1_000)
    expect(ends).toBeGreaterThan(0)
    expect(ends).toBeLessThan(20)
    await gateway.disconnect()
  })

  it('connect() after every failure does not block the event loop if nobody is signed in', async () => {
    vi.useFakeTimers()
    ScriptedSocket.reset(behaving())
    const { gateway, session } = createGatewayClient({ url }, { gateway: { WebSocket: ScriptedSocket, backoff: {} } })
    await session.setToken(null)
    let ends = 0
    gateway.on('error', () => {
      ends++
      gateway.connect().catch(() => {})
    })
    gateway.connect().catch(() => {})
    await vi.advanceTimersByTimeAsync(500)
    expect(ends).toBeGreaterThan(0)
    expect(ends).toBeLessThan(10)
    await gateway.disconnect()
  })
})

describe('connect() called again after a fatal close', () => {
  async function afterFatalCloses() {
    vi.useFakeTimers()
    vi.spyOn(Math, 'random').mockReturnValue(1)
    ScriptedSocket.reset(fatal)
    const client = createGatewayClient({ url }, { gateway: { WebSocket: ScriptedSocket, backoff: {} } })
    for (let round = 0; round < 5; round++) {
      await Promise.all([client.gateway.connect().catch(() => {}), vi.advanceTimersByTimeAsync(5_000)])
    }
    expect(client.gateway.state).toBe('closed')
    ScriptedSocket.reset(behaving())
    return client
  }

  it('waits for the rest of the backoff', async () => {
    const { gateway } = await afterFatalCloses()
    const waits: (number | undefined)[] = []
    gateway.on('stateChange', ({ delayMs }) => waits.push(delayMs))
    gateway.connect().catch(() => {})
    expect(waits).toEqual([3_000])
  })

  it('connects at once if the backoff is over', async () => {
    const { gateway } = await afterFatalCloses()
    await vi.advanceTimersByTimeAsync(10_000)
    gateway.connect()
    expect(gateway.state).toBe('connecting')
  })

  it('connects at once with another token', async () => {
    const { gateway, session } = await afterFatalCloses()
    await session.setToken('the-token-of-grace')
    gateway.connect()
    expect(gateway.state).toBe('connecting')
  })

  it('waits for the rest of the backoff after a disconnect(), too', async () => {
    const { gateway } = await afterFatalCloses()
    const waits: (number | undefined)[] = []
    gateway.on('stateChange', ({ delayMs }) => waits.push(delayMs))
    await gateway.disconnect()
    gateway.connect().catch(() => {})
    expect(waits).toEqual([3_000])
  })

  it('connects at once after disconnect() has ended a wait', async () => {
    const { gateway } = await afterFatalCloses()
    gateway.connect().catch(() => {})
    expect(gateway.state).toBe('reconnecting')
    await gateway.disconnect()
    gateway.connect()
    expect(gateway.state).toBe('connecting')
  })

  it('the waits of connect() start over after a connection that lasted', async () => {
    const { gateway } = await afterFatalCloses()
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

describe('a gateway that the service has closed with 4004', () => {
  /** A gateway without `connectOnSignIn` whose token the service has rejected, and which takes the next one. */
  async function rejected() {
    ScriptedSocket.reset(fatal)
    const client = createGatewayClient({ url }, { gateway: { WebSocket: ScriptedSocket, backoff: NO_WAIT } })
    await expect(client.gateway.connect()).rejects.toThrow('closed with 4004')
    ScriptedSocket.script = behaving()
    return client
  }

  it('opens again for another token, as if it had been open', async () => {
    const { gateway, session } = await rejected()
    const ready = gateway.waitFor('ready')
    await session.setToken('the-token-of-grace')
    await ready
    expect(ScriptedSocket.last.sent).toContainEqual(
      expect.objectContaining({ op: 2, d: expect.objectContaining({ token: 'the-token-of-grace' }) }),
    )
    await gateway.disconnect()
  })

  it('stays closed for another token after disconnect() or a sign-out', async () => {
    const { gateway, session } = await rejected()
    await gateway.disconnect()
    await session.setToken('the-token-of-grace')
    expect(gateway.state).toBe('closed')
    const other = await rejected()
    for (const token of [null, 'one', 'two']) await other.session.setToken(token)
    expect(other.gateway.state).toBe('closed')
  })
})
