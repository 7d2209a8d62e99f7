import type { GatewayBackoffOptions } from './options'

/** How many sessions may begin in a minute. */
const MOST_SESSIONS = 5
const MINUTE_MS = 60_000

/** The options, with their defaults. */
type Waits = Readonly<Record<keyof GatewayBackoffOptions, number>>

/**
 * How long to wait before each attempt of an outage: a moment, then full jitter under a limit that doubles. And how many
 * sessions may begin.
 */
export class Backoff {
  readonly #options: Waits
  #attempts = 0
  #readyAt = Infinity
  /** When the sessions of the last minute began. */
  #beginnings: number[] = []

  constructor(options: Waits) {
    this.#options = options
  }

  /** The wait before the next attempt, in milliseconds. */
  next(): number {
    const { firstMs, baseMs, maxMs } = this.#options
    const limit = this.#attempts === 0 ? firstMs : Math.min(maxMs, baseMs * 2 ** (this.#attempts - 1))
    // Beyond this 0 times the power is not 0.
    this.#attempts = Math.min(this.#attempts + 1, 1_000)
    return Math.random() * limit
  }

  /** The wait before a fresh session, after one was invalid: many may have been, at once. */
  afterInvalid(): number {
    return 1_000 + Math.random() * 4_000
  }

  /** Notes that a session begins. Returns whether it may: a loop of sessions that end as soon as they begin has an end. */
  mayIdentify(): boolean {
    const now = performance.now()
    this.#beginnings = this.#beginnings.filter((time) => now - time < MINUTE_MS)
    return this.#beginnings.push(now) <= MOST_SESSIONS
  }

  /** A session has started or was resumed. That a socket opens says nothing: it may close at once, each time. */
  began(): void {
    this.#readyAt = performance.now()
  }

  /** Starts over, if what has just ended had lasted. */
  ended(): void {
    if (performance.now() - this.#readyAt >= this.#options.stableMs) this.#attempts = 0
    this.#readyAt = Infinity
  }

  /** Forgets what was before. */
  reset(): void {
    this.#attempts = 0
    this.#beginnings = []
  }
}
