import {
  Client,
  type ClientOptions,
  type Fetch,
  isConnectionError,
  isNotFoundError,
  isResponseParseError,
} from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import { deferred } from '../deferred'
import {
  json,
  mfaRequired,
  noContent,
  type Responder,
  redirect,
  resetDuringBody,
  serve,
  text,
} from '../servers/http-server'
import { type CustomFetch, fetchImplementations } from './fetch-implementations'
import { rejectionOf } from './rejection'

async function clientFor(fetch: CustomFetch, responders: Responder[], options: Partial<ClientOptions> = {}) {
  const server = await serve(...responders)
  const onMfaRequired = () => ({ type: 'totp', code: '123456' })
  const client = new Client({ baseUrl: `${server.url}/api`, token: 'ada', fetch, onMfaRequired, ...options })
  return { server, client }
}

describe.each(Object.entries(fetchImplementations))('%s', (name, createFetch) => {
  const trace = /wrapper|with an? \w*Agent/.test(name) ? '1' : undefined

  test('a custom fetch sends a GET with its token and resolves to the response data', async () => {
    const { server, client } = await clientFor(await createFetch(), [json(200, [], { 'x-test': 'yes' })])
    const { data, response } = await client.relationships.list({ headers: { 'x-own': 'own' } }).withResponse()

    expect(data).toEqual([])
    expect(response).toMatchObject({ status: 200, url: `${server.url}/api/users/@me/relationships` })
    expect(response.headers.get('x-test')).toBe('yes')
    expect(server.request()).toMatchObject({ method: 'GET', url: '/api/users/@me/relationships' })
    expect(server.request().headers).toMatchObject({ authorization: 'ada', accept: 'application/json', 'x-own': 'own' })
    expect(server.request().headers['x-trace']).toBe(trace)
  })

  test('a custom fetch sends a POST with its JSON', async () => {
    const { server, client } = await clientFor(await createFetch(), [noContent])
    await client.relationships.sendRequest({ username: 'grâce', discriminator: null })

    const { method, headers, body } = server.request()
    expect(method).toBe('POST')
    expect(headers).toMatchObject({ authorization: 'ada', 'content-type': 'application/json' })
    expect(headers['x-trace']).toBe(trace)
    expect(body.toString()).toBe('{"username":"grâce","discriminator":null}')
  })

  test('a step-up with a custom fetch repeats the identical request with the MFA header', async () => {
    const { server, client } = await clientFor(await createFetch(), [
      mfaRequired(),
      json(200, { token: 'jwt' }),
      noContent,
    ])
    await client.relationships.sendRequest({ username: 'grace', discriminator: null })

    const [first, finish, replay] = server.requests
    expect(finish?.json()).toEqual({ ticket: 'ticket-one', mfa_type: 'totp', data: '123456' })
    expect(replay).toMatchObject({ method: 'POST', url: first?.url, body: first?.body })
    const mfa = { 'x-service-mfa-authorization': 'jwt' }
    expect(replay?.headers).toEqual({ ...first?.headers, ...mfa })
    expect(replay?.headers).toMatchObject({ authorization: 'ada', ...mfa })
    expect(replay?.headers['x-trace']).toBe(trace)
  })

  test('a call with a custom fetch throws the error of the service and retries a 503', async () => {
    const { server, client } = await clientFor(await createFetch(), [
      json(503, {}),
      json(404, { message: 'nobody', code: 7 }),
    ])
    const error = await rejectionOf(client.relationships.list(), isNotFoundError)
    expect(error).toMatchObject({ code: 7, serviceMessage: 'nobody' })
    expect(server.requests).toHaveLength(2)
  })

  test('a custom fetch does not follow a redirect', async () => {
    const elsewhere = await serve()
    const { server, client } = await clientFor(await createFetch(), [redirect(307, `${elsewhere.url}/x`)])
    const call = client.relationships.sendRequest({ username: 'grace', discriminator: null })
    const { message } = await rejectionOf(call, isConnectionError)
    expect(message).toContain('redirect')
    expect(server.requests).toHaveLength(1)
    expect(elsewhere.requests).toHaveLength(0)
  })

  test('an aborted signal ends a request of a custom fetch, also within a body', async () => {
    let closed: Promise<unknown> | undefined
    const half: Responder = (response) => {
      closed = new Promise((resolve) => response.on('close', resolve))
      response.writeHead(200, { 'content-type': 'application/json' }).write('[')
    }
    const received = deferred<void>()
    const fetch = await createFetch()
    const { client } = await clientFor((...args) => fetch(...args).finally(() => received.resolve()), [half])
    const control = new AbortController()
    const call = client.relationships.list({ signal: control.signal })
    const outcome = call.catch((reason) => reason)
    await received.promise
    control.abort('enough')
    expect(await outcome).toBe('enough')
    await closed
  })

  test('a GET of a custom fetch is retried if its body is cut off', async () => {
    const { server, client } = await clientFor(await createFetch(), [resetDuringBody, json(200, [])])
    expect(await client.relationships.list()).toEqual([])
    expect(server.requests).toHaveLength(2)
  })

  test('a custom fetch is stopped while it reads a body above maxResponseBytes', async () => {
    let written = 0
    let closed: Promise<unknown> | undefined
    const endless: Responder = (response) => {
      let isOpen = true
      closed = new Promise((resolve) => response.on('close', resolve)).then(() => {
        isOpen = false
      })
      const chunk = Buffer.alloc(64 * 1024, ' ')
      const more = () => {
        while (isOpen && written < 64 * 1024 * 1024) {
          written += chunk.length
          if (!response.write(chunk)) return void response.once('drain', more)
        }
        response.end()
      }
      response.writeHead(200, { 'content-type': 'application/json' })
      more()
    }
    const { client } = await clientFor(await createFetch(), [endless], { maxResponseBytes: 1000 })
    const { message } = await rejectionOf(client.relationships.list(), isResponseParseError)
    expect(message).toContain('maxResponseBytes')
    await closed
    expect(written).toBeLessThan(32 * 1024 * 1024)
  })
})

