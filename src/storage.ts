import type { StoreWarning, TokenRecord, TokenStore } from './types/options'

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
 * Stores the token and the ID of its user in `localStorage` or `sessionStorage`, as JSON. Follows changes made in other tabs, also when the page returns from the back/forward cache; two clients on one page do not notify each
 * other. Every script of the page can read the token: on a page that may run third-party scripts, use the default in-memory
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
  const store = new WebTokenStore(storage, key)
  return {
    get: () => store.get(),
    set: (record) => store.set(record),
    subscribe: (listener, warn) => store.subscribe(listener, warn),
  }
}

class WebTokenStore {
  readonly #open: () => WebStorage
  readonly #key: string
  #memory: TokenRecord | null = null
  /** Whether the storage refused the last token, or access. */
  #isInMemory = false
  /** Warnings before a client has subscribed. */
  readonly #warnings: StoreWarning[] = []
  #warn = (warning: StoreWarning): void => void this.#warnings.push(warning)

  constructor(storage: WebStorage | (() => WebStorage), key: string) {
    this.#open = () => (typeof storage === 'function' ? storage() : storage)
    this.#key = key
  }

  get(): TokenRecord | null {
    // Kept for the case that the storage is blocked later.
    this.#attempt((storage) => {
      this.#memory = parse(storage.getItem(this.#key))
    })
    return this.#memory
  }

  set(record: TokenRecord | null): void {
    this.#isInMemory = false
    this.#memory = record
    this.#attempt((storage) => {
      try {
        if (record) storage.setItem(this.#key, JSON.stringify(record))
        else storage.removeItem(this.#key)
      } catch (cause) {
        // Or the page would have the previous account's token after a reload.
        storage.removeItem(this.#key)
        throw cause
      }
    })
  }

  subscribe(listener: (record: TokenRecord | null) => void, warn: (warning: StoreWarning) => void = () => {}) {
    this.#warn = warn
    for (const warning of this.#warnings.splice(0)) warn(warning)
    // Only other tabs receive the event; a `key` of null means that the storage was cleared.
    const onStorage = (event: StorageEvent) => {
      if (event.storageArea !== this.#open() || (event.key !== this.#key && event.key !== null)) return
      this.#isInMemory = false
      listener(this.get())
    }
    // A page in the back/forward cache receives no events.
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) listener(this.get())
    }
    globalThis.addEventListener?.('storage', onStorage)
    globalThis.addEventListener?.('pageshow', onPageShow)
    return () => {
      globalThis.removeEventListener?.('storage', onStorage)
      globalThis.removeEventListener?.('pageshow', onPageShow)
    }
  }

  /** Uses the storage, unless it has refused to be used: then the token is only in memory. */
  #attempt(use: (storage: WebStorage) => void): void {
    try {
      if (!this.#isInMemory) use(this.#open())
    } catch (cause) {
      this.#isInMemory = true
      const { name }: { name?: unknown } = Object(cause)
      const isFull = name === 'QuotaExceededError'
      const problem = isFull ? 'The storage is full' : `The storage is not available (${name})`
      const message = `${problem}: the token is kept in memory, until the page is reloaded.`
      this.#warn({ code: isFull ? 'storage_full' : 'storage_blocked', message })
    }
  }
}

/** Reads what is stored; the client refuses a record without a token. */
function parse(text: string | null): TokenRecord | null {
  try {
    return text ? Object(JSON.parse(text)) : null
  } catch {
    return { token: '' }
  }
}

/**
 * Creates a store that keeps the token and the ID of its user in memory, for the lifetime of the process or page. A client
 * without `tokenStore` does the same.
 */
export function memoryTokenStore(): TokenStore {
  let current: TokenRecord | null = null
  return {
    get: () => current,
    set: (record) => {
      current = record
    },
  }
}

export type { StoreWarning, TokenRecord, TokenStore } from './types/options'
