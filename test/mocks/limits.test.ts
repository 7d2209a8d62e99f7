import { setupServer } from 'msw/node'
import { handlers } from 'rapport-sdk/mocks/msw'
import { listen } from 'rapport-sdk/mocks/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { createFrameClient, identify, overSockets, setUpGateway } from './gateway-client'
import { clientFrame, handshake, rawSocket, requestText } from './raw-sockets'
import { baseUrl, password, problems, sender, setUp } from './set-up'

const MIB = 2 ** 20
/** Returns the body of a login of `bytes` bytes, padded by an unknown field that a non-strict service ignores. */
function loginOf(bytes: number): string {
  const empty = JSON.stringify({ login: 'ada@example.com', password, padding: '' })
  return empty.replace('""', `"${'x'.repeat(bytes - empty.length)}"`)
}

type World = ReturnType<typeof setUp>
const ways: readonly (readonly [string, (setup: World) => Promise<readonly [typeof fetch, string]>])[] = [
  ['in memory', async ({ service }) => [service.fetch, baseUrl]],
  [
    'over HTTP',
    async ({ service }) => {
      const server = await listen(service)
      onTestFinished(() => server.close())
      return [fetch, server.url]
    },
  ],
  [
    'through msw',
    async ({ service }) => {
      const server = setupServer(...handlers(service))
      server.listen()
      onTestFinished(() => server.close())
      return [fetch, baseUrl]
    },
  ],
]

describe.each(ways)('the body of a request, %s', (_, serve) => {
  it('can have 1 MiB, and one byte more responds with 413 and an error envelope', async () => {
    const setup = setUp({ strict: false })
    const send = sender(...(await serve(setup)))
    expect((await send('POST /auth/login', loginOf(MIB))).status).toBe(200)
    const { status, body } = await send('POST /auth/login', loginOf(MIB + 1))
    expect([status, body]).toEqual([413, { code: 40005, message: 'Request entity too large' }])
    expect((await send('POST /auth/login', loginOf(MIB))).status).toBe(200)
    const [, refused] = setup.service.journal.requests
    expect(refused).toMatchObject({ endpoint: 'Login Account', status: 413, params: null })
  })

  it('it is limited in bytes, not characters', async () => {
    const setup = setUp({ strict: false })
    const send = sender(...(await serve(setup)))
    const body = (euros: number) => JSON.stringify({ login: 'ada@example.com', password, x: '€'.repeat(euros) })
    const room = Math.floor((MIB - Buffer.byteLength(body(0))) / 3)
    expect((await send('POST /auth/login', body(room))).status).toBe(200)
    expect((await send('POST /auth/login', body(room + 1))).status).toBe(413)
  })
})

describe('the body of a request', () => {
  it('it is read over HTTP only up to its limit', async () => {
    const { service } = setUp()
    await using server = await listen(service)
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      async pull(controller) {
        pulled += 1
        await new Promise((resolve) => setTimeout(resolve, 1))
        if (pulled < 5000) controller.enqueue(new Uint8Array(50_000))
        else controller.close()
      },
    })
    const init = { method: 'POST', body: endless, duplex: 'half' } as RequestInit
    const response = await fetch(`${server.url}/auth/login`, init)
    expect(response.status).toBe(413)
    expect(pulled).toBeLessThan(1000)
    await response.text()
  })

  it('leaves the connection usable if it is too large', async () => {
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
      expect((await socket.response()).status).toBe(413)
      socket.write(requestText('GET /api/v9/auth/location-metadata'))
      expect((await socket.response()).status).toBe(200)
    }
    socket.write(post('Content-Length: 5000000', 'Expect: 100-continue'))
    socket.end()
    expect(await socket.closed).toContain('413')
  })

  it('it is judged after a missing token and an unknown path if it is too large', async () => {
    const { send, service } = setUp()
    const large = loginOf(MIB + 1)
    expect((await send('POST /auth/handoff', large)).status).toBe(401)
    expect((await send('POST /nowhere', large)).status).toBe(404)
    const request = { method: 'POST', headers: new Headers(), ip: '::1', url: '/api/v9/auth/login' }
    for (const body of [large, null]) {
      expect(await service.handle({ ...request, body })).toMatchObject({ kind: 'answer', status: 413 })
    }
  })

  it('it is not held in memory if a hundred of them are too large at once', async () => {
    const { service } = setUp()
    await using server = await listen(service)
    const part = Buffer.alloc(64 * 1024, 0x61)
    const before = process.memoryUsage()
    let peak = 0
    const measure = setInterval(() => {
      const { arrayBuffers, heapUsed } = process.memoryUsage()
      peak = Math.max(peak, arrayBuffers - before.arrayBuffers + heapUsed - before.heapUsed)
    }, 5)
    const upload = async (length: number) => {
      const socket = await rawSocket(server.port)
      const head = ['Host: x', 'Content-Type: application/json', `Content-Length: ${length}`]
      socket.write(requestText('POST /api/v9/auth/login', head))
      const response = socket.response()
      for (let sent = 0; sent < length; sent += part.length) {
        socket.write(part)
        await new Promise(setImmediate)
      }
      const { status } = await response
      socket.end()
      await socket.closed
      return status
    }
    const found = await Promise.all(Array.from({ length: 100 }, () => upload(4 * MIB)))
    clearInterval(measure)
    expect(new Set(found)).toEqual(new Set([413]))
    expect(service.journal.requests).toHaveLength(100)
    // The bodies have 400 MiB in all.
    expect(peak).toBeLessThan(200 * MIB)
  })
})

