import { get } from 'node:http'
import { createMockService } from 'rapport-sdk/mocks'
import { listen, type MockServer } from 'rapport-sdk/mocks/node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createFrameClient, identify } from './gateway-client'
import { clientFrame, handshake, type RawSocket, rawSocket, requestText } from './raw-sockets'
import { setUp } from './set-up'

const uncaught: unknown[] = []
const onUncaught = (error: unknown) => uncaught.push(error)
beforeAll(() => {
  process.on('uncaughtException', onUncaught)
  process.on('unhandledRejection', onUncaught)
})
afterAll(() => {
  process.off('uncaughtException', onUncaught)
  process.off('unhandledRejection', onUncaught)
})

let server: MockServer
let setup: ReturnType<typeof setUp>
const path = '/api/v9/auth/location-metadata'
const gateway = '/api/v9/gateway'

beforeEach(async () => {
  setup = setUp()
  server = await listen(setup.service)
})
afterEach(async () => {
  // After every test, the next client is served, no session is connected, and no error was uncaught.
  expect((await fetch(`${server.url}/auth/location-metadata`)).status).toBe(200)
  await server.close()
  await vi.waitFor(() => expect(setup.service.gateway.sessions.filter(({ connected }) => connected)).toEqual([]))
  await setup.service.close()
  expect(uncaught.splice(0)).toEqual([])
})

/** Resolves once the server has processed what was sent before: five responses in a row, to frames that are not in the journal, are later. */
async function processed({ gatewayUrl } = server): Promise<void> {
  const client = createFrameClient(new WebSocket(gatewayUrl))
  await client.next()
  for (let count = 0; count < 5; count++) await client.nextEvents()
  client.socket.close()
  await client.closed
}

/** Sends bytes, ends the connection once they are processed, and returns the statuses of all responses. */
async function statuses(...parts: (string | Uint8Array)[]): Promise<number[]> {
  const socket = await rawSocket(server.port)
  for (const part of parts) socket.write(part)
  await processed()
  socket.end()
  const timer = setTimeout(() => socket.reset(), 60_000)
  const text = await socket.closed
  clearTimeout(timer)
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
}

async function openWebSocket(): Promise<RawSocket> {
  const socket = await rawSocket(server.port)
  socket.write(requestText(`GET ${gateway}`, ['Host: localhost', ...handshake]))
  expect((await socket.response()).status).toBe(101)
  return socket
}

