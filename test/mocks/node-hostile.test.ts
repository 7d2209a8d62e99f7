import { get } from 'node:http'
import { createMockService } from 'rapport-sdk/mocks'
import { listen, type MockServer } from 'rapport-sdk/mocks/node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { bareClient, identify } from './bare-gateway'
import { setUp } from './calls'
import { clientFrame, handshake, type RawSocket, rawSocket, requestText } from './raw-sockets'

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
let world: ReturnType<typeof setUp>
const path = '/api/v9/auth/location-metadata'
const gateway = '/api/v9/gateway'

beforeEach(async () => {
  world = setUp()
  server = await listen(world.service)
})
afterEach(async () => {
  // Whatever a test did, the next client is served, nothing is left open, and nothing was thrown where nobody catches.
  expect((await fetch(`${server.url}/auth/location-metadata`)).status).toBe(200)
  await server.close()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(world.service.gateway.sessions.filter(({ connected }) => connected)).toEqual([])
  expect(uncaught.splice(0)).toEqual([])
})

/** Sends bytes and returns the statuses of what came back until the connection closed; it is ended after a moment. */
async function statuses(...parts: (string | Uint8Array)[]): Promise<number[]> {
  const socket = await rawSocket(server.port)
  for (const part of parts) socket.write(part)
  setTimeout(() => socket.end(), 50)
  const timer = setTimeout(() => socket.reset(), 2000)
  const text = await socket.closed
  clearTimeout(timer)
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
}

async function opened(): Promise<RawSocket> {
  const socket = await rawSocket(server.port)
  socket.write(requestText(`GET ${gateway}`, ['Host: localhost', ...handshake]))
  expect((await socket.answer()).status).toBe(101)
  return socket
}

describe('a request target over a real socket', () => {
  it.each([
    `http://localhost${path}`,
    `http://other.example:99${path}`,
    `https://user:secret@other.example${path}?`,
    `http://[${path}`,
    `HTTP://${path}`,
  ])('in absolute form is served as its path: %s', async (target) => {
    expect(await statuses(requestText(`GET ${target}`))).toEqual([200])
    const { requests } = world.service.journal
    expect(requests).toMatchObject([{ endpoint: 'Get Location Metadata', path: '/auth/location-metadata' }])
  })

  it('in absolute form carries query and body', async () => {
    const body = JSON.stringify({ login: 'ada@example.com', password: 'wrong password' })
    const head = ['Host: x', 'Content-Type: application/json', `Content-Length: ${body.length}`]
    expect(await statuses(requestText('POST http://x/api/v9/auth/login', head, body))).toEqual([400])
    expect(world.service.journal.requests).toMatchObject([{ params: { login: 'ada@example.com' } }])
    const target = 'http://x/api/v9/unique-username/username-suggestions-unauthed?global_name=Ada'
    expect(await statuses(requestText(`GET ${target}`))).toEqual([200])
  })

  it('in absolute form reaches the gateway', async () => {
    const socket = await rawSocket(server.port)
    socket.write(requestText(`GET ws://elsewhere${gateway}`, ['Host: localhost', ...handshake]))
    expect((await socket.answer()).status).toBe(101)
    socket.end()
  })

  it('of a whole server is answered with the methods that there are', async () => {
    const socket = await rawSocket(server.port)
    socket.write(requestText('OPTIONS *'))
    const { status, headers } = await socket.answer()
    expect([status, headers.get('allow')]).toEqual([204, 'GET, POST, PUT, PATCH, DELETE'])
    socket.write(requestText(`GET ${path}`))
    expect((await socket.answer()).status).toBe(200)
    socket.end()
  })

  it.each(['GET *', 'POST *'])('that names no path gets 400: %s', async (line) => {
    expect(await statuses(requestText(line))).toEqual([400])
  })

  it.each(['GET localhost:80', 'GET foo', 'GET ?x', 'GET \\\\x', 'GET  ', 'GET', 'FOO /'])(
    'that HTTP does not have gets 400: %s',
    async (line) => expect(await statuses(requestText(line))).toEqual([400]),
  )

  it('of a tunnel closes the connection', async () => {
    expect(await statuses(requestText('CONNECT localhost:80'))).toEqual([])
  })

  it.each(['/%', '/%zz', '/users/%ff/application-identities', '/auth/%2e%2e%2f', '//', '//x/y', '/?%', '/#'])(
    'with escapes that do not decode, or without sense, gets 404: %s',
    async (target) => {
      const found = await statuses(requestText(`GET ${target}`), requestText(`GET /api/v9${target}`))
      expect(found).toEqual([404, 404])
    },
  )
})

