// The account of a client: its name in query keys, and what a QueryClient of TanStack Query does when it changes.
import { type BaseClient, type ClientCore, coreOf } from '../client/base-client'

type Key = readonly unknown[]

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
const MISSED = /^(?:sequence_gap|malformed_frame|frame_too_large)$/
const accounts = new WeakMap<BaseClient, Account>()

/** Returns the account of a client, the same object each time. @throws RequestValidationError if it is no client. */
export function accountOf(client: BaseClient): Account {
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
