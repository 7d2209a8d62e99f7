import type { GatewayOptions, GatewayWarning } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { clientOf, READY, serveGateway } from './gateway-server'

describe('a greeting', () => {
  it.each([99, 99.999, 1, 0, -1, '5000', null, undefined, true, [5_000]])(
    'a Hello with an interval of %j is a warning, and the next Hello counts',
    async (heartbeat_interval) => {
      const server = await serveGateway({
        connected: (peer) => peer.send({ op: 10, d: { heartbeat_interval } }).hello(),
      })
      const { gateway } = clientOf(server)
      const warnings: GatewayWarning[] = []
      gateway.on('warning', (warning) => warnings.push(warning))
      await gateway.connect()
      expect(warnings).toEqual([
        { code: 'malformed_frame', message: 'a greeting whose heartbeat interval is not at least 100 ms' },
      ])
    },
  )

  it('a Hello with an infinite interval is rejected', async () => {
    const server = await serveGateway({
      connected: (peer) => peer.raw('{"op":10,"d":{"heartbeat_interval":1e999}}').hello(),
    })
    const { gateway } = clientOf(server)
    const warned = gateway.waitFor('warning')
    await gateway.connect()
    expect(await warned).toMatchObject({ code: 'malformed_frame' })
  })

  it('a Hello with an interval of 100 ms is accepted', async () => {
    const server = await serveGateway({ connected: (peer) => peer.hello(100) })
    const { gateway } = clientOf(server)
    const warnings: unknown[] = []
    gateway.on('warning', (warning) => warnings.push(warning))
    await gateway.connect()
    await (await server.peer()).expect(1)
    expect(warnings).toEqual([])
  })
})

/** A connected client with a limit on frames. */
async function limited(gateway: Partial<GatewayOptions> = {}) {
  const server = await serveGateway()
  const client = clientOf(server, { gateway })
  const warnings: GatewayWarning[] = []
  const heard: string[] = []
  client.gateway.on('warning', (warning) => warnings.push(warning))
  client.gateway.on('relationshipRemove', ({ id }) => heard.push(id))
  await client.gateway.connect()
  const peer = await server.peer()
  /** Sends an event in a frame of so many bytes. */
  const send = (bytes: number, sequence: number, letter = 'x') => {
    const text = (id: string) => `{"op":0,"t":"RELATIONSHIP_REMOVE","s":${sequence},"d":{"id":"${id}"}}`
    const room = bytes - text('').length
    const size = Buffer.byteLength(letter)
    peer.raw(text('x'.repeat(room % size) + letter.repeat(room / size)))
  }
  return { server, gateway: client.gateway, warnings, heard, send, peer }
}

describe('a frame above `maxFrameBytes`', () => {
  it.each(['x', 'é', '€', '😀'])(
    'a frame of the letter %s above maxFrameBytes is dropped with a warning, and the connection goes on',
    async (letter) => {
      const { server, warnings, heard, send } = await limited({ maxFrameBytes: 3_000 })
      send(3_001, 2, letter)
      send(3_000, 3, letter)
      await vi.waitFor(() => expect(heard).toHaveLength(1))
      expect(warnings).toMatchObject([
        { code: 'frame_too_large', message: 'a frame of more than 3000 bytes was dropped' },
        { code: 'sequence_gap' },
      ])
      expect(server.peers).toHaveLength(1)
    },
  )

  it('a frame is accepted at maxFrameBytes and dropped at one byte more', async () => {
    const { warnings, heard, send } = await limited({ maxFrameBytes: 500 })
    send(500, 2)
    send(501, 3)
    send(499, 3)
    await vi.waitFor(() => expect(heard).toHaveLength(2))
    expect(warnings).toMatchObject([{ code: 'frame_too_large' }])
  })

  it('a binary frame above maxFrameBytes is dropped as well', async () => {
    const { gateway, warnings, peer } = await limited({ maxFrameBytes: 500 })
    peer.raw(Buffer.alloc(501))
    peer.dispatch('RELATIONSHIP_REMOVE', { id: '1' }, 2)
    await gateway.waitFor('relationshipRemove')
    expect(warnings).toMatchObject([{ code: 'frame_too_large' }])
  })

  it('the default of maxFrameBytes is 8 MB', async () => {
    const { warnings, heard, send } = await limited()
    send(8 * 1024 * 1024, 2)
    send(8 * 1024 * 1024 + 1, 3)
    send(100, 4)
    await vi.waitFor(() => expect(heard).toHaveLength(2), { timeout: 10_000 })
    expect(warnings).toMatchObject([{ code: 'frame_too_large' }, { code: 'sequence_gap' }])
  }, 20_000)

  it('maxFrameBytes of Infinity accepts any size', async () => {
    const { warnings, heard, send } = await limited({ maxFrameBytes: Infinity })
    send(9 * 1024 * 1024, 2)
    await vi.waitFor(() => expect(heard).toHaveLength(1), { timeout: 10_000 })
    expect(warnings).toEqual([])
  }, 20_000)

  it('a Ready above maxFrameBytes is reported and retried', async () => {
    let isLarge = true
    const server = await serveGateway({
      identified: (peer) => {
        if (isLarge) peer.ready({ ...READY, filler: 'x'.repeat(1_000) }).socket.close(1011)
        else peer.ready()
        isLarge = false
      },
    })
    const { gateway } = clientOf(server, { gateway: { maxFrameBytes: 500 } })
    const warnings: string[] = []
    gateway.on('warning', ({ code }) => warnings.push(code))
    await gateway.connect()
    expect(warnings).toEqual(['frame_too_large', 'identify_failed'])
  })

  it('a dropped frame makes a live store reload, because it may have been one of its events', async () => {
    const server = await serveGateway()
    let loads = 0
    const fetch = async () => {
      loads++
      return Response.json([])
    }
    const client = clientOf(server, { fetch, gateway: { maxFrameBytes: 500 } })
    await client.gateway.connect()
    const store = client.relationships.live()
    await store.ready
    const before = loads
    ;(await server.peer()).raw(' '.repeat(501))
    await vi.waitFor(() => expect(store.stale).toBe(true), { interval: 1 })
    await vi.waitFor(() => expect(loads).toBeGreaterThan(before), { timeout: 5_000 })
  })
})
