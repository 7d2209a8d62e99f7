import { on, once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { json } from 'node:stream/consumers'
import { Client } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { requestListener } from 'rapport-sdk/node'
import { attachGateway, createSessionHandler, type SessionHandlerOptions } from 'rapport-sdk/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { deferred } from '../deferred'
import { reasonOf } from '../transport/rejection'
import { ORIGIN } from './page'

const keys = [{ id: 'k1', key: crypto.getRandomValues(new Uint8Array(32)) }]
const login = { login: 'ada@example.com', password: 'correct horse' }

/** A service with two users, and a server of Node with sessions and a gateway in front of it. */
async function setUp(options: Partial<SessionHandlerOptions> = {}, gatewayUrl?: string) {
  const service = createMockService()
  const ada = service.users.create(login)
  const grace = service.users.create({ ...login, login: 'grace@example.com' })
  const upstream = await listen(service)
  onTestFinished(() => service.close())
  const handler = createSessionHandler({ baseUrl: upstream.url, keys, origin: ORIGIN, ...options })
  const server = createServer(requestListener(handler, ORIGIN))
  const gateway = attachGateway(server, handler, { url: gatewayUrl ?? upstream.gatewayUrl })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(() => resolve()))
  })
  // An object, because the server listens on a port.
  const { port } = server.address() as AddressInfo
  const call = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
    fetch(`http://127.0.0.1:${port}/rapport${path}`, {
      method,
      headers: { origin: ORIGIN, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const signIn = async (name = login.login) => {
    const [line = ''] = (await call('POST', '/auth/login', {}, { ...login, login: name })).headers.getSetCookie()
    return line.split(';')[0] ?? ''
  }
  const open = (path: string, headers: Record<string, string>, origin?: string) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers, ...(origin !== undefined && { origin }) })
    onTestFinished(() => socket.terminate())
    return socket
  }
  return { service, ada, grace, server, gateway, port, call, signIn, open }
}

/** Returns the port of a server whose only listener is this one. */
async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // An object, because the server listens on a port.
  return (server.address() as AddressInfo).port
}

/** Returns the options of a page's gateway, whose sockets have the page's cookie; `frames` receives what they are sent. */
function gatewayOfPage(port: number, cookie: () => string, frames: string[] = []) {
  class PageSocket extends WebSocket {
    constructor(url: string | URL) {
      super(url, { headers: { cookie: cookie() }, origin: ORIGIN })
      this.on('message', (data) => frames.push(String(data)))
    }
  }
  return { url: `ws://127.0.0.1:${port}/rapport/gateway`, WebSocket: PageSocket }
}

/** Resolves to the status of a handshake that is refused. */
const refusalOf = (socket: WebSocket) =>
  new Promise<number | undefined>((resolve, reject) => {
    socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode))
    socket.on('open', () => reject(new Error('the handshake was accepted')))
    socket.on('error', () => {})
  })

const codeOf = (socket: WebSocket) => new Promise<number>((resolve) => void socket.on('close', (code) => resolve(code)))

test('a server of Node answers the calls of a page, with its cookies', async () => {
  const { call, signIn, ada } = await setUp()

  const cookie = await signIn()

  expect(cookie).toMatch(/^__Host-rapport=k1\./)
  expect(await (await call('GET', '/session', { cookie })).json()).toEqual({ status: 'signedIn', user: { id: ada.id } })
  expect(await (await call('GET', '/users/@me/relationships', { cookie })).json()).toEqual([])
  const signedOut = await call('POST', '/auth/logout', { cookie }, {})
  expect([signedOut.status, signedOut.headers.getSetCookie()[0]]).toEqual([204, expect.stringContaining('Max-Age=0')])
  expect((await call('GET', '/users/@me/relationships', { cookie })).status).toBe(401)
})

test('a path with two slashes and a forged Host lead nowhere else', async () => {
  const { port } = await setUp()
  const socket = connect(port, '127.0.0.1')
  socket.end('GET //evil.example/rapport/session HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n')
  let answer = ''
  for await (const chunk of socket) answer += String(chunk)

  expect(answer).toMatch(/^HTTP\/1.1 404 /)
})

