import { execFile } from 'node:child_process'
import { get } from 'node:http'
import { promisify } from 'node:util'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { bareClient, doors, gatewayPeople, identify } from './bare-gateway'
import { sender } from './calls'

describe.each(doors)('the life of a service with clients at its gateway, $name', (door) => {
  it('restore ends all sessions, and clients identify anew as the snapshot knows them', async () => {
    const world = await gatewayPeople(door)
    const { service, ada, open, enter } = world
    const before = await enter(ada)
    const snapshot = service.snapshot()
    const after = await world.graces()
    service.restore(snapshot)
    expect(service.gateway.sessions).toEqual([])
    for (const { client } of [before, after]) expect(await client.closed).toMatchObject({ code: 4009 })
    // That session was not in the snapshot, and no session of a gateway is.
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

  it('restore goes back to the faults and the journal of the snapshot, with the times that each had left', async () => {
    const { service, ada, open, adas } = await gatewayPeople(door)
    await adas()
    service.gateway.refuse({ times: 2 })
    await open().closed
    const snapshot = structuredClone(service.snapshot())
    const later = service.gateway.drop(1006, { at: 'identify' })
    for (let count = 0; count < 2; count++) {
      service.restore(snapshot)
      expect(service.gateway.journal).toMatchObject([{ op: 'identify', user: ada.id, outcome: 'ready' }])
      expect(await open().closed).toMatchObject({ code: 1006 })
      await adas()
      expect(service.gateway.journal).toHaveLength(2)
    }
    expect(later.count).toBe(0)
  })

  it('reset ends all sessions, frozen ones too, and forgets faults and journal', async () => {
    const { service, ada, open, adas } = await gatewayPeople(door)
    const { client, token } = await adas()
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

  it('close closes all connections, and nobody connects again', async () => {
    const { service, ada, grace, open, enter } = await gatewayPeople(door)
    const [first, second] = [await enter(ada), await enter(grace)]
    service.gateway.freeze({ user: grace })
    await service.close()
    for (const { client } of [first, second]) expect(await client.closed).toMatchObject({ code: 1001 })
    expect(await open().closed).toMatchObject({ code: 1006 })
    expect(service.gateway.sessions).toEqual([])
  })
})

describe('a server', () => {
  const listening = async (baseUrl = 'https://service.example/api/v9') => {
    const service = createMockService({ baseUrl })
    const ada = service.users.create({ login: 'ada@example.com' })
    const server = await listen(service)
    return { service, ada, server }
  }

  it.each([
    ['https://service.example/api/v9', '/api/v9/gateway'],
    ['http://service.example', '/gateway'],
  ])('tells where its gateway is: below %s', async (baseUrl, path) => {
    const { server, service } = await listening(baseUrl)
    expect(server.gatewayUrl).toBe(`ws://127.0.0.1:${server.port}${path}`)
    expect(await bareClient(new WebSocket(server.gatewayUrl)).next()).toMatchObject({ op: 10 })
    await service.close()
  })

  it('has no WebSocket elsewhere, and at its gateway no page', async () => {
    const { server, service } = await listening()
    const error = new Promise((resolve) => new WebSocket(`${server.gatewayUrl}2`).on('error', resolve))
    expect(String(await error)).toContain('404')
    const status = new Promise((resolve) => get(server.gatewayUrl.replace('ws', 'http'), (r) => resolve(r.statusCode)))
    expect(await status).toBe(404)
    await service.close()
  })

  it('takes no handshake that is none', async () => {
    const { server, service } = await listening()
    const headers = { connection: 'upgrade', upgrade: 'websocket' }
    const url = server.gatewayUrl.replace('ws', 'http')
    const status = new Promise((resolve) => get(url, { headers }, (response) => resolve(response.statusCode)))
    expect(await status).toBe(400)
    expect(service.gateway.sendRaw({})).toBe(0)
    await service.close()
  })

  it('closes its own connections, whose sessions another server goes on with', async () => {
    const { server, service, ada } = await listening()
    const client = bareClient(new WebSocket(server.gatewayUrl))
    const token = service.token(ada)
    const { session_id } = await identify(client, token)
    const second = await listen(service)
    await server.close()
    expect(await client.closed).toMatchObject({ code: 1001 })
    const resumed = bareClient(new WebSocket(second.gatewayUrl))
    await resumed.next()
    resumed.send(6, { token, session_id, seq: 1 })
    // Its client was told that the server goes away, and did not say so itself.
    expect(await resumed.next()).toMatchObject({ t: 'RESUMED' })
    await service.close()
  })

  it('closes though a client never answers its close frame, and leaves no handle', async () => {
    const { server, service } = await listening()
    const socket = new WebSocket(server.gatewayUrl)
    await new Promise((resolve) => socket.once('message', resolve))
    socket.pause()
    await server.close()
    socket.terminate()
    await expect.poll(() => process.getActiveResourcesInfo()).not.toContain('TCPServerWrap')
    await service.close()
  })

  it('tells one user over sockets what another did over HTTP', async () => {
    const { server, service, ada } = await listening()
    const grace = service.users.create({ login: 'grace@example.com' })
    const client = bareClient(new WebSocket(server.gatewayUrl))
    await identify(client, service.token(ada))
    await sender(fetch, server.url, service.token(grace))(`PUT /users/@me/relationships/${ada.id}`, {})
    expect(await client.heard()).toMatchObject([['RELATIONSHIP_ADD', { id: grace.id, type: 3 }]])
    await service.close()
  })
})

describe('a process', () => {
  const run = (code: string) =>
    promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], { timeout: 15_000 })

  it('ends by itself with a client in memory that is connected, and with one that has connected to a closed server', {
    timeout: 30_000,
  }, async () => {
    const script = `
      import { createMockService } from './mocks/index.ts'
      import { listen } from './mocks/node.ts'
      import { WebSocket } from 'ws'
      const enter = async (socket, service) => {
        const next = () => new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }))
        await next()
        const user = service.users.create({ login: 'ada@example.com' })
        socket.send(JSON.stringify({ op: 2, d: { token: service.token(user) } }))
        await next()
      }
      const inMemory = createMockService()
      await enter(new inMemory.WebSocket(inMemory.gateway.url), inMemory)
      const overSockets = createMockService()
      const server = await listen(overSockets)
      await enter(new WebSocket(server.gatewayUrl), overSockets)
      await overSockets.close()
      console.log('the end')
    `
    const { stdout } = await run(script)
    expect(stdout).toBe('the end\n')
  })
})
