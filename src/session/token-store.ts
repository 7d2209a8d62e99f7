// Keeps a session and the app's token store in step.
import { AbortScope } from '../abort'
import { DISPOSED, isRapportError, RapportError, redactError } from '../errors/base'
import { ignoreErrors } from '../internal/emitter'
import { readField } from '../internal/json'
import { isHeaderValue } from '../internal/options'
import { compileSecrets } from '../internal/redact'
import type { StoreWarning, TokenRecord, TokenStore } from '../types/options'

/** Advice in errors about the stored token. */
export const RECOVERY = 'To continue without it, call `session.setToken` with a token or null.'

/** Problem of a stored token; the value is not shown. */
export const INVALID_TOKEN = 'The value in the token store is not a valid token.'

/** Reads, writes and observes a {@link TokenStore}. Errors show no token, and no call waits longer than the client's `timeout`. */
export class StoreSync {
  readonly #store: TokenStore
  readonly #timeoutMs: number
  readonly #onChange: (record: TokenRecord | null) => void
  readonly #warn: (warning: StoreWarning) => void
  readonly #disposed = new AbortController()
  #unsubscribe: (() => void) | undefined
  /** What the store had last; `undefined` if that is not known yet. */
  #stored: TokenRecord | null | undefined
  /** Whether it may have something else: during a write, and after one that failed. */
  #isUnsure = false
  /** Whether a notification during a write must still be caught up on. */
  #isOutdated = false
  /** Whether what the store has is not known to a client that has a token: its first notification is not a change. */
  #isOverriding = false
  /** Number of writes, changes and catch-ups so far. */
  #steps = 0
  /** Last record to be written, which the store has once all writes are done. */
  #latest: TokenRecord | null = null
  #lastWrite: Promise<void> = Promise.resolve()
  #writes = 0

  constructor(
    store: TokenStore,
    timeoutMs: number,
    onChange: (record: TokenRecord | null) => void,
    warn: (warning: StoreWarning) => void,
  ) {
    this.#warn = warn
    this.#store = store
    this.#timeoutMs = timeoutMs
    this.#onChange = onChange
  }

  /** Subscribes to changes that others make. With `isOverridden` what the store has already is not a change. */
  subscribe(isOverridden: boolean): void {
    if (isOverridden && this.#store.subscribe !== undefined) {
      this.#isOverriding = true
      this.load().then(
        () => {
          this.#isOverriding = false
        },
        () => {},
      )
    }
    try {
      this.#unsubscribe = this.#store.subscribe?.((value) => this.#onNotification(value), this.#warn)
    } catch (cause) {
      throw storeError('The token store failed to subscribe to changes.', cause)
    }
  }

