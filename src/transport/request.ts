import { type Endpoint, METHODS, type Method, pathParameters } from '../contract/endpoint'
import { checkRequest } from '../contract/validate'
import { RequestValidationError } from '../errors/client-errors'
import { headerValueIssues, readHeaders } from '../internal/headers'
import { createIssue, type Issue } from '../internal/issue'
import { describeType, isPlainObject, isWellFormed } from '../internal/json'
import {
  anyValue,
  type Checks,
  expect,
  isObject,
  objectOption,
  oneOf,
  positiveNumber,
  readOptions,
  signalOption,
  wholeNumber,
} from '../internal/options'
import { sentSecrets } from '../internal/redact'
import type { RequestOptions, RetryOptions } from '../types/options'
import type { StandardSchema } from '../types/standard-schema'
import { jsonBody, type SerializedBody, serializeBody } from './body'
import { type ResponseReader, schemaReader, standardReader } from './response'

/** A longer name of a call, in characters, would fill a message. */
const MAX_NAME = 200

/** A call that has passed its checks: everything of it but who makes it. */
export interface PreparedCall extends SerializedBody, Pick<Endpoint, 'name' | 'method' | 'path' | 'auth'> {
  /** Path and query, to be put behind the base address. */
  readonly target: string
  readonly stepUp: boolean
  /** Secrets that the caller sends, so that an echo is redacted. Read at once, for they are the caller's to change. */
  readonly secrets: readonly string[]
  readonly read: ResponseReader
}

/** Checks a call of the contract and writes it down. Throws with all that is wrong. */
export function prepare(
  endpoint: Endpoint,
  pathValues: readonly unknown[],
  params: unknown,
  further: readonly Issue[],
): PreparedCall {
  let filled = 0
  const { path, issues } = fillPath(endpoint.path, () => pathValues[filled++])
  if (endpoint.params !== undefined) issues.push(...checkRequest(endpoint.params, params === undefined ? {} : params))
  issues.push(...further)
  if (issues.length > 0) throw new RequestValidationError(endpoint.name, issues)

  // What is undefined is absent, as it is in JSON.
  const checked = (params ?? {}) as object
  const given = Object.entries(endpoint.toPayload?.(checked) ?? checked).filter(([, value]) => value !== undefined)
  const inQuery = (name: string) => endpoint.query?.includes(name) ?? false
  const query = given.filter(([name]) => inQuery(name))
  const content = Object.fromEntries(given.filter(([name]) => !inQuery(name)))
  const isBodyDue =
    endpoint.method !== 'GET' &&
    endpoint.params !== undefined &&
    (endpoint.method !== 'DELETE' || Object.keys(content).length > 0)
  const { name, method, auth } = endpoint
  const { body, contentType, isOneShot } = jsonBody(isBodyDue ? JSON.stringify(content) : undefined, content)
  // Each by its name: spreading objects here makes every call slower by a tenth.
  return {
    name,
    method,
    path: endpoint.path,
    auth,
    body,
    contentType,
    content,
    isOneShot,
    target: path + queryString(query),
    stepUp: endpoint.stepUp ?? true,
    secrets: sentSecrets(Object.fromEntries(given)),
    read: schemaReader(endpoint),
  }
}

/** Checks a call that the document leaves out and writes it down. `suspendedToken` goes into the body. */
export function prepareCustomRequest(
  request: CustomRequest,
  suspendedToken: string | undefined,
  further: readonly Issue[],
): PreparedCall {
  const name = customName(request)
  const unusable: Issue[] = []
  const given = readOptions(request, CUSTOM_REQUEST, unusable)
  if (unusable.length > 0) throw new RequestValidationError(name, unusable)
  const { method = 'GET', path, pathParams = {}, query = {}, auth = 'token', schema, body } = given
  const issues: Issue[] = templateIssues(path, pathParams)
  const filled = issues.length === 0 ? fillPath(path, (name) => pathParams[name]) : { path: '', issues: [] }
  issues.push(...filled.issues, ...further)
  if (!METHODS.has(method))
    issues.push(createIssue(['method'], 'invalid_value', `expected one of ${[...METHODS].join(', ')}`))
  for (const [name, value] of Object.entries(query)) {
    if (!isQueryValue(value) || !isWellFormed(name))
      issues.push(
        createIssue(
          ['query', name],
          'invalid_value',
          'expected whole characters, a finite number, a boolean or a list',
        ),
      )
  }
  if (method === 'GET' && body !== undefined) issues.push(createIssue(['body'], 'invalid_value', 'GET has no body'))
  const content = withToken(body, suspendedToken, method, issues)
  const written = serializeBody(content, issues)
  if (issues.length > 0) throw new RequestValidationError(name, issues)
  return {
    ...written,
    name,
    method,
    path,
    target: filled.path + queryString(Object.entries(query)),
    auth: suspendedToken === undefined ? auth : 'none',
    stepUp: suspendedToken === undefined && auth === 'token',
    // A suspended token is in the body, by its name.
    secrets: sentSecrets([query, pathParams, typeof written.body === 'string' ? written.content : content]),
    read: standardReader(schema),
  }
}

