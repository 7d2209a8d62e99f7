import { Client, isRapportError, isTimeoutError, type TokenStore } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { deferred } from '../deferred'
import { hold, json, serve } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'

const password = 'correct horse'
const never = () => new Promise<never>(() => {})
const signedIn = (token: string) => json(200, { token, user_id: '100', user_settings: {} })
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('a token store whose `get` hangs', () => {
  const hanging: TokenStore = { get: never, set: () => {} }

  it('a store whose get hangs does not delay a login, and waiting calls continue with the token of the login', async () => {
    const server = await serve(signedIn('fresh'), json(200, []))
    const client = new Client({ baseUrl: server.url, tokenStore: hanging })

    const waiting = client.relationships.list()
    await client.auth.login({ login: 'ada@example.test', password })
    await waiting
    await client.ready

    expect(server.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/auth/login', undefined],
      ['/users/@me/relationships', 'fresh'],
    ])
  })

  it('a store whose get hangs does not delay a call with its own token', async () => {
    const server = await serve(json(200, []))
    const client = new Client({ baseUrl: server.url, tokenStore: hanging })

    await client.relationships.list({ token: 'own' })

    expect(server.request().headers.authorization).toBe('own')
  })

  it('a store whose get hangs does not delay calls that carry no token', async () => {
    const server = await serve(json(200, { country_code: 'US' }), json(200, {}), json(200, {}))
    const client = new Client({ baseUrl: server.url, tokenStore: hanging })

    await client.auth.getLocationMetadata()
    await client.request({ path: '/public', auth: 'none' })
    await client.suspended('suspended-token').request({ method: 'POST', path: '/appeal' })

    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined, undefined])
  })

  it('a token that was loaded while the account was reverted is not restored', async () => {
    const answer = hold(json(200, { email: 'ada@example.test' }))
    const server = await serve(answer.responder)
    const loading = deferred<string | null>()
    const set = vi.fn<TokenStore['set']>()
    const client = new Client({ baseUrl: server.url, tokenStore: { get: () => loading.promise, set } })
    const revert = client.auth.revertAccount({ token: 'mailed', password })
    await server.waitForRequests(1)

    loading.resolve('stored')
    await client.ready
    answer.release()
    await revert

    expect(client.session.token).toBeNull()
    expect(set.mock.calls).toEqual([[null]])
  })

  it.each(['timeout', 'deadline'] as const)(
    'a store whose get hangs counts against `%s`, and the error names the token store',
    async (limit) => {
      const server = await serve()
      const client = new Client({ baseUrl: server.url, tokenStore: hanging })

      const error = await rejectionOf(client.relationships.list({ [limit]: 30 }), isTimeoutError)

      expect(error).toMatchObject({ limit, limitMs: 30, endpoint: 'Get Relationships' })
      expect(error.message).toContain('the token store did not load the token within 30 ms')
      expect(server.requests).toHaveLength(0)
    },
  )

  it('a store whose get hangs counts against the `timeout` of the client', async () => {
    const client = new Client({ baseUrl: 'https://service.example', tokenStore: hanging, timeout: 30 })

    expect(await rejectionOf(client.relationships.list(), isTimeoutError)).toMatchObject({ limit: 'timeout' })
  })

  it('a timeout after the token was loaded does not blame the store', async () => {
    const server = await serve(() => {})
    const client = new Client({ baseUrl: server.url, tokenStore: { get: async () => 'ada', set: () => {} } })

    const error = await rejectionOf(client.relationships.list({ deadline: 200 }), isTimeoutError)

    expect(error.message).toContain('it was not answered within 200 ms')
  })
})

describe('a token store whose `set` hangs', () => {
  const hanging: TokenStore = { get: () => null, set: never }

  it.each<[string, number, number | undefined, number]>([
    ['the client', 300, undefined, 300],
    ['the call', 10_000, 250, 250],
  ])(
    'a store whose set hangs delays a login no longer than the `timeout` of %s, and the token is in use',
    async (_, ofClient, timeout, limitMs) => {
      const server = await serve(signedIn('ada'), json(200, []))
      const client = new Client({ baseUrl: server.url, tokenStore: hanging, timeout: ofClient })
      const login = client.auth.login({ login: 'ada@example.test', password }, { timeout })

      const error = await rejectionOf(login, isTimeoutError)

      expect(error).toMatchObject({ limit: 'timeout', limitMs })
      expect(error.message).toContain('the token is in use, but the token store did not keep it within')
      expect(error.message).not.toContain('ada')
      await client.relationships.list()
      expect(server.request(-1).headers.authorization).toBe('ada')
    },
  )

  it('a store whose set hangs delays a one-time login and a logout no longer than `timeout`', async () => {
    const server = await serve(signedIn('ada'), json(204, null))
    const client = new Client({ baseUrl: server.url, tokenStore: hanging, timeout: 250 })

    await rejectionOf(client.auth.oneTimeLogin({ ticket: 'mailed' }), isTimeoutError)
    const error = await rejectionOf(client.auth.logout(), isTimeoutError)

    expect(error.message).toContain('the session is signed out, but the token store did not forget its token within')
    expect(client.session.token).toBeNull()
  })

  it('a store whose set hangs does not block later writes, which keep their order', async () => {
    const set = vi.fn<TokenStore['set']>().mockImplementationOnce(never)
    const client = new Client({ baseUrl: 'https://service.example', tokenStore: { get: () => null, set }, timeout: 30 })

    const outcomes = await Promise.allSettled(['one', 'two', null].map((token) => client.session.setToken(token)))
    await vi.waitFor(() => expect(set).toHaveBeenCalledTimes(3))

    expect(outcomes[0]?.status).toBe('rejected')
    expect(set.mock.calls).toEqual([['one'], ['two'], [null]])
  })

  it('a store whose set completes late replaces no newer token, in the client or in the store', async () => {
    const late = deferred<void>()
    let kept: string | null = null
    const set = async (token: string | null) => {
      if (token === 'old') await late.promise
      kept = token
    }
    const client = new Client({ baseUrl: 'https://service.example', tokenStore: { get: () => kept, set }, timeout: 30 })
    await rejectionOf(client.session.setToken('old'), isTimeoutError)
    await client.session.setToken(null)

    late.resolve()
    await pause(20)

    expect(kept).toBeNull()
    expect(client.session.token).toBeNull()
  })

  it('dispose() rejects what waits for a store whose set hangs', async () => {
    const client = new Client({ baseUrl: 'https://service.example', tokenStore: hanging })
    const write = rejectionOf(client.session.setToken('ada'), isRapportError)

    client.dispose()

    expect((await write).message).toBe('The client was disposed.')
  })
})

