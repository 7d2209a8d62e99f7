import { describe, expect, it, vi } from 'vitest'
import { until } from '../live/set-up'
import { createGatewayClient, READY, serveGateway, TOKEN } from '../servers/gateway-server'
import { behaving, refuse, ScriptedSocket } from '../servers/scripted-socket'

const remove = (id: number) => ['RELATIONSHIP_REMOVE', { id: String(id) }, id] as const

/** Connects a client to a server that replays `missed` on Resume, and records the IDs of the events received. */
async function replaying(missed: readonly number[] = [], ready: object = READY) {
  const server = await serveGateway({
    onIdentify: (peer) => peer.ready(ready),
    onResume: (peer) => {
      for (const id of missed) peer.dispatch(...remove(id))
      peer.dispatch('RESUMED', {}, (missed.at(-1) ?? 1) + 1)
    },
  })
  const { gateway } = createGatewayClient(server)
  const received: number[] = []
  const warnings: string[] = []
  gateway.on('relationshipRemove', ({ id }) => received.push(Number(id)))
  gateway.on('warning', ({ code }) => warnings.push(code))
  await gateway.connect()
  return { server, gateway, received, warnings }
}

describe('a lost connection', () => {
  it('it is resumed with the session and the last sequence number', async () => {
    const { server, gateway } = await replaying()
    const peer = await server.peer()
    peer.dispatch(...remove(2))
    await gateway.waitFor('relationshipRemove')
    const resumed = gateway.waitFor('resumed')
    peer.socket.terminate()
    const next = await server.peer(1)
    expect(await next.expect(6)).toEqual({ op: 6, d: { token: TOKEN, session_id: READY.session_id, seq: 2 } })
    await resumed
    expect(gateway.state).toBe('ready')
    expect(next.received(2)).toEqual([])
  })

  it('it is resumed after refused connections, and missed events arrive', async () => {
    const { server, gateway, received } = await replaying([2, 3, 4])
    const states: string[] = []
    gateway.on('stateChange', ({ state }) => states.push(state))
    await server.close()
    await vi.waitFor(() => expect(states.filter((state) => state === 'connecting').length).toBeGreaterThan(8))
    expect(gateway.sessionHash).toBe(READY.auth_session_id_hash)
    const resumed = gateway.waitFor('resumed')
    await server.listen()
    expect(await resumed).toEqual({ replayed: 3 })
    expect(received).toEqual([2, 3, 4])
    expect(server.peers.at(-1)?.received(2)).toEqual([])
  })

  it('it is resumed after five seconds of downtime', async () => {
    const { server, gateway, received } = await replaying([2])
    await server.close()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
    const pass = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms)
      // The attempt that this has started, if any, ends.
      await until(() => gateway.state === 'reconnecting' || gateway.state === 'ready')
    }
    const refused = vi.fn()
    gateway.on('stateChange', ({ state }) => state === 'connecting' && refused())
    for (let ms = 0; ms < 5_000; ms += 250) await pass(250)
    expect(refused.mock.calls.length).toBeGreaterThan(1)
    const resumed = gateway.waitFor('resumed')
    await server.listen()
    await pass(5_000)
    expect(await resumed).toEqual({ replayed: 1 })
    expect(received).toEqual([2])
  })

  it('it is resumed at the resume_gateway_url of Ready', async () => {
    const { url } = await serveGateway()
    const other = await serveGateway()
    const server = await serveGateway({
      onIdentify: (peer) => peer.ready({ ...READY, resume_gateway_url: `${other.url}/resume` }),
    })
    const { gateway } = createGatewayClient({ url: `${server.url}/?v=1` })
    await gateway.connect()
    ;(await server.peer()).socket.terminate()
    const peer = await other.peer()
    await peer.expect(6)
    expect(peer.path).toBe('/resume?v=1')
    expect(url).not.toBe(other.url)
  })

  it('it is resumed at the url of the options if the resume_gateway_url is unreachable', async () => {
    const gone = await serveGateway()
    await gone.close()
    const { server } = await replaying([], { ...READY, resume_gateway_url: gone.url })
    ;(await server.peer()).socket.terminate()
    expect(await (await server.peer(1)).expect(6)).toMatchObject({ d: { session_id: READY.session_id } })
  })

  it('it is tried three times at an unreachable resume_gateway_url', async () => {
    ScriptedSocket.reset(behaving())
    const { gateway } = createGatewayClient(
      { url: 'wss://gateway.example' },
      { gateway: { WebSocket: ScriptedSocket } },
    )
    await gateway.connect()
    const ready = { ...READY, session_id: 'session-2', resume_gateway_url: 'wss://resume.example' }
    ScriptedSocket.last.receive({ op: 0, t: 'READY', s: 2, d: ready })
    ScriptedSocket.script = (socket) => (socket.url.includes('resume') ? refuse(socket) : behaving()(socket))
    const resumed = gateway.waitFor('resumed')
    ScriptedSocket.last.emit('close', { code: 1006 })
    await resumed
    const resume = 'wss://resume.example/'
    expect(ScriptedSocket.sockets.slice(1).map(({ url }) => url)).toEqual([
      resume,
      resume,
      resume,
      'wss://gateway.example/',
    ])
  })

  it.each([
    'http://127.0.0.1',
    'ws://gateway.example',
    'wss://ada:secret@gateway.example',
    'wss://a.example/#',
    'x',
    5,
  ])('it is not resumed at %s', async (resume_gateway_url) => {
    const { server } = await replaying([], { ...READY, resume_gateway_url })
    ;(await server.peer()).socket.terminate()
    await (await server.peer(1)).expect(6)
  })

  it('it is not resumed without TLS if it was over TLS, not even on loopback', async () => {
    const ready = { ...READY, resume_gateway_url: 'ws://127.0.0.1:9' }
    ScriptedSocket.reset(behaving())
    const { gateway } = createGatewayClient(
      { url: 'wss://gateway.example' },
      { gateway: { WebSocket: ScriptedSocket } },
    )
    await gateway.connect()
    ScriptedSocket.last.receive({ op: 0, t: 'READY', s: 2, d: { ...ready, session_id: 'session-2' } })
    const resumed = gateway.waitFor('resumed')
    ScriptedSocket.last.emit('close', { code: 1006 })
    await resumed
    expect(ScriptedSocket.last.url).toBe('wss://gateway.example/')
  })

  it.each([undefined, '', 5, null])('starts a new session without a session ID (%j)', async (session_id) => {
    const { server } = await replaying([], { ...READY, session_id })
    ;(await server.peer()).socket.terminate()
    await (await server.peer(1)).expect(2)
  })

  it('a connection is resumed when the service asks to reconnect', async () => {
    const { server } = await replaying()
    const peer = await server.peer()
    peer.send({ op: 7 })
    await (await server.peer(1)).expect(6)
    expect(peer.closeCode).toBe(4000)
  })

  it.each([4000, 4001, 4005, 4008, 1001, 1006, 1011, 1012])(
    'a connection that is closed with code %i is resumed',
    async (code) => {
      const { server } = await replaying()
      const peer = await server.peer()
      if (code === 1006) peer.socket.terminate()
      else peer.socket.close(code)
      await (await server.peer(1)).expect(6)
    },
  )

  it.each([4003, 4007, 4009])('a connection that is closed with code %i starts a new session', async (code) => {
    const { server } = await replaying()
    ;(await server.peer()).socket.close(code)
    await (await server.peer(1)).expect(2)
  })
})

