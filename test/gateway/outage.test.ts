import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { inspect } from 'node:util'
import type { GatewayStateChange, GatewayWarning } from 'rapport-sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  createGatewayClient,
  type GatewayHandlers,
  NO_WAIT,
  READY,
  serveGateway,
  TOKEN,
} from '../servers/gateway-server'
import { behaving, connectScripted, ScriptedSocket } from '../servers/scripted-socket'

const url = 'wss://gateway.example'

/** How a failing service responds to Identify. */
const FAILURES: Readonly<Record<string, NonNullable<GatewayHandlers['onIdentify']>>> = {
  'closes Identify with 1011': (peer) => peer.socket.close(1011),
  'closes Identify with 1012': (peer) => peer.socket.close(1012),
  'closes Identify with 1013': (peer) => peer.socket.close(1013),
  'closes Identify with 4008': (peer) => peer.socket.close(4008),
  'closes Identify with 4009': (peer) => peer.socket.close(4009),
  'closes Identify with 1000': (peer) => peer.socket.close(1000),
  'cuts the connection on Identify': (peer) => peer.socket.terminate(),
  'asks to reconnect on Identify': (peer) => peer.send({ op: 7 }),
}

/** A gateway over scripted sockets that never reach Ready while `fails` returns true. */
function connectFailing(fails: (socket: ScriptedSocket) => boolean) {
  vi.useFakeTimers()
  let identifies = 0
  ScriptedSocket.reset((socket) => {
    const { send } = socket
    socket.send = (data) => {
      if (!String(data).includes('"op":2')) return send.call(socket, data)
      identifies++
      socket.sent.push({ op: 2 })
      if (!fails(socket)) socket.receive({ op: 0, t: 'READY', s: 1, d: READY })
    }
    behaving()(socket)
  })
  const { gateway } = createGatewayClient({ url }, { gateway: { WebSocket: ScriptedSocket } })
  return { gateway, identifies: () => identifies }
}

const closing = (code: number) => (socket: ScriptedSocket) => {
  queueMicrotask(() => socket.emit('close', { code }))
  return true
}

describe('a gateway that fails', () => {
  it.each(Object.keys(FAILURES))('it is retried until it recovers, with a warning, if it %s', async (what) => {
    let failures = 4
    const server = await serveGateway({
      onIdentify: (peer) => {
        if (failures-- > 0) FAILURES[what]?.(peer)
        else peer.ready()
      },
    })
    const { gateway } = createGatewayClient(server)
    const warnings: GatewayWarning[] = []
    const errors: unknown[] = []
    gateway.on('warning', (warning) => warnings.push(warning)).on('error', (error) => errors.push(error))
    await expect(gateway.connect()).resolves.toEqual(READY)
    expect(gateway.state).toBe('ready')
    expect(errors).toEqual([])
    expect(warnings).toHaveLength(4)
    expect(warnings[0]).toMatchObject({
      code: 'identify_failed',
      message: expect.stringContaining('no session started'),
    })
  })

  it('it is retried until it recovers if it sends Invalid Session again and again', async () => {
    let failures = 20
    const { gateway } = connectFailing((socket) => {
      if (failures-- <= 0) return false
      socket.receive({ op: 9, d: false })
      return true
    })
    const warnings: string[] = []
    gateway.on('warning', ({ code }) => warnings.push(code))
    const connecting = gateway.connect()
    await vi.advanceTimersByTimeAsync(3 * 60_000)
    expect(gateway.state).toBe('ready')
    await expect(connecting).resolves.toEqual(READY)
    expect(warnings).toHaveLength(20)
  })

  it.each([1011, 1012, 1013, 4008, 4009])(
    'never ends the client, even if it closes each Identify with %i for an hour',
    async (code) => {
      let isDown = true
      const { gateway } = connectFailing((socket) => isDown && closing(code)(socket))
      const states = new Set<string>()
      gateway.on('stateChange', ({ state }) => states.add(state))
      const connecting = gateway.connect()
      await vi.advanceTimersByTimeAsync(60 * 60_000)
      expect(states).not.toContain('closed')
      isDown = false
      await vi.advanceTimersByTimeAsync(60_000)
      expect(gateway.state).toBe('ready')
      await expect(connecting).resolves.toEqual(READY)
    },
  )

  it('gets at most one Identify in five seconds in the long run, even without a backoff', async () => {
    const { gateway, identifies } = connectFailing(closing(1011))
    gateway.connect().catch(() => {})
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    const made = identifies()
    // A burst of five, then one every five seconds.
    expect(made).toBeLessThanOrEqual(5 + 120)
    expect(made).toBeGreaterThan(100)
  })

  it('sessions that end every 13 seconds are replaced each time and are not a loop', async () => {
    vi.useFakeTimers()
    ScriptedSocket.reset(behaving())
    const { gateway } = connectScripted(NO_WAIT)
    for (let round = 0; round < 20; round++) {
      await vi.advanceTimersByTimeAsync(13_000)
      ScriptedSocket.last.emit('close', { code: 4009 })
    }
    await vi.advanceTimersByTimeAsync(1)
    expect(gateway.state).toBe('ready')
    expect(ScriptedSocket.sockets).toHaveLength(21)
  })

  it('sessions that end right after Ready are retried more slowly, with a warning', async () => {
    vi.useFakeTimers()
    ScriptedSocket.reset((socket) => {
      behaving()(socket)
      setTimeout(() => socket.emit('close', { code: 4009 }), 1)
    })
    const { gateway, warnings } = connectScripted(NO_WAIT)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(ScriptedSocket.sockets.length).toBeLessThanOrEqual(5 + 12)
    expect(warnings).toContain('identify_failed')
    expect(gateway.state).not.toBe('closed')
    gateway.disconnect()
    await vi.advanceTimersByTimeAsync(1)
  })

  it('sessions that lasted do not count as a loop: the tenth that ends after a minute is replaced at once', async () => {
    vi.useFakeTimers()
    ScriptedSocket.reset(behaving())
    const { gateway, warnings } = connectScripted(NO_WAIT)
    for (let round = 0; round < 10; round++) {
      await vi.advanceTimersByTimeAsync(60_000)
      ScriptedSocket.last.emit('close', { code: 4009 })
      await vi.advanceTimersByTimeAsync(100)
      expect(gateway.state).toBe('ready')
    }
    expect(ScriptedSocket.sockets).toHaveLength(11)
    expect(warnings).toEqual([])
  })
})

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Starts to connect, and records the state changes that say why an attempt failed. */
function recordFailures(address: string) {
  const { gateway } = createGatewayClient({ url: address })
  const changes: GatewayStateChange[] = []
  gateway.on('stateChange', (change) => {
    if (change.state === 'reconnecting') changes.push(change)
  })
  return { gateway, changes, connecting: gateway.connect() }
}

