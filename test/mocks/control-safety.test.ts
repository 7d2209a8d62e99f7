import { once } from 'node:events'
import { createConnection } from 'node:net'
import { createMockService } from 'rapport-sdk/mocks'
import { createMockControl } from 'rapport-sdk/mocks/control'
import { listen } from 'rapport-sdk/mocks/node'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Problem, startControl } from './control'
import { type RawSocket, rawSocket, requestText, sendRaw } from './raw-sockets'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

describe('who may call the control API', () => {
  it.each([
    ['a name that is not loopback', ['Host: rebound.example'], 'host', LOOPBACK],
    ['a name that only begins like a loopback one', ['Host: localhost.example'], 'host', LOOPBACK],
    ['no host', ['Host: '], 'host', LOOPBACK],
    ['a foreign origin', ['Host: localhost', 'Origin: https://evil.example'], 'origin', ['http://localhost']],
    [
      'the origin of another port',
      ['Host: localhost:4000', 'Origin: http://localhost:3000'],
      'origin',
      ['http://localhost:4000'],
    ],
    ['a null origin', ['Host: localhost', 'Origin: null'], 'origin', ['http://localhost']],
    ['another site', ['Host: localhost', 'Sec-Fetch-Site: cross-site'], 'sec-fetch-site', ['same-origin']],
  ])(
    'a request with %s is refused with 403 and changes nothing, also if an origin is listed',
    async (_, headers, path, allowed) => {
      for (const origins of [[], ['https://app.example']]) {
        const { server, service } = await startControl({ control: { origins } })
        const { status, problem } = await sendRaw(server.port, 'DELETE /_mock/users', headers)
        const listed = path === 'origin' ? origins : []
        expect([status, problem.errors]).toMatchObject([403, [{ path, allowed: [...allowed, ...listed] }]])
        expect(service.users.all()).toHaveLength(1)
      }
    },
  )

  it.each(['localhost', 'localhost:1', 'mock.localhost', '127.0.0.1:80', '127.9.9.9', '[::1]:80'])(
    'a request to the host %s is accepted, also from its own origin',
    async (host) => {
      const { server } = await startControl()
      expect((await sendRaw(server.port, 'GET /_mock/health', [`Host: ${host}`])).status).toBe(200)
      const own = [`Host: ${host}`, `Origin: http://${host}`, 'Sec-Fetch-Site: same-origin']
      expect((await sendRaw(server.port, 'GET /_mock/health', own)).status).toBe(200)
    },
  )

  it.each(['/_mock/../aaaaa/users', '/_mock/%2e%2e/aaaaa/users', '/_mock/x/../users'])(
    'the path %s is not resolved to a route',
    async (path) => {
      const { server } = await startControl()
      expect((await sendRaw(server.port, `GET ${path}`, ['Host: localhost'])).status).toBe(404)
    },
  )

  it('responses have no CORS headers and cannot be embedded', async () => {
    const { control, origin } = await startControl()
    const { headers } = await control('GET /health', undefined, { origin })
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    const preflight = await control('OPTIONS /users', undefined, { 'access-control-request-method': 'POST' })
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([405, null])
  })

  it('pages of a listed origin may call the control API, and not open the inspector', async () => {
    const page = 'http://localhost:5173'
    const { server, service } = await startControl({ control: { token: 's3cret', origins: [page] } })
    const from = (origin: string, ...more: string[]) => ['Host: mock.test', `Origin: ${origin}`, ...more]
    const site = 'Sec-Fetch-Site: cross-site'
    const asked = ['Access-Control-Request-Method: DELETE', 'Access-Control-Request-Headers: authorization']
    const preflight = await sendRaw(server.port, 'OPTIONS /_mock/users', from(page, site, ...asked))
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')?.trim()).toBe(page)
    expect(preflight.headers.get('access-control-allow-headers')?.trim()).toBe('authorization')
    expect(preflight.headers.has('access-control-allow-credentials')).toBe(false)
    const token = 'Authorization: Bearer s3cret'
    expect((await sendRaw(server.port, 'DELETE /_mock/users', from(page, site))).status).toBe(403)
    for (const origin of [
      'http://localhost:5174',
      'http://localhost:5173.evil.example',
      'null',
      'https://localhost:5173',
    ]) {
      const refused = await sendRaw(server.port, 'OPTIONS /_mock/users', from(origin, site, ...asked))
      expect([refused.status, refused.headers.has('access-control-allow-origin')]).toEqual([403, false])
      expect((await sendRaw(server.port, 'DELETE /_mock/users', from(origin, token))).status).toBe(403)
    }
    expect((await sendRaw(server.port, 'DELETE /_mock/users', ['Host: mock.test', site, token])).status).toBe(403)
    expect((await sendRaw(server.port, 'GET /_mock/', from(page, site, token))).status).toBe(403)
    expect(service.users.all()).toHaveLength(1)
    expect((await sendRaw(server.port, 'DELETE /_mock/users', from(page, site, token))).status).toBe(204)
  })

  it('a listed origin does not lift the check of Host against DNS rebinding', async () => {
    const { server } = await startControl({ control: { origins: ['https://app.example'] } })
    const origin = 'Origin: https://app.example'
    expect((await sendRaw(server.port, 'GET /_mock/users', ['Host: localhost', origin])).status).toBe(200)
    expect((await sendRaw(server.port, 'GET /_mock/users', ['Host: rebound.example', origin])).status).toBe(403)
  })

  it('the client of a page that is refused says how to allow it', async () => {
    const { server } = await startControl()
    vi.stubGlobal('location', { origin: 'https://app.example' })
    onTestFinished(() => void vi.unstubAllGlobals())
    const fetch = () => Promise.reject(new TypeError('Failed to fetch'))
    await expect(createMockControl(server.url, { fetch }).health()).rejects.toThrow(
      'or refuses pages of https://app.example; start it with --control-origin https://app.example to allow them',
    )
  })

  it('the inspector is a page under a strict Content-Security-Policy', async () => {
    const { origin } = await startControl()
    const response = await fetch(`${origin}/_mock`)
    expect(response.url).toBe(`${origin}/_mock/`)
    expect(response.headers.get('content-type')).toContain('text/html')
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    const [, nonce = ''] = /style-src 'nonce-([^']+)'/.exec(policy) ?? []
    expect(await response.text()).toContain(`nonce="${nonce}"`)
    const other = (await fetch(`${origin}/_mock/`)).headers.get('content-security-policy')
    expect(other).not.toBe(policy)
  })

  it('with a token, callers must send it, under any host name', async () => {
    const { server, control, origin } = await startControl({ control: { token: 's3cret' } })
    expect((await control<Problem>('GET /users')).body.errors[0]?.path).toBe('authorization')
    for (const authorization of [
      's3cret',
      'Bearer wrong',
      'Bearer s3cret2',
      'Bearer s3cre',
      'Bearer ',
      'Basic s3cret',
    ]) {
      expect((await control('GET /users', undefined, { authorization })).status).toBe(403)
    }
    expect((await control('GET /users', undefined, { authorization: 'Bearer s3cret' })).status).toBe(200)
    expect((await control('GET /users', undefined, { authorization: 'bearer s3cret' })).status).toBe(200)
    const elsewhere = ['Host: mock.test', 'Authorization: Bearer s3cret']
    expect((await sendRaw(server.port, 'GET /_mock/users', elsewhere)).status).toBe(200)
    expect((await sendRaw(server.port, 'GET /_mock/users', [...elsewhere, 'Origin: http://evil.test'])).status).toBe(
      403,
    )
    for (const path of ['', 'namespaces/worker-3/']) {
      expect((await fetch(`${origin}/_mock/${path}`)).headers.get('content-type')).toContain('text/html')
    }
    expect((await fetch(`${origin}/_mock/namespaces/worker-3/users`)).status).toBe(403)
  })

  it('on another host, the control API is off without a token', async () => {
    const off = await startControl({ host: '0.0.0.0' })
    expect(off.server.controlUrl).toBeNull()
    const refused = await off.control<Problem>('GET /users')
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      'The control API is off, because the server listens on 0.0.0.0 without a control token.',
    ])
    expect((await off.call('GET /api/auth/location-metadata')).status).toBe(200)
    const origins = ['http://localhost:5173']
    await expect(startControl({ host: '0.0.0.0', control: { origins } })).rejects.toThrow(
      'listen: control.origins: need a token, because the control API is off on 0.0.0.0 without one',
    )
    const on = await startControl({ host: '0.0.0.0', control: { token: 'x', origins } })
    expect((await on.control('GET /users', undefined, { authorization: 'Bearer x' })).status).toBe(200)
  })

  it.each(['', 's3cret ', 's3\ncret', 's3cr\u00e9t', 's3\u007fcret', 7, null])(
    'the control token %j is refused where it is given, without being shown',
    async (token) => {
      const expected = 'token: expected one or more visible ASCII characters without spaces'
      const listening = startControl({ control: { token: token as string } })
      await expect(listening).rejects.toThrow(`listen: control.${expected}`)
      await expect(listening).rejects.not.toThrow('s3')
      if (typeof token !== 'string') return
      const connect = () => createMockControl('http://127.0.0.1:1', { token })
      expect(connect).toThrow(`createMockControl: ${expected}`)
      expect(connect).not.toThrow('s3')
    },
  )

  it('GET /health needs no token and no name of a host, and then tells only that the mock is up', async () => {
    const guarded = await startControl({ control: { token: 's3cret' } })
    const off = await startControl({ host: '0.0.0.0' })
    for (const { server } of [guarded, off, await startControl()]) {
      const anonymous = await sendRaw(server.port, 'GET /_mock/health', ['Host: mock.test', 'X-Mock-Namespace: new'])
      expect([anonymous.status, anonymous.body]).toEqual([200, '{"status":"ok"}'])
      for (const page of ['Origin: https://evil.example', 'Sec-Fetch-Site: cross-site']) {
        expect((await sendRaw(server.port, 'GET /_mock/health', ['Host: localhost', page])).status).toBe(403)
      }
      expect((await sendRaw(server.port, 'POST /_mock/health', ['Host: mock.test'])).status).toBe(403)
      expect((await sendRaw(server.port, 'GET /_mock/health/', ['Host: mock.test'])).status).toBe(403)
    }
    const authorization = 'Bearer s3cret'
    expect((await guarded.control('GET /health', undefined, { authorization })).body).toHaveProperty('version')
    const { items } = (await guarded.control('GET /namespaces', undefined, { authorization })).body
    expect(items).toEqual([{ name: 'default' }])
  })

  it('`control: false` leaves its paths to the service', async () => {
    const { control } = await startControl({ control: false })
    expect((await control('GET /users')).body).toEqual({ code: 0, message: expect.stringMatching(/^404: Not Found/) })
  })

  it.each([
    [{ control: { token: '' } }, 'control.token: expected one or more visible ASCII characters'],
    [{ control: { origins: ['*'] } }, 'control.origins[0]: expected an origin'],
    [{ control: { origins: ['null'] } }, 'control.origins[0]: expected an origin'],
    [{ control: { origins: ['https://app.example/'] } }, 'control.origins[0]: expected an origin'],
    [{ control: 'token' }, 'control: expected'],
    [{ cors: ['app.example'] }, 'cors: expected true, false or an array of origins, got an array'],
    [{ cors: 'all' }, 'cors: expected true, false or an array of origins, got "all"'],
    [{ prot: 1 }, 'prot: unknown; expected one of port, host, cors, control'],
    [{ maxNamespaces: 0 }, 'maxNamespaces: expected an integer from 1'],
  ])('listen() rejects the options %j', async (options, message) => {
    await expect(listen(createMockService(), options as object)).rejects.toThrow(message)
  })
})

