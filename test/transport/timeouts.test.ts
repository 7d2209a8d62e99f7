import { Client, isRateLimitError, isTimeoutError } from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { delay, json, mfaRequired, noResponse, serve, stallDuringBody } from '../servers/http-server'
import { rejectionOf } from './rejection'

describe('timeout and deadline', () => {
  it.each([
    ['headers', noResponse],
    ['the body', stallDuringBody],
  ])('timeout bounds an attempt that waits for %s', async (_, responder) => {
    const server = await serve(responder)
    const client = new Client({ baseUrl: server.url, token: 'ada', timeout: 100 })

    const startedAt = performance.now()
    const error = await rejectionOf(client.relationships.list(), isTimeoutError)

    expect(error).toMatchObject({ limit: 'timeout', limitMs: 100, endpoint: 'Get Relationships' })
    expect(error.message).toContain('`timeout`')
    expect(performance.now() - startedAt).toBeLessThan(25_000)
    expect(performance.now() - startedAt).toBeGreaterThan(95)
  })

  it('timeout bounds one attempt, deadline bounds all of them', async () => {
    const slow = delay(400, json(503, {}))
    const within = await serve(slow, slow, delay(400, json(200, [])))
    const client = new Client({ baseUrl: within.url, token: 'ada', timeout: 1000 })
    expect(await client.relationships.list()).toEqual([])

    const beyond = await serve(slow, slow, slow)
    const bounded = new Client({ baseUrl: beyond.url, token: 'ada', timeout: 1000, deadline: 600 })
    const error = await rejectionOf(bounded.relationships.list(), isTimeoutError)
    expect(error).toMatchObject({ limit: 'deadline', limitMs: 600 })
  })

  it('a deadline shorter than a rate-limit wait rejects at once with RateLimitError and retryAfterMs', async () => {
    const server = await serve(json(429, {}, { 'retry-after': '50' }))
    const client = new Client({ baseUrl: server.url, token: 'ada', deadline: 40_000 })
    const refused = await rejectionOf(client.relationships.list(), isRateLimitError)
    expect(refused).toMatchObject({ retryAfterMs: 50_000, attempts: 1 })
    const later = await rejectionOf(client.relationships.list(), isRateLimitError)
    expect(later.retryAfterMs).toBeGreaterThan(45_000)
    expect(later.attempts).toBe(0)
    expect(server.requests).toHaveLength(1)
  })

  it('the deadline of a sign-in of several calls rejects it at once if a rate limit lasts longer', async () => {
    const server = await serve(json(429, {}, { 'retry-after': '50' }))
    const client = new Client({ baseUrl: server.url })
    const signedIn = client.auth.login({ login: 'ada@example.com', password: 'correct horse' }, { deadline: 40_000 })
    expect(await rejectionOf(signedIn, isRateLimitError)).toMatchObject({ retryAfterMs: 50_000 })
  })

  it('deadline continues after a prompt', async () => {
    const server = await serve(delay(100, mfaRequired()), json(200, { token: 'jwt' }), noResponse)
    const client = new Client({
      baseUrl: server.url,
      token: 'ada',
      deadline: 600,
      onMfaRequired: async () => {
        await new Promise((resolve) => setTimeout(resolve, 800))
        return { type: 'totp', code: '123456' }
      },
    })

    const startedAt = performance.now()
    expect(await rejectionOf(client.relationships.list(), isTimeoutError)).toMatchObject({ limit: 'deadline' })

    const tookMs = performance.now() - startedAt
    expect(tookMs).toBeGreaterThan(1380)
    expect(tookMs).toBeLessThan(25_000)
    expect(server.requests).toHaveLength(3)
  })

  it('a call overrides timeout and deadline of its client, and Infinity turns them off', async () => {
    const server = await serve(delay(300, json(200, [])), noResponse)
    const client = new Client({ baseUrl: server.url, token: 'ada', timeout: 50, deadline: 250 })

    expect(await client.relationships.list({ timeout: Infinity, deadline: Infinity })).toEqual([])
    expect(await rejectionOf(client.relationships.list({ timeout: 30 }), isTimeoutError)).toMatchObject({ limitMs: 30 })
  })
})
