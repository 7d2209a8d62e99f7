/** Queries and mutations for TanStack Query 5: plain objects for any of its adapters. */

import type { BaseClient } from '../client/base-client'
import { RapportError } from '../errors/base'
import { type Account, accountOf } from './account'
import { type FollowedQueryClient, followClient } from './follow'

export type { FollowedQueryClient } from './follow'

/** The namespaces, with the names of their methods' first parameters in order. A method has the first of them, or its own. */
const PARAMETERS = {
  auth: ['authenticatorType'],
  mfa: [],
  widgets: [],
  identities: ['applicationId', 'userId', 'externalUserId'],
  'identities.updateConfig': ['applicationId', 'externalUserId'],
  widgetConfigs: ['applicationId', 'configId'],
  relationships: ['userId'],
  gameRelationships: ['userId', 'applicationId'],
  friendSuggestions: ['userId'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Names of the members of a client that have queries and mutations. */
export type QueryNamespace = Exclude<keyof typeof PARAMETERS, `${string}.${string}`>

/** Names of the methods that read; the others are mutations. */
type Read = `list${string}` | `get${string}` | `suggest${string}` | 'featured' | 'developer' | 'layoutDefinitions'
const READ = /^(?:list|get|suggest|featured$|developer$|layoutDefinitions$)/

/** A method of a client that makes a call. */
type Call = (...args: never) => PromiseLike<unknown>

/** Parameters of a method without the options of the call, which come last. */
type Given<P extends readonly unknown[]> = Required<P> extends readonly [...infer G, unknown] ? G : []

/** Parameters of a query. */
type QueryParameters<P extends readonly unknown[]> =
  Given<P> extends readonly [...infer Path, infer Params]
    ? Path['length'] extends P['length']
      ? [...path: Path, params?: Params]
      : Given<P>
    : []

/** Variables of a mutation: the parameters in one object. They can be omitted if all are optional. */
type Variables<P extends readonly unknown[], Names> =
  | (Given<P> extends [] ? never : Named<Given<P>, Names>)
  | (0 extends P['length'] ? ReturnType<() => void> : never)

/** Gives names to the first parameters, which are strings. */
type Named<G extends readonly unknown[], Names> = G extends readonly [infer Value extends string, ...infer Others]
  ? Names extends readonly [infer Name extends string, ...infer OtherNames]
    ? { readonly [N in Name]: Value } & Named<Others, OtherNames>
    : never
  : G extends readonly [infer Params]
    ? Params
    : unknown

/** Options of a query, for `useQuery` and the like. */
export interface CallQuery<T> {
  /** The prefix, the account, the method and its parameters; no token. */
  readonly queryKey: readonly unknown[]
  /** Makes the call. Rejects with RapportError if another account than that of the key is, or was meanwhile, signed in. */
  readonly queryFn: (context: { readonly signal: AbortSignal; readonly queryKey: readonly unknown[] }) => Promise<T>
  /** The client itself retries. */
  readonly retry: false
}

/** Options of a mutation, for `useMutation` and the like. */
export interface CallMutation<T, V> {
  /** The prefix, the account and the method; no token. */
  readonly mutationKey: readonly unknown[]
  /** Makes the call, for the account that is then signed in. The client asks for a second factor meanwhile. */
  readonly mutationFn: (variables: V) => Promise<T>
  /** A change does not wait for the network: another account may be signed in by then. */
  readonly networkMode: 'always'
  /** Milliseconds after which variables and result, which may be secret, are forgotten, if nothing shows the mutation. */
  readonly gcTime: number
  /** `invalidates`: the starts of the keys of the queries that the call changes. */
  readonly meta: { readonly invalidates: readonly (readonly unknown[])[] }
}

/** Names of the first parameters of a method. */
type NamesOf<Path, M> = `${Path & string}.${M & string}` extends infer Own extends keyof typeof PARAMETERS
  ? (typeof PARAMETERS)[Own]
  : Path extends QueryNamespace
    ? (typeof PARAMETERS)[Path]
    : []

/** Queries and mutations by the names of the methods. */
export type CallsOf<Members, Path> = {
  readonly [M in keyof Members as Members[M] extends Call ? M : M extends 'sessions' ? M : never]: Members[M] extends (
    ...args: infer P
  ) => PromiseLike<infer T>
    ? M extends Read
      ? (...args: QueryParameters<P>) => CallQuery<T>
      : () => CallMutation<T, Variables<P, NamesOf<Path, M>>>
    : CallsOf<Members[M], M>
}

/** Queries and mutations of a client, by namespace and method; see {@link createQueries}. */
export type Queries<C> = { readonly [N in QueryNamespace & keyof C]: CallsOf<C[N], N> } & {
  /**
   * Keeps a `QueryClient` up to date until the returned function is called. A mutation or an event of the gateway reloads the
   * queries that it changes: now, or once they are shown. A change of the account removes the old account's data, before any listener of
   * `client.session` is called, and shown queries load that of the new one. Does not connect the gateway.
   */
  follow(queryClient: FollowedQueryClient): () => void
}

/**
 * Creates queries and mutations for TanStack Query 5. Each GET, and `identities.listBulk`, has a function that returns options of a
 * query; each other call has one that returns options of a mutation, whose variables are all parameters in one object.
 *
 * Keys contain the ID of the user, or a random number while it is unknown.
 *
 * @param prefix Start of all keys: different ones for clients of different services in one `QueryClient`.
 * @throws RequestValidationError if it is not a client.
 *
 * @example
 * import { QueryClient } from '@tanstack/react-query'
 * import { Client } from 'rapport-sdk'
 * import { createQueries } from 'rapport-sdk/query'
 *
 * const client = new Client({ baseUrl: 'https://service.example', token: 'a token' })
 * const queries = createQueries(client)
 * const stop = queries.follow(new QueryClient())
 * // In components: useQuery(queries.relationships.list()), useMutation(queries.relationships.update())
 */
export function createQueries<C extends BaseClient>(client: C, prefix = 'rapport'): Queries<C> {
  const account = accountOf(client)
  const callsOf = (read: () => object, path: readonly string[]): object => {
    const calls = Object.getOwnPropertyNames(read()).map((method) => {
      const own = [...path, method]
      // Read for each call, because tests of apps replace methods.
      const get = () => Reflect.get(read(), method)
      if (typeof get() !== 'function') return [method, callsOf(get, own)]
      const call = (args: readonly unknown[]): Promise<unknown> => Reflect.apply(get(), undefined, args)
      return [method, (READ.test(method) ? createQuery : createMutation)({ prefix, account, path: own, call })]
    })
    return Object.fromEntries(calls)
  }
  const names = Object.keys(PARAMETERS).filter((name) => Object.hasOwn(client, name))
  const members: object = client
  const namespaces = names.map((name) => [name, callsOf(() => Reflect.get(members, name), [name])])
  const follow = (queryClient: FollowedQueryClient) => followClient(client, account, prefix, queryClient)
  return Object.assign({ follow }, Object.fromEntries(namespaces))
}

interface CallContext {
  readonly prefix: string
  readonly account: Account
  readonly path: readonly string[]
  readonly call: (args: readonly unknown[]) => Promise<unknown>
}

function createQuery({ prefix, account, path, call }: CallContext) {
  return (...args: readonly unknown[]): CallQuery<unknown> => ({
    queryKey: [prefix, account.name, ...path, ...args],
    async queryFn({ signal, queryKey }) {
      const { changes } = account
      const data = queryKey[1] === account.name && (await call([...args, { signal }]))
      if (data !== false && changes === account.changes) return data
      throw new RapportError(
        `queries.${path.join('.')}: the account has changed; create the options of the query again.`,
      )
    },
    retry: false,
  })
}

function createMutation({ prefix, account, path, call }: CallContext) {
  const [namespace = '', method] = path
  const parameters: Readonly<Record<string, readonly string[]>> = PARAMETERS
  const names = parameters[`${namespace}.${method}`] ?? parameters[namespace] ?? []
  // A sign-in or sign-out changes the account, which changes all keys.
  const changed = namespace === 'mfa' || (namespace === 'auth' && path.length === 2) ? [] : [path.slice(0, -1)]
  return (): CallMutation<unknown, unknown> => ({
    mutationKey: [prefix, account.name, ...path],
    async mutationFn(variables) {
      const given = new Map(Object.entries(Object(variables)))
      const args = names.filter((name) => given.has(name)).map((name) => given.get(name))
      for (const name of names) given.delete(name)
      return call(given.size > 0 ? [...args, Object.fromEntries(given)] : args)
    },
    networkMode: 'always',
    // Not 0, with which an unmounted component would poll a mutation in flight.
    gcTime: 1_000,
    meta: { invalidates: changed.map((start) => [prefix, account.name, ...start]) },
  })
}
