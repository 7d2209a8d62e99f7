import { setImmediate as turn } from 'node:timers/promises'
import { Client, type ClientOptions, isApiError, isConnectionError, isServerError } from 'rapport-sdk'
import { auth, createClient, mfa, passkeys, recovery, relationships, request } from 'rapport-sdk/core'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  cutOff,
  json,
  noContent,
  type Responder,
  resetConnection,
  resetDuringBody,
  serve,
} from '../servers/http-server'
import { rejectionOf } from './rejection'

const down = json(503, { message: 'down' })

type Options = Omit<ClientOptions, 'gateway'>

/** Clients that retry with the plain loop or with ky, which must not make a difference. */
const clients = {
  'Client, which retries with ky': (options: Options) => new Client(options),
  'Client with its own fetch': (options: Options) => new Client({ ...options, fetch: (url, init) => fetch(url, init) }),
  createClient: (options: Options) => createClient(options, { auth, passkeys, recovery, mfa, relationships, request }),
}

type RetryingClient = ReturnType<typeof clients.createClient>

// No backoff, except where its time is tested.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0))
afterEach(() => void vi.restoreAllMocks())

describe.each(Object.entries(clients))('retries of %s', (_, createFor) => {
  async function clientFor(responders: Responder[], options: Partial<Options> = {}) {
    const server = await serve(...responders)
    const client: RetryingClient = createFor({ baseUrl: server.url, token: 'ada', ...options })
    return { server, client }
  }

  it('a GET is retried after 5xx and network errors, at most twice', async () => {
    const { server, client } = await clientFor([down, resetConnection, json(200, [])])
    const retries = vi.fn()
    client.on('retry', retries)

    const { response } = await client.relationships.list().withResponse()

    expect(response.attempts).toBe(3)
    expect(server.requests).toHaveLength(3)
    expect(retries.mock.calls.map(([{ reason, attempt }]) => [reason, attempt])).toEqual([
      [503, 1],
      ['TypeError', 2],
    ])
  })

  it('a 408 is retried where a GET would be, and only there', async () => {
    const timeout = json(408, {})
    const { server, client } = await clientFor([timeout, json(200, []), timeout])
    expect(await client.relationships.list()).toEqual([])
    expect((await rejectionOf(client.relationships.accept('100'), isApiError)).status).toBe(408)
    expect(server.requests).toHaveLength(3)
  })

  it('the Retry-After of a 503 is kept for its own call, and delays no other', async () => {
    const { server, client } = await clientFor([json(503, {}, { 'retry-after': '50' })])
    server.fallback(() => json(200, []))
    const retried = new Promise((resolve) => client.on('retry', resolve))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const call = client.relationships.list()
    await retried
    await Promise.all(Array.from({ length: 10 }, () => client.relationships.list()))
    await vi.advanceTimersByTimeAsync(49_999)
    expect(server.requests).toHaveLength(11)
    // The backoff follows, here of 0 ms.
    await vi.advanceTimersByTimeAsync(100)
    expect(await call).toEqual([])
    expect(server.requests).toHaveLength(12)
  })

  it.each([
    ['maxRateLimitWaitMs', 3600, {}],
    ['deadline', 50, { deadline: 40_000 }],
  ])(
    'a 503 whose Retry-After is beyond %s rejects at once with ServerError and retryAfterMs',
    async (_, seconds, options) => {
      const { server, client } = await clientFor([json(503, {}, { 'retry-after': String(seconds) })], options)
      const error = await rejectionOf(client.relationships.list(), isServerError)
      expect(error.retryAfterMs).toBe(seconds * 1000)
      expect(error.message).toContain(`Try again in ${seconds * 1000} ms.`)
      server.respondWith(json(200, []), json(503, {}, { 'retry-after': '7' }), json(500, {}))
      await client.relationships.list()
      const once = client.relationships.accept('100')
      expect((await rejectionOf(once, isServerError)).retryAfterMs).toBe(7000)
      expect((await rejectionOf(client.relationships.accept('100'), isServerError)).retryAfterMs).toBeUndefined()
      expect(server.requests).toHaveLength(4)
    },
  )

  it('the backoff of a retry is at most 30 s', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.999)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      vi.restoreAllMocks()
    })
    const { server, client } = await clientFor([], { retry: 9, timeout: 3_600_000 })
    server.fallback(() => down)
    let retries = 0
    client.on('retry', () => retries++)
    const call = rejectionOf(client.relationships.list(), isServerError)
    for (let retry = 1; retry <= 9; retry++) {
      while (retries < retry) await new Promise((resolve) => setImmediate(resolve))
      // 300 ms, doubled eight times, is 76.8 s.
      await vi.advanceTimersByTimeAsync(Math.min(300 * 2 ** (retry - 1), 30_000))
    }
    await call
    expect(server.requests).toHaveLength(10)
  })

  it.each(['soon', '', '-1', '1e400', 'Thu, 01 Jan 2099 00:00:00'])(
    'a Retry-After that cannot be kept or read (%j) makes no call wait for days',
    async (retryAfter) => {
      const { server, client } = await clientFor([json(503, {}, { 'retry-after': retryAfter }), json(200, [])])
      await client.relationships.list().catch((error) => expect(isServerError(error)).toBe(true))
      expect(server.requests.length).toBeLessThanOrEqual(2)
    },
  )

  it.each([400, 404, 413, 425])('a GET that is answered with status %i is sent once', async (status) => {
    const { server, client } = await clientFor([json(status, {}, { 'retry-after': '1' })])
    const error = await rejectionOf(client.relationships.list(), isApiError)
    expect(error.status).toBe(status)
    expect(server.requests).toHaveLength(1)
  })

  it.each([500, 501, 502, 504, 520, 599])('a GET that is answered with status %i is retried', async (status) => {
    const { server, client } = await clientFor([json(status, {}), json(200, [])])
    expect(await client.relationships.list()).toEqual([])
    expect(server.requests).toHaveLength(2)
  })

  it('an error of fetch that is named like a timeout is retried', async () => {
    const { fetch } = globalThis
    const failing = vi.fn(fetch).mockRejectedValueOnce(new DOMException('slow', 'TimeoutError'))
    vi.stubGlobal('fetch', failing)
    onTestFinished(() => void vi.unstubAllGlobals())
    const { client } = await clientFor([json(200, [])])
    expect(await client.relationships.list()).toEqual([])
    expect(failing).toHaveBeenCalledTimes(2)
  })

  it('an error keeps neither the response nor the request', async () => {
    const { client } = await clientFor([down, down], { retry: 1 })
    const error = await rejectionOf(client.relationships.list(), isServerError)
    expect(error.cause).toBeUndefined()
    for (const name of ['request', 'response', 'options']) expect(error).not.toHaveProperty(name)
  })

  it('a GET whose body is cut off is retried', async () => {
    const { client } = await clientFor([resetDuringBody, json(200, [])])
    expect(await client.relationships.list()).toEqual([])
  })

  it('a GET below /auth is retried, since it changes nothing', async () => {
    const { client } = await clientFor([down, json(200, { user_sessions: [] })])
    expect(await client.auth.sessions.list()).toEqual({ user_sessions: [] })
  })

  it.each([300, 404])('a GET is sent once if the body of a response with status %i is cut off', async (status) => {
    const { server, client } = await clientFor([cutOff(status)])
    expect((await rejectionOf(client.relationships.list(), isApiError)).status).toBe(status)
    expect(server.requests).toHaveLength(1)
  })

  it('a GET that fails three times rejects with the last failure', async () => {
    const failing = await clientFor([down, down, json(500, { message: 'last' })])
    const error = await rejectionOf(failing.client.relationships.list(), isServerError)
    expect(error).toMatchObject({ status: 500, serviceMessage: 'last' })

    const unreachable = await clientFor([down, down, resetConnection])
    await rejectionOf(unreachable.client.relationships.list(), isConnectionError)
  })

  it.each<[string, (client: RetryingClient) => Promise<unknown>]>([
    ['POST', (client) => client.relationships.sendRequest({ username: 'grace', discriminator: null })],
    ['PUT', (client) => client.relationships.accept('100')],
    ['PATCH', (client) => client.relationships.update('100', { nickname: 'Grace' })],
    ['DELETE', (client) => client.relationships.delete('100')],
  ])('a %s is sent only once after a 503 or a network error', async (_, call) => {
    const failing = await clientFor([down])
    await rejectionOf(call(failing.client), isServerError)
    const unreachable = await clientFor([resetConnection])
    await rejectionOf(call(unreachable.client), isConnectionError)
    expect(unreachable.server.requests).toHaveLength(1)
  })

  it('a PUT and a DELETE are retried by opt-in, for the client or for a call', async () => {
    const retry = { methods: ['GET', 'PUT', 'DELETE'] } as const
    const { server, client } = await clientFor([down, noContent, resetConnection, noContent], { retry })
    await client.relationships.accept('100')
    await client.relationships.delete('100')
    expect(server.requests).toHaveLength(4)
    expect(server.request(1).body.toString()).toBe(server.request(0).body.toString())

    const single = await clientFor([down, noContent])
    await single.client.relationships.delete('100', { retry })
  })

  it('sign-in and second-factor requests are never retried, even by opt-in', async () => {
    const { server, client } = await clientFor([], { retry: { methods: ['POST'], limit: 5 } })
    server.fallback(() => down)

    const calls = [
      client.auth.login({ login: 'ada@example.test', password: 'correct horse' }),
      client.auth.verifyMfaLogin('totp', { ticket: 't', code: '1' }),
      client.auth.finishPasswordlessLogin({ ticket: 't', credential: '{}' }),
      client.auth.resetPassword({ token: 't', password: 'correct horse' }),
      client.auth.oneTimeLogin({ ticket: 't' }),
      client.auth.exchangeHandoffToken({ key: 'k', handoff_token: 'h' }),
      client.auth.revertAccount({ token: 't', password: 'p' }),
      client.mfa.finish({ ticket: 't', mfa_type: 'totp', data: '1' }),
      client.mfa.sendSms({ ticket: 't' }),
      client.auth.createHandoffToken({ key: 'k' }, { token: 'ada' }),
      client.auth.sessions.logout({ session_id_hashes: ['h'] }, { token: 'ada' }),
      client.auth.logout({}, { token: 'ada' }),
    ]
    await Promise.all(calls.map((call) => rejectionOf(call, isServerError)))

    expect(server.requests).toHaveLength(calls.length)
  })

  it('client.request without a token is retried by opt-in', async () => {
    const { server, client } = await clientFor([down, noContent], { retry: { methods: ['POST'] } })
    await client.request({ method: 'POST', path: '/reports', auth: 'none', body: {} })
    expect(server.requests).toHaveLength(2)
  })

  it('a call with retry 0 is sent once, and retry n bounds the attempts', async () => {
    const none = await clientFor([down], { retry: 0 })
    await rejectionOf(none.client.relationships.list(), isServerError)

    const { server, client } = await clientFor([down, down, down, down, down])
    await rejectionOf(client.relationships.list({ retry: 4 }), isServerError)
    expect(server.requests).toHaveLength(5)
  })

  it('wait with full jitter from zero', async () => {
    const { server, client } = await clientFor([down, down, down, json(200, [])], { retry: 3 })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let onRetry = () => {}
    client.on('retry', () => onRetry())
    const sent = vi.fn()
    client.on('request', sent)
    const retried = () => new Promise<void>((resolve) => (onRetry = resolve))
    let next = retried()
    const call = client.relationships.list()
    // The range doubles with each retry: 300, 600 and 1200 ms.
    for (const [index, [random, waitMs]] of (
      [
        [0, 0],
        [0.999, 599],
        [0.5, 600],
      ] as const
    ).entries()) {
      vi.spyOn(Math, 'random').mockReturnValue(random)
      await next
      next = retried()
      if (waitMs > 0) await vi.advanceTimersByTimeAsync(waitMs - 1)
      await turn()
      expect(sent).toHaveBeenCalledTimes(index + 1)
      await vi.advanceTimersByTimeAsync(10)
      await server.waitForRequests(index + 2)
    }
    expect(await call).toEqual([])
  })

  it.each<[string, () => unknown]>([
    ['a form', () => new FormData()],
    ['URL parameters', () => new URLSearchParams({ a: 'b' })],
    ['a blob', () => new Blob(['again'])],
    ['a buffer', () => Uint8Array.of(1, 2).buffer],
    ['bytes', () => Uint8Array.of(1, 2)],
    ['JSON', () => ({ a: 'b' })],
  ])('%s is sent again by opt-in, identical to the byte', async (_, createBody) => {
    const { server, client } = await clientFor([down, noContent], { retry: { methods: ['POST'] } })
    await client.request({ method: 'POST', path: '/upload', body: createBody() })
    const [first, second] = server.requests
    expect(second?.headers['content-type']).toBe(first?.headers['content-type'])
    expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true)
  })

  it('only the first segment of a path makes a request one of sign-in or of a second factor', async () => {
    const { server, client } = await clientFor([], { retry: { methods: ['POST'], limit: 1 } })
    server.fallback(() => down)
    for (const path of ['/authors', '/users/auth/x', '/users/mfa/x', '/auth/x', '/mfa/x'])
      await rejectionOf(client.request({ method: 'POST', path, body: {} }), isServerError)
    const counts = new Map<string, number>()
    for (const { url } of server.requests) counts.set(url, (counts.get(url) ?? 0) + 1)
    expect([...counts.values()]).toEqual([2, 2, 2, 1, 1])
  })

  it('a stream is sent only once, even by opt-in', async () => {
    const { server, client } = await clientFor([down], { retry: { methods: ['POST'] } })
    const body = new Blob(['once']).stream()
    await rejectionOf(client.request({ method: 'POST', path: '/upload', body }), isServerError)
    expect(server.requests).toHaveLength(1)
  })
})