test.each([
  ['TRACE', 405],
  ['PROPFIND', 404],
  ['OPTIONS', 404],
])('a method that no endpoint has is answered: %s with %i', async (method, status) => {
  const { port, call } = await setUp()
  const socket = connect(port, '127.0.0.1')
  const headers = `Host: a\r\nOrigin: ${ORIGIN}\r\nCookie: a=planted\r\nConnection: close\r\n`
  socket.end(`${method} /rapport/session HTTP/1.1\r\n${headers}\r\n`)
  let answer = ''
  for await (const chunk of socket) answer += String(chunk)

  expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`)
  expect(answer).not.toContain('planted')
  expect((await call('GET', '/session')).status).toBe(200)
})

test('a client that sends its body slowly is refused, and one that leaves does not stop the server', async () => {
  const { port, call } = await setUp({ timeout: 50 })
  const head = `POST /rapport/auth/login HTTP/1.1\r\nHost: a\r\nOrigin: ${ORIGIN}\r\nContent-Length: 100\r\n\r\n`
  const slow = connect(port, '127.0.0.1')
  slow.on('error', () => {})
  slow.write(`${head}{`)
  const [chunk] = await new Promise<Buffer[]>((resolve) => void slow.once('data', (data) => resolve([data])))
  slow.destroy()
  const gone = connect(port, '127.0.0.1')
  gone.write(`${head}{`)
  gone.destroy()

  expect(String(chunk)).toMatch(/^HTTP\/1.1 408 /)
  expect((await call('GET', '/session')).status).toBe(200)
})

test.each([
  ['/rapport/session', '/rapport/session', 200],
  ['/session', '/rapport/session', 200],
  ['/rapport/session', 'http://evil.example/rapport/session', 404],
])('the path %s that a framework has cut of %s is answered with %i', async (url, originalUrl, status) => {
  const { service } = await setUp()
  const listener = requestListener(createSessionHandler({ baseUrl: service.baseUrl, keys, origin: ORIGIN }), ORIGIN)
  const port = await serve((request, response) => listener(Object.assign(request, { url, originalUrl }), response))

  expect((await fetch(`http://127.0.0.1:${port}`, { headers: { origin: ORIGIN } })).status).toBe(status)
})

test('a body that a parser has read before is answered with what to change', async () => {
  const { service } = await setUp()
  const listener = requestListener(createSessionHandler({ baseUrl: service.baseUrl, keys, origin: ORIGIN }), ORIGIN)
  const port = await serve(async (request, response) => {
    await json(request)
    await listener(request, response)
  })

  const init = { method: 'POST', headers: { origin: ORIGIN }, body: JSON.stringify(login) }
  const answer = await fetch(`http://127.0.0.1:${port}/rapport/auth/login`, init)

  expect(answer.status).toBe(500)
  expect(await answer.text()).toContain('before body parsers')
})

test('a connection whose body is not read is not used again', async () => {
  const { port } = await setUp()
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `POST /rapport/auth/login HTTP/1.1\r\nHost: a\r\nOrigin: https://evil.example\r\nContent-Length: 9\r\n\r\n`,
  )
  let answer = ''
  for await (const chunk of socket) answer += String(chunk)

  expect(answer).toMatch(/^HTTP\/1.1 403 [\s\S]*\r\nconnection: close\r\n/i)
})

test('a page receives events by the gateway without a token, and the service receives its own', async () => {
  const { service, ada, grace, signIn, port } = await setUp()
  const cookie = await signIn()
  const frames: string[] = []
  const client = new Client({
    baseUrl: `http://127.0.0.1:${port}/rapport`,
    token: 'placeholder',
    gateway: gatewayOfPage(port, () => cookie, frames),
  })
  onTestFinished(() => client.dispose())
  const added = deferred<string>()
  client.gateway.on('relationshipAdd', ({ id }) => added.resolve(id))

  await client.gateway.connect()
  service.relationships.request(grace, ada)

  expect(await added.promise).toBe(grace.id)
  expect(frames.join('\n')).not.toContain('resume_gateway_url')
  expect(frames.join('\n')).not.toContain('placeholder')
})

test('a page whose connection is lost resumes its gateway session, with the token that the proxy fills in', async () => {
  const { service, ada, grace, signIn, port } = await setUp()
  const cookie = await signIn()
  const client = new Client({
    baseUrl: `http://127.0.0.1:${port}/rapport`,
    token: 'placeholder',
    gateway: gatewayOfPage(port, () => cookie),
  })
  onTestFinished(() => client.dispose())
  const [resumed, added] = [deferred<void>(), deferred<string>()]
  client.gateway.on('resumed', () => resumed.resolve())
  client.gateway.on('relationshipAdd', ({ id }) => added.resolve(id))
  await client.gateway.connect()

  service.gateway.drop(4000)
  await resumed.promise
  service.relationships.request(grace, ada)

  expect(await added.promise).toBe(grace.id)
})

test.each<[string, string | undefined, (cookie: string) => Record<string, string>, number]>([
  ['another origin', 'https://evil.example', (cookie) => ({ cookie }), 403],
  ['a subdomain', 'https://www.app.example', (cookie) => ({ cookie }), 403],
  ['no origin', undefined, (cookie) => ({ cookie, 'sec-fetch-site': 'same-origin' }), 403],
  ['no cookie', ORIGIN, () => ({}), 401],
  ['an altered cookie', ORIGIN, (cookie) => ({ cookie: cookie.replace(/.{3}$/, 'AAA') }), 401],
  ['two cookies', ORIGIN, (cookie) => ({ cookie: `${cookie}; ${cookie}` }), 401],
])('an upgrade with %s is refused', async (_, origin, headers, status) => {
  const { open, signIn } = await setUp()

  expect(await refusalOf(open('/rapport/gateway', headers(await signIn()), origin))).toBe(status)
})

test('an upgrade of another path is left to the other listeners of the server', async () => {
  const { server, open, signIn } = await setUp()
  server.on('upgrade', ({ url }, socket) => {
    if (url === '/other') socket.end('HTTP/1.1 418 Other\r\nConnection: close\r\n\r\n')
  })

  expect(await refusalOf(open('/other', { cookie: await signIn() }, ORIGIN))).toBe(418)
})

test('an upgrade of another path is refused if nobody else listens, and no refused socket stays open', async () => {
  const { port, server } = await setUp()
  const sockets = ['/nowhere', '/rapport/gateway', '/rapport/session'].map((path) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
    onTestFinished(() => void socket.destroy())
    return socket
  })
  const answers = await Promise.all(
    sockets.map((socket) => new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))))),
  )

  expect(answers.map((answer) => answer.slice(0, 12))).toEqual(['HTTP/1.1 404', 'HTTP/1.1 401', 'HTTP/1.1 404'])
  const open = () => new Promise((resolve) => server.getConnections((_, count) => resolve(count)))
  await expect.poll(open).toBe(0)
})

