import { type Endpoint, METHODS, type Method, pathParameters } from '../contract/endpoint'
import { checkRequest } from '../contract/validate'
import { RequestValidationError } from '../errors/client-errors'
import { readHeaders, validateHeaderValue } from '../internal/headers'
import { createIssue, type Issue } from '../internal/issue'
import { describeType, isPlainObject, isWellFormed } from '../internal/json'
import {
  anyValue,
  type Checks,
  createCheck,
  isObject,
  nonNegativeInteger,
  objectOption,
  oneOf,
  positiveNumber,
  readOptions,
  signalOption,
} from '../internal/options'
import { requestSecrets } from '../internal/redact'
import type { RequestOptions, RetryOptions } from '../types/options'
import type { StandardSchema } from '../types/standard-schema'
import { type SerializedBody, serializeBody } from './body'
import { type ResponseReader, schemaReader, standardReader } from './response'

/** Maximum length of the name of a custom request, in characters, so that it fits into a message. */
const MAX_NAME_LENGTH = 200

/** A validated and serialized request, without the token. */
export interface PreparedCall extends SerializedBody, Pick<Endpoint, 'name' | 'method' | 'path' | 'auth'> {
  /** Path and query, relative to `baseUrl`. */
  readonly target: string
  /** Whether a 60003 leads to a second factor and a retry. */
  readonly stepUp: boolean
  /** Secrets in the parameters, so that an echo is redacted. Copied, because the caller may change the parameters. */
  readonly secrets: readonly string[]
  readonly read: ResponseReader
}

/**
 * Validates and serializes a call of an endpoint.
 * @throws RequestValidationError naming every invalid parameter and option.
 */
export function prepare(
  endpoint: Endpoint,
  pathValues: readonly unknown[],
  params: unknown,
  optionIssues: readonly Issue[],
): PreparedCall {
  let index = 0
  const { path, issues } = fillPath(endpoint.path, () => pathValues[index++])
  if (endpoint.params !== undefined) issues.push(...checkRequest(endpoint.params, params === undefined ? {} : params))
  issues.push(...optionIssues)
  if (issues.length > 0) throw new RequestValidationError(endpoint.name, issues)

  // `undefined` means not set, as in JSON.
  const checked = (params ?? {}) as object
  const fields = Object.entries(endpoint.toPayload?.(checked) ?? checked).filter(([, value]) => value !== undefined)
  const inQuery = (name: string) => endpoint.query?.includes(name) ?? false
  const query = fields.filter(([name]) => inQuery(name))
  const content = Object.fromEntries(fields.filter(([name]) => !inQuery(name)))
  const hasBody =
    endpoint.method !== 'GET' &&
    endpoint.params !== undefined &&
    (endpoint.method !== 'DELETE' || Object.keys(content).length > 0)
  const { name, method, auth } = endpoint
  const body = hasBody ? JSON.stringify(content) : undefined
  // Written out: spreading objects here makes every call 10 % slower.
  return {
    name,
    method,
    path: endpoint.path,
    auth,
    body,
    contentType: body && 'application/json',
    content,
    isOneShot: false,
    target: path + queryString(query),
    stepUp: endpoint.stepUp ?? true,
    secrets: requestSecrets(Object.fromEntries(fields)),
    read: schemaReader(endpoint),
  }
}

/**
 * Validates and serializes a custom request; `suspendedToken` is added to its body.
 * @throws RequestValidationError naming every invalid field and option.
 */
