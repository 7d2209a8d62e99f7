import { AbortScope } from '../abort'
import { DISPOSED, isRapportError, RapportError, redactError } from '../errors/base'
import { safeCall } from '../internal/emitter'
import { isError } from '../internal/json'
import { isHeaderValue } from '../internal/options'
import { compileSecrets } from '../internal/redact'
import type { MaybePromise, TokenStore, TokenStoreWarning } from '../types/options'

/** Advice in errors about the stored token. */
export const RECOVERY = 'To continue without it, call `session.setToken` with a token or null.'

/** Problem of a stored token; the value is not shown. */
export const INVALID_TOKEN = 'The value in the token store is not a valid token.'

/** Maximum time to wait for a user's ID, which is optional, in milliseconds. */
const USER_ID_TIMEOUT_MS = 1000

/** Reads, writes and observes a {@link TokenStore}. Errors show no token, and no call waits longer than the client's `timeout`. */
export class StoreSync {
  readonly #store: TokenStore
  readonly #timeoutMs: number
  readonly #onChange: (token: string | null) => void
  readonly #warn: (warning: TokenStoreWarning) => void
  readonly #disposed = new AbortController()
  #unsubscribe: (() => void) | undefined
  /** Last known token in the store; `undefined` if none was known yet. */
  #stored: string | null | undefined
  /** Whether the store may have another one: during a write, and after one that failed. */
  #isUnsure = false
  /** Whether a notification during a write must still be caught up on. */
  #isOutdated = false
  /** Number of writes, changes and catch-ups so far. */
  #steps = 0
  /** Token of the last write, which the store has once all writes are done. */
  #latest: string | null = null
  #isLoading = false
  /** Whether the store notified of `null` during the load. */
  #isNullReported = false
  /** Whether there was a notification. The first may be the initial value of the store, or its initial `null`. */
  #isNotified = false
  #lastWrite: Promise<void> = Promise.resolve()
  #writes = 0

  constructor(
    store: TokenStore,
    timeoutMs: number,
    onChange: (token: string | null) => void,
    warn: (warning: TokenStoreWarning) => void,
  ) {
    this.#warn = warn
    this.#store = store
    this.#timeoutMs = timeoutMs
    this.#onChange = onChange
  }

