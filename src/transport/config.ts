import { type Issue, issueAt } from '../contract/issue'
import { RequestValidationError } from '../errors/validation-errors'
import { readGatewayOptions } from '../gateway/read-options'
import type { ClientOptions, RequestOptions, RetryOptions } from '../options'
import { classifyMfaFailure as classifyByStatus } from '../session/prompt'
import { browserWebAuthn } from '../webauthn/browser'
import { readHeaders } from './headers'
import { isLoopback } from './loopback'
import { aCount, CLIENT_OPTIONS, isObject, REQUEST_OPTIONS, RETRY_OPTIONS, takeOptions } from './option-checks'

/** A client's options, checked, with their defaults. */
export type Config = ReturnType<typeof readOptions>

/**
 * Checks the options of a client and fills in defaults.
 * @throws RequestValidationError naming every option that cannot be used.
 */
export function readOptions(given: ClientOptions) {
  const issues: Issue[] = []
  const options = takeOptions(given, CLIENT_OPTIONS, issues)
  // Of what is no object there is nothing else to tell.
  if (issues[0]?.path.length === 0) throw new RequestValidationError('Client', issues)
  const {
    timeout = 30_000,
    deadline = Infinity,
    mfaTimeout = 300_000,
    maxResponseBytes = 8 * 1024 * 1024,
    authorize = (token: string) => token,
    onResponseMismatch = 'report',
    webauthn = browserWebAuthn,
    mfaHeader: header = 'x-service-mfa-authorization',
    classifyMfaFailure = classifyByStatus,
  } = options
  const retry = readRetry(options.retry, { limit: 2, methods: ['GET'], maxRateLimitWaitMs: 60_000 }, issues)
  const baseUrl = readBaseUrl(options, issues)
  const mfaHeader = typeof header === 'string' ? header.toLowerCase() : ''
  const headers = readHeaders(options.headers, mfaHeader, issues)
  const gateway = readGatewayOptions(options.gateway, options.allowInsecureHttp ?? false, issues)
  if (issues.length > 0) throw new RequestValidationError('Client', issues)
  return {
    ...options,
    timeout,
    deadline,
    mfaTimeout,
    maxResponseBytes,
    authorize,
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

/** What one call overrides, over the client's. */
export function readRequestOptions(given: RequestOptions, config: Config) {
  const issues: Issue[] = []
  const options = takeOptions(given, REQUEST_OPTIONS, issues)
  const { timeout = config.timeout, deadline = config.deadline } = options
  const headers = readHeaders(options.headers, config.mfaHeader, issues)
  const retry = readRetry(options.retry, config.retry, issues)
  return { options, timeout, deadline, retry, headers, issues }
}

/** `retry` with its defaults. */
export type Retry = { readonly [K in keyof RetryOptions]-?: NonNullable<RetryOptions[K]> }

/** `retry` is its options, or the `limit` alone. */
function readRetry(given: unknown, base: Retry, issues: Issue[]): Retry {
  if (given === undefined) return base
  const isLimit = !isObject(given)
  if (isLimit) issues.push(...aCount('retry', given))
  const options: RetryOptions = isLimit
    ? { limit: Number(given) }
    : takeOptions(given, RETRY_OPTIONS, issues, ['retry'])
  const { limit = base.limit, methods = base.methods, maxRateLimitWaitMs = base.maxRateLimitWaitMs } = options
  return { limit, methods: [...methods], maxRateLimitWaitMs }
}

function readBaseUrl({ baseUrl, allowInsecureHttp }: ClientOptions, issues: Issue[]): URL {
  const refuse = (problem: string) => issues.push(issueAt(['baseUrl'], 'invalid_value', problem))
  let url: URL
  try {
    url = new URL(baseUrl)
  } catch {
    refuse('expected the absolute URL of the service, such as "https://service.example/api"')
    return new URL('https://invalid.example')
  }
  if (!['https:', 'http:'].includes(url.protocol)) refuse('expected https or http')
  if (url.protocol === 'http:' && !allowInsecureHttp && !isLoopback(url.hostname))
    refuse('http shows tokens and passwords to the network: use https, or `allowInsecureHttp: true`')
  if (url.username !== '' || url.password !== '') refuse('must not carry a user or a password')
  // An empty query or fragment counts: it would swallow the paths that are put behind it.
  if (/[?#]/.test(url.href)) refuse('must not carry a query or a fragment')
  return url
}
