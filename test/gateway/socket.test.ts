import { isGatewayError } from 'rapport-sdk'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WebSocket as WsWebSocket } from 'ws'
import { rejectionOf } from '../transport/rejection'
import { clientOf, serveGateway } from './gateway-server'

/** A class of sockets that notes what it opens. */
function noting(opened: string[], name: string) {
  return class extends WsWebSocket {
    constructor(url: string) {
      super(url)
      opened.push(name)
    }
  }
}

describe('the class of sockets', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.doUnmock('isomorphic-ws')
  })

  it('is the one that is given, else that of the platform, looked up with each connection, else that of ws', async () => {
    const server = await serveGateway()
    const opened: string[] = []
    vi.stubGlobal('WebSocket', noting(opened, 'platform'))
    const given = clientOf(server, { gateway: { WebSocket: noting(opened, 'given') } })
    await given.gateway.connect()
    const { gateway } = clientOf(server)
    await gateway.connect()
    expect(opened).toEqual(['given', 'platform'])

    vi.stubGlobal('WebSocket', noting(opened, 'another'))
    const resumed = gateway.waitFor('resumed')
    server.peers.at(-1)?.socket.terminate()
    await resumed
    expect(opened).toEqual(['given', 'platform', 'another'])

    vi.stubGlobal('WebSocket', undefined)
    await clientOf(server).gateway.connect()
    expect(opened).toHaveLength(3)
    expect(server.peers).toHaveLength(4)
  })

  it('may be nowhere: the package for both gives browsers what they have, which may be nothing', async () => {
    vi.stubGlobal('WebSocket', undefined)
    vi.doMock('isomorphic-ws', () => ({ default: null }))
    const { gateway } = clientOf({ url: 'wss://gateway.example' })
    const error = await rejectionOf(gateway.connect(), isGatewayError)
    expect(error.reason).toBe('no_socket')
    expect(error.message).toContain('gateway.WebSocket')
  })
})
