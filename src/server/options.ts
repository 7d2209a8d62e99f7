// Options of `createSessionHandler`, with defaults filled in.
import type { ClientOptions } from '../client/options'
import { RequestValidationError } from '../errors/client-errors'
import { createIssue, type Issue } from '../internal/issue'
import {
  createCheck,
  functionOption,
  isLoopback,
  objectOption,
  positiveNumber,
  readOptions,
  validateHeaderName,
} from '../internal/options'
import { type KeyRing, keyRingOption } from '../internal/seal'
import type { Logger } from '../types/options'

/** The cookie of a session. */
export interface SessionCookieOptions {
  /** Name, which begins with `__Host-`. Two handlers of one origin need different ones. @default '__Host-rapport' */
  readonly name?: string | undefined
  /** Time without a `GET <mount>/session` after which a session ends, up to a tenth earlier, in milliseconds. @default 14 days */
  readonly idleMs?: number | undefined
  /** Time after the sign-in at which a session ends, in milliseconds. @default 90 days */
  readonly maxMs?: number | undefined
}

/** Options of {@link createSessionHandler}. `baseUrl`, `keys` and `origin` are required. */
export interface SessionHandlerOptions extends Pick<ClientOptions, 'authorize' | 'mfaHeader'> {
  /** URL of the service, as for a client: https, or http on loopback. */
  readonly baseUrl: string | URL
  /** Keys that seal the cookies: the first one seals, all open. */
  readonly keys: KeyRing
  /** Origin of the pages, such as `https://app.example`. Compared with the `Origin` of requests; `Host` is not used. */
  readonly origin: string
  /** Path below which the handler is mounted. @default '/rapport' */
  readonly mount?: string | undefined
  /** Name and lifetime of the cookie; each has a default. */
  readonly cookie?: SessionCookieOptions | undefined
  /** Sends requests to the service. @default globalThis.fetch */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /**
   * Endpoints that are otherwise refused. **A script of the page can then create a handoff token and exchange it elsewhere
   * for a token**, of which the logger is warned. @default none
   */
  readonly allow?: readonly ('Create Handoff Token' | 'Exchange Handoff Token')[] | undefined
  /** Returns the browser's IP address for `X-Forwarded-For`: from your platform, never from a header that a browser can send. @default none */
  readonly clientAddress?: ((request: Request) => string | undefined) | undefined
  /** Names of additional headers to forward to the service, such as those of the client's option `headers`. @default none */
  readonly requestHeaders?: readonly string[] | undefined
  /** Names of additional response headers to forward to pages, such as those that your `readRateLimit` reads. @default none */
  readonly responseHeaders?: readonly string[] | undefined
  /** Maximum size of a request's body, in bytes. @default 1_048_576 */
  readonly maxRequestBytes?: number | undefined
  /** Maximum time until a response begins or, for failures and below `/auth` and `/mfa`, ends, in milliseconds. @default 30_000 */
  readonly timeout?: number | undefined
  /** Its `warn` receives a warning if `allow` is set, and one for each 5xx of the handler itself, without secrets. @default console */
  readonly logger?: Logger | undefined
}

/** {@link SessionHandlerOptions} with defaults. */
export type HandlerConfig = ReturnType<typeof readHandlerOptions>

/** Endpoints with which a script of the page could obtain a token. */
export const HANDOFF = ['Create Handoff Token', 'Exchange Handoff Token']
/** Not those that act in a browser, belong to a connection or a body, or say who or where somebody is, or what is called. */
const NAMEABLE =
  /^(?!(?:set-cookie|cookie|location|refresh|link|clear-site-data|connection|keep-alive|te|trailer|upgrade|expect|host|via|origin|referer|x-rapport-user)$)(?!(?:transfer|content|(?:www-)?auth|service-worker|access-control|proxy|sec|x-forwarded|forwarded|x-original|x-rewrite)[\w-]*$)(?![\w-]*(?:authorization|method|method-override|(?:[-_]|client)ip|address|addr)$)[\w-]+$/i
