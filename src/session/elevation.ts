import { type AbortScope, raceAbort, throwIfAborted } from '../abort'
import { isRapportError, type RapportError } from '../errors/base'
import { isMfaCancelledError, MfaCancelledError } from '../errors/client-errors'

/** The verification JWT expires after 5 minutes (Interface, "Limits"); the margin covers the latency of a request. */
const LIFETIME_MS = 5 * 60_000
const MARGIN_MS = 10_000
/** Number of successive verifications that the service may ignore before prompts are blocked, and for how long. */
const MAX_IGNORED = 2
const BLOCKED_MS = LIFETIME_MS
/** Number of cached elevations above which idle ones are removed. */
const MAX_CACHED = 256

/** Verification JWT of one token, and its open prompt, if any. */
export class Elevation {
  #jwt: { readonly value: string; readonly expiresAt: number; isAccepted: boolean } | undefined
  #prompt: SharedOperation | undefined
  /** Number of prompts that have failed so far. */
  failures = 0
  #lastFailure: RapportError | undefined
  #ignored = 0
  #ignoredAt = 0
  /** Number of calls in progress with this token. */
  calls = 0
  readonly #closing = new AbortController()
  readonly #onElevated: () => void

  constructor(onElevated: () => void) {
    this.#onElevated = onElevated
  }

