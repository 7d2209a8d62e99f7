import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { Client } from 'rapport-sdk'
import {
  createMockService,
  type MockSnapshot,
  type StubAnswer,
  type StubEndpoint,
  type StubRequest,
} from 'rapport-sdk/mocks'
import { handlers } from 'rapport-sdk/mocks/msw'
import { listen } from 'rapport-sdk/mocks/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { createFrameClient } from './gateway-client'
import { baseUrl, setUp } from './set-up'

const guild = 'GET /guilds/{guild.id}'
const echo = 'POST /guilds/{guild.id}/echo'

describe('a stub in process', () => {
  it('answers with what its function returns for the request', async () => {
    const { service, ada, as, send } = setUp()
    const requests: StubRequest[] = []
    service.stubs.on('POST /guilds/{guild.id}/members/{user.id}', (request) => {
      requests.push(request)
      return { status: 201, body: { guild: request.params['guild.id'], nick: Object(request.body).nick } }
    })
    const path = '/guilds/7/members/a%20b?reason=x&reason=y'
    const { status, body, headers } = await as(ada)(`POST ${path}`, { nick: 'Ada' }, { 'x-client': 'test' })
    expect([status, body, headers.get('content-type')]).toEqual([201, { guild: '7', nick: 'Ada' }, 'application/json'])
    const [request] = requests
    expect(request).toMatchObject({
      method: 'POST',
      path: '/guilds/7/members/a%20b',
      params: { 'guild.id': '7', 'user.id': 'a b' },
      body: { nick: 'Ada' },
      user: ada.id,
    })
    expect([request?.query.getAll('reason'), request?.headers.get('x-client')]).toEqual([['x', 'y'], 'test'])
    await send('POST /guilds/7/members/1')
    expect(requests[1]).toMatchObject({ body: undefined, user: null })
  })

  it('answers 204 without a body by default, and 200 with one', async () => {
    const { service, send } = setUp()
    service.stubs.on('PUT /guilds/{guild.id}', {})
    service.stubs.on('GET /guilds', { body: null })
    expect(await send('PUT /guilds/7', {})).toMatchObject({ status: 204, body: undefined })
    expect(await send('GET /guilds')).toMatchObject({ status: 200, body: null })
  })

  it('serves requests of a client to an endpoint that the document does not list', async () => {
    const { service, ada } = setUp()
    service.stubs.on(guild, { body: { id: '{{params.guild.id}}', name: 'Chess club' } })
    const client = new Client({ baseUrl, fetch: service.fetch, token: service.token(ada) })
    const found = await client.request({ path: '/guilds/{guild.id}', pathParams: { 'guild.id': '7' } })
    expect(found).toEqual({ id: '7', name: 'Chess club' })
  })

  it('it is refused for an endpoint that the document lists, in any notation', () => {
    const { service } = setUp()
    for (const endpoint of [
      'POST /auth/login',
      'POST /auth/%6Cogin',
      'PUT /users/@me/relationships/{user.id}',
      'PUT /users/@me/relationships/{id}',
      'PUT /users/@me/relationships/42',
      'POST /channels/{channel.id}/messages',
    ] as const) {
      expect(() => service.stubs.on(endpoint, {})).toThrow(`the API document lists ${endpoint} as "`)
    }
    expect(service.stubs.all()).toEqual([])
  })

  it('does not replace a listed endpoint that its template also matches', async () => {
    const { service, as, ada } = setUp()
    service.stubs.on('GET /users/@me/{thing}', { body: 'stub' })
    expect((await as(ada)('GET /users/@me/relationships')).body).toEqual([])
    expect((await as(ada)('GET /users/@me/things')).body).toBe('stub')
  })

  it('may have another method of a listed path', async () => {
    const { service, send } = setUp()
    expect((await send('DELETE /auth/login')).status).toBe(405)
    service.stubs.on('DELETE /auth/login', { body: 'stub' })
    expect((await send('DELETE /auth/login')).body).toBe('stub')
    expect((await send('POST /auth/login')).status).toBe(400)
  })

  it('answers only its method and template below the base URL', async () => {
    const { service, send } = setUp()
    service.stubs.on(guild, { body: 'stub' })
    const statuses = []
    for (const route of [
      'GET /guilds/7',
      'POST /guilds/7',
      'GET /guilds',
      'GET /guilds/',
      'GET /guilds/7/x',
    ] as const) {
      statuses.push((await send(route)).status)
    }
    expect(statuses).toEqual([200, 404, 404, 404, 404])
    expect((await service.fetch('https://service.example/guilds/7')).status).toBe(404)
    expect((await send('GET /guilds/%ff')).status).toBe(404)
  })

  it('takes precedence with a literal path over one with a parameter, in any order', async () => {
    const { service, send } = setUp()
    service.stubs.on('GET /guilds/mine', { body: 'literal' })
    service.stubs.on(guild, { body: 'parameter' })
    expect([(await send('GET /guilds/mine')).body, (await send('GET /guilds/7')).body]).toEqual([
      'literal',
      'parameter',
    ])
  })

  it('replaces an earlier one of its endpoint, and is removed alone', async () => {
    const { service, send } = setUp()
    const removeFirst = service.stubs.on(guild, { body: 1 })
    const removeSecond = service.stubs.on(guild, { status: 404, body: 2 })
    expect(service.stubs.all()).toEqual([{ endpoint: guild, status: 404, body: 2 }])
    removeFirst()
    expect((await send('GET /guilds/7')).body).toBe(2)
    removeSecond()
    expect((await send('GET /guilds/7')).status).toBe(404)
    service.stubs.on(guild, () => ({}))
    expect(service.stubs.all()).toEqual([{ endpoint: guild, status: null }])
    expect([service.stubs.remove(guild), service.stubs.remove(guild)]).toEqual([true, false])
  })

  it.each<[StubEndpoint, StubAnswer, string]>([
    ['FETCH /guilds' as StubEndpoint, {}, '"FETCH /guilds" is not a method (GET, POST, PUT, PATCH, DELETE) and a path'],
    ['Login Account' as StubEndpoint, {}, '"Login Account" is not a method'],
    ['GET /guilds?x=1', {}, 'a path without a query'],
    ['GET /guilds/{id}.json', {}, 'a parameter must be an entire segment with a unique name'],
    ['GET /guilds/{__proto__}', {}, 'a parameter must be'],
    ['GET /guilds/{id}/{id}', {}, 'a parameter must be'],
    [guild, { status: 99 }, 'the stub: status: expected an integer from 200 to 599, got 99'],
    [guild, { body: 1n }, 'the stub: body: expected a value that JSON can represent, got a bigint'],
    [guild, { headers: {} } as StubAnswer, 'the stub: headers: unknown; expected one of status, body'],
    [guild, { status: 204, body: {} }, 'the stub: body: a response with status 204 has none'],
    [
      guild,
      { body: ['{{params.id}}'] },
      'unknown placeholder {{params.id}}; known are {{params.guild.id}}, {{query.…}}, ',
    ],
    [guild, { body: { a: { b: '{{headers.authorization}}' } } }, 'unknown placeholder {{headers.authorization}}'],
    [guild, { body: '{{body}}' }, 'unknown placeholder {{body}}'],
    [guild, { body: '{{constructor.constructor("return 1")()}}' }, 'unknown placeholder'],
  ])('stubs.on(%j, %o) is refused', (endpoint, answer, message) => {
    const { service } = setUp()
    expect(() => service.stubs.on(endpoint, answer)).toThrow(message)
    expect(service.stubs.all()).toEqual([])
  })

  it.each<[string, () => StubAnswer, string]>([
    ['throws', () => JSON.parse(''), 'the mock service failed: '],
    ['returns nothing', () => undefined as unknown as StubAnswer, 'expected an object, got undefined'],
    ['returns an unknown field', () => ({ headers: {} }) as StubAnswer, 'headers: unknown'],
    ['returns a promise', async () => ({ body: 1 }), 'expected a response, got a promise'],
    [
      'returns a promise that rejects',
      () => Promise.reject(new Error('x')) as never,
      'expected a response, got a promise',
    ],
  ])('one whose function %s results in a 500 response that says so', async (_, answer, message) => {
    const { service, send } = setUp()
    service.stubs.on(guild, answer)
    expect(await send('GET /guilds/7')).toMatchObject({
      status: 500,
      body: { message: expect.stringContaining(message) },
    })
  })

  it('refuses bodies that are malformed, too large or too deep, as endpoints do', async () => {
    const { service, send } = setUp()
    service.stubs.on(echo, () => ({ body: 'stub' }))
    const statuses = []
    for (const body of ['{', JSON.stringify('x'.repeat(2 ** 20)), `${'['.repeat(200)}${']'.repeat(200)}`, '[1]']) {
      statuses.push((await send('POST /guilds/7/echo', body)).status)
    }
    expect(statuses).toEqual([400, 413, 400, 200])
  })
})

