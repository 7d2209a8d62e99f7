import { setupServer } from 'msw/node'
import { createMockService } from 'rapport-sdk/mocks'
import { handlers } from 'rapport-sdk/mocks/msw'
import { listen } from 'rapport-sdk/mocks/node'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { bareClient, gatewayPeople, identify, overSockets } from './bare-gateway'
import { baseUrl, password, sender, setUp } from './calls'
import { clientFrame, handshake, rawSocket, requestText } from './raw-sockets'

const MIB = 2 ** 20
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** The body of a login, of so many bytes: what pads it is no field, and a service that is not strict does not mind. */
function loginOf(bytes: number): string {
  const empty = JSON.stringify({ login: 'ada@example.com', password, padding: '' })
  return empty.replace('""', `"${'x'.repeat(bytes - empty.length)}"`)
}

type World = ReturnType<typeof setUp>
const doors: readonly (readonly [string, (world: World) => Promise<readonly [typeof fetch, string]>])[] = [
  ['in memory', async ({ service }) => [service.fetch, baseUrl]],
  [
    'over HTTP',
    async ({ service }) => {
      const server = await listen(service)
      closing.push(() => server.close())
      return [fetch, server.url]
    },
  ],
  [
    'through msw',
    async ({ service }) => {
      const server = setupServer(...handlers(service))
      server.listen()
      closing.push(() => server.close())
      return [fetch, baseUrl]
    },
  ],
]

describe.each(doors)('the body of a request, %s,', (_, enter) => {
  it('may have 1 MiB, and one byte more gets 413 in the usual envelope', async () => {
    const world = setUp({ strict: false })
    const send = sender(...(await enter(world)))
    expect((await send('POST /auth/login', loginOf(MIB))).status).toBe(200)
    const { status, body } = await send('POST /auth/login', loginOf(MIB + 1))
    expect([status, body]).toEqual([413, { code: 40005, message: 'Request entity too large' }])
    expect((await send('POST /auth/login', loginOf(MIB))).status).toBe(200)
    const [, refused] = world.service.journal.requests
    expect(refused).toMatchObject({ endpoint: 'Login Account', status: 413, params: null })
  })

  it('counts bytes, not characters', async () => {
    const world = setUp({ strict: false, maxBodyBytes: 300 })
    const send = sender(...(await enter(world)))
    const body = (euros: number) => JSON.stringify({ login: 'ada@example.com', password, x: '€'.repeat(euros) })
    const room = Math.floor((300 - Buffer.byteLength(body(0))) / 3)
    expect((await send('POST /auth/login', body(room))).status).toBe(200)
    expect((await send('POST /auth/login', body(room + 1))).status).toBe(413)
  })

  it('may be larger or smaller as `maxBodyBytes` says', async () => {
    const world = setUp({ strict: false, maxBodyBytes: 3 * MIB })
    const send = sender(...(await enter(world)))
    expect((await send('POST /auth/login', loginOf(3 * MIB))).status).toBe(200)
    expect((await send('POST /auth/login', loginOf(3 * MIB + 1))).status).toBe(413)
  })

  it('is read no further than it may be long', async () => {
    const world = setUp({ maxBodyBytes: 1000 })
    const [send, url] = await enter(world)
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      async pull(controller) {
        pulled += 1
        await new Promise((resolve) => setTimeout(resolve, 1))
        if (pulled < 5000) controller.enqueue(new Uint8Array(100))
        else controller.close()
      },
    })
    const init = { method: 'POST', body: endless, duplex: 'half' } as RequestInit
    const response = await send(`${url}/auth/login`, init)
    expect(response.status).toBe(413)
    expect(pulled).toBeLessThan(1000)
    await response.text()
  })
})

