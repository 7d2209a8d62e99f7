/** Queries and mutations for TanStack Query 5: plain objects for any of its adapters. */
import type { BaseClient } from '../client/base-client'
import { AuthenticationError } from '../errors/api-errors'
import { RapportError } from '../errors/base'
import { accountOf, type FollowedQueryClient } from './account'

export type { FollowedQueryClient } from './account'

/** The members of a client that have queries and mutations. */
const NAMESPACES = [
  ...(['auth', 'mfa', 'widgets', 'identities', 'widgetConfigs'] as const),
  ...(['relationships', 'gameRelationships', 'friendSuggestions'] as const),
]

/** Names of the methods that read; the others are mutations. */
type Read = `list${string}` | `get${string}` | `suggest${string}` | 'featured' | 'developer' | 'layoutDefinitions'
const READ = /^(?:list|get|suggest|featured$|developer$|layoutDefinitions$)/
const SIGNED_OUT = { status: 401, serviceMessage: 'nobody is signed in', fieldErrors: [], body: undefined, attempts: 0 }

/** Parameters of a method without the options of the call, which come last. */
type Given<P extends readonly unknown[]> = P extends readonly [...infer G, unknown?] ? G : never

/** Variables of a mutation: the only parameter of its method, or an array of all. Can be omitted if all are optional. */
type Variables<G extends readonly unknown[]> =
  | (Required<G> extends readonly [] ? never : Required<G> extends readonly [infer Only] ? Only : Readonly<G>)
  | ([] extends G ? ReturnType<() => void> : never)

/** Options of a query, for `useQuery` and the like. */
export interface CallQuery<T> {
  /** The prefix, the account, the method and its parameters; no token. */
  readonly queryKey: readonly unknown[]
  /** Makes the call. Rejects with RapportError if the account of the key is, or was meanwhile, another one; with AuthenticationError, without a request, if nobody is signed in. */
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

/** Queries and mutations by the names of the methods. */
export type CallsOf<All> = {
  readonly [M in keyof All as All[M] extends Call ? M : M & 'sessions']: All[M] extends Call<infer P, infer T>
    ? M extends Read
      ? (...args: Given<P>) => CallQuery<T>
      : () => CallMutation<T, Variables<Given<P>>>
    : CallsOf<All[M]>
}
type Call<P extends readonly unknown[] = never, T = unknown> = (...args: P) => PromiseLike<T>

/** Queries and mutations of a client, by namespace and method; see {@link createQueries}. */
export type Queries<C> = { readonly [N in (typeof NAMESPACES)[number] & keyof C]: CallsOf<C[N]> } & {
  /**
   * Keeps a `QueryClient` up to date until the returned function is called. A mutation or an event of the gateway, which it does not
   * connect, reloads the queries that it changes: now, or once they are shown. A change of the account removes the old account's data,
   * before any listener of `client.session` is called, and shown queries load that of the new one.
   */
  follow(queryClient: FollowedQueryClient): () => void
}

/**
 * Creates queries and mutations for TanStack Query 5. Each GET, and `identities.listBulk`, has a function that returns options of a
 * query; each other call has one that returns options of a mutation, whose variables are the parameters: one by itself, several in an array.
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
 * const queries = createQueries(new Client({ baseUrl: 'https://service.example', token: 'a token' }))
 * const stop = queries.follow(new QueryClient())
 * // In components: useQuery(queries.relationships.list()), useMutation(queries.relationships.update())
 */
export function createQueries<C extends BaseClient>(client: C, prefix = 'rapport'): Queries<C> {
  const account = accountOf(client)
  const keyOf = (...rest: readonly unknown[]) => [prefix, account.name(), ...rest]
  // Read for each call, because tests of apps replace methods.
  const read = (path: readonly string[]) => path.reduce<object>((at, name) => Object(Reflect.get(at, name)), client)
  const send = async (path: readonly string[], args: readonly unknown[]): Promise<unknown> =>
    Reflect.apply(Object(read(path)), undefined, args)

  const createQuery = (list: string, path: readonly string[], args: readonly unknown[]): CallQuery<unknown> => ({
    queryKey: keyOf(...path, ...args),
    async queryFn({ signal, queryKey }) {
      const { changes, core, reloads } = account
      const endpoint = `queries.${path.join('.')}`
      for (let isSame = queryKey[1] === account.name(); isSame; isSame = changes === account.changes) {
        await core.session.ready
        if (list !== 'auth' && core.session.token === null) throw new AuthenticationError({ endpoint, ...SIGNED_OUT })
        const before = reloads.get(list)
        const data = await send(path, [...args, { signal }])
        if (changes === account.changes && before === reloads.get(list)) return data
      }
      throw new RapportError(`${endpoint}: the account has changed; create the options of the query again.`)
    },
    retry: false,
  })

  const createMutation = (list: string, path: readonly string[]): CallMutation<unknown, unknown> => {
    // A sign-in or sign-out changes the account, which changes all keys.
    const changed = list === 'auth' || list === 'mfa' ? [] : [list]
    return {
      mutationKey: keyOf(...path),
      // Also after an error: the service may have made the change.
      mutationFn: (variables) => send(path, [variables ?? []].flat()).finally(() => changed.map(account.reload)),
      networkMode: 'always',
      // Not 0, with which an unmounted component would poll a mutation in flight.
      gcTime: 1_000,
      meta: { invalidates: changed.map((start) => keyOf(...start.split('.'))) },
    }
  }

  const create = (path: readonly string[], names = Object.getOwnPropertyNames(read(path))): object => {
    const list = path.join('.')
    const createOne = (name: string, own: readonly string[]) => {
      if (typeof read(own) !== 'function') return create(own)
      return READ.test(name) ? (...args: unknown[]) => createQuery(list, own, args) : () => createMutation(list, own)
    }
    return Object.fromEntries(names.map((name) => [name, createOne(name, [...path, name])]))
  }
  const namespaces = NAMESPACES.filter((name) => Object.hasOwn(client, name))
  return Object.assign({ follow: account.follow.bind(account, prefix) }, Object(create([], namespaces)))
}