/** A store that emits what it holds to whoever subscribes, as an RxJS BehaviorSubject does. */
function subject(initial: string | null, before: string | null, { delay }: { delay?: number } = {}) {
  let stored = before
  let held = initial
  const listeners = new Set<(token: string | null) => void>()
  const emit = (token: string | null) => {
    held = token
    for (const listener of listeners) listener(token)
  }
  const tokenStore: TokenStore = {
    get: async () => {
      await pause(5)
      held ??= stored
      return held
    },
    set: (token) => {
      stored = token
      emit(token)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      if (delay === undefined) listener(held)
      else setTimeout(() => listener(initial), delay)
      return () => listeners.delete(listener)
    },
  }
  const clear = () => {
    stored = null
    emit(null)
  }
  return { tokenStore, emit, clear }
}

describe('a token store that emits its value to whoever subscribes', () => {
  const baseUrl = 'https://service.example'

  it.each<[string, number | undefined]>([
    ['at once', undefined],
    ['while it is loaded', 2],
    ['after it was loaded', 20],
  ])('the stored token is kept if the store emits an initial `null` %s', async (_, delay) => {
    const { tokenStore, clear } = subject(null, 'stored', delay === undefined ? {} : { delay })
    const client = new Client({ baseUrl, tokenStore })
    const changes: string[] = []
    client.session.onChange(({ type }) => changes.push(type))

    await client.ready
    await pause(40)

    expect(client.session.token).toBe('stored')
    expect(changes).toEqual(['signedIn'])
    clear()
    await vi.waitFor(() => expect(client.session.token).toBeNull())
    expect(changes).toEqual(['signedIn', 'signedOut'])
  })

  it.each<[string, number | undefined]>([
    ['at once', undefined],
    ['while it is loaded', 2],
    ['after it was loaded', 20],
  ])('a store that emits the stored token changes nothing %s', async (_, delay) => {
    const { tokenStore } = subject('stored', 'stored', delay === undefined ? {} : { delay })
    const client = new Client({ baseUrl, tokenStore })
    await client.ready
    await pause(40)

    expect(client.session.token).toBe('stored')
  })

  it.each<[string, string | null, number | undefined]>([
    ['another token at once', 'old', undefined],
    ['another token later', 'old', 20],
    ['null at once', null, undefined],
    ['null later', null, 20],
  ])('a token that the client was given is kept if the store emits %s', async (_, initial, delay) => {
    const { tokenStore, clear, emit } = subject(initial, initial, delay === undefined ? {} : { delay })
    const client = new Client({ baseUrl, token: 'given', tokenStore })
    await pause(40)

    expect(client.session.token).toBe('given')
    emit('other tab')
    expect(client.session.token).toBe('other tab')
    clear()
    expect(client.session.token).toBeNull()
  })

  it('the client signs out at a first `null` that the store confirms', async () => {
    let kept: string | null = 'stored'
    let notify = (_: string | null) => {}
    const subscribe: TokenStore['subscribe'] = (listener) => {
      notify = listener
      return () => {}
    }
    const client = new Client({ baseUrl, tokenStore: { get: () => kept, set: () => {}, subscribe } })
    await client.ready

    kept = null
    notify(null)

    await vi.waitFor(() => expect(client.session.token).toBeNull())
  })

  it('the client signs out at a first `null` if the store can no longer be read', async () => {
    const get = vi.fn<TokenStore['get']>(() => 'stored')
    let notify = (_: string | null) => {}
    const subscribe: TokenStore['subscribe'] = (listener) => {
      notify = listener
      return () => {}
    }
    const client = new Client({ baseUrl, tokenStore: { get, set: () => {}, subscribe } })
    await client.ready
    get.mockRejectedValue(new Error('denied'))

    notify(null)

    await vi.waitFor(() => expect(client.session.token).toBeNull())
  })

  it('an older token that the store emits during a newer write is not restored', async () => {
    const writes: (() => void)[] = []
    const listeners: ((token: string | null) => void)[] = []
    const tokenStore: TokenStore = {
      get: () => null,
      set: () => new Promise((resolve) => writes.push(resolve)),
      subscribe: (listener) => {
        listeners.push(listener)
        return () => {}
      },
    }
    const client = new Client({ baseUrl, tokenStore })
    await client.ready
    const signIn = client.session.setToken('ada')
    const signOut = client.session.setToken(null)

    for (const listener of listeners) listener('ada')
    expect(client.session.token).toBeNull()
    await vi.waitFor(() => expect(writes).toHaveLength(1))
    writes[0]?.()
    await signIn
    await vi.waitFor(() => expect(writes).toHaveLength(2))
    writes[1]?.()
    await signOut

    expect(client.session.token).toBeNull()
  })
})