export function prepareCustomRequest(
  request: CustomRequest,
  suspendedToken: string | undefined,
  optionIssues: readonly Issue[],
): PreparedCall {
  const name = customName(request)
  const fieldIssues: Issue[] = []
  const fields = readOptions(request, CUSTOM_REQUEST, fieldIssues)
  if (fieldIssues.length > 0) throw new RequestValidationError(name, fieldIssues)
  const { method = 'GET', path, pathParams = {}, query = {}, auth = 'token', schema, body } = fields
  const issues: Issue[] = validateTemplate(path, pathParams)
  const filled = issues.length === 0 ? fillPath(path, (name) => pathParams[name]) : { path: '', issues: [] }
  issues.push(...filled.issues, ...optionIssues)
  if (!METHODS.has(method))
    issues.push(createIssue(['method'], 'invalid_value', `expected one of ${[...METHODS].join(', ')}`))
  for (const [name, value] of Object.entries(query)) {
    if (!isQueryValue(value) || !isWellFormed(name))
      issues.push(
        createIssue(
          ['query', name],
          'invalid_value',
          'expected well-formed Unicode, a finite number, a boolean or an array of these',
        ),
      )
  }
  if (method === 'GET' && body !== undefined) issues.push(createIssue(['body'], 'invalid_value', 'GET has no body'))
  const content = addSuspendedToken(body, suspendedToken, method, issues)
  const serialized = serializeBody(content, issues)
  if (issues.length > 0) throw new RequestValidationError(name, issues)
  return {
    ...serialized,
    name,
    method,
    path,
    target: filled.path + queryString(Object.entries(query)),
    auth: suspendedToken === undefined ? auth : 'none',
    stepUp: suspendedToken === undefined && auth === 'token',
    // Includes the suspended token, which is a secret field of the body.
    secrets: requestSecrets([query, pathParams, typeof serialized.body === 'string' ? serialized.content : content]),
    read: standardReader(schema),
  }
}

/** Returns the name of a custom request, such as `GET /x`, without a query that was put into the path by mistake. */
export function customName(request: CustomRequest | undefined): string {
  try {
    const { method = 'GET', path } = request ?? {}
    return `${method} ${String(path).replace(/[?#].*/s, '')}`.slice(0, MAX_NAME_LENGTH)
  } catch {
    // A getter threw; `readOptions` reports it.
    return 'request'
  }
}

/** Adds a suspended user's token to the body as `token` (Interface, "Authentication", 2). */
function addSuspendedToken(body: unknown, token: string | undefined, method: Method, issues: Issue[]): unknown {
  if (token === undefined) return body
  const conflict = (message: string) => issues.push(createIssue(['body'], 'conflict', message))
  const plain = isRecord(body) ? body : {}
  if (method === 'GET') conflict('the suspended token is sent in the body, and GET has none')
  else if (body !== undefined && plain !== body)
    conflict('the suspended token is sent in the body, which must be a plain object')
  else if ('token' in plain) conflict('must not contain a `token`: the suspended token would replace it')
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

/** Value of a query parameter; an array of values repeats the parameter. */
export type QueryValue = string | number | boolean | null | undefined

/** A request to an endpoint that the interface does not describe, sent through the same pipeline. */
export interface CustomRequest<T = unknown> {
  /**
   * HTTP method.
   * @default 'GET'
   */
  readonly method?: Method | undefined
  /** Path relative to `baseUrl`, with parameters in braces, such as `/channels/{channel.id}`. */
  readonly path: string
  /** Values of the path parameters. Those named `….id` must be snowflakes. */
  readonly pathParams?: Readonly<Record<string, string>> | undefined
  /** Query parameters; `undefined` omits a parameter. */
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>> | undefined
  /** A JSON value, or a form, blob, buffer or stream that is sent as is. A stream can be sent only once. */
  readonly body?: unknown | undefined
  /**
   * Whether to send the token.
   * @default 'token'
   */
  readonly auth?: 'token' | 'none' | undefined
  /** A Standard Schema for the response; `onResponseMismatch` decides what a mismatch does. */
  readonly schema?: StandardSchema<T> | undefined
}

/** Segment that a router may resolve as `.` or `..`, percent-encoded or not. */
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i
const SNOWFLAKE = /^[0-9]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: a path must not have them
const FORBIDDEN = /[\\?#\u0000-\u0020\u007f]|\/\/|^(?!\/)/

/** Fills in a path template. A value that could change the structure of the path is an issue. */
function fillPath(template: string, valueFor: (name: string) => unknown): { path: string; issues: Issue[] } {
  const issues: Issue[] = []
  const path = template.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = valueFor(name)
    const problem = validateSegment(name, value)
    if (problem === undefined) return encodeURIComponent(value as string)
    issues.push(createIssue([name], 'invalid_format', problem))
    return ''
  })
  return { path, issues }
}

/** Returns the problem of a path parameter, or `undefined` if it is valid. */
function validateSegment(name: string, value: unknown): string | undefined {
  if (typeof value === 'number') return 'expected a string: a number this long loses digits'
  if (typeof value !== 'string') return `expected a string, got ${describeType(value)}`
  if (value === '') return 'is empty'
  // By convention path parameters named `….id` are snowflakes, and snowflakes are digits.
  if (name.endsWith('.id')) return SNOWFLAKE.test(value) ? undefined : 'expected a snowflake: digits only'
  if (DOT_SEGMENT.test(value)) return 'is a path traversal segment'
  return isWellFormed(value) ? undefined : 'contains a lone surrogate'
}

