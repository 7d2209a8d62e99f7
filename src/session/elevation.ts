import type { AbortScope } from '../abort'
import { raceAbort, throwIfAborted } from '../abort'
import { isRapportError, type RapportError } from '../errors/base'
import { isMfaCancelledError, MfaCancelledError } from '../errors/client-errors'

/** The verification JWT expires after 5 minutes (Interface, "Limits"); the margin covers the way of a request. */
const LIFETIME_MS = 5 * 60_000

const MARGIN_MS = 10_000

/** Verifications in a row that the service may ignore before prompts stop, and for how long they do. */
const MAX_IGNORED = 2

const IGNORED_MS = LIFETIME_MS

/** Tokens that are remembered before those with nothing open are forgotten. */
const MAX_CACHED = 256

/** What a second factor has opened for one token: the verification JWT, and the prompt that is open for it, if any. */
export class Elevation {
  #jwt: { readonly value: string; readonly expiresAt: number; isAccepted: boolean } | undefined
  #flight: SharedOperation | undefined
  /** Prompts that have failed so far. */
  failures = 0
  #lastFailure: RapportError | undefined
  #ignored = 0
  #ignoredAt = 0
  /** Calls under way that may need it. */
  calls = 0
  readonly #closing = new AbortController()
  readonly #onElevated: () => void

  constructor(onElevated: () => void) {
    this.#onElevated = onElevated
  }

