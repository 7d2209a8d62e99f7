import type { Endpoint } from '../contract/endpoint'
import { check } from '../contract/validate'
import {
  AccountDeletionScheduledError,
  AccountDisabledError,
  ApiError,
  type ApiFailure,
  AuthenticationError,
  type FieldError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from '../errors/api-errors'
import { wrapError } from '../errors/base'
import { ResponseParseError } from '../errors/client-errors'
import { createIssue, type Issue } from '../internal/issue'
import { parseJson } from '../internal/json'
import { redact, type Secrets, valuesOf } from '../internal/redact'
import type { StandardSchema } from '../types/standard-schema'
import { readRateLimit } from './rate-limit'

/** A body, read as JSON as far as it is JSON, and what keeps it from being a success. */
interface Decoded {
  readonly value: unknown
  readonly problem?: string
}

/** Bodies that have been read: the log, the error and what is secret in it ask for the same. */
const decoded = /*@__PURE__*/ new WeakMap<BufferedResponse, Decoded>()

/** The JSON of a success; `undefined` where there is no body. */
function decodeSuccess(endpoint: string, raw: BufferedResponse): unknown {
  const { status, body, bodyError } = raw
  if (bodyError !== undefined) throw new ResponseParseError(endpoint, status, bodyError.reason, bodyError)
  if (body.byteLength === 0) return undefined
  const { value, problem } = decode(raw)
  if (problem !== undefined) throw new ResponseParseError(endpoint, status, problem)
  return value
}

/** The JSON of a failure; `undefined` where it is none. */
export function decodeFailure(raw: BufferedResponse): unknown {
  return decode(raw).value
}

function decode(raw: BufferedResponse): Decoded {
  const known = decoded.get(raw) ?? parse(raw.body)
  decoded.set(raw, known)
  return known
}

function parse(body: Uint8Array): Decoded {
  let text: string
  let problem: string | undefined
  try {
    text = decodeText(body, true)
  } catch {
    text = decodeText(body, false)
    problem = 'it is no UTF-8 text'
  }
  try {
    return { value: parseJson(text), ...(problem && { problem }) }
  } catch {
    // The parser's message quotes the text, so it is not kept.
    problem ??= text.trimStart().startsWith('<') ? 'it is HTML or XML, not JSON' : 'it is no JSON, or breaks off'
    return { value: undefined, problem }
  }
}

/** Decodes UTF-8, without its byte order mark. Throws if it is malformed and `fatal`. */
function decodeText(bytes: Uint8Array, fatal: boolean): string {
  // Looked up on use: jsdom and some engines of React Native have no decoder.
  if (typeof TextDecoder === 'function') return new TextDecoder('utf-8', { fatal }).decode(bytes)
  if (!fatal) return ''
  const escaped = Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`)
  return decodeURIComponent(escaped.join('')).replace(/^\ufeff/, '')
}

/** A success, read: the data, and what about them the interface does not describe. */
export interface ReadResponse {
  readonly data: unknown
  readonly issues: readonly Issue[]
}

/** How a call reads its success. `secrets` are those of the call, and more. */
export type ResponseReader = (
  endpoint: string,
  raw: BufferedResponse,
  secrets: (more?: readonly string[]) => Secrets,
) => ReadResponse | Promise<ReadResponse>

/** Of a larger answer the first thing that is wrong is told, not all. */
const MAX_FULLY_CHECKED_BYTES = 64 * 1024

/** Reads what a row of the contract answers. Data are handed on as they came: nothing is coerced or dropped. */
export function schemaReader({ response }: Endpoint): ResponseReader {
  return (endpoint, raw) => {
    if (response === undefined) return { data: undefined, issues: [] }
    const data = decodeSuccess(endpoint, raw)
    if (data === undefined) throw new ResponseParseError(endpoint, raw.status, 'it is empty where JSON is due')
    const onlyFirst = raw.body.byteLength > MAX_FULLY_CHECKED_BYTES
    return { data, issues: check(response, data, { showValues: false, onlyFirst }) }
  }
}

/** Reads what a call of the caller's own answers; without a schema whatever JSON comes, or nothing. */
export function standardReader(schema: StandardSchema | undefined): ResponseReader {
  return (endpoint, raw, secrets) => {
    const data = decodeSuccess(endpoint, raw)
    return schema === undefined ? { data, issues: [] } : validate(schema, endpoint, data, secrets)
  }
}

/** The schema is the app's own, and so are its words: it may throw, return anything, and quote what it was given. */
async function validate(
  schema: StandardSchema,
  endpoint: string,
  data: unknown,
  secrets: Parameters<ResponseReader>[2],
): Promise<ReadResponse> {
  try {
    const result = await schema['~standard'].validate(data)
    if (result.issues === undefined) return { data: result.value, issues: [] }
    const known = secrets()
    // Whatever else it is: `map` says so.
    const issues = result.issues.map(({ path = [], message }) => {
      const keys = path.map((part) => (typeof part === 'object' ? part.key : part))
      return createIssue(
        keys.map((key) => (typeof key === 'number' ? key : String(key))),
        'invalid_value',
        known.text(String(message)),
      )
    })
    return { data, issues }
  } catch (error) {
    const message = `${endpoint}: \`schema\` threw, or returned no result of a Standard Schema. The service has done what it was asked to.`
    throw wrapError(message, error, secrets(valuesOf(data)))
  }
}

