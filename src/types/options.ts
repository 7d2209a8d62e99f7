// Types of the options of calls, token stores, rate limits and loggers, and of what events show of a call.
import type { Method } from '../contract/endpoint'
import type { MfaVerificationRequest } from '../contract/mfa'
import type { HeaderValues } from '../internal/options'
import type { MfaHandler } from './mfa'

/** A value or a promise of it. */
export type MaybePromise<T> = T | Promise<T>

/** Automatic retries. */
export interface RetryOptions {
  /**
   * Maximum number of retries after network errors, 408 or 5xx, and of a call's own 429 responses. 0 disables both: until a
   * `Retry-After` has passed, calls of its account to its path then fail immediately with `RateLimitError`, unsent.
   * @default 2
   */
  readonly limit?: number | undefined
  /**
   * Methods that are retried after a network error, 408 or 5xx. Sign-in, sign-out and MFA calls (all but GET below `/auth`
   * and `/mfa`) are never retried.
   * @default ['GET']
   */
  readonly methods?: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[] | undefined
  /**
   * Maximum total time that a call waits for rate limits, also behind other calls, in milliseconds. If the service requires
   * more, the call fails immediately with `RateLimitError`. So do later calls of that account to that path (to any, if
   * `global`) until then. It also bounds the waits that the `Retry-After` of a 503 requires, for its own call only.
   * @default 60_000
   */
  readonly maxRateLimitWaitMs?: number | undefined
}

/** Per-request options. `undefined` means not set. */
export interface RequestOptions {
  /** Aborts the call in any state; the call rejects with the signal's reason. @default none */
  readonly signal?: AbortSignal | undefined
  /** Overrides the client's `timeout` for this call. */
  readonly timeout?: number | undefined
  /** Overrides the client's `deadline` for this call. */
  readonly deadline?: number | undefined
  /** Overrides the client's `retry` for this call. */
  readonly retry?: number | RetryOptions | undefined
  /** Headers of this call; they override those of the client. */
  readonly headers?: HeaderValues | undefined
  /**
   * Token for this call only. Its step-up is that of its account, which may be another one than the session's. Refused with
   * `session: 'cookie'`.
   */
  readonly token?: string | undefined
  /** Handler for this call; with `false` the call never prompts and never joins another call's prompt. */
  readonly onMfaRequired?: MfaHandler | false | undefined
}

/** Problem of a store of the app for which no call rejects. */
export interface StoreWarning {
  /**
   * Of a token store `storage_blocked` if the browser or its settings refuse access to the storage, `storage_full` if its quota
   * is used up: the token is kept in memory only, so the page is signed out after a reload. `invalid_token` if another
   * process or tab has stored a value that cannot be a token, or that the store cannot read: the session does not change.
   * `not_notified` if the session does not follow the sign-ins and sign-outs of other processes at the moment.
   *
   * `rate_limits_local` if rate limits are not shared with other processes at the moment: each waits for its own.
   * `verifications_failed` if a verification is not shared: the user may be asked again.
   */
  readonly code:
    | 'storage_blocked'
    | 'storage_full'
    | 'invalid_token'
    | 'not_notified'
    | 'rate_limits_local'
    | 'verifications_failed'
  /** Description for developers, without values. */
  readonly message: string
}

/** What a token store keeps. */
export interface TokenRecord {
  /** The authentication token. */
  readonly token: string
  /** ID of its user, so that `session.user` is known after a reload; absent while it is unknown. */
  readonly userId?: string | undefined
}

/**
 * Persists the token between runs. Errors that it throws become the `cause` of a `RapportError`, without the token. Of
 * errors of `get` and `subscribe` only name and code are kept, unless they are errors of this package. A value that is not a
 * record of a valid token rejects the calls that need it, or emits the `warning` `invalid_token` if the client has a token.
 */
export interface TokenStore {
  /**
   * Returns the record that was stored last, or `null`. Calls that send the session's token wait for it, at most `timeout`
   * and `deadline`; sign-ins and calls with their own token do not wait. A record that arrives after the client's
   * `timeout` is still used, unless the session has changed in the meantime.
   */
  get(): MaybePromise<TokenRecord | null>
  /**
   * Stores a record; `null` removes it. Calls are sequential, unless one takes longer than the client's `timeout`.
   * A sign-out passes as `previous` the record that the client last loaded or stored, `null` if there was none, `undefined`
   * if unknown, so that a shared store can keep the newer token of another process. A sign-in passes none.
   */
  set(record: TokenRecord | null, previous?: TokenRecord | null): MaybePromise<void>
  /**
   * Calls `listener` after changes that others make, such as another tab; `get` must already return the new record.
   * Returns an unsubscribe function. After notifications during a `set`, `get` is called once, after the last pending `set`.
   * A store that can work without its storage calls `warn`, which emits `warning` on the client.
   */
  subscribe?(listener: (record: TokenRecord | null) => void, warn?: (warning: StoreWarning) => void): () => void
}

