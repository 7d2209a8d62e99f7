import { setImmediate as turn } from 'node:timers/promises'
import { Client, isRapportError, isTimeoutError } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { type Deferred, deferred } from '../deferred'
import { json, serve } from '../servers/http-server'
import { tokenOnly } from '../session-stores'
import { reasonOf, rejectionOf } from '../transport/rejection'

describe('client.ready of a token store whose get takes longer than `timeout`', () => {
  /** Returns a client whose store has exceeded its timeout, and the function that returns a token at last. */
  async function setUpLate(baseUrl = 'https://service.example') {
    const loading = deferred<string | null>()
    const client = new Client({
      baseUrl,
      timeout: 20,
      tokenStore: tokenOnly({ get: () => loading.promise, set: () => {} }),
    })
    const changes: unknown[] = []
    client.session.onChange(({ type, source }) => changes.push([type, source]))
    const error = await rejectionOf(client.ready, isTimeoutError)
    return { client, loading, changes, error }
  }

  it('rejects with an error that names the store, and the session is signed out', async () => {
    const { client, changes, error } = await setUpLate()

    expect(error).toMatchObject({ endpoint: 'client.ready', limit: 'timeout', limitMs: 20 })
    expect(error.message).toContain('the token store did not load the token within 20 ms')
    expect([client.session.status, changes]).toEqual(['signedOut', [['loaded', 'store']]])
  })

  it('calls that need the token of the session reject unsent from then on, and all others are sent', async () => {
    const server = await serve(json(200, []), json(200, { country_code: 'US' }))
    const { client, error } = await setUpLate(server.url)

    expect(await reasonOf(client.relationships.list({ timeout: 10_000 }))).toBe(error)
    expect(server.requests).toHaveLength(0)
    await client.relationships.list({ token: 'own', timeout: 10_000 })
    await client.auth.getLocationMetadata({ timeout: 10_000 })
  })

  it('a token that comes later is adopted', async () => {
    const server = await serve(json(200, []))
    const { client, loading, changes } = await setUpLate(server.url)

    loading.resolve('stored')
    await vi.waitFor(() => expect(client.session.token).toBe('stored'))
    await client.ready
    await client.relationships.list({ timeout: 10_000 })

    expect(server.request().headers.authorization).toBe('stored')
    expect(changes).toEqual([
      ['loaded', 'store'],
      ['signedIn', 'store'],
    ])
  })

  it('if the store says later that it has no token, calls are sent without one', async () => {
    const server = await serve(json(200, []))
    const { client, loading, changes } = await setUpLate(server.url)

    loading.resolve(null)
    await vi.waitFor(() => client.ready)
    await client.relationships.list({ timeout: 10_000 })

    expect(server.request().headers).not.toHaveProperty('authorization')
    expect(changes).toEqual([['loaded', 'store']])
  })

  it.each([
    ['signed in', 'ada'],
    ['signed out', null],
  ])('a token that comes after somebody has %s is ignored', async (_, token) => {
    const { client, loading } = await setUpLate()

    await client.session.setToken(token)
    loading.resolve('stored')
    await turn()

    expect(client.session.token).toBe(token)
    await client.ready
  })

  it.each<[string, (loading: Deferred<string | null>) => void]>([
    ['fails later', ({ reject }) => reject(new Error('storage is broken'))],
    ['returns an invalid token later', ({ resolve }) => resolve('a\nb')],
  ])('a store that %s leaves the client as it is', async (_, end) => {
    const { client, loading, error } = await setUpLate()

    end(loading)
    await turn()

    expect(await reasonOf(client.ready)).toBe(error)
    expect(client.session.status).toBe('signedOut')
  })

  it('it is rejected by dispose()', async () => {
    const client = new Client({
      baseUrl: 'https://service.example',
      tokenStore: tokenOnly({ get: () => new Promise<never>(() => {}), set: () => {} }),
    })
    const ready = rejectionOf(client.ready, isRapportError)
    client.dispose()
    expect((await ready).message).toBe('The client was disposed.')
  })

  it('leaves no timer once the token is loaded', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const client = new Client({
      baseUrl: 'https://service.example',
      tokenStore: tokenOnly({ get: () => 'ada', set: () => {} }),
    })
    await client.ready
    expect(vi.getTimerCount()).toBe(0)
  })
})
