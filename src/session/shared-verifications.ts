// Shares the verifications of accounts with other processes, by the store of the option `verifications`. Loaded if a client has
// it. Imports nothing that every client contains: see `seal.ts`.
import { hashOf } from '../internal/seal'
import type { MaybePromise, StoreWarning, VerificationStore } from '../types/options'

/** Time after which a call no longer waits for the store, in milliseconds. */
const TIMEOUT_MS = 5_000

/** Emits a warning. */
export type SharedWarn = (warning: StoreWarning) => void

/** A verification JWT, and the time for which it is used, in milliseconds. */
interface Verification {
  readonly jwt: string
  readonly expiresInMs: number
}

/** Content of a value. */
interface Content {
  /** Key of the account, so that a store that mixes up its keys shares nothing with another account. */
  readonly key: string
  readonly jwt: string
  /** By `Date.now()`: the clocks of processes share no other origin. */
  readonly expiresAt: number
}

/** Reads, writes and deletes verifications. Failures of the store are warnings: the user is asked instead. */
export class SharedVerifications {
  readonly #store: VerificationStore
  readonly #baseUrl: string
  /** Last operation of each token: a deletion must not precede the write that it follows. */
  readonly #pending = new Map<string, Promise<unknown>>()
  readonly #reading = new Map<string, Promise<Verification | undefined>>()

  constructor(store: VerificationStore, baseUrl: string) {
    this.#store = store
    this.#baseUrl = baseUrl
  }

  /** Returns the verification of a token. Concurrent calls share one request. */
  read(token: string, warn: SharedWarn): Promise<Verification | undefined> {
    const reading =
      this.#reading.get(token) ??
      this.#enqueue(token, warn, 'read', async (key) => {
        const value = await this.#store.get(key)
        if (value === null || value === undefined) return undefined
        const content: Partial<Content> = Object(JSON.parse(value))
        const expiresInMs = Number(content.expiresAt) - Date.now()
        if (content.key !== key || typeof content.jwt !== 'string' || !(expiresInMs > 0)) return undefined
        return { jwt: content.jwt, expiresInMs }
      }).finally(() => this.#reading.delete(token))
    this.#reading.set(token, reading)
    return reading
  }

  /** Resolves when the operations of a token that have started are done. Never rejects. */
  async settled(token: string): Promise<void> {
    await this.#pending.get(token)
  }

  async write(token: string, { jwt, expiresAt }: Omit<Content, 'key'>, warn: SharedWarn): Promise<void> {
    await this.#enqueue(token, warn, 'save', (key) => {
      const remainingMs = Math.ceil(expiresAt - Date.now())
      const content: Content = { key, jwt, expiresAt }
      return remainingMs > 0 ? this.#store.set(key, JSON.stringify(content), remainingMs) : undefined
    })
  }

  async delete(token: string, warn: SharedWarn): Promise<void> {
    await this.#enqueue(token, warn, 'delete', (key) => this.#store.delete(key))
  }

  async #enqueue<T>(
    token: string,
    warn: SharedWarn,
    action: string,
    run: (key: string) => MaybePromise<T>,
  ): Promise<T | undefined> {
    const previous = this.#pending.get(token)
    const operation = (async () => {
      await previous
      let timer: ReturnType<typeof setTimeout> | undefined
      try {
        const key = await hashOf(`${new URL(this.#baseUrl).href}\n${token}`)
        const limit = new Promise<never>((_, reject) => {
          timer = setTimeout(reject, TIMEOUT_MS)
        })
        return await Promise.race([run(key), limit])
      } catch {
        // Its error may quote the value.
        const message = `The store \`verifications\` failed to ${action} a verification. Users may be asked again.`
        warn({ code: 'verifications_failed', message })
        return undefined
      } finally {
        clearTimeout(timer)
      }
    })()
    this.#pending.set(token, operation)
    const result = await operation
    if (this.#pending.get(token) === operation) this.#pending.delete(token)
    return result
  }
}
