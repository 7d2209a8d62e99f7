import { setupServer } from 'msw/node'
import { browserHandlers, handlers } from 'rapport-sdk/mocks/msw'
import { afterAll, describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { WebSocket as PlatformWebSocket } from 'ws'
import { endpoints } from '../../src/contract/index'
import { createFrameClient, identify } from './gateway-client'
import { baseUrl, password, sender, setUp } from './set-up'

function startServer(options: Parameters<typeof setUp>[0] = {}) {
  const setup = setUp(options)
  const server = setupServer(...handlers(setup.service))
  const unhandled: string[] = []
  server.listen({
    onUnhandledRequest({ url }, print) {
      unhandled.push(url)
      print.error()
    },
  })
  onTestFinished(() => server.close())
  return {
    ...setup,
    unhandled,
    send: sender(fetch, baseUrl),
    as: (user: { id: string }) => sender(fetch, baseUrl, setup.service.token(user)),
  }
}

describe('the msw handlers', () => {
  it('they are one for HTTP, and one more for the gateway in browsers', () => {
    expect(handlers(setUp().service)).toHaveLength(1)
    expect(browserHandlers(setUp().service)).toHaveLength(2)
  })

  it.each<[string, boolean]>([
    [`${baseUrl}/users/@me/relationships`, true],
    [`${baseUrl}/nowhere`, true],
    [`${baseUrl}-other/users/@me/relationships`, false],
    ['https://elsewhere.example/api/v9/users/@me/relationships', false],
  ])('handle only requests below the base URL: %s', async (url, isHandled) => {
    const { service, unhandled } = startServer()
    await fetch(url).catch(() => undefined)
    expect([unhandled, service.journal.requests.length]).toEqual(isHandled ? [[], 1] : [[url], 0])
  })

  it('do not handle unknown paths and methods if the service is not strict', async () => {
    const { send, unhandled } = startServer({ strict: false })
    expect((await send('GET /auth/location-metadata')).status).toBe(200)
    await expect(send('GET /nowhere')).rejects.toThrow()
    await expect(send('PATCH /auth/sessions')).rejects.toThrow()
    expect(unhandled).toEqual([`${baseUrl}/nowhere`, `${baseUrl}/auth/sessions`])
  })

  it('handle all 55 endpoints and the one for messages', async () => {
    const { service, send, unhandled } = startServer({ strict: false })
    expect(endpoints).toHaveLength(55)
    for (const { endpoint } of endpoints) {
      const path = endpoint.path.replaceAll(/\{[^{}]+\}/g, '1') as `/${string}`
      await send(`${endpoint.method} ${path}`)
      expect(service.journal.requests.at(-1)?.endpoint).toBe(endpoint.name)
    }
    await send('POST /channels/1/messages', {})
    expect(service.journal.requests).toHaveLength(56)
    expect(unhandled).toEqual([])
  })

  it('return the responses of the service', async () => {
    const { send, as, ada, grace } = startServer()
    expect((await send('POST /auth/login', { login: 'ada@example.com', password })).body).toHaveProperty('token')
    expect((await as(ada)(`PUT /users/@me/relationships/${grace.id}`, {})).status).toBe(204)
    expect((await as(ada)('GET /users/@me/relationships')).body).toMatchObject([{ id: grace.id, type: 4 }])
    expect((await as(ada)('POST /users/@me/relationships/bulk', {})).status).toBe(400)
    expect((await send('GET /nowhere')).status).toBe(404)
    expect((await send('PATCH /auth/sessions')).status).toBe(405)
  })

  it('set the verification cookie', async () => {
    const { service, as } = startServer()
    const user = service.users.create({ login: 'mfa@example.com', password, mfa: ['totp'] })
    const asAda = as(user)
    const { body } = await asAda<{ mfa: { ticket: string } }>('POST /auth/sessions/logout', {
      session_id_hashes: ['x'],
    })
    const data = service.users.totp(user)
    const { headers } = await asAda('POST /mfa/finish', { ticket: body.mfa.ticket, mfa_type: 'totp', data })
    expect(headers.get('set-cookie')).toContain('__Secure-recent_mfa=')
  })

  it('apply faults', async () => {
    const { service, send } = startServer()
    const path = 'GET /auth/location-metadata' as const
    service.faults.on('Get Location Metadata', { network: true, times: 1 })
    await expect(send(path)).rejects.toThrow(TypeError)
    service.faults.on('Get Location Metadata', { status: 429, retryAfter: 2, times: 1 })
    expect((await send(path)).headers.get('retry-after')).toBe('2')
    service.faults.on('Get Location Metadata', { truncate: true, times: 1 })
    await expect(send(path)).rejects.toThrow()
    expect((await send(path)).status).toBe(200)
  })
})

// Node has its own class only since version 22; msw replaces whichever class is there.
vi.stubGlobal('WebSocket', PlatformWebSocket)
afterAll(() => void vi.unstubAllGlobals())

const startWorker = () => {
  const setup = setUp()
  const server = setupServer(...browserHandlers(setup.service))
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())
  const open = (url = setup.service.gateway.url) => createFrameClient(new WebSocket(url))
  return { ...setup, open, as: (user: { id: string }) => sender(fetch, baseUrl, setup.service.token(user)) }
}

test('the msw handlers for browsers serve the gateway at its URL and at its resume URL', async () => {
  const { service, ada, grace, as, open } = startWorker()
  const client = open(`${service.gateway.url}?v=1`)
  const token = service.token(ada)
  const { session_id, resume_gateway_url = '' } = await identify(client, token)
  expect(resume_gateway_url).toBe(service.gateway.url)
  await as(grace)(`PUT /users/@me/relationships/${ada.id}`, {})
  expect(await client.nextEvents()).toMatchObject([['RELATIONSHIP_ADD', { id: grace.id, type: 3 }]])
  client.socket.close(4000)
  await client.closed
  const resumed = open(`${resume_gateway_url}/any?v=1`)
  await resumed.next()
  resumed.send(6, { token, session_id, seq: 2 })
  expect(await resumed.nextEvents()).toEqual([['RESUMED', {}]])
  client.socket.close()
})

test('the msw handlers for browsers apply gateway faults', async () => {
  const { service, ada, open } = startWorker()
  service.gateway.refuse({ times: 1 })
  const refused = open()
  expect(await refused.closed).toMatchObject({ code: 1006 })
  const client = open()
  await identify(client, service.token(ada))
  const freeze = service.gateway.freeze()
  service.gateway.emit('X', {})
  client.send(1)
  freeze.remove()
  expect(await client.nextEvents()).toEqual([['X', {}]])
  service.gateway.drop(4000)
  expect(await client.closed).toEqual({ code: 4000, reason: 'Dropped by a fault.' })
  await identify(open(), service.token(ada))
  service.gateway.drop()
  expect(service.gateway.sessions.map(({ connected }) => connected)).toEqual([false, false])
})
