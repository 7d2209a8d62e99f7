import { Client, type ClientOptions } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { type GatewayServer, limitWaits, serveGateway, TOKEN, tokensOf } from '../servers/gateway-server'
import { tokenOnly } from '../session-stores'

/** Creates a client that connects when it signs in. */
function createClient(server: GatewayServer, options: Partial<Omit<ClientOptions, 'gateway'>> = {}) {
  const client = new Client({
    baseUrl: 'https://service.example',
    ...options,
    gateway: { url: server.url, connectOnSignIn: true, backoff: { initialDelay: 0 } },
  })
  limitWaits(client.gateway)
  return client
}

describe('connectOnSignIn', () => {
  it('connects a client that is created with a token', async () => {
    const server = await serveGateway()
    const client = createClient(server, { token: TOKEN })
    const states: string[] = []
    client.gateway.on('stateChange', ({ state }) => states.push(state))
    await client.gateway.waitFor('ready')
    expect(states[0]).toBe('connecting')
    client.dispose()
  })

  it('connects on every sign-in', async () => {
    const server = await serveGateway()
    const client = createClient(server)
    await client.ready
    expect(client.gateway.state).toBe('idle')
    for (const token of ['one', 'two']) {
      const ready = client.gateway.waitFor('ready')
      await client.session.setToken(token)
      await ready
      await client.session.setToken(null)
    }
    expect(tokensOf(server)).toEqual(['one', 'two'])
    client.dispose()
  })

  it('connects when the stored token is loaded', async () => {
    const server = await serveGateway()
    const client = createClient(server, { tokenStore: tokenOnly({ get: async () => 'stored', set: () => {} }) })
    await client.gateway.waitFor('ready')
    expect(tokensOf(server)).toEqual(['stored'])
    client.dispose()
  })

  it('a client of as() for a single call opens no connection, and connects once its gateway is used', async () => {
    const server = await serveGateway()
    const client = createClient(server, { fetch: async () => new Response('[]') })
    onTestFinished(() => client.dispose())
    await client.as('one').relationships.list()
    expect(server.peers).toHaveLength(0)
    const other = client.as('two')
    onTestFinished(() => other.dispose())
    await other.gateway.waitFor('ready')
    expect(tokensOf(server)).toEqual(['two'])
  })

  it('keeps connecting if an app aborts its own connect()', async () => {
    const server = await serveGateway({ onIdentify: () => {} })
    const client = createClient(server, { token: TOKEN })
    const control = new AbortController()
    const peer = await server.peer()
    await peer.expect(2)
    const connecting = client.gateway.connect({ signal: control.signal })
    control.abort()
    await expect(connecting).rejects.toThrow()
    const ready = client.gateway.waitFor('ready')
    peer.ready()
    await ready
    client.dispose()
  })

  it('stays disconnected after disconnect() until the next sign-in', async () => {
    const server = await serveGateway()
    const client = createClient(server, { token: TOKEN })
    await client.gateway.waitFor('ready')
    await client.gateway.disconnect()
    const states: string[] = []
    client.gateway.on('stateChange', ({ state }) => states.push(state))
    await client.session.setToken('another')
    await client.session.setToken(null)
    expect(states).toEqual([])
    await client.session.setToken(TOKEN)
    await client.gateway.waitFor('ready')
    expect(states).toEqual(['connecting', 'identifying', 'ready'])
    expect(server.peers).toHaveLength(2)
    client.dispose()
  })

  it('connects with a new token after the old one was rejected', async () => {
    const server = await serveGateway({
      onIdentify: (peer) => {
        if (Object(peer.frames[0]?.d).token === 'bad') peer.socket.close(4004)
        else peer.ready()
      },
    })
    const client = createClient(server, { token: 'bad' })
    const error = await new Promise((resolve) => client.gateway.on('error', resolve))
    expect(error).toMatchObject({ reason: 'closed_for_good' })
    const ready = client.gateway.waitFor('ready')
    await client.session.setToken('good')
    await ready
    client.dispose()
  })

  it('does not connect a client that is disposed at once', async () => {
    const server = await serveGateway()
    createClient(server, { token: TOKEN }).dispose()
    const later = createClient(server, { token: 'later' })
    await later.gateway.waitFor('ready')
    expect(tokensOf(server)).toEqual(['later'])
    later.dispose()
  })
})

test('a verified second factor does not reopen a gateway that has closed for good', async () => {
  const service = createMockService()
  const ada = service.users.create({ login: 'ada@example.com', mfa: ['totp'] })
  const server = await serveGateway({ onIdentify: (peer) => peer.socket.close(4004) })
  const client = createClient(server, {
    baseUrl: service.baseUrl,
    fetch: service.fetch,
    token: service.token(ada),
    onMfaRequired: () => ({ type: 'totp', code: service.users.totp(ada) }),
  })
  onTestFinished(() => client.dispose())
  const closed = client.gateway.waitFor('stateChange', { filter: ({ state }) => state === 'closed' })
  await expect(closed).resolves.toMatchObject({ closeCode: 4004 })
  const elevated = new Promise((resolve) => client.on('elevated', resolve))
  await client.auth.sessions.logout({ session_id_hashes: ['another'] })
  await elevated
  expect(client.gateway.state).toBe('closed')
  expect(server.peers).toHaveLength(1)
})