test.each([
  ['by sign-out', '/auth/logout', {}],
  ['by another sign-in', '/auth/login', { ...login, login: 'grace@example.com' }],
])('a socket ends with its session, %s', async (_, path, body) => {
  const { open, signIn, call } = await setUp()
  const cookie = await signIn()
  const socket = open('/rapport/gateway', { cookie }, ORIGIN)
  const closed = codeOf(socket)
  await vi.waitFor(() => expect(socket.readyState).toBe(WebSocket.OPEN))

  await call('POST', path, { cookie }, body)

  expect(await closed).toBe(4004)
})

test('a sign-out of one session leaves the socket of another open', async () => {
  const { open, signIn, call, service, grace } = await setUp()
  const cookie = await signIn()
  const socket = open('/rapport/gateway', { cookie: await signIn('grace@example.com') }, ORIGIN)
  const frames = on(socket, 'message', { close: ['close'] })
  await frames.next()
  socket.send(JSON.stringify({ op: 2, d: { token: 'cookie' } }))
  await frames.next()

  await call('POST', '/auth/logout', { cookie }, {})
  service.gateway.emit('RELATIONSHIP_REMOVE', { id: '1', type: 1 }, { to: grace })

  const { value } = await frames.next()
  expect(JSON.parse(String(value?.[0]))).toMatchObject({ t: 'RELATIONSHIP_REMOVE' })
})

test('a socket ends with its cookie, by time', async () => {
  const { open, signIn } = await setUp({ cookie: { idleMs: 1_500 } })
  const socket = open('/rapport/gateway', { cookie: await signIn() }, ORIGIN)

  expect(await codeOf(socket)).toBe(4004)
})

