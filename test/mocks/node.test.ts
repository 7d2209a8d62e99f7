import { request } from 'node:http'
import { createMockService } from 'rapport-sdk/mocks'
import { listen, type MockServer } from 'rapport-sdk/mocks/node'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { clientFrame, handshake, type RawSocket, rawSocket, requestText } from './raw-sockets'
import { baseUrl, password, sender, setUp } from './set-up'

async function startServer(options: Parameters<typeof setUp>[0] = {}) {
  const setup = setUp(options)
  const server = await listen(setup.service)
  onTestFinished(server.close)
  const send = sender(fetch, server.url)
  const as = (user: { id: string }) => sender(fetch, server.url, setup.service.token(user))
  return { ...setup, server, send, as, url: `${server.url}/auth/location-metadata` }
}

/** Resolves with the error code of a socket that ended before its response did. */
function socketError(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request(url, { agent: false }, (response) => {
      response.on('error', (error: NodeJS.ErrnoException) => resolve(`${error.code} in the body`))
      response.on('end', () => reject(new Error('the response was complete')))
      response.resume()
    })
    call.on('error', (error: NodeJS.ErrnoException) => resolve(`${error.code} in the head`))
    call.end()
  })
}

describe('listen()', () => {
  it('serves the mock over HTTP, below the path of its base URL', async () => {
    const { server, send, service } = await startServer()
    expect(server.url).toBe(`http://127.0.0.1:${server.port}/api/v9`)
    const { status, body } = await send('POST /auth/login', { login: 'ada@example.com', password })
    expect(status).toBe(200)
    expect(body).toHaveProperty('token')
    expect((await fetch(`http://127.0.0.1:${server.port}/auth/location-metadata`)).status).toBe(404)
    expect(service.journal.find('Login Account')).toHaveLength(1)
  })

  it('serves the mock at the root if its base URL has no path', async () => {
    const service = createMockService()
    const server = await listen(service)
    onTestFinished(server.close)
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`)
    expect((await fetch(`${server.url}/auth/location-metadata`)).status).toBe(200)
  })

  it('the server keeps idle connections, so that a program that was stalled for seconds finds none closing', async () => {
    const { url } = await startServer()
    const { headers } = await fetch(url)
    expect(headers.get('connection')).toBe('keep-alive')
    expect(headers.get('keep-alive'), 'the seconds until the server closes an idle connection').toBeNull()
  })

  it('the server sets the verification cookie', async () => {
    const { service, server } = await startServer()
    const user = service.users.create({ login: 'mfa@example.com', password, mfa: ['totp'] })
    const asAda = sender(fetch, server.url, service.token(user))
    const { body } = await asAda<{ mfa: { ticket: string } }>('POST /auth/sessions/logout', {
      session_id_hashes: ['x'],
    })
    const data = service.users.totp(user)
    const { headers } = await asAda('POST /mfa/finish', { ticket: body.mfa.ticket, mfa_type: 'totp', data })
    const [cookie] = headers.getSetCookie()
    expect(cookie).toContain('__Secure-recent_mfa=')
    const retried = await asAda('POST /auth/sessions/logout', { session_id_hashes: ['x'] }, { cookie: String(cookie) })
    expect(retried.status).toBe(204)
  })

  it('the server accepts non-ASCII bodies and encoded paths', async () => {
    const { service, as, ada, grace } = await startServer()
    const application = service.applications.create({ owner: ada })
    service.identities.create({ application, user: grace, externalUserId: 'a/b?c#d' })
    const profile = `/applications/${application.id}/users/${grace.id}/identities/a%2Fb%3Fc%23d/profile` as const
    const { body } = await as(ada)(`PATCH ${profile}`, { username: 'Žofie 💡' })
    expect(body).toMatchObject({ username: 'Žofie 💡' })
  })

  it('the server passes the IP address of the caller', async () => {
    const { service, as, ada } = await startServer()
    const { body } = await as(ada)('POST /auth/handoff', { key: 'k' })
    const exchange = { key: 'k', ...body }
    const elsewhere = sender(service.fetchFrom('203.0.113.9'), baseUrl)
    expect((await elsewhere('POST /auth/handoff/exchange', exchange)).status).toBe(400)
    expect((await sender(service.fetch, baseUrl)('POST /auth/handoff/exchange', exchange)).status).toBe(200)
  })

  it('the server allows CORS unless `cors` is false', async () => {
    const { url, service } = await startServer()
    const request = { origin: 'http://localhost:5173', 'access-control-request-method': 'PUT' }
    const headers = { ...request, 'access-control-request-headers': 'authorization' }
    const preflight = await fetch(url, { method: 'OPTIONS', headers })
    expect(preflight.status).toBe(204)
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': 'http://localhost:5173',
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'authorization',
    })
    const withoutCors = await listen(service, { cors: false })
    onTestFinished(withoutCors.close)
    const response = await fetch(`${withoutCors.url}/auth/location-metadata`, { method: 'OPTIONS', headers })
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([405, null])
  })

  it.each([
    ['ECONNRESET in the head', { reset: true }],
    ['ECONNRESET in the head', { network: true }],
    ['ECONNRESET in the body', { truncate: true }],
  ] as const)('a fault breaks a real socket with %s', async (expected, fault) => {
    const { service, url } = await startServer()
    service.faults.on('Get Location Metadata', fault)
    expect(await socketError(url)).toBe(expected)
  })

  it('a stall fault pauses a body over HTTP', async () => {
    const { service, server, url } = await startServer()
    service.faults.on('Get Location Metadata', { stall: true })
    const controller = new AbortController()
    const response = await fetch(url, { signal: controller.signal })
    expect(response.status).toBe(200)
    const text = expect(response.text()).rejects.toThrow(/abort/i)
    // The rest of the body would arrive before these.
    for (let count = 0; count < 3; count++) await (await fetch(`${server.url}/friend-suggestions`)).text()
    controller.abort()
    await text
  })

  it('a delayed response is given up once the client has gone', async () => {
    const { service, server } = await startServer()
    service.faults.on('POST /auth/forgot', { latency: '1h' })
    const controller = new AbortController()
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ login: 'ada@example.com' })
    const init = { method: 'POST', headers, body, signal: controller.signal }
    const response = expect(fetch(`${server.url}/auth/forgot`, init)).rejects.toThrow()
    await expect.poll(() => service.mail.all().length).toBe(1)
    controller.abort()
    await response
    await expect.poll(() => service.journal.requests.length).toBe(1)
  })

  it('close() is immediate despite open connections and pending responses', async () => {
    const { service, server, url, send } = await startServer()
    await send('GET /auth/location-metadata')
    service.faults.on('Get Location Metadata', { stall: true })
    const response = await fetch(url)
    const silent = response.text()
    await Promise.all([expect(silent).rejects.toThrow(), server.close()])
    await expect(fetch(url)).rejects.toThrow()
    await server.close()
  })

  it('service.close() closes the server', async () => {
    const { service, url } = await startServer()
    await service.close()
    await expect(fetch(url)).rejects.toThrow()
  })

  it('a closed server leaves no handle', async () => {
    const { server, send, service } = await startServer()
    await send('GET /auth/location-metadata')
    expect(process.getActiveResourcesInfo()).toContain('TCPServerWrap')
    await server.close()
    await service.close()
    await expect.poll(() => process.getActiveResourcesInfo()).not.toContain('TCPServerWrap')
  })

  it('rejects if the port is in use', async () => {
    const { server, service } = await startServer()
    await expect(listen(service, { port: server.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})

const path = '/api/v9/auth/location-metadata'
/** The headers that Java's HttpClient and `curl --http2` add to their first request. */
const h2c = [
  'Host: localhost',
  'Connection: Upgrade, HTTP2-Settings',
  'Upgrade: h2c',
  'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
] as const
const login = JSON.stringify({ login: 'ada@example.com', password })
const loginHead = ['Content-Type: application/json', `Content-Length: ${login.length}`] as const

async function withConnection(
  run: (socket: RawSocket, setup: ReturnType<typeof setUp>, server: MockServer) => Promise<void>,
) {
  const setup = setUp()
  await using server = await listen(setup.service)
  const socket = await rawSocket(server.port)
  await run(socket, setup, server)
  socket.end()
  await socket.closed
}

/** Resolves once the server has read what was sent before: it answers a request on another connection later. */
const read = ({ url }: MockServer) => fetch(`${url}/auth/location-metadata`)

test('a request to upgrade to HTTP/2 gets an HTTP/1.1 response, and so does the next one', () =>
  withConnection(async (socket, { service }) => {
    for (let count = 0; count < 3; count++) {
      socket.write(requestText(`GET ${path}?x=${count}`, h2c))
      expect((await socket.response()).status).toBe(400)
      socket.write(requestText(`GET ${path}`, h2c))
      const { status, headers, body } = await socket.response()
      expect([status, headers.get('upgrade'), JSON.parse(body)]).toMatchObject([200, null, { country_code: 'US' }])
      socket.write(requestText(`GET ${path}`))
      expect((await socket.response()).status).toBe(200)
    }
    expect(service.journal.find('Get Location Metadata')).toHaveLength(9)
  }))

test('a request to upgrade to HTTP/2 can have a body, sent whole or in parts', () =>
  withConnection(async (socket, { service }, server) => {
    const text = requestText('POST /api/v9/auth/login', [...h2c, ...loginHead], login)
    socket.write(text)
    expect((await socket.response()).status).toBe(200)
    for (const at of [10, text.length - login.length - 2, text.length - login.length, text.length - 1]) {
      socket.write(text.slice(0, at))
      await read(server)
      socket.write(text.slice(at))
      const { status, body } = await socket.response()
      expect([status, JSON.parse(body)]).toMatchObject([200, { token: expect.any(String) }])
    }
    expect(service.journal.find('Login Account')).toHaveLength(5)
  }))

test('a request to upgrade to HTTP/2 can have a chunked or empty body, or one after 100 Continue', () =>
  withConnection(async (socket) => {
    const half = login.length >> 1
    const chunks = [login.slice(0, half), login.slice(half), '']
    const body = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')
    const head = [...h2c, 'Content-Type: application/json', 'Transfer-Encoding: chunked']
    socket.write(requestText('POST /api/v9/auth/login', head, body))
    expect((await socket.response()).status).toBe(200)
    socket.write(requestText('POST /api/v9/auth/login', [...h2c, 'Content-Length: 0']))
    expect((await socket.response()).status).toBe(400)
    socket.write(requestText('POST /api/v9/auth/login', [...h2c, ...loginHead, 'Expect: 100-continue']))
    expect((await socket.response()).status).toBe(100)
    socket.write(login)
    expect((await socket.response()).status).toBe(200)
  }))

test('a pipelined request to upgrade to HTTP/2 is served in order', () =>
  withConnection(async (socket) => {
    const texts = [
      requestText(`GET ${path}`),
      requestText('POST /api/v9/auth/login', [...h2c, ...loginHead], login),
      requestText('GET /nowhere', h2c),
      requestText(`GET ${path}`),
    ]
    socket.write(texts.join(''))
    const found: number[] = []
    for (const _ of texts) found.push((await socket.response()).status)
    expect(found).toEqual([200, 200, 404, 200])
  }))

test('a request to upgrade to HTTP/2 with Connection: close closes the connection', () =>
  withConnection(async (socket) => {
    socket.write(requestText(`GET ${path}`, ['Host: x', 'Connection: Upgrade, close', 'Upgrade: h2c']))
    expect((await socket.response()).status).toBe(200)
    expect(await socket.closed).toBe('')
  }))

test('a connection can become a WebSocket after a request to upgrade to HTTP/2', () =>
  withConnection(async (socket) => {
    socket.write(requestText(`GET ${path}`, h2c))
    await socket.response()
    socket.write(requestText('GET /api/v9/gateway', ['Host: localhost', ...handshake]))
    expect((await socket.response()).status).toBe(101)
    socket.write(clientFrame(0x88))
    expect(await socket.closed).toContain('heartbeat_interval')
  }))

test.each(['TLS/1.0', 'h2c, websocket', 'websocket/13', '', 'nonsense'])(
  'a request to upgrade to another protocol gets an HTTP/1.1 response: %j',
  (protocol) =>
    withConnection(async (socket) => {
      socket.write(requestText(`GET ${path}`, ['Host: localhost', 'Connection: Upgrade', `Upgrade: ${protocol}`]))
      expect((await socket.response()).status).toBe(200)
    }),
)

test('resets of requests to upgrade to HTTP/2 do not harm other requests', async () => {
  const { service } = setUp()
  await using server = await listen(service)
  for (let count = 0; count < 30; count++) {
    const socket = await rawSocket(server.port)
    socket.write(requestText('POST /api/v9/auth/login', [...h2c, ...loginHead], login).slice(0, -count))
    if (count % 2 === 0) await read(server)
    socket.reset()
    await socket.closed
  }
  expect((await fetch(`${server.url}/auth/location-metadata`)).status).toBe(200)
})
