import type { VerificationStore } from 'rapport-sdk'

/** A store of verifications, with what it has and a line for each call. */
export interface MemoryStore extends VerificationStore {
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