describe('a gateway client that does not read', () => {
  async function connectSilent() {
    const setup = setUp()
    const server = await listen(setup.service)
    onTestFinished(() => setup.service.close())
    const socket = await rawSocket(server.port)
    socket.write(requestText('GET /api/v9/gateway', ['Host: localhost', ...handshake]))
    expect((await socket.response()).status).toBe(101)
    const reader = createFrameClient(new WebSocket(server.gatewayUrl))
    const token = setup.service.token(setup.ada)
    await identify(reader, token)
    socket.pause()
    return { ...setup, socket, reader }
  }
  const turn = () => new Promise((resolve) => setTimeout(resolve, 1))

  it('it is dropped once 16 MiB are pending for it, and others receive everything', async () => {
    const { service, reader } = await connectSilent()
    let sent = 0
    while (service.gateway.sendRaw({ op: 11, d: 'x'.repeat(MIB) }) === 2 && sent < 100) {
      sent += 1
      await turn()
    }
    // The buffers of the operating system come on top.
    expect(sent).toBeGreaterThanOrEqual(16)
    expect(sent).toBeLessThan(60)
    await expect.poll(() => reader.frames.length).toBe(sent + 3)
    expect(await reader.nextEvents()).toEqual([])
  })

  it('it is dropped if it sends pings', async () => {
    const { service, socket } = await connectSilent()
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

  it('it is dropped once 16 MiB are pending for it while it is frozen', async () => {
    const { service, ada, connectAda } = await setUpGateway(overSockets)
    const { client } = await connectAda()
    service.gateway.freeze()
    let sent = 0
    while (service.gateway.sendRaw({ op: 11, d: 'x'.repeat(MIB) }) === 1 && sent < 100) sent += 1
    expect(sent).toBe(17)
    expect(await client.closed).toMatchObject({ code: 1006 })
    expect(service.gateway.sessions).toMatchObject([{ user: ada.id, connected: false }])
  })

  it('a gateway client that reads is not dropped by one large frame', async () => {
    const { service, connectAda } = await setUpGateway(overSockets)
    const { client } = await connectAda()
    service.gateway.sendRaw({ op: 11, d: 'x'.repeat(20 * MIB) })
    expect(await client.next<string>()).toMatchObject({ op: 11 })
    expect(await client.nextEvents()).toEqual([])
  })
})

const widgets = (levels: number) => `{"widgets": ${'['.repeat(levels)}${']'.repeat(levels)}}`

/** Returns a widget config whose one field has `times` nested fallbacks. */
function configWithFallbacks(times: number): string {
  const field = (fallback = '') =>
    `{"value_type": "custom_string", "value": "x", "presentation_type": "text"${fallback}}`
  let text = field()
  for (let count = 0; count < times; count++) text = field(`, "fallback": ${text}`)
  const components = `{"one": {"fields": {"title": ${text}}}}`
  return `{"display_name": "x", "surfaces": {"widget_top": {"layout": "widget_top_hero", "components": ${components}}}}`
}

describe('a nested body', () => {
  it.each([150, 20_000, 200_000])(
    'of %i levels is rejected, and its content stays out of the journal',
    async (levels) => {
      const { service, ada, as } = setUp()
      const { status, body } = await as(ada)('PUT /users/@me/widgets?x=1', widgets(levels))
      expect([status, body.code, problems(body)]).toEqual([400, 50035, [': TOO_DEEP']])
      expect(service.journal.requests).toMatchObject([{ status: 400, user: ada.id, params: { x: '1' } }])
      expect(() => service.restore(service.snapshot())).not.toThrow()
    },
  )

  it('one of 2,000 levels is rejected even in a field that can be nested', async () => {
    const { service, ada, as } = setUp()
    const { id } = service.applications.create({ owner: ada })
    const { status, body } = await as(ada)(`POST /applications/${id}/widget-configs`, configWithFallbacks(2000))
    expect([status, problems(body)]).toEqual([400, [': TOO_DEEP']])
    const accepted = await as(ada)(`POST /applications/${id}/widget-configs`, configWithFallbacks(90))
    expect([accepted.status, problems(accepted.body)]).toEqual([200, []])
  })

  it('one of the maximum depth is validated, stored, returned and recorded', async () => {
    const { service, ada, as } = setUp()
    const application = service.applications.create({ owner: ada })
    service.identities.create({ application, user: ada, externalUserId: '1' })
    const path = `/applications/${application.id}/users/${ada.id}/identities/1/profile` as const
    const metadata = `{"a": ${'['.repeat(98)}${']'.repeat(98)}}`
    const { status } = await as(ada)(`PATCH ${path}`, `{"metadata": ${metadata}}`)
    expect(status).toBe(200)
    expect(JSON.stringify(service.journal.requests[0]?.params)).toContain('[['.repeat(40))
    service.restore(service.snapshot())
    expect((await as(ada)(`GET ${path}`)).status).toBe(200)
  })

  it('it is not made deeper by brackets in strings', async () => {
    const { send } = setUp()
    const password = `"\\"${'[{'.repeat(30)}`
    const { body } = await send('POST /auth/password/validate', `{"password": ${password}"}`)
    expect(body).toMatchObject({ valid: true })
  })

  it('leaves the connection usable if it is too deep', async () => {
    const { service, ada } = setUp()
    await using server = await listen(service)
    const asAda = sender(fetch, server.url, service.token(ada))
    expect((await asAda('PUT /users/@me/widgets', widgets(20_000))).status).toBe(400)
    expect((await asAda('GET /auth/sessions')).status).toBe(200)
  })
})
