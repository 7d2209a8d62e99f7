import { dehydrate, hydrate, MutationObserver, QueryClient } from '@tanstack/react-query'
import { Client, isAuthenticationError } from 'rapport-sdk'
import { createClient, relationships } from 'rapport-sdk/core'
import { createQueries } from 'rapport-sdk/query'
import { describe, expect, it, onTestFinished } from 'vitest'
import { endpoints } from '../../src/contract'
import { pathParameters } from '../../src/contract/endpoint'
import { setUp, show } from './set-up'

/** Runs a mutation as a component does. */
function mutate<T, V>(queryClient: QueryClient, options: { mutationFn: (variables: V) => Promise<T> }, variables: V) {
  const observer = new MutationObserver<T, Error, V>(queryClient, options)
  onTestFinished(observer.subscribe(() => {}))
  return observer.mutate(variables)
}

/** The functions of `createQueries`, by the names of their calls, without their types. */
function callsOf(members: object, path = 'client'): Map<string, (...args: unknown[]) => Record<string, unknown>> {
  const calls = new Map()
  for (const [name, member] of Object.entries(members))
    if (typeof member === 'function') calls.set(`${path}.${name}`, member)
    else for (const [call, create] of callsOf(member, `${path}.${name}`)) calls.set(call, create)
  return calls
}

describe('createQueries', () => {
  it('every GET of the contract has a query, every other call but listBulk a mutation', () => {
    const { queries } = setUp()
    const calls = callsOf(queries)
    const kinds = endpoints.map(({ call, endpoint }) => {
      const isRead = endpoint.method === 'GET' || call === 'client.identities.listBulk'
      return [call, 'queryFn' in Object(calls.get(call)?.()), isRead]
    })
    expect(kinds.filter(([, isQuery, isRead]) => isQuery !== isRead)).toEqual([])
    expect(kinds).toHaveLength(55)
  })

  it('every mutation passes its variable, or the array of its variables, on as the parameters of its method', async () => {
    const { queries, client } = setUp()
    const calls = callsOf(queries)
    const mutations = endpoints.filter(
      ({ call, endpoint }) => endpoint.method !== 'GET' && call !== 'client.identities.listBulk',
    )
    for (const { call, endpoint } of mutations) {
      const names = pathParameters(endpoint.path).map((name) =>
        name.replace('widget_config', 'config').replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
      )
      const received: unknown[][] = []
      const [method = '', ...path] = call.split('.').slice(1).reverse()
      const target = path.reverse().reduce<object>((at, name) => Reflect.get(at, name), client)
      Object.defineProperty(target, method, { value: async (...args: unknown[]) => received.push(args) })
      const mutationFn = (...variables: unknown[]) =>
        Reflect.apply(Object(calls.get(call)?.().mutationFn), undefined, variables)
      const ids = names.map((name) => `the ${name}`)
      await mutationFn([...ids, { some: 'param' }])
      await mutationFn(ids)
      const [only = { some: ['param'] }] = ids
      await (ids.length < 2 ? mutationFn(only) : mutationFn(ids))
      expect([call, received]).toEqual([call, [[...ids, { some: 'param' }], ids, ids.length < 2 ? [only] : ids]])
    }
  })

  it('the keys of queries and mutations have a prefix, the user ID, the method and its parameters', async () => {
    const { client, queries, ada } = setUp()
    await client.gateway.connect()
    expect(queries.identities.list('42', { with_profiles: true }).queryKey).toEqual([
      ...['rapport', ada.id, 'identities', 'list', '42'],
      { with_profiles: true },
    ])
    expect(queries.auth.sessions.list().queryKey).toEqual(['rapport', ada.id, 'auth', 'sessions', 'list'])
    expect(queries.relationships.update().mutationKey).toEqual(['rapport', ada.id, 'relationships', 'update'])
    expect(createQueries(client, 'staging').relationships.list().queryKey[0]).toBe('staging')
  })

  it('clients whose users are unknown, and those of different users, never share a key', async () => {
    const { client, service, ada, grace } = setUp()
    const keyOf = (of: Client) => JSON.stringify(createQueries(of).relationships.list().queryKey)
    const other = client.as(service.token(grace))
    expect(keyOf(client)).toBe(keyOf(client))
    const unknown = [keyOf(client), keyOf(other)]
    expect(new Set(unknown).size).toBe(2)
    await Promise.all([client.gateway.connect(), other.gateway.connect()])
    expect([keyOf(client), keyOf(other)].map((key) => JSON.parse(key)[1])).toEqual([ada.id, grace.id])
    other.dispose()
  })

  it('a client of parts has the queries of its parts only', async () => {
    const { service, ada, linus } = setUp()
    const { baseUrl, fetch } = service
    const client = createClient({ baseUrl, fetch, token: service.token(ada) }, { relationships })
    const queries = createQueries(client)
    expect(Object.keys(queries).sort()).toEqual(['follow', 'relationships'])
    const queryClient = new QueryClient()
    onTestFinished(queries.follow(queryClient))
    onTestFinished(() => queryClient.clear())
    const list = await queryClient.fetchQuery(queries.relationships.list())
    expect(list.map(({ id }) => id)).toEqual([linus.id])
    client.dispose()
  })

  it('a value that is not a client is refused', () => {
    for (const value of [{}, null, 'client'])
      expect(() => createQueries(value as never)).toThrow('client: expected a client of this package')
  })

  it('a query that is no longer shown aborts its request', async () => {
    const signals: (AbortSignal | null | undefined)[] = []
    const { queries, queryClient } = setUp({
      fetch: (_, init) => {
        signals.push(init?.signal)
        return new Promise<Response>((_, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
        })
      },
    })
    const { hide } = show(queryClient, queries.relationships.list())
    await expect.poll(() => signals.length).toBe(1)
    hide()
    await expect.poll(() => signals[0]?.aborted).toBe(true)
  })

  it('the query of nobody fails without a request, and that of a disposed client with the error of the call', async () => {
    const { client, queries, queryClient, service, ada } = setUp({ token: undefined })
    const load = () => queryClient.fetchQuery(queries.relationships.list()).catch((error: unknown) => error)
    expect(isAuthenticationError(await load())).toBe(true)
    await client.session.setToken(service.token(ada))
    client.dispose()
    expect(String(await load())).toContain('the client was disposed')
    expect(service.journal.find('Get Relationships')).toEqual([])
  })

  it('a mutation that the service refuses without a second factor asks for it, and then succeeds', async () => {
    const asked: string[] = []
    const { queries, queryClient, service, ada } = setUp({
      onMfaRequired: ({ reason }) => {
        asked.push(reason)
        return { type: 'totp', code: service.users.totp(ada) }
      },
    })
    service.changePolicy({ requireMfa: (name) => name === 'Logout Auth Sessions' })
    await mutate(queryClient, queries.auth.sessions.logout(), { session_id_hashes: ['unknown'] })
    expect(asked).toEqual(['elevation'])
  })
})

