// The options of a client, and their checks.
import type { PartialUser } from '../contract/relationships'
import { RequestValidationError } from '../errors/client-errors'
import type { GatewayOptions } from '../gateway/options'
import { isObject } from '../internal/json'
import {
  anyValue,
  booleanOption,
  type Checks,
  createCheck,
  functionOption,
  type HeaderValues,
  isHeaderValue,
  objectOption,
  oneOf,
  positiveNumber,
  schemaOption,
  validateHeaderValue,
} from '../internal/options'
import type { MfaOptions } from '../mfa/options'
import type {
  ErrorContent,
  ErrorResponse,
  Fetch,
  Logger,
  RateLimit,
  RateLimitCall,
  RateLimitResponse,
  RateLimitStore,
  RetryOptions,
  StandardSchema,
  TokenStore,
  VerificationStore,
} from '../types/options'

/** Where the token of a client is. */
export interface SessionOption<Mode> {
  /**
   * Where the token is: with the client, or in a cookie that no script can read, which a handler of `rapport-sdk/server`
   * sets. With `cookie`, `baseUrl` is the handler's mount and may be a path, such as `/rapport`; `token`, `tokenStore`,
   * `authorize` and `as` are refused, the result of a sign-in has no `token`, and `session.token` only identifies the user.
   * @default 'token'
   */
  readonly session?: Mode | undefined
}

/** Options that every client has. Only `baseUrl` is required; `undefined` means not set. */
export interface CoreOptions extends SessionOption<'token' | 'cookie'> {
  /** URL of the service; may contain a path. https, or http on loopback or with `allowInsecureHttp`. */
  readonly baseUrl: string | URL
  /**
   * Whether to allow a `baseUrl` of http, or a `gateway.url` of ws, for hosts other than loopback.
   * @default false
   */
  readonly allowInsecureHttp?: boolean | undefined
  /** The authentication token; takes precedence over the stored one. @default none */
  readonly token?: string | undefined
  /**
   * Persists the token between runs.
   * @default in memory
   */
  readonly tokenStore?: TokenStore | undefined
  /** Fingerprint of a user who has not signed in, sent as `X-Fingerprint` until there is a token. @default none */
  readonly fingerprint?: string | undefined
  /**
   * Returns the value of `Authorization`, whose format the API document does not show.
   * @default the token verbatim
   */
  readonly authorize?: ((token: string) => string) | undefined
  /** Headers of every request. `token`, `authorize` and `fingerprint` set `Authorization` and `X-Fingerprint`. @default none */
  readonly headers?: HeaderValues | undefined
  /**
   * Sends requests. Called for each attempt with the URL as a string and everything else in `init`. A rejection becomes
   * the cause of a `ConnectionError`.
   * @default globalThis.fetch
   */
  readonly fetch?: Fetch | undefined
  /** Credentials mode of requests. Use `include` if the service sets the MFA cookie on another origin. @default that of `fetch` */
  readonly credentials?: 'omit' | 'same-origin' | 'include' | undefined
  /**
   * Timeout of one attempt including the response body, in milliseconds.
   * @default 30_000
   */
  readonly timeout?: number | undefined
  /**
   * Maximum total duration of a call, in milliseconds. Paused while an `onMfaRequired` handler or a passkey ceremony
   * runs.
   * @default none
   */
  readonly deadline?: number | undefined
  /**
   * Automatic retries; a number is the `limit`.
   * @default 2
   */
  readonly retry?: number | RetryOptions | undefined
  /**
   * Shares the waits that 429 responses require with other processes, such as `redisRateLimits` of `rapport-sdk/redis`.
   * @default none: the clients of `as` share them
   */
  readonly rateLimits?: RateLimitStore | undefined
  /**
   * Returns what a rate limit of a call applies to: calls with the same key wait together. For a service that limits by
   * something else, such as the IP address: `() => 'address'`. A `global` limit still applies to the account.
   * @default account, method and concrete path
   */
  readonly rateLimitKey?: ((call: RateLimitCall) => string) | undefined
  /**
   * Maximum number of requests in flight with the same `rateLimitKey`; other calls wait, in order. Above 0; `Infinity` for
   * no limit.
   * @default 10
   */
  readonly maxConcurrency?: number | undefined
  /**
   * Reads what a response says about rate limits. Called for each response; if it throws, the error is reported like
   * that of a listener.
   * @default by convention: `Retry-After`, `retry_after` and `global` of the body, `X-RateLimit-Remaining` and
   * `X-RateLimit-Reset-After`, the standard `RateLimit` headers
   */
  readonly readRateLimit?: ((response: RateLimitResponse) => RateLimit) | undefined
  /**
   * Reads the code, the message and the field errors of a response whose status is not 2xx, and the ticket of a required
   * second factor if it is not in `mfa`. Called once for each; if it throws, the error is reported like that of a listener.
   * @default by convention: `{ code, message, errors }`, where `errors` has `_errors` at each field
   */
  readonly readError?: ((response: ErrorResponse) => ErrorContent) | undefined
  /**
   * Returns whether a response whose status is not 2xx requires a second factor. Called once for each such response of a
   * call with a token; if it throws, the error is reported like that of a listener, and the response does not.
   * @default status 401 and code 60003, as the API document shows
   */
  readonly isStepUp?: ((response: ErrorResponse) => boolean) | undefined
  /**
   * Maximum size of a response body, in bytes.
   * @default 8_388_608
   */
  readonly maxResponseBytes?: number | undefined
  /**
   * Reaction to a success that does not match the API: emit `responseMismatch`, throw a `ResponseMismatchError`,
   * or ignore it.
   * @default 'report'
   */
  readonly onResponseMismatch?: 'report' | 'throw' | 'ignore' | undefined
  /**
   * Standard Schema of users, such as one of Zod, for the fields that an app declares for {@link PartialUser}. It checks
   * each user in responses and gateway events; it may be asynchronous, and values stay as received, without its
   * transforms. An invalid user in a response is a mismatch of the response, see `onResponseMismatch`; `ignore` skips the
   * check. An invalid user in an event is reported by the gateway's warning `invalid_user`, also with `throw`, and the
   * event is still emitted. A schema that throws rejects the call, or is emitted as the gateway's `error`.
   * API, "Open shapes".
   * @default none: only `id` is checked
   */
  readonly userSchema?: StandardSchema<PartialUser> | undefined
  /**
   * Headers of error responses that identify the request, most important first; the first that a response has becomes
   * `requestId` of its `ApiError`. A service on another origin must expose them to a browser.
   * @default ['x-request-id', 'x-correlation-id', 'x-amzn-requestid', 'cf-ray']
   */
  readonly requestIdHeaders?: readonly string[] | undefined
  /** Any object with methods of `console`. Secrets are redacted. @default none */
  readonly logger?: Logger | undefined
}

