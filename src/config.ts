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
import { browserWebAuthn } from './webauthn'
import type { WebAuthnAdapter } from './webauthn/adapter'

/** A client's options, checked, with their defaults. */
export type Config = ReturnType<typeof readClientOptions>

/**
 * Checks the options of a client and fills in defaults.
 * @throws RequestValidationError naming every option that cannot be used.
 */
export function readClientOptions(given: ClientOptions) {
  const issues: Issue[] = []
  const options = readOptions(given, CLIENT_OPTIONS, issues)
  // Of what is no object there is nothing else to tell.
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
  const refuse = (problem: string) => issues.push(createIssue(['baseUrl'], 'invalid_value', problem))
  let url: URL
  try {
    url = new URL(baseUrl)
  } catch {
    refuse('expected the absolute URL of the service, such as "https://service.example/api"')
    return new URL('https://invalid.example')
  }
  if (!['https:', 'http:'].includes(url.protocol)) refuse('expected https or http')
  if (url.protocol === 'http:' && !allowInsecureHttp && !isLoopback(url.hostname))
    refuse('http exposes tokens and passwords to the network: use https, or `allowInsecureHttp: true`')
  if (url.username !== '' || url.password !== '') refuse('must not contain a user name or a password')
  // An empty query or fragment counts: it would swallow the paths that are put behind it.
  if (/[?#]/.test(url.href)) refuse('must not contain a query or a fragment')
  return url
}

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

/** The options of a client. */
export const CLIENT_OPTIONS: Checks<ClientOptions> = {
  baseUrl: anyValue,
  allowInsecureHttp: booleanOption,
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
  maxResponseBytes: positiveNumber,
  onMfaRequired: functionOption,
  mfaTimeout: positiveNumber,
  mfaHeader: validateHeaderName,
  classifyMfaFailure: functionOption,
  onResponseMismatch: oneOf('report', 'throw', 'ignore'),
  webauthn: objectOption,
  gateway: anyValue,
  logger: objectOption,
}
