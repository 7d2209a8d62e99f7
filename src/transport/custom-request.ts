import { METHODS, type Method, pathParameters } from '../contract/endpoint'
import { RequestValidationError } from '../errors/client-errors'
import { createIssue, type Issue } from '../internal/issue'
import {
  describeType,
  isInstance,
  isObject,
  isPlainJson,
  isPlainObject,
  isWellFormed,
  parseJson,
} from '../internal/json'
import { anyValue, type Checks, objectOption, oneOf, readOptions, schemaOption } from '../internal/options'
import { compileSecrets, requestSecrets } from '../internal/redact'
import type { RequestOptions, StandardSchema } from '../types/options'
import type { ApiPromise } from './call'
import { DOT_SEGMENT, fillPath, type PreparedCall, queryString, type SerializedBody } from './request'
import { standardReader } from './response'
import type { Transport } from './transport'

/** Maximum length of the name of a custom request, in characters, so that it fits into a message. */
const MAX_NAME_LENGTH = 200
// biome-ignore lint/suspicious/noControlCharactersInRegex: a path must not have them
const FORBIDDEN = /[\\?#\u0000-\u0020\u007f]|\/\/|^(?!\/)/

/** Value of a query parameter; an array of values repeats the parameter. */
export type QueryValue = string | number | boolean | null | undefined

/** A request to an endpoint that the API does not describe, sent through the same pipeline. */
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
  /**
   * A JSON value, or a form, blob, buffer or `ReadableStream` that is sent as is. A stream can be sent only once. What JSON
   * would lose is refused, such as a `Map`, a generator or a `Request`; pass a stream of Node to `Readable.toWeb`.
   */
  readonly body?: unknown | undefined
  /**
   * Whether to send the token.
   * @default 'token'
   */
  readonly auth?: 'token' | 'none' | undefined
  /** A Standard Schema for the response; `onResponseMismatch` decides what a mismatch does. */
  readonly schema?: StandardSchema<T> | undefined
}

/** Sends a custom request; a suspended user's token is sent in its body. */
export function sendCustomRequest<T>(
  transport: Transport,
  request: CustomRequest<T>,
  options?: RequestOptions,
  suspendedToken?: string,
): ApiPromise<T> {
  const shown = showRequest(request, () => [suspendedToken, transport.session.token, options?.token])
  const prepareCall = (issues: readonly Issue[]) => prepareCustomRequest(shown, request, suspendedToken, issues)
  return transport.run({ name: shown.slice(0, MAX_NAME_LENGTH) }, options, prepareCall)
}

/**
 * Validates and serializes a custom request; `suspendedToken` is added to its body.
 * @throws RequestValidationError naming every invalid field and option.
 */
function prepareCustomRequest(
  shown: string,
  request: CustomRequest,
  suspendedToken: string | undefined,
  optionIssues: readonly Issue[],
): PreparedCall {
  const name = shown.slice(0, MAX_NAME_LENGTH)
  const fieldIssues: Issue[] = []
  const fields = readOptions(request, CUSTOM_REQUEST, fieldIssues)
  if (fieldIssues.length > 0) throw new RequestValidationError(name, fieldIssues, true)
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
  if (issues.length > 0) throw new RequestValidationError(name, issues, true)
  const isJson = typeof serialized.body === 'string'
  const others = requestSecrets([query, pathParams, ...(isJson ? [] : formFields(content))])
  return {
    ...serialized,
    name,
    method,
    path,
    shownPath: shown.slice(method.length + 1),
    target: filled.path + queryString(Object.entries(query)),
    auth: suspendedToken === undefined ? auth : 'none',
    stepUp: suspendedToken === undefined && auth === 'token',
    // Includes the suspended token, which is a secret field of the body.
    secrets: () => [...others, ...(isJson ? requestSecrets(parseJson(String(serialized.body))) : [])],
    read: standardReader(schema),
  }
}

/**
 * Returns method and path of a custom request, such as `GET /x`, without a query, password or token that was put into the path
 * by mistake.
 */
function showRequest(request: CustomRequest | undefined, readTokens: () => readonly unknown[]): string {
  try {
    const { method = 'GET', path } = request ?? {}
    const name = `${method} ${String(path).replace(/[?#].*/s, '')}`
    const shown = name.replace(/\/\/.*@/s, '//')
    const tokens = readTokens().filter((token) => typeof token === 'string')
    // Few paths contain a token, and to search for it in all encodings takes longer than a call.
    const mayContain = /[%\\]/.test(shown) || tokens.some((token) => shown.includes(token))
    return mayContain ? compileSecrets(tokens).name(shown) : shown
  } catch {
    // A getter threw; `readOptions` reports it.
    return 'request'
  }
}