/** Options of step-ups. */
export interface StepUpOptions extends MfaOptions {
  /**
   * Name of the header for the verification JWT.
   * @default 'X-Service-MFA-Authorization'
   */
  readonly mfaHeader?: string | undefined
  /**
   * Shares the verifications of accounts with other processes, such as `redisVerifications` of `rapport-sdk/redis`: a user
   * who has verified a second factor in one is not asked again in another. Read after a response that requires a second
   * factor, written after a verification; a sign-out or a change of the token deletes it.
   * @default none: the clients of `as` share them
   */
  readonly verifications?: VerificationStore | undefined
}

/** Options of a {@link Client}. Only `baseUrl` is required; `undefined` means not set. */
export interface ClientOptions extends CoreOptions, StepUpOptions {
  /** Connection to the Gateway for events. Without it, `gateway.connect` rejects with GatewayError. @default none */
  readonly gateway?: GatewayOptions | undefined
}

/** Checks of {@link CoreOptions}; those without a check here are validated where they are read. */
export const CORE_CHECKS: Checks<CoreOptions> = {
  baseUrl: anyValue,
  allowInsecureHttp: booleanOption,
  session: oneOf('token', 'cookie'),
  token: validateHeaderValue,
  tokenStore: objectOption,
  fingerprint: validateHeaderValue,
  authorize: functionOption,
  headers: objectOption,
  fetch: functionOption,
  credentials: oneOf('omit', 'same-origin', 'include'),
  timeout: positiveNumber,
  deadline: positiveNumber,
  retry: anyValue,
  rateLimits: objectOption,
  rateLimitKey: functionOption,
  maxConcurrency: positiveNumber,
  readRateLimit: functionOption,
  readError: functionOption,
  isStepUp: functionOption,
  maxResponseBytes: positiveNumber,
  onResponseMismatch: oneOf('report', 'throw', 'ignore'),
  userSchema: schemaOption,
  requestIdHeaders: createCheck(
    'an array of header names',
    (value) => Array.isArray(value) && value.every((name) => /^[\w-]+$/.test(name)),
  ),
  // The methods of pino and bunyan take the fields first, and would lose them.
  logger: createCheck(
    'a logger like `console`, or `objectFirstLogger(logger)` for one of pino or bunyan',
    (value) => isObject(value) && !('setBindings' in value || 'addSerializers' in value),
  ),
}

/**
 * Returns a token that a method requires: the client's own token would otherwise be sent instead of a missing one.
 * @throws RequestValidationError if it is not a valid header value.
 */
export function requireToken(method: string, token: unknown): string {
  if (isHeaderValue(token)) return token
  throw new RequestValidationError(`client.${method}`, validateHeaderValue('token', token))
}
