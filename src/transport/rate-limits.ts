/** How long a 429 asks to wait. */
export interface RateLimit {
  /** Milliseconds; `undefined` if the service did not say. */
  readonly retryAfterMs: number | undefined
  /** Whether all endpoints are to wait. */
  readonly global: boolean
}

const EVERYTHING = '*'

/**
 * Endpoints that the service has asked to leave alone, and until when. Clients that share a gate wait together, instead
 * of each learning it anew. That a limit holds for an endpoint, or with `global` for all, is a convention.
 */
export class RateLimitGate {
  readonly #openAt = new Map<string, number>()

  /** Milliseconds until requests of this key may go out. */
  remaining(key: string): number {
    const openAt = Math.max(this.#openAt.get(key) ?? 0, this.#openAt.get(EVERYTHING) ?? 0)
    return Math.max(0, openAt - performance.now())
  }

  /** Holds requests of a key, or all, back. */
  close(key: string, { retryAfterMs = 0, global }: RateLimit): void {
    const now = performance.now()
    for (const [other, openAt] of this.#openAt) if (openAt <= now) this.#openAt.delete(other)
    const held = global ? EVERYTHING : key
    this.#openAt.set(held, Math.max(this.#openAt.get(held) ?? 0, now + retryAfterMs))
  }

  /** Whether everything is held back, not single endpoints alone. */
  get isGlobal(): boolean {
    return (this.#openAt.get(EVERYTHING) ?? 0) > performance.now()
  }
}

/** Reads `Retry-After` (seconds or a date), else the body's numeric `retry_after` (seconds; a convention). */
export function readRateLimit(headers: Headers, body: unknown): RateLimit {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as { retry_after?: unknown; global?: unknown }
  const global = fields.global === true || headers.get('x-ratelimit-global') === 'true'
  return { retryAfterMs: fromHeader(headers.get('retry-after')) ?? fromSeconds(fields.retry_after), global }
}

function fromHeader(value: string | null): number | undefined {
  if (value === null) return undefined
  if (/^\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value)) return fromSeconds(Number(value))
  // `Date.parse` takes almost anything for a date, "5, 10" among it.
  const date = /^[A-Za-z]{3,9},|^\d{4}-/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

function fromSeconds(seconds: unknown): number | undefined {
  if (typeof seconds !== 'number' || seconds < 0) return undefined
  // Of what is beyond all numbers JSON would make null.
  return Math.min(seconds * 1000, Number.MAX_SAFE_INTEGER)
}