/** A proxy of a gateway that only the test speaks for, and the sockets that it has accepted. */
async function setUpGateway(accepting = Promise.resolve()) {
  const verifyClient = (_: unknown, done: (isAccepted: boolean) => void) => void accepting.then(() => done(true))
  const service = new WebSocketServer({ port: 0, host: '127.0.0.1', verifyClient })
  onTestFinished(() => void service.close())
  await once(service, 'listening')
  const accepted = new Promise<WebSocket>((resolve) => void service.once('connection', resolve))
  const { port } = service.address() as AddressInfo
  const { open, signIn } = await setUp({}, `ws://127.0.0.1:${port}`)
  const page = open('/rapport/gateway', { cookie: await signIn() }, ORIGIN)
  return { page, accepted }
}

test('a frame that a page sends before the service has accepted its socket waits', async () => {
  const sent = deferred<void>()
  const { page, accepted } = await setUpGateway(sent.promise)
  page.on('open', () => page.send('{"op":1}', () => sent.resolve()))

  const [frame] = await once(await accepted, 'message')

  expect(String(frame)).toBe('{"op":1}')
})

test.each([
  ['breaks off', (page: WebSocket) => page.terminate()],
  ['is closed without a code', (page: WebSocket) => page.close()],
])('the socket to the service ends when that of a page %s', async (_, end) => {
  const { page, accepted } = await setUpGateway()
  const service = await accepted
  await vi.waitFor(() => expect(page.readyState).toBe(WebSocket.OPEN))

  end(page)

  expect(await codeOf(service)).toBe(1006)
})

test('closing the proxy of the gateway ends the sockets of pages and refuses others, so that the server can close', async () => {
  const { open, signIn, server, gateway } = await setUp()
  const headers = { cookie: await signIn() }
  const [page, other] = [open('/rapport/gateway', headers, ORIGIN), open('/rapport/gateway', headers, ORIGIN)]
  const codes = Promise.all([codeOf(page), codeOf(other)])
  await vi.waitFor(() => expect([page.readyState, other.readyState]).toEqual([WebSocket.OPEN, WebSocket.OPEN]))

  gateway.close()

  // Pages connect again, and resume.
  expect(await codes).toEqual([1001, 1001])
  expect(await refusalOf(open('/rapport/gateway', headers, ORIGIN))).toBe(503)
  await new Promise((resolve) => server.close(resolve))
})

test('a gateway that is none, would expose the token, or has no sessions is refused', () => {
  const server = createServer()
  const handler = createSessionHandler({ baseUrl: 'https://service.example', keys, origin: ORIGIN })
  for (const url of ['gateway', 'https://gateway.service.example', 'ws://gateway.service.example', undefined])
    expect(() => attachGateway(server, handler, { url: url ?? '' })).toThrow(/^attachGateway: .*`url`/)
  const foreign = Object.assign(async () => new Response(), { client: async () => undefined })
  expect(() => attachGateway(server, foreign, { url: 'wss://gateway.service.example' })).toThrow(
    /createSessionHandler.*two copies/,
  )
  expect(server.listenerCount('upgrade')).toBe(0)
})

test('a page that has not heard of another user receives nothing of that user by the gateway', async () => {
  const { ada, grace, signIn, port } = await setUp()
  let cookie = await signIn()
  const graces = await signIn('grace@example.com')
  const frames: string[] = []
  const client = new Client({
    baseUrl: `http://127.0.0.1:${port}/rapport`,
    session: 'cookie',
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, cookie, origin: ORIGIN } }),
    gateway: gatewayOfPage(port, () => cookie, frames),
  })
  onTestFinished(() => client.dispose())
  expect((await client.gateway.connect()).user?.id).toBe(ada.id)
  cookie = graces
  await client.gateway.disconnect()
  const refused = reasonOf(client.gateway.connect())

  expect(String(await refused)).toContain('another user')
  expect(frames.join('\n')).not.toContain(grace.id)
  const ready = client.gateway.waitFor('ready')
  await reasonOf(client.relationships.list())
  await vi.waitFor(() => expect(client.session.user?.id).toBe(grace.id))
  expect((await ready).user?.id).toBe(grace.id)
})
