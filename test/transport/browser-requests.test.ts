import { runInNewContext } from 'node:vm'
import { Client, isConnectionError } from 'rapport-sdk'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { rejectionOf } from './rejection'

const baseUrl = 'https://service.example/api'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** Returns the error of a call whose `fetch` rejects with `cause`, on a page of `origin`. */
async function errorOf(cause: unknown, origin?: string, onLine = true) {
  if (origin !== undefined) {
    vi.stubGlobal('location', { origin })
    vi.stubGlobal('navigator', { onLine })
  }
  const client = new Client({ baseUrl, fetch: () => Promise.reject(cause), retry: 0 })
  return await rejectionOf(client.auth.getLocationMetadata(), isConnectionError)
}

describe('a request without a response', () => {
  it('a failed fetch to another origin says that the service may not allow the origin of the page', async () => {
    const error = await errorOf(new TypeError('Failed to fetch'), 'https://app.example')
    expect(error.isCorsSuspected).toBe(true)
    expect(error.message).toBe(
      'Get Location Metadata: no response to GET from https://service.example. Check the connection, and whether the ' +
        'service allows requests from https://app.example (CORS): see the guide "CORS".',
    )
  })

  it('CORS is suspected if the fetch of another realm fails', async () => {
    const error = await errorOf(runInNewContext('new TypeError("Failed to fetch")'), 'https://app.example')
    expect(error.isCorsSuspected).toBe(true)
  })

  it.each<[string, () => ReturnType<typeof errorOf>]>([
    ['outside of a browser', () => errorOf(new TypeError('fetch failed'))],
    ['if the page has the origin of the service', () => errorOf(new TypeError('x'), 'https://service.example')],
    ['if the browser is offline', () => errorOf(new TypeError('x'), 'https://app.example', false)],
    ['if a custom fetch fails in its own way', () => errorOf(new Error('x'), 'https://app.example')],
  ])('CORS is not suspected %s', async (_, call) => {
    const error = await call()
    expect(error.isCorsSuspected).toBe(false)
    expect(error.message).not.toContain('CORS')
  })
})

describe('the options of a request', () => {
  it('no response is read from or written to the HTTP cache, and only logout() outlives the page', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>(async () => new Response(null, { status: 204 }))
    const client = new Client({ baseUrl, token: 'ada', fetch: (url, init) => fetch(url, init) })
    await client.auth.authorizeIp({ token: 'mailed' })
    await client.request({ method: 'POST', path: '/x' })
    await client.auth.logout()
    expect(fetch.mock.calls.map(([, init]) => [init?.cache, init?.keepalive])).toEqual([
      ['no-store', undefined],
      ['no-store', undefined],
      ['no-store', true],
    ])
  })

  it('the cache mode is left out in workers of Cloudflare, which may refuse it', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>(async () => new Response(null, { status: 204 }))
    vi.stubGlobal('WebSocketPair', class {})
    const client = new Client({ baseUrl, fetch: (url, init) => fetch(url, init) })
    await client.auth.authorizeIp({ token: 'mailed' })
    expect(fetch.mock.calls[0]?.[1]).not.toHaveProperty('cache')
  })

  it.each(['omit', 'same-origin', 'include'] as const)('credentials %s are passed to fetch', async (credentials) => {
    const fetch = vi.fn<typeof globalThis.fetch>(async () => new Response(null, { status: 204 }))
    const client = new Client({ baseUrl, fetch, credentials })
    await client.auth.authorizeIp({ token: 'mailed' })
    expect(fetch.mock.calls[0]?.[1]).toMatchObject({ credentials })
  })

  it('unset credentials are not passed to fetch', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>(async () => new Response(null, { status: 204 }))
    await new Client({ baseUrl, fetch }).auth.authorizeIp({ token: 'mailed' })
    expect(fetch.mock.calls[0]?.[1]).not.toHaveProperty('credentials')
  })
})
