import { Client, type ClientOptions, isRateLimitError } from 'rapport-sdk'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { hold, json, type RecordedRequest, type Responder, serve } from '../servers/http-server'
import { reasonOf, rejectionOf } from './rejection'

const TEMPLATE = '/channels/{channel.id}/messages'
const ok = json(200, [])
const limited = (seconds: number, body: object = {}) => json(429, body, { 'retry-after': String(seconds) })

/** Lets everything happen that needs no answer of a server. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** A client, and the number of its requests that have no response yet. */
async function startClient(options: Partial<ClientOptions> = {}) {
  const server = await serve()
  const client = new Client({ baseUrl: server.url, token: 'ada', ...options })
  let inFlight = 0
  const count = (of: Client) => {
    of.on('request', () => inFlight++)
    of.on('response', () => inFlight--)
  }
  count(client)
  const send = (channel = '1', from: Client = client, call: Parameters<Client['request']>[1] = {}) =>
    from.request({ path: TEMPLATE, pathParams: { 'channel.id': channel } }, call)
  /** Waits until every request has been answered and no other is sent. */
  const idle = async () => {
    do await settle()
    while (inFlight > 0)
  }
  /** Advances the clock of the client and of the server, but never while a request is in flight. */
  const advance = async (ms: number, step = 25) => {
    for (let passed = 0; passed < ms; passed += step) {
      await idle()
      await vi.advanceTimersByTimeAsync(step)
    }
    await idle()
  }
  return { server, client, count, send, idle, advance }
}

/** Accepts ten requests in each second of the faked clock, whatever their path. */
function tenPerSecond(headersOf: (remaining: number, resetSeconds: number) => Record<string, string>) {
  let windowEnd = 0
  let used = 0
  return (_: RecordedRequest): Responder => {
    const now = performance.now()
    if (now >= windowEnd) {
      windowEnd = now + 1000
      used = 0
    }
    const isAccepted = used < 10
    if (isAccepted) used++
    const resetSeconds = (windowEnd - now) / 1000
    const headers = headersOf(10 - used, resetSeconds)
    return isAccepted ? json(200, [], headers) : json(429, {}, { ...headers, 'retry-after': String(resetSeconds) })
  }
}

const conventions = {
  'X-RateLimit headers': (remaining: number, seconds: number) => ({
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset-after': String(seconds),
  }),
  'the standard RateLimit header': (remaining: number, seconds: number) => ({
    ratelimit: `"second";r=${remaining};t=${Math.ceil(seconds)}, "day";r=900;t=3600`,
  }),
  'the RateLimit header of older drafts': (remaining: number, seconds: number) => ({
    ratelimit: `limit=10, remaining=${remaining}, reset=${Math.ceil(seconds)}`,
  }),
  'RateLimit-Remaining and -Reset': (remaining: number, seconds: number) => ({
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(Math.ceil(seconds)),
  }),
}

