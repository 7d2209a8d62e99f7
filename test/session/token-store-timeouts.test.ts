import { Client, type ClientOptions, isRapportError, isTimeoutError, type TokenStore } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { deferred } from '../deferred'
import { hold, json, serve } from '../servers/http-server'
import { type TokenOnlyStore, tokenOnly } from '../session-stores'
import { reasonOf, rejectionOf } from '../transport/rejection'

const password = 'correct horse'
const never = () => new Promise<never>(() => {})
/** Creates a client that stops waiting for its store at the end of the test. */
function open(options: ClientOptions): Client {
  const client = new Client(options)
  onTestFinished(() => client.dispose())
  return client
}
const signedIn = (token: string) => json(200, { token, user_id: '100', user_settings: {} })

describe('a token store whose get hangs', () => {
  const hanging: TokenStore = { get: never, set: () => {} }

  it('does not delay a login, and waiting calls continue with the token of the login', async () => {
    const server = await serve(signedIn('fresh'), json(200, []))
    const client = open({ baseUrl: server.url, tokenStore: hanging })

    const waiting = client.relationships.list()
    await client.auth.login({ login: 'ada@example.test', password })
    await waiting
    await client.ready

    expect(server.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/auth/login', undefined],
      ['/users/@me/relationships', 'fresh'],
    ])
  })

  it('does not delay a call with its own token', async () => {
    const server = await serve(json(200, []))
    const client = open({ baseUrl: server.url, tokenStore: hanging })

    await client.relationships.list({ token: 'own' })

    expect(server.request().headers.authorization).toBe('own')
  })

  it('does not delay calls that carry no token', async () => {
    const server = await serve(json(200, { country_code: 'US' }), json(200, {}), json(200, {}))
    const client = open({ baseUrl: server.url, tokenStore: hanging })

    await client.auth.getLocationMetadata()
    await client.request({ path: '/public', auth: 'none' })
    await client.suspended('suspended-token').request({ method: 'POST', path: '/appeal' })

    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined, undefined])
  })

  it('a token that was loaded while the account was reverted is not restored', async () => {
    const response = hold(json(200, { email: 'ada@example.test' }))
    const server = await serve(response.responder)
    const loading = deferred<string | null>()
    const set = vi.fn<NonNullable<TokenOnlyStore['set']>>()
    const client = open({ baseUrl: server.url, tokenStore: tokenOnly({ get: () => loading.promise, set }) })
    const revert = client.auth.revertAccount({ token: 'mailed', password })
    await server.waitForRequests(1)

    loading.resolve('stored')
    await client.ready
    response.release()
    await revert

    expect(client.session.token).toBeNull()
    expect(set.mock.calls.map(([token]) => token)).toEqual([null])
  })

  it.each(['timeout', 'deadline'] as const)(
    'counts against `%s`, and the error names the token store',
    async (limit) => {
      const server = await serve()
      const client = open({ baseUrl: server.url, tokenStore: hanging })

      const error = await rejectionOf(client.relationships.list({ [limit]: 30 }), isTimeoutError)

      expect(error).toMatchObject({ limit, limitMs: 30, endpoint: 'Get Relationships' })
      expect(error.message).toContain('the token store did not load the token within 30 ms')
      expect(server.requests).toHaveLength(0)
    },
  )

  it('counts against the `timeout` of the client', async () => {
    const client = open({ baseUrl: 'https://service.example', tokenStore: hanging, timeout: 30 })

    expect(await rejectionOf(client.relationships.list(), isTimeoutError)).toMatchObject({ limit: 'timeout' })
  })

  it('leaves no timer behind after a sign-in, a sign-out or dispose()', async () => {
    vi.useFakeTimers()
    for (const end of [
      (client: Client) => client.session.setToken('ada'),
      (client: Client) => client.session.setToken(null),
      (client: Client) => client.dispose(),
    ]) {
      const client = open({ baseUrl: 'https://service.example', tokenStore: hanging })
      expect(vi.getTimerCount()).toBe(1)
      await end(client)
      await vi.advanceTimersByTimeAsync(0)
      expect(vi.getTimerCount()).toBe(0)
    }
  })

  it('it is not blamed for a timeout after the token was loaded', async () => {
    const server = await serve(() => {})
    const client = open({ baseUrl: server.url, tokenStore: tokenOnly({ get: async () => 'ada', set: () => {} }) })

    const error = await rejectionOf(client.relationships.list({ deadline: 200 }), isTimeoutError)

    expect(error.message).toContain('no response within 200 ms')
  })
})

/** A token store whose `set` hangs, and when it is called: the time of the request before does not count. */
function hangingWrite() {
  const { promise: writing, resolve } = deferred<void>()
  const tokenStore: TokenStore = {
    get: () => null,
    set: () => {
      resolve()
      return never()
    },
  }
  return { tokenStore, writing }
}

