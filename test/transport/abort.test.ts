import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { getEventListeners } from 'node:events'
import { Client, type ClientOptions } from 'rapport-sdk'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { expectNoUnhandledRejections } from '../left-behind'
import {
  type HttpServer,
  json,
  mfaRequired,
  noResponse,
  type Responder,
  serve,
  stallDuringBody,
} from '../servers/http-server'
import { tokenOnly } from '../session-stores'
import { reasonOf } from './rejection'

expectNoUnhandledRejections()

afterEach(() => void vi.restoreAllMocks())

const reason = new Error('the user left')

/** Makes a call and aborts it in the turn after `when`. */
async function abortDuring(responders: Responder[], when: When, options: Partial<ClientOptions>) {
  vi.spyOn(Math, 'random').mockReturnValue(0.999)
  const server = await serve(...responders)
  const client = new Client({ baseUrl: server.url, ...options })
  // A store that hangs has a timer of its own, which no call ends.
  onTestFinished(() => client.dispose())
  const control = new AbortController()
  when(() => setImmediate(() => control.abort(reason)), client, server)
  const outcome = await reasonOf(client.relationships.list({ signal: control.signal }))
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
const headersArrive: When = (abort) => {
  const onHeaders = () => {
    unsubscribe('undici:request:headers', onHeaders)
    abort()
  }
  subscribe('undici:request:headers', onHeaders)
}
const forever = () => new Promise<never>(() => {})
const down = json(503, {})

describe('an aborted signal', () => {
  it.each<[string, Responder[], When, Partial<ClientOptions>, number]>([
    ['while it waits for headers', [noResponse], received(1), {}, 1],
    ['while it reads the body', [stallDuringBody], headersArrive, {}, 1],
    ['during a backoff', [down, down, down], on('retry'), {}, 1],
    ['during a rate-limit wait', [json(429, {}, { 'retry-after': '20' })], on('rateLimited'), {}, 1],
    ['while a prompt is open', [mfaRequired()], on('mfaRequired'), { onMfaRequired: forever }, 1],
    ['while the code is verified', [mfaRequired(), noResponse], received(2), { onMfaRequired: () => totp }, 2],
    ['while the stored token loads', [], now, { tokenStore: tokenOnly({ get: forever, set: () => {} }) }, 0],
    ['while a custom fetch ignores its signal', [], now, { fetch: forever }, 0],
  ])('rejects a call with its reason %s', async (_, responders, when, options, requests) => {
    expect(await abortDuring(responders, when, options)).toEqual({ outcome: reason, requests })
  })

  it('rejects a call before it sends anything if it was aborted before', async () => {
    const server = await serve()
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    for (const value of [reason, 'a string', undefined]) {
      const signal = AbortSignal.abort(value)
      expect(await reasonOf(client.relationships.list({ signal }))).toBe(signal.reason)
    }
    expect(server.requests).toHaveLength(0)
  })

  it('causes no unhandled rejection of a call that is not awaited', async () => {
    const server = await serve(noResponse, json(200, []))
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const control = new AbortController()
    const call = client.relationships.list({ signal: control.signal })
    call.catch(() => {})
    await server.waitForRequests(1)
    control.abort()
    await client.relationships.list()
    expect(server.requests).toHaveLength(2)
  })

  it('closes the connection', async () => {
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
    await vi.waitFor(() => expect(closed).toBe(true))
  })
})

const totp = { type: 'totp', code: '123456' }

it('dispose() leaves no timer even if fetch ignores its signal', async () => {
  vi.useFakeTimers()
  try {
    const client = new Client({
      baseUrl: 'https://service.example',
      fetch: () => new Promise(() => {}),
      timeout: 9e6,
    })
    const call = client.auth.getLocationMetadata()
    call.catch(() => {})
    await vi.advanceTimersByTimeAsync(10)
    expect(vi.getTimerCount()).toBe(1)
    client.dispose()
    await expect(call).rejects.toThrow('disposed')
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
