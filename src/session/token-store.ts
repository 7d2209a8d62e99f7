import { AbortScope } from '../abort'
import { RapportError } from '../errors/base'
import { safeCall } from '../internal/emitter'
import { compileSecrets, redactError } from '../internal/redact'
import type { TokenStore } from '../types/options'

/** Keeps the token in memory, for as long as the process or the page lives. The default. */
export function memoryTokenStore(): TokenStore {
  let kept: string | null = null
  return {
    get: () => kept,
    set: (token) => {
      kept = token
    },
  }
}

/** What to do without the stored token. */
export const WITHOUT_IT = 'Set one, or null, by `session.setToken` to go on without it.'

/** Loads, writes and follows a {@link TokenStore}. Its errors show no token, and no write is awaited without a limit. */
export class StoreSync {
  readonly #store: TokenStore
  readonly #timeoutMs: number
  readonly #onChange: (token: string | null) => void
  readonly #disposed = new AbortController()
  #unsubscribe: (() => void) | undefined
  /** What the store holds; `undefined` if unknown. */
  #held: string | null | undefined
  /** What it is to hold once all writes are done. */
  #wanted: string | null = null
  #isLoading = false
  /** Whether a `null` came during the load. */
  #isNullReported = false
  /** Whether a notification has come. The first may be the value that the store had before, or its initial `null`. */
  #isNotified = false
  #lastWrite: Promise<void> = Promise.resolve()
  #writes = 0

  constructor(store: TokenStore, timeoutMs: number, onChange: (token: string | null) => void) {
    this.#store = store
    this.#timeoutMs = timeoutMs
    this.#onChange = onChange
  }

  /** Subscribes to changes that others make. With `isOverridden` what the store holds already is no change. */
  subscribe(isOverridden: boolean): void {
    if (isOverridden && this.#store.subscribe !== undefined) this.load().catch(() => {})
    // As with `get`, nothing is `null`.
    const notified = (token: string | null | undefined) => this.#notified(token ?? null, isOverridden)
    try {
      this.#unsubscribe = this.#store.subscribe?.(notified)
    } catch (cause) {
      throw storeError('The token store failed to subscribe to changes.', cause)
    }
  }

  /** Loads the stored token. */
  async load(): Promise<string | null> {
    this.#isLoading = true
    try {
      let token = await this.#get()
      // Either somebody has signed out meanwhile, or it was the store's initial value: its content tells.
      if (token !== null && this.#isNullReported) token = await this.#get()
      if (this.#isLoading) this.#held = token
      return token
    } finally {
      this.#isLoading = false
    }
  }

  /**
   * Writes a token; `null` forgets it. Writes follow one another, so that the last token is the one that is kept. A write
   * that takes longer than the client's `timeout` no longer holds up the next.
   */
  write(token: string | null, timeoutMs = this.#timeoutMs): Promise<void> {
    this.#isLoading = false
    this.#wanted = token
    this.#writes++
    const write = this.#lastWrite.then(() => this.#set(token))
    this.#lastWrite = write
      .catch(() => {})
      .then(() => {
        this.#writes--
      })
    return this.#within(timeoutMs, write, `the ${outcome(token, 'did not')}`)
  }

  dispose(): void {
    // What a store throws here stops nothing, and may quote the token.
    safeCall(
      () => this.#unsubscribe?.(),
      undefined,
      () => {},
    )
    this.#disposed.abort(new RapportError('The client was disposed.'))
  }

  #notified(token: string | null, isOverridden: boolean): void {
    const isFirst = !this.#isNotified
    this.#isNotified = true
    // The write under way replaces whatever this is about, an earlier write most likely.
    if (this.#writes > 0) return
    if (this.#isLoading && (token === null || isOverridden)) this.#isNullReported = true
    else if (isFirst && token === null && typeof this.#held === 'string') void this.#confirmNull(this.#held)
    else if (!isFirst || token !== this.#held) this.#changed(token)
  }

  /** Reads the store again after a first `null`, which is no sign-out if the store still holds its token. */
  async #confirmNull(before: string): Promise<void> {
    const token = await this.#within(this.#timeoutMs, this.#get(), '').catch(() => null)
    if (token !== before && this.#held === before && this.#writes === 0) this.#changed(token)
  }

  #changed(token: string | null): void {
    this.#isLoading = false
    this.#held = token
    this.#onChange(token)
  }

  async #get(): Promise<string | null> {
    try {
      return (await this.#store.get()) ?? null
    } catch (cause) {
      throw storeError(`The token store failed to load the token. ${WITHOUT_IT}`, cause)
    }
  }

  async #set(token: string | null): Promise<void> {
    const held = this.#held
    this.#held = undefined
    const set = this.#trySet(token, held === undefined ? undefined : [token, held])
    try {
      await this.#within(this.#timeoutMs, set, `the ${outcome(token, 'did not')}`)
      this.#held = token
    } catch (cause) {
      // If it completes after all, it may have replaced a newer token.
      set
        .then(async () => {
          if (this.#wanted !== token) await this.write(this.#wanted)
        })
        .catch(() => {})
      throw cause
    }
  }

  async #trySet(token: string | null, known: readonly (string | null)[] | undefined): Promise<void> {
    try {
      await this.#store.set(token)
    } catch (cause) {
      throw storeError(`The ${outcome(token, 'failed to')}.`, cause, known)
    }
  }

  async #within<T>(limitMs: number, promise: Promise<T>, what: string): Promise<T> {
    const scope = new AbortScope('session.setToken', this.#disposed.signal, Infinity)
    try {
      return await scope.withTimeout('timeout', limitMs, () => promise, what)
    } finally {
      scope.close()
    }
  }
}

function outcome(token: string | null, how: 'failed to' | 'did not'): string {
  return token === null
    ? `session is signed out, but the token store ${how} forget its token`
    : `token is in use, but the token store ${how} keep it`
}

/**
 * Wraps what a store threw. It may quote its content: unless that is `known`, and for errors of parsers, which quote parts
 * of it, only name and code are kept.
 */
function storeError(message: string, cause: unknown, known?: readonly (string | null)[]): RapportError {
  const shown = new Error('its message is not shown, since it may quote the token')
  try {
    if (known !== undefined && !(cause instanceof SyntaxError)) {
      const secrets = compileSecrets(known.filter((token) => token !== null))
      return new RapportError(message, { cause: redactError(cause, secrets) })
    }
    const { name, code }: { name?: unknown; code?: unknown } = cause instanceof Error ? cause : {}
    if (typeof name === 'string' && /^\w{0,40}Error$/.test(name)) shown.name = name
    if (typeof code === 'string' && /^E[A-Z_]{2,40}$/.test(code)) Object.assign(shown, { code })
  } catch {
    // A getter or a proxy threw, and what it threw may quote the token as well.
  }
  return new RapportError(message, { cause: shown })
}
