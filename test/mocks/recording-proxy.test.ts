import { type EventEmitter, once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, createConnection } from 'node:net'
import { dirname, join } from 'node:path'
import type { Duplex } from 'node:stream'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createCertificate } from '../../mocks/cli/certificate'
import { deferred } from '../deferred'
import { json, noResponse, serve, stallDuringBody } from '../servers/http-server'
import { mockCommand, newFile, startRecording } from './command'
import { createFrameClient, identify, type Ready } from './gateway-client'
import { clientFrame, handshake, rawSocket, requestText, sendTls } from './raw-sockets'
import { password, sender } from './set-up'

const { startMock, startMockWith } = mockCommand()
const login = { login: 'grace@example.com', password }

/** Starts a mock as the real service. */
async function startService(options: NonNullable<Parameters<typeof listen>[1]> = {}) {
  const service = createMockService({ baseUrl: 'http://localhost/api' })
  service.users.create({ ...login, username: 'grace' })
  onTestFinished(() => service.close())
  return listen(service, options)
}

/** Starts a gateway that handles upgrades itself; returns its URL. */
async function serveUpgrades(onUpgrade: (socket: Duplex, request: IncomingMessage, head: Buffer) => void) {
  const server = createServer()
  const sockets = new Set<Duplex>()
  server.on('upgrade', (request, socket, head) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('end', () => socket.end())
    onUpgrade(socket, request, head)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((closed) => server.close(closed))
  })
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Resolves when something has closed, also after an error. */
const closeOf = (closing: EventEmitter) => new Promise((resolve) => closing.once('close', resolve))

/** Starts a proxy before a service without calls, whose gateway is at `gateway`. */
async function proxyOf(gateway: string, ...args: string[]) {
  const { url } = await serve()
  const recording = await startRecording(startMock, url, '--gateway', gateway, ...args)
  return { recording, port: Number(new URL(recording.url).port) }
}

const upgrade = (path = '/gateway') => requestText(`GET ${path}`, ['Host: localhost', ...handshake])

it('a proxy records a service with TLS if it trusts the certificate, and otherwise says why it has no response', async () => {
  const tls = createCertificate(['localhost', '127.0.0.1'])
  const server = await startService({ tls })
  expect(server.url).toMatch(/^https:/)
  const file = newFile('service.pem')
  writeFileSync(file, tls.cert)
  const trusting = startMockWith.bind(undefined, { NODE_EXTRA_CA_CERTS: file })
  const recording = await startRecording(trusting, server.url)
  const { token } = (await sender(fetch, recording.url)('POST /auth/login', login)).body
  const client = createFrameClient(new WebSocket(recording.gatewayUrl))
  expect(await identify(client, String(token))).toHaveProperty('session_id')
  expect(recording.calls()).toEqual([['Login Account', 200, null]])
  expect(recording.entries().filter(({ kind }) => kind === 'frame')).toHaveLength(3)

  const other = await startRecording(startMock, server.url)
  const refused = await sender(fetch, other.url)('POST /auth/login', login)
  const reason = `has no response of ${new URL(server.url).origin}: DEPTH_ZERO_SELF_SIGNED_CERT`
  expect([refused.status, refused.body.message]).toEqual([502, `rapport-mock: Login Account ${reason}`])
  expect((await once(new WebSocket(other.gatewayUrl), 'close'))[0]).toBe(1006)
  const { origin } = new URL(server.gatewayUrl)
  expect(other.output.stdout).toContain(`rapport-mock: no connection to ${origin}: DEPTH_ZERO_SELF_SIGNED_CERT`)
  expect(other.entries()).toEqual([])
})

