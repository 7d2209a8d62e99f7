import type { Endpoint } from '../contract/endpoint'
import { MFA_REQUIRED_CODE } from '../contract/mfa'
import { check } from '../contract/validate'
import {
  AccountDeletionScheduledError,
  AccountDisabledError,
  ApiError,
  type ApiFailure,
  AuthenticationError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from '../errors/api-errors'
import { wrapError } from '../errors/base'
import { ResponseMismatchError, ResponseParseError } from '../errors/client-errors'
import { createIssue, type Issue } from '../internal/issue'
import { isObject, parseJson, readField } from '../internal/json'
import { isHeaderValue } from '../internal/options'
import { redact, type Secrets, valuesOf } from '../internal/redact'
import type {
  ErrorContent,
  ErrorResponse,
  FetchResponse,
  FieldError,
  RateLimit,
  StandardSchema,
} from '../types/options'
import { checkUsers, readIssues } from './users'

/** A response whose body has been read. */
export interface BufferedResponse {
  readonly status: number
  readonly headers: Headers
  readonly url: string
  /** Empty if it is incomplete. */
  readonly body: Uint8Array
  /** Why the body is incomplete; `undefined` if it is complete. */
  readonly bodyError: { readonly reason: string; readonly cause?: unknown; readonly isConnection?: true } | undefined
  /** Result of the first {@link decode}: the log, the error and redaction read the same body. */
  decoded?: DecodedBody
  /** What it says about rate limits. */
  rateLimit?: RateLimit
  /** What the option `readError` read of a failure. */
  content?: ErrorContent
  /** Result of the first {@link requiresStepUp}. */
  isStepUp?: boolean
}

/** Returns names and values of headers. Not every type of them is iterable. */
export function headerEntries(headers: FetchResponse['headers']): [name: string, value: string][] {
  const entries: [string, string][] = []
  headers.forEach((value, name) => void entries.push([name, value]))
  return entries
}

/** The JSON value of a body, as far as it could be parsed, and why it is invalid, if it is. */
interface DecodedBody {
  readonly value: unknown
  readonly problem: string | undefined
}

/**
 * Returns the JSON of a success, or `undefined` if the body is empty.
 * @throws ResponseParseError if the body is incomplete or not valid JSON.
 */
function decodeSuccess(endpoint: string, response: BufferedResponse): unknown {
  const { status, body, bodyError } = response
  if (bodyError !== undefined) throw new ResponseParseError(endpoint, status, bodyError.reason, bodyError)
  if (body.byteLength === 0) return undefined
  const { value, problem } = decode(response)
  if (problem !== undefined) throw new ResponseParseError(endpoint, status, problem)
  return value
}

/** Returns the JSON of a failure, or `undefined` if it cannot be parsed. */
export function decodeFailure(response: BufferedResponse): unknown {
  return decode(response).value
}

function decode(response: BufferedResponse): DecodedBody {
  response.decoded ??= parseBody(response.body)
  return response.decoded
}

const WEB_PAGE = 'it is HTML or XML, not JSON'

function parseBody(body: Uint8Array): DecodedBody {
  let text: string
  let problem: string | undefined
  try {
    text = decodeText(body, true)
  } catch {
    text = decodeText(body, false)
    problem = 'it is not valid UTF-8'
  }
  try {
    return { value: parseJson(text), problem }
  } catch {
    // The parser's message quotes the body, so it is not kept.
    problem ??= text.trimStart().startsWith('<') ? WEB_PAGE : 'it is not valid JSON, or truncated'
    return { value: undefined, problem }
  }
}

/** Decodes UTF-8 without a byte order mark. Throws if it is malformed and `fatal`. */
function decodeText(bytes: Uint8Array, fatal: boolean): string {
  // Looked up on use: jsdom and some engines of React Native have no decoder.
  if (typeof TextDecoder === 'function') return new TextDecoder('utf-8', { fatal }).decode(bytes)
  if (!fatal) return ''
  const escaped = Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`)
  return decodeURIComponent(escaped.join('')).replace(/^\ufeff/, '')
}

/** The data of a success, and where they differ from the API. */
export interface ReadResponse {
  readonly data: unknown
  readonly issues: readonly Issue[]
}

/** Reads a success. `secrets` returns the secrets of the call, and with `more` those too. */
export type ResponseReader = (
  endpoint: string,
  response: BufferedResponse,
  secrets: (more?: readonly string[]) => Secrets,
  userSchema: StandardSchema | undefined,
) => ReadResponse | Promise<ReadResponse>

/** Creates the reader for an endpoint. Data are returned as received: nothing is coerced or dropped. */
export function schemaReader({ response: schema }: Endpoint): ResponseReader {
  return (endpoint, response, secrets, userSchema) => {
    if (schema === undefined) {
      // The API document shows 204. A web page instead, for example because of a wrong `baseUrl`, is no success: this throws.
      if (response.body.byteLength > 0 && decode(response).problem === WEB_PAGE) decodeSuccess(endpoint, response)
      return { data: undefined, issues: [] }
    }
    const data = decodeSuccess(endpoint, response)
    if (data === undefined) throw new ResponseParseError(endpoint, response.status, 'it is empty, expected JSON')
    const issues = check(schema, data, { showValues: false })
    if (userSchema === undefined) return { data, issues }
    return guardSchema('userSchema', endpoint, data, secrets, async () => {
      const found = await checkUsers(userSchema, schema, data, secrets)
      return { data, issues: issues.concat(found) }
    })
  }
}

/** Creates the reader for a custom request. Without a schema it accepts any JSON and an empty body. */
export function standardReader(schema: StandardSchema | undefined): ResponseReader {
  return (endpoint, response, secrets) => {
    const data = decodeSuccess(endpoint, response)
    if (schema === undefined) return { data, issues: [] }
    return guardSchema('schema', endpoint, data, secrets, async () => {
      const result = await schema['~standard'].validate(data)
      if (result.issues === undefined) return { data: result.value, issues: [] }
      return { data, issues: readIssues(result.issues, secrets()) }
    })
  }
}

/** Validates data with the app's schema, which may throw, return anything, and quote the data in its messages. */
async function guardSchema(
  option: string,
  endpoint: string,
  data: unknown,
  secrets: Parameters<ResponseReader>[2],
  validate: () => Promise<ReadResponse>,
): Promise<ReadResponse> {
  try {
    return await validate()
  } catch (error) {
    const problem = `\`${option}\` threw or did not return a Standard Schema result`
    throw wrapError(`${endpoint}: ${problem}. The service has processed the request.`, error, secrets(valuesOf(data)))
  }
}

