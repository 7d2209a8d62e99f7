import { Client, type ClientOptions, isRateLimitError, type RequestOptions } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { hold, json, noContent, type Responder, serve, text } from '../servers/http-server'
import { reasonOf, rejectionOf } from './rejection'

const limited = (seconds: string | number, body: object = {}) => json(429, body, { 'retry-after': String(seconds) })

async function clientFor(responders: Responder[], options: Partial<ClientOptions> = {}) {
  const server = await serve(...responders)
  return { server, client: new Client({ baseUrl: server.url, token: 'ada', ...options }) }
}

/** Returns how long `run` takes, in milliseconds. */
async function measure(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await run()
  return performance.now() - startedAt
}

describe('a rate limit', () => {
  it('a 429 of a POST waits the seconds of Retry-After and is sent again', async () => {
    const { server, client } = await clientFor([limited(0.2), noContent])
    const waits = vi.fn()
    client.on('rateLimited', waits)

    const tookMs = await measure(() => client.relationships.sendRequest({ username: 'grace', discriminator: null }))

    expect(tookMs).toBeGreaterThan(195)
    expect(waits.mock.calls.map(([event]) => event)).toEqual([
      {
        callId: expect.any(Number),
        endpoint: 'Send Friend Request',
        method: 'POST',
        path: '/users/@me/relationships',
        attempt: 1,
        reason: 429,
        waitMs: 200,
        global: false,
      },
    ])
    expect(server.request(1).body.equals(server.request(0).body)).toBe(true)
  })

  it('a 429 waits until the date of Retry-After, or for the numeric retry_after of the body', async () => {
    const byDate = await clientFor([limited(new Date(Date.now() + 40_000).toUTCString())])
    const control = new AbortController()
    let waitMs = 0
    byDate.client.on('rateLimited', (event) => {
      waitMs = event.waitMs
      control.abort()
    })
    await reasonOf(byDate.client.relationships.list({ signal: control.signal }))
    expect(waitMs).toBeGreaterThan(35_000)
    expect(waitMs).toBeLessThanOrEqual(40_000)

    const byBody = await clientFor([json(429, { retry_after: 0.2 }), json(200, [])])
    expect(await measure(() => byBody.client.relationships.list())).toBeGreaterThan(195)
  })

  it.each(['soon', '-5', '', 'NaN', '1 minute'])('a 429 ignores the invalid Retry-After %j', async (value) => {
    const { server, client } = await clientFor([limited(value, { retry_after: 0.1 }), json(200, [])])
    expect(await client.relationships.list()).toEqual([])
    expect(server.requests).toHaveLength(2)
  })

  it('a 429 throws at once if the wait is longer than 60 s', async () => {
    for (const responder of [limited(3600), json(429, { retry_after: 3600 }), limited('9'.repeat(300))]) {
      const { server, client } = await clientFor([responder])
      await rejectionOf(client.relationships.list(), isRateLimitError)
      expect(server.requests).toHaveLength(1)
    }
  })

  it('a RateLimitError says how long to wait, and whether the limit is global', async () => {
    const { client } = await clientFor([limited(3600, { global: true, message: 'slow down' })])
    expect(await rejectionOf(client.relationships.list(), isRateLimitError)).toMatchObject({
      status: 429,
      retryAfterMs: 3_600_000,
      global: true,
      serviceMessage: 'slow down',
    })
  })

  it('a call waits for a 429 at most twice', async () => {
    const { server, client } = await clientFor([limited(0.05), limited(0.05), limited(0.05)])
    const error = await rejectionOf(client.relationships.list(), isRateLimitError)
    expect(error.retryAfterMs).toBe(50)
    expect(server.requests).toHaveLength(3)
  })

  it('the rate-limit waits of a call are bounded together', async () => {
    const { server, client } = await clientFor([limited(0.3), limited(0.3)], { retry: { maxRateLimitWaitMs: 500 } })
    await rejectionOf(client.relationships.list(), isRateLimitError)
    expect(server.requests).toHaveLength(2)
  })

  it('a call with retry 0 does not wait for a 429', async () => {
    const { server, client } = await clientFor([limited(0.05)], { retry: 0 })
    await rejectionOf(client.relationships.list(), isRateLimitError)
    expect(server.requests).toHaveLength(1)
  })

  it('a 429 without a body or a header is retried after a wait', async () => {
    const { client } = await clientFor([text(429, '<html>'), json(200, [])])
    expect(await measure(() => client.relationships.list())).toBeGreaterThan(900)
  })

  it('a 429 whose retry_after is 0 is retried at once', async () => {
    const { client } = await clientFor([limited(0), json(200, [])])
    const waits = vi.fn()
    client.on('rateLimited', waits)
    expect(await client.relationships.list()).toEqual([])
    expect(waits).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ waitMs: 0, global: false }))
  })

  it('an aborted signal ends a rate-limit wait with its reason', async () => {
    const { server, client } = await clientFor([limited(30)])
    const control = new AbortController()
    client.on('rateLimited', () => control.abort('enough'))
    expect(await reasonOf(client.relationships.list({ signal: control.signal }))).toBe('enough')
    expect(server.requests).toHaveLength(1)
  })

  it('a 429 stops only calls of its account to its path: no other account, path or sign-in', async () => {
    const { server, client } = await clientFor([limited(3600)])
    server.fallback(() => json(200, []))
    const channel = (id: string, options?: RequestOptions) =>
      client.request({ path: '/channels/{channel.id}/messages', pathParams: { 'channel.id': id } }, options)
    await rejectionOf(channel('1'), isRateLimitError)

    await channel('2')
    await channel('1', { token: 'grace' })
    await client.as('grace').request({ path: '/channels/{channel.id}/messages', pathParams: { 'channel.id': '1' } })
    await client.relationships.list()
    expect(server.requests).toHaveLength(5)

    const sameAccount = [
      channel('1'),
      client.request({ path: '/channels/{id}/messages', pathParams: { id: '1' }, query: { before: '9' } }),
      client.as('ada').request({ path: '/channels/1/messages' }),
    ]
    for (const call of sameAccount) await rejectionOf(call, isRateLimitError)
    expect(server.requests).toHaveLength(5)
  })

  it('a global 429 stops all calls of its account, and neither another account nor a sign-in', async () => {
    const { server, client } = await clientFor([limited(3600, { global: true })])
    server.fallback(({ url }) => json(200, url === '/auth/login' ? { user_id: '1', token: 'ada' } : []))
    await rejectionOf(client.relationships.list(), isRateLimitError)
    for (const call of [client.friendSuggestions.list(), client.as('ada').relationships.list()])
      expect(await rejectionOf(call, isRateLimitError)).toMatchObject({ global: true })

    await client.as('grace').relationships.list()
    await client.relationships.list({ token: 'grace' })
    await client.auth.login({ login: 'ada@example.com', password: 'correct horse' })
    expect(server.requests).toHaveLength(4)
  })

  it('a global 429 for the sign-in of one login does not delay that of another, nor other calls', async () => {
    const { server, client } = await clientFor([limited(3600, { global: true })])
    const signIn = (login: string) => client.auth.login({ login, password: 'correct horse' })
    await rejectionOf(signIn('ada@example.com'), isRateLimitError)
    await rejectionOf(signIn('ada@example.com'), isRateLimitError)
    expect(server.requests).toHaveLength(1)

    server.respondWith(json(200, []), json(200, { user_id: '2', token: 'grace' }))
    await client.relationships.list()
    await signIn('grace@example.com')
    expect(server.requests).toHaveLength(3)
  })

  it('a 429 for a ticket stops only calls with this ticket, and without login or ticket only the fingerprint', async () => {
    const { server, client } = await clientFor([limited(3600), limited(3600)], { token: undefined })
    const sendSms = (ticket: string) => client.mfa.sendSms({ ticket })
    await rejectionOf(sendSms('one'), isRateLimitError)
    await rejectionOf(sendSms('one'), isRateLimitError)
    expect(server.requests).toHaveLength(1)
    client.session.fingerprint = 'first'
    await rejectionOf(client.auth.startPasswordlessLogin(), isRateLimitError)
    await rejectionOf(client.auth.startPasswordlessLogin(), isRateLimitError)
    expect(server.requests).toHaveLength(2)

    server.fallback(({ url }) =>
      json(200, url.includes('sms') ? { phone: '+1*****00' } : { ticket: 't', challenge: '{}' }),
    )
    await sendSms('two')
    client.session.fingerprint = 'second'
    await client.auth.startPasswordlessLogin()
    expect(server.requests).toHaveLength(4)
  })

  it('at most 10,000 limits are kept, and the one that ends first goes', async () => {
    const sent: string[] = []
    const fetch = async (url: string) => {
      const id = url.split('/').at(-1) ?? ''
      sent.push(id)
      return Response.json({}, { status: 429, headers: { 'retry-after': id === '5' ? '1800' : '3600' } })
    }
    const client = new Client({ baseUrl: 'https://service.example', token: 'ada', fetch, retry: 0 })
    const call = (id: number) =>
      rejectionOf(client.request({ path: '/items/{id}', pathParams: { id: String(id) } }), isRateLimitError)
    for (let id = 0; id < 10_001; id++) await call(id)
    expect(sent).toHaveLength(10_001)
    for (const id of [0, 4, 6, 10_000]) await call(id)
    expect(sent).toHaveLength(10_001)
    await call(5)
    expect(sent.at(-1)).toBe('5')
    expect(sent).toHaveLength(10_002)
  }, 300_000)

  it('a 429 for a token of a mail stops only calls with this token', async () => {
    const { server, client } = await clientFor([limited(3600)], { token: undefined })
    const authorizeIp = (token: string) => client.auth.authorizeIp({ token })
    await rejectionOf(authorizeIp('one'), isRateLimitError)
    server.fallback(() => noContent)
    await authorizeIp('two')
    await rejectionOf(authorizeIp('one'), isRateLimitError)
    expect(server.requests).toHaveLength(2)
  })

  it('a global rate limit delays every endpoint', async () => {
    const { server, client } = await clientFor([limited(0.4, { global: true })])
    server.fallback(() => json(200, []))
    const limitedOnce = new Promise((resolve) => client.on('rateLimited', resolve))
    const startedAt = performance.now()
    const first = client.relationships.list()
    await limitedOnce

    await client.friendSuggestions.list()
    await first

    expect(performance.now() - startedAt).toBeGreaterThan(395)
  })

  it('a call whose limit is shorter than a known wait fails without a request', async () => {
    const { server, client } = await clientFor([limited(3600)])
    const control = new AbortController()
    const limitedOnce = new Promise((resolve) => client.on('rateLimited', resolve))
    const first = reasonOf(
      client.relationships.list({ signal: control.signal, retry: { maxRateLimitWaitMs: 3_600_000 } }),
    )
    await limitedOnce

    const hasty = client.relationships.list({ retry: { maxRateLimitWaitMs: 100 } })
    const error = await rejectionOf(hasty, isRateLimitError)

    expect(error.retryAfterMs).toBeGreaterThan(100)
    expect(server.requests).toHaveLength(1)
    control.abort('enough')
    expect(await first).toBe('enough')
  })

  it('maxRateLimitWaitMs of a call bounds its wait even if another call prolongs it', async () => {
    const prolonged = hold(limited(3600))
    const { server, client } = await clientFor([limited(60), prolonged.responder])
    client.on('rateLimited', prolonged.release)
    const control = new AbortController()
    const bounded = client.relationships.list({ retry: { maxRateLimitWaitMs: 61_000 } })
    await server.waitForRequests(1)
    const other = client.relationships.list({ signal: control.signal })
    await expect(bounded).rejects.toSatisfy(isRateLimitError)
    control.abort()
    await expect(other).rejects.toThrow()
  })
})

