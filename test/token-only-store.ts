import type { TokenStore } from 'rapport-sdk'

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
