// Prepares a request: validates its parameters and builds path, query and options.
import { type Endpoint, METHODS } from '../contract/endpoint'
import { checkRequest } from '../contract/validate'
import { RequestValidationError } from '../errors/client-errors'
import { createIssue, type Issue } from '../internal/issue'
import { describeType, isObject, isWellFormed, omitUndefined, parseJson, withoutPrototype } from '../internal/json'
import {
  anyValue,
  type Checks,
  createCheck,
  nonNegativeInteger,
  objectOption,
  positiveNumber,
  readHeaders,
  readOptions,
  signalOption,
  validateHeaderValue,
} from '../internal/options'
import { requestSecrets } from '../internal/redact'
import type { MaybePromise, RequestOptions, RetryOptions } from '../types/options'
import { type ResponseReader, schemaReader } from './response'

/** A serialized body that can be sent repeatedly. Later mutations of the input have no effect. */
export interface SerializedBody {
  readonly body: MaybePromise<string | ArrayBuffer | Blob | FormData | ReadableStream | undefined>
  /** Absent for JSON, and if the platform sets it. */
  readonly contentType?: string | undefined
  /** Body before serialization, for logs; for anything but JSON its class, such as `[object Blob]`. */
  readonly content: unknown
  /** Whether the body can be sent only once: it is a stream. */
  readonly isOneShot?: true
}

/** A validated and serialized request, without the token. */
export interface PreparedCall
  extends SerializedBody,
    Pick<Endpoint, 'name' | 'method' | 'path' | 'auth' | 'keepalive'> {
  /** Path and query, relative to `baseUrl`. */
  readonly target: string
  /** Path template without secrets, which that of a custom request may contain. @default `path` */
  readonly shownPath?: string
  /** Whether a 60003 leads to a second factor and a retry. */
  readonly stepUp: boolean
  /** Returns the secrets in the parameters, so that an echo is redacted. Only errors and logs call it. */
  readonly secrets: () => readonly string[]
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
  // Fields that a row omits are not read from `Object.prototype`. Rows are constants: a copy for each call costs CPU.
  Object.setPrototypeOf(endpoint, null)
  let index = 0
  const { path, issues } = fillPath(endpoint.path, () => pathValues[index++])
  if (endpoint.params !== undefined) issues.push(...checkRequest(endpoint.params, params === undefined ? {} : params))
  issues.push(...optionIssues)
  if (issues.length > 0) throw new RequestValidationError(endpoint.name, issues, true)

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
    content,
    keepalive: endpoint.keepalive,
    target: path + queryString(query),
    stepUp: auth !== 'none' && endpoint.stepUp !== false,
    // Of what is sent, as the caller may change the input later.
    secrets: () => requestSecrets([Object.fromEntries(query), body && parseJson(body)]),
    read: schemaReader(endpoint),
  }
}

/** Returns query parameters with `?`, or an empty string if there are none. */
export function queryString(entries: readonly (readonly [string, unknown])[]): string {
  const pairs = entries.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).filter((item) => item !== undefined).map((item) => [name, String(item)]),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** Segment that a router may resolve as `.` or `..`, percent-encoded or not. */
export const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i
const SNOWFLAKE = /^\d+$/

/** Fills in a path template. A value that could change the structure of the path is an issue. */
export function fillPath(template: string, valueFor: (name: string) => unknown): { path: string; issues: Issue[] } {
  const issues: Issue[] = []
  const path = template.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = valueFor(name)
    const problem = validateSegment(name, value)
    // A segment without a problem is a string.
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

/** Client options that a call can override. */
export interface CallDefaults {
  readonly timeout: number
  readonly deadline: number
  readonly retry: Retry
  /** Name in lower case. */
  readonly mfaHeader: string
  readonly session?: 'token' | 'cookie' | undefined
}

const NO_OPTIONS: RequestOptions = withoutPrototype({})

/** Validates the options of a call and fills in the client's. */
export function readRequestOptions(input: RequestOptions | undefined, config: CallDefaults) {
  const issues: Issue[] = []
  const options: RequestOptions = input === undefined ? NO_OPTIONS : readOptions(input, REQUEST_OPTIONS, issues)
  const { timeout = config.timeout, deadline = config.deadline } = options
  const headers = options.headers ? readHeaders(options.headers, config.mfaHeader, issues) : {}
  const retry = readRetry(options.retry, config.retry, issues)
  // That of a challenge stands for the user, as that of the session.
  if (config.session === 'cookie' && !/^cookie\b/.test(options.token ?? 'cookie'))
    issues.push(createIssue(['token'], 'invalid_value', 'the token is in a cookie: omit this option'))
  return { options, timeout, deadline, retry, headers, issues }
}

/** Options of a call with the client's, and their issues. */
export type ReadOptions = ReturnType<typeof readRequestOptions>

/** Option `retry` with all defaults filled in. */
export type Retry = { readonly [K in keyof RetryOptions]-?: NonNullable<RetryOptions[K]> }

/** Validates the option `retry`, an object or only its `limit`, and fills in defaults. */
export function readRetry(input: unknown, defaults: Retry, issues: Issue[]): Retry {
  if (input === undefined) return defaults
  const isLimit = !isObject(input)
  if (isLimit) issues.push(...nonNegativeInteger('retry', input))
  const options: RetryOptions = isLimit
    ? withoutPrototype({ limit: Number(input) })
    : readOptions(input, RETRY_OPTIONS, issues, ['retry'])
  const { methods = defaults.methods } = options
  return { ...defaults, ...omitUndefined(options), methods: Array.isArray(methods) ? [...methods] : [] }
}

/** Checks of {@link RequestOptions}; `retry` is checked by {@link readRetry}. */
export const REQUEST_OPTIONS: Checks<RequestOptions> = {
  signal: signalOption,
  timeout: positiveNumber,
  deadline: positiveNumber,
  retry: anyValue,
  headers: objectOption,
  token: validateHeaderValue,
  onMfaRequired: createCheck('a function, or false', (value) => value === false || typeof value === 'function'),
}

const RETRY_OPTIONS: Checks<RetryOptions> = {
  limit: nonNegativeInteger,
  methods: validateMethods,
  maxRateLimitWaitMs: createCheck('a number, 0 or more', (value) => typeof value === 'number' && value >= 0),
}

function validateMethods(name: string, value: unknown): Issue[] {
  const areMethods = (methods: unknown) => Array.isArray(methods) && methods.every((method) => METHODS.has(method))
  return createCheck(`an array of ${[...METHODS].join(', ')}`, areMethods)(name, value)
}
