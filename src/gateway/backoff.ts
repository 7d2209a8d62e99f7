import type { GatewayBackoffOptions } from './options'

/** Before a fresh session, after one was invalid: many may have been, at once. */
const INVALID_MS = { least: 1_000, most: 5_000 }

/** How long to wait before each attempt of an outage: a moment, then full jitter under a limit that doubles. */
export class Backoff {
  readonly #options: Required<GatewayBackoffOptions>
  #attempts = 0

  constructor(options: Required<GatewayBackoffOptions>) {
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

  /** The wait before a fresh session. */
  afterInvalid(): number {
    const { least, most } = INVALID_MS
    return least + Math.random() * (most - least)
  }

  /** Starts over, if what has just ended had lasted. That a socket opens says nothing: it may close at once, each time. */
  endedAfter(uptimeMs: number): void {
    if (uptimeMs >= this.#options.stableMs) this.reset()
  }

  reset(): void {
    this.#attempts = 0
  }
}
