import { defaultGatewayProtocol, type GatewayProtocol, isGatewayError } from 'rapport-sdk'
import { describe, expect, it, test, vi } from 'vitest'
import { createGatewayClient, serveGateway } from '../servers/gateway-server'
import { rejectionOf } from '../transport/rejection'

test('the default protocol has the eight event names in UPPER_SNAKE, and RESUMED', () => {
  expect(defaultGatewayProtocol.eventMap).toEqual({
    RESUMED: 'resumed',
    READY: 'ready',
    AUTH_SESSION_CHANGE: 'authSessionChange',
    RELATIONSHIP_ADD: 'relationshipAdd',
    RELATIONSHIP_UPDATE: 'relationshipUpdate',
    RELATIONSHIP_REMOVE: 'relationshipRemove',
    GAME_RELATIONSHIP_ADD: 'gameRelationshipAdd',
    GAME_RELATIONSHIP_REMOVE: 'gameRelationshipRemove',
    FRIEND_SUGGESTION_DELETE: 'friendSuggestionDelete',
  })
})

test('the default protocol knows which close codes are fatal and which end a session', () => {
  const codes = Array.from({ length: 1_000 }, (_, index) => 4_000 + index)
  const of = (action: string) => codes.filter((code) => defaultGatewayProtocol.classifyClose(code) === action)
  expect(of('fatal')).toEqual([4004, 4010, 4011, 4012, 4013, 4014])
  expect(of('fresh')).toEqual([4003, 4007, 4009])
  expect(of('resume')).toHaveLength(991)
})

describe('a custom protocol', () => {
  it('an event in bytes that arrives twice is delivered once', async () => {
    const decode: GatewayProtocol['decode'] = (data) =>
      defaultGatewayProtocol.decode(typeof data === 'string' ? data : new TextDecoder().decode(data))
    const server = await serveGateway()
    const { gateway } = createGatewayClient(server, {
      gateway: { protocol: { ...defaultGatewayProtocol, decode } },
    })
    const received: string[] = []
    gateway.on('relationshipRemove', ({ id }) => received.push(id))
    await gateway.connect()
    const peer = await server.peer()
    for (const sequence of [2, 2, 3]) {
      const frame = { op: 0, t: 'RELATIONSHIP_REMOVE', s: sequence, d: { id: `${sequence}` } }
      peer.raw(Buffer.from(JSON.stringify(frame)))
    }
    await vi.waitFor(() => expect(received).toContain('3'))
    expect(received).toEqual(['2', '3'])
  })

  it('can use bytes and its own operations', async () => {
    const bytes = (text: string) => new TextEncoder().encode(text)
    const received: string[] = []
    const server = await serveGateway({
      onConnect: (peer) => peer.raw(bytes('hello 100')),
      onMessage: (peer, data, isBinary) => {
        received.push(`${isBinary ? 'bytes' : 'text'} ${data}`)
        if (String(data).startsWith('iam')) peer.raw(bytes('event welcome {"auth_session_id_hash":"h"}'))
        if (String(data).startsWith('beat')) peer.raw(bytes('ack'))
      },
    })
    class TextProtocol implements GatewayProtocol {
      readonly eventMap = { welcome: 'ready', unfriended: 'relationshipRemove' } as const
      encode(frame: unknown) {
        return bytes(String(frame)).buffer
      }
      decode(data: string | ArrayBuffer) {
        const [kind, first = '', ...rest] = (typeof data === 'string' ? data : new TextDecoder().decode(data)).split(
          ' ',
        )
        if (kind === 'hello') return { kind: 'hello', heartbeatIntervalMs: Number(first) } as const
        if (kind === 'ack') return { kind: 'heartbeatAck' } as const
        return { kind: 'dispatch', type: first, data: JSON.parse(rest.join(' ')), sequence: null } as const
      }
      identify({ token }: { readonly token: string }) {
        return `iam ${token.length}`
      }
      resume() {
        return 'back'
      }
      heartbeat() {
        return 'beat'
      }
      classifyClose() {
        return 'fresh' as const
      }
    }
    const { gateway } = createGatewayClient(server, { gateway: { protocol: new TextProtocol() } })
    await gateway.connect()
    await vi.waitFor(() => expect(received).toContain('bytes beat'))
    const removed = gateway.waitFor('relationshipRemove')
    ;(await server.peer()).raw(bytes('event unfriended {"id":"1"}'))
    expect(await removed).toEqual({ id: '1' })
    expect(received[0]).toBe('bytes iam 16')
    await gateway.disconnect()
  })

  it.each(['encode', 'identify', 'heartbeat', 'classifyClose'] as const)(
    'ends the gateway with a typed error if it throws in `%s`',
    async (method) => {
      const server = await serveGateway({
        onConnect: (peer) => peer.hello(100),
        onIdentify: (peer) => {
          peer.ready()
          if (method === 'classifyClose') peer.socket.close(4000)
        },
      })
      const cause = new Error(method)
      const protocol = {
        ...defaultGatewayProtocol,
        [method]: () => {
          throw cause
        },
      }
      const { gateway } = createGatewayClient(server, { gateway: { protocol } })
      const emitted = new Promise((resolve) => gateway.on('error', resolve))
      gateway.connect().catch(() => {})
      expect(await emitted).toMatchObject({ reason: 'protocol_threw', cause })
      expect(gateway.state).toBe('closed')
      const peer = await server.peer()
      await vi.waitFor(() => expect(peer.isOpen).toBe(false))
    },
  )

  it('ends the gateway with a typed error if it throws in `resume`', async () => {
    const server = await serveGateway()
    const resume = () => {
      throw new Error('resume')
    }
    const { gateway } = createGatewayClient(server, { gateway: { protocol: { ...defaultGatewayProtocol, resume } } })
    await gateway.connect()
    const error = rejectionOf(gateway.waitFor('relationshipAdd'), isGatewayError)
    ;(await server.peer()).socket.terminate()
    expect((await error).reason).toBe('protocol_threw')
  })

  it.each([undefined, null, 5, {}, { kind: 'other' }])('causes a warning if it decodes %j', async (frame) => {
    const server = await serveGateway()
    const decode: GatewayProtocol['decode'] = (data) =>
      String(data).includes('"op":99') ? (frame as never) : defaultGatewayProtocol.decode(data)
    const { gateway } = createGatewayClient(server, { gateway: { protocol: { ...defaultGatewayProtocol, decode } } })
    await gateway.connect()
    const warned = gateway.waitFor('warning')
    ;(await server.peer()).send({ op: 99 })
    expect((await warned).code).toBe('unknown_frame')
  })
})