describe('a request target over a real socket', () => {
  it.each([
    `http://localhost${path}`,
    `http://other.example:99${path}`,
    `https://user:secret@other.example${path}?`,
    `http://[${path}`,
    `HTTP://${path}`,
  ])('it is served as its path if it is in absolute form: %s', async (target) => {
    expect(await statuses(requestText(`GET ${target}`))).toEqual([200])
    const { requests } = setup.service.journal
    expect(requests).toMatchObject([{ endpoint: 'Get Location Metadata', path: '/auth/location-metadata' }])
  })

  it('keeps query and body in absolute form', async () => {
    const body = JSON.stringify({ login: 'ada@example.com', password: 'wrong password' })
    const head = ['Host: x', 'Content-Type: application/json', `Content-Length: ${body.length}`]
    expect(await statuses(requestText('POST http://x/api/v9/auth/login', head, body))).toEqual([400])
    expect(setup.service.journal.requests).toMatchObject([{ params: { login: 'ada@example.com' } }])
    const target = 'http://x/api/v9/unique-username/username-suggestions-unauthed?global_name=Ada'
    expect(await statuses(requestText(`GET ${target}`))).toEqual([200])
  })

  it('reaches the gateway in absolute form', async () => {
    const socket = await rawSocket(server.port)
    socket.write(requestText(`GET ws://elsewhere${gateway}`, ['Host: localhost', ...handshake]))
    expect((await socket.response()).status).toBe(101)
    socket.end()
  })

  it('OPTIONS * responds with the supported methods', async () => {
    const socket = await rawSocket(server.port)
    socket.write(requestText('OPTIONS *'))
    const { status, headers } = await socket.response()
    expect([status, headers.get('allow')]).toEqual([204, 'GET, POST, PUT, PATCH, DELETE'])
    socket.write(requestText(`GET ${path}`))
    expect((await socket.response()).status).toBe(200)
    socket.end()
  })

  it.each(['GET *', 'POST *'])('responds with 400 without a path: %s', async (line) => {
    expect(await statuses(requestText(line))).toEqual([400])
  })

  it.each(['GET localhost:80', 'GET foo', 'GET ?x', 'GET \\\\x', 'GET  ', 'GET', 'FOO /'])(
    'a malformed request line responds with 400: %s',
    async (line) => expect(await statuses(requestText(line))).toEqual([400]),
  )

  it('two Host headers respond with 400: from the service, the control API and the gateway', async () => {
    const hosts = ['Host: localhost', 'HOST: localhost']
    const upgrade = requestText(`GET ${gateway}`, [...hosts, ...handshake])
    for (const target of [path, '/_mock/users', '/_mock/health', '*']) {
      expect([target, await statuses(requestText(`GET ${target}`, hosts))]).toEqual([target, [400]])
    }
    expect(await statuses(upgrade)).toEqual([400])
    expect(setup.service.journal.requests).toEqual([])
  })

  it('CONNECT closes the connection', async () => {
    expect(await statuses(requestText('CONNECT localhost:80'))).toEqual([])
  })

  it.each(['/%', '/%zz', '/users/%ff/application-identities', '/auth/%2e%2e%2f', '//', '//x/y', '/?%', '/#'])(
    'responds with 404 if it cannot be decoded: %s',
    async (target) => {
      const found = await statuses(requestText(`GET ${target}`), requestText(`GET /api/v9${target}`))
      expect(found).toEqual([404, 404])
    },
  )
})

