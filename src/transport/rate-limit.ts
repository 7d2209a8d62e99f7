import { MAX_TIMER_MS, sleep } from '../abort'

/** Wait requested by a 429 response. */
export interface RateLimit {
  /** In milliseconds; `undefined` if the response does not say. */
  readonly retryAfterMs: number | undefined
  /** Whether the limit applies to all endpoints. */
  readonly global: boolean
}

/** Key of the limit that applies to all endpoints. */
const GLOBAL_KEY = '*'

/**
 * Reset times of rate-limited endpoints. Clients that share a limiter wait together instead of each being refused. By
 * convention a limit applies to one endpoint, or with `global` to all.
 */
export class RateLimiter {
  /** Settles when the waits of other processes are known; `undefined` if none are shared. */
  ready: Promise<unknown> | undefined
  readonly #resetAt = new Map<string, number>()
  /** End of the last wait. The clock may lag behind: timers fire early, and fake timers may not fake `performance`. */
  #waitedUntil = 0

  /** Returns the milliseconds until a request with this key may be sent; 0 if it may be sent now. */
  msUntilReset(key: string): number {
    return Math.max(0, this.#at(key) - this.#now(), this.#at(GLOBAL_KEY) - this.#now())
  }

  /** Blocks requests with this key, or all requests, for `ms` milliseconds. Never shortens a limit. */
  block(key: string, ms: number, isGlobal: boolean): void {
    const now = this.#now()
    for (const [other, resetAt] of this.#resetAt) if (resetAt <= now) this.#resetAt.delete(other)
    const blocked = isGlobal ? GLOBAL_KEY : key
    this.#resetAt.set(blocked, Math.max(this.#at(blocked), now + ms))
  }

  /** Waits for `ms` milliseconds, at most {@link MAX_TIMER_MS}. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    const until = this.#now() + Math.min(ms, MAX_TIMER_MS)
    await sleep(ms, signal)
    this.#waitedUntil = Math.max(this.#waitedUntil, until)
  }

  /** Whether all endpoints are blocked. */
  get isGlobal(): boolean {
    return this.#at(GLOBAL_KEY) > this.#now()
  }

  #at(key: string): number {
    return this.#resetAt.get(key) ?? 0
  }

  #now(): number {
    return Math.max(performance.now(), this.#waitedUntil)
  }
}

/** Reads `Retry-After` (seconds or a date), or else `retry_after` of the body (seconds; by convention). */
export function readRateLimit(headers: Headers, body: unknown): RateLimit {
  const fields = Object(body) as { retry_after?: unknown; global?: unknown }
  const global = fields.global === true || headers.get('x-ratelimit-global') === 'true'
  return { retryAfterMs: parseRetryAfter(headers) ?? toMs(fields.retry_after), global }
}

function parseRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  if (/^\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value)) return toMs(Number(value))
  // `Date.parse` accepts almost anything, such as "5, 10".
  const date = /^[A-Za-z]{3,9},|^\d{4}-/.test(value) ? Date.parse(value) : Number.NaN
  // Relative to the service's clock if the response has a `Date`: the client's clock may be wrong by hours.
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function toMs(seconds: unknown): number | undefined {
  if (typeof seconds !== 'number' || seconds < 0) return undefined
  // JSON would serialize `Infinity` as null.
  return Math.min(seconds * 1000, Number.MAX_SAFE_INTEGER)
}