const ACCOUNT_DELETION_SCHEDULED = 20011

const ACCOUNT_DISABLED = 20013

const MAX_DEPTH = 64

/** More than a form has; a hostile answer has millions, each of which costs as much as a hundred bytes of it. */
const MAX_FIELD_ERRORS = 100_000

/**
 * Reads a failed answer. The envelope is not shown: `{ code, message, errors }` with nested `_errors` is a convention
 * of the field, and whatever else comes is kept as `body`.
 */
export function readFailure(endpoint: string, status: number, body: unknown, secrets: Secrets): ApiFailure {
  const { code, errors } = Object(body) as Record<string, unknown>
  const shown = redact(body, secrets)
  const { message } = Object(shown) as Record<string, unknown>
  return {
    endpoint,
    status,
    code: typeof code === 'number' && !secrets.isSecret(code) ? code : undefined,
    serviceMessage: typeof message === 'string' ? message : '',
    fieldErrors: collectFieldErrors(errors, secrets),
    body: shown,
  }
}

function collectFieldErrors(errors: unknown, secrets: Secrets): FieldError[] {
  const found: FieldError[] = []
  const path: (string | number)[] = []
  const collect = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || path.length > MAX_DEPTH) return
    for (const key of Object.keys(node)) {
      if (found.length >= MAX_FIELD_ERRORS) return
      const value: unknown = Reflect.get(node, key)
      if (key !== '_errors') {
        const name = secrets.name(key)
        path.push(/^\d{1,9}$/.test(name) ? Number(name) : name)
        collect(value)
        path.pop()
      } else if (Array.isArray(value)) {
        const at = [...path]
        for (const entry of value.slice(0, MAX_FIELD_ERRORS - found.length)) {
          const { code, message } = (typeof entry === 'string' ? { message: entry } : Object(entry)) as ErrorEntry
          found.push({ path: at, code: secrets.text(textOf(code)), message: secrets.text(textOf(message)) })
        }
      }
    }
  }
  collect(errors)
  return found
}

interface ErrorEntry {
  readonly code?: unknown
  readonly message?: unknown
}

/** A text or a number as text; to make one of an object could run deep, or throw. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** The error that a failed answer becomes. */
export function toApiError(failure: ApiFailure, { headers }: Pick<BufferedResponse, 'headers'>): ApiError {
  const { status, code } = failure
  if (status >= 500) return new ServerError(failure)
  if (status === 429) {
    const { retryAfterMs, global } = readRateLimit(headers, failure.body)
    return new RateLimitError(failure, retryAfterMs, global)
  }
  if (code === ACCOUNT_DISABLED) return new AccountDisabledError(failure)
  if (code === ACCOUNT_DELETION_SCHEDULED) return new AccountDeletionScheduledError(failure)
  if (status === 401) return new AuthenticationError(failure)
  if (status === 403) return new PermissionError(failure)
  if (status === 404) return new NotFoundError(failure)
  return new ApiError(failure)
}

/** An answer with its body read. */
export interface BufferedResponse {
  readonly status: number
  readonly headers: Headers
  readonly url: string
  readonly body: Uint8Array
  /** Why the body is not whole, if it is not. */
  readonly bodyError?: { readonly reason: string; readonly cause?: unknown; readonly isConnection: boolean }
}
