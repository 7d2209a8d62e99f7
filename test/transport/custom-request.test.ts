import { Readable } from 'node:stream'
import { inspect } from 'node:util'
import {
  Client,
  type Fetch,
  isMfaRequiredError,
  isRapportError,
  isRequestValidationError,
  isServerError,
  type Method,
} from 'rapport-sdk'
import { describe, expect, it, test, vi } from 'vitest'
import { json, mfaRequired, noContent, serve, text } from '../servers/http-server'
import { pathsOf, rejectionOf } from './rejection'

async function serveOk() {
  const server = await serve()
  server.fallback(() => json(200, { ok: true }))
  return { server, client: new Client({ baseUrl: `${server.url}/api`, token: 'ada' }) }
}

describe('client.request', () => {
  it('fills the path, writes the query and sends JSON below the base URL', async () => {
    const { server, client } = await serveOk()

    const data = await client.request({
      method: 'POST',
      path: '/channels/{channel.id}/tags/{name}',
      pathParams: { 'channel.id': '300', name: 'a/b ?#%' },
      query: { limit: 5, kinds: ['one', 'two'], flag: true, absent: undefined, text: 'a&b=c é' },
      body: { content: 'Hello', nested: { list: [1, null] }, absent: undefined },
    })

    expect(data).toEqual({ ok: true })
    const { url, method, headers, body } = server.request()
    expect(method).toBe('POST')
    expect(url).toBe(
      '/api/channels/300/tags/a%2Fb%20%3F%23%25?limit=5&kinds=one&kinds=two&flag=true&text=a%26b%3Dc+%C3%A9',
    )
    expect(headers['content-type']).toBe('application/json')
    expect(headers.accept).toBe('application/json')
    expect(body.toString()).toBe('{"content":"Hello","nested":{"list":[1,null]}}')
  })

  it('defaults to a GET with the token and resolves to undefined for an empty body', async () => {
    const { server, client } = await serveOk()
    server.respondWith(noContent, text(200, ''))

    expect(await client.request({ path: '/nothing' })).toBeUndefined()
    expect(await client.request({ path: '/empty' })).toBeUndefined()
    expect(server.request()).toMatchObject({ method: 'GET', url: '/api/nothing' })
    expect(server.request().headers.authorization).toBe('ada')
    expect(server.request().headers['content-type']).toBeUndefined()
  })

  it('sends shared memory as it is at the time of the call', async () => {
    const { server, client } = await serveOk()
    const shared = new Uint8Array(new SharedArrayBuffer(5)).fill(7)
    const sent = client.request({ method: 'POST', path: '/upload', body: shared.subarray(1, 4) })
    shared.fill(0)
    await sent
    expect([...server.request().body]).toEqual([7, 7, 7])
  })

  it('sends a resizable buffer and a view of it', async () => {
    const { server, client } = await serveOk()
    const resizable: ArrayBuffer = Reflect.construct(ArrayBuffer, [3, { maxByteLength: 9 }])
    new Uint8Array(resizable).fill(7)
    for (const body of [resizable, new Uint8Array(resizable)]) {
      await client.request({ method: 'POST', path: '/upload', body })
      expect([...server.request().body]).toEqual([7, 7, 7])
    }
  })

  it('sends forms, parameters, blobs, buffers and streams unchanged', async () => {
    const { server, client } = await serveOk()
    const form = new FormData()
    form.set('name', 'Ada')
    const bytes = new Uint8Array([0, 1, 2, 3, 4]).subarray(1, 4)
    const bodies = [form, new URLSearchParams({ a: 'b c' }), new Blob(['blob'], { type: 'text/plain' }), bytes]
    for (const body of bodies) await client.request({ method: 'POST', path: '/upload', body })
    await client.request({ method: 'PUT', path: '/upload', body: bytes.slice().buffer })
    await client.request({ method: 'PUT', path: '/upload', body: new Blob(['streamed']).stream() })

    const types = server.requests.map(({ headers }) => headers['content-type'])
    expect(types[0]).toMatch(/^multipart\/form-data; boundary=/)
    expect(server.request(0).body.toString()).toMatch(/name="name"\r\n\r\nAda\r\n/)
    expect(types.slice(1)).toEqual([
      'application/x-www-form-urlencoded;charset=UTF-8',
      'text/plain',
      undefined,
      undefined,
      undefined,
    ])
    expect(server.requests.slice(1).map(({ body }) => body.toString('latin1'))).toEqual([
      'a=b+c',
      'blob',
      '\u0001\u0002\u0003',
      '\u0001\u0002\u0003',
      'streamed',
    ])
  })

  it.each<[string, unknown]>([
    ['NaN', { amount: Number.NaN }],
    ['Infinity', [1, Number.POSITIVE_INFINITY]],
    ['a bigint', { id: 10n }],
    ['a function', { act: () => {} }],
    ['a symbol', { kind: Symbol('kind') }],
    ['a circular reference', cyclic()],
    ['a throwing getter', { toJSON: () => fail() }],
    ['a function at its root', () => {}],
  ])('rejects a body with %s before it sends anything', async (_, body) => {
    const { server, client } = await serveOk()
    const error = await rejectionOf(client.request({ method: 'POST', path: '/x', body }), isRequestValidationError)
    expect(pathsOf(error)).toEqual(['body'])
    expect(server.requests).toHaveLength(0)
  })

  it.each<[string, object]>([
    ['[object Generator]', (function* () {})()],
    ['[object AsyncGenerator]', (async function* () {})()],
    ['[object Request]', new Request('https://service.example')],
    ['[object Object]', new (class {})()],
    ['[object Object]', Readable.from(['a'])],
    ['[object Map]', new Map([['a', 1]])],
    ['[object RegExp]', /a/],
    ['[object Blob]', new Blob()],
    ['[object ArrayBuffer]', new ArrayBuffer(1)],
  ])('rejects an %s, which JSON would send as something else', async (type, value) => {
    const { server, client } = await serveOk()
    const error = await rejectionOf(
      client.request({ method: 'POST', path: '/x', body: { value } }),
      isRequestValidationError,
    )
    expect(error.issues).toMatchObject([{ message: `cannot be serialized as JSON: "value" is ${type}` }])
    expect(server.requests).toHaveLength(0)
  })

  it('sends class instances and empty values as JSON does', async () => {
    const { server, client } = await serveOk()
    class Point {
      x = 1
    }
    const body = {
      point: new Point(),
      list: [],
      date: new Date(0),
      empty: {},
      bare: Object.create(null),
    }
    await client.request({ method: 'POST', path: '/x', body })
    expect(server.request().body.toString()).toBe(JSON.stringify(body))
  })

  it.each<[string, object]>([
    ['whose `toJSON` throws', { toJSON: () => fail() }],
    ['with a getter that throws', { list: [Object.defineProperty({}, 'secret', { get: fail, enumerable: true })] }],
    ['that contains itself', cyclic()],
    ['that contains itself, with an instance', Object.assign(cyclic(), { date: new Date() })],
    ['that is nested too deeply', { date: new Date(), nested: deep() }],
  ])('says why a body %s cannot be sent', async (_, body) => {
    const { client } = await serveOk()
    const error = await rejectionOf(client.request({ method: 'POST', path: '/x', body }), isRequestValidationError)
    const problem = 'it contains itself, is nested too deeply, or a `toJSON` or a getter threw'
    expect(error.issues).toMatchObject([{ message: `cannot be serialized as JSON: ${problem}` }])
  })

  it.each<[string, unknown]>([
    ['NaN', Number.NaN],
    ['Infinity', [Number.POSITIVE_INFINITY]],
    ['an object', {}],
    ['a function', () => {}],
    ['a nested array', [[1n]]],
  ])('rejects a query with %s', async (_, value) => {
    const { client } = await serveOk()
    const query = { limit: value as string }
    const error = await rejectionOf(client.request({ path: '/x', query }), isRequestValidationError)
    expect(pathsOf(error)).toEqual(['query.limit'])
  })

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)('sends the method %s', async (method) => {
    const { server, client } = await serveOk()
    await client.request({ method, path: '/x' })
    expect(server.request().method).toBe(method)
  })

  it.each(['get', 'TRACE', 'GET ', 'X\r\nY', 5])('rejects the method %j', async (method) => {
    const { client } = await serveOk()
    const call = client.request({ method: method as Method, path: '/x' })
    expect(pathsOf(await rejectionOf(call, isRequestValidationError))).toEqual(['method'])
  })

  it('reports a body of a GET, an unknown path parameter and a missing one at once', async () => {
    const { client } = await serveOk()
    const body = {}
    const unknown = client.request({ path: '/x/{id}', pathParams: { id: 'a', other: 'b' }, body })
    const missing = client.request({ path: '/x/{id}', body })

    expect(pathsOf(await rejectionOf(unknown, isRequestValidationError))).toEqual(['pathParams.other', 'body'])
    expect(pathsOf(await rejectionOf(missing, isRequestValidationError))).toEqual(['id', 'body'])
  })

  it('sends no token and never steps up without auth', async () => {
    const { server, client } = await serveOk()
    server.respondWith(json(200, {}), mfaRequired())

    await client.request({ path: '/public', auth: 'none' })
    expect(server.request().headers.authorization).toBeUndefined()
    await expect(client.request({ path: '/public', auth: 'none' })).rejects.toMatchObject({ code: 60003 })
    await expect(client.request({ path: '/public', auth: 'none' })).resolves.toEqual({ ok: true })
  })

  it.each(['...', '.a', 'a.', '%2e%2e%2e', 'a%2e.', '.%2ea'])('accepts the path segment %j', async (segment) => {
    const { server, client } = await serveOk()
    await client.request({ path: `/x/${segment}` })
    expect(server.request().url).toBe(`/api/x/${segment}`)
  })

  it.each(['.', '..', '%2e', '%2E%2e', '.%2E'])('rejects the path segment %j', async (segment) => {
    const { client } = await serveOk()
    for (const path of [`/${segment}`, `/x/${segment}`, `/${segment}/x`])
      expect(pathsOf(await rejectionOf(client.request({ path }), isRequestValidationError))).toEqual(['path'])
  })

  it('names no path in its error and sends nothing if its fields cannot be read', async () => {
    const { server, client } = await serveOk()
    const request = {
      get path(): string {
        throw new Error('planted-value')
      },
    }
    const error = await rejectionOf(client.request(request), isRapportError)
    expect(error.message).toBe('request: the arguments could not be read, nothing was sent.')
    expect(inspect(error)).not.toContain('planted-value')
    expect(server.requests).toHaveLength(0)
  })

  it('has a name in errors that is cut off after 200 characters', async () => {
    const { client } = await serveOk()
    const call = client.request({ path: `/${'x'.repeat(300)}`, body: {} })
    const { endpoint } = await rejectionOf(call, isRequestValidationError)
    expect(endpoint).toBe(`GET /${'x'.repeat(195)}`)
  })

  it('a form is sent as it is on a platform without Response, which sets its type', async () => {
    const fetch = vi.fn<Fetch>(async () => ({
      status: 503,
      headers: new Headers(),
      arrayBuffer: async () => new ArrayBuffer(0),
    }))
    const client = new Client({ baseUrl: 'https://service.example', fetch, retry: { limit: 1, methods: ['POST'] } })
    const form = new FormData()
    vi.stubGlobal('Response', undefined)
    await rejectionOf(client.request({ method: 'POST', path: '/x', body: form }), isServerError)
    vi.unstubAllGlobals()
    expect(fetch.mock.calls.map(([, { body, headers }]) => [body, headers['content-type']])).toEqual([
      [form, undefined],
      [form, undefined],
    ])
  })

  it('rejects with MfaRequiredError if the service requires a second factor', async () => {
    const { server, client } = await serveOk()
    server.respondWith(mfaRequired())
    await rejectionOf(client.request({ path: '/private' }), isMfaRequiredError)
  })
})