describe('sequence numbers', () => {
  it('an event whose sequence number arrives again is delivered once', async () => {
    const { server, gateway, received, warnings } = await replaying([2, 3, 3, 2, 4])
    const peer = await server.peer()
    for (const id of [2, 2, 3, 2, 3]) peer.dispatch(...remove(id))
    await gateway.waitFor('relationshipRemove', { filter: ({ id }) => id === '3' })
    peer.socket.terminate()
    const { replayed } = await gateway.waitFor('resumed')
    expect(received).toEqual([2, 3, 4])
    expect(replayed).toBe(1)
    expect(warnings).toEqual([])
  })

  it('a Ready whose sequence number arrives again starts the session once', async () => {
    const { server, gateway, received, warnings } = await replaying()
    let begun = 0
    gateway.on('ready', () => begun++)
    const peer = await server.peer()
    peer.dispatch(...remove(2)).dispatch('READY', READY, 1)
    peer.dispatch(...remove(3))
    await gateway.waitFor('relationshipRemove', { filter: ({ id }) => id === '3' })
    expect(begun).toBe(0)
    expect(received).toEqual([2, 3])
    expect(warnings).toEqual([])
  })

  it.each([2.5, -1, 1e308, '3', null])('an invalid sequence number such as %j is not counted', async (number) => {
    const { server, gateway, received, warnings } = await replaying()
    const peer = await server.peer()
    peer.socket.send(JSON.stringify({ op: 0, t: 'RELATIONSHIP_REMOVE', s: number, d: { id: '9' } }))
    peer.dispatch(...remove(2))
    await gateway.waitFor('relationshipRemove', { filter: ({ id }) => id === '2' })
    expect(received).toEqual([9, 2])
    expect(warnings).toEqual([])
  })

  it('a gap in the sequence causes a warning, and later events are delivered', async () => {
    const { server, gateway, received } = await replaying()
    const gap = gateway.waitFor('warning')
    const peer = await server.peer()
    peer.dispatch(...remove(2)).dispatch(...remove(5))
    expect(await gap).toEqual({
      code: 'sequence_gap',
      message: 'missed 2 event(s) before sequence number 5',
    })
    await vi.waitFor(() => expect(received).toEqual([2, 5]))
  })

  it('events out of order cause a warning, and all of them are delivered', async () => {
    const { server, gateway, received, warnings } = await replaying()
    const peer = await server.peer()
    for (const id of [2, 4, 3, 5]) peer.dispatch(...remove(id))
    await gateway.waitFor('relationshipRemove', { filter: ({ id }) => id === '5' })
    expect(received).toEqual([2, 4, 3, 5])
    expect(new Set(warnings)).toEqual(new Set(['sequence_gap']))
  })

  it('a resume that leaves out an event causes a warning', async () => {
    const { server, gateway, warnings } = await replaying([4])
    ;(await server.peer()).socket.terminate()
    await gateway.waitFor('resumed')
    expect(warnings).toEqual(['sequence_gap'])
  })

  it('a new session starts a new sequence', async () => {
    const { server, gateway, received, warnings } = await replaying()
    const peer = await server.peer()
    for (const id of [2, 3, 4]) peer.dispatch(...remove(id))
    await gateway.waitFor('relationshipRemove', { filter: ({ id }) => id === '4' })
    peer.socket.close(4009)
    await gateway.waitFor('ready')
    ;(await server.peer(1)).dispatch(...remove(2))
    await vi.waitFor(() => expect(received).toEqual([2, 3, 4, 2]))
    expect(warnings).toEqual([])
  })

  it('events without a sequence number are delivered', async () => {
    const { server, received, warnings } = await replaying()
    const peer = await server.peer()
    for (const id of [7, 7]) peer.dispatch('RELATIONSHIP_REMOVE', { id: String(id) }, null)
    await vi.waitFor(() => expect(received).toEqual([7, 7]))
    expect(warnings).toEqual([])
  })
})
