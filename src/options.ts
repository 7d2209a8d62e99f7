import type { GatewayOptions } from './gateway/options'
import type { MfaHandler } from './session/challenge'
import type { TokenStore } from './session/token-store'
import type { Logger } from './transport/events'
import type { Fetch } from './transport/fetch'
import type { WebAuthnAdapter } from './webauthn/adapter'

/** A value, or the promise of one. */
export type MaybePromise<T> = T | Promise<T>

/** Headers, in any of the forms that fetch takes. Written out, since not every runtime's types name it. */
export type HeaderValues = Headers | Readonly<Record<string, string>> | Iterable<readonly [string, string]>

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

/** What the service's refusal of a second factor means. */
export type MfaFailureKind = 'refused' | 'expired' | 'fatal'

/** How a {@link Client} behaves. `baseUrl` is the one that must be given; what is `undefined` is as good as not given. */
export interface ClientOptions {
  /** Where the service is; may carry a path. https, or http on loopback, or http with `allowInsecureHttp`. */
  readonly baseUrl: string | URL
  /**
   * Whether a `baseUrl` of http, or a `gateway.url` of ws, is let through for hosts other than loopback.
   * @default false
   */
  readonly allowInsecureHttp?: boolean | undefined
  /** The authentication token; wins over the store's. */
  readonly token?: string | undefined
  /**
   * Where the token is kept between runs.
   * @default in memory
   */
  readonly tokenStore?: TokenStore | undefined
  /** Fingerprint of a client that has not signed in; sent as `X-Fingerprint` until it has. */
  readonly fingerprint?: string | undefined
  /**
   * The value of `Authorization`, whose format is not shown.
   * @default the token verbatim
   */
  readonly authorize?: ((token: string) => string) | undefined
  /** Headers of every request. */
  readonly headers?: HeaderValues | undefined
  /**
   * Sends requests: called with the URL as a string and everything else in `init`, for every attempt. What it rejects
   * with becomes the cause of a `ConnectionError`.
   * @default globalThis.fetch
   */
  readonly fetch?: Fetch | undefined
  /** `include` for services that set the MFA cookie on another origin of theirs. */
  readonly credentials?: 'omit' | 'same-origin' | 'include' | undefined
  /**
   * How long one attempt may take, with its body, in milliseconds.
   * @default 30_000
   */
  readonly timeout?: number | undefined
  /**
   * How long a call may take in all, in milliseconds, less the time in which an `onMfaRequired` handler or a passkey
   * ceremony runs.
   * @default none
   */
  readonly deadline?: number | undefined
  /**
   * When a request is sent again; a number is the `limit`.
   * @default 2
   */
  readonly retry?: number | RetryOptions | undefined
  /**
   * The largest answer that is read, in bytes.
   * @default 8_388_608
   */
  readonly maxResponseBytes?: number | undefined
  /** Gives every second factor: step-up, login and password reset. */
  readonly onMfaRequired?: MfaHandler | undefined
  /**
   * How long a prompt may stay open, in milliseconds.
   * @default 300_000
   */
  readonly mfaTimeout?: number | undefined
  /**
   * Header that carries the verification JWT.
   * @default 'X-Service-MFA-Authorization'
   */
  readonly mfaHeader?: string | undefined
  /**
   * What a refusal of a second factor means. The default is a convention: 401 is `expired`, 429 and 60003 are `fatal`,
   * any other 4xx is `refused`, all else is `fatal`.
   */
  readonly classifyMfaFailure?: ((error: Error) => MfaFailureKind) | undefined
  /**
   * What happens when a success is not what the interface describes: the event `responseMismatch`, an error, nothing.
   * @default 'report'
   */
  readonly onResponseMismatch?: 'report' | 'throw' | 'ignore' | undefined
  /**
   * Runs WebAuthn ceremonies.
   * @default @simplewebauthn/browser, loaded on first use
   */
  readonly webauthn?: WebAuthnAdapter | undefined
  /** How events are received; without it `gateway.connect` fails. */
  readonly gateway?: GatewayOptions | undefined
  /** Any console-shaped object. Secrets are redacted. */
  readonly logger?: Logger | undefined
}
