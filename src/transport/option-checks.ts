import { type Issue, issueAt } from '../contract/issue'
import type { GatewayBackoffOptions, GatewayOptions, WaitForOptions } from '../gateway/options'
import type { GatewayProtocol } from '../gateway/protocol'
import type { ClientOptions, RequestOptions, RetryOptions } from '../options'
import type { CustomRequest } from './custom-request'

/** What an option must be: a kind of value, or one of some values. */
type Kind = 'string' | 'boolean' | 'function' | 'object' | 'any' | readonly unknown[]

/** The options of a client. Those whose kind is `any` have checks of their own. */
export const CLIENT_OPTIONS: Readonly<Record<keyof ClientOptions, Kind>> = {
  baseUrl: 'any',
  allowInsecureHttp: 'boolean',
  token: 'any',
  tokenStore: 'object',
  fingerprint: 'any',
  authorize: 'function',
  headers: 'object',
  fetch: 'function',
  credentials: ['omit', 'same-origin', 'include'],
  timeout: 'any',
  deadline: 'any',
  retry: 'any',
  maxResponseBytes: 'any',
  onMfaRequired: 'function',
  mfaTimeout: 'any',
  mfaHeader: 'any',
  classifyMfaFailure: 'function',
  onResponseMismatch: ['report', 'throw', 'ignore'],
  webauthn: 'object',
  gateway: 'object',
  logger: 'object',
}

/** The options of a call. */
export const REQUEST_OPTIONS: Readonly<Record<keyof RequestOptions, Kind>> = {
  signal: 'object',
  timeout: 'any',
  deadline: 'any',
  retry: 'any',
  headers: 'object',
  token: 'any',
  onMfaRequired: 'any',
}

/** What `retry` may say. */
export const RETRY_OPTIONS: Readonly<Record<keyof RetryOptions, Kind>> = {
  limit: 'any',
  methods: 'any',
  maxRateLimitWaitMs: 'any',
}

/** The options of a gateway. */
export const GATEWAY_OPTIONS: Readonly<Record<keyof GatewayOptions, Kind>> = {
  url: 'any',
  WebSocket: 'function',
  protocol: 'object',
  connectOnSignIn: 'boolean',
  backoff: 'object',
}

/** How long a gateway waits. */
export const BACKOFF_OPTIONS: Readonly<Record<keyof GatewayBackoffOptions, Kind>> = {
  firstMs: 'any',
  baseMs: 'any',
  maxMs: 'any',
  stableMs: 'any',
}

/** What a protocol is made of. */
export const PROTOCOL: Readonly<Record<keyof GatewayProtocol, Kind>> = {
  encode: 'function',
  decode: 'function',
  identify: 'function',
  resume: 'function',
  heartbeat: 'function',
  classifyClose: 'function',
  eventMap: 'object',
}

/** What a wait for an event may be given. */
export const WAIT_FOR_OPTIONS: Readonly<Record<keyof WaitForOptions<unknown>, Kind>> = {
  filter: 'function',
  timeout: 'any',
  signal: 'object',
}

/** What a call of the caller's own is made of. */
export const CUSTOM_REQUEST: Readonly<Record<keyof CustomRequest, Kind>> = {
  method: 'any',
  path: 'any',
  pathParams: 'object',
  query: 'object',
  body: 'any',
  auth: ['token', 'none'],
  schema: 'any',
}

/** What is not an option at all, or of another kind. A misspelt option is as good as none, and nobody would notice. */
export function optionIssues(given: unknown, options: Readonly<Record<string, Kind>>): Issue[] {
  if (typeof given !== 'object' || given === null)
    return [issueAt([], 'invalid_value', `expected an object, got ${given === null ? 'null' : typeof given}`)]
  return Object.entries(given).flatMap(([name, value]) => {
    const kind = Object.hasOwn(options, name) ? options[name] : undefined
    if (kind === undefined)
      return [issueAt([name], 'invalid_value', `unknown; known here: ${Object.keys(options).join(', ')}`)]
    if (value === undefined || fits(value, kind)) return []
    return [
      issueAt(
        [name],
        'invalid_value',
        `expected ${typeof kind === 'string' ? kind : kind.map((one) => `'${one}'`).join(', ')}`,
      ),
    ]
  })
}

function fits(value: unknown, kind: Kind): boolean {
  if (kind === 'any') return true
  if (typeof kind !== 'string') return kind.includes(value)
  return kind === 'object' ? typeof value === 'object' && value !== null : typeof value === kind
}
