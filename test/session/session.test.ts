import { Client, isRequestValidationError, type SessionChange } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { memoryTokenStore } from 'rapport-sdk/storage'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { deferred } from '../deferred'
import { json, serve } from '../servers/http-server'
import { type TokenOnlyStore, tokenOnly } from '../session-stores'
import { reasonOf, rejectionOf } from '../transport/rejection'

const baseUrl = 'https://service.example'

describe('client.session', () => {
  it('a call waits until the stored token is loaded', async () => {
    const server = await serve(json(200, []), json(200, []))
    const loading = deferred<string | null>()
    const client = new Client({
      baseUrl: server.url,
      tokenStore: tokenOnly({ get: () => loading.promise, set: () => {} }),
    })

    const call = client.relationships.list()
    // A call of another client is complete, and the only one that was sent.
    await new Client({ baseUrl: server.url, token: 'ada' }).relationships.list()
    expect(server.requests).toHaveLength(1)
    loading.resolve('stored')
    await call

    expect(server.request(1).headers.authorization).toBe('stored')
    await client.ready
    expect(client.session.token).toBe('stored')
  })

  it('the token option wins over the stored token', async () => {
    const get = vi.fn(() => 'stored')
    const client = new Client({ baseUrl, token: 'explicit', tokenStore: tokenOnly({ get, set: () => {} }) })

    await client.ready
    expect(client.session.token).toBe('explicit')
  })

  it('writes to the token store run one after another, so that the last token is stored', async () => {
    const stored: (string | null)[] = []
    const delays = [30, 10, 0]
    const set = async (token: string | null) => {
      await new Promise((resolve) => setTimeout(resolve, delays.shift()))
      if (token === 'two') throw new Error('this one fails')
      stored.push(token)
    }
    const client = new Client({ baseUrl, tokenStore: tokenOnly({ get: () => null, set }) })

    const writes = ['one', 'two', null].map((token) => client.session.setToken(token))
    const outcomes = await Promise.allSettled(writes)

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(stored).toEqual(['one', null])
  })

  it('emits each change once', async () => {
    const listeners: ((token: string | null) => void)[] = []
    const subscribe: TokenOnlyStore['subscribe'] = (listener) => {
      listeners.push(listener)
      return () => listeners.splice(0)
    }
    const client = new Client({
      baseUrl,
      tokenStore: { ...memoryTokenStore(), ...tokenOnly({ get: () => null, subscribe }) },
    })
    await client.ready
    const changes: SessionChange['type'][] = []
    const unsubscribe = client.session.onChange(({ type }) => changes.push(type))

    await client.session.setToken('ada')
    await client.session.setToken('ada')
    await client.session.setToken('grace')
    for (const listener of listeners) listener('grace')
    for (const listener of listeners) listener('elsewhere')
    await client.session.setToken(null)
    unsubscribe()
    await client.session.setToken('unheard')

    expect(changes).toEqual(['signedIn', 'tokenChanged', 'tokenChanged', 'signedOut'])
    client.dispose()
    expect(listeners).toHaveLength(0)
  })

  it('setToken() rejects a token that cannot be a header value and keeps the current one', async () => {
    const client = new Client({ baseUrl, token: 'kept' })
    for (const token of ['', 'a\nb', 'snow☃', 5 as unknown as string]) {
      const error = await rejectionOf(client.session.setToken(token), isRequestValidationError)
      expect([error.endpoint, error.issues.length]).toEqual(['Client', 1])
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

  it('it is another one in a client made by as(), which never writes the store of its parent', async () => {
    const server = await serve(json(200, []), json(200, []))
    const set = vi.fn()
    const parent = new Client({ baseUrl: server.url, token: 'ada', tokenStore: tokenOnly({ get: () => null, set }) })
    const child = parent.as('grace')

    await child.relationships.list()
    await child.session.setToken('lovelace')
    await parent.relationships.list()

    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['grace', 'ada'])
    expect(set).not.toHaveBeenCalled()
    expect(parent.session.token).toBe('ada')
  })
})

describe('the order of session changes', () => {
  const name = ({ type, status, previous }: SessionChange) => `${type}: ${previous.status} → ${status}`
  const ORDER = ['signedIn: signedOut → signedIn', 'signedOut: signedIn → signedOut', 'signedIn: signedOut → signedIn']

  it('each listener receives changes in the order in which they happened, also those that a listener causes', async () => {
    const { session } = new Client({ baseUrl })
    const first: string[] = []
    const second: string[] = []
    session.onChange((change) => {
      first.push(name(change))
      if (first.length === 1) {
        void session.setToken(null)
        void session.setToken('grace')
        // The session itself has changed at once.
        expect(session.token).toBe('grace')
      }
    })
    session.onChange((change) => second.push(name(change)))

    await session.setToken('ada')

    expect([first, second]).toEqual([ORDER, ORDER])
  })

  it('a change by a listener of a live store or of the gateway keeps the order', async () => {
    const service = createMockService()
    onTestFinished(() => void service.close())
    const [ada, grace] = ['ada@example.test', 'grace@example.test'].map((login) =>
      service.token(service.users.create({ login, password: 'correct horse' })),
    )
    for (const where of ['live', 'gateway'] as const) {
      const gateway = { url: service.gateway.url, WebSocket: service.WebSocket, connectOnSignIn: true }
      const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, gateway })
      onTestFinished(() => client.dispose())
      await client.session.setToken(ada ?? '')
      const store = client.relationships.live()
      await store.ready
      const changes: string[] = []
      client.session.onChange((change) => changes.push(name(change)))
      const signIn = () => {
        if (client.session.token === null) void client.session.setToken(grace ?? '')
      }
      if (where === 'live') store.subscribe(signIn)
      else client.gateway.on('stateChange', signIn)

      await client.session.setToken(null)
      await vi.waitFor(() => expect(client.gateway.state).toBe('ready'))

      expect(changes.slice(0, 2)).toEqual(ORDER.slice(1))
      expect(client.session.token).toBe(grace)
    }
  })

  it('a listener that is added during a change does not receive earlier ones, and one that is removed no later ones', async () => {
    const { session } = new Client({ baseUrl })
    const late: string[] = []
    const removed = vi.fn()
    session.onChange(({ type }) => {
      if (type !== 'signedIn') return
      void session.setToken(null)
      session.onChange((change) => late.push(name(change)))
      remove()
    })
    const remove = session.onChange(removed)

    await session.setToken('ada')

    expect(late).toEqual([])
    expect(removed).not.toHaveBeenCalled()
  })

  it('no listener is called after one of them has disposed the client', async () => {
    const client = new Client({ baseUrl })
    const listener = vi.fn()
    client.session.onChange(() => client.dispose())
    client.session.onChange(listener)

    await client.session.setToken('ada')

    expect(listener).not.toHaveBeenCalled()
  })
})

describe('a token or fingerprint', () => {
  it.each<[string, (value: string) => unknown]>([
    ['token', (token) => new Client({ baseUrl, token })],
    ['fingerprint', (fingerprint) => new Client({ baseUrl, fingerprint })],
    ['token', (token) => new Client({ baseUrl }).session.setToken(token)],
    ['fingerprint', (value) => Object.assign(new Client({ baseUrl }).session, { fingerprint: value })],
  ])('a %s with a line break throws an error that names the field', async (name, set) => {
    const error = await reasonOf((async () => set('a\nb'))())
    expect(error).toMatchObject({ issues: [{ path: [name], code: 'invalid_format' }] })
  })

  it('a fingerprint survives a sign-out and ends with the first token', async () => {
    const client = new Client({ baseUrl, fingerprint: 'print' })
    expect(client.session.isAuthenticated).toBe(false)
    await client.session.setToken(null)
    expect(client.session.fingerprint).toBe('print')

    await client.session.setToken('ada')

    expect(client.session.fingerprint).toBeNull()
    expect(client.session.isAuthenticated).toBe(true)
  })
})
