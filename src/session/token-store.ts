import type { MaybePromise } from '../options'

/** Where a token is kept between runs. */
export interface TokenStore {
  /** The token that was kept, or `null`. */
  get(): MaybePromise<string | null>
  /** Keeps a token; `null` forgets it. */
  set(token: string | null): MaybePromise<void>
  /** Tells of changes that others make, another tab for one. Returns what ends it. */
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
