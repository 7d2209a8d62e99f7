import { describe, expect, it } from 'vitest'
import { type Problem, startControl } from './control'
import { sendRaw } from './raw-sockets'

const page = 'https://app.example'
const headersOf = (origin: string, ...more: string[]) => ['Host: localhost', `Origin: ${origin}`, ...more]
const preflight = ['Access-Control-Request-Method: DELETE', 'Access-Control-Request-Headers: authorization']
const site = 'Sec-Fetch-Site: cross-site'

describe('with a listed origin', () => {
  it.each([
    'https://app.example.evil.example',
    'https://evil.example/https://app.example',
    'https://sub.app.example',
    'https://app.example.',
    'https://app.example:443',
    'https://app.example:8443',
    'https://app.example/',
    'https://APP.example',
    'https://user@app.example',
    'http://app.example',
    'app.example',
    'https://app.example, https://evil.example',
    'https://app.example https://evil.example',
    'https://app.exam\u00adple',
    'https://appXexample',
    'file://',
    'null',
    '*',
  ])('refuses pages of %s, and a refusal cannot be read', async (origin) => {
    const { server, service } = await startControl({ control: { origins: [page] } })
    for (const line of ['DELETE /_mock/users', 'GET /_mock/events', 'POST /_mock/stubs', 'OPTIONS /_mock/users']) {
      for (const more of [[], [site], preflight]) {
        const refused = await sendRaw(server.port, line, headersOf(origin, ...more))
        expect([line, refused.status, refused.headers.has('access-control-allow-origin')]).toEqual([line, 403, false])
      }
    }
    expect(service.users.all()).toHaveLength(1)
  })

  it('the control API refuses a page that sends the listed origin and another one', async () => {
    const { server, service } = await startControl({ control: { origins: [page] } })
    for (const [first, second] of [
      [page, 'https://evil.example'],
      ['https://evil.example', page],
    ]) {
      const two = headersOf(String(first), `Origin: ${second}`)
      expect((await sendRaw(server.port, 'DELETE /_mock/users', two)).status).toBe(403)
    }
    expect(service.users.all()).toHaveLength(1)
  })

  it('the control API refuses another site that hides its origin, as a link or a form without one does', async () => {
    const { server } = await startControl({ control: { origins: [page] } })
    const { status, problem } = await sendRaw(server.port, 'GET /_mock/users', ['Host: localhost', site])
    expect([status, problem.errors[0]?.path]).toEqual([403, 'sec-fetch-site'])
  })

  it('the control API shows listed pages that origin alone, without credentials, and never from a cache of another one', async () => {
    const { server } = await startControl({ control: { origins: [page, 'http://localhost:5173'] } })
    for (const [line, more] of [
      ['GET /_mock/users', [site]],
      ['OPTIONS /_mock/users', [site, ...preflight]],
      ['GET /_mock/nope', [site]],
    ] as const) {
      const { headers } = await sendRaw(server.port, line, headersOf(page, ...more))
      const shown = ['origin', 'credentials'].map((name) => headers.get(`access-control-allow-${name}`)?.trim())
      expect([line, ...shown]).toEqual([line, page, undefined])
      expect([headers.get('vary')?.trim(), headers.get('cache-control')?.trim()]).toEqual(['origin', 'no-store'])
    }
    // A tool without an origin sees no CORS headers.
    const { headers } = await sendRaw(server.port, 'GET /_mock/users', ['Host: localhost'])
    expect(headers.has('access-control-allow-origin')).toBe(false)
  })

  it('a preflight of a listed page allows methods and headers, and does nothing by itself', async () => {
    const { server, service } = await startControl({ control: { origins: [page], token: 's3cret' } })
    const { status, headers, body } = await sendRaw(server.port, 'OPTIONS /_mock/users', headersOf(page, ...preflight))
    expect([status, body, headers.get('access-control-allow-methods')?.trim()]).toEqual([
      204,
      '',
      'GET, POST, PUT, PATCH, DELETE',
    ])
    expect(headers.get('access-control-expose-headers')).toContain('retry-after, x-ratelimit-global')
    // Without the headers of a preflight it is a call, which needs the token.
    expect((await sendRaw(server.port, 'OPTIONS /_mock/users', headersOf(page))).status).toBe(403)
    expect(service.users.all()).toHaveLength(1)
  })

  it('the control API keeps the inspector and its pages of namespaces from listed pages', async () => {
    const { server } = await startControl({ control: { origins: [page] } })
    for (const path of ['', '/', '/namespaces/worker-3/', '/namespaces/a%2Fb/']) {
      for (const more of [[], [site], preflight]) {
        const line = more === preflight ? `OPTIONS /_mock${path}` : `GET /_mock${path}`
        const { status, headers } = await sendRaw(server.port, line, headersOf(page, ...more))
        expect([path, status, headers.has('access-control-allow-origin')]).toEqual([path, 403, false])
      }
    }
  })

  it('the control API limits and refuses calls of listed pages like others', async () => {
    const { server } = await startControl({ control: { origins: [page], token: 's3cret' } })
    const call = async (line: string, body: string, ...more: string[]) =>
      (await sendRaw(server.port, line, headersOf(page, ...more), body)).status
    const token = 'Authorization: Bearer s3cret'
    expect(await call('POST /_mock/users', '{}', 'Authorization: Bearer wrong')).toBe(403)
    expect(await call('POST /_mock/users', '{}', token, 'Content-Type: text/plain')).toBe(415)
    expect(await call('POST /_mock/users', '[', token)).toBe(400)
    expect(await call('POST /_mock/stubs', `"${'x'.repeat(2 ** 20)}"`, token)).toBe(413)
  })
})