/**
 * Shares the verifications of accounts between processes; `redisVerifications` of `rapport-sdk/redis` creates one. Values
 * are secret: they contain a verification JWT, so seal them. If a method fails, or takes longer than 5 seconds, the client
 * emits `warning`, and the user is asked instead.
 */
export interface VerificationStore {
  /** Returns the value of a key that has not expired. */
  get(key: string): MaybePromise<string | null | undefined>
  /** Stores a value for `ttlMs` milliseconds. The key is a hash of token and `baseUrl`: 32 hexadecimal digits. */
  set(key: string, value: string, ttlMs: number): MaybePromise<void>
  /** Removes the value of a key. */
  delete(key: string): MaybePromise<void>
}

/** What a response says about rate limits. Absent or `undefined`: nothing. */
export interface RateLimit {
  /** Time to wait, in milliseconds; read of a 429 and a 503. */
  readonly retryAfterMs?: number | undefined
  /** Whether a 429 applies to all calls of the account. */
  readonly global?: boolean | undefined
  /** Number of further calls that the service accepts until `resetAfterMs`. */
  readonly remaining?: number | undefined
  /** Time until `remaining` is reset, in milliseconds. */
  readonly resetAfterMs?: number | undefined
}

/** Response whose rate limit is read. */
export interface RateLimitResponse {
  /** HTTP status. */
  readonly status: number
  /** Headers of the response. In browsers, only those that CORS exposes. */
  readonly headers: Headers
  /** JSON of the body; `undefined` if it is not JSON. */
  readonly body: unknown
}

/** Response whose error is read. */
export type ErrorResponse = RateLimitResponse

/** Problem that the service reports for one field. The API document does not show the format: see the option `readError`. */
export interface FieldError {
  /** Path of the field from the root of the request body. */
  readonly path: readonly (string | number)[]
  /** Error code of the service, such as `BASE_TYPE_REQUIRED`. */
  readonly code: string
  /** Message of the service. */
  readonly message: string
}

/** What an error response says. Absent or `undefined`: nothing. */
export interface ErrorContent {
  /** Error code; 60003, 20011 and 20013 have their meaning of the API document. */
  readonly code?: number | undefined
  /** Message, suitable for display to users. */
  readonly message?: string | undefined
  /** Problems of single fields. Default: those in the tree `errors`. */
  readonly fieldErrors?: readonly FieldError[] | undefined
  /** Tree of the problems of single fields, with `_errors: [{ code, message }]` at each, as in the default envelope. */
  readonly errors?: unknown
  /** Ticket and methods of a required second factor. Default: `mfa` of the body. */
  readonly mfa?: MfaVerificationRequest | undefined
}

/** Call whose rate limit is looked up. */
export interface RateLimitCall extends Pick<CallInfo, 'endpoint' | 'method' | 'path'> {
  /**
   * Names the account: its token or, for a call without one, its `login` or `ticket`, the fingerprint, or the client.
   * Secret.
   */
  readonly account: string
  /** Path with its values and without the query, such as `/users/100`. */
  readonly concretePath: string
}

/** Follows the waits of other processes. */
export interface RateLimitFollower {
  /**
   * Returns the time until a key is no longer blocked, in milliseconds; 0 if it is not. A promise only while that is
   * not known; calls wait for it, so it must settle quickly, and must not reject.
   */
  msUntilReset(key: string): MaybePromise<number>
  /** Ends the connection to the store. */
  close(): void
}

/** Shares the waits that 429 responses require between processes; `redisRateLimits` of `rapport-sdk/redis` creates one. */
export interface RateLimitStore {
  /**
   * Stores a wait of this process. Must not throw.
   * @param key What the wait applies to. Secret: it contains a token, so only a hash of it may leave the process.
   * @param ms Duration from now, in milliseconds.
   */
  block(key: string, ms: number): void
  /**
   * Follows the waits of other processes. Called once for a client and all clients of its `as`. `warn` is to be called
   * once each time that waits can no longer be shared.
   */
  follow(warn: (warning: StoreWarning) => void): RateLimitFollower
}

/**
 * Any object with methods of `console`, such as `console`, or a logger of winston or consola; levels without a method are not
 * logged. Loggers that take the object first, such as those of pino and bunyan, would lose all fields, and are refused: pass
 * them to `objectFirstLogger`.
 */