  /** The verification JWT, until it expires. */
  get jwt(): string | undefined {
    if (this.#jwt !== undefined && performance.now() >= this.#jwt.expiresAt) this.#jwt = undefined
    return this.#jwt?.value
  }

  /** Whether there is no JWT and no call, hence no prompt. */
  get isIdle(): boolean {
    return this.jwt === undefined && this.calls === 0
  }

  /**
   * Throws if this elevation was closed, because the session changed.
   * @throws MfaCancelledError
   */
  throwIfClosed(): void {
    throwIfAborted(this.#closing.signal)
  }

  /**
   * Stores a JWT.
   * @param requestedAt Time of the request by `performance.now()`; the lifetime may start then.
   * @returns Remaining time for which the JWT is used, in milliseconds.
   */
  store(value: string, requestedAt: number): number {
    this.throwIfClosed()
    const expiresAt = requestedAt + LIFETIME_MS - MARGIN_MS
    this.#jwt = { value, expiresAt, isAccepted: false }
    this.#onElevated()
    return Math.max(0, expiresAt - performance.now())
  }

  /** Records that a call which required a second factor succeeded with a JWT. */
  accept(value: string): void {
    if (this.#jwt?.value === value) this.#jwt.isAccepted = true
    this.#ignored = 0
  }

  /** Discards a JWT that the service rejected. */
  invalidate(value: string): void {
    if (this.#jwt?.value !== value) return
    if (!this.#jwt.isAccepted) {
      this.#ignored++
      this.#ignoredAt = performance.now()
    }
    this.#jwt = undefined
  }

  /**
   * Whether prompts are blocked, because the service ignored the last verifications. The block ends when a JWT would
   * have expired, since the user is prompted that often anyway.
   */
  get isBlocked(): boolean {
    if (performance.now() - this.#ignoredAt >= BLOCKED_MS) this.#ignored = 0
    return this.#ignored >= MAX_IGNORED
  }

  /**
   * Throws the error of the last prompt if one failed since a call started, when there were `failures`. A later
   * verification clears it, unless the user cancelled.
   */
  throwIfFailedSince(failures: number): void {
    if (failures === this.failures) return
    if (this.jwt === undefined || isMfaCancelledError(this.#lastFailure)) throw this.#lastFailure
  }

  /** Joins the open prompt, or opens one with `run`. Concurrent calls share the prompt of the first. */
  async join(run: (prompt: SharedOperation) => Promise<void>, scope: AbortScope): Promise<void> {
    this.throwIfClosed()
    if (this.#prompt === undefined) {
      const prompt = new SharedOperation(
        (operation) => this.#recordFailure(run, operation),
        () => {
          if (this.#prompt === prompt) this.#prompt = undefined
        },
      )
      this.#prompt = prompt
    }
    await this.#prompt.join(scope)
  }

  async #recordFailure(run: (prompt: SharedOperation) => Promise<void>, prompt: SharedOperation): Promise<void> {
    try {
      await run(prompt)
    } catch (error) {
      // An aborted prompt has not failed, nor has one whose ticket expired: it is renewed.
      if (!prompt.signal.aborted && isRapportError(error)) {
        this.failures++
        this.#lastFailure = error
      }
      throw error
    }
  }

  /** Aborts the open prompt and discards the JWT permanently. Pending callers are rejected with `reason`. */
  close(reason: string): void {
    const error = new MfaCancelledError(reason)
    this.#closing.abort(error)
    this.#jwt = undefined
    this.#prompt?.end(error)
  }
}

/** Elevations of a client: of its session, and of per-request tokens (`options.token`), which are independent of it. */
export class Elevations {
  readonly #byToken = new Map<string, Elevation>()
  readonly #onElevated: () => void
  #ofSession: Elevation

  constructor(onElevated: () => void) {
    this.#onElevated = onElevated
    this.#ofSession = new Elevation(onElevated)
  }

  /** Elevation of the session's token. */
  get ofSession(): Elevation {
    return this.#ofSession
  }

  /** Returns the elevation of a per-request token; creates one if there is none. */
  ofToken(token: string): Elevation {
    let elevation = this.#byToken.get(token)
    if (elevation === undefined) {
      if (this.#byToken.size >= MAX_CACHED) {
        for (const [key, other] of this.#byToken) if (other.isIdle) this.#byToken.delete(key)
      }
      elevation = new Elevation(this.#onElevated)
      this.#byToken.set(token, elevation)
    }
    return elevation
  }

  /**
   * Starts over for a new token of the session; `null` if it was signed out. Returns a function that closes the previous
   * prompts.
   */
  changeSession(token: string | null): () => void {
    const previous = this.#ofSession
    this.#ofSession = new Elevation(this.#onElevated)
    return () => {
      previous.close(token === null ? 'the session was signed out' : 'the session changed')
      // Requests that pass this token now share the session's prompt, so close the separate one.
      if (token !== null) this.closeToken('the session now uses the token', token)
    }
  }

  /** Closes the elevation of a per-request token, or of all of them. */
  closeToken(reason: string, token?: string): void {
    for (const [key, elevation] of this.#byToken) {
      if (token !== undefined && key !== token) continue
      elevation.close(reason)
      this.#byToken.delete(key)
    }
  }

  /** Closes all elevations. */
  dispose(): void {
    this.#ofSession.close('the client was disposed')
    this.closeToken('the client was disposed')
  }
}

/** A single in-flight operation shared by several calls. Aborted when the last of them aborts. */
export class SharedOperation {
  readonly #control = new AbortController()
  readonly #promise: Promise<void>
  readonly #onEnd: () => void
  /** Waiting calls, each with the function that resumes its deadline. */
  readonly #waiters = new Map<AbortScope, () => void>()
  #isPaused = false

  constructor(run: (operation: SharedOperation) => Promise<void>, onEnd: () => void) {
    this.#onEnd = onEnd
    this.#promise = this.#start(run).finally(onEnd)
    // The waiters handle a rejection; avoid an unhandled rejection here.
    this.#promise.catch(() => {})
  }

  /** Aborts when the operation is to stop. */
  get signal(): AbortSignal {
    return this.#control.signal
  }

  /** Deferred by a microtask, because `run` may call `end()` before the constructor returns. */
  async #start(run: (operation: SharedOperation) => Promise<void>): Promise<void> {
    await Promise.resolve()
    throwIfAborted(this.signal)
    await raceAbort(run(this), this.signal)
  }

  /** Waits for the operation until the scope of the call aborts. */
  async join(scope: AbortScope): Promise<void> {
    this.#waiters.set(scope, this.#isPaused ? scope.pause() : () => {})
    try {
      await raceAbort(this.#promise, scope.signal)
    } finally {
      this.#waiters.get(scope)?.()
      this.#waiters.delete(scope)
      if (this.#waiters.size === 0 && scope.signal.aborted) this.end(scope.signal.reason)
    }
  }

  /** Pauses the deadlines of all waiting calls while `run` waits for user input. */
  async pauseWhile<T>(run: () => Promise<T>): Promise<T> {
    this.#isPaused = true
    for (const scope of this.#waiters.keys()) this.#waiters.set(scope, scope.pause())
    try {
      return await run()
    } finally {
      this.#isPaused = false
      for (const [scope, resume] of this.#waiters) {
        resume()
        this.#waiters.set(scope, () => {})
      }
    }
  }

  /** Aborts the operation and rejects all waiters. The next call starts a new one. */
  end(reason: unknown): void {
    this.#onEnd()
    this.#control.abort(reason)
  }
}
