import { type Issue, issueAt } from '../contract/issue'
import { RequestValidationError } from '../errors/validation-errors'
import { readGatewayOptions } from '../gateway/read-options'
import type { ClientOptions, RequestOptions, RetryOptions } from '../options'
import { classifyMfaFailure } from '../session/prompt'
import { browserWebAuthn } from '../webauthn/browser'
import { headerNameIssues, headerValueIssues, readHeaders } from './headers'
import { isLoopback } from './loopback'
import { METHODS } from './methods'
import { CLIENT_OPTIONS, optionIssues, REQUEST_OPTIONS, RETRY_OPTIONS } from './option-checks'

/** A client's options, checked, with their defaults. */
export type Config = ReturnType<typeof readOptions>

/**
 * Checks the options of a client and fills in defaults.
 * @throws RequestValidationError naming every option that cannot be used.
 */
export function readOptions(options: ClientOptions) {
  const issues = optionIssues(options, CLIENT_OPTIONS)
  // What follows reads options of the right kind.
  if (issues.length > 0) throw new RequestValidationError('Client', issues)
  const baseUrl = readBaseUrl(options, issues)
  const mfaHeader = String(options.mfaHeader ?? 'X-Service-MFA-Authorization').toLowerCase()
  issues.push(...headerNameIssues('mfaHeader', options.mfaHeader ?? mfaHeader))
  const { headers, issues: headerIssues } = readHeaders(options.headers, mfaHeader)
  issues.push(...headerIssues)
  const retry = readRetry(options.retry, DEFAULT_RETRY, issues)
  for (const name of ['token', 'fingerprint'] as const) {
    if (options[name] !== undefined) issues.push(...headerValueIssues(name, options[name]))
  }
  const limits = {
    timeout: options.timeout ?? 30_000,
    deadline: options.deadline ?? Infinity,
    mfaTimeout: options.mfaTimeout ?? 300_000,
    maxResponseBytes: options.maxResponseBytes ?? 8 * 1024 * 1024,
  }
  for (const [name, value] of Object.entries(limits)) checkLimit(name, value, issues)
  const gateway = readGatewayOptions(options.gateway, options.allowInsecureHttp ?? false, issues)
  if (issues.length > 0) throw new RequestValidationError('Client', issues)
  return {
    ...limits,
    retry,
    baseUrl,
    mfaHeader,
    headers,
    authorize: options.authorize ?? ((token: string) => token),
    fetch: options.fetch,
    credentials: options.credentials,
    onMfaRequired: options.onMfaRequired,
    classifyMfaFailure: options.classifyMfaFailure ?? classifyMfaFailure,
    onResponseMismatch: options.onResponseMismatch ?? 'report',
    webauthn: options.webauthn ?? browserWebAuthn,
    gateway,
  }
}

const DEFAULT_RETRY: Required<RetryOptions> = { limit: 2, methods: ['GET'], maxRateLimitWaitMs: 60_000 }

/** What one call overrides, over the client's. */
export function readRequestOptions(given: RequestOptions, config: Config) {
  const issues = optionIssues(given, REQUEST_OPTIONS)
  const options = issues.length > 0 ? {} : given
  const { headers, issues: headerIssues } = readHeaders(options.headers, config.mfaHeader)
  issues.push(...headerIssues)
  const { timeout = config.timeout, deadline = config.deadline } = options
  checkLimit('timeout', timeout, issues)
  checkLimit('deadline', deadline, issues)
  if (options.token !== undefined) issues.push(...headerValueIssues('token', options.token))
  if (![undefined, false].includes(options.onMfaRequired as undefined) && typeof options.onMfaRequired !== 'function')
    issues.push(issueAt(['onMfaRequired'], 'invalid_value', 'expected a function, or false'))
  if (options.signal !== undefined && typeof options.signal.addEventListener !== 'function')
    issues.push(issueAt(['signal'], 'invalid_value', 'expected an AbortSignal'))
  const retry = readRetry(options.retry, config.retry, issues)
  return { timeout, deadline, retry, headers, issues }
}

function readRetry(
  given: number | RetryOptions | undefined,
  base: Required<RetryOptions>,
  issues: Issue[],
): Required<RetryOptions> {
  const options: RetryOptions =
    typeof given === 'object' && given !== null ? given : given === undefined ? {} : { limit: given }
  for (const { path, ...rest } of optionIssues(options, RETRY_OPTIONS))
    issues.push({ ...rest, path: ['retry', ...path] })
  const { limit = base.limit, methods = base.methods, maxRateLimitWaitMs = base.maxRateLimitWaitMs } = options
  if (!Number.isInteger(limit) || limit < 0)
    issues.push(issueAt(['retry'], 'invalid_value', 'expected a whole number, 0 or more, for the limit'))
  if (!Array.isArray(methods) || !methods.every((method) => METHODS.has(method)))
    issues.push(issueAt(['retry'], 'invalid_value', `expected a list of ${[...METHODS].join(', ')} for \`methods\``))
  if (!(typeof maxRateLimitWaitMs === 'number' && maxRateLimitWaitMs >= 0))
    issues.push(issueAt(['retry'], 'invalid_value', 'expected a number, 0 or more, for `maxRateLimitWaitMs`'))
  return { limit, methods, maxRateLimitWaitMs }
}

function readBaseUrl({ baseUrl, allowInsecureHttp = false }: ClientOptions, issues: Issue[]): URL {
  let url: URL
  try {
    url = new URL(baseUrl)
  } catch {
    issues.push(
      issueAt(
        ['baseUrl'],
        'invalid_value',
        'expected the absolute URL of the service, such as "https://service.example/api"',
      ),
    )
    return new URL('https://invalid.example')
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    issues.push(issueAt(['baseUrl'], 'invalid_value', 'expected https or http'))
  if (url.protocol === 'http:' && !allowInsecureHttp && !isLoopback(url.hostname)) {
    issues.push(
      issueAt(
        ['baseUrl'],
        'invalid_value',
        'http shows tokens and passwords to the network: use https, or `allowInsecureHttp: true`',
      ),
    )
  }
  if (url.username !== '' || url.password !== '')
    issues.push(issueAt(['baseUrl'], 'invalid_value', 'must not carry a user or a password'))
  // An empty query or fragment counts: it would swallow the paths that are put behind it.
  if (/[?#]/.test(url.href)) issues.push(issueAt(['baseUrl'], 'invalid_value', 'must not carry a query or a fragment'))
  return url
}

function checkLimit(name: string, value: number, issues: Issue[]): void {
  if (!(typeof value === 'number' && value > 0))
    issues.push(issueAt([name], 'invalid_value', 'expected a number above 0'))
}
