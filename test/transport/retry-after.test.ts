import { Client, type ClientOptions, isRateLimitError, type MfaHandler } from 'rapport-sdk'
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import { json, mfaRequired, noContent, type Responder, serve } from '../servers/http-server'
import { reasonOf, rejectionOf } from './rejection'

const limited = (seconds: string | number, body: object = {}) => json(429, body, { 'retry-after': String(seconds) })

async function clientFor(responders: Responder[], options: Partial<ClientOptions> = {}) {
  const server = await serve(...responders)
  return { server, client: new Client({ baseUrl: server.url, token: 'ada', ...options }) }
}

describe('a Retry-After above maxRateLimitWaitMs', () => {
  const hour = limited(3600, { message: 'slow down' })

  it('makes later calls to the endpoint fail at once, without a request', async () => {
    const { server, client } = await clientFor([hour, noContent])
    await rejectionOf(client.relationships.list(), isRateLimitError)
    const error = await rejectionOf(client.relationships.list(), isRateLimitError)

    expect(error).toMatchObject({ status: 429, global: false, code: undefined, body: undefined })
    expect(error.retryAfterMs).toBeGreaterThan(3_590_000)
    expect(error.retryAfterMs).toBeLessThanOrEqual(3_600_000)
    expect(server.requests).toHaveLength(1)
    await client.relationships.delete('100')
    expect(server.requests).toHaveLength(2)
  })

  it('a RateLimitError has the text of the service in serviceMessage and the advice of the client in message', async () => {
    const { client } = await clientFor([hour])
    const first = await rejectionOf(client.relationships.list(), isRateLimitError)
    const later = await rejectionOf(client.relationships.list(), isRateLimitError)

    expect(first.serviceMessage).toBe('slow down')
    expect(later.serviceMessage).toBe('')
    expect(later.fieldErrors).toEqual([])
    expect(later.message).toMatch(
      /^Get Relationships failed with status 429\nNo request was sent: .*maxRateLimitWaitMs/,
    )
    expect(later.message).toMatch(/Try again in 3\d{6} ms\.$/)
  })

  it('emits no rateLimited', async () => {
    const { client } = await clientFor([hour])
    const waits = vi.fn()
    client.on('rateLimited', waits)
    await rejectionOf(client.relationships.list(), isRateLimitError)
    await rejectionOf(client.relationships.list(), isRateLimitError)
    expect(waits).not.toHaveBeenCalled()
  })

  it('it is waited for by a call with a longer limit', async () => {
    const { server, client } = await clientFor([limited(0.4), json(200, [])], { retry: { maxRateLimitWaitMs: 100 } })
    await rejectionOf(client.relationships.list(), isRateLimitError)
    expect(await client.relationships.list({ retry: { maxRateLimitWaitMs: 1000 } })).toEqual([])
    expect(server.requests).toHaveLength(2)
  })

  it('no longer applies once it has passed', async () => {
    const { server, client } = await clientFor([limited(0.3), json(200, [])], { retry: { maxRateLimitWaitMs: 100 } })
    const { retryAfterMs = 0 } = await rejectionOf(client.relationships.list(), isRateLimitError)
    await new Promise((resolve) => setTimeout(resolve, retryAfterMs))
    expect(await client.relationships.list()).toEqual([])
    expect(server.requests).toHaveLength(2)
  })

  it('ends a step-up with the error of the limited endpoint', async () => {
    const { server, client } = await clientFor([mfaRequired(), limited(3600), mfaRequired()], {
      onMfaRequired: () => ({ type: 'totp', code: '123456' }),
    })
    const first = await reasonOf(client.relationships.delete('100'))
    expect(first).toSatisfy(isRateLimitError)
    const second = await reasonOf(client.relationships.delete('100'))
    expect(second).toSatisfy(isRateLimitError)
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/users/@me/relationships/100',
      '/mfa/finish',
      '/users/@me/relationships/100',
    ])
  })

  it('no prompt is opened while Verify MFA is limited for longer than the call may wait', async () => {
    const onMfaRequired = vi.fn<MfaHandler>(() => ({ type: 'totp', code: '123456' }))
    const { server, client } = await clientFor([mfaRequired(), limited(3600)], { onMfaRequired })
    await rejectionOf(client.relationships.delete('100'), isRateLimitError)
    server.fallback(() => mfaRequired())
    const error = await rejectionOf(client.relationships.delete('100'), isRateLimitError)

    expect(error.endpoint).toBe('Verify MFA')
    expect(error.retryAfterMs).toBeGreaterThan(3_500_000)
    expect(onMfaRequired).toHaveBeenCalledTimes(1)
    // The limit is that of the account.
    await reasonOf(client.as('grace').relationships.delete('100', { onMfaRequired: () => null }))
    expect(server.requests.at(-1)?.headers.authorization).toBe('grace')
  })

  it('a 429 of Verify MFA with a longer wait than the deadline of the call rejects with RateLimitError', async () => {
    const onMfaRequired: MfaHandler = () => ({ type: 'totp', code: '123456' })
    const { server, client } = await clientFor([mfaRequired(), limited(50)], { onMfaRequired })
    const call = client.relationships.delete('100', { deadline: 20_000 })
    const error = await rejectionOf(call, isRateLimitError)
    expect(error).toMatchObject({ endpoint: 'Verify MFA', retryAfterMs: 50_000 })
    expect(server.requests).toHaveLength(2)
  })

  it('a prompt waits until Verify MFA is no longer limited, if the call may wait so long', async () => {
    const onMfaRequired = vi.fn<MfaHandler>(() => ({ type: 'totp', code: '123456' }))
    const retry = { maxRateLimitWaitMs: 100 }
    const { server, client } = await clientFor([mfaRequired(), limited(50)], { onMfaRequired, retry })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    await rejectionOf(client.relationships.delete('100'), isRateLimitError)
    server.respondWith(mfaRequired(), json(200, { token: 'jwt' }), noContent)
    let isRefused = false
    client.on('response', () => {
      isRefused = true
    })
    const call = client.relationships.delete('100', { retry: { maxRateLimitWaitMs: 60_000 } })
    await waitUntil(() => isRefused)
    await vi.advanceTimersByTimeAsync(49_000)
    expect(onMfaRequired).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1000)
    await call
    expect(onMfaRequired).toHaveBeenCalledTimes(2)
  })
})

