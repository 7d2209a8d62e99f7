import { type AbortScope, bindFlow, raceAbort, throwIfAborted } from '../abort'
import { isRapportError, type RapportError } from '../errors/base'
import { isMfaCancelledError, MfaCancelledError } from '../errors/client-errors'
import type { CallInfo } from '../types/options'
import type { SharedVerifications, SharedWarn } from './shared-verifications'

/** The verification JWT expires after 5 minutes (API, "Limits"); the margin covers the latency of a request. */
const LIFETIME_MS = 300_000
const MARGIN_MS = 10_000
/** Number of successive verifications that the service may ignore before prompts are blocked, and for how long. */
const MAX_IGNORED = 2
const BLOCKED_MS = LIFETIME_MS
/** Number of cached elevations above which idle ones are removed. */
const MAX_IDLE = 256
/** Number above which also the oldest verifications are removed. */
const MAX_CACHED = 10_000

/** Client whose calls use an {@link Elevation}. */
interface Caller {
  readonly session: { elevated(): void }
  readonly events: { readonly isObserved: boolean; emit(type: 'elevated', event: CallInfo): void }
}

/** Call whose requests carry the verification of its account. */
interface VerifiedCall {
  readonly prepared: { readonly stepUp: boolean }
  readonly record: { readonly attempts: number }
  readonly sentSecrets: Set<string>
  failuresBefore: number
  jwt: string | undefined
}

/** Verification JWT of one token, and its open prompt, if any. */
export class Elevation {
  #jwt: { readonly value: string; readonly expiresAt: number; isAccepted: boolean } | undefined
  #prompt: SharedOperation | undefined
  /** Number of prompts that have failed so far. */
  failures = 0
  #lastFailure: RapportError | undefined
  #ignored = 0
  #ignoredAt = 0
  /** Calls in progress with this token, each with its client. */
  readonly calls = new Map<object, Caller>()
  readonly #closing = new AbortController()