/** Adds a suspended user's token to the body as `token` (API, "Authentication", 2). */
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
  isObject(value) && !Array.isArray(value) && isPlainObject(value)

function isQueryValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => !Array.isArray(item) && isQueryValue(item))
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value === 'string') return isWellFormed(value)
  return value === null || ['boolean', 'undefined'].includes(typeof value)
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

const CUSTOM_REQUEST: Checks<CustomRequest> = {
  method: anyValue,
  path: anyValue,
  pathParams: objectOption,
  query: objectOption,
  body: anyValue,
  auth: oneOf('token', 'none'),
  schema: schemaOption,
}

/** Serializes the body of a custom request. Adds an issue if that is not possible. */
function serializeBody(value: unknown, issues: Issue[]): SerializedBody {
  const content = Object.prototype.toString.call(value)
  if (isInstance(value, 'ReadableStream')) return { body: value, content, isOneShot: true }
  // A blob is immutable, and may be too large to copy into memory.
  if (isInstance(value, 'Blob')) return { body: value, content }
  if (isInstance(value, 'FormData')) return serializeForm(value, content)
  if (isInstance(value, 'URLSearchParams')) {
    // Encoded parameters are ASCII. Only JSON is sent as a string.
    const { buffer } = Uint8Array.from(String(value), (character) => character.charCodeAt(0))
    return { body: buffer, content, contentType: 'application/x-www-form-urlencoded;charset=UTF-8' }
  }
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return { body: copyBytes(value), content }
  return serializeJson(value, issues)
}

/** Returns the fields of a form, each as an object; of any other body none. */
function formFields(body: unknown): object[] {
  const isForm = isInstance(body, 'FormData') || isInstance(body, 'URLSearchParams')
  return isForm ? Array.from(body, ([name, value]) => ({ [name]: value })) : []
}

/** Serializes a form once, since every serialization has a new boundary. Without `Response`, `fetch` serializes it. */
function serializeForm(form: FormData, content: string): SerializedBody {
  if (typeof Response !== 'function') return { body: form, content }
  const response = new Response(form)
  const body = response.arrayBuffer()
  // The sender handles the rejection; avoid an unhandled rejection here.
  body.catch(() => {})
  return { body, content, contentType: response.headers.get('content-type') ?? undefined }
}

/** Copies a buffer: the caller may change it, and platforms refuse shared and resizable ones. */
function copyBytes(source: ArrayBuffer | ArrayBufferView): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(source) ? source : new Uint8Array(source)
  return new Uint8Array(buffer, byteOffset, byteLength).slice().buffer
}

/** Serializes JSON; `undefined` is a request without a body. */
function serializeJson(content: unknown, issues: Issue[]): SerializedBody {
  let problem: string | undefined
  /** Throws if JSON would drop a value, replace it by null or lose part of it. `this` is the object that holds it. */
  function replacer(this: unknown, key: string, value: unknown): unknown {
    if (!isLost(value, this)) return value
    problem = `${JSON.stringify(key)} is ${describeValue(value)}`
    throw problem
  }
  try {
    // The replacer makes serialization ten times slower, so it runs only if it may find something.
    if (isPlainJson(content)) return { body: JSON.stringify(content), content }
    const body: string | undefined = JSON.stringify(content, replacer)
    // `toJSON` methods and getters may return something else each time: log what is sent.
    return { body, content: body && parseJson(body) }
  } catch {
    problem ??= 'it contains itself, is nested too deeply, or a `toJSON` or a getter threw'
    issues.push(createIssue(['body'], 'invalid_type', `cannot be serialized as JSON: ${problem}`))
    return { body: undefined, content: undefined }
  }
}

const isLost = (value: unknown, holder: unknown): boolean =>
  ['function', 'symbol', 'bigint'].includes(typeof value) ||
  (typeof value === 'number' && !Number.isFinite(value)) ||
  (value === undefined && Array.isArray(holder)) ||
  NOT_SERIALIZABLE.some((type) => value instanceof type) ||
  (isObject(value) &&
    !isPlainObject(value) &&
    !Array.isArray(value) &&
    (Symbol.asyncIterator in value || Object.keys(value).length === 0))

/** Classes whose content JSON drops, even if it keeps other properties, or serializes as an object of indices. */
const NOT_SERIALIZABLE = [Map, Set, Error, Promise, Uint8Array]

function describeValue(value: unknown): string {
  if (typeof value === 'number' || value === undefined) return String(value)
  return typeof value === 'object' ? Object.prototype.toString.call(value) : `a ${typeof value}`
}
