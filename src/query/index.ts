/** Queries and mutations for TanStack Query 5: plain objects for any of its adapters. */
import type { BaseClient } from '../client/base-client'
import { AuthenticationError } from '../errors/api-errors'
import { RapportError } from '../errors/base'
import { accountOf } from './account'
import { type FollowedQueryClient, follow } from './follow'

export type { FollowedQueryClient } from './follow'

/** The namespaces, with the names of their methods' first parameters in order, of which a method has some. */
const PARAMETERS = {
  auth: ['authenticatorType'],
  mfa: [],
  widgets: [],
  identities: ['applicationId', 'userId', 'externalUserId'],
  widgetConfigs: ['applicationId', 'configId'],
  relationships: ['userId'],
  gameRelationships: ['userId', 'applicationId'],
  friendSuggestions: ['userId'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Names of the members of a client that have queries and mutations. */
export type QueryNamespace = keyof typeof PARAMETERS

/** Names of the methods that read; the others are mutations. */
type Read = `list${string}` | `get${string}` | `suggest${string}` | 'featured' | 'developer' | 'layoutDefinitions'
const READ = /^(?:list|get|suggest|featured$|developer$|layoutDefinitions$)/
type Path = readonly string[]
const SIGNED_OUT = { status: 401, serviceMessage: 'nobody is signed in', fieldErrors: [], body: undefined, attempts: 0 }

/** Parameters of a method without the options of the call, which come last. */
type Given<P extends readonly unknown[]> = P extends readonly [...infer G, unknown?] ? G : never

/** The parameters in one object, the IDs by their names. */
type Named<G extends readonly unknown[], N> = G extends readonly [infer Params extends object]
  ? Params
  : {
      readonly [I in keyof G & keyof N & `${number}` as G[I] extends string ? N[I] & string : never]: G[I]
    } & (G extends readonly [...unknown[], infer Params extends object] ? Params : unknown)

/** Variables of a mutation of a namespace, which can be omitted if all are optional. */
type Variables<G extends readonly unknown[], Namespace, Method> =
  | (G extends readonly [] ? never : Named<Required<G>, NamesOf<Namespace, Method>>)
  | ([] extends G ? ReturnType<() => void> : never)
type NamesOf<Namespace, Method> = Method extends 'updateConfig'
  ? readonly ['applicationId', 'externalUserId']
  : (typeof PARAMETERS)[Namespace & QueryNamespace]

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
export type CallsOf<All, Path> = {
  readonly [M in keyof All as All[M] extends Call ? M : M & 'sessions']: All[M] extends Call<infer P, infer T>
    ? M extends Read
      ? (...args: Given<P>) => CallQuery<T>
      : () => CallMutation<T, Variables<Given<P>, Path, M>>
    : CallsOf<All[M], M>
}
type Call<P extends readonly unknown[] = never, T = unknown> = (...args: P) => PromiseLike<T>

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
  const keyOf = (...rest: readonly unknown[]) => [prefix, account.name, ...rest]
  const read = (path: Path) => path.reduce<object>((at, name) => Object(Reflect.get(at, name)), client)
  // Read for each call, because tests of apps replace methods.
  const send = (path: Path, args: readonly unknown[]): Promise<unknown> =>
    Reflect.apply(Object(read(path)), undefined, args)

  const createQuery = (path: Path, args: readonly unknown[]): CallQuery<unknown> => ({
    queryKey: keyOf(...path, ...args),
    async queryFn({ signal, queryKey }) {
      const { changes, core, versions } = account
      const [endpoint, list] = [`queries.${path.join('.')}`, path.slice(0, -1).join('.')]
      let isSame = queryKey[1] === account.name
      while (isSame) {
        await core.session.ready
        if (list !== 'auth' && core.session.token === null) throw new AuthenticationError({ endpoint, ...SIGNED_OUT })
        const version = versions.get(list)
        const data = await send(path, [...args, { signal }])
        isSame = changes === account.changes
        if (isSame && version === versions.get(list)) return data
      }
      throw new RapportError(`${endpoint}: the account has changed; create the options of the query again.`)
    },
    retry: false,
  })

  const createMutation = (path: Path): CallMutation<unknown, unknown> => {
    const names: readonly string[] = Reflect.get(PARAMETERS, path[0] ?? '')
    const list = path.slice(0, -1).join('.')
    // A sign-in or sign-out changes the account, which changes all keys.
    const changed = list === 'auth' || list === 'mfa' ? [] : [list]
    return {
      mutationKey: keyOf(...path),
      async mutationFn(variables) {
        const given = new Map(Object.entries(Object(variables)))
        const args = names.filter((name) => given.has(name)).map((name) => given.get(name))
        for (const name of names) given.delete(name)
        try {
          return await send(path, given.size > 0 ? [...args, Object.fromEntries(given)] : args)
        } finally {
          // Also after an error: the service may have made the change.
          for (const reload of account.followers) changed.map(reload)
        }
      },
      networkMode: 'always',
      // Not 0, with which an unmounted component would poll a mutation in flight.
      gcTime: 1_000,
      meta: { invalidates: changed.map((start) => keyOf(...start.split('.'))) },
    }
  }

  const create = (path: Path): unknown => {
    const names = Object.getOwnPropertyNames(read(path))
    if (typeof read(path) !== 'function')
      return Object.fromEntries(names.map((name) => [name, create([...path, name])]))
    return READ.test(path.at(-1) ?? '') ? (...args: Path) => createQuery(path, args) : () => createMutation(path)
  }
  const namespaces = Object.keys(PARAMETERS).filter((name) => Object.hasOwn(client, name))
  const calls = Object.fromEntries(namespaces.map((name): readonly unknown[] => [name, create([name])]))
  return Object.assign({ follow: (queryClient: FollowedQueryClient) => follow(account, prefix, queryClient) }, calls)
}