describe('a rate limit with retry 0', () => {
  it('fails a call without a request while its endpoint is limited', async () => {
    const { server, client } = await clientFor([limited(30)], { retry: 0 })
    await rejectionOf(client.relationships.list(), isRateLimitError)
    const error = await rejectionOf(client.relationships.list(), isRateLimitError)
    expect(error.retryAfterMs).toBeGreaterThan(25_000)
    expect(error.message).toContain('No request was sent')
    expect(server.requests).toHaveLength(1)
  })

  it('lets a second call be sent after a 429 without a wait', async () => {
    const { server, client } = await clientFor([json(429, {}), json(200, [])], { retry: 0 })
    await rejectionOf(client.relationships.list(), isRateLimitError)
    expect(await client.relationships.list()).toEqual([])
    expect(server.requests).toHaveLength(2)
  })

  it('lets a call be sent as soon as retryAfterMs of the error has passed', async () => {
    const { server, client } = await clientFor([], { retry: 0 })
    for (let index = 0; index < 10; index++) {
      server.respondWith(limited(0.02), json(200, []))
      const { retryAfterMs = 0 } = await rejectionOf(client.relationships.list(), isRateLimitError)
      await new Promise((resolve) => setTimeout(resolve, retryAfterMs))
      expect(await client.relationships.list()).toEqual([])
    }
  })
})

