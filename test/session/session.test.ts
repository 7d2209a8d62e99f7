import { Client, isRapportError, isRequestValidationError, type SessionChange, type TokenStore } from 'rapport-sdk'
import { memoryTokenStore } from 'rapport-sdk/storage'
import { describe, expect, it, vi } from 'vitest'
import { deferred } from '../deferred'
import { json, serve } from '../servers/http-server'
import { reasonOf, rejectionOf } from '../transport/rejection'

const baseUrl = 'https://service.example'

describe('the session', () => {
  it('calls wait until the stored token is loaded', async () => {
    const server = await serve(json(200, []))
    const loading = deferred<string | null>()
    const client = new Client({ baseUrl: server.url, tokenStore: { get: () => loading.promise, set: () => {} } })

    const call = client.relationships.list()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(server.requests).toHaveLength(0)
    loading.resolve('stored')
    await call

    expect(server.request().headers.authorization).toBe('stored')
    await client.ready
    expect(client.session.token).toBe('stored')
  })

  it('an explicit token wins over the one that is stored', async () => {
    const get = vi.fn(() => 'stored')
    const client = new Client({ baseUrl, token: 'explicit', tokenStore: { get, set: () => {} } })

    await client.ready
    expect(client.session.token).toBe('explicit')
  })

  it('a token that is set while the store loads is not overwritten by it', async () => {
    const loading = deferred<string | null>()
    const client = new Client({ baseUrl, tokenStore: { get: () => loading.promise, set: () => {} } })

    await client.session.setToken('new')
    loading.resolve('old')
    await client.ready

    expect(client.session.token).toBe('new')
  })

  it('a sign-out elsewhere while the store loads is not undone by it: the store is read again', async () => {
    const loading = deferred<string | null>()
    const get = vi.fn<TokenStore['get']>(() => null).mockReturnValueOnce(loading.promise)
    const listeners: ((token: string | null) => void)[] = []
    const subscribe: TokenStore['subscribe'] = (listener) => {
      listeners.push(listener)
      return () => {}
    }
    const client = new Client({ baseUrl, tokenStore: { get, set: () => {}, subscribe } })

    for (const listener of listeners) listener(null)
    loading.resolve('removed elsewhere')
    await client.ready

    expect(client.session.token).toBeNull()
  })

  it('a store that fails to load fails the calls, until a token is set', async () => {
    const server = await serve(json(200, []))
    const get = () => Promise.reject(new TypeError('storage is broken'))
    const client = new Client({ baseUrl: server.url, tokenStore: { get, set: () => {} } })

    const { cause } = await rejectionOf(client.relationships.list(), isRapportError)
    expect(cause).toMatchObject({
      name: 'TypeError',
      message: 'its message is not shown, since it may quote the token',
    })
    await rejectionOf(client.ready, isRapportError)
    await rejectionOf(client.relationships.list(), isRapportError)
    expect(server.requests).toHaveLength(0)

    await client.session.setToken('given')
    await client.relationships.list()
    expect(server.request().headers.authorization).toBe('given')
  })

  it('a store that throws, or holds what no token can be, is a typed error without the value', async () => {
    const throwing: TokenStore = {
      get: () => {
        throw new Error('denied')
      },
      set: () => {},
    }
    const broken = new Client({ baseUrl, tokenStore: throwing })
    const garbage = new Client({ baseUrl, tokenStore: { get: () => 'tok\r\nen', set: () => {} } })
    const nothing = { get: () => undefined as unknown as null, set: () => {} }

    await rejectionOf(broken.ready, isRapportError)
    expect((await rejectionOf(garbage.ready, isRapportError)).message).not.toContain('tok\r')
    await new Client({ baseUrl, tokenStore: nothing }).ready
  })

  it('a store that fails to keep a token rejects, and the token is in use', async () => {
    const cause = new Error('quota')
    const client = new Client({ baseUrl, tokenStore: { get: () => null, set: () => Promise.reject(cause) } })
    await client.ready

    const error = await rejectionOf(client.session.setToken('new'), isRapportError)

    expect(error.cause).toBe(cause)
    expect(error.message).not.toContain('new')
    expect(client.session.token).toBe('new')
  })

  it('writes to the token store run one after another, so that the last token is kept', async () => {
    const kept: (string | null)[] = []
    const delays = [30, 10, 0]
    const set = async (token: string | null) => {
      await new Promise((resolve) => setTimeout(resolve, delays.shift()))
      if (token === 'two') throw new Error('this one fails')
      kept.push(token)
    }
    const client = new Client({ baseUrl, tokenStore: { get: () => null, set } })

    const writes = ['one', 'two', null].map((token) => client.session.setToken(token))
    const outcomes = await Promise.allSettled(writes)

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(kept).toEqual(['one', null])
  })

  it('the session emits each change once', async () => {
    const listeners: ((token: string | null) => void)[] = []
    const subscribe: TokenStore['subscribe'] = (listener) => {
      listeners.push(listener)
      return () => listeners.splice(0)
    }
    const client = new Client({ baseUrl, tokenStore: { ...memoryTokenStore(), subscribe } })
    await client.ready
    const changes: SessionChange['type'][] = []
    const end = client.session.onChange(({ type }) => changes.push(type))

    await client.session.setToken('ada')
    await client.session.setToken('ada')
    await client.session.setToken('grace')
    for (const listener of listeners) listener('grace')
    for (const listener of listeners) listener('elsewhere')
    await client.session.setToken(null)
    end()
    await client.session.setToken('unheard')

    expect(changes).toEqual(['signedIn', 'tokenChanged', 'tokenChanged', 'signedOut'])
    client.dispose()
    expect(listeners).toHaveLength(0)
  })

  it('setToken() rejects a token that cannot be a header value and keeps the current one', async () => {
    const client = new Client({ baseUrl, token: 'kept' })
    for (const token of ['', 'a\nb', 'snow☃', 5 as unknown as string]) {
      const error = await reasonOf(client.session.setToken(token))
      expect(error).toSatisfy(isRequestValidationError)
    }
    expect(client.session.token).toBe('kept')
  })

  it('logout() forgets the token that it was called with, not a newer one', async () => {
    const server = await serve(
      async (response, request) => {
        await client.session.setToken('newer')
        await json(200, null)(response, request)
      },
      json(200, null),
    )
    const client: Client = new Client({ baseUrl: server.url, token: 'older' })

    await client.auth.logout()
    expect(client.session.token).toBe('newer')
    await client.auth.logout()
    expect(client.session.token).toBeNull()
  })

  it('a client made by as() has its own session and never writes the store of its parent', async () => {
    const server = await serve(json(200, []), json(200, []))
    const set = vi.fn()
    const parent = new Client({ baseUrl: server.url, token: 'ada', tokenStore: { get: () => null, set } })
    const sibling = parent.as('grace')

    await sibling.relationships.list()
    await sibling.session.setToken('lovelace')
    await parent.relationships.list()

    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['grace', 'ada'])
    expect(set).not.toHaveBeenCalled()
    expect(parent.session.token).toBe('ada')
  })
})
