import type { HeaderValues } from '../internal/headers'
import type { MfaHandler } from './mfa'

/** A value, or the promise of one. */
export type MaybePromise<T> = T | Promise<T>

/** When a request is sent again by itself. */
export interface RetryOptions {
  /**
   * How often an attempt is repeated after a network error or a 5xx, and a 429 waited out. 0 disables both: while a
   * `Retry-After` runs, calls to its endpoint then fail at once with `RateLimitError`, without being sent.
   * @default 2
   */
  readonly limit?: number | undefined
  /**
   * Methods to repeat after a network error or a 5xx. What signs in or out and second factors never are: all but GET below `/auth` and `/mfa`.
   * @default ['GET']
   */
  readonly methods?: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[] | undefined
  /**
   * The longest a call waits for rate limits in all, in milliseconds. If the service asks for more, the call fails at
   * once with `RateLimitError`, and so do later calls to the endpoint (to all, if `global`) until that time has passed.
   * @default 60_000
   */
  readonly maxRateLimitWaitMs?: number | undefined
}

/** What a call can be given beside its parameters; what is `undefined` is as good as not given. */
export interface RequestOptions {
  /** Aborts the call in whatever state it is; it rejects with the signal's own reason. */
  readonly signal?: AbortSignal | undefined
  /** Overrides the client's `timeout` for this call. */
  readonly timeout?: number | undefined
  /** Overrides the client's `deadline` for this call. */
  readonly deadline?: number | undefined
  /** Overrides the client's `retry` for this call. */
  readonly retry?: number | RetryOptions | undefined
  /** Headers for this call, over those of the client. */
  readonly headers?: HeaderValues | undefined
  /** Token for this call alone; step-up for it is kept apart from the session's. */
  readonly token?: string | undefined
  /** Handler for this call, or `false`: it never prompts and never joins another call's prompt. */
  readonly onMfaRequired?: MfaHandler | false | undefined
}

/**
 * Where a token is kept between runs. Errors that it throws reach the app as the `cause` of a `RapportError`, without the
 * token: those of `get` and `subscribe` by name and code only.
 */
export interface TokenStore {
  /**
   * Returns the token that was kept, or `null`. Calls that carry the session's token wait for it, no longer than `timeout`
   * and `deadline`; sign-ins and calls with a token of their own do not wait.
   */
  get(): MaybePromise<string | null>
  /** Keeps a token; `null` forgets it. Calls follow one another, unless one takes longer than the client's `timeout`. */
  set(token: string | null): MaybePromise<void>
  /**
   * Calls `listener` after changes that others make, such as another tab; by then `get` returns the new token. Returns
   * what unsubscribes. A store may emit its current value first: a `null` that comes first, or before `get` has settled,
   * is a sign-out only if `get` then returns `null` as well. Notifications during a `set` are ignored.
   */
  subscribe?(listener: (token: string | null) => void): () => void
}

/** Any console-shaped object; what it lacks is not logged. */
export interface Logger {
  /** Requests and responses, with headers and bodies, secrets redacted; states of the gateway. */
  debug?(message: string, details?: unknown): void
  /** Nothing yet. */
  info?(message: string, details?: unknown): void
  /** Retries, rate limits, answers and events that the interface does not describe. */
  warn?(message: string, details?: unknown): void
  /** Listeners that throw, and a gateway that has ended for good. */
  error?(message: string, details?: unknown): void
}
