import { isTimeoutError } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { pathsOf, reasonOf, rejectionOf } from '../transport/rejection'
import { clientOf, READY, serveGateway } from './gateway-server'

describe('connect with a timeout', () => {
  it('connect() with a timeout rejects with a TimeoutError that says why the last attempt failed', async () => {
    const server = await serveGateway({ identified: (peer) => peer.socket.close(1011, 'overloaded') })
    const { gateway } = clientOf(server)
    const error = await rejectionOf(gateway.connect({ timeout: 1_000 }), isTimeoutError)
    expect(error).toMatchObject({ endpoint: 'gateway.connect', limit: 'timeout', limitMs: 1_000 })
    expect(error.message).toContain('closed with 1011: overloaded')
    expect(error.cause).toMatchObject({ name: 'GatewayError', reason: 'connection_failed', closeCode: 1011 })
    expect(gateway.state).toBe('closed')
    const before = server.peers.length
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(server.peers).toHaveLength(before)
  })

  it('connect() with a timeout rejects if the service accepts the connection and stays silent', async () => {
    const server = await serveGateway({ connected: () => {} })
    const { gateway } = clientOf(server)
    const error = await rejectionOf(gateway.connect({ timeout: 50 }), isTimeoutError)
    expect(error.message).toBe(
      'gateway.connect: no session started within 50 ms (`timeout`). Raise `timeout` if it may take longer.',
    )
    const peer = await server.peer()
    await vi.waitFor(() => expect(peer.isOpen).toBe(false))
  })

  it('a timeout of connect() does not affect another connect() without one', async () => {
    const server = await serveGateway({ identified: (peer) => setTimeout(() => peer.ready(), 150) })
    const { gateway } = clientOf(server)
    const bounded = reasonOf(gateway.connect({ timeout: 50 }))
    const unbounded = gateway.connect()
    expect(await bounded).toSatisfy(isTimeoutError)
    await expect(unbounded).resolves.toEqual(READY)
  })

  it('a timeout of connect() does not end an established connection', async () => {
    const server = await serveGateway()
    const { gateway } = clientOf(server)
    await gateway.connect({ timeout: 2_000 })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(gateway.state).toBe('ready')
  })

  it('connect() can be called again after it has timed out', async () => {
    let isSilent = true
    const server = await serveGateway({ identified: (peer) => void (isSilent || peer.ready()) })
    const { gateway } = clientOf(server)
    await rejectionOf(gateway.connect({ timeout: 50 }), isTimeoutError)
    isSilent = false
    await expect(gateway.connect({ timeout: 2_000 })).resolves.toEqual(READY)
  })

  it.each([0, -1, Number.NaN, '5', null])('connect() rejects a timeout of %j', async (timeout) => {
    const { gateway } = clientOf({ url: 'wss://gateway.example' })
    const error = await reasonOf(gateway.connect({ timeout: timeout as never }))
    expect(pathsOf(error as Parameters<typeof pathsOf>[0])).toEqual(['timeout'])
    expect(gateway.state).toBe('idle')
  })
})
