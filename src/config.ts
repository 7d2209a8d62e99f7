import { RequestValidationError } from './errors/client-errors'
import { type GatewayOptions, readGatewayOptions } from './gateway/options'
import { type HeaderValues, readHeaders, validateHeaderName, validateHeaderValue } from './internal/headers'
import { createIssue, type Issue } from './internal/issue'
import {
  anyValue,
  booleanOption,
  type Checks,
  functionOption,
  objectOption,
  oneOf,
  positiveNumber,
  readOptions,
} from './internal/options'
import { isLoopback } from './internal/url'
import { classifyMfaFailure as classifyByStatus } from './mfa/challenge'
import { readRetry } from './transport/request'
import type { Fetch } from './types/fetch'
import type { MfaFailureKind, MfaHandler } from './types/mfa'
import type { Logger, RetryOptions, TokenStore } from './types/options'
import { browserWebAuthn } from './webauthn/browser'
import type { WebAuthnAdapter } from './webauthn/ceremony'

/** Validated options of a client, with defaults filled in. */
export type Config = ReturnType<typeof readClientOptions>

/**
 * Validates the options of a client and fills in defaults.
 * @throws RequestValidationError naming every invalid option.
 */
export function readClientOptions(input: ClientOptions) {
  const issues: Issue[] = []
  const options = readOptions(input, CLIENT_OPTIONS, issues)
  // The input is not an object: skip the checks below.
  if (issues[0]?.path.length === 0) throw new RequestValidationError('Client', issues)
  const {
    timeout = 30_000,
    deadline = Infinity,
    mfaTimeout = 300_000,
    maxResponseBytes = 8 * 1024 * 1024,
    onResponseMismatch = 'report',
    webauthn = browserWebAuthn,
    mfaHeader: header = 'x-service-mfa-authorization',
    classifyMfaFailure = classifyByStatus,
  } = options
  const retry = readRetry(options.retry, { limit: 2, methods: ['GET'], maxRateLimitWaitMs: 60_000 }, issues)
  const baseUrl = readBaseUrl(options, issues)
  const mfaHeader = typeof header === 'string' ? header.toLowerCase() : ''
  const headers = readHeaders(options.headers, mfaHeader, issues)
  const gateway =
    options.gateway === undefined
      ? undefined
      : readGatewayOptions(options.gateway, options.allowInsecureHttp ?? false, issues)
  if (issues.length > 0) throw new RequestValidationError('Client', issues)
  return {
    ...options,
    timeout,
    deadline,
    mfaTimeout,
    maxResponseBytes,
    onResponseMismatch,
    webauthn,
    classifyMfaFailure,
    retry,
    baseUrl,
    mfaHeader,
    headers,
    gateway,
  }
}

function readBaseUrl({ baseUrl, allowInsecureHttp }: ClientOptions, issues: Issue[]): URL {
  const addIssue = (problem: string) => issues.push(createIssue(['baseUrl'], 'invalid_value', problem))
  let url: URL
  try {
    url = new URL(baseUrl)
  } catch {
    addIssue('expected the absolute URL of the service, such as "https://service.example/api"')
    return new URL('https://invalid.example')
  }
  if (!['https:', 'http:'].includes(url.protocol)) addIssue('expected https or http')
  if (url.protocol === 'http:' && !allowInsecureHttp && !isLoopback(url.hostname))
    addIssue('http exposes tokens and passwords to the network: use https, or `allowInsecureHttp: true`')
  if (url.username !== '' || url.password !== '') addIssue('must not contain a user name or a password')
  // Also an empty query or fragment: it would contain the paths that are appended.
  if (/[?#]/.test(url.href)) addIssue('must not contain a query or a fragment')
  return url
}

/** Options of a {@link Client}. Only `baseUrl` is required; `undefined` means not set. */
export interface ClientOptions {
  /** URL of the service; may contain a path. https, or http on loopback or with `allowInsecureHttp`. */
  readonly baseUrl: string | URL
  /**
   * Whether to allow a `baseUrl` of http, or a `gateway.url` of ws, for hosts other than loopback.
   * @default false
   */
  readonly allowInsecureHttp?: boolean | undefined
  /** The authentication token; takes precedence over the stored one. */
  readonly token?: string | undefined
  /**
   * Persists the token between runs.
   * @default in memory
   */
  readonly tokenStore?: TokenStore | undefined
  /** Fingerprint of a client that has not signed in. Sent as `X-Fingerprint` until it has signed in. */
  readonly fingerprint?: string | undefined
  /**
   * Returns the value of `Authorization`, whose format the interface does not show.
   * @default the token verbatim
   */
  readonly authorize?: ((token: string) => string) | undefined
  /** Headers of every request. */
  readonly headers?: HeaderValues | undefined
  /**
   * Sends requests. Called for each attempt with the URL as a string and everything else in `init`. A rejection becomes
   * the cause of a `ConnectionError`.
   * @default globalThis.fetch
   */
  readonly fetch?: Fetch | undefined
  /** Credentials mode of requests. Use `include` if the service sets the MFA cookie on another origin. */
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
   * Maximum size of a response body, in bytes.
   * @default 8_388_608
   */
  readonly maxResponseBytes?: number | undefined
  /** Obtains second factors from the user: for step-up, login and password reset. */
  readonly onMfaRequired?: MfaHandler | undefined
  /**
   * Maximum time for which a prompt is open, in milliseconds.
   * @default 300_000
   */
  readonly mfaTimeout?: number | undefined
  /**
   * Name of the header for the verification JWT.
   * @default 'X-Service-MFA-Authorization'
   */
  readonly mfaHeader?: string | undefined
  /**
   * Classifies the error of a verification. The default is a convention: 401 is `expired`, 429 and 60003 are `fatal`,
   * any other 4xx is `refused`, everything else is `fatal`.
   */
  readonly classifyMfaFailure?: ((error: Error) => MfaFailureKind) | undefined
  /**
   * Reaction to a success that does not match the interface: emit `responseMismatch`, throw a `ResponseMismatchError`,
   * or ignore it.
   * @default 'report'
   */
  readonly onResponseMismatch?: 'report' | 'throw' | 'ignore' | undefined
  /**
   * Runs WebAuthn ceremonies.
   * @default @simplewebauthn/browser, loaded on first use
   */
  readonly webauthn?: WebAuthnAdapter | undefined
  /** Connection to the Gateway for events. Without it `gateway.connect` rejects. */
  readonly gateway?: GatewayOptions | undefined
  /** Any object with methods of `console`. Secrets are redacted. */
  readonly logger?: Logger | undefined
}

/** Checks of {@link ClientOptions}; those without a check here are validated where they are read. */
const CLIENT_OPTIONS: Checks<ClientOptions> = {
  baseUrl: anyValue,
  allowInsecureHttp: booleanOption,
  token: validateHeaderValue,
  tokenStore: objectOption,
  fingerprint: validateHeaderValue,
  authorize: functionOption,
  headers: objectOption,
  fetch: functionOption,
  credentials: /*@__PURE__*/ oneOf('omit', 'same-origin', 'include'),
  timeout: positiveNumber,
  deadline: positiveNumber,
  retry: anyValue,
  maxResponseBytes: positiveNumber,
  onMfaRequired: functionOption,
  mfaTimeout: positiveNumber,
  mfaHeader: validateHeaderName,
  classifyMfaFailure: functionOption,
  onResponseMismatch: /*@__PURE__*/ oneOf('report', 'throw', 'ignore'),
  webauthn: objectOption,
  gateway: anyValue,
  logger: objectOption,
}