  /** Loads what is stored. */
  async load(): Promise<TokenRecord | null> {
    const step = this.#steps
    const record = await this.#get()
    if (step === this.#steps) this.#stored = record
    return record
  }

  /**
   * Writes a record; `null` removes it. Writes are sequential, so that the last one is saved. A write that takes longer than
   * the client's `timeout` does not delay the next.
   */
  write(record: TokenRecord | null, timeoutMs = this.#timeoutMs): Promise<void> {
    this.#steps++
    this.#isOverriding = false
    this.#latest = record
    const unfinished = `the ${writeProblem(record, 'did not')}`
    const write = this.#enqueue(() => this.#set(record, unfinished))
    return this.#withTimeout(timeoutMs, write, unfinished)
  }

  /** Waits until the token is loaded, at most for the client's `timeout`; it may still be loaded later. */
  limit(loading: Promise<void>): Promise<void> {
    return this.#withTimeout(this.#timeoutMs, loading, 'the token store did not load the token', 'client.ready')
  }

  dispose(): void {
    // Errors of the store are ignored here; they may quote the token.
    ignoreErrors(() => this.#unsubscribe?.())
    this.#steps++
    this.#disposed.abort(new RapportError(DISPOSED))
  }

  #onNotification(value: unknown): void {
    const record = readRecord(value)
    // It may be that of an earlier write, which the one in progress replaces.
    if (this.#writes > 0) this.#isOutdated = true
    else if (record === undefined) this.#warn({ code: 'invalid_token', message: INVALID_TOKEN })
    else if (this.#isOverriding) {
      this.#isOverriding = false
      this.#steps++
      this.#stored = record
    } else this.#follow(record)
  }

  /** Applies what the store has now, which is newer than any catch-up or load. */
  #follow(record: TokenRecord | null): void {
    this.#steps++
    this.#isOutdated = false
    this.#isUnsure = false
    this.#latest = record
    if (isSame(record, this.#stored)) return
    this.#stored = record
    this.#onChange(record)
  }

  /** Reads the store again after notifications during writes. The session stays as it is if the store cannot be read. */
  async #catchUp(): Promise<void> {
    if (this.#writes > 0 || !this.#isOutdated) return
    const step = ++this.#steps
    const record = await this.#withTimeout(this.#timeoutMs, this.#get(), '').catch(() => undefined)
    // Else what happened meanwhile is newer.
    if (step !== this.#steps) return
    this.#isOutdated = false
    if (record !== undefined) this.#follow(record)
  }

  async #get(): Promise<TokenRecord | null> {
    let value: unknown
    try {
      value = await this.#store.get()
    } catch (cause) {
      throw storeError(`The token store failed to load the token. ${RECOVERY}`, cause)
    }
    const record = readRecord(value)
    if (record === undefined) throw new RapportError(`${INVALID_TOKEN} ${RECOVERY}`)
    return record
  }

  #enqueue(write: () => Promise<void>): Promise<void> {
    this.#writes++
    const result = this.#lastWrite.then(write)
    this.#lastWrite = result
      .catch(() => {})
      .then(() => {
        this.#writes--
        void this.#catchUp()
      })
    return result
  }

  async #set(record: TokenRecord | null, unfinished: string): Promise<void> {
    const before = this.#isUnsure ? undefined : this.#stored
    this.#isUnsure = true
    const set = this.#trySet(record, before)
    try {
      await this.#withTimeout(this.#timeoutMs, set, unfinished)
      this.#stored = record
      this.#isUnsure = false
    } catch (cause) {
      // If the write completes late, it may have replaced a newer token of this client, or of another one.
      set
        .then(async () => {
          this.#isOutdated = true
          this.#isUnsure = true
          if (this.#latest !== record) await this.write(this.#latest)
          else await this.#catchUp()
        })
        .catch(() => {})
      throw cause
    }
  }

  async #trySet(record: TokenRecord | null, before: TokenRecord | null | undefined): Promise<void> {
    try {
      await (record === null && before !== undefined ? this.#store.set(null, before) : this.#store.set(record))
    } catch (cause) {
      throw storeError(
        `The ${writeProblem(record, 'failed to')}.`,
        cause,
        before === undefined ? undefined : [record, before],
      )
    }
  }

  async #withTimeout<T>(
    limitMs: number,
    promise: Promise<T>,
    unfinished: string,
    name = 'session.setToken',
  ): Promise<T> {
    const scope = new AbortScope(name, this.#disposed.signal, Infinity)
    try {
      return await scope.withTimeout('timeout', limitMs, () => promise, unfinished)
    } finally {
      scope.close()
    }
  }
}

/** Reads what a store returns or emits; `undefined` if it is not a record of a valid token. */
function readRecord(value: unknown): TokenRecord | null | undefined {
  if (value === null || value === undefined) return null
  const token = readField(value, 'token')
  const userId = readField(value, 'userId')
  return isHeaderValue(token) ? { token, userId: typeof userId === 'string' ? userId : undefined } : undefined
}

function isSame(record: TokenRecord | null, other: TokenRecord | null | undefined): boolean {
  return other !== undefined && record?.token === other?.token && record?.userId === other?.userId
}

function writeProblem(record: TokenRecord | null, failure: 'failed to' | 'did not'): string {
  const [state, action] =
    record === null ? ['session is signed out', 'remove its token'] : ['token is in use', 'save it']
  return `${state}, but the token store ${failure} ${action}`
}

/**
 * Wraps an error of a token store, which may quote the stored value: only its name and code are kept, unless the value
 * is `known` and can be redacted. A SyntaxError may quote only parts of the value, which cannot. Errors of this package,
 * such as those of `fileTokenStore`, quote no token.
 */
function storeError(message: string, cause: unknown, known?: readonly (TokenRecord | null)[]): RapportError {
  const safeCause = new Error('its message is not shown: it may quote the token')
  try {
    if (isRapportError(cause) || (known !== undefined && Object(cause).name !== 'SyntaxError')) {
      const secrets = compileSecrets((known ?? []).flatMap((record) => record?.token ?? []))
      const error = redactError(cause, secrets)
      const detail = isRapportError(error) ? ` ${error.message}` : ''
      return new RapportError(`${message}${detail}`, { cause: error })
    }
    const { name, code }: { name?: unknown; code?: unknown } = Object(cause)
    if (typeof name === 'string' && /^\w{0,40}Error$/.test(name)) safeCause.name = name
    if (typeof code === 'string' && /^E[A-Z_]{2,40}$/.test(code)) Object.assign(safeCause, { code })
  } catch {
    // A getter or a proxy threw, and its error may quote the token too.
  }
  return new RapportError(message, { cause: safeCause })
}
