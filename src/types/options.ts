import type { HeaderValues } from '../internal/options'
import type { MfaHandler } from './mfa'

/** A value or a promise of it. */
export type MaybePromise<T> = T | Promise<T>

/** Automatic retries. */
export interface RetryOptions {
  /**
   * Maximum number of retries after network errors or 5xx, and of waits for a 429. 0 disables both: until a
   * `Retry-After` has passed, calls to its endpoint then fail immediately with `RateLimitError`, without being sent.
   * @default 2
   */
  readonly limit?: number | undefined
  /**
   * Methods that are retried after a network error or a 5xx. Sign-in, sign-out and MFA calls (all but GET below `/auth`
   * and `/mfa`) are never retried.
   * @default ['GET']
   */
  readonly methods?: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[] | undefined
  /**
   * Maximum total time that a call waits for rate limits, in milliseconds. If the service requires more, the call fails
   * immediately with `RateLimitError`. So do later calls to the endpoint (to all, if `global`) until then.
   * @default 60_000
   */
  readonly maxRateLimitWaitMs?: number | undefined
}

/** Per-request options. `undefined` means not set. */
export interface RequestOptions {
  /** Aborts the call in any state; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Overrides the client's `timeout` for this call. */
  readonly timeout?: number | undefined
  /** Overrides the client's `deadline` for this call. */
  readonly deadline?: number | undefined
  /** Overrides the client's `retry` for this call. */
  readonly retry?: number | RetryOptions | undefined
  /** Headers of this call; they override those of the client. */
  readonly headers?: HeaderValues | undefined
  /** Token for this call only. Its step-up is separate from the session's. */
  readonly token?: string | undefined
  /** Handler for this call; with `false` the call never prompts and never joins another call's prompt. */
  readonly onMfaRequired?: MfaHandler | false | undefined
}

/** Problem of a token store for which no call rejects. */
export interface TokenStoreWarning {
  /**
   * `storage_blocked` if the browser or its settings refuse access to the storage, `storage_full` if its quota is used up:
   * the token is kept in memory only, so the page is signed out after a reload. `invalid_token` if another
   * process or tab has stored a value that cannot be a token, or that the store cannot read: the session does not change.
   */
  readonly code: 'storage_blocked' | 'storage_full' | 'invalid_token'
  /** Description for people, without the token. */
  readonly message: string
}

/**
 * Persists the token between runs. Errors that it throws become the `cause` of a `RapportError`, without the token. Of
 * errors of `get` and `subscribe` only name and code are kept, unless they are errors of this package.
 */
export interface TokenStore {
  /**
   * Returns the stored token, or `null`. Calls that send the session's token wait for it, at most `timeout` and
   * `deadline`; sign-ins and calls with a token of their own do not wait.
   */
  get(): MaybePromise<string | null>
  /**
   * Stores a token; `null` removes it. Calls are sequential, unless one takes longer than the client's `timeout`.
   * A sign-out passes as `previous` the token that the client last loaded or stored, `null` if there was none, `undefined`
   * if unknown, so that a shared store can keep the newer token of another process.
   */
  set(token: string | null, previous?: string | null): MaybePromise<void>
  /**
   * Calls `listener` after changes that others make, such as another tab; `get` must already return the new token.
   * Returns an unsubscribe function. A store may emit its current value first: a `null` that comes first, or before
   * `get` has settled, is a sign-out only if `get` then returns `null` too. Notifications during a `set` are ignored.
   * A store that can work without its storage calls `warn`, which emits `warning` on the client. A value that cannot be
   * a token does so too, and is otherwise ignored.
   */
  subscribe?(listener: (token: string | null) => void, warn?: (warning: TokenStoreWarning) => void): () => void
  /**
   * Returns the ID that was stored with this token, so that `session.user` is known after a reload; `null` if there is
   * none, or if it was stored with another token. Its errors are ignored. The token waits for it for a second at most; an
   * ID that comes later is a `userChanged`.
   */
  getUserId?(token: string): MaybePromise<string | null>
  /**
   * Stores the ID of a token's user: before `set` of a sign-in whose response contains it, else once it is known. Its
   * errors are ignored, and the token waits for it for a second at most.
   */
  setUserId?(token: string, userId: string): MaybePromise<void>
}

/** Rate limits are not shared with other processes at the moment; each process waits for its own. */
export interface RateLimitWarning {
  /** `rate_limits_local`. */
  readonly code: 'rate_limits_local'
  /** Description for people. */
  readonly message: string
}

/** A client that follows a {@link RateLimitStore}. */
export interface RateLimitFollower {
  /** Settles soon, when the stored waits are known or cannot be loaded. Requests wait for it. */
  readonly ready: Promise<unknown>
  /** Ends the calls. */
  close(): void
}

/** Shares the waits that 429 responses require between processes; `redisRateLimits` of `rapport-sdk/redis` creates one. */
export interface RateLimitStore {
  /**
   * Stores a wait of this process. Must not throw.
   * @param endpoint Method and path template of the endpoint.
   * @param ms Duration from now, in milliseconds.
   * @param isGlobal Whether it applies to all endpoints.
   */
  block(endpoint: string, ms: number, isGlobal: boolean): void
  /**
   * Calls `onBlock` for each stored wait, now and later, and `warn` once each time that waits can no longer be shared.
   */
  follow(onBlock: RateLimitStore['block'], warn: (warning: RateLimitWarning) => void): RateLimitFollower
}

/** Any object with methods of `console`; levels without a method are not logged. */
export interface Logger {
  /** Logs requests and responses with headers and bodies, secrets redacted, and states of the gateway. */
  debug?(message: string, details?: unknown): void
  /** Not used yet. */
  info?(message: string, details?: unknown): void
  /** Logs retries, rate limits, storage problems, and responses and events that do not match the interface. */
  warn?(message: string, details?: unknown): void
  /** Logs errors thrown by listeners, and a gateway that has closed permanently. */
  error?(message: string, details?: unknown): void
}
