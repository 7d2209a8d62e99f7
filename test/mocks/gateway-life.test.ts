import { execFile } from 'node:child_process'
import { get } from 'node:http'
import { promisify } from 'node:util'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { bundledScript } from '../temporary-files'
import { createFrameClient, identify, setUpGateway, transports } from './gateway-client'
import { sender } from './set-up'

const exitingProcess = bundledScript('test/exiting-process.ts')

describe.each(transports)('the lifecycle of a service with gateway clients, $name', (transport) => {
  it('restore() ends all gateway sessions, and only tokens of the snapshot can identify again', async () => {
    const setup = await setUpGateway(transport)
    const { service, ada, open, connect } = setup
    const before = await connect(ada)
    const snapshot = service.snapshot()
    const after = await setup.connectGrace()
    service.restore(snapshot)
    expect(service.gateway.sessions).toEqual([])
    for (const { client } of [before, after]) expect(await client.closed).toMatchObject({ code: 4009 })
    // A snapshot contains no gateway session.
    const resumed = open()
    await resumed.next()
    resumed.send(6, { token: before.token, session_id: before.ready.session_id, seq: 1 })
    expect(await resumed.next()).toMatchObject({ op: 9, d: false })
    expect(await identify(open(), before.token)).toMatchObject({
      auth_session_id_hash: before.ready.auth_session_id_hash,
      session_id: expect.not.stringMatching(before.ready.session_id),
    })
    const stranger = open()
    await stranger.next()
    stranger.send(2, { token: after.token })
    expect(await stranger.closed).toMatchObject({ code: 4004 })
  })

  it('restore() restores gateway faults with their remaining times, and the gateway journal', async () => {
    const { service, ada, open, connectAda } = await setUpGateway(transport)
    await connectAda()
    service.gateway.refuse({ times: 2 })
    await open().closed
    const snapshot = structuredClone(service.snapshot())
    const later = service.gateway.drop(1006, { at: 'identify' })
    for (let count = 0; count < 2; count++) {
      service.restore(snapshot)
      expect(service.gateway.journal).toMatchObject([{ op: 'identify', user: ada.id, outcome: 'ready' }])
      expect(await open().closed).toMatchObject({ code: 1006 })
      await connectAda()
      expect(service.gateway.journal).toHaveLength(2)
    }
    expect(later.count).toBe(0)
  })

  it('reset() ends all gateway sessions, even frozen ones, and clears faults and journal', async () => {
    const { service, ada, open, connectAda } = await setUpGateway(transport)
    const { client, token } = await connectAda()
    service.gateway.freeze({ user: ada })
    service.gateway.refuse()
    client.send(2, { token })
    service.reset()
    expect(await client.closed).toMatchObject({ code: 4009 })
    expect([service.gateway.sessions, service.gateway.journal]).toEqual([[], []])
    const again = open()
    await again.next()
    again.send(2, { token })
    expect(await again.closed).toMatchObject({ code: 4004 })
  })

  it('close() closes all connections and rejects later ones', async () => {
    const { service, ada, grace, open, connect } = await setUpGateway(transport)
    const [first, second] = [await connect(ada), await connect(grace)]
    service.gateway.freeze({ user: grace })
    await service.close()
    for (const { client } of [first, second]) expect(await client.closed).toMatchObject({ code: 1001 })
    expect(await open().closed).toMatchObject({ code: 1006 })
    expect(service.gateway.sessions).toEqual([])
  })
})

describe('a listening server', () => {
  const startServer = async (baseUrl = 'https://service.example/api/v9') => {
    const service = createMockService({ baseUrl })
    const ada = service.users.create({ login: 'ada@example.com' })
    const server = await listen(service)
    return { service, ada, server }
  }

  it.each([
    ['https://service.example/api/v9', '/api/v9/gateway'],
    ['http://service.example', '/gateway'],
  ])('gatewayUrl is below the base URL %s', async (baseUrl, path) => {
    const { server, service } = await startServer(baseUrl)
    expect(server.gatewayUrl).toBe(`ws://127.0.0.1:${server.port}${path}`)
    expect(await createFrameClient(new WebSocket(server.gatewayUrl)).next()).toMatchObject({ op: 10 })
    await service.close()
  })

  it('responds with 404 to a WebSocket at another path and to a GET of the gateway', async () => {
    const { server, service } = await startServer()
    const error = new Promise((resolve) => new WebSocket(`${server.gatewayUrl}2`).on('error', resolve))
    expect(String(await error)).toContain('404')
    const status = new Promise((resolve) => get(server.gatewayUrl.replace('ws', 'http'), (r) => resolve(r.statusCode)))
    expect(await status).toBe(404)
    await service.close()
  })

  it('rejects an invalid handshake with 400', async () => {
    const { server, service } = await startServer()
    const headers = { connection: 'upgrade', upgrade: 'websocket' }
    const url = server.gatewayUrl.replace('ws', 'http')
    const status = new Promise((resolve) => get(url, { headers }, (response) => resolve(response.statusCode)))
    expect(await status).toBe(400)
    expect(service.gateway.sendRaw({})).toBe(0)
    await service.close()
  })

  it('closes its connections when it closes, and their sessions can be resumed at another server', async () => {
    const { server, service, ada } = await startServer()
    const client = createFrameClient(new WebSocket(server.gatewayUrl))
    const token = service.token(ada)
    const { session_id } = await identify(client, token)
    const second = await listen(service)
    await server.close()
    expect(await client.closed).toMatchObject({ code: 1001 })
    const resumed = createFrameClient(new WebSocket(second.gatewayUrl))
    await resumed.next()
    resumed.send(6, { token, session_id, seq: 1 })
    // The server closed the connection, not the client, so the session can be resumed.
    expect(await resumed.next()).toMatchObject({ t: 'RESUMED' })
    await service.close()
  })

  it('closes even if a client ignores the close frame, and leaves no handle', async () => {
    const { server, service } = await startServer()
    const socket = new WebSocket(server.gatewayUrl)
    await new Promise((resolve) => socket.once('message', resolve))
    socket.pause()
    await server.close()
    socket.terminate()
    await expect.poll(() => process.getActiveResourcesInfo()).not.toContain('TCPServerWrap')
    await service.close()
  })

  it('a call over HTTP sends an event over the gateway', async () => {
    const { server, service, ada } = await startServer()
    const grace = service.users.create({ login: 'grace@example.com' })
    const client = createFrameClient(new WebSocket(server.gatewayUrl))
    await identify(client, service.token(ada))
    await sender(fetch, server.url, service.token(grace))(`PUT /users/@me/relationships/${ada.id}`, {})
    expect(await client.nextEvents()).toMatchObject([['RELATIONSHIP_ADD', { id: grace.id, type: 3 }]])
    await service.close()
  })
})

it('a process exits with a client connected in memory and a client of a closed server', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [exitingProcess(), 'mocks'])
  expect(stdout).toBe('connected twice')
})
