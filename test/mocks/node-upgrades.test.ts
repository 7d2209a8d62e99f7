import { listen } from 'rapport-sdk/mocks/node'
import { describe, expect, it } from 'vitest'
import { password, setUp } from './calls'
import { clientFrame, handshake, type RawSocket, rawSocket, requestText } from './raw-sockets'

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

async function connected(run: (socket: RawSocket, world: ReturnType<typeof setUp>) => Promise<void>) {
  const world = setUp()
  await using server = await listen(world.service)
  const socket = await rawSocket(server.port)
  await run(socket, world)
  socket.end()
  await socket.closed
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 20))

describe('a request that asks to go on in HTTP/2', () => {
  it('is answered in HTTP/1.1, and so is the next one on its connection', () =>
    connected(async (socket, { service }) => {
      for (let count = 0; count < 3; count++) {
        socket.write(requestText(`GET ${path}?x=${count}`, h2c))
        expect((await socket.answer()).status).toBe(400)
        socket.write(requestText(`GET ${path}`, h2c))
        const { status, headers, body } = await socket.answer()
        expect([status, headers.get('upgrade'), JSON.parse(body)]).toMatchObject([200, null, { country_code: 'US' }])
        socket.write(requestText(`GET ${path}`))
        expect((await socket.answer()).status).toBe(200)
      }
      expect(service.journal.find('Get Location Metadata')).toHaveLength(9)
    }))

  it('carries its body, whole or in pieces', () =>
    connected(async (socket, { service }) => {
      const text = requestText('POST /api/v9/auth/login', [...h2c, ...loginHead], login)
      socket.write(text)
      expect((await socket.answer()).status).toBe(200)
      for (const at of [10, text.length - login.length - 2, text.length - login.length, text.length - 1]) {
        socket.write(text.slice(0, at))
        await pause()
        socket.write(text.slice(at))
        const { status, body } = await socket.answer()
        expect([status, JSON.parse(body)]).toMatchObject([200, { token: expect.any(String) }])
      }
      expect(service.journal.find('Login Account')).toHaveLength(5)
    }))

  it('carries its body in chunks, of no length, and after 100 Continue', () =>
    connected(async (socket) => {
      const half = login.length >> 1
      const chunks = [login.slice(0, half), login.slice(half), '']
      const body = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')
      const head = [...h2c, 'Content-Type: application/json', 'Transfer-Encoding: chunked']
      socket.write(requestText('POST /api/v9/auth/login', head, body))
      expect((await socket.answer()).status).toBe(200)
      socket.write(requestText('POST /api/v9/auth/login', [...h2c, 'Content-Length: 0']))
      expect((await socket.answer()).status).toBe(400)
      socket.write(requestText('POST /api/v9/auth/login', [...h2c, ...loginHead, 'Expect: 100-continue']))
      expect((await socket.answer()).status).toBe(100)
      socket.write(login)
      expect((await socket.answer()).status).toBe(200)
    }))

  it('keeps its place among requests that do not wait for their answers', () =>
    connected(async (socket) => {
      const texts = [
        requestText(`GET ${path}`),
        requestText('POST /api/v9/auth/login', [...h2c, ...loginHead], login),
        requestText('GET /nowhere', h2c),
        requestText(`GET ${path}`),
      ]
      socket.write(texts.join(''))
      const found: number[] = []
      for (const _ of texts) found.push((await socket.answer()).status)
      expect(found).toEqual([200, 200, 404, 200])
    }))

  it('closes its connection when it says so', () =>
    connected(async (socket) => {
      socket.write(requestText(`GET ${path}`, ['Host: x', 'Connection: Upgrade, close', 'Upgrade: h2c']))
      expect((await socket.answer()).status).toBe(200)
      expect(await socket.closed).toBe('')
    }))

  it('leaves its connection to a WebSocket that is asked for later', () =>
    connected(async (socket) => {
      socket.write(requestText(`GET ${path}`, h2c))
      await socket.answer()
      socket.write(requestText('GET /api/v9/gateway', ['Host: localhost', ...handshake]))
      expect((await socket.answer()).status).toBe(101)
      socket.write(clientFrame(0x88))
      expect(await socket.closed).toContain('heartbeat_interval')
    }))

  it.each(['TLS/1.0', 'h2c, websocket', 'websocket/13', '', 'nonsense'])(
    'or in another protocol is answered in HTTP/1.1: %s',
    (protocol) =>
      connected(async (socket) => {
        socket.write(requestText(`GET ${path}`, ['Host: localhost', 'Connection: Upgrade', `Upgrade: ${protocol}`]))
        expect((await socket.answer()).status).toBe(200)
      }),
  )

  it('is reset without harm to others', async () => {
    const { service } = setUp()
    await using server = await listen(service)
    for (let count = 0; count < 30; count++) {
      const socket = await rawSocket(server.port)
      socket.write(requestText('POST /api/v9/auth/login', [...h2c, ...loginHead], login).slice(0, -count))
      if (count % 2 === 0) await pause()
      socket.reset()
      await socket.closed
    }
    expect((await fetch(`${server.url}/auth/location-metadata`)).status).toBe(200)
  })
})