/** Whether percent-encoded characters in a template are complete: a value could complete `%2{value}`. */
function isWellEncoded(template: string): boolean {
  try {
    return isWellFormed(decodeURIComponent(template))
  } catch {
    return false
  }
}

/** Returns the issues of the path template of a custom request and of its parameters. */
function validateTemplate(template: unknown, values: Readonly<Record<string, unknown>>): Issue[] {
  if (typeof template !== 'string')
    return [createIssue(['path'], 'invalid_format', `expected a string, got ${describeType(template)}`)]
  const issues: Issue[] = []
  const hasDotSegment = template.split('/').some((segment) => DOT_SEGMENT.test(segment))
  if (FORBIDDEN.test(template) || hasDotSegment || !isWellEncoded(template)) {
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

/** Client options that a call can override. */
export interface CallDefaults {
  readonly timeout: number
  readonly deadline: number
  readonly retry: Retry
  /** Name in lower case. */
  readonly mfaHeader: string
}

/** Validates the options of a call and fills in the client's. */
export function readRequestOptions(input: RequestOptions | undefined, config: CallDefaults) {
  const issues: Issue[] = []
  if (input === undefined) {
    const { timeout, deadline, retry } = config
    const options: RequestOptions = {}
    return { options, timeout, deadline, retry, headers: {}, issues }
  }
  const options = readOptions(input, REQUEST_OPTIONS, issues)
  const { timeout = config.timeout, deadline = config.deadline } = options
  const headers = readHeaders(options.headers, config.mfaHeader, issues)
  const retry = readRetry(options.retry, config.retry, issues)
  return { options, timeout, deadline, retry, headers, issues }
}

/** Option `retry` with all defaults filled in. */
export type Retry = { readonly [K in keyof RetryOptions]-?: NonNullable<RetryOptions[K]> }

/** Validates the option `retry`, an object or only its `limit`, and fills in defaults. */
export function readRetry(input: unknown, defaults: Retry, issues: Issue[]): Retry {
  if (input === undefined) return defaults
  const isLimit = !isObject(input)
  if (isLimit) issues.push(...nonNegativeInteger('retry', input))
  const options: RetryOptions = isLimit
    ? { limit: Number(input) }
    : readOptions(input, RETRY_OPTIONS, issues, ['retry'])
  const { limit = defaults.limit, methods = defaults.methods } = options
  const { maxRateLimitWaitMs = defaults.maxRateLimitWaitMs } = options
  return { limit, methods: [...methods], maxRateLimitWaitMs }
}

/** Checks of {@link RequestOptions}; `retry` is checked by {@link readRetry}. */
export const REQUEST_OPTIONS: Checks<RequestOptions> = {
  signal: signalOption,
  timeout: positiveNumber,
  deadline: positiveNumber,
  retry: anyValue,
  headers: objectOption,
  token: validateHeaderValue,
  onMfaRequired: /*@__PURE__*/ createCheck(
    'a function, or false',
    (value) => value === false || typeof value === 'function',
  ),
}

const RETRY_OPTIONS: Checks<RetryOptions> = {
  limit: nonNegativeInteger,
  methods: validateMethods,
  maxRateLimitWaitMs: /*@__PURE__*/ createCheck(
    'a number, 0 or more',
    (value) => typeof value === 'number' && value >= 0,
  ),
}

function validateMethods(name: string, value: unknown): Issue[] {
  const areMethods = (methods: unknown) => Array.isArray(methods) && methods.every((method) => METHODS.has(method))
  return createCheck(`an array of ${[...METHODS].join(', ')}`, areMethods)(name, value)
}

const CUSTOM_REQUEST: Checks<CustomRequest> = {
  method: anyValue,
  path: anyValue,
  pathParams: objectOption,
  query: objectOption,
  body: anyValue,
  auth: /*@__PURE__*/ oneOf('token', 'none'),
  // A schema of an older library would otherwise fail only after the response.
  schema: /*@__PURE__*/ createCheck('a Standard Schema, with `~standard`', (value) =>
    isObject(Reflect.get(Object(value), '~standard')),
  ),
}