describe('what ky is not given', () => {
  /** Records the requests that ky builds. */
  function recordRequests() {
    const built: Request[] = []
    const Original = Request
    class Recorded extends Original {
      constructor(...args: ConstructorParameters<typeof Request>) {
        super(...args)
        built.push(this)
      }
    }
    vi.stubGlobal('Request', Recorded)
    onTestFinished(() => void vi.unstubAllGlobals())
    return built
  }

  it('no secret and no body is in the request that ky builds, and both are sent', async () => {
    const built = recordRequests()
    const server = await serve(noContent)
    const client = new Client({ baseUrl: server.url, token: 'ada', headers: { 'x-app': 'kept' } })
    await client.request({ method: 'POST', path: '/upload', body: new Blob(['large']) })
    expect(built).toHaveLength(1)
    expect(built[0]).toMatchObject({ method: 'POST', url: `${server.url}/upload`, redirect: 'manual', body: null })
    expect(built[0]?.cache).toBe('no-store')
    expect([...(built[0]?.headers ?? [])]).toEqual([
      ['accept', 'application/json'],
      ['x-app', 'kept'],
    ])
    expect(server.request(0)).toMatchObject({ headers: { authorization: 'ada', 'x-app': 'kept' } })
    expect(String(server.request(0).body)).toBe('large')
  })

  it('a client with a custom fetch builds no Request', async () => {
    const built = recordRequests()
    const client = new Client({ baseUrl: 'https://service.example', fetch: async () => Response.json([]) })
    await client.relationships.list()
    expect(built).toEqual([])
  })

  it.each<[string, () => void]>([
    ['Request', () => vi.stubGlobal('Request', undefined)],
    [
      'AbortSignal.prototype.throwIfAborted',
      () => {
        const { throwIfAborted } = AbortSignal.prototype
        Reflect.deleteProperty(AbortSignal.prototype, 'throwIfAborted')
        onTestFinished(() => void Object.assign(AbortSignal.prototype, { throwIfAborted }))
      },
    ],
  ])('a platform without %s retries without ky', async (_, remove) => {
    const server = await serve(down, json(200, []))
    const { fetch } = globalThis
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => fetch(url, init))
    onTestFinished(() => void vi.unstubAllGlobals())
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    remove()
    expect(await client.relationships.list()).toEqual([])
    expect(server.requests).toHaveLength(2)
  })
})
