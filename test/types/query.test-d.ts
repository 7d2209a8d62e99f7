import {
  MutationObserver,
  QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useSuspenseQuery,
} from '@tanstack/react-query'
import {
  createMutation,
  createQuery,
  QueryClient as SvelteQueryClient,
  queryOptions as svelteQueryOptions,
} from '@tanstack/svelte-query'
import {
  useMutation as useVueMutation,
  useQuery as useVueQuery,
  QueryClient as VueQueryClient,
} from '@tanstack/vue-query'
import type {
  Client,
  ListIdentitiesParams,
  LoginParams,
  LoginResult,
  PartialApplicationIdentity,
  Relationship,
  UserApplicationIdentities,
} from 'rapport-sdk'
import type { CoreClient } from 'rapport-sdk/core'
import { createQueries, type Queries } from 'rapport-sdk/query'
import { expectTypeOf, test } from 'vitest'

declare const client: Client
declare const queryClient: QueryClient
const queries = createQueries(client)

test('parameters are those of the call without its options', () => {
  expectTypeOf(queries.relationships.list).parameters.toEqualTypeOf<[]>()
  expectTypeOf(queries.identities.getProfile).parameters.toEqualTypeOf<[string, string, string]>()
  expectTypeOf(queries.identities.list).parameters.toEqualTypeOf<[string, (ListIdentitiesParams | undefined)?]>()
  expectTypeOf(queries.auth.sessions.list).parameters.toEqualTypeOf<[]>()
  // @ts-expect-error: the ID of the application is missing
  queries.widgetConfigs.list()
  // @ts-expect-error: options of a call are not parameters of a query
  queries.relationships.list({ signal: AbortSignal.abort() })
  // @ts-expect-error: a live store is no call
  queries.relationships.live
})

test('data has the type of the response in React, Vue and Svelte, without annotations', () => {
  expectTypeOf(useQuery(queries.relationships.list()).data).toEqualTypeOf<Relationship[] | undefined>()
  expectTypeOf(useSuspenseQuery(queries.relationships.list()).data).toEqualTypeOf<Relationship[]>()
  expectTypeOf(useQuery({ ...queries.relationships.list(), select: (list) => list.length }).data).toEqualTypeOf<
    number | undefined
  >()
  expectTypeOf(useVueQuery(queries.identities.list('42')).data.value).toEqualTypeOf<
    UserApplicationIdentities | undefined
  >()
  expectTypeOf(useVueQuery(() => queries.relationships.list()).data.value).toEqualTypeOf<Relationship[] | undefined>()
  expectTypeOf(createQuery(() => queries.identities.listBulk({ user_ids: [] })).data).toEqualTypeOf<
    PartialApplicationIdentity[] | undefined
  >()
  const { queryKey } = queryOptions(queries.relationships.list())
  expectTypeOf(queryClient.getQueryData(queryKey)).toEqualTypeOf<Relationship[] | undefined>()
  expectTypeOf(svelteQueryOptions(queries.relationships.list()).queryKey).toExtend<readonly unknown[]>()
})

test('variables of a mutation are the parameters of the call, one by itself, several in an array', () => {
  const update = useMutation(queries.relationships.update())
  update.mutate(['42', { nickname: 'Countess' }])
  update.mutate(['42'])
  // @ts-expect-error: the ID of the user is missing
  update.mutate([{ nickname: 'Countess' }])
  // @ts-expect-error: an unknown field
  update.mutate(['42', { name: 'Countess' }])
  // @ts-expect-error: options of a call are not among the variables
  update.mutate(['42', { nickname: 'Countess' }, { signal: AbortSignal.abort() }])
  // @ts-expect-error: the ID of the user is missing
  update.mutate()
  useVueMutation(queries.relationships.delete()).mutate('42')
  createMutation(() => queries.identities.updateConfig()).mutate(['1', '2'])
  new MutationObserver(queryClient, queries.widgetConfigs.publish()).mutate(['1', '2'])
  useMutation(queries.auth.logout()).mutate()
  useMutation(queries.auth.logout()).mutate({ provider: 'push' })
  useMutation(queries.auth.startPasswordlessLogin()).mutate()
  const login = useMutation(queries.auth.login())
  expectTypeOf(login.data).toEqualTypeOf<LoginResult | undefined>()
  expectTypeOf(login.variables).toEqualTypeOf<LoginParams | undefined>()
  // @ts-expect-error: the password is missing
  login.mutate({ login: 'ada@example.com' })
})

test('the QueryClient of each adapter can be followed', () => {
  queries.follow(new QueryClient())
  queries.follow(new VueQueryClient())
  queries.follow(new SvelteQueryClient())
})

test('a client of parts has the queries of its parts', () => {
  type Parts = Queries<CoreClient<'relationships' | 'auth'>>
  expectTypeOf<keyof Parts>().toEqualTypeOf<'relationships' | 'auth' | 'follow'>()
  expectTypeOf<Parts['relationships']['list']>().toEqualTypeOf<typeof queries.relationships.list>()
  expectTypeOf<Parts['auth']>().not.toHaveProperty('register')
  expectTypeOf<Queries<CoreClient<'relationships' | 'live'>>['relationships']>().not.toHaveProperty('live')
  expectTypeOf<Queries<CoreClient<'gateway'>>>().toHaveProperty('follow')
})