  /** The verification JWT, while it is good. */
  get jwt(): string | undefined {
    if (this.#jwt !== undefined && performance.now() >= this.#jwt.expiresAt) this.#jwt = undefined
    return this.#jwt?.value
  }

  /** Whether there is nothing here worth keeping. */
  get isIdle(): boolean {
    // Whoever waits for a prompt is a call.
    return this.jwt === undefined && this.calls === 0
  }

  /** Rejects where the session has changed since this elevation was taken up. */
  throwIfClosed(): void {
    throwIfAborted(this.#closing.signal)
  }

  /**
   * Keeps a JWT.
   * @param requestedAt When it was asked for, by `performance.now()`: its life may have begun then.
   * @returns Milliseconds that it will be used for.
   */
  store(value: string, requestedAt: number): number {
    this.throwIfClosed()
    const expiresAt = requestedAt + LIFETIME_MS - MARGIN_MS
    this.#jwt = { value, expiresAt, isAccepted: false }
    this.#onElevated()
    return Math.max(0, expiresAt - performance.now())
  }

  /** Notes that a call which the service has asked for a second factor passed with a JWT. */
  accept(value: string): void {
    if (this.#jwt?.value === value) this.#jwt.isAccepted = true
    this.#ignored = 0
  }

  /** Forgets a JWT that the service does not accept. */
  invalidate(value: string): void {
    if (this.#jwt?.value !== value) return
    if (!this.#jwt.isAccepted) {
      this.#ignored++
      this.#ignoredAt = performance.now()
    }
    this.#jwt = undefined
  }

  /**
   * Whether prompts lead to nothing, since the service has ignored the last verifications. It is given another chance
   * when one would have expired: a person is asked that often anyway.
   */
  get isFutile(): boolean {
    if (performance.now() - this.#ignoredAt >= IGNORED_MS) this.#ignored = 0
    return this.#ignored >= MAX_IGNORED
  }

  /**
   * Rejects a call as the prompt was that has failed since the call was sent, when there were `failures`. A verification
   * since makes up for that, unless a person has cancelled.
   */
  throwIfFailedSince(failures: number): void {
    if (failures === this.failures) return
    if (this.jwt === undefined || isMfaCancelledError(this.#lastFailure)) throw this.#lastFailure
  }

  /** Joins the prompt that is open, or opens one with `run`; of calls that come together the first one's runs. */
  async join(run: (flight: SharedOperation) => Promise<void>, call: AbortScope): Promise<void> {
    this.throwIfClosed()
    if (this.#flight === undefined) {
      const flight = new SharedOperation(
        (started) => this.#noteFailure(run, started),
        () => {
          if (this.#flight === flight) this.#flight = undefined
        },
      )
      this.#flight = flight
    }
    await this.#flight.join(call)
  }

  async #noteFailure(run: (flight: SharedOperation) => Promise<void>, flight: SharedOperation): Promise<void> {
    try {
      await run(flight)
    } catch (error) {
      // A prompt that nobody waits for any more has not failed, nor one whose ticket is renewed.
      if (!flight.signal.aborted && isRapportError(error)) {
        this.failures++
        this.#lastFailure = error
      }
      throw error
    }
  }

  /** Ends the open prompt and forgets the JWT, for good: whoever still holds it is told why. */
  close(reason: string): void {
    const error = new MfaCancelledError(reason)
    this.#closing.abort(error)
    this.#jwt = undefined
    this.#flight?.end(error)
  }
}

/** Elevations of tokens that calls are given beside the session's. What the session does is none of their business. */
export class ElevationCache {
  readonly #elevations = new Map<string, Elevation>()
  readonly #onElevated: () => void

  constructor(onElevated: () => void) {
    this.#onElevated = onElevated
  }

  elevation(token: string): Elevation {
    let elevation = this.#elevations.get(token)
    if (elevation === undefined) {
      if (this.#elevations.size >= MAX_CACHED) {
        for (const [key, other] of this.#elevations) if (other.isIdle) this.#elevations.delete(key)
      }
      elevation = new Elevation(this.#onElevated)
      this.#elevations.set(token, elevation)
    }
    return elevation
  }

  /** Closes what was opened for a token, or for all of them. */
  close(reason: string, token?: string): void {
    for (const [key, elevation] of this.#elevations) {
      if (token !== undefined && key !== token) continue
      elevation.close(reason)
      this.#elevations.delete(key)
    }
  }
}

/** One piece of work that several calls wait for. It ends when it is done, or when the last of them has gone. */
export class SharedOperation {
  readonly #control = new AbortController()
  readonly #work: Promise<void>
  readonly #onEnd: () => void
  /** The calls that wait, each with what lets its deadline run again. */
  readonly #waiting = new Map<AbortScope, () => void>()
  #isPaused = false

  constructor(run: (flight: SharedOperation) => Promise<void>, onEnd: () => void) {
    this.#onEnd = onEnd
    this.#work = this.#start(run).finally(onEnd)
    // Each waiter sees how it ends; alone it must not end the process.
    this.#work.catch(() => {})
  }

  /** Aborts when the work is to stop. */
  get signal(): AbortSignal {
    return this.#control.signal
  }

  /** Starts when whoever made the flight has it in hand, since the work may bring about its end. */
  async #start(run: (flight: SharedOperation) => Promise<void>): Promise<void> {
    await Promise.resolve()
    throwIfAborted(this.signal)
    await raceAbort(run(this), this.signal)
  }

  /** Waits for the work, no longer than the call lasts. */
  async join(call: AbortScope): Promise<void> {
    this.#waiting.set(call, this.#isPaused ? call.pause() : () => {})
    try {
      await raceAbort(this.#work, call.signal)
    } finally {
      this.#waiting.get(call)?.()
      this.#waiting.delete(call)
      if (this.#waiting.size === 0 && call.signal.aborted) this.end(call.signal.reason)
    }
  }

  /** Waits for a person: the deadlines of all calls that wait stand still. */
  async pauseWhile<T>(run: () => Promise<T>): Promise<T> {
    this.#isPaused = true
    for (const call of this.#waiting.keys()) this.#waiting.set(call, call.pause())
    try {
      return await run()
    } finally {
      this.#isPaused = false
      for (const [call, resume] of this.#waiting) {
        resume()
        this.#waiting.set(call, () => {})
      }
    }
  }

  /** Stops the work and rejects everyone who waits. Whoever comes next starts anew. */
  end(reason: unknown): void {
    this.#onEnd()
    this.#control.abort(reason)
  }
}