it('a proxy with --tls records clients of https and wss, and gives them an address of wss to resume', async () => {
  const server = await startService()
  const home = dirname(newFile())
  const withHome = startMockWith.bind(undefined, { HOME: home, USERPROFILE: home })
  const recording = await startRecording(withHome, server.url, '--tls')
  const ca = readFileSync(join(home, '.rapport-mock', 'localhost.pem'), 'utf8')
  expect(recording.output.stdout).toContain('NODE_EXTRA_CA_CERTS')
  const { port } = new URL(recording.url)
  const { status, body } = await sendTls(`${recording.url}/auth/login`, 'POST', ca, JSON.stringify(login))
  expect(status).toBe(200)
  const { token } = JSON.parse(body)
  const client = createFrameClient(new WebSocket(recording.gatewayUrl, { ca }))
  const { resume_gateway_url: resumeUrl = '', session_id } = await identify(client, token)
  expect(resumeUrl).toBe(`wss://127.0.0.1:${port}/api/gateway/resume/0`)
  client.socket.close(4000)
  await client.closed
  const resumed = createFrameClient(new WebSocket(resumeUrl, { ca }))
  await resumed.next()
  resumed.send(6, { token, session_id, seq: 1 })
  expect((await resumed.next()).t).toBe('RESUMED')
  expect(recording.calls()).toEqual([['Login Account', 200, null]])
  // A client that has not finished its handshake does not keep the command from ending.
  const unfinished = createConnection(Number(port), '127.0.0.1')
  onTestFinished(() => void unfinished.destroy())
  await once(unfinished, 'connect')
  unfinished.on('error', () => {})
  expect(await recording.stop()).toEqual([0, null])
})

it('a client resumes by an address of the proxy where the service said, and never at an unsafe address', async () => {
  const resumes = new WebSocketServer({ port: 0, host: '127.0.0.1', path: '/elsewhere' })
  const gateway = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => {
    for (const server of [resumes, gateway]) server.close()
  })
  const portOf = (server: WebSocketServer) => (server.address() as AddressInfo).port
  await Promise.all([resumes, gateway].map((server) => once(server, 'listening')))
  const requested: string[] = []
  const addresses = [`ws://127.0.0.1:${portOf(resumes)}/elsewhere?v=9`, 'ws://gateway.example/', 'not a URL']
  for (const [name, server] of Object.entries({ resumes, gateway })) {
    server.on('connection', (socket, { url }) => {
      requested.push(`${name} ${url}`)
      const d = { session_id: 's', n: requested.length, resume_gateway_url: addresses.shift() }
      socket.send(JSON.stringify({ op: 0, s: 1, t: 'READY', d }))
      socket.on('message', (data) => socket.send(data))
    })
  }
  const { recording } = await proxyOf(`ws://127.0.0.1:${portOf(gateway)}/`)
  const connect = async (url: string) => {
    const client = createFrameClient(new WebSocket(url))
    const { d } = await client.next<Ready>()
    return { client, d }
  }
  const first = await connect(recording.gatewayUrl)
  expect(first.d).toEqual({ session_id: 's', n: 1, resume_gateway_url: `${recording.gatewayUrl}/resume/0` })
  const second = await connect(`${recording.gatewayUrl}/resume/0`)
  expect(second.d).toMatchObject({ n: 2, resume_gateway_url: `${recording.gatewayUrl}/resume/-1` })
  second.client.send(6, { token: 'a token', session_id: 's', seq: 1 })
  expect(await second.client.next()).toMatchObject({ op: 6 })
  const third = await connect(`${recording.gatewayUrl}/resume/-1?v=8`)
  expect(third.d).toMatchObject({ n: 3, resume_gateway_url: 'not a URL' })
  expect(requested).toEqual(['gateway /', 'resumes /elsewhere?v=9', 'gateway /?v=8'])
  const urls = recording.entries().map(({ frame }) => JSON.stringify(frame).match(/url-\d/)?.[0])
  expect(urls.filter((url) => url !== undefined)).toEqual(['url-1', 'url-2', 'url-3'])
})

it.each(['503 Service Unavailable', '302 Found'])(
  'a connection that the gateway refuses with %s is closed with 1006, and neither followed nor recorded',
  async (line) => {
    const gateway = await serveUpgrades((socket) => {
      socket.end(`HTTP/1.1 ${line}\r\nSet-Cookie: a=secret\r\nLocation: ws://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n`)
    })
    const { recording } = await proxyOf(gateway)
    expect((await once(new WebSocket(recording.gatewayUrl), 'close'))[0]).toBe(1006)
    const problem = `rapport-mock: no connection to ${gateway}: Unexpected server response: ${line.slice(0, 3)}`
    expect(recording.output.stdout).toContain(problem)
    expect(recording.entries()).toEqual([])
  },
)

it('a gateway that does not answer an upgrade is left when its client leaves, and does not keep the command from ending', async () => {
  const left: Promise<unknown>[] = []
  let arrived = deferred<void>()
  const gateway = await serveUpgrades((socket) => {
    left.push(closeOf(socket.resume()))
    arrived.resolve()
  })
  const { recording, port } = await proxyOf(gateway)
  const stalled = async () => {
    arrived = deferred()
    const socket = await rawSocket(port)
    socket.write(upgrade())
    await arrived.promise
    return socket
  }
  const [polite, killed] = [await stalled(), await stalled()]
  polite.end()
  killed.reset()
  await Promise.all(left)
  await stalled()
  expect(await recording.stop()).toEqual([0, null])
  await Promise.all(left)
})