const inAMinute = new Date(Date.UTC(2026, 10, 8, 8, 50, 37))
const now = new Date(Date.UTC(2026, 10, 8, 8, 49, 37)).toUTCString()

test.each([
  ['Sun, 08 Nov 2026 08:50:37 GMT', 60_000],
  [`  ${inAMinute.toUTCString()} `, 60_000],
  ['Sun, 08 Nov 2026 08:50:37 GMT, Sun, 08 Nov 2026 09:50:37 GMT', 60_000],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
  [' 120 ', 120_000],
  ['120, 60', 120_000],
  ['soon, 60', undefined],
  ['5 10', undefined],
])('Retry-After %j is read with surrounding space, as the first of a list: %j ms', async (value, expected) => {
  // A `fetch` of another library may not trim.
  const headers = { get: (name: string) => ({ 'retry-after': value, date: now })[name] ?? null, forEach: () => {} }
  const answer = { status: 429, headers, body: null, url: '', arrayBuffer: async () => new ArrayBuffer(0) }
  const client = new Client({
    baseUrl: 'https://service.example',
    token: 'ada',
    fetch: async () => answer as never,
    retry: 0,
  })
  expect((await rejectionOf(client.relationships.list(), isRateLimitError)).retryAfterMs).toBe(expected)
})

test('a Retry-After date counts from the Date header of the response, not from the local clock', async () => {
  for (const skewMs of [-86_400_000, 86_400_000]) {
    const now = Date.now() + skewMs
    const headers = { date: new Date(now).toUTCString(), 'retry-after': new Date(now + 7_200_000).toUTCString() }
    const { client } = await clientFor([json(429, {}, headers)])
    expect(await rejectionOf(client.relationships.list(), isRateLimitError)).toMatchObject({
      retryAfterMs: 7_200_000,
    })
  }
})

describe('a very long Retry-After', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('a wait that is longer than the maximum of setTimeout does not end early', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
    const fetch = vi.fn(async () => Response.json({}, { status: 429, headers: { 'retry-after': '9000000' } }))
    const client = new Client({ baseUrl: 'https://service.example', fetch, retry: { maxRateLimitWaitMs: Infinity } })
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const call = reasonOf(client.relationships.list())
    await vi.advanceTimersByTimeAsync(10_000)

    expect(fetch).toHaveBeenCalledTimes(1)
    expect(timers.mock.calls.length).toBeLessThan(10)
    client.dispose()
    expect(await call).toMatchObject({ name: 'RapportError' })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('becomes a finite retryAfterMs, for which the call does not wait', async () => {
    const headers = { 'retry-after': '9'.repeat(400) }
    const fetch = async () => Response.json({ retry_after: 1e308 }, { status: 429, headers })
    const client = new Client({ baseUrl: 'https://service.example', fetch })
    const { retryAfterMs } = await rejectionOf(client.relationships.list(), isRateLimitError)
    expect(retryAfterMs).toBe(Number.MAX_SAFE_INTEGER)
  })
})

/** Polls without timers, which are fake, until real sockets have made the condition true. */
async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}