describe('calls of one key under a rate limit', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))

  it.each(Object.entries(conventions))(
    '60 calls at once to one path against 10 a second all succeed, with at most 66 requests, with %s',
    async (_, headersOf) => {
      const { server, send, advance } = await startClient()
      server.fallback(tenPerSecond(headersOf))
      const calls = Promise.all(Array.from({ length: 60 }, () => send()))
      await advance(12_000)
      expect(await calls).toHaveLength(60)
      expect(server.requests.length).toBeLessThanOrEqual(66)
    },
  )

  it.each([
    ['one path', 75, () => '1'],
    ['60 paths of one template', 120, String],
  ])(
    '60 calls at once to %s against 10 a second all succeed with Retry-After alone, with at most %i requests',
    async (_, most, channelOf) => {
      const { server, send, advance } = await startClient()
      server.fallback(tenPerSecond(() => ({})))
      const calls = Promise.all(Array.from({ length: 60 }, (_, index) => send(channelOf(index))))
      await advance(12_000)
      expect(await calls).toHaveLength(60)
      expect(server.requests.length).toBeLessThanOrEqual(most)
    },
  )

  it('calls that wait for a limit leave in order, one before the others, and an aborted one leaves the queue', async () => {
    const { server, client, idle, advance } = await startClient()
    server.respondWith(limited(10))
    const control = new AbortController()
    const done: number[] = []
    const post = (index: number, signal?: AbortSignal) =>
      client.request({ method: 'POST', path: '/messages', body: { index } }, { signal }).then(() => done.push(index))
    const first = post(0)
    await idle()
    const aborted = reasonOf(post(1, control.signal))
    const others = [post(2), post(3), post(4)]
    const probe = hold(ok)
    server.respondWith(probe.responder).fallback(() => ok)
    control.abort('enough')
    expect(await aborted).toBe('enough')

    await vi.advanceTimersByTimeAsync(10_000)
    await server.waitForRequests(2)
    await settle()
    expect(server.requests).toHaveLength(2)
    probe.release()
    await advance(1000)
    await Promise.all([first, ...others])

    expect(done).toEqual([0, 2, 3, 4])
    expect(server.requests.map((request) => request.json())).toEqual([0, 0, 2, 3, 4].map((index) => ({ index })))
  })

  it('a call that waits behind others for longer than maxRateLimitWaitMs rejects with RateLimitError', async () => {
    const { server, send, advance } = await startClient()
    server.fallback(tenPerSecond(() => ({})))
    const calls = Promise.allSettled(
      Array.from({ length: 60 }, () => send('1', undefined, { retry: { limit: 9, maxRateLimitWaitMs: 2500 } })),
    )
    await advance(8000)
    const outcomes = await calls
    const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(failed.length).toBeGreaterThanOrEqual(20)
    expect(failed.length).toBeLessThanOrEqual(40)
    for (const error of failed) expect(error).toSatisfy(isRateLimitError)
  })

  it('being queued is not one of the two 429 responses that a call accepts', async () => {
    const { server, send, idle, advance } = await startClient()
    server.respondWith(limited(1), limited(1))
    const first = send()
    await idle()
    const second = send()
    server.fallback(() => ok)
    server.respondWith(ok, limited(1), limited(1))
    await advance(8000)
    await Promise.all([first, second])
    expect(server.requests).toHaveLength(6)
  })

  it('after a 429 other paths of the template leave one at a time until two have succeeded', async () => {
    const { server, send, idle } = await startClient()
    server.respondWith(limited(3600))
    await rejectionOf(send('1'), isRateLimitError)
    const [one, two] = [hold(ok), hold(ok)]
    server.respondWith(one.responder, two.responder).fallback(() => ok)
    const others = ['2', '3', '4', '5', '6'].map((channel) => send(channel))
    await server.waitForRequests(2)
    await settle()
    expect(server.requests).toHaveLength(2)
    one.release()
    await server.waitForRequests(3)
    await settle()
    expect(server.requests).toHaveLength(3)
    two.release()
    await Promise.all(others)
    await idle()
    expect(server.requests.map(({ url }) => url.split('/')[2])).toEqual(['1', '2', '3', '4', '5', '6'])
  })
})

describe('maxConcurrency', () => {
  it.each([
    [10, {}],
    [3, { maxConcurrency: 3 }],
  ])('at most %i requests with one key are in flight, and other keys do not wait', async (max, options) => {
    const { server, client, send } = await startClient(options)
    const held = hold(ok)
    server.fallback(() => held.responder)
    const calls = Array.from({ length: 25 }, () => send('1'))
    await server.waitForRequests(max)
    const others = [send('2'), send('1', client.as('grace')), client.friendSuggestions.list()]
    await server.waitForRequests(max + others.length)
    await settle()
    expect(server.requests).toHaveLength(max + others.length)
    held.release()
    await Promise.all([...calls, ...others])
    expect(server.requests).toHaveLength(28)
  })

  it('a call that waits for a request in flight can be aborted, also with retry 0', async () => {
    const { server, send } = await startClient({ maxConcurrency: 1, retry: 0 })
    const held = hold(ok)
    server.fallback(() => held.responder)
    const control = new AbortController()
    const [first, second, third] = [send(), reasonOf(send('1', undefined, { signal: control.signal })), send()]
    await server.waitForRequests(1)
    control.abort('enough')
    expect(await second).toBe('enough')
    held.release()
    await Promise.all([first, third])
    expect(server.requests).toHaveLength(2)
  })
})

