import { isGatewayError } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { createGatewayClient, serveGateway, TOKEN, tokensOf } from '../servers/gateway-server'
import { rejectionOf } from '../transport/rejection'

describe('the token', () => {
  it('it is used at once for a new session if it changes', async () => {
    const server = await serveGateway()
    const { gateway, session } = createGatewayClient(server)
    await gateway.connect()
    const ready = gateway.waitFor('ready')
    await session.setToken('the-token-of-grace')
    await ready
    const [old, next] = server.peers
    expect(tokensOf(server)).toEqual([TOKEN, 'the-token-of-grace'])
    expect(next?.frames[0]?.op).toBe(2)
    await vi.waitFor(() => expect(old?.closeCode).toBe(1000))
  })

  it('never leads to two connections at once if it changes', async () => {
    const open = new Set<unknown>()
    let most = 0
    const server = await serveGateway({
      onConnect: (peer) => {
        open.add(peer)
        most = Math.max(most, open.size)
        peer.socket.on('close', () => open.delete(peer))
        peer.hello()
      },
    })
    const { gateway, session } = createGatewayClient(server)
    await gateway.connect()
    const ready = gateway.waitFor('ready')
    await session.setToken('the-token-of-grace')
    await ready
    expect(most).toBe(1)
  })

  it('leaves no connection behind if it changes just before disconnect()', async () => {
    const server = await serveGateway()
    const { gateway, session } = createGatewayClient(server)
    await gateway.connect()
    const { socket } = await server.peer()
    await session.setToken('the-token-of-grace')
    await gateway.disconnect()
    await vi.waitFor(() => expect(socket.readyState).toBe(socket.CLOSED), { interval: 1 })
    expect(server.peers).toHaveLength(1)
  })

  it('it is the only one used if it changes while connecting', async () => {
    const server = await serveGateway({ onConnect: () => {} })
    const { gateway, session } = createGatewayClient(server)
    const connecting = gateway.connect()
    const first = await server.peer()
    await session.setToken('the-token-of-grace')
    const second = await server.peer(1)
    first.hello()
    second.hello()
    await connecting
    expect(first.frames).toEqual([])
    expect(second.frames).toMatchObject([{ op: 2, d: { token: 'the-token-of-grace' } }])
  })

  it('it is used by the next session if it changes during a backoff', async () => {
    const server = await serveGateway()
    const { gateway, session } = createGatewayClient(server, { gateway: { backoff: { initialDelay: 9e6 } } })
    await gateway.connect()
    ;(await server.peer()).socket.terminate()
    await vi.waitFor(() => expect(gateway.state).toBe('reconnecting'))
    await session.setToken('the-token-of-grace')
    expect(await (await server.peer(1)).expect(2)).toMatchObject({ d: { token: 'the-token-of-grace' } })
  })

  it('does not count as a loop of sessions if it changes often', async () => {
    const server = await serveGateway()
    const { gateway, session } = createGatewayClient(server)
    await gateway.connect()
    for (let round = 0; round < 10; round++) {
      const ready = gateway.waitFor('ready')
      await session.setToken(`token-${round}`)
      await ready
    }
    expect(gateway.state).toBe('ready')
    expect(server.peers).toHaveLength(11)
  })

  it('signing out disconnects the gateway', async () => {
    const server = await serveGateway()
    const { gateway, session } = createGatewayClient(server)
    await gateway.connect()
    const next = rejectionOf(gateway.waitFor('relationshipAdd'), isGatewayError)
    await session.setToken(null)
    expect(gateway.state).toBe('closed')
    expect((await next).reason).toBe('disconnected')
    const peer = await server.peer()
    await vi.waitFor(() => expect(peer.closeCode).toBe(1000))
    // It would have connected again before another client.
    await createGatewayClient(server).gateway.connect()
    expect(server.peers).toHaveLength(2)
  })

  it('signing out while connecting makes connect() reject', async () => {
    const server = await serveGateway({ onIdentify: () => {} })
    const { gateway, session } = createGatewayClient(server)
    const connecting = rejectionOf(gateway.connect(), isGatewayError)
    await (await server.peer()).expect(2)
    await session.setToken(null)
    const error = await connecting
    expect(error.reason).toBe('disconnected')
    expect(error.message).toContain('signed out')
  })
})

describe('the hash of the authentication session', () => {
  it('comes with Ready and changes with Auth Session Change only', async () => {
    const server = await serveGateway()
    const { gateway } = createGatewayClient(server)
    expect(gateway.sessionHash).toBeNull()
    await gateway.connect()
    expect(gateway.sessionHash).toBe('hash-1')
    const seen = new Promise((resolve) => gateway.on('authSessionChange', () => resolve(gateway.sessionHash)))
    ;(await server.peer()).dispatch('AUTH_SESSION_CHANGE', { auth_session_id_hash: 'hash-2' }, 2)
    expect(await seen).toBe('hash-2')
    const removed = gateway.waitFor('relationshipRemove')
    ;(await server.peer()).dispatch('RELATIONSHIP_REMOVE', { id: '1', auth_session_id_hash: 'hash-3' }, 3)
    await removed
    expect(gateway.sessionHash).toBe('hash-2')
  })

  it('sessionHash survives a resume and is gone after disconnect()', async () => {
    const server = await serveGateway()
    const { gateway } = createGatewayClient(server)
    await gateway.connect()
    const hashes: (string | null)[] = []
    gateway.on('stateChange', () => hashes.push(gateway.sessionHash))
    ;(await server.peer()).socket.terminate()
    await gateway.waitFor('resumed')
    expect(new Set(hashes)).toEqual(new Set(['hash-1']))
    await gateway.disconnect()
    expect(gateway.sessionHash).toBeNull()
  })
})
