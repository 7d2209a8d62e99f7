import type { TokenStore, VerificationStore } from 'rapport-sdk'

type MaybePromise<T> = T | Promise<T>

/** A token store for tests to which the ID of the user does not matter. */
export interface TokenOnlyStore {
  get(): MaybePromise<string | null>
  set?(token: string | null, previous?: string | null): MaybePromise<void>
  subscribe?(listener: (token: string | null) => void, ...rest: readonly unknown[]): () => void
}

const toRecord = (token: string | null | undefined) => (token === undefined || token === null ? null : { token })

/** Creates a token store from one that knows tokens only. */
export function tokenOnly({ get, set = () => {}, subscribe }: TokenOnlyStore): TokenStore {
  return {
    get() {
      const token = get()
      return token instanceof Promise ? token.then(toRecord) : toRecord(token)
    },
    set(record, previous) {
      const token = record?.token ?? null
      return previous === undefined ? set(token) : set(token, previous?.token ?? null)
    },
    ...(subscribe && { subscribe: (listener) => subscribe((token) => listener(toRecord(token))) }),
  }
}

/** A store of verifications, with what it has and a line for each call. */
interface MemoryStore extends VerificationStore {
  readonly values: Map<string, { readonly value: string; readonly expiresAt: number }>
  readonly calls: string[]
}

/** Creates a store that two clients share like two processes. */
export function storeInMemory(): MemoryStore {
  const values: MemoryStore['values'] = new Map()
  const calls: string[] = []
  return {
    values,
    calls,
    get(key) {
      calls.push('get')
      const found = values.get(key)
      return found && found.expiresAt > Date.now() ? found.value : null
    },
    set(key, value, ttlMs) {
      calls.push('set')
      values.set(key, { value, expiresAt: Date.now() + ttlMs })
    },
    delete(key) {
      calls.push('delete')
      values.delete(key)
    },
  }
}