describe('a hostile stub', () => {
  it.each(['GET /_mock/users', 'GET /_mock/clock', 'DELETE /_mock/stubs'] as const)(
    'of %s does not shadow the control API',
    async (endpoint) => {
      const { server, service } = await startControl({ service: { baseUrl: 'http://localhost' } })
      expect(() => service.stubs.on(endpoint, {})).toThrow('paths below /_mock and /_ns are reserved')
      service.stubs.on(`${endpoint.startsWith('GET') ? 'GET' : 'DELETE'} /{a}/{b}`, { body: { stolen: true } })
      const { status, body } = await sendRaw(server.port, endpoint, ['Host: localhost'])
      expect([status < 300, body.includes('stolen')]).toEqual([true, false])
      expect((await sendRaw(server.port, endpoint, ['Host: evil.example'])).status).toBe(403)
    },
  )

  it('cannot set or read headers: line breaks, HTML and cookies stay text in JSON', async () => {
    const { server, control, service } = await startControl()
    const body = { x: '{{query.x}}', 'set-cookie': 'a=b', y: '\r\nset-cookie: a=b\r\n\r\n<script>{{body.x}}</script>' }
    await control('POST /stubs', { endpoint: 'POST /guilds/{id}', body })
    const line = 'POST /api/guilds/7?x=%0d%0aset-cookie:%20a=b'
    const {
      status,
      headers,
      body: text,
    } = await sendRaw(server.port, line, ['Host: localhost', 'Cookie: c=1'], '{"x": "<b>"}')
    expect([status, headers.get('content-type')?.trim(), headers.has('set-cookie')]).toEqual([
      200,
      'application/json',
      false,
    ])
    expect(JSON.parse(text)).toEqual({
      x: '\r\nset-cookie: a=b',
      'set-cookie': 'a=b',
      y: '\r\nset-cookie: a=b\r\n\r\n<script><b></script>',
    })
    expect(service.journal.requests.at(-1)).toMatchObject({ status: 200, path: '/guilds/7' })
  })

  it('it is refused or bounded in depth, size and number, and the mock goes on', async () => {
    const { control, call } = await startControl()
    const deep = `${'['.repeat(150)}${']'.repeat(150)}`
    expect((await control('POST /stubs', `{"endpoint": "GET /deep", "body": ${deep}}`)).status).toBe(400)
    expect((await control('POST /stubs', `{"endpoint": "GET /${'a/'.repeat(2 ** 19)}"}`)).status).toBe(413)
    const template = Array(20_000).fill('{{body.text}}')
    expect((await control('POST /stubs', { endpoint: 'POST /guilds/{id}', body: template })).status).toBe(201)
    const huge = await call('POST /api/guilds/7', { text: 'x'.repeat(500_000) })
    expect([huge.status, huge.body.message]).toEqual([
      500,
      expect.stringContaining('insert more than 1048576 characters'),
    ])
    // Each call returns a copy of all: not of that body.
    await control('DELETE /stubs', { endpoint: 'POST /guilds/{id}' })
    for (let count = 0; count < 500; count++) await control('POST /stubs', { endpoint: `GET /x/${count}`, body: count })
    expect((await call('GET /api/x/499')).body).toBe(499)
    expect((await control('DELETE /stubs')).status).toBe(204)
    expect((await call('GET /api/x/499')).status).toBe(404)
  })

  it.each([
    ['endpoint', { endpoint: ['GET /x'] }],
    ['endpoint', { endpoint: 'GET /x\r\nx: y' }],
    ['endpoint', { endpoint: 'get /x' }],
    ['endpoint', { endpoint: 'GET x' }],
    ['endpoint', { endpoint: 'GET /{constructor()}' }],
    ['endpoint', { endpoint: '*' }],
    ['code', { endpoint: 'GET /x', code: '() => process.exit()' }],
    ['body', { endpoint: 'GET /x', body: '{{params.__proto__}}' }],
    ['body', { endpoint: 'GET /x', body: '{{env.HOME}}' }],
    ['body', { endpoint: 'GET /x', body: '{{#each body}}{{this}}{{/each}}' }],
    ['status', { endpoint: 'GET /x', status: '200' }],
    ['status', { endpoint: 'GET /x', status: 101 }],
  ])('with an invalid %s, %j, is refused with its path', async (path, stub) => {
    const { control, service } = await startControl()
    const { status, body } = await control<Problem>('POST /stubs', stub)
    expect([status, body.errors[0]?.path]).toEqual([400, `/${path}`])
    expect(service.stubs.all()).toEqual([])
  })
})