describe('options of rate limits', () => {
  it('calls with the same rateLimitKey wait together, whatever their account and path', async () => {
    const calls: unknown[] = []
    const rateLimitKey: ClientOptions['rateLimitKey'] = (call) => {
      calls.push(call)
      return 'address'
    }
    const { server, client, send } = await startClient({ rateLimitKey })
    server.respondWith(limited(3600))
    await rejectionOf(send('1'), isRateLimitError)
    await rejectionOf(client.as('grace').friendSuggestions.list(), isRateLimitError)
    expect(server.requests).toHaveLength(1)
    expect(calls[0]).toEqual({
      account: expect.stringContaining('ada'),
      endpoint: `GET ${TEMPLATE}`,
      method: 'GET',
      path: TEMPLATE,
      concretePath: '/channels/1/messages',
    })
  })

  it('a global 429 of one account rejects no waiting call of another with the same rateLimitKey', async () => {
    const { server, client, send } = await startClient({ rateLimitKey: () => 'address', maxConcurrency: 1 })
    const refusal = hold(limited(3600, { global: true }))
    server.respondWith(refusal.responder, ok)
    const refused = rejectionOf(send(), isRateLimitError)
    await server.waitForRequests(1)
    const neighbour = send('1', client.as('grace'))
    await settle()
    refusal.release()
    expect((await refused).global).toBe(true)
    expect(await neighbour).toEqual([])
    await rejectionOf(send('2'), isRateLimitError)
    expect(server.requests).toHaveLength(2)
  })

  it('a call whose account is limited does not hold up calls of another account behind it with its rateLimitKey', async () => {
    const { server, client, send } = await startClient({ rateLimitKey: () => 'address', maxConcurrency: 1 })
    const [refusal, other] = [hold(limited(30, { global: true })), hold(ok)]
    server.respondWith(refusal.responder, other.responder, ok)
    const control = new AbortController()
    const refused = reasonOf(send('1', client, { signal: control.signal }))
    await server.waitForRequests(1)
    const waiting = reasonOf(send('2', client, { signal: control.signal }))
    const neighbours = [send('3', client.as('grace')), send('4', client.as('grace'))]
    refusal.release()
    await server.waitForRequests(2)
    other.release()
    expect(await Promise.all(neighbours)).toEqual([[], []])
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['ada', 'grace', 'grace'])
    control.abort('enough')
    expect(await Promise.all([refused, waiting])).toEqual(['enough', 'enough'])
  })

  it('a rateLimitKey that throws or returns no string rejects the call unsent, without the token', async () => {
    const throwing = await startClient({
      token: 'secret-token',
      rateLimitKey: ({ account }) => {
        throw new Error(`no key for ${account}`)
      },
    })
    const error = await reasonOf(throwing.send())
    expect(String(error)).toContain('`rateLimitKey` threw')
    expect(JSON.stringify(error)).not.toContain('secret-token')
    // @ts-expect-error A number is no key.
    const invalid = await startClient({ rateLimitKey: () => 5 })
    expect(String(await reasonOf(invalid.send()))).toContain('rateLimitKey')
    expect([...throwing.server.requests, ...invalid.server.requests]).toEqual([])
  })

  it('readRateLimit replaces what is read of responses, and its errors fail no call', async () => {
    const own = await startClient({
      readRateLimit: ({ status, headers, body }) =>
        status === 429 ? { retryAfterMs: Number(headers.get('x-wait-ms')), global: Object(body).everything } : {},
    })
    own.server.respondWith(json(429, { everything: true }, { 'x-wait-ms': '3600000', 'retry-after': '0' }))
    expect(await rejectionOf(own.send(), isRateLimitError)).toMatchObject({ retryAfterMs: 3_600_000, global: true })
    expect(await rejectionOf(own.client.friendSuggestions.list(), isRateLimitError)).toMatchObject({ global: true })

    const error = vi.fn()
    const readError = new Error('cannot read')
    const broken = await startClient({
      logger: { error },
      readRateLimit: () => {
        throw readError
      },
    })
    broken.server.respondWith(ok)
    expect(await broken.send()).toEqual([])
    expect(error).toHaveBeenCalledWith(expect.any(String), readError)
  })

  it('a readRateLimit that returns no limit, no number or a promise fails no call, and blocks no other', async () => {
    const error = vi.fn()
    const readError = new Error('cannot read')
    const invalid = [
      undefined,
      null,
      { remaining: Number.NaN, resetAfterMs: Number.NaN },
      { remaining: -1, resetAfterMs: -1 },
      { retryAfterMs: Number.NaN },
      { retryAfterMs: -5, global: 'no' },
      'promise',
    ]
    for (const limit of invalid) {
      const read = () => (limit === 'promise' ? Promise.reject(readError) : limit)
      // @ts-expect-error JavaScript may return anything.
      const { server, client, send } = await startClient({ readRateLimit: read, logger: { error } })
      server.respondWith(ok, json(429, {}), ok, ok)
      expect(await send()).toEqual([])
      const refused = await rejectionOf(send('1', client, { retry: 0 }), isRateLimitError)
      expect([refused.retryAfterMs, refused.global]).toEqual([undefined, false])
      expect(await send()).toEqual([])
      expect(await client.friendSuggestions.list()).toEqual([])
    }
    expect(error.mock.calls).toEqual([
      [expect.any(String), readError],
      [expect.any(String), readError],
      [expect.any(String), readError],
      [expect.any(String), readError],
    ])
  })

  it('a reset that is a time of day in seconds, or has hundreds of digits, holds back no call', async () => {
    for (const reset of ['1795464000', '9'.repeat(400), '-5', '', 'NaN']) {
      for (const convention of ['x-ratelimit', 'ratelimit']) {
        const { server, send } = await startClient()
        const name = convention === 'ratelimit' ? 'ratelimit-reset' : 'x-ratelimit-reset-after'
        server.respondWith(json(200, [], { [`${convention}-remaining`]: '0', [name]: reset }), ok)
        expect(await send()).toEqual([])
        expect(await send()).toEqual([])
      }
    }
  })
})