const ACCOUNT_DELETION_SCHEDULED = 20011
const ACCOUNT_DISABLED = 20013
/** Maximum depth at which `errors` is searched for field errors. */
const MAX_DEPTH = 64
/** Maximum number of field errors; a hostile response has millions, each of which takes as much memory as 100 bytes. */
const MAX_FIELD_ERRORS = 100_000

/** Reads a response with a function of the app, which may throw, and return anything; then returns `undefined`. */
export function readWith<T>(
  read: (response: ErrorResponse) => unknown,
  response: BufferedResponse,
  report: (error: unknown) => void,
  pick: (result: unknown) => T,
): T | undefined {
  const { status, headers } = response
  try {
    const result = read({ status, headers, body: decodeFailure(response) })
    if (result instanceof Promise) result.catch(report)
    return pick(result)
  } catch (error) {
    report(error)
    return undefined
  }
}

/** Whether a failure requires a second factor. */
export function requiresStepUp(
  response: BufferedResponse,
  isStepUp: ((response: ErrorResponse) => unknown) | undefined,
  report: (error: unknown) => void,
): boolean {
  const { status, content } = response
  if (status >= 200 && status < 300) return false
  if (isStepUp) response.isStepUp ??= readWith(isStepUp, response, report, (result) => result === true) ?? false
  else
    response.isStepUp ??= status === 401 && readField(content ?? decodeFailure(response), 'code') === MFA_REQUIRED_CODE
  return response.isStepUp
}

/**
 * Reads the envelope of a failure. The API document does not show it: `{ code, message, errors }` with nested `_errors` is
 * a convention. The whole body is kept as `body`.
 */
export function readFailure(
  endpoint: string,
  status: number,
  body: unknown,
  secrets: Secrets,
  content?: ErrorContent,
): ApiFailure {
  const code = content ? content.code : readField(body, 'code')
  const redacted = redact(body, secrets)
  const message = content ? secrets.text(stringOf(content.message)) : readField(redacted, 'message')
  return {
    endpoint,
    status,
    code: typeof code === 'number' && !secrets.isSecret(code) ? code : undefined,
    serviceMessage: typeof message === 'string' ? message : '',
    fieldErrors:
      content?.fieldErrors?.slice(0, MAX_FIELD_ERRORS).map((error) => redactFieldError(error, secrets)) ??
      collectFieldErrors(readField(content ?? body, 'errors'), secrets),
    body: redacted,
  }
}

/** Redacts a field error that `readError` returned, which may be anything. */
function redactFieldError(error: unknown, secrets: Secrets): FieldError {
  const { path, code, message } = Object(error)
  const segments: unknown[] = Array.isArray(path) ? path : []
  return {
    path: segments.map((part) =>
      typeof part === 'number' && !secrets.isSecret(part) ? part : secrets.name(stringOf(part)),
    ),
    code: secrets.text(stringOf(code)),
    message: secrets.text(stringOf(message)),
  }
}

