import { Client, isRateLimitError, isTimeoutError, type MfaHandler } from 'rapport-sdk'
import { expect, it, vi } from 'vitest'
import { hold, json, mfaRequired, noResponse, serve, stallDuringBody } from '../servers/http-server'
import { pass, stopClock } from '../stopped-clock'
import { rejectionOf } from './rejection'

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
  expect(performance.now() - startedAt).toBeGreaterThan(95)
})

it('timeout bounds one attempt, deadline bounds all of them', async () => {
  const slow = [json(503, {}), json(503, {}), json(200, [])].map(hold)
  const within = await serve(...slow.map(({ responder }) => responder))
  stopClock()
  vi.spyOn(Math, 'random').mockReturnValue(0)
  const client = new Client({ baseUrl: within.url, token: 'ada', timeout: 500 })
  const call = client.relationships.list()
  for (const [index, { release }] of slow.entries()) {
    await within.waitForRequests(index + 1)
    await pass(400)
    const retried = new Promise((resolve) => client.on('retry', resolve))
    release()
    await Promise.race([retried, call])
    await pass(10)
  }
  expect(await call).toEqual([])

  const beyond = await serve(json(503, {}), noResponse)
  const bounded = new Client({ baseUrl: beyond.url, token: 'ada', timeout: 500, deadline: 600 })
  const retried = new Promise((resolve) => bounded.on('retry', resolve))
  const late = rejectionOf(bounded.relationships.list(), isTimeoutError)
  await beyond.waitForRequests(1)
  await pass(400)
  await retried
  await pass(10)
  await beyond.waitForRequests(2)
  await pass(190)
  expect(await late).toMatchObject({ limit: 'deadline', limitMs: 600 })
  vi.restoreAllMocks()
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
  const required = hold(mfaRequired())
  const server = await serve(required.responder, json(200, { token: 'jwt' }), noResponse)
  stopClock()
  const onMfaRequired: MfaHandler = async () => {
    await pass(800)
    return { type: 'totp', code: '123456' }
  }
  const client = new Client({ baseUrl: server.url, token: 'ada', deadline: 600, onMfaRequired })
  let hasEnded = false
  const call = rejectionOf(client.relationships.list(), isTimeoutError).finally(() => {
    hasEnded = true
  })
  await server.waitForRequests(1)
  await pass(100)
  required.release()
  await server.waitForRequests(3)
  await pass(499)
  expect(hasEnded).toBe(false)
  await pass(1)
  expect(await call).toMatchObject({ limit: 'deadline' })
})

it('a call overrides timeout and deadline of its client, and Infinity turns them off', async () => {
  const slow = hold(json(200, []))
  const server = await serve(slow.responder, noResponse)
  stopClock()
  const client = new Client({ baseUrl: server.url, token: 'ada', timeout: 50, deadline: 250 })

  const unlimited = client.relationships.list({ timeout: Infinity, deadline: Infinity })
  await server.waitForRequests(1)
  await pass(300)
  slow.release()
  expect(await unlimited).toEqual([])
  const limited = rejectionOf(client.relationships.list({ timeout: 30 }), isTimeoutError)
  await server.waitForRequests(2)
  await pass(30)
  expect(await limited).toMatchObject({ limitMs: 30 })
})