describe('the arguments of a custom fetch', () => {
  const emptyList = () => vi.fn<CustomFetch>(async () => Response.json([]))

  test('they are the URL as a string and everything else in init', async () => {
    const fetch = emptyList()
    const client = new Client({ baseUrl: 'https://service.example/api', token: 'ada', fetch, credentials: 'include' })
    await client.relationships.list()
    await client.request({ method: 'POST', path: '/x', body: { a: 1 } })

    expect(fetch.mock.calls).toEqual([
      [
        'https://service.example/api/users/@me/relationships',
        {
          method: 'GET',
          headers: { accept: 'application/json', authorization: 'ada' },
          signal: expect.any(AbortSignal),
          redirect: 'manual',
          cache: 'no-store',
          credentials: 'include',
        },
      ],
      [
        'https://service.example/api/x',
        {
          method: 'POST',
          headers: { accept: 'application/json', authorization: 'ada', 'content-type': 'application/json' },
          body: '{"a":1}',
          signal: expect.any(AbortSignal),
          redirect: 'manual',
          cache: 'no-store',
          credentials: 'include',
        },
      ],
    ])
    expect(Object.getPrototypeOf(fetch.mock.calls[0]?.[1].headers)).toBe(Object.prototype)
  })

  test('have duplex for a stream, and no credentials unless they are set', async () => {
    const fetch = emptyList()
    const client = new Client({ baseUrl: 'https://service.example', fetch })
    const body = new Blob(['streamed']).stream()
    await client.request({ method: 'PUT', path: '/x', body })
    expect(fetch.mock.calls[0]?.[1]).toEqual({
      method: 'PUT',
      headers: { accept: 'application/json' },
      body,
      duplex: 'half',
      signal: expect.any(AbortSignal),
      redirect: 'manual',
      cache: 'no-store',
    })
  })

  test('have a fresh init in every retry', async () => {
    const seen: string[] = []
    const client = new Client({
      baseUrl: 'https://service.example',
      token: 'ada',
      fetch: async (_, init) => {
        seen.push(JSON.stringify(init.headers))
        Object.assign(init.headers, { 'x-attempt': String(seen.length) })
        return Response.json([], { status: seen.length === 1 ? 503 : 200 })
      },
    })
    await client.relationships.list()
    expect(seen[1]).toBe(seen[0])
  })

  test('a fetch wrapper that adds headers reaches the mock service, also in a step-up', async () => {
    const service = createMockService()
    const ada = service.users.create({ login: 'ada@example.com', password: 'a long password', mfa: ['totp'] })
    const calls: string[] = []
    const client = new Client({
      baseUrl: service.baseUrl,
      token: service.token(ada),
      fetch: (input, init) => {
        calls.push(input)
        return service.fetch(input, { ...init, headers: { ...init.headers, 'x-trace': '1' } })
      },
      onMfaRequired: () => ({ type: 'totp', code: service.users.totp(ada) }),
    })
    const [session] = (await client.auth.sessions.list()).user_sessions
    await client.auth.sessions.logout({ session_id_hashes: [session?.id_hash ?? ''] })
    expect(calls.length).toBe(4)
  })
})