it('what a client sends before the gateway has accepted its connection arrives afterwards', async () => {
  const accepting = new WebSocketServer({ noServer: true })
  const [asked, written] = [deferred<void>(), deferred<void>()]
  const received = deferred<string>()
  const gateway = await serveUpgrades(async (socket, request, head) => {
    asked.resolve()
    await written.promise
    accepting.handleUpgrade(request, socket, head, (accepted) => {
      accepted.on('message', (data) => received.resolve(String(data)))
    })
  })
  const { port } = await proxyOf(gateway)
  const socket = await rawSocket(port)
  socket.write(upgrade())
  await asked.promise
  socket.write(clientFrame(0x81, '{"op":1}'))
  written.resolve()
  expect(await received.promise).toBe('{"op":1}')
})

it('a gateway that neither reads nor stops sending does not keep the command from ending', async () => {
  const accepting = new WebSocketServer({ noServer: true })
  const gateway = await serveUpgrades((socket, request, head) => {
    accepting.handleUpgrade(request, socket, head, (accepted) => {
      accepted.pause()
      const timer = setInterval(() => accepted.send('{"op":0}'), 5)
      socket.once('close', () => clearInterval(timer))
    })
  })
  const { recording } = await proxyOf(gateway)
  const client = createFrameClient(new WebSocket(recording.gatewayUrl))
  await client.next()
  client.socket.close(1000)
  await client.closed
  expect(await recording.stop()).toEqual([0, null])
  expect(recording.output.stderr).toMatch(/^rapport-mock: recorded \d+ entries/)
})

it('an upgrade that is not for a WebSocket leaves no connection to the gateway behind, and one to another protocol is ignored', async () => {
  const closed: Promise<unknown>[] = []
  const gateway = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => void gateway.close())
  gateway.on('connection', (socket) => closed.push(closeOf(socket)))
  await once(gateway, 'listening')
  const service = await serve(json(200, { user_sessions: [] }))
  const address = `ws://127.0.0.1:${(gateway.address() as AddressInfo).port}`
  const recording = await startRecording(startMock, service.url, '--gateway', address)
  const port = Number(new URL(recording.url).port)
  const invalid = await rawSocket(port)
  const headers = handshake.map((header) => header.replace(/(Key: ).*/, '$1invalid'))
  invalid.write(requestText('GET /gateway', ['Host: localhost', ...headers]))
  expect((await invalid.response()).status).toBe(400)
  await Promise.all(closed)

  // As Java's client sends each of its requests.
  const java = await rawSocket(port)
  java.write(requestText('GET /auth/sessions', ['Host: localhost', 'Connection: Upgrade', 'Upgrade: h2c']))
  const response = await java.response()
  expect([response.status, response.body]).toEqual([200, '{"user_sessions":[]}'])
  expect(service.request().headers).not.toHaveProperty('upgrade')
  expect(recording.calls()).toEqual([['Get Auth Sessions', 200, null]])
})

it('a service that stalls, before or during its response, is left when the client leaves, and does not keep the command from ending', async () => {
  const left: Promise<unknown>[] = []
  const stall =
    (responder: typeof noResponse): typeof noResponse =>
    (response, request) => {
      left.push(closeOf(response))
      return responder(response, request)
    }
  const service = await serve(...[noResponse, stallDuringBody, noResponse, stallDuringBody].map(stall))
  const recording = await startRecording(startMock, service.url)
  for (const count of [1, 2]) {
    const control = new AbortController()
    const call = fetch(`${recording.url}/auth/sessions`, { signal: control.signal })
    await service.waitForRequests(count)
    control.abort()
    await expect(call).rejects.toThrow('aborted')
    await left.at(-1)
  }
  const calls = [3, 4].map(async (count) => {
    await service.waitForRequests(count - 1)
    await fetch(`${recording.url}/auth/sessions`)
  })
  await service.waitForRequests(4)
  const settled = Promise.allSettled(calls)
  expect(await recording.stop()).toEqual([0, null])
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await Promise.all(left)
  expect(recording.entries()).toEqual([])
})
