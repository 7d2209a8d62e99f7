import type { TokenStore } from './types/options'

/** Part of `localStorage` and `sessionStorage` that the store uses. */
export interface WebStorage {
  /** Returns the value of a key, or `null`. */
  getItem(key: string): string | null
  /** Sets the value of a key. */
  setItem(key: string, value: string): void
  /** Removes a key. */
  removeItem(key: string): void
}

/**
 * Stores the token in `localStorage` or `sessionStorage` and follows changes made in other tabs; two clients on one
 * page do not notify each other. Every script of the page can read the token: on a page that may run foreign scripts,
 * use the default in-memory store. If the stored value cannot be a token, calls that need one reject until a sign-in or
 * `client.session.setToken(null)`; an empty string counts as no token.
 *
 * @param storage Storage to use.
 * @param key Key of the token. Default: `'rapport.token'`. Use a different one for each account or service.
 *
 * @example
 * import { Client } from 'rapport-sdk'
 * import { webStorageTokenStore } from 'rapport-sdk/storage'
 *
 * const client = new Client({ baseUrl: 'https://service.example', tokenStore: webStorageTokenStore(localStorage) })
 * await client.ready
 */
export function webStorageTokenStore(storage: WebStorage, key = 'rapport.token'): TokenStore {
  const userKey = `${key}.user`
  const get = () => storage.getItem(key) || null
  const getUserId = (token: string) => {
    const prefix = `${hash(token)}.`
    const owner = storage.getItem(userKey)
    return owner?.startsWith(prefix) ? owner.slice(prefix.length) : null
  }
  return {
    get,
    set: (token) => {
      if (token === null || getUserId(token) === null) storage.removeItem(userKey)
      if (token === null) storage.removeItem(key)
      else storage.setItem(key, token)
    },
    getUserId,
    setUserId: (token, userId) => storage.setItem(userKey, `${hash(token)}.${userId}`),
    subscribe: (listener) => {
      // Only other tabs receive the event; a `key` of null means that the storage was cleared.
      const onStorage = (event: StorageEvent) => {
        if (event.storageArea === storage && (event.key === key || event.key === null)) listener(get())
      }
      globalThis.addEventListener?.('storage', onStorage)
      return () => globalThis.removeEventListener?.('storage', onStorage)
    },
  }
}

/** Tells the tokens of two tabs apart (FNV-1a, 32 bits), without a second copy of the token in the storage. */
function hash(token: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < token.length; index++) hash = Math.imul(hash ^ token.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/**
 * Creates a store that keeps the token in memory, for the lifetime of the process or page. A client without
 * `tokenStore` does the same.
 */
export function memoryTokenStore(): TokenStore {
  let current: string | null = null
  let owner: { readonly token: string; readonly userId: string } | undefined
  return {
    get: () => current,
    set: (token) => {
      current = token
      if (owner?.token !== token) owner = undefined
    },
    getUserId: (token) => (owner?.token === token ? owner.userId : null),
    setUserId: (token, userId) => {
      owner = { token, userId }
    },
  }
}

export type { TokenStore } from './types/options'