describe('a response without a stream', () => {
  /** Responds as XHR polyfills do: with a status, headers and `arrayBuffer`. */
  function fetchWithoutStream(body: undefined | null, arrayBuffers: { count: number } = { count: 0 }): CustomFetch {
    return async (input, init) => {
      const response = await fetch(input, init)
      const { status, headers } = response
      const arrayBuffer = () => {
        arrayBuffers.count++
        return response.arrayBuffer()
      }
      return { status, headers, arrayBuffer, ...(body === null && { body }) }
    }
  }

  test.each([undefined, null])('it is read with arrayBuffer if its body is %s', async (body) => {
    const responders = [json(200, []), noContent, json(404, { message: 'nobody', code: 7 }), json(200, { ok: true })]
    const { server, client } = await clientFor(fetchWithoutStream(body), responders)
    const { data, response } = await client.relationships.list().withResponse()
    expect(data).toEqual([])
    expect(response.url).toBe(`${server.url}/api/users/@me/relationships`)
    expect(await client.relationships.delete('100')).toBeUndefined()
    expect(await rejectionOf(client.relationships.list(), isNotFoundError)).toMatchObject({ serviceMessage: 'nobody' })
    expect(await client.request({ method: 'POST', path: '/x', body: {} })).toEqual({ ok: true })
  })

  test('it is enough for a call that steps up', async () => {
    const { server, client } = await clientFor(fetchWithoutStream(undefined), [
      mfaRequired(),
      json(200, { token: 'jwt' }),
      noContent,
    ])
    await client.relationships.delete('100')
    expect(server.request(2).headers['x-service-mfa-authorization']).toBe('jwt')
  })

  test('can be as large as maxResponseBytes and no larger', async () => {
    const chunked =
      (body: string): Responder =>
      (response) => {
        response.writeHead(200).write(body.slice(0, 5))
        response.end(body.slice(5))
      }
    const options = { maxResponseBytes: 12, onResponseMismatch: 'ignore' } as const
    const { client } = await clientFor(
      fetchWithoutStream(undefined),
      [chunked('["34567890"]'), chunked('["345678901"]')],
      options,
    )
    expect(await client.relationships.list()).toEqual(['34567890'])
    const { message } = await rejectionOf(client.relationships.list(), isResponseParseError)
    expect(message).toContain('maxResponseBytes')
  })

  test('it is not read if Content-Length exceeds maxResponseBytes', async () => {
    const reads = { count: 0 }
    const sized = (body: string) => text(200, body, { 'content-length': String(body.length) })
    const responders = [sized('["34567890"]'), sized('["345678901"]')]
    const options = { maxResponseBytes: 12, onResponseMismatch: 'ignore' } as const
    const { client } = await clientFor(fetchWithoutStream(null, reads), responders, options)
    await client.relationships.list()
    const { message } = await rejectionOf(client.relationships.list(), isResponseParseError)
    expect(message).toContain('it is larger than 12 bytes (`maxResponseBytes`)')
    expect(reads.count).toBe(1)
  })

  test('it is retried if its body is cut off', async () => {
    const { server, client } = await clientFor(fetchWithoutStream(undefined), [resetDuringBody, json(200, [])])
    expect(await client.relationships.list()).toEqual([])
    expect(server.requests).toHaveLength(2)
  })

  test('it is not followed if it is a redirect', async () => {
    const { client } = await clientFor(fetchWithoutStream(undefined), [redirect(302, '/elsewhere')])
    expect((await rejectionOf(client.relationships.list(), isConnectionError)).message).toContain('redirect')
  })
})