const allowed = async (url: string, origin: string) =>
  (await fetch(url, { headers: { origin } })).headers.get('access-control-allow-origin')

it.each([
  [true, 'http://localhost:5173', true],
  [true, 'http://127.0.0.1:5173', true],
  [true, 'https://app.example', false],
  [true, 'null', false],
  [true, 'http://localhost.example', false],
  [false, 'http://localhost:5173', false],
  [['https://app.example'], 'https://app.example', true],
  [['https://app.example'], 'https://app.example.evil', false],
  [['https://app.example'], 'http://localhost:5173', true],
  [['*'], 'https://anything.example', true],
] as const)('with `cors: %j`, the service allows the origin %s: %s', async (cors, origin, isAllowed) => {
  const { server } = await startControl({ cors })
  const value = await allowed(`${server.url}/auth/location-metadata`, origin)
  expect(value).toBe(isAllowed ? origin : null)
})

describe('a control API under load', () => {
  it('slow and silent callers, half requests and resets leave the server answering', async () => {
    const { server, control } = await startControl()
    const sockets: RawSocket[] = []
    for (let count = 0; count < 200; count++) {
      const socket = await rawSocket(server.port)
      sockets.push(socket)
      if (count % 4 === 1) socket.write('POST /_mock/users HTTP/1.1\r\nHost: loc')
      if (count % 4 === 2)
        socket.write(requestText('POST /_mock/users', ['Host: localhost', 'Content-Length: 900'], '{"lo'))
      if (count % 4 === 3) socket.write(requestText('GET /_mock/mail/last?wait=60s', ['Host: localhost']))
    }
    expect((await control('GET /health')).status).toBe(200)
    for (const [index, socket] of sockets.entries()) {
      if (index % 2) socket.reset()
      else socket.end()
    }
    expect((await control('GET /users')).body.items).toHaveLength(1)
  })

  it('a body of 64 MiB is read to its end without being kept, and refused', async () => {
    const { server, control } = await startControl()
    const socket = await rawSocket(server.port)
    const size = 64 * 2 ** 20
    socket.write(requestText('POST /_mock/users', ['Host: localhost', `Content-Length: ${size}`]))
    const chunk = new Uint8Array(2 ** 20)
    for (let sent = 0; sent < size; sent += chunk.length) socket.write(chunk)
    expect((await socket.response()).status).toBe(413)
    socket.write(requestText('GET /_mock/health'))
    expect((await socket.response()).status).toBe(200)
    expect((await control('GET /health')).status).toBe(200)
    socket.end()
  })

  it('a reader of events that does not read is disconnected', async () => {
    const { server, service, origin } = await startControl()
    const slow = createConnection({ port: server.port, host: '127.0.0.1' })
    await once(slow, 'connect')
    slow.pause()
    slow.write(requestText('GET /_mock/events'))
    // About 5 kB each: more than the buffers of both sockets and of the server.
    for (let round = 0; round < 40; round++) {
      for (let count = 0; count < 100; count++) service.changePolicy({})
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    expect((await fetch(`${origin}/_mock/health`)).status).toBe(200)
    let received = 0
    slow.on('data', (chunk) => {
      received += chunk.length
    })
    slow.on('error', () => {})
    slow.resume()
    await once(slow, 'close')
    expect(received).toBeGreaterThan(0)
  })
})