/** What a call of the caller's own is called; a query that is put into the path by mistake is not told. */
export function customName(request: CustomRequest | undefined): string {
  try {
    const { method = 'GET', path } = request ?? {}
    return `${method} ${String(path).replace(/[?#].*/s, '')}`.slice(0, MAX_NAME)
  } catch {
    // Neither can be told; what is wrong with them is told where they are read.
    return 'request'
  }
}

/** A suspended user's token travels in the body as `token` (Interface, "Authentication", 2). */
function withToken(body: unknown, token: string | undefined, method: Method, issues: Issue[]): unknown {
  if (token === undefined) return body
  const conflict = (message: string) => issues.push(createIssue(['body'], 'conflict', message))
  const plain = isRecord(body) ? body : {}
  if (method === 'GET') conflict('a suspended token travels in the body, and GET has none')
  else if (body !== undefined && plain !== body)
    conflict('a suspended token travels in the body, which must be a plain object')
  else if ('token' in plain) conflict('has a token already; the suspended one would replace it')
  return { ...plain, token }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && isPlainObject(value)

function isQueryValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => !Array.isArray(item) && isQueryValue(item))
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value === 'string') return isWellFormed(value)
  return value === null || ['boolean', 'undefined'].includes(typeof value)
}

function queryString(entries: readonly (readonly [string, unknown])[]): string {
  const pairs = entries.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).filter((item) => item !== undefined).map((item) => [name, String(item)]),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

export type { StandardResult, StandardSchema } from '../types/standard-schema'

/** What a query parameter may be; a list repeats the parameter. */
export type QueryValue = string | number | boolean | null | undefined

/** A call that the document leaves out, sent through the same pipeline. */
export interface CustomRequest<T = unknown> {
  /**
   * HTTP method.
   * @default 'GET'
   */
  readonly method?: Method | undefined
  /** Path below `baseUrl`, with `{parameters}` in braces. */
  readonly path: string
  /** Values of the path's parameters. Those named `….id` are snowflakes. */
  readonly pathParams?: Readonly<Record<string, string>> | undefined
  /** Query parameters; `undefined` leaves one out. */
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>> | undefined
  /** A value for JSON, or a form, blob, buffer or stream that is sent as it is. A stream can be sent once alone. */
  readonly body?: unknown | undefined
  /**
   * Whether to send the token.
   * @default 'token'
   */
  readonly auth?: 'token' | 'none' | undefined
  /** Any Standard Schema for the response; a mismatch is dealt with as `onResponseMismatch` says. */
  readonly schema?: StandardSchema<T> | undefined
}

/** What a router may take for the same folder or the one above, encoded or not. */
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i

const SNOWFLAKE = /^[0-9]+$/

// biome-ignore lint/suspicious/noControlCharactersInRegex: a path must not have them
const FORBIDDEN = /[\\?#\u0000-\u0020\u007f]|\/\/|^(?!\/)/

/** Fills a path template, its parameters in their order. No value can change its shape: what could is an issue. */
function fillPath(template: string, valueFor: (name: string) => unknown): { path: string; issues: Issue[] } {
  const issues: Issue[] = []
  const path = template.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = valueFor(name)
    const problem = segmentProblem(name, value)
    if (problem === undefined) return encodeURIComponent(value as string)
    issues.push(createIssue([name], 'invalid_format', problem))
    return ''
  })
  return { path, issues }
}