describe('a stub next to journal, faults and snapshots', () => {
  it('it is in the journal, found by its template, and its secrets are redacted', async () => {
    const { service, ada, as, send } = setUp()
    service.stubs.on(echo, { body: 'ok' })
    await as(ada)('POST /guilds/7/echo?page=2', { password: 'secret', name: 'x' })
    await send('POST /auth/login')
    const entry = {
      endpoint: null,
      method: 'POST',
      path: '/guilds/7/echo',
      status: 200,
      user: ada.id,
      params: { page: '2', password: '[redacted]', name: 'x' },
      reason: null,
    }
    expect(service.journal.find(echo)).toEqual([expect.objectContaining(entry)])
    expect(service.journal.find('/guilds/{guild.id}/echo')).toHaveLength(1)
    expect(() => service.journal.find('POST /guilds/{id}/echo')).toThrow('no endpoint has the path /guilds/{id}/echo')
  })

  it('it is subject to faults on its template, its method and everything', async () => {
    const { service, send } = setUp()
    service.stubs.on(guild, { body: 'ok' })
    service.faults.on(guild, { status: 503, times: 1 })
    service.faults.on('GET', { html: true, times: 1 })
    service.faults.on('*', { loseResponse: 'reset', times: 1 })
    expect([(await send('GET /guilds/7')).status, (await service.fetch(`${baseUrl}/guilds/7`)).status]).toEqual([
      503, 502,
    ])
    await expect(send('GET /guilds/7')).rejects.toThrow('fetch failed')
    expect((await send('GET /guilds/7')).body).toBe('ok')
    expect(service.journal.requests.map(({ fault }) => fault)).toEqual(['status', 'html', 'loseResponse', null])
    expect(() => service.faults.on('GET /nope/{id}', { status: 500 })).toThrow('no endpoint has the path /nope/{id}')
  })

  it('refuses faults that need a body if it has none, by template and by path', () => {
    const { service } = setUp()
    service.stubs.on('DELETE /guilds/{guild.id}', {})
    const message = 'truncate: DELETE /guilds/{guild.id} has no response body; use loseResponse'
    for (const path of ['/guilds/{guild.id}', '/guilds/7'] as const) {
      expect(() => service.faults.on(`DELETE ${path}`, { truncate: true })).toThrow(message)
    }
    service.stubs.on('DELETE /guilds/{guild.id}', { body: 'ok' })
    service.faults.on('DELETE /guilds/7', { truncate: true })
    expect(service.faults.all()).toHaveLength(1)
  })

  it.each(['GET /_mock', 'POST /_mock/users', 'GET /_ns/{name}/users'] as const)(
    'of %s is refused, because no request would reach it',
    (endpoint) => {
      const { service } = setUp()
      expect(() => service.stubs.on(endpoint, {})).toThrow(`"${endpoint}": paths below /_mock and /_ns are reserved`)
    },
  )

  it('answers requests at the path of the gateway, which still answers upgrades', async () => {
    const { service } = setUp()
    service.stubs.on('GET /gateway', { body: { url: service.gateway.url } })
    const server = await listen(service)
    onTestFinished(() => service.close())
    expect(await (await fetch(`${server.url}/gateway`)).json()).toEqual({ url: service.gateway.url })
    const client = createFrameClient(new WebSocket(server.gatewayUrl))
    expect(await client.next()).toMatchObject({ op: 10 })
    client.socket.close()
  })

  it('may have characters that URLs encode', async () => {
    const { service, send } = setUp()
    service.stubs.on('GET /café/"/{id}', { body: '{{params.id}}' })
    expect((await send('GET /café/"/é')).body).toBe('é')
  })

  it('it is not truncated if it has no body, and the journal says so', async () => {
    const { service, send } = setUp()
    service.stubs.on('PUT /guilds/{guild.id}', () => ({}))
    service.faults.on('PUT /guilds/{guild.id}', { truncate: true })
    expect((await send('PUT /guilds/7')).status).toBe(204)
    const [entry] = service.journal.requests
    expect(entry).toMatchObject({ fault: 'truncate (skipped: the endpoint has no response body)', reason: null })
  })

  it('does not use up a fault of many endpoints that needs a body if it has none', async () => {
    const { service, send } = setUp()
    const events: unknown[] = []
    service.onEvent((event) => event.type === 'fault' && events.push(event.action))
    service.stubs.on('GET /empty', { status: 204 })
    service.faults.on('*', { truncate: true, times: 1 })
    expect((await send('GET /empty')).status).toBe(204)
    expect(service.journal.requests[0]).toMatchObject({
      fault: 'truncate (skipped: the endpoint has no response body)',
    })
    expect([events, service.faults.all().map(({ left }) => left)]).toEqual([['added'], [1]])
  })

  it('it is part of snapshots without a function; with one it stays when a snapshot is restored', async () => {
    const { service, send } = setUp()
    service.stubs.on(guild, { body: { id: '{{params.guild.id}}' } })
    service.stubs.on('GET /now', () => ({ body: service.clock.now() }))
    service.faults.on('GET /now', { latency: 1, times: 1 })
    const snapshot: MockSnapshot = JSON.parse(JSON.stringify(service.snapshot()))
    service.stubs.on(guild, { body: 'changed' })
    service.stubs.on('GET /later', {})
    service.restore(snapshot)
    expect(service.stubs.all().map(({ endpoint }) => endpoint)).toEqual(['GET /now', guild])
    expect([(await send('GET /guilds/7')).body, (await send('GET /now')).status]).toEqual([{ id: '7' }, 200])
    const other = createMockService({ baseUrl })
    other.restore(snapshot)
    expect(await (await other.fetch(`${baseUrl}/guilds/8`)).json()).toEqual({ id: '8' })
    expect((await other.fetch(`${baseUrl}/now`)).status).toBe(404)
    service.reset()
    expect(service.stubs.all()).toEqual([])
  })

  it('leaves its faults when it is removed, for the next stub of its path, also in a snapshot', async () => {
    const { service, send } = setUp()
    service.stubs.on(guild, {})()
    service.stubs.on(guild, { body: 1 })
    service.faults.on(guild, { status: 503 })
    service.stubs.clear()
    service.restore(service.snapshot())
    service.stubs.on(guild, { body: 2 })
    expect((await send('GET /guilds/7')).status).toBe(503)
  })

  it.each([
    [{ endpoint: 'POST /auth/login', status: 200 }, 'stubs[0]: the API document lists POST /auth/login'],
    [{ endpoint: guild, status: 200, body: '{{process.env}}' }, 'stubs[0]: the stub: body: unknown placeholder'],
    [{ endpoint: guild, status: 9 }, 'stubs[0]: the stub: status'],
    [{ endpoint: guild }, 'this is not a snapshot'],
  ])('a snapshot with the stub %j is refused', (stub, message) => {
    const { service } = setUp()
    const snapshot = { ...service.snapshot(), stubs: [stub] } as unknown as MockSnapshot
    expect(() => service.restore(snapshot)).toThrow(message)
  })

  it('it is handled by the msw handlers, also of a service that is not strict', async () => {
    const service = createMockService({ baseUrl, strict: false })
    service.stubs.on(guild, { body: '{{params.guild.id}}' })
    const server = setupServer(
      ...handlers(service),
      http.all('*', () => HttpResponse.json('unhandled')),
    )
    server.listen()
    onTestFinished(() => server.close())
    const get = async (path: string) => await (await fetch(baseUrl + path)).json()
    expect([await get('/guilds/7'), await get('/nope/7')]).toEqual(['7', 'unhandled'])
  })
})
