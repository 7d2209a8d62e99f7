import { getEventListeners } from 'node:events'
import { Client, type ClientOptions } from 'rapport-sdk'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type HttpServer,
  json,
  mfaRequired,
  noResponse,
  type Responder,
  serve,
  stallDuringBody,
} from '../servers/http-server'
import { reasonOf } from './rejection'

const unhandled: unknown[] = []
const note = (reason: unknown) => unhandled.push(reason)

beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', note)
})

afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 20))
  process.off('unhandledRejection', note)
  vi.restoreAllMocks()
  expect(unhandled).toEqual([])
})

const reason = new Error('the person left')

async function abortedIn(answers: Responder[], when: When, options: Partial<ClientOptions>) {
  vi.spyOn(Math, 'random').mockReturnValue(0.999)
  const server = await serve(...answers)
  const client = new Client({ baseUrl: server.url, ...options })
  const control = new AbortController()
  const startedAt = performance.now()
  when(() => setTimeout(() => control.abort(reason), 30), client, server)
  const outcome = await reasonOf(client.relationships.list({ signal: control.signal }))
  expect(performance.now() - startedAt).toBeLessThan(5000)
  expect(getEventListeners(control.signal, 'abort')).toHaveLength(0)
  return { outcome, requests: server.requests.length }
}

type When = (abort: () => void, client: Client, server: HttpServer) => void
const now: When = (abort) => abort()
const received =
  (count: number): When =>
  (abort, _, server) =>
    void server.waitForRequests(count).then(abort)
const on =
  (kind: 'retry' | 'rateLimited' | 'mfaRequired'): When =>
  (abort, client) =>
    void client.on(kind, abort)
const forever = () => new Promise<never>(() => {})
const down = json(503, {})

describe('abort rejects with the reason of its signal', () => {
  it.each<[string, Responder[], When, Partial<ClientOptions>, number]>([
    ['27. while headers are awaited', [noResponse], received(1), {}, 1],
    ['27. while the body is awaited', [stallDuringBody], received(1), {}, 1],
    ['27. in back-off', [down, down, down], on('retry'), {}, 1],
    ['27. while a rate limit is waited out', [json(429, {}, { 'retry-after': '20' })], on('rateLimited'), {}, 1],
    ['27. while a prompt is open', [mfaRequired()], on('mfaRequired'), { onMfaRequired: forever }, 1],
    ['27. while the code is verified', [mfaRequired(), noResponse], received(2), { onMfaRequired: () => totp }, 2],
    ['27. while the stored token loads', [], now, { tokenStore: { get: forever, set: () => {} } }, 0],
    ['27. while a given fetch ignores its signal', [], now, { fetch: forever }, 0],
  ])('%s', async (_, answers, when, options, requests) => {
    expect(await abortedIn(answers, when, options)).toEqual({ outcome: reason, requests })
  })

  it('an already aborted signal rejects a call before it sends anything', async () => {
    const server = await serve()
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    for (const given of [reason, 'a text', undefined]) {
      const signal = AbortSignal.abort(given)
      expect(await reasonOf(client.relationships.list({ signal }))).toBe(signal.reason)
    }
    expect(server.requests).toHaveLength(0)
  })

  it('an aborted call that nobody awaits causes no unhandled rejection', async () => {
    const server = await serve(noResponse)
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const control = new AbortController()
    const call = client.relationships.list({ signal: control.signal })
    call.catch(() => {})
    await server.waitForRequests(1)
    control.abort()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(server.requests).toHaveLength(1)
  })

  it('abort closes the connection', async () => {
    let closed = false
    const server = await serve((response) => {
      response.on('close', () => {
        closed = true
      })
    })
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const control = new AbortController()
    const call = reasonOf(client.relationships.list({ signal: control.signal }))
    await server.waitForRequests(1)
    control.abort(reason)
    await call
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(closed).toBe(true)
  })
})

const totp = { type: 'totp', code: '123456' }