describe('a platform that lacks a class', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('a call on a platform without fetch says so, once, and not that the connection failed', async () => {
    vi.stubGlobal('fetch', undefined)
    const client = new Client({ baseUrl: 'https://service.example' })
    const retried = vi.fn()
    client.on('retry', retried)
    const { message } = await rejectionOf(client.relationships.list(), isConnectionError)
    expect(message).toBe('Get Relationships: `fetch` is not available here. Set the option `fetch`.')
    expect(retried).not.toHaveBeenCalled()
  })

  it('a call on a platform without Request is sent without ky', async () => {
    const fetch = vi.fn<Fetch>(async () => Response.json([]))
    vi.stubGlobal('fetch', fetch)
    const client = new Client({ baseUrl: 'https://service.example' })
    vi.stubGlobal('Request', undefined)
    expect(await client.relationships.list()).toEqual([])
    expect(fetch).toHaveBeenCalledTimes(1)
  })

  it('a call with its own fetch needs no Request, also for its retries', async () => {
    const fetch = vi.fn<Fetch>(async () => Response.json([]))
    fetch.mockRejectedValueOnce(new Error('broken')).mockResolvedValueOnce(Response.json({}, { status: 503 }))
    const client = new Client({ baseUrl: 'https://service.example', fetch })
    vi.stubGlobal('Request', undefined)
    expect(await client.relationships.list()).toEqual([])
    expect(fetch).toHaveBeenCalledTimes(3)
  })

  it('a call decodes UTF-8 on a platform without TextDecoder', async () => {
    const bodies = [Buffer.from('\ufeff{"name":"é☃😀","id":"\ufeff"}'), Buffer.from([0x22, 0xff, 0x22])]
    const responses = bodies.map((body) => ({
      status: 200,
      headers: new Headers(),
      arrayBuffer: async () => new Uint8Array(body).buffer,
    }))
    const client = new Client({ baseUrl: 'https://service.example', fetch: async () => responses.shift() ?? never() })
    vi.stubGlobal('TextDecoder', undefined)
    expect(await client.request({ path: '/x' })).toEqual({ name: 'é☃😀', id: '\ufeff' })
    const { message } = await rejectionOf(client.request({ path: '/x' }), isResponseParseError)
    expect(message).toContain('it is not valid UTF-8')
  })
})

function never(): never {
  throw new Error('there is no other response')
}

describe('a redirect that a custom fetch returns', () => {
  it.each<[string, object]>([
    ...[301, 302, 303, 307, 308].map((status): [string, object] => [`status ${status}`, { status }]),
    ['the type opaqueredirect', { status: 0, type: 'opaqueredirect' }],
    ['the mark of a fetch that followed it', { status: 200, redirected: true }],
  ])('a response with %s is refused and not retried, and its body is cancelled', async (_, response) => {
    const cancel = vi.fn(async () => {})
    const body = { getReader: () => ({}), cancel }
    const fetch = vi.fn(async () => ({ headers: new Headers(), body, ...response }))
    const client = new Client({ baseUrl: 'https://service.example', fetch: fetch as unknown as Fetch })
    const { message } = await rejectionOf(client.relationships.list(), isConnectionError)
    expect(message).toContain('the response is a redirect, which is not followed')
    expect(fetch).toHaveBeenCalledTimes(1)
    expect(cancel).toHaveBeenCalledTimes(1)
  })

  it.each([200, 299])('a response with status %i is a success', async (status) => {
    const fetch: Fetch = async () => Response.json([], { status })
    const client = new Client({ baseUrl: 'https://service.example', fetch })
    expect(await client.relationships.list()).toEqual([])
  })

  it.each([300, 304, 306])('a response with status %i is an error of the service', async (status) => {
    const body = new TextEncoder().encode('{"code":7}').buffer
    const response = { status, headers: new Headers(), arrayBuffer: async () => body }
    const client = new Client({ baseUrl: 'https://service.example', fetch: async () => response })
    await expect(client.relationships.list()).rejects.toMatchObject({ name: 'ApiError', status, code: 7 })
  })
})
