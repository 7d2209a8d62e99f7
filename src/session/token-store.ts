import type { MaybePromise } from '../options'

/**
 * Where a token is kept between runs. Errors that it throws reach the app as the `cause` of a `RapportError`, without the
 * token: those of `get` and `subscribe` by name and code only.
 */
export interface TokenStore {
  /**
   * Returns the token that was kept, or `null`. Calls that carry the session's token wait for it, no longer than `timeout`
   * and `deadline`; sign-ins and calls with a token of their own do not wait.
   */
  get(): MaybePromise<string | null>
  /** Keeps a token; `null` forgets it. Calls follow one another, unless one takes longer than the client's `timeout`. */
  set(token: string | null): MaybePromise<void>
  /**
   * Calls `listener` after changes that others make, such as another tab; by then `get` returns the new token. Returns
   * what unsubscribes. A store may emit its current value first: a `null` that comes first, or before `get` has settled,
   * is a sign-out only if `get` then returns `null` as well. Notifications during a `set` are ignored.
   */
  subscribe?(listener: (token: string | null) => void): () => void
}

/** Keeps the token in memory, for as long as the process or the page lives. The default. */
export function memoryTokenStore(): TokenStore {
  let kept: string | null = null
  return {
    get: () => kept,
    set: (token) => {
      kept = token
    },
  }
}
