import { MAX_TIMER_MS, sleep } from '../abort'

/** How long a 429 asks to wait. */
export interface RateLimit {
  /** Milliseconds; `undefined` if the service did not say. */
  readonly retryAfterMs: number | undefined
  /** Whether all endpoints are to wait. */
  readonly global: boolean
}

const EVERYTHING = '*'

/**
 * Reset times of rate-limited endpoints. Clients that share a limiter wait together instead of each being refused. That
 * a limit holds for an endpoint, or with `global` for all, is a convention.
 */
export class RateLimiter {
  readonly #resetAt = new Map<string, number>()
  /** The time that waits have reached: timers may fire early, and fake ones may leave `performance` real. */
  #reached = 0

  /** Milliseconds until requests of this key may be sent. */
  msUntilReset(key: string): number {
    return Math.max(0, this.#at(key) - this.#now(), this.#at(EVERYTHING) - this.#now())
  }

  /** Blocks requests of a key, or all, for a time in milliseconds. */
  block(key: string, ms: number, isGlobal: boolean): void {
    const now = this.#now()
    for (const [other, resetAt] of this.#resetAt) if (resetAt <= now) this.#resetAt.delete(other)
    const blocked = isGlobal ? EVERYTHING : key
    this.#resetAt.set(blocked, Math.max(this.#at(blocked), now + ms))
  }

  /** Waits for a time in milliseconds, or as long as a timer can. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    const until = this.#now() + Math.min(ms, MAX_TIMER_MS)
    await sleep(ms, signal)
    this.#reached = Math.max(this.#reached, until)
  }

  /** Whether all requests are blocked, not only those of single endpoints. */
  get isGlobal(): boolean {
    return this.#at(EVERYTHING) > this.#now()
  }

  #at(key: string): number {
    return this.#resetAt.get(key) ?? 0
  }

  #now(): number {
    return Math.max(performance.now(), this.#reached)
  }
}

/** Reads `Retry-After` (seconds or a date), else the body's numeric `retry_after` (seconds; a convention). */
export function readRateLimit(headers: Headers, body: unknown): RateLimit {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as { retry_after?: unknown; global?: unknown }
  const global = fields.global === true || headers.get('x-ratelimit-global') === 'true'
  return { retryAfterMs: fromHeader(headers) ?? fromSeconds(fields.retry_after), global }
}

function fromHeader(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  if (/^\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value)) return fromSeconds(Number(value))
  // `Date.parse` takes almost anything for a date, "5, 10" among it.
  const date = /^[A-Za-z]{3,9},|^\d{4}-/.test(value) ? Date.parse(value) : Number.NaN
  // Counted from the service's own clock if it tells the time: that of the client may be wrong by hours.
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function fromSeconds(seconds: unknown): number | undefined {
  if (typeof seconds !== 'number' || seconds < 0) return undefined
  // Of what is beyond all numbers JSON would make null.
  return Math.min(seconds * 1000, Number.MAX_SAFE_INTEGER)
}
