import { getEventListeners } from 'node:events'
import { inspect } from 'node:util'
import { type GatewayError, isGatewayError, isRapportError } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { createGatewayClient, serveGateway, TOKEN } from '../servers/gateway-server'
import { reasonOf, rejectionOf } from '../transport/rejection'

const FATAL = [4004, 4010, 4011, 4012, 4013, 4014]

describe('a fatal close code', () => {
  it.each(FATAL)('%i makes connect() reject with a typed error and is not retried', async (code) => {
    const server = await serveGateway({ onIdentify: (peer) => peer.socket.close(code, 'no such token') })
    const { gateway } = createGatewayClient(server)
    const errors: GatewayError[] = []
    gateway.on('error', (error) => errors.push(error))
    const error = await rejectionOf(gateway.connect(), isGatewayError)
    expect(error).toSatisfy(isRapportError)
    expect(error).toMatchObject({ name: 'GatewayError', reason: 'closed_for_good', closeCode: code })
    expect(error.message).toBe(`gateway: closed with ${code}: no such token. Not retryable.`)
    expect(errors).toEqual([error])
    expect(gateway.state).toBe('closed')
    // It would have connected again before another client.
    await rejectionOf(createGatewayClient(server).gateway.connect(), isGatewayError)
    expect(server.peers).toHaveLength(2)
  })

  it('the reason of the service keeps one period in the error, and none in the state change', async () => {
    const server = await serveGateway({ onIdentify: (peer) => peer.socket.close(4004, 'Authentication failed.') })
    const { gateway } = createGatewayClient(server)
    const closed = gateway.waitFor('stateChange', { filter: ({ state }) => state === 'closed' }).catch(() => {})
    const reasons: unknown[] = []
    gateway.on('stateChange', ({ state, reason }) => state === 'closed' && reasons.push(reason))
    const error = await rejectionOf(gateway.connect(), isGatewayError)
    await closed
    expect(error.message).toBe('gateway: closed with 4004: Authentication failed. Not retryable.')
    expect(reasons).toEqual(['closed with 4004: Authentication failed'])
  })

  it('one of a ready connection is emitted once and crashes nothing without a listener', async () => {
    const server = await serveGateway()
    const { gateway } = createGatewayClient(server)
    await gateway.connect()
    const states: unknown[] = []
    gateway.on('stateChange', (change) => states.push(change))
    ;(await server.peer()).socket.close(4004)
    await vi.waitFor(() => expect(gateway.state).toBe('closed'))
    expect(states).toMatchObject([{ state: 'closed', previous: 'ready', closeCode: 4004 }])
  })

  it('rejects everything that waits', async () => {
    const server = await serveGateway()
    const { gateway } = createGatewayClient(server)
    await gateway.connect()
    const outcomes = Promise.all([
      reasonOf(gateway.waitFor('relationshipAdd')),
      reasonOf(gateway.stream(['relationshipAdd']).next()),
      new Promise((resolve) => gateway.on('error', resolve)),
    ])
    ;(await server.peer()).socket.close(4010)
    const [first, ...others] = await outcomes
    expect(first).toSatisfy(isGatewayError)
    for (const other of others) expect(other).toBe(first)
  })

  it('rejects waiting calls even if a listener aborts them', async () => {
    const server = await serveGateway({ onIdentify: (peer) => peer.socket.close(4004) })
    const { gateway } = createGatewayClient(server)
    const control = new AbortController()
    const { signal } = control
    gateway.on('stateChange', ({ state }) => {
      if (state === 'closed') control.abort()
    })
    const reasons = await Promise.all([
      reasonOf(gateway.connect({ signal })),
      reasonOf(gateway.waitFor('relationshipAdd', { signal })),
    ])
    for (const reason of reasons) expect(reason).toMatchObject({ reason: 'closed_for_good', closeCode: 4004 })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('does not prevent another connect()', async () => {
    let code: number | undefined = 4004
    const server = await serveGateway({
      onIdentify: (peer) => {
        if (code === undefined) peer.ready()
        else peer.socket.close(code)
      },
    })
    const { gateway } = createGatewayClient(server)
    await reasonOf(gateway.connect())
    code = undefined
    await gateway.connect()
    expect(gateway.state).toBe('ready')
  })

  it('has an error that does not show a token in its reason', async () => {
    const server = await serveGateway({ onIdentify: (peer) => peer.socket.close(4004, `bad token ${TOKEN}`) })
    const { gateway } = createGatewayClient(server)
    const error = await reasonOf(gateway.connect())
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(TOKEN)
    expect(String(error)).toContain('bad token [redacted]')
  })
})