export interface Logger {
  /**
   * Logs calls that succeed or are aborted, and each attempt: requests and responses with headers and bodies, secrets
   * redacted. Also states of the gateway.
   */
  debug?(message: string, details?: unknown): void
  /** Not used yet. */
  info?(message: string, details?: unknown): void
  /** Logs calls that fail, storage problems, and responses and events that do not match the API. */
  warn?(message: string, details?: unknown): void
  /** Logs errors thrown by listeners, and a gateway that has closed permanently. */
  error?(message: string, details?: unknown): void
  /** Whether a level is logged; other levels are neither formatted nor redacted. Loggers of winston and pino have it. */
  isLevelEnabled?(level: string): boolean
  /** A logger of pino: pass `objectFirstLogger(logger)`. */
  readonly setBindings?: 'a logger of pino: pass objectFirstLogger(logger)'
  /** A logger of bunyan: pass `objectFirstLogger(logger)`. */
  readonly addSerializers?: 'a logger of bunyan: pass objectFirstLogger(logger)'
}

/** A logger whose methods take an object of fields, or an error, before the message: those of pino and bunyan. */
export type ObjectFirstLogger = Pick<Logger, 'isLevelEnabled'> & {
  readonly [Level in 'debug' | 'info' | 'warn' | 'error']: (fields: object, message: string) => unknown
}

/**
 * The part of Standard Schema that this package uses; zod, valibot, arktype and others implement it as `~standard`.
 * See https://standardschema.dev.
 */
export interface StandardSchema<Output = unknown> {
  /** The properties of the standard. */
  readonly '~standard': {
    /** Version of the standard. */
    readonly version: 1
    /** Name of the library. */
    readonly vendor: string
    /** Validates a value. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    /** Types of the schema, only at compile time. */
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
  }
}

/** Result of a Standard Schema. */
export type StandardResult<Output> =
  | {
      /** Validated value, transformed by the schema. */
      readonly value: Output
      /** Absent if the value is valid. */
      readonly issues?: undefined
    }
  | {
      /** Problems of the value. */
      readonly issues: readonly {
        /** Human-readable problem. */
        readonly message: string
        /** Path of the problem, from the root of the value. */
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
      }[]
    }

/** Identifies the call and the attempt of an event. */
export interface CallInfo {
  /** Number of the call, unique in its process. */
  readonly callId: number
  /** Call that this one belongs to: the one whose second factor it verifies, or the first one of its sign-in. */
  readonly parentCallId?: number | undefined
  /** Name of the endpoint. */
  readonly endpoint: string
  /** HTTP method. */
  readonly method: Method
  /** Path template, such as `/users/{user.id}`. */
  readonly path: string
  /** Number of the attempt, starting at 1. A replay after a second factor continues the count. */
  readonly attempt: number
}

/** Sends one request: `globalThis.fetch`, a wrapper of it, or the `fetch` of another library. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>

/** Options of a request; a new object without a prototype for each attempt. Not every runtime's types have `RequestInit`. */
export interface FetchInit {
  /** HTTP method, in upper case. */
  method: string
  /** All headers, names in lower case: a plain object that may be spread or changed. */
  headers: Record<string, string>
  /**
   * JSON; absent if the request has no body. A form, blob, buffer or stream of `client.request` is passed on as an
   * ArrayBuffer, Blob or stream. Typed as JSON, the only type on which `fetch`, undici and node-fetch agree.
   */
  body?: string
  /** Aborts by the caller's signal, `timeout`, `deadline` or `client.dispose()`. */
  signal: AbortSignal
  /** The client's `credentials`; absent if it has none. */
  credentials?: 'omit' | 'same-origin' | 'include'
  /** The client refuses redirects: they could send secrets to another origin. */
  redirect: 'manual'
  /** A cache could give one account's response to the next; absent in Cloudflare's workers. */
  cache?: 'no-store'
  /** Present in `auth.logout`, which thus survives the page. */
  keepalive?: true
  /** Present if `body` is a stream, for which `fetch` requires it. */
  duplex?: 'half'
}

/** The properties of a response that the client reads. A `Response` has them all. */
export interface FetchResponse {
  /** HTTP status. */
  readonly status: number
  /** Headers of the response: a `Headers` of any library, whose type need not be iterable. */
  readonly headers: Pick<Headers, 'get'> & {
    /** Calls back with the value and the name of each header. */
    forEach(callback: (value: string, name: string) => void): void
  }
  /**
   * URL of the response.
   * @default the URL of the request
   */
  readonly url?: string
  /** `opaqueredirect` if the platform hides a redirect. */
  readonly type?: string
  /** Whether a redirect was followed; the client refuses such a response. */
  readonly redirected?: boolean
  /** A web stream or an async iterable of bytes. Without one, the body is read with `arrayBuffer`. */
  readonly body?: unknown
  /** Whether the body was read before; the client then rejects a call that needs it. */
  readonly bodyUsed?: boolean
  /** Reads the whole body. */
  arrayBuffer(): Promise<ArrayBuffer>
}