  /** Subscribes to changes that others make. With `isOverridden` the initial value of the store is not a change. */
  subscribe(isOverridden: boolean): void {
    if (isOverridden && this.#store.subscribe !== undefined) this.load().catch(() => {})
    // As with `get`, `undefined` is `null`.
    const listener = (token: string | null | undefined) => this.#onNotification(token ?? null, isOverridden)
    try {
      this.#unsubscribe = this.#store.subscribe?.(listener, this.#warn)
    } catch (cause) {
      throw storeError('The token store failed to subscribe to changes.', cause)
    }
  }

  /** Loads the stored token. */
  async load(): Promise<string | null> {
    this.#isLoading = true
    try {
      let token = await this.#get()
      // Either another tab signed out during the load, or `null` was the initial value: the content decides.
      if (token !== null && this.#isNullReported) token = await this.#get()
      if (this.#isLoading) this.#stored = token
      return token
    } finally {
      this.#isLoading = false
    }
  }

  /**
   * Writes a token; `null` removes it. Writes are sequential, so that the last token is the one that is saved. A write
   * that takes longer than the client's `timeout` does not delay the next.
   */
  write(token: string | null, timeoutMs = this.#timeoutMs, userId?: string): Promise<void> {
    this.#isLoading = false
    this.#latest = token
    this.#writes++
    this.#steps++
    const unfinished = `the ${writeProblem(token, 'did not')}`
    const write = this.#lastWrite.then(() => this.#set(token, userId, unfinished))
    this.#lastWrite = write
      .catch(() => {})
      .then(() => {
        this.#writes--
        this.#catchUpIfOutdated()
      })
    return this.#withTimeout(timeoutMs, write, unfinished)
  }

  /** Calls `fail` if the token is not loaded within the client's `timeout`; it may still be loaded later. Returns a function that ends the wait. */
  limit(fail: (error: unknown) => void): () => void {
    const scope = new AbortScope('client.ready', this.#disposed.signal, Infinity)
    const unfinished = 'the token store did not load the token'
    scope.withTimeout('timeout', this.#timeoutMs, () => new Promise(() => {}), unfinished).catch(fail)
    return () => scope.close()
  }

  /** Returns the stored ID of the user of a token, or `null`. Failures are ignored: the ID is optional. */
  userIdOf(token: string): MaybePromise<string | null | undefined> {
    try {
      const id = this.#store.getUserId?.(token)
      // Any thenable: a promise of another realm is no instance of `Promise`.
      return typeof Object(id).then === 'function' ? Promise.resolve(id).catch(() => null) : id
    } catch {
      return null
    }
  }

  /** Waits for an optional step, but not for long: the token must not wait for a store that hangs. */
  soon<T>(step: Promise<T>): Promise<T | undefined> {
    return this.#withTimeout(Math.min(USER_ID_TIMEOUT_MS, this.#timeoutMs), step, '').catch(() => undefined)
  }

  /** Saves the ID of the user of a token after the pending writes, if that token is stored. */
  writeUserId(token: string, userId: string): void {
    const write = async () => {
      if (this.#stored === token) await this.#setUserId(token, userId)
    }
    this.#lastWrite = this.#lastWrite.then(write)
  }

  dispose(): void {
    // Errors of the store are ignored here; they may quote the token.
    safeCall(
      () => this.#unsubscribe?.(),
      undefined,
      () => {},
    )
    this.#steps++
    this.#disposed.abort(new RapportError(DISPOSED))
  }

  #onNotification(token: string | null, isOverridden: boolean): void {
    const isFirst = !this.#isNotified
    this.#isNotified = true
    // It may be that of an earlier write, which the one in progress replaces.
    if (this.#writes > 0) this.#isOutdated = true
    else if (this.#isLoading && (token === null || isOverridden)) this.#isNullReported = true
    else if (isFirst && token === null && typeof this.#stored === 'string') void this.#catchUp(null)
    else if (!isFirst || token !== this.#stored) this.#applyChange(token)
  }

  #catchUpIfOutdated(): void {
    if (this.#writes === 0 && this.#isOutdated) void this.#catchUp(this.#stored)
  }

  /** Reads the store again after a notification that is perhaps no change. `fallback` is its token if it cannot be read. */
  async #catchUp(fallback: string | null | undefined): Promise<void> {
    const step = ++this.#steps
    const token = await this.#withTimeout(this.#timeoutMs, this.#get(), '').catch(() => fallback)
    // Else what happened meanwhile is newer.
    if (step !== this.#steps) return
    this.#isOutdated = false
    if (token !== undefined && token !== this.#stored) this.#applyChange(token)
  }

  #applyChange(token: string | null): void {
    this.#steps++
    this.#isLoading = false
    this.#isOutdated = false
    this.#isUnsure = false
    this.#stored = token
    if (token === null || isHeaderValue(token)) this.#onChange(token)
    else this.#warn({ code: 'invalid_token', message: INVALID_TOKEN })
  }

  async #get(): Promise<string | null> {
    try {
      return (await this.#store.get()) ?? null
    } catch (cause) {
      throw storeError(`The token store failed to load the token. ${RECOVERY}`, cause)
    }
  }

  async #set(token: string | null, userId: string | undefined, unfinished: string): Promise<void> {
    const before = this.#isUnsure ? undefined : this.#stored
    this.#isUnsure = true
    const set = this.#trySet(token, before, userId)
    try {
      await this.#withTimeout(this.#timeoutMs, set, unfinished)
      this.#stored = token
      this.#isUnsure = false
    } catch (cause) {
      // If the write completes late, it may have replaced a newer token of this client, or of another one.
      set
        .then(async () => {
          this.#isOutdated = true
          if (this.#latest !== token) await this.write(this.#latest)
          else this.#catchUpIfOutdated()
        })
        .catch(() => {})
      throw cause
    }
  }

  async #trySet(token: string | null, before: string | null | undefined, userId: string | undefined): Promise<void> {
    try {
      // Before the token, so that other tabs find both.
      if (token !== null && userId !== undefined) await this.#setUserId(token, userId)
      await (token === null ? this.#store.set(null, before) : this.#store.set(token))
    } catch (cause) {
      throw storeError(
        `The ${writeProblem(token, 'failed to')}.`,
        cause,
        before === undefined ? undefined : [token, before],
      )
    }
  }

  /** Failures are ignored: without the ID, the user is unknown after a reload. */
  async #setUserId(token: string, userId: string): Promise<void> {
    try {
      const step = this.#store.setUserId?.(token, userId)
      if (step) await this.soon(step)
    } catch {}
  }

  async #withTimeout<T>(limitMs: number, promise: Promise<T>, unfinished: string): Promise<T> {
    const scope = new AbortScope('session.setToken', this.#disposed.signal, Infinity)
    try {
      return await scope.withTimeout('timeout', limitMs, () => promise, unfinished)
    } finally {
      scope.close()
    }
  }
}

function writeProblem(token: string | null, failure: 'failed to' | 'did not'): string {
  const [state, action] =
    token === null ? ['session is signed out', 'remove its token'] : ['token is in use', 'save it']
  return `${state}, but the token store ${failure} ${action}`
}

/**
 * Wraps an error of a token store, which may quote the stored value: only its name and code are kept, unless the value
 * is `known` and can be redacted. A SyntaxError may quote only parts of the value, which cannot. Errors of this package,
 * such as those of `fileTokenStore`, quote no token.
 */
function storeError(message: string, cause: unknown, known?: readonly (string | null)[]): RapportError {
  const safeCause = new Error('its message is not shown: it may quote the token')
  try {
    if (
      isRapportError(cause) ||
      (known !== undefined && !(cause instanceof SyntaxError) && Object(cause).name !== 'SyntaxError')
    ) {
      const secrets = compileSecrets((known ?? []).filter((token) => token !== null))
      const error = redactError(cause, secrets)
      const detail = isRapportError(error) ? ` ${error.message}` : ''
      return new RapportError(`${message}${detail}`, { cause: error })
    }
    const { name, code }: { name?: unknown; code?: unknown } = isError(cause) ? cause : {}
    if (typeof name === 'string' && /^\w{0,40}Error$/.test(name)) safeCause.name = name
    if (typeof code === 'string' && /^E[A-Z_]{2,40}$/.test(code)) Object.assign(safeCause, { code })
  } catch {
    // A getter or a proxy threw, and its error may quote the token too.
  }
  return new RapportError(message, { cause: safeCause })
}
