import type { TokenStore } from '../session/token-store'

/** What is needed of `localStorage` or `sessionStorage`. */
export interface WebStorage {
  /** The value of a key, or `null`. */
  getItem(key: string): string | null
  /** Sets the value of a key. */
  setItem(key: string, value: string): void
  /** Removes a key. */
  removeItem(key: string): void
}

/**
 * Keeps the token in `localStorage` or `sessionStorage`, and follows what other tabs do with it; two clients of one page
 * are not told of one another. Any script of the page can read it there: a page that might run foreign scripts does
 * better with the default, memory. If it holds something that cannot be a token, calls that need one reject until a sign-in
 * or `client.session.setToken(null)`; an empty string counts as none.
 *
 * @param storage Where to keep it.
 * @param key The key to keep it under; `'rapport.token'` when not given. Give each account or service its own.
 *
 * @example
 * import { Client } from 'rapport-sdk'
 * import { webStorageTokenStore } from 'rapport-sdk/storage'
 *
 * const client = new Client({ baseUrl: 'https://service.example', tokenStore: webStorageTokenStore(localStorage) })
 * await client.ready
 */
export function webStorageTokenStore(storage: WebStorage, key = 'rapport.token'): TokenStore {
  const get = () => storage.getItem(key) || null
  return {
    get,
    set: (token) => {
      if (token === null) storage.removeItem(key)
      else storage.setItem(key, token)
    },
    subscribe: (listener) => {
      // The event comes to the other tabs alone; a `key` of null means that everything was cleared.
      const onStorage = (event: StorageEvent) => {
        if (event.storageArea === storage && (event.key === key || event.key === null)) listener(get())
      }
      globalThis.addEventListener?.('storage', onStorage)
      return () => globalThis.removeEventListener?.('storage', onStorage)
    },
  }
}