describe('the body of a request', () => {
  it('that is too large leaves its connection fit for the next one', async () => {
    const { service } = setUp({ strict: false })
    await using server = await listen(service)
    const socket = await rawSocket(server.port)
    const large = loginOf(3 * MIB)
    const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`
    const post = (...headers: string[]) => requestText('POST /api/v9/auth/login', ['Host: x', ...headers])
    for (const text of [
      post(`Content-Length: ${large.length}`) + large,
      `${post('Transfer-Encoding: chunked')}${chunk.repeat(40)}0\r\n\r\n`,
    ]) {
      socket.write(text)
      expect((await socket.answer()).status).toBe(413)
      socket.write(requestText('GET /api/v9/auth/location-metadata'))
      expect((await socket.answer()).status).toBe(200)
    }
    socket.write(post('Content-Length: 5000000', 'Expect: 100-continue'))
    socket.end()
    expect(await socket.closed).toContain('413')
  })

  it('that is too large is no reason to answer what the service would not: 401 and 404 come first', async () => {
    const { send, service } = setUp({ maxBodyBytes: 1 })
    expect((await send('POST /auth/handoff', '12')).status).toBe(401)
    expect((await send('POST /nowhere', '12')).status).toBe(404)
    const request = { method: 'POST', headers: new Headers(), ip: '::1', url: '/api/v9/auth/login' }
    for (const body of ['12', null]) {
      expect(await service.handle({ ...request, body })).toMatchObject({ kind: 'answer', status: 413 })
    }
  })

  it('is held in memory by none of many requests that are too large, in parallel', { timeout: 60_000 }, async () => {
    const { service } = setUp()
    await using server = await listen(service)
    const part = Buffer.alloc(64 * 1024, 0x61)
    const before = process.memoryUsage()
    let most = 0
    const measure = setInterval(() => {
      const { arrayBuffers, heapUsed } = process.memoryUsage()
      most = Math.max(most, arrayBuffers - before.arrayBuffers + heapUsed - before.heapUsed)
    }, 5)
    const upload = async (length: number) => {
      const socket = await rawSocket(server.port)
      const head = ['Host: x', 'Content-Type: application/json', `Content-Length: ${length}`]
      socket.write(requestText('POST /api/v9/auth/login', head))
      const answer = socket.answer()
      for (let sent = 0; sent < length; sent += part.length) {
        socket.write(part)
        await new Promise(setImmediate)
      }
      const { status } = await answer
      socket.end()
      await socket.closed
      return status
    }
    const found = await Promise.all(Array.from({ length: 100 }, () => upload(4 * MIB)))
    clearInterval(measure)
    expect(new Set(found)).toEqual(new Set([413]))
    expect(service.journal.requests).toHaveLength(100)
    // All of them have 400 MiB.
    expect(most).toBeLessThan(200 * MIB)
  })

  it.each([0, -1, 1.5, Number.NaN, '1mb', null])('has a limit that is a whole number of bytes, not %s', (value) => {
    expect(() => createMockService({ maxBodyBytes: value as number })).toThrow('maxBodyBytes must be')
  })
})

describe('the journal', () => {
  it('keeps the last 1,000 requests', async () => {
    const { service, send } = setUp()
    for (let count = 0; count < 1003; count++) await send(`GET /nowhere/${count}`)
    const { requests } = service.journal
    expect(requests).toHaveLength(1000)
    expect([requests[0]?.path, requests.at(-1)?.path]).toEqual(['/nowhere/3', '/nowhere/1002'])
    expect(service.journal.find('GET /nowhere/2')).toEqual([])
    service.restore(service.snapshot())
    expect(service.journal.requests).toEqual(requests)
  })

  it('keeps as many as `maxJournalEntries` says, in a snapshot of another service too', async () => {
    const { service, send } = setUp({ maxJournalEntries: 2 })
    const all = setUp({ maxJournalEntries: Number.POSITIVE_INFINITY })
    for (const path of ['/1', '/2', '/3'] as const) {
      await send(`GET ${path}`)
      await all.send(`GET ${path}`)
    }
    expect(service.journal.requests.map(({ path }) => path)).toEqual(['/2', '/3'])
    expect(all.service.journal.requests).toHaveLength(3)
    service.restore(all.service.snapshot())
    expect(service.journal.requests.map(({ path }) => path)).toEqual(['/2', '/3'])
    expect(() => createMockService({ maxJournalEntries: 0 })).toThrow('maxJournalEntries must be')
    expect(() => createMockService({ maxJournalEntries: 1.5 })).toThrow('maxJournalEntries must be')
  })

  it('keeps the beginning of long strings, and of a long request', async () => {
    const { service, send } = setUp({ strict: false })
    const sent = {
      login: 'ada@example.com',
      password,
      note: 'x'.repeat(1000),
      ['k'.repeat(1000)]: 1,
      list: Array.from({ length: 5000 }, (_, index) => index),
      last: 'last',
    }
    await send('POST /auth/login?q=1', sent)
    const params = service.journal.requests[0]?.params as Record<string, unknown>
    expect(params).toMatchObject({ login: 'ada@example.com', password: '[redacted]', note: `${'x'.repeat(500)}…` })
    expect((params.list as unknown[]).slice(0, 3)).toEqual([0, 1, 2])
    expect((params.list as unknown[]).at(-1)).toBe('[truncated]')
    expect(Object.keys(params).at(-1)).toBe('[truncated]')
    expect(params).not.toHaveProperty('last')
  })

  it.each<readonly [string, (letters: number) => string]>([
    ['one string', (letters) => JSON.stringify({ login: 'x'.repeat(letters) })],
    ['one name', (letters) => JSON.stringify({ ['x'.repeat(letters)]: 1 })],
    ['empty lists', (letters) => `{"x": [${'[],'.repeat(letters / 3)}[]]}`],
    ['empty objects', (letters) => `{"x": [${'{},'.repeat(letters / 3)}{}]}`],
    ['numbers', (letters) => `[${'1,'.repeat(letters / 2)}1]`],
    ['short names', (letters) => `{${Array.from({ length: letters / 12 }, (_, i) => `"k${i}": 1`).join(',')}}`],
  ])('stays small when each request has 1 MiB of %s', { timeout: 30_000 }, async (_, make) => {
    const { service, send } = setUp({ strict: false })
    const body = make(MIB - 100)
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MIB)
    await send('POST /auth/login', body)
    expect(service.journal.requests).toHaveLength(1)
    expect(JSON.stringify(service.journal.requests).length).toBeLessThan(20_000)
  })

  it('stays small when each request has a long path, method or query', async () => {
    const { service } = setUp()
    const long = 'x'.repeat(100_000)
    await service.fetch(`${baseUrl}/${long}?${long}=${long}`, { method: long })
    expect(JSON.stringify(service.journal.requests).length).toBeLessThan(10_000)
  })

  it('of the gateway keeps the last 1,000 attempts too', async () => {
    const { service, open } = await gatewayPeople(overSockets, { maxJournalEntries: 3 })
    for (let count = 0; count < 5; count++) {
      const client = open()
      await client.next()
      client.send(2, { token: 'wrong' })
      await client.closed
    }
    expect(service.gateway.journal).toHaveLength(3)
  })
})

describe('a client of the gateway that does not read', () => {
  async function silent() {
    const world = setUp()
    const server = await listen(world.service)
    closing.push(() => world.service.close())
    const socket = await rawSocket(server.port)
    socket.write(requestText('GET /api/v9/gateway', ['Host: localhost', ...handshake]))
    expect((await socket.answer()).status).toBe(101)
    const reader = bareClient(new WebSocket(server.gatewayUrl))
    const token = world.service.token(world.ada)
    await identify(reader, token)
    socket.pause()
    return { ...world, socket, reader }
  }
  const turn = () => new Promise((resolve) => setTimeout(resolve, 1))

  it('is dropped once 16 MiB wait for it, and others hear all', { timeout: 30_000 }, async () => {
    const { service, reader } = await silent()
    let sent = 0
    while (service.gateway.sendRaw({ op: 11, d: 'x'.repeat(MIB) }) === 2 && sent < 100) {
      sent += 1
      await turn()
    }
    // What the system holds for a socket comes on top.
    expect(sent).toBeGreaterThanOrEqual(16)
    expect(sent).toBeLessThan(60)
    await expect.poll(() => reader.frames.length).toBe(sent + 3)
    expect(await reader.heard()).toEqual([])
  })

  it('is dropped when it pings without end', { timeout: 30_000 }, async () => {
    const { service, socket } = await silent()
    const pings = Buffer.concat(Array.from({ length: 8000 }, () => clientFrame(0x89, 'x'.repeat(125))))
    let sent = 0
    while (service.gateway.sendRaw({ op: 11 }) === 2 && sent < 100) {
      sent += 1
      socket.write(pings)
      await turn()
    }
    await expect.poll(() => service.gateway.sendRaw({ op: 11 })).toBe(1)
    socket.reset()
  })

  it('since it was frozen is dropped at the same point', async () => {
    const { service, ada, adas } = await gatewayPeople(overSockets)
    const { client } = await adas()
    service.gateway.freeze()
    let sent = 0
    while (service.gateway.sendRaw({ op: 11, d: 'x'.repeat(MIB) }) === 1 && sent < 100) sent += 1
    expect(sent).toBe(17)
    expect(await client.closed).toMatchObject({ code: 1006 })
    expect(service.gateway.sessions).toMatchObject([{ user: ada.id, connected: false }])
  })

  it('is not one that is sent a single large frame', async () => {
    const { service, adas } = await gatewayPeople(overSockets)
    const { client } = await adas()
    service.gateway.sendRaw({ op: 11, d: 'x'.repeat(20 * MIB) })
    expect(await client.next<string>()).toMatchObject({ op: 11 })
    expect(await client.heard()).toEqual([])
  })
})