/** Headers of a page that the service receives: those that a client or a browser sets. Others may be believed there. */
const FORWARDED = 'accept|accept-language|content-type|user-agent|traceparent|tracestate|x-fingerprint'
/** Headers of the service that a page receives: those that a client reads. Others may be secret, or act in the browser. */
const RETURNED =
  'content-type|content-language|date|retry-after|(?:x-)?ratelimit(?:-.*)?|x-(?:request|correlation|amzn-request)-?id|cf-ray'
const DAY_MS = 24 * 60 * 60 * 1000

function matching(expected: string, pattern: RegExp) {
  return createCheck(expected, (value) => typeof value === 'string' && pattern.test(value))
}

const headerNames = createCheck(
  'an array of names of headers, without those of connections, cookies, redirects, permissions, addresses and methods',
  (value) => Array.isArray(value) && value.every((name) => typeof name === 'string' && NAMEABLE.test(name)),
)

const CHECKS = {
  baseUrl: createCheck('the absolute URL of the service: https, or http on loopback', isServiceUrl),
  keys: keyRingOption,
  origin: createCheck(
    'an origin without a slash at its end, such as "https://app.example": https, or http on loopback',
    (value) => isServiceUrl(value) && new URL(String(value)).origin === value,
  ),
  mount: matching('a path such as "/rapport"', /^(?:\/[\w-]+)+$/),
  cookie: objectOption,
  fetch: functionOption,
  allow: createCheck(
    `an array of ${HANDOFF.join(', ')}`,
    (value) => Array.isArray(value) && value.every((name) => HANDOFF.includes(name)),
  ),
  authorize: functionOption,
  mfaHeader: validateHeaderName,
  clientAddress: functionOption,
  ...{ requestHeaders: headerNames, responseHeaders: headerNames },
  maxRequestBytes: positiveNumber,
  timeout: positiveNumber,
  logger: objectOption,
}

const COOKIE_CHECKS = {
  name: matching('a name that begins with "__Host-"', /^__Host-[\w-]{1,64}$/),
  idleMs: positiveNumber,
  maxMs: positiveNumber,
}

function isServiceUrl(value: unknown): boolean {
  if (!URL.canParse(String(value))) return false
  const { protocol, hostname, search, hash, username } = new URL(String(value))
  const isSecure = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
  return isSecure && search === '' && hash === '' && username === ''
}

/** @throws RequestValidationError naming every invalid option. */
export function readHandlerOptions(input: SessionHandlerOptions) {
  const issues: Issue[] = []
  const options = readOptions(input, CHECKS, issues)
  const cookie = readOptions(options.cookie ?? {}, COOKIE_CHECKS, issues, ['cookie'])
  for (const name of ['baseUrl', 'keys', 'origin'] as const)
    if (options[name] === undefined) issues.push(createIssue([name], 'invalid_value', 'is required'))
  if (issues.length > 0) throw new RequestValidationError('createSessionHandler', issues)
  const { mount = '/rapport', timeout = 30_000, requestHeaders, responseHeaders } = options
  const mfaHeader = (options.mfaHeader ?? 'x-service-mfa-authorization').toLowerCase()
  const patternOf = (known: string, names: readonly string[] = []) =>
    new RegExp(`^(?:${[known, ...names.filter((name) => name.toLowerCase() !== mfaHeader)].join('|')})$`, 'i')
  const { name = '__Host-rapport', idleMs = 14 * DAY_MS, maxMs = 90 * DAY_MS } = cookie
  return {
    ...options,
    ...{ mount, mfaHeader, timeout, cookie: { name, idleMs, maxMs } },
    ...{ requestHeaders: patternOf(FORWARDED, requestHeaders), responseHeaders: patternOf(RETURNED, responseHeaders) },
    baseUrl: new URL(options.baseUrl),
    allow: new Set<string>(options.allow),
    authorize: options.authorize ?? ((token: string) => token),
    ...{ maxRequestBytes: options.maxRequestBytes ?? 1024 * 1024, logger: options.logger ?? console },
  }
}