function segmentProblem(name: string, value: unknown): string | undefined {
  if (typeof value === 'number') return 'expected a string: a number this long loses digits'
  if (typeof value !== 'string') return `expected a string, got ${describeType(value)}`
  if (value === '') return 'is empty'
  // In a path the snowflakes are the parameters named `….id`; that they are digits is a convention.
  if (name.endsWith('.id')) return SNOWFLAKE.test(value) ? undefined : 'expected a snowflake: digits only'
  if (DOT_SEGMENT.test(value)) return 'is a step in a path, not a name'
  return isWellFormed(value) ? undefined : 'has half a character (a lone surrogate)'
}

/** Whether what is percent-encoded in a template is so by itself: `%2{value}` would let a value finish it. */
function isEncoded(template: string): boolean {
  try {
    return isWellFormed(decodeURIComponent(template))
  } catch {
    return false
  }
}

/** What is wrong with a template that a caller gives, with the values it needs. */
function templateIssues(template: unknown, values: Readonly<Record<string, unknown>>): Issue[] {
  if (typeof template !== 'string')
    return [createIssue(['path'], 'invalid_format', `expected a string, got ${describeType(template)}`)]
  const issues: Issue[] = []
  const isStepped = template.split('/').some((segment) => DOT_SEGMENT.test(segment))
  if (FORBIDDEN.test(template) || isStepped || !isEncoded(template)) {
    issues.push(
      createIssue(
        ['path'],
        'invalid_format',
        'expected a path below `baseUrl` such as "/channels/{channel.id}/messages"; values go into `pathParams` and `query`',
      ),
    )
  }
  const names = pathParameters(template)
  for (const name of Object.keys(values)) {
    if (!names.includes(name))
      issues.push(createIssue(['pathParams', name], 'invalid_format', `the path has no {${name}}`))
  }
  return issues
}

/** Options of a client that a call can override. */
export interface CallDefaults {
  readonly timeout: number
  readonly deadline: number
  readonly retry: Retry
  /** In lower case. */
  readonly mfaHeader: string
}

/** What one call overrides, over the client's. */
export function readRequestOptions(given: RequestOptions, config: CallDefaults) {
  const issues: Issue[] = []
  const options = readOptions(given, REQUEST_OPTIONS, issues)
  const { timeout = config.timeout, deadline = config.deadline } = options
  const headers = readHeaders(options.headers, config.mfaHeader, issues)
  const retry = readRetry(options.retry, config.retry, issues)
  return { options, timeout, deadline, retry, headers, issues }
}

/** `retry` with its defaults. */
export type Retry = { readonly [K in keyof RetryOptions]-?: NonNullable<RetryOptions[K]> }

/** `retry` is its options, or the `limit` alone. */
export function readRetry(given: unknown, base: Retry, issues: Issue[]): Retry {
  if (given === undefined) return base
  const isLimit = !isObject(given)
  if (isLimit) issues.push(...wholeNumber('retry', given))
  const options: RetryOptions = isLimit
    ? { limit: Number(given) }
    : readOptions(given, RETRY_OPTIONS, issues, ['retry'])
  const { limit = base.limit, methods = base.methods, maxRateLimitWaitMs = base.maxRateLimitWaitMs } = options
  return { limit, methods: [...methods], maxRateLimitWaitMs }
}

/** The options of a call. */
export const REQUEST_OPTIONS: Checks<RequestOptions> = {
  signal: signalOption,
  timeout: positiveNumber,
  deadline: positiveNumber,
  retry: anyValue,
  headers: objectOption,
  token: headerValueIssues,
  onMfaRequired: expect('a function, or false', (value) => value === false || typeof value === 'function'),
}

/** The options of retries. */
const RETRY_OPTIONS: Checks<RetryOptions> = {
  limit: wholeNumber,
  methods: methodIssues,
  maxRateLimitWaitMs: expect('a number, 0 or more', (value) => typeof value === 'number' && value >= 0),
}

function methodIssues(name: string, value: unknown): Issue[] {
  const areMethods = (given: unknown) => Array.isArray(given) && given.every((method) => METHODS.has(method))
  return expect(`a list of ${[...METHODS].join(', ')}`, areMethods)(name, value)
}

/** What a call of the caller's own is made of. */
const CUSTOM_REQUEST: Checks<CustomRequest> = {
  method: anyValue,
  path: anyValue,
  pathParams: objectOption,
  query: objectOption,
  body: anyValue,
  auth: oneOf('token', 'none'),
  // A schema of a library that is older than the standard would fail once the request has been answered.
  schema: expect('a Standard Schema, with `~standard`', (value) => isObject(Reflect.get(Object(value), '~standard'))),
}