describe('a RateLimitStore', () => {
  it('a shared store is followed once by a client and all clients of its `as`, until the client is disposed', async () => {
    const { server } = await startClient()
    const close = vi.fn()
    const block = vi.fn()
    const asked: string[] = []
    const follow = vi.fn(() => ({ msUntilReset: (key: string) => asked.push(key) && 0, close }))
    const client = new Client({ baseUrl: server.url, token: 'ada', rateLimits: { block, follow } })
    server.fallback(() => ok)
    for (const token of ['ada', 'grace', 'edith']) await client.as(token).relationships.list()
    expect(follow).toHaveBeenCalledTimes(1)
    expect(asked).toHaveLength(6)

    client.as('grace').dispose()
    expect(close).not.toHaveBeenCalled()
    client.dispose()
    expect(close).toHaveBeenCalledTimes(1)
  })

  it('receives the limits of accounts, and nothing of a sign-in, which does not wait for it', async () => {
    const { server } = await startClient()
    const block = vi.fn()
    const follow = () => ({ msUntilReset: () => new Promise<number>(() => {}), close() {} })
    const client = new Client({ baseUrl: server.url, token: 'ada', rateLimits: { block, follow } })
    server.fallback(() => limited(3600, { global: true }))
    await rejectionOf(client.auth.login({ login: 'ada@example.com', password: 'correct horse' }), isRateLimitError)
    expect(block).not.toHaveBeenCalled()

    const open = new Client({
      baseUrl: server.url,
      token: 'ada',
      rateLimits: { block, follow: () => ({ msUntilReset: () => 0, close() {} }) },
    })
    await rejectionOf(open.relationships.list(), isRateLimitError)
    expect(block.mock.calls).toEqual([[expect.stringContaining('ada'), 3_600_000]])
    client.dispose()
  })
})
