import { type Issue, issueAt } from '../contract/issue'
import { RequestValidationError } from '../errors/validation-errors'
import { readGatewayOptions } from '../gateway/read-options'
import type { ClientOptions, RequestOptions, RetryOptions } from '../options'
import { classifyMfaFailure } from '../session/prompt'
import { browserWebAuthn } from '../webauthn/browser'
import { readHeaders } from './headers'
import { isLoopback } from './loopback'
import { CLIENT_OPTIONS, optionIssues, REQUEST_OPTIONS } from './option-checks'

/** A client's options, checked, with their defaults. */
export type Config = ReturnType<typeof readOptions>

/**
 * Checks the options of a client and fills in defaults.
 * @throws RequestValidationError naming every option that cannot be used.
 */
export function readOptions(options: ClientOptions) {
  const issues = optionIssues(options, CLIENT_OPTIONS)
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
    fetch,
    credentials,
    onMfaRequired,
  } = options
  const baseUrl = readBaseUrl(options, issues)
  const mfaHeader =
    typeof options.mfaHeader === 'string' ? options.mfaHeader.toLowerCase() : 'x-service-mfa-authorization'
  const headers = readHeaders(options.headers, mfaHeader, issues)
  const gateway = readGatewayOptions(options.gateway, options.allowInsecureHttp ?? false, issues)
  if (issues.length > 0) throw new RequestValidationError('Client', issues)
  return {
    timeout,
    deadline,
    mfaTimeout,
    maxResponseBytes,
    authorize,
    onResponseMismatch,
    webauthn,
    fetch,
    credentials,
    onMfaRequired,
    classifyMfaFailure: options.classifyMfaFailure ?? classifyMfaFailure,
    retry: readRetry(options.retry, { limit: 2, methods: ['GET'], maxRateLimitWaitMs: 60_000 }),
    baseUrl,
    mfaHeader,
    headers,
    gateway,
  }
}

/** What one call overrides, over the client's. */
export function readRequestOptions(given: RequestOptions, config: Config) {
  const issues = optionIssues(given, REQUEST_OPTIONS)
  const { timeout = config.timeout, deadline = config.deadline, ...rest } = given ?? {}
  const headers = readHeaders(rest.headers, config.mfaHeader, issues)
  return { timeout, deadline, retry: readRetry(rest.retry, config.retry), headers, issues }
}

/** `retry` with its defaults. */
export type Retry = { readonly [K in keyof RetryOptions]-?: NonNullable<RetryOptions[K]> }

function readRetry(given: number | RetryOptions | undefined, base: Retry): Retry {
  const options = typeof given === 'number' ? { limit: given } : given
  const { limit = base.limit, methods = base.methods, maxRateLimitWaitMs = base.maxRateLimitWaitMs } = options ?? {}
  return { limit, methods, maxRateLimitWaitMs }
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