test('the suspended client sends the token in the body and nothing in Authorization', async () => {
  const { server } = await serveOk()
  const client = new Client({ baseUrl: server.url, token: 'session-token', fingerprint: 'print' })
  const suspended = client.suspended('suspended-token')

  await suspended.request({ method: 'POST', path: '/standing', body: { reason: 'mistake' } })
  await suspended.request({ method: 'POST', path: '/standing' })

  expect(server.requests.map((request) => request.json())).toEqual([
    { reason: 'mistake', token: 'suspended-token' },
    { token: 'suspended-token' },
  ])
  for (const { rawHeaders, url } of server.requests) {
    expect(rawHeaders.join('\n')).not.toMatch(/authorization|suspended-token|session-token/i)
    expect(url).toBe('/standing')
  }
})

test('the suspended client never prompts and exposes only request', async () => {
  const { server } = await serveOk()
  server.respondWith(mfaRequired())
  const onMfaRequired = () => {
    throw new Error('it prompted')
  }
  const suspended = new Client({ baseUrl: server.url, onMfaRequired }).suspended('suspended-token')

  await expect(suspended.request({ method: 'POST', path: '/standing' })).rejects.toMatchObject({ code: 60003 })
  expect(Object.keys(suspended)).toEqual(['request'])
})

test.each<[string, Method, unknown]>([
  ['GET', 'GET', undefined],
  ['an array', 'POST', []],
  ['a form', 'POST', new FormData()],
  ['a string', 'POST', 'text'],
  ['a body with a token', 'POST', { token: 'another' }],
])('the suspended client rejects %s, to which the token cannot be added', async (_, method, body) => {
  const { server, client } = await serveOk()
  const call = client.suspended('suspended-token').request({ method, path: '/standing', body })
  const error = await rejectionOf(call, isRequestValidationError)
  expect(error.message).not.toContain('suspended-token')
  expect(pathsOf(error)).toContain('body')
  expect(server.requests).toHaveLength(0)
})

test('the suspended client rejects a body of a class instance', async () => {
  const suspended = new Client({ baseUrl: 'https://service.example' }).suspended('a suspended token')
  for (const body of [new Map([['a', 1]]), new Date()]) {
    const call = suspended.request({ method: 'POST', path: '/x', body })
    await expect(call).rejects.toSatisfy(isRequestValidationError)
  }
})

function cyclic(): object {
  const value: { self?: object } = {}
  value.self = value
  return value
}

function deep(): unknown {
  let value: unknown = []
  for (let depth = 0; depth < 50_000; depth++) value = [value]
  return value
}

function fail(): never {
  throw new Error('no')
}
