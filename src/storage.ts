import type { TokenStore, TokenStoreWarning } from './types/options'

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
 * Stores the token in `localStorage` or `sessionStorage`, and the ID of its user under `${key}.user`. Follows changes
 * made in other tabs, also when the page returns from the back/forward cache; two clients on one page do not notify each
 * other. Every script of the page can read the token: on a page that may run foreign scripts, use the default in-memory
 * store. If the stored value cannot be a token, calls that need one reject until a sign-in or
 * `client.session.setToken(null)`; an empty string counts as no token.
 *
 * If the storage is blocked or full, the token is kept in memory and the client emits `warning`; a sign-in then succeeds.
 *
 * @param storage Storage to use, or a function that returns it: where storage is blocked, already reading the global
 * `localStorage` throws. A function also allows the code to run on a server, which has none.
 * @param key Key of the token. Default: `'rapport.token'`. Use a different one for each account or service.
 *
 * @example
 * import { Client } from 'rapport-sdk'
 * import { webStorageTokenStore } from 'rapport-sdk/storage'
 *
 * const client = new Client({ baseUrl: 'https://service.example', tokenStore: webStorageTokenStore(() => localStorage) })
 * await client.ready
 */
export function webStorageTokenStore(storage: WebStorage | (() => WebStorage), key = 'rapport.token'): TokenStore {
  const userKey = `${key}.user`
  const memory = createMemory()
  /** Whether the storage refused the last token, or access. */
  let isInMemory = false
  const warnings: TokenStoreWarning[] = []
  let warn = (warning: TokenStoreWarning): void => {
    warnings.push(warning)
  }
  const open = () => (typeof storage === 'function' ? storage() : storage)
  const attempt = <T>(use: (storage: WebStorage) => T, useMemory: () => T): T => {
    try {
      if (!isInMemory) return use(open())
    } catch (cause) {
      isInMemory = true
      const { name }: { name?: unknown } = Object(cause)
      const isFull = name === 'QuotaExceededError'
      const problem = isFull ? 'The storage is full' : `The storage is not available (${name})`
      const message = `${problem}: the token is kept in memory, until the page is reloaded.`
      warn({ code: isFull ? 'storage_full' : 'storage_blocked', message })
    }
    return useMemory()
  }
  const get = () =>
    attempt((storage) => {
      const token = storage.getItem(key) || null
      // For the case that the storage is blocked later: the token of an earlier `set` may be signed out by then.
      memory.set(token)
      return token
    }, memory.get)
  const read = (storage: WebStorage, token: string) => {
    const prefix = `${hash(token)}.`
    const owner = storage.getItem(userKey)
    return owner?.startsWith(prefix) ? owner.slice(prefix.length) : null
  }
  return {
    get,
    set: (token) => {
      isInMemory = false
      memory.set(token)
      attempt(
        (storage) => {
          if (token === null || read(storage, token) === null) storage.removeItem(userKey)
          try {
            if (token !== null) storage.setItem(key, token)
            else storage.removeItem(key)
          } catch (cause) {
            // Or the page would have the previous account's token after a reload.
            storage.removeItem(key)
            throw cause
          }
        },
        () => {},
      )
    },
    getUserId: (token) =>
      attempt(
        (storage) => read(storage, token),
        () => memory.getUserId(token),
      ),
    setUserId: (token, userId) => {
      memory.setUserId(token, userId)
      open().setItem(userKey, `${hash(token)}.${userId}`)
    },
    subscribe: (listener, onWarning = () => {}) => {
      warn = onWarning
      for (const warning of warnings.splice(0)) warn(warning)
      // Only other tabs receive the event; a `key` of null means that the storage was cleared.
      const onStorage = (event: StorageEvent) => {
        if (event.storageArea !== open() || (event.key !== key && event.key !== null)) return
        isInMemory = false
        listener(get())
      }
      // A page in the back/forward cache receives no events.
      const onPageShow = ({ persisted }: PageTransitionEvent) => {
        if (persisted) listener(get())
      }
      globalThis.addEventListener?.('storage', onStorage)
      globalThis.addEventListener?.('pageshow', onPageShow)
      return () => {
        globalThis.removeEventListener?.('storage', onStorage)
        globalThis.removeEventListener?.('pageshow', onPageShow)
      }
    },
  }
}

/** Hashes a token (FNV-1a, 32 bits), to compare the tokens of two tabs without a second copy in the storage. */
function hash(token: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < token.length; index++) hash = Math.imul(hash ^ token.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/**
 * Creates a store that keeps the token and the ID of its user in memory, for the lifetime of the process or page. A client
 * without `tokenStore` does the same.
 */
export function memoryTokenStore(): TokenStore {
  return createMemory()
}

function createMemory() {
  let current: string | null = null
  let owner: { readonly token: string; readonly userId: string } | undefined
  return {
    get: () => current,
    set: (token: string | null) => {
      current = token
      if (owner?.token !== token) owner = undefined
    },
    getUserId: (token: string) => (owner?.token === token ? owner.userId : null),
    setUserId: (token: string, userId: string) => {
      owner = { token, userId }
    },
  }
}

export type { TokenStore, TokenStoreWarning } from './types/options'