describe('a token store whose set hangs', () => {
  const hanging: TokenStore = { get: () => null, set: never }

  it.each<[string, number, number | undefined, number]>([
    ['the client', 300, undefined, 300],
    ['the call', 10_000, 250, 250],
    ['the client, if the call has a longer one', 300, 10_000, 300],
  ])(
    'delays a login no longer than the `timeout` of %s, and the token is in use',
    async (_, clientTimeout, timeout, limitMs) => {
      const server = await serve(signedIn('ada'), json(200, []))
      const { tokenStore, writing } = hangingWrite()
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const client = open({ baseUrl: server.url, tokenStore, timeout: clientTimeout })
      const login = rejectionOf(client.auth.login({ login: 'ada@example.test', password }, { timeout }), isTimeoutError)
      await writing
      await vi.advanceTimersByTimeAsync(limitMs)
      const error = await login

      expect(error).toMatchObject({ limit: 'timeout', limitMs })
      expect(error.message).toContain('the token is in use, but the token store did not save it within')
      expect(error.message).not.toContain('ada')
      await client.relationships.list()
      expect(server.request(-1).headers.authorization).toBe('ada')
    },
  )

  it('setToken() rejects with its own name if the store does not keep the token within the `timeout`', async () => {
    const client = open({ baseUrl: 'https://service.example', tokenStore: hanging, timeout: 30 })

    const error = await rejectionOf(client.session.setToken('ada'), isTimeoutError)

    expect(error).toMatchObject({ endpoint: 'session.setToken', limit: 'timeout', limitMs: 30 })
  })

  it('delays a one-time login and a logout no longer than `timeout`', async () => {
    const server = await serve(signedIn('ada'), json(204, null))
    const [signIn, signOut] = [hangingWrite(), hangingWrite()]
    const set = vi.fn().mockImplementationOnce(signIn.tokenStore.set).mockImplementationOnce(signOut.tokenStore.set)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const client = open({ baseUrl: server.url, tokenStore: tokenOnly({ get: () => null, set }), timeout: 250 })

    const login = rejectionOf(client.auth.oneTimeLogin({ ticket: 'mailed' }), isTimeoutError)
    await signIn.writing
    await vi.advanceTimersByTimeAsync(250)
    await login
    const logout = rejectionOf(client.auth.logout(), isTimeoutError)
    await signOut.writing
    await vi.advanceTimersByTimeAsync(250)
    const error = await logout

    expect(error.message).toContain('the session is signed out, but the token store did not remove its token within')
    expect(client.session.token).toBeNull()
  })

  it('does not block later writes, which keep their order', async () => {
    const set = vi.fn<NonNullable<TokenOnlyStore['set']>>().mockImplementationOnce(never)
    const client = open({
      baseUrl: 'https://service.example',
      tokenStore: tokenOnly({ get: () => null, set }),
      timeout: 30,
    })

    const outcomes = await Promise.allSettled(['one', 'two', null].map((token) => client.session.setToken(token)))
    await vi.waitFor(() => expect(set).toHaveBeenCalledTimes(3))

    expect(outcomes[0]?.status).toBe('rejected')
    expect(set.mock.calls).toEqual([['one'], ['two'], [null, 'two']])
  })

  it('replaces no newer token once it completes, in the client or in the store', async () => {
    const late = deferred<void>()
    let stored: string | null = null
    const set = vi.fn(async (token: string | null) => {
      if (token === 'old') await late.promise
      stored = token
    })
    const client = open({
      baseUrl: 'https://service.example',
      tokenStore: tokenOnly({ get: () => stored, set }),
      timeout: 30,
    })
    await rejectionOf(client.session.setToken('old'), isTimeoutError)
    await client.session.setToken(null)

    late.resolve()
    await vi.waitFor(() => expect(set.mock.calls.map(([token]) => token)).toEqual(['old', null, null]))

    expect(stored).toBeNull()
    expect(client.session.token).toBeNull()
  })

  it('dispose() rejects a setToken() that waits for a store whose set hangs', async () => {
    const client = open({ baseUrl: 'https://service.example', tokenStore: hanging })
    const write = rejectionOf(client.session.setToken('ada'), isRapportError)

    client.dispose()

    expect((await write).message).toBe('The client was disposed.')
  })
})

function clientWithHangingStore() {
  const service = createMockService()
  const ada = service.users.create({ login: 'ada@example.com', password })
  const { tokenStore, writing } = hangingWrite()
  const client = open({ baseUrl: service.baseUrl, fetch: service.fetch, tokenStore })
  return { service, ada, client, writing, login: { login: 'ada@example.com', password } }
}

describe('a sign-in whose token store never finishes writing', () => {
  it('it is not delayed beyond its signal', async () => {
    const { client, login, writing } = clientWithHangingStore()
    const reason = new Error('enough')
    const control = new AbortController()
    const call = reasonOf(client.auth.login(login, { signal: control.signal }))
    await writing
    control.abort(reason)
    expect(await call).toBe(reason)
  })

  it('it is not delayed beyond its deadline', async () => {
    const { client, login } = clientWithHangingStore()
    await expect(client.auth.login(login, { deadline: 30 })).rejects.toSatisfy(isTimeoutError)
  })

  it('it is not delayed beyond dispose() if it is a handoff', async () => {
    const { service, ada, client, writing } = clientWithHangingStore()
    const source = client.as(service.token(ada))
    const { handoff_token } = await source.auth.createHandoffToken({ key: 'k' })
    const call = expect(client.auth.exchangeHandoffToken({ key: 'k', handoff_token })).rejects.toThrow('disposed')
    await writing
    client.dispose()
    await call
  })
})
