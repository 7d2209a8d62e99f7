import type { GatewayBackoffOptions } from './options'

/** How many sessions may begin in a row. */
const MAX_IDENTIFIES = 5
/** How often a session may begin in the long run: one in so many milliseconds. */
const IDENTIFY_MS = 5_000

/** The options, with their defaults. */
type Waits = Readonly<Record<keyof GatewayBackoffOptions, number>>

/**
 * How long to wait before each attempt of an outage: a moment, then full jitter under a limit that doubles. Also how
 * often a session may begin.
 */
export class Backoff {
  readonly #options: Waits
  #attempts = 0
  #connectedAt = Infinity
  #failedAt = -Infinity
  /** When the next session could begin if none came in a burst: each one moves it on by `IDENTIFY_MS`. */
  #identifiesUntil = -Infinity

  constructor(options: Waits) {
    this.#options = options
  }

  /** Returns the wait before the next attempt, in milliseconds. */
  next(): number {
    const { firstMs, baseMs, maxMs } = this.#options
    const limit = this.#attempts === 0 ? firstMs : Math.min(maxMs, baseMs * 2 ** (this.#attempts - 1))
    // Beyond this 0 times the power is not 0.
    this.#attempts = Math.min(this.#attempts + 1, 1_000)
    return Math.random() * limit
  }

  /** Returns the wait before a fresh session, after one was invalid: many may have been, at once. */
  afterInvalid(): number {
    return 1_000 + Math.random() * 4_000
  }

  /** Returns the wait before `connect` may open a connection: who calls it on each failure must not hammer the service. */
  beforeConnect(): number {
    if (this.#failedAt === -Infinity) return 0
    return Math.max(0, this.#failedAt + this.next() - performance.now())
  }

  /** Returns the wait before a session may begin. */
  beforeIdentify(): number {
    return Math.max(0, this.#identifiesUntil - (MAX_IDENTIFIES - 1) * IDENTIFY_MS - performance.now())
  }

  /** Counts a session that begins. */
  markIdentified(): void {
    this.#identifiesUntil = Math.max(this.#identifiesUntil, performance.now()) + IDENTIFY_MS
  }

  /** Notes that a session has started or was resumed. An open socket says nothing: it may close at once, each time. */
  markConnected(): void {
    this.#connectedAt = performance.now()
  }

  /** Notes that a connection has ended. One that had lasted, or that the app ended, counts toward nothing. */
  markEnded(isByApp: boolean): void {
    const uptimeMs = performance.now() - this.#connectedAt
    const hasLasted = uptimeMs >= this.#options.stableMs
    if (hasLasted) this.reset()
    if (hasLasted || (isByApp && uptimeMs >= 0)) this.#identifiesUntil -= IDENTIFY_MS
    this.#connectedAt = Infinity
  }

  /** Notes that the gateway has ended because it failed. */
  markFailed(): void {
    this.#failedAt = performance.now()
  }

  /** Starts over with the waits, and forgets a failure. What bounds sessions stays. */
  reset(): void {
    this.#attempts = 0
    this.#failedAt = -Infinity
  }
}