function collectFieldErrors(errors: unknown, secrets: Secrets): FieldError[] {
  const found: FieldError[] = []
  const path: (string | number)[] = []
  const collect = (node: unknown): void => {
    if (!isObject(node) || path.length > MAX_DEPTH) return
    for (const key of Object.keys(node)) {
      if (found.length >= MAX_FIELD_ERRORS) return
      const value: unknown = Reflect.get(node, key)
      if (key !== '_errors') {
        // Once for all errors below it, of which there may be thousands.
        const name = secrets.name(key)
        path.push(/^\d{1,9}$/.test(name) ? Number(name) : name)
        collect(value)
        path.pop()
      } else if (Array.isArray(value)) {
        const field = [...path]
        for (const entry of value.slice(0, MAX_FIELD_ERRORS - found.length)) {
          const read = (name: string) => secrets.text(stringOf(readField(entry, name)))
          found.push({ path: field, code: read('code'), message: read('message') })
        }
      }
    }
  }
  collect(errors)
  return found
}

/** Returns a string or number as a string, else an empty one: converting an object could throw or recurse deeply. */
function stringOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Creates the error for a failure by its status and code. */
export function toApiError(failure: ApiFailure, { retryAfterMs, global = false }: RateLimit = {}): ApiError {
  const { status, code } = failure
  if (status >= 500) return new ServerError(failure, retryAfterMs)
  if (status === 429) return new RateLimitError(failure, retryAfterMs, global)
  if (code === ACCOUNT_DISABLED) return new AccountDisabledError(failure)
  if (code === ACCOUNT_DELETION_SCHEDULED) return new AccountDeletionScheduledError(failure)
  if (status === 401) return new AuthenticationError(failure)
  if (status === 403) return new PermissionError(failure)
  if (status === 404) return new NotFoundError(failure)
  return new ApiError(failure)
}

/**
 * Returns the token of a response. Without one the call has not achieved its purpose, so `onResponseMismatch` does not
 * apply.
 * @throws ResponseMismatchError if the token is missing or not a valid header value.
 */
export function extractToken(endpoint: string, response: unknown): string {
  const token = readField(response, 'token')
  if (isHeaderValue(token)) return token
  const issue =
    token === undefined
      ? createIssue(['token'], 'required', 'required: a token')
      : createIssue(['token'], 'invalid_format', 'expected a token that is valid in a header')
  throw new ResponseMismatchError(endpoint, [issue])
}

/** Reads the headers and fields that services use by convention; see the option `readRateLimit`. */
export function readRateLimit(response: BufferedResponse): RateLimit {
  const { status, headers } = response
  if (status === 503) return { retryAfterMs: readRetryAfter(headers) }
  const window = readWindow(headers)
  if (status !== 429) return window
  const read = (name: string) => readField(decodeFailure(response), name)
  return {
    retryAfterMs:
      readRetryAfter(headers) ??
      toMs(read('retry_after')) ??
      (window.remaining === 0 ? window.resetAfterMs : undefined),
    global: read('global') === true || headers.get('x-ratelimit-global') === 'true',
  }
}

/** Reads the strictest window of `RateLimit`, or else `X-RateLimit-Remaining`, `RateLimit-Remaining` and their kin. */
function readWindow(headers: Headers): Pick<RateLimit, 'remaining' | 'resetAfterMs'> {
  const read = (name: string) => headers.get(name)
  let text = read('ratelimit')
  if (text === null) {
    const left = read('x-ratelimit-remaining') ?? read('ratelimit-remaining')
    // Most services send none, and this is read of each response.
    if (left === null) return {}
    text = `r=${left};t=${read('x-ratelimit-reset-after') ?? read('ratelimit-reset')}`
  }
  let remaining: number | undefined
  let resetAfterMs: number | undefined
  // A reset of more than eight digits is a time of day, not a duration.
  // A list such as `"burst";r=0;t=1, "day";r=90;t=3600`; in older drafts one item, whose fields are separated by commas.
  for (const item of text.includes(';') ? text.split(',') : [text]) {
    const [left, seconds] = [/\br(?:emaining)?=(\d+)/, /\b(?:rese)?t=(\d{1,8}\b(?:\.\d+)?)/].map(
      (field) => field.exec(item)?.[1],
    )
    if (!left || !seconds || Number(left) > (remaining ?? Infinity)) continue
    const resetMs = Number(seconds) * 1000
    resetAfterMs = Number(left) === remaining ? Math.max(Number(resetAfterMs), resetMs) : resetMs
    remaining = Number(left)
  }
  return { remaining, resetAfterMs }
}

/** Reads seconds, of a list the first, or a date. */
export function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? ''
  const [, seconds] = /^(\d+(?:\.\d+)?(?:e[+-]?\d+)?) *(?:,|$)/i.exec(value) ?? []
  if (seconds) return toMs(Number(seconds))
  // `Date.parse` accepts almost anything, such as "5 10". Dates of HTTP have 29 characters; a second one may follow.
  const date = /^\w{3}, /.test(value) ? Date.parse(value.slice(0, 29)) : Number.NaN
  // Relative to the service's clock if the response has a `Date`: the client's clock may be wrong by hours.
  const ms = date - (Date.parse(headers.get('date') ?? '') || Date.now())
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

function toMs(seconds: unknown): number | undefined {
  if (typeof seconds !== 'number' || seconds < 0) return undefined
  // JSON would serialize `Infinity` as null.
  return Math.min(seconds * 1000, Number.MAX_SAFE_INTEGER)
}