describe('a handshake over a real socket', () => {
  it.each(['[', 'a b', '', 'a/b', 'a:b:c', 'a@b', 'a?b', 'a#b', '%', 'x:99999', '[::1', ']', '\\'])(
    'responds with 400 to an invalid Host: %j',
    async (host) =>
      expect(await statuses(requestText(`GET ${gateway}`, [`Host: ${host}`, ...handshake]))).toEqual([400]),
  )

  it.each(['localhost', 'other.example:8080', '[::1]:80', '127.0.0.1', 'exämple'])(
    'is accepted with a valid Host: %s',
    async (host) =>
      expect(await statuses(requestText(`GET ${gateway}`, [`Host: ${host}`, ...handshake]))).toEqual([101]),
  )

  it.each([
    ['GET', ['Connection: Upgrade', 'Upgrade: websocket']],
    ['GET', ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 1', 'Sec-WebSocket-Key: x']],
    ['POST', handshake],
  ])('responds with a client error if it is invalid: %s %j', async (method, headers) => {
    const [status, ...more] = await statuses(requestText(`${method} ${gateway}`, ['Host: x', ...headers]))
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(more).toEqual([])
  })

  it.each(['/elsewhere', '/api/v9/gatewayx', '/%', '//'])('responds with 404 at another path: %s', async (target) => {
    expect(await statuses(requestText(`GET ${target}`, ['Host: x', ...handshake]))).toEqual([404])
  })

  it.each([gateway, '/elsewhere'])('the server survives a reset during a handshake: %s', async (target) => {
    for (const headers of [
      ['Host: x', ...handshake],
      ['Host: [', ...handshake],
      ['Host: x', ...handshake.slice(0, 2)],
    ]) {
      for (let count = 0; count < 20; count++) {
        const socket = await rawSocket(server.port)
        socket.write(requestText(`GET ${target}`, headers))
        if (count % 2 === 1) await new Promise(setImmediate)
        socket.reset()
        await socket.closed
      }
    }
  })

  it('the server survives a reset while the gateway refuses connections', async () => {
    setup.service.gateway.refuse()
    for (let count = 0; count < 20; count++) {
      const socket = await rawSocket(server.port)
      socket.write(requestText(`GET ${gateway}`, ['Host: x', ...handshake]))
      socket.reset()
      await socket.closed
    }
    setup.service.gateway.clear()
  })
})

describe('a WebSocket over a real socket', () => {
  it.each([
    ['an unmasked frame', clientFrame(0x81, '{}', false)],
    ['a reserved bit', clientFrame(0xf1, '{}')],
    ['an unknown opcode', clientFrame(0x83, '{}')],
    ['a continuation without a start', clientFrame(0x80, 'x')],
    ['a fragmented ping', clientFrame(0x09, 'x')],
    ['a ping that is too long', clientFrame(0x89, 'x'.repeat(126))],
    ['text that is not UTF-8', clientFrame(0x81, Buffer.from([0xff, 0xfe, 0xc0]))],
    ['a close of one byte', clientFrame(0x88, 'x')],
    ['a close with 1005', clientFrame(0x88, Buffer.from([1005 >> 8, 1005 & 255]))],
    ['a close with 999', clientFrame(0x88, Buffer.from([999 >> 8, 999 & 255]))],
    ['a close with 5000', clientFrame(0x88, Buffer.from([5000 >> 8, 5000 & 255]))],
    ['a close reason that is not UTF-8', clientFrame(0x88, Buffer.from([3, 232, 0xff, 0xfe]))],
    ['a length of 2^63', Buffer.from([0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0])],
    ['a length of 2^40', Buffer.from([0x81, 0xff, 0, 0, 1, 0, 0, 0, 0, 0])],
    ['an HTTP request', Buffer.from(requestText(`GET ${path}`))],
    ['binary data', clientFrame(0x82, 'x')],
    ['text that is not a frame', clientFrame(0x81, 'hello')],
    ['JSON that is not a frame', clientFrame(0x81, '[null]')],
    ['an operation that is an object', clientFrame(0x81, '{"op": {}}')],
    ['deep nesting', clientFrame(0x81, '['.repeat(60_000))],
  ])('ends on %s without harm to others', async (_, bytes) => {
    const socket = await openWebSocket()
    const watcher = createFrameClient(new WebSocket(server.gatewayUrl))
    await identify(watcher, setup.service.token(setup.ada))
    socket.write(bytes)
    await processed()
    socket.end()
    await socket.closed
    expect(await watcher.nextEvents()).toEqual([])
    watcher.socket.close()
    await watcher.closed
  })

  it('the server survives sockets that vanish in the middle of a frame', async () => {
    for (const count of Array(20).keys()) {
      const socket = await openWebSocket()
      socket.write(clientFrame(0x81, '{"op": 1}').subarray(0, count % 8))
      setup.service.gateway.sendRaw({ op: 11 })
      if (count % 2 === 0) socket.reset()
      else socket.end()
      setup.service.gateway.sendRaw({ op: 11 })
      await socket.closed
    }
  })
})

describe('bytes over a real socket', () => {
  it.each([
    ['\r\n\r\n', []],
    ['\0\0\0\0', [400]],
    ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', [400]],
    ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
    ['GET / HTTP/9.9\r\n\r\n', [400]],
    [requestText(`GET ${path}`, []), [400]],
    [requestText(`GET ${path}`, ['Host: x', 'Host: y', 'no colon']), [400]],
    [requestText(`GET ${path}`, ['Host: x', `X: ${'x'.repeat(20_000)}`]), [431]],
    [requestText(`POST ${path}`, ['Host: x', 'Content-Length: -1']), [400]],
    [requestText(`POST ${path}`, ['Host: x', 'Content-Length: 1', 'Transfer-Encoding: chunked']), [400]],
    [requestText(`GET ${path}`, ['Host: x', 'Expect: the-unexpected']), [417]],
    [requestText(`GET ${path}`, ['Host: [', 'Authorization: \xff\xfe', 'Origin: \xff']), [200]],
  ])('get an error if they are not a valid request: %j', async (bytes, expected) => {
    expect(await statuses(bytes)).toEqual(expected)
  })

  it('the server survives requests that break off at any byte', async () => {
    const body = '{"login": "a", "password": "b"}'
    const head = ['Host: x', ...handshake.slice(0, 1), `Content-Length: ${body.length}`]
    for (const text of [
      requestText('POST /api/v9/auth/login', head, body),
      requestText(`GET ${gateway}`, ['Host: x', ...handshake], clientFrame(0x81, '{}').toString('latin1')),
      requestText('POST /api/v9/auth/login', ['Host: x', 'Transfer-Encoding: chunked'], '5\r\n12345\r\n0\r\n\r\n'),
    ]) {
      for (let length = 0; length <= text.length; length += 13) {
        const [one, other] = [await rawSocket(server.port), await rawSocket(server.port)]
        for (const socket of [one, other]) socket.write(text.slice(0, length))
        one.end()
        if (length % 2 === 0) await new Promise(setImmediate)
        other.reset()
        await Promise.all([one.closed, other.closed])
      }
    }
  })

  it('the server survives random bytes', async () => {
    // mulberry32, as in the mock: the same bytes in each run.
    let state = 13
    const random = (below: number) => {
      state = (state + 0x6d2b79f5) | 0
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
      return ((mixed ^ (mixed >>> 14)) >>> 0) % below
    }
    const seeds = [
      requestText(`GET ${gateway}`, ['Host: localhost', ...handshake]),
      requestText(`GET ${path}`, ['Host: localhost', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c']),
      requestText('POST /api/v9/auth/login', ['Host: localhost', 'Content-Length: 2', 'Upgrade: h2c'], '{}'),
      requestText('OPTIONS *', ['Host: localhost', 'Origin: http://x', 'Access-Control-Request-Method: PUT']),
    ]
    for (let round = 0; round < 300; round++) {
      const bytes = Buffer.from(seeds[round % seeds.length] ?? '', 'latin1')
      for (let change = random(4); change >= 0; change--) bytes[random(bytes.length)] = random(256)
      const socket = await rawSocket(server.port)
      socket.write(bytes.subarray(0, random(8) === 0 ? random(bytes.length) : bytes.length))
      socket.write(clientFrame(random(256), Buffer.from([random(256), random(256)])))
      if (round % 3 === 0) socket.reset()
      else if (round % 3 === 1) socket.end()
      else setTimeout(() => socket.reset(), 5)
      await socket.closed
    }
  })
})

it('close() of a server ends sockets in every state, even if they do not read', async () => {
  const texts = [
    '',
    'GET / HT',
    requestText(`POST ${path}`, ['Host: x', 'Content-Length: 5'], '12'),
    requestText(`GET ${path}`),
    requestText(`GET ${gateway}`, ['Host: x', ...handshake]),
    requestText(`GET ${gateway}`, ['Host: [', ...handshake]),
    requestText('GET /elsewhere', ['Host: x', ...handshake]),
    requestText(`GET ${path}`, ['Host: x', 'Connection: Upgrade', 'Upgrade: h2c']),
    requestText('CONNECT x:1'),
  ]
  const service = createMockService({ baseUrl: 'http://x/api/v9' })
  onTestFinished(() => service.close())
  const closing = await listen(service)
  const sockets = await Promise.all(
    texts.map(async (text) => {
      const socket = await rawSocket(closing.port)
      if (text !== '') socket.write(text)
      return socket
    }),
  )
  await processed(closing)
  for (const socket of sockets.slice(0, 3)) socket.pause()
  await closing.close()
  for (const socket of sockets) socket.reset()
  await expect(new Promise((_, reject) => get(closing.url).on('error', reject))).rejects.toThrow('ECONNREFUSED')
})