describe('secrets', () => {
  it('no key and no dehydrated cache contains a token or a password, also while a sign-in is in flight', async () => {
    const { client, queries, queryClient, service, ada } = setUp({ token: undefined })
    const password = 'correct horse'
    const texts: string[] = []
    const look = () => {
      const { queryCache, mutationCache } = {
        queryCache: queryClient.getQueryCache().getAll(),
        mutationCache: queryClient.getMutationCache().getAll(),
      }
      texts.push(JSON.stringify(dehydrate(queryClient)))
      texts.push(
        JSON.stringify([...queryCache.map(({ queryKey }) => queryKey), ...mutationCache.map((m) => m.options)]),
      )
    }
    onTestFinished(queryClient.getMutationCache().subscribe(look))
    onTestFinished(queryClient.getQueryCache().subscribe(look))
    const signedIn = await mutate(queryClient, queries.auth.login(), { login: 'ada@example.com', password })
    if (signedIn.status !== 'mfa') throw new Error('The service asked for no second factor.')
    await signedIn.challenge.verify({ type: 'totp', code: service.users.totp(ada) })
    await queryClient.fetchQuery(queries.relationships.list())
    await queryClient.fetchQuery(queries.auth.sessions.list())
    look()
    expect(texts.length).toBeGreaterThan(5)
    expect(texts.join()).not.toContain(client.session.token)
    expect(texts.join()).not.toContain(password)
    expect(texts.join()).toContain('relationships')
    await expect.poll(() => queryClient.getMutationCache().getAll().length).toBeLessThan(2)
  })

  it('a cache that a server has rendered is used by the page of the same user, and by no other one', async () => {
    const { client, queries, queryClient, service, ada, grace } = setUp()
    await client.gateway.connect()
    await queryClient.fetchQuery(queries.relationships.list())
    const page = (user: typeof ada) => {
      const record = { token: service.token(user), userId: user.id }
      return new Client({
        baseUrl: service.baseUrl,
        fetch: service.fetch,
        tokenStore: { get: () => record, set: () => {} },
      })
    }
    const seen = [ada, grace].map(async (user) => {
      const own = page(user)
      await own.ready
      const cache = new QueryClient()
      hydrate(cache, JSON.parse(JSON.stringify(dehydrate(queryClient))))
      const data = cache.getQueryData<object[]>(createQueries(own).relationships.list().queryKey)
      cache.clear()
      own.dispose()
      return data?.length
    })
    expect(await Promise.all(seen)).toEqual([1, undefined])
  })
})