describe('a handshake over a real socket', () => {
  it.each(['[', 'a b', '', 'a/b', 'a:b:c', 'a@b', 'a?b', 'a#b', '%', 'x:99999', '[::1', ']', '\\'])(
    'whose Host is no host gets 400: %j',
    async (host) =>
      expect(await statuses(requestText(`GET ${gateway}`, [`Host: ${host}`, ...handshake]))).toEqual([400]),
  )

  it.each(['localhost', 'other.example:8080', '[::1]:80', '127.0.0.1', 'exämple'])(
    'whose Host is one is answered: %s',
    async (host) =>
      expect(await statuses(requestText(`GET ${gateway}`, [`Host: ${host}`, ...handshake]))).toEqual([101]),
  )

  it.each([
    ['GET', ['Connection: Upgrade', 'Upgrade: websocket']],
    ['GET', ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 1', 'Sec-WebSocket-Key: x']],
    ['POST', handshake],
  ])('that is not one gets an error: %s %j', async (method, headers) => {
    const [status, ...more] = await statuses(requestText(`${method} ${gateway}`, ['Host: x', ...headers]))
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(more).toEqual([])
  })

  it.each(['/elsewhere', '/api/v9/gatewayx', '/%', '//'])('anywhere else gets 404: %s', async (target) => {
    expect(await statuses(requestText(`GET ${target}`, ['Host: x', ...handshake]))).toEqual([404])
  })

  it.each([gateway, '/elsewhere'])('survives a reset while it is answered: %s', async (target) => {
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

  it('survives a reset when the gateway refuses', async () => {
    world.service.gateway.refuse()
    for (let count = 0; count < 20; count++) {
      const socket = await rawSocket(server.port)
      socket.write(requestText(`GET ${gateway}`, ['Host: x', ...handshake]))
      socket.reset()
      await socket.closed
    }
    world.service.gateway.clear()
  })
})

describe('a WebSocket over a real socket', () => {
  it.each([
    ['a frame that is not masked', clientFrame(0x81, '{}', false)],
    ['a reserved bit', clientFrame(0xf1, '{}')],
    ['an unknown opcode', clientFrame(0x83, '{}')],
    ['a continuation of nothing', clientFrame(0x80, 'x')],
    ['a ping in fragments', clientFrame(0x09, 'x')],
    ['a ping that is too long', clientFrame(0x89, 'x'.repeat(126))],
    ['text that is no UTF-8', clientFrame(0x81, Buffer.from([0xff, 0xfe, 0xc0]))],
    ['a close of one byte', clientFrame(0x88, 'x')],
    ['a close with 1005', clientFrame(0x88, Buffer.from([1005 >> 8, 1005 & 255]))],
    ['a close with 999', clientFrame(0x88, Buffer.from([999 >> 8, 999 & 255]))],
    ['a close with 5000', clientFrame(0x88, Buffer.from([5000 >> 8, 5000 & 255]))],
    ['a close whose reason is no UTF-8', clientFrame(0x88, Buffer.from([3, 232, 0xff, 0xfe]))],
    ['a length of 2^63', Buffer.from([0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0])],
    ['a length of 2^40', Buffer.from([0x81, 0xff, 0, 0, 1, 0, 0, 0, 0, 0])],
    ['HTTP in the middle of it', Buffer.from(requestText(`GET ${path}`))],
    ['bytes', clientFrame(0x82, 'x')],
    ['text that is no frame', clientFrame(0x81, 'hello')],
    ['JSON that is no frame', clientFrame(0x81, '[null]')],
    ['an op of another kind', clientFrame(0x81, '{"op": {}}')],
    ['nesting', clientFrame(0x81, '['.repeat(60_000))],
  ])('ends with %s', async (_, bytes) => {
    const socket = await opened()
    const watcher = bareClient(new WebSocket(server.gatewayUrl))
    await identify(watcher, world.service.token(world.ada))
    socket.write(bytes)
    setTimeout(() => socket.end(), 20)
    await socket.closed
    expect(await watcher.heard()).toEqual([])
    watcher.socket.close()
    await watcher.closed
  })

  it('survives sockets that vanish halfway through a frame', async () => {
    for (const count of Array(20).keys()) {
      const socket = await opened()
      socket.write(clientFrame(0x81, '{"op": 1}').subarray(0, count % 8))
      world.service.gateway.sendRaw({ op: 11 })
      if (count % 2 === 0) socket.reset()
      else socket.end()
      world.service.gateway.sendRaw({ op: 11 })
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
  ])('that are no request get an error: %j', async (bytes, expected) => {
    expect(await statuses(bytes)).toEqual(expected)
  })

  it('that break off get an error or an end, wherever they do', async () => {
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

  it('of whatever kind do not end the process', async () => {
    // mulberry32, as the mock has it: the same bytes in each run.
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

describe('closing a server', () => {
  it('ends sockets in every state, those that do not read among them', { timeout: 5000 }, async () => {
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
    const own = await listen(createMockService({ baseUrl: 'http://x/api/v9' }))
    const sockets = await Promise.all(
      texts.map(async (text) => {
        const socket = await rawSocket(own.port)
        if (text !== '') socket.write(text)
        return socket
      }),
    )
    await new Promise((resolve) => setTimeout(resolve, 100))
    for (const socket of sockets.slice(0, 3)) socket.pause()
    await own.close()
    for (const socket of sockets) socket.reset()
    await expect(new Promise((_, reject) => get(own.url).on('error', reject))).rejects.toThrow('ECONNREFUSED')
  })
})
