// Keeps a QueryClient of TanStack Query up to date: with changes and events, and with the account.
import type { Account } from './account'

type Key = readonly unknown[]

/** What `follow` uses of TanStack's `QueryClient`. */
export interface FollowedQueryClient {
  /** Returns the cache. */
  getQueryCache(): {
    /** Returns the queries whose keys start with a key. */
    findAll(filters: { readonly queryKey: Key }): readonly FollowedQuery[]
    /** Removes a query. */
    remove(query: FollowedQuery): void
  }
  /** Marks queries as stale, and loads those that are shown. */
  invalidateQueries(filters: { readonly queryKey: Key }, options: { readonly cancelRefetch: false }): unknown
  /** Writes the data of a query. */
  setQueryData(queryKey: Key, data: unknown, options: { readonly updatedAt: number }): unknown
}

/** What `follow` uses of TanStack's `Query`. */
interface FollowedQuery {
  readonly queryKey: Key
  readonly state: { readonly data: unknown; readonly dataUpdatedAt: number }
  readonly observers: readonly { readonly options: object; setOptions(options: object): void }[]
  setState(state: object): void
  destroy(): void
}

/** Lists that events change: `auth.sessions` by `authSessionChange`. */
const LISTS = ['relationships', 'gameRelationships', 'friendSuggestions', 'auth.sessions']
/** Warnings of the gateway after which an event may have been missed. */
const MISSED = /^(?:sequence_gap|malformed_frame|frame_too_large)$/

/** Follows a client until the returned function is called. Keys start with `prefix` and the name of the account. */
export function follow(account: Account, prefix: string, target: FollowedQueryClient): () => void {
  // A client of parts may have no gateway.
  const { session, members } = account.core
  const reload = (list: string) => {
    account.versions.set(list, (account.versions.get(list) ?? 0) + 1)
    // What is being loaded is loaded once more after it.
    void target.invalidateQueries({ queryKey: [prefix, account.name, ...list.split('.')] }, { cancelRefetch: false })
  }
  const onEvent = ({ type }: { readonly type: string }) => {
    const isOf = (list: string) => type.toLowerCase().startsWith(list.replace('.', '').toLowerCase().slice(0, -1))
    // What happened before Ready is unknown.
    for (const list of LISTS) if (type === 'ready' || isOf(list)) reload(list)
  }
  const onWarning = ({ code }: { readonly code: string }) => MISSED.test(code) && onEvent({ type: 'ready' })
  let { name, changes } = account
  const onSession = () => {
    const [before, isSame] = [[prefix, name], changes === account.changes]
    ;({ name, changes } = account)
    if (!isSame || name !== before[1]) moveQueries(target, before, [prefix, name], isSame)
  }
  account.followers.add(reload)
  members.gateway?.on('dispatch', onEvent).on('warning', onWarning)
  // Like a live store: before a listener of the app can read the old account's data for the new one.
  const unfollow = session.follow('stores', onSession)
  return () => {
    unfollow()
    account.followers.delete(reload)
    members.gateway?.off('dispatch', onEvent).off('warning', onWarning)
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