describe('a rate-limit wait under fake timers', () => {
  const fakeTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

  it('ends, also for a call that joined it, when they advance, with a real performance clock', async () => {
    const { server, client } = await clientFor([limited(30), json(200, []), json(200, []), json(200, [])])
    const limitedOnce = new Promise((resolve) => client.on('rateLimited', resolve))
    fakeTimers()
    const first = client.relationships.list()
    await limitedOnce
    const second = client.relationships.list()
    // The clock goes on in reality: a busy machine may take seconds in between.
    await vi.advanceTimersByTimeAsync(15_000)
    expect(server.requests).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(15_000)

    expect(await Promise.all([first, second])).toEqual([[], []])
    expect(await client.relationships.list()).toEqual([])
    expect(server.requests).toHaveLength(4)
  })

  it('doubles from one second for 429 responses that do not say how long', async () => {
    const { client } = await clientFor([text(429, ''), text(429, ''), text(429, '')])
    const waits: number[] = []
    client.on('rateLimited', ({ waitMs }) => waits.push(waitMs))
    fakeTimers()
    const call = rejectionOf(client.relationships.list(), isRateLimitError)
    for (const [index, ms] of [1000, 2000].entries()) {
      await waitUntil(() => waits.length === index + 1)
      await vi.advanceTimersByTimeAsync(ms)
    }
    expect((await call).retryAfterMs).toBeUndefined()
    expect(waits).toEqual([1000, 2000])
  })

  it('ends after another one when they advance, with a real performance clock', async () => {
    const { server, client } = await clientFor([limited(20), limited(20), json(200, [])])
    let waits = 0
    client.on('rateLimited', () => waits++)
    fakeTimers()
    const call = client.relationships.list()
    for (const count of [1, 2]) {
      await waitUntil(() => waits === count)
      await vi.advanceTimersByTimeAsync(20_000)
    }
    expect(await call).toEqual([])
    expect(server.requests).toHaveLength(3)
  })

  it('one that is prolonged keeps delaying calls, with a real performance clock', async () => {
    const { server, client } = await clientFor([limited(10), limited(40), json(200, []), json(200, [])])
    const waits = vi.fn()
    client.on('rateLimited', waits)
    fakeTimers()
    const calls = [client.relationships.list(), client.relationships.list()]
    await waitUntil(() => waits.mock.calls.length === 2)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(server.requests).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(20_500)
    expect(await Promise.all(calls)).toEqual([[], []])
  })
})

/** Polls without timers, which are fake, until real sockets have made the condition true. */
async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}