describe('the state change of a connection that cannot be opened', () => {
  it.each([401, 403, 404, 503])(
    'says that the upgrade was rejected with %i, and the gateway retries',
    async (status) => {
      const server = await serveGateway()
      server.rejectStatus = status
      const { gateway, changes, connecting } = recordFailures(server.url)
      await vi.waitFor(() => expect(changes.length).toBeGreaterThan(3))
      expect(changes[0]?.error).toMatchObject({ name: 'GatewayError', reason: 'connection_failed', status })
      expect(changes[0]?.reason).toBe(`the connection could not be opened: Unexpected server response: ${status}`)
      server.rejectStatus = undefined
      await expect(connecting).resolves.toEqual(READY)
      expect(gateway.state).toBe('ready')
    },
  )

  it.each([
    ['120', 120_000],
    ['100000', 3_600_000],
  ])('a `Retry-After: %s` of a rejected upgrade is kept, for an hour at most', async (header, delayMs) => {
    const server = await serveGateway()
    server.rejectStatus = 503
    server.rejectHeaders = { 'Retry-After': header }
    const { gateway, changes, connecting } = recordFailures(server.url)
    await vi.waitFor(() => expect(changes).toHaveLength(1))
    expect(changes[0]).toMatchObject({ delayMs, error: { reason: 'connection_failed', status: 503 } })
    await Promise.all([gateway.disconnect(), connecting.catch(() => {})])
  })

  it('says that the connection was refused', async () => {
    const server = await serveGateway()
    await server.close()
    const { changes, connecting } = recordFailures(server.url)
    await vi.waitFor(() => expect(changes.length).toBeGreaterThan(3))
    expect(changes[0]?.error).toMatchObject({ code: 'ECONNREFUSED', status: undefined, closeCode: undefined })
    expect(changes[0]?.error?.message).toContain('ECONNREFUSED')
    await server.listen()
    await connecting
  })

  it('says that all addresses of a host refused the connection', async () => {
    const server = await serveGateway()
    await server.close()
    const { changes, connecting, gateway } = recordFailures(`ws://localhost:${server.port}`)
    connecting.catch(() => {})
    await vi.waitFor(() => expect(changes.length).toBeGreaterThan(0))
    expect(changes[0]?.reason).toContain('ECONNREFUSED')
    await gateway.disconnect()
  })

  it('says that TLS failed', async () => {
    const port = await listen(
      createTcpServer((socket) =>
        socket
          .on('error', () => {})
          .resume()
          .end('HTTP/1.1 400 No\r\n\r\n'),
      ),
    )
    const { changes, connecting, gateway } = recordFailures(`wss://127.0.0.1:${port}`)
    connecting.catch(() => {})
    await vi.waitFor(() => expect(changes.length).toBeGreaterThan(0))
    expect(changes[0]?.error?.code).toMatch(/SSL|EPROTO|TLS/)
    await gateway.disconnect()
  })

  it('has the close code of the connection', async () => {
    const server = await serveGateway({ onIdentify: (peer) => peer.socket.close(1013, 'try later') })
    const { changes, connecting, gateway } = recordFailures(server.url)
    connecting.catch(() => {})
    await vi.waitFor(() => expect(changes.length).toBeGreaterThan(1))
    expect(changes[0]).toMatchObject({ closeCode: 1013, reason: 'closed with 1013: try later' })
    expect(changes[0]?.error).toMatchObject({ closeCode: 1013, message: 'gateway: closed with 1013: try later' })
    await gateway.disconnect()
  })

  it('never shows the token', async () => {
    const { changes, connecting, gateway } = recordFailures(`ws://127.0.0.1:9/${TOKEN}`)
    connecting.catch(() => {})
    await vi.waitFor(() => expect(changes.length).toBeGreaterThan(0))
    expect(inspect(changes, { depth: 9, showHidden: true }) + JSON.stringify(changes)).not.toContain(TOKEN)
    await gateway.disconnect()
  })
})
