// Keeps a QueryClient of TanStack Query up to date: with changes and events, and with the account.
import type { BaseClient } from '../client/base-client'
import type { GatewayEvents } from '../gateway/events'
import type { Gateway } from '../gateway/gateway'
import type { Account } from './account'

type QueryKey = readonly unknown[]

/** What `follow` uses of TanStack's `QueryClient`. */
export interface FollowedQueryClient {
  /** Returns the cache of queries. */
  getQueryCache(): {
    /** Returns the queries whose keys start with this one. */
    findAll(filters: { readonly queryKey: QueryKey }): readonly FollowedQuery[]
    /** Removes a query, and aborts its request. */
    remove(query: FollowedQuery): void
  }
  /** Returns the cache of mutations. */
  getMutationCache(): {
    /** Adds a listener. Returns an unsubscribe function. */
    subscribe(listener: (event: FollowedMutationEvent) => void): () => void
  }
  /** Marks queries as stale, and loads those that are shown. */
  invalidateQueries(filters: { readonly queryKey: QueryKey }): Promise<void>
  /** Writes the data of a query. */
  setQueryData(queryKey: QueryKey, data: unknown, options: { readonly updatedAt: number }): unknown
}

/** What `follow` uses of TanStack's `Query`. */
interface FollowedQuery {
  readonly queryKey: QueryKey
  readonly state: { readonly data: unknown; readonly dataUpdatedAt: number; readonly fetchStatus: string }
  readonly promise?: Promise<unknown> | undefined
  readonly observers: readonly { readonly options: object; setOptions(options: object): void }[]
  setState(state: object): void
  destroy(): void
}

/** What `follow` uses of an event of TanStack's `MutationCache`. */
interface FollowedMutationEvent {
  readonly action?: { readonly type: string }
  readonly mutation?: { readonly meta: Readonly<Record<string, unknown>> | undefined } | undefined
}

/** The start of the keys of the queries that events concern. */
const CHANGED_BY = {
  relationships: ['relationshipAdd', 'relationshipUpdate', 'relationshipRemove'],
  gameRelationships: ['gameRelationshipAdd', 'gameRelationshipRemove'],
  friendSuggestions: ['friendSuggestionDelete'],
  'auth.sessions': ['authSessionChange'],
} as const

/** Warnings of the gateway after which an event may have been missed. */
const MISSED: readonly string[] = ['sequence_gap', 'malformed_frame', 'frame_too_large', 'invalid_payload']

/** Follows a client until the returned function is called. Keys start with `prefix` and the name of the account. */
export function followClient(
  { gateway }: BaseClient & { readonly gateway?: Gateway },
  account: Account,
  prefix: string,
  queryClient: FollowedQueryClient,
): () => void {
  /** Whether the queries that are being loaded must be loaded once more, by the start of their keys. */
  const loading = new Map<string, boolean>()
  const reload = async (path: QueryKey) => {
    const id = path.join('.')
    const isLoading = loading.has(id)
    loading.set(id, isLoading)
    if (isLoading) return
    do {
      const queryKey = [prefix, account.name, ...path]
      const queries = queryClient.getQueryCache().findAll({ queryKey })
      // `invalidateQueries` does not start these again, although they may have read what was there before the change.
      const pending = queries.filter(
        ({ state, observers }) => state.fetchStatus !== 'idle' && (state.data === undefined || observers.length === 0),
      )
      loading.set(id, pending.length > 0)
      await Promise.allSettled([queryClient.invalidateQueries({ queryKey }), ...pending.map(({ promise }) => promise)])
    } while (loading.get(id) && stops.length > 0)
    loading.delete(id)
  }
  const stops: (() => unknown)[] = [
    account.onChange((before, isSame) => replaceAccount(queryClient, [prefix, before], [prefix, account.name], isSame)),
    queryClient.getMutationCache().subscribe(({ action, mutation }) => {
      const keys = mutation?.meta?.invalidates
      // Also after an error: the service may have made the change.
      if (!Array.isArray(keys) || (action?.type !== 'success' && action?.type !== 'error')) return
      for (const key of keys) if (Array.isArray(key) && key[0] === prefix) void reload(key.slice(2))
    }),
  ]
  const listen = <E extends keyof GatewayEvents>(event: E, listener: (payload: GatewayEvents[E]) => void) => {
    gateway?.on(event, listener)
    stops.push(() => gateway?.off(event, listener))
  }
  for (const [name, events] of Object.entries(CHANGED_BY)) {
    const reloadThis = () => void reload(name.split('.'))
    for (const event of events) listen(event, reloadThis)
    // Events before it are unknown.
    listen('ready', reloadThis)
    listen('warning', ({ code }) => {
      if (MISSED.includes(code)) reloadThis()
    })
  }
  return () => {
    for (const stop of stops.splice(0)) stop()
  }
}

/** Removes the queries of an account, and lets what shows them show those of another one. Keeps the data if it is the same account. */
function replaceAccount(queryClient: FollowedQueryClient, before: QueryKey, after: QueryKey, isSame: boolean): void {
  const cache = queryClient.getQueryCache()
  const queries = cache.findAll({ queryKey: before })
  const shown = queries.flatMap((query) => {
    const queryKey = after.concat(query.queryKey.slice(before.length))
    const { data, dataUpdatedAt } = query.state
    if (isSame && data !== undefined) queryClient.setQueryData(queryKey, data, { updatedAt: dataUpdatedAt })
    cache.remove(query)
    // The option `placeholderData: keepPreviousData` reads it even if the query is removed.
    query.setState({ data: undefined, dataUpdatedAt: 0, error: null, status: 'pending', isInvalidated: false })
    return query.observers.map((observer) => ({ observer, queryKey }))
  })
  for (const { observer, queryKey } of shown) {
    const options = { ...observer.options, queryKey, queryHash: undefined, _defaulted: false }
    // Otherwise, the observer keeps a placeholder as long as it has the same option.
    if (!isSame) observer.setOptions({ ...options, placeholderData: undefined })
    observer.setOptions(options)
  }
  // Each has started a timer when its last observer left.
  for (const query of queries) query.destroy()
}
