/** Queries and mutations for TanStack Query 5: plain objects for any of its adapters. */
import { type BaseClient, type ClientCore, coreOf } from '../client/base-client'
import { AuthenticationError } from '../errors/api-errors'
import { RapportError } from '../errors/base'

type Key = readonly unknown[]

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
  readonly queryKey: Key
  /** Makes the call. Rejects with RapportError if the account of the key is, or was meanwhile, another one; with AuthenticationError, without a request, if nobody is signed in. */
  readonly queryFn: (context: { readonly signal: AbortSignal; readonly queryKey: Key }) => Promise<T>
  /** The client itself retries. */
  readonly retry: false
}

/** Options of a mutation, for `useMutation` and the like. */
export interface CallMutation<T, V> {
  /** The prefix, the account and the method; no token. */
  readonly mutationKey: Key
  /** Makes the call, for the account that is then signed in. The client asks for a second factor meanwhile. */
  readonly mutationFn: (variables: V) => Promise<T>
  /** A change does not wait for the network: another account may be signed in by then. */
  readonly networkMode: 'always'
  /** Milliseconds after which variables and result, which may be secret, are forgotten, if nothing shows the mutation. */
  readonly gcTime: number
  /** `invalidates`: the starts of the keys of the queries that the call changes. */
  readonly meta: { readonly invalidates: readonly Key[] }
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

// The account of a client: its name in keys, and what a `QueryClient` does when it changes.

/** The part of TanStack's `QueryClient` that `follow` uses. */
export interface FollowedQueryClient {
  /** Returns the cache, whose queries are moved to another account. */
  getQueryCache(): {
    findAll(filters: { readonly queryKey: Key }): readonly {
      readonly queryKey: Key
      readonly state: { readonly data: unknown; readonly dataUpdatedAt: number }
      readonly observers: readonly { readonly options: object; setOptions(options: object): void }[]
      setState(state: object): void
      destroy(): void
    }[]
    remove(query: object): void
  }
  /** Marks queries as stale, and loads those that are shown. */
  invalidateQueries(filters: { readonly queryKey: Key }, options: { readonly cancelRefetch: false }): unknown
  /** Writes the data of a query. */
  setQueryData(queryKey: Key, data: unknown, options: { readonly updatedAt: number }): unknown
}

/** Lists that events change: `auth.sessions` by `authSessionChange`. */
const LISTS = ['relationships', 'gameRelationships', 'friendSuggestions', 'auth.sessions']
/** Warnings of the gateway after which an event may have been missed. */
const MISSED = /^(?:sequence_gap|malformed_frame)$/
const accounts = new WeakMap<BaseClient, Account>()

/** Returns the account of a client, the same object each time. @throws RequestValidationError if it is no client. */
function accountOf(client: BaseClient): Account {
  const account = accounts.get(client) ?? new Account(coreOf(client, 'createQueries'))
  accounts.set(client, account)
  return account
}

class Account {
  /** Number of changes of the account, so that a change to another one and back is noticed. */
  changes = 0
  /** Number of times that each list was reloaded, so that a load during one is repeated. */
  readonly reloads = new Map<string, number>()
  readonly #followers = new Set<{ readonly prefix: string; readonly queryClient: FollowedQueryClient }>()
  #number: string | undefined

  constructor(readonly core: ClientCore) {
    // Like a live store: before a listener of the app can read the old account's data for the new one.
    core.session.follow('stores', ({ type, previous, user }) => {
      const before = this.name(previous.user)
      const isSameUser = previous.user === null || previous.user.id === user?.id
      // Before the stored token is loaded, there is no account.
      const isSame = previous.status === 'loading' || (isSameUser && /^(?:elevated|userChanged)$/.test(type))
      if (!isSame) this.changes++
      if (isSame && this.name() === before) return
      for (const { prefix, queryClient } of this.#followers)
        moveQueries(queryClient, [prefix, before], [prefix, this.name()], isSame)
    })
  }

  /** Returns the user ID, else a random number of the account. */
  name(user = this.core.session.user): string {
    // Random, because a cache may have been saved by another process; on first use, because workers refuse it before.
    this.#number ??= Math.random().toString(36).slice(2)
    return user?.id ?? `${this.#number}-${this.changes}`
  }

  /** Loads the queries of a list again, if they are shown, else when they are shown next. */
  readonly reload = (list: string): void => {
    this.reloads.set(list, (this.reloads.get(list) ?? 0) + 1)
    const key = [this.name(), ...list.split('.')]
    // What is being loaded is loaded once more after it.
    for (const { prefix, queryClient } of this.#followers)
      void queryClient.invalidateQueries({ queryKey: [prefix, ...key] }, { cancelRefetch: false })
  }

  /** Keeps queries whose keys start with `prefix` up to date until the returned function is called. */
  follow(prefix: string, queryClient: FollowedQueryClient): () => void {
    const follower = { prefix, queryClient }
    const onEvent = ({ type }: { readonly type: string }) => {
      const isOf = (list: string) => type.toLowerCase().startsWith(list.replace('.', '').toLowerCase().slice(0, -1))
      for (const list of LISTS) if (type === 'ready' || isOf(list)) this.reload(list)
    }
    const onWarning = ({ code }: { readonly code: string }) => MISSED.test(code) && onEvent({ type: 'ready' })
    const { gateway } = this.core.members
    gateway?.on('dispatch', onEvent).on('warning', onWarning)
    this.#followers.add(follower)
    return () => {
      this.#followers.delete(follower)
      gateway?.off('dispatch', onEvent).off('warning', onWarning)
    }
  }
}

/** Removes the queries of an account, and lets what shows them show those of another one. Keeps the data if it is the same account. */
function moveQueries(queryClient: FollowedQueryClient, before: Key, after: Key, isSame: boolean): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey: before })) {
    const queryKey = after.concat(query.queryKey.slice(before.length))
    const { data, dataUpdatedAt: updatedAt } = query.state
    if (isSame && data !== undefined) queryClient.setQueryData(queryKey, data, { updatedAt })
    queryClient.getQueryCache().remove(query)
    // The option `placeholderData: keepPreviousData` reads it even if the query is removed.
    query.setState({ data: undefined, dataUpdatedAt: 0, error: null, status: 'pending', isInvalidated: false })
    for (const observer of [...query.observers]) {
      const options = { ...observer.options, queryKey, queryHash: undefined, _defaulted: false }
      // Otherwise, the observer keeps a placeholder as long as it has the same option.
      if (!isSame) observer.setOptions({ ...options, placeholderData: undefined })
      observer.setOptions(options)
    }
    // It has started a timer when its last observer left.
    query.destroy()
  }
}
