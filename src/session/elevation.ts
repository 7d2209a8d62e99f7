import { MfaCancelledError } from '../errors/mfa-errors'
import { Flight } from './flight'

/** The verification JWT expires after 5 minutes (Interface, "Limits"); the margin covers the way of a request. */
const LIFETIME_MS = 5 * 60_000
const MARGIN_MS = 10_000
/** Tokens that are remembered before those with nothing open are forgotten. */
const MANY = 256

/** What a second factor has opened for one token: the verification JWT, and the prompt that is open for it, if any. */
export class Elevation {
  #jwt: { readonly value: string; readonly expiresAt: number } | undefined
  #flight: Flight | undefined
  #calls = 0
  readonly #closed: AbortSignal
  readonly #onElevated: () => void

  constructor(closed: AbortSignal, onElevated: () => void) {
    this.#closed = closed
    this.#onElevated = onElevated
  }

  /** The verification JWT, while it is good. */
  get jwt(): string | undefined {
    if (this.#jwt !== undefined && performance.now() >= this.#jwt.expiresAt) this.#jwt = undefined
    return this.#jwt?.value
  }

  /** Whether there is nothing here worth keeping. */
  get isIdle(): boolean {
    return this.jwt === undefined && this.#flight === undefined && this.#calls === 0
  }

  /** Runs a call that may need it. */
  async heldFor<T>(run: () => Promise<T>): Promise<T> {
    this.#calls++
    try {
      return await run()
    } finally {
      this.#calls--
    }
  }

  /** Rejects where the session has changed since this elevation was taken up. */
  throwIfClosed(): void {
    this.#closed.throwIfAborted()
  }

  /**
   * Keeps a JWT.
   * @param requestedAt When it was asked for, by `performance.now()`: its life may have begun then.
   * @returns Milliseconds that it will be used for.
   */
  keep(value: string, requestedAt: number): number {
    this.throwIfClosed()
    const expiresAt = requestedAt + LIFETIME_MS - MARGIN_MS
    this.#jwt = { value, expiresAt }
    this.#onElevated()
    return Math.max(0, expiresAt - performance.now())
  }

  /** Forgets a JWT that the service does not accept. */
  drop(value: string): void {
    if (this.#jwt?.value === value) this.#jwt = undefined
  }

  /** Joins the prompt that is open, or opens one with `run`; of calls that come together the first one's runs. */
  async join(run: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    this.throwIfClosed()
    if (this.#flight === undefined) {
      const flight = new Flight(run, () => {
        if (this.#flight === flight) this.#flight = undefined
      })
      this.#flight = flight
    }
    await this.#flight.join(signal)
  }

  /** Ends the open prompt and forgets the JWT. */
  end(reason: Error): void {
    this.#jwt = undefined
    this.#flight?.end(reason)
  }
}

/** Elevations by token: what one account's second factor has opened is never used for another. */
export class Elevations {
  readonly #byToken = new Map<string | null, Elevation>()
  #closing = new AbortController()
  readonly #onElevated: () => void

  constructor(onElevated: () => void) {
    this.#onElevated = onElevated
  }

  of(token: string | null): Elevation {
    let elevation = this.#byToken.get(token)
    if (elevation === undefined) {
      if (this.#byToken.size >= MANY) {
        for (const [key, other] of this.#byToken) if (other.isIdle) this.#byToken.delete(key)
      }
      elevation = new Elevation(this.#closing.signal, this.#onElevated)
      this.#byToken.set(token, elevation)
    }
    return elevation
  }

  /** Closes every elevation there is, for good; one that was forgotten here may still be in the hands of a challenge. */
  close(reason: string): void {
    const error = new MfaCancelledError(reason)
    this.#closing.abort(error)
    this.#closing = new AbortController()
    for (const elevation of this.#byToken.values()) elevation.end(error)
    this.#byToken.clear()
  }
}