  /** The verification JWT, until it expires. */
  get jwt(): string | undefined {
    if (this.#jwt !== undefined && performance.now() >= this.#jwt.expiresAt) this.#jwt = undefined
    return this.#jwt?.value
  }

  /** Whether the token was signed out or replaced. */
  get isClosed(): boolean {
    return this.#closing.signal.aborted
  }

  /**
   * Throws if this elevation was closed, because the session changed.
   * @throws MfaCancelledError
   */
  throwIfClosed(): void {
    throwIfAborted(this.#closing.signal)
  }

  /**
   * Stores a JWT and notifies the clients that have a call in progress.
   * @param requestedAt Time of the request by `performance.now()`; the lifetime may start then.
   * @param describe Returns the call that required it, for events.
   * @returns Remaining time for which the JWT is used, in milliseconds.
   */
  store(value: string, requestedAt: number, describe: () => CallInfo): number {
    this.throwIfClosed()
    const expiresAt = requestedAt + LIFETIME_MS - MARGIN_MS
    this.#jwt = { value, expiresAt, isAccepted: false }
    for (const { session, events } of new Set(this.calls.values())) {
      session.elevated()
      if (events.isObserved) events.emit('elevated', describe())
    }
    return Math.max(0, expiresAt - performance.now())
  }

  /** Adds the JWT to the headers of a request, and to the call what {@link throwIfFailedSince} needs to know of its first. */
  addTo(call: VerifiedCall, headers: Record<string, string>, headerName: string): void {
    if (call.record.attempts === 1) call.failuresBefore = this.failures
    call.jwt = call.prepared.stepUp ? this.jwt : undefined
    if (call.jwt === undefined) return
    headers[headerName] = call.jwt
    // The name of its header is an option.
    call.sentSecrets.add(call.jwt)
  }

  /** Uses a JWT that another process has verified, unless the service has just rejected it. */
  adopt(value: string, expiresInMs: number, rejected: string | undefined): void {
    if (this.isClosed || this.jwt !== undefined || value === rejected) return
    const lifetimeMs = Math.min(expiresInMs, LIFETIME_MS - MARGIN_MS)
    // Accepted: if the service rejects it, no verification of this process was ignored.
    this.#jwt = { value, expiresAt: performance.now() + lifetimeMs, isAccepted: true }
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

  /**
   * Joins the open prompt, or opens one with `run`. Concurrent calls share the prompt of the first. If the client that
   * opened it is disposed, the next waiting call opens its own.
   */
  async join(run: (prompt: SharedOperation) => Promise<void>, scope: AbortScope): Promise<void> {
    for (;;) {
      this.throwIfClosed()
      const prompt = this.#prompt ?? this.#open(run)
      try {
        return await prompt.join(scope)
      } catch (error) {
        if (!prompt.signal.aborted || scope.signal.aborted) throw error
      }
    }
  }

  #open(run: (prompt: SharedOperation) => Promise<void>): SharedOperation {
    const prompt = new SharedOperation(
      (operation) => this.#recordFailure(run, operation),
      () => {
        if (this.#prompt === prompt) this.#prompt = undefined
      },
    )
    this.#prompt = prompt
    return prompt
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
    this.#prompt?.abort(error)
  }
}

/**
 * Elevations of the accounts of all clients of one parent, by token. It keeps no reference to a client without a call in
 * progress: many are made for one request and never disposed.
 */
export class Elevations {
  /** Never has the key `null`. */
  readonly #byToken = new Map<string | null, Elevation>()
  #maxSize = MAX_IDLE

  /** @param shared Those of other processes, if the app has a store for them. */
  constructor(readonly shared?: Promise<SharedVerifications>) {}

  /**
   * Returns the elevation of a token. Without a token, a client shares nothing with others.
   * @param known Last one of the caller with this token, which may have been removed from the cache.
   */
  of(token: string | null, known?: Elevation): Elevation {
    const shared = this.#byToken.get(token)
    if (shared) return shared
    const elevation = known?.isClosed === false ? known : new Elevation()
    if (token !== null) {
      this.#shrink()
      this.#byToken.set(token, elevation)
    }
    return elevation
  }

  /**
   * Forgets the verification of a token, also for other processes. Returns a function that closes its prompt.
   * @param known See {@link of}.
   */
  forget(token: string | null, reason: string, warn: SharedWarn, known?: Elevation): () => void {
    if (token !== null) void this.shared?.then((shared) => shared.delete(token, warn))
    const shared = this.#byToken.get(token)
    this.#byToken.delete(token)
    return () => {
      shared?.close(reason)
      known?.close(reason)
    }
  }

  /** Resolves when what `forget` has started for other processes is done. */
  async settled(token: string | null): Promise<void> {
    if (token !== null) await (await this.shared)?.settled(token)
  }

  /** Makes room; not at each new token, because it takes time in proportion to those that are kept. */
  #shrink(): void {
    const { size } = this.#byToken
    if (size < this.#maxSize) return
    for (const [token, { calls, jwt }] of this.#byToken) {
      const isSurplus = size >= MAX_CACHED && this.#byToken.size > MAX_CACHED / 2
      if (calls.size === 0 && (jwt === undefined || isSurplus)) this.#byToken.delete(token)
    }
    this.#maxSize = Math.min(MAX_CACHED, Math.max(MAX_IDLE, 2 * this.#byToken.size))
  }
}

/** A single in-flight operation shared by several calls. Aborted when the last of them aborts, or by {@link abort}. */
export class SharedOperation {
  readonly #control = new AbortController()
  readonly #promise: Promise<void>
  readonly #onEnd: () => void
  /** Waiting calls, each with the function that resumes its deadline. */
  readonly #waiters = new Map<AbortScope, () => void>()
  #isPaused = false

  constructor(run: (operation: SharedOperation) => Promise<void>, onEnd: () => void) {
    this.#onEnd = onEnd
    bindFlow(this.signal, this)
    this.#promise = this.#start(run).finally(onEnd)
    // The waiters handle a rejection; avoid an unhandled rejection here.
    this.#promise.catch(() => {})
  }

  /** Aborts when the operation is to stop. */
  get signal(): AbortSignal {
    return this.#control.signal
  }

  /** Time until the last deadline of the waiting calls, in milliseconds. */
  get remainingMs(): number {
    return Math.max(...Array.from(this.#waiters.keys(), (scope) => scope.remainingMs))
  }

  /** Deferred by a microtask, because `run` may call `abort()` before the constructor returns. */
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
      if (this.#waiters.size === 0 && scope.signal.aborted) this.abort(scope.signal.reason)
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
  abort(reason: unknown): void {
    this.#onEnd()
    this.#control.abort(reason)
  }
}
