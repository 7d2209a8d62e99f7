import { createIssue, type Issue } from '../internal/issue'
import { isInstance, isPlainJson, parseJson } from '../internal/json'
import type { MaybePromise } from '../types/options'

/** A serialized body that can be sent repeatedly. Later mutations of the input have no effect. */
export interface SerializedBody {
  readonly body: MaybePromise<string | ArrayBuffer | Blob | FormData | ReadableStream | undefined>
  /** `undefined` if the platform sets it. */
  readonly contentType: string | undefined
  /** Body before serialization, for logs; for anything but JSON its class, such as `[object Blob]`. */
  readonly content: unknown
  /** Whether the body can be sent only once: it is a stream. */
  readonly isOneShot: boolean
}

/** Serializes the body of a custom request. Adds an issue if that is not possible. */
export function serializeBody(value: unknown, issues: Issue[]): SerializedBody {
  const content = Object.prototype.toString.call(value)
  const base = { contentType: undefined, content, isOneShot: false }
  if (isInstance(value, 'ReadableStream')) return { ...base, body: value, isOneShot: true }
  // A blob is immutable, and may be too large to copy into memory.
  if (isInstance(value, 'Blob')) return { ...base, body: value }
  if (isInstance(value, 'FormData')) return serializeForm(value, content)
  if (isInstance(value, 'URLSearchParams')) {
    // Encoded parameters are ASCII. Only JSON is sent as a string.
    const { buffer } = Uint8Array.from(String(value), (character) => character.charCodeAt(0))
    return { ...base, body: buffer, contentType: 'application/x-www-form-urlencoded;charset=UTF-8' }
  }
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return { ...base, body: copyBytes(value, issues) }
  return serializeJson(value, issues)
}

/** Serializes a form once, since every serialization has a new boundary. Without `Response`, `fetch` serializes it. */
function serializeForm(form: FormData, content: string): SerializedBody {
  if (typeof Response !== 'function') return { body: form, contentType: undefined, content, isOneShot: false }
  const response = new Response(form)
  const body = response.arrayBuffer()
  // The sender handles the rejection; avoid an unhandled rejection here.
  body.catch(() => {})
  return { body, contentType: response.headers.get('content-type') ?? undefined, content, isOneShot: false }
}

/** Copies a buffer: the caller may change it, and platforms refuse shared and resizable ones. */
function copyBytes(source: ArrayBuffer | ArrayBufferView, issues: Issue[]): ArrayBuffer {
  try {
    const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(source) ? source : new Uint8Array(source)
    return new Uint8Array(buffer, byteOffset, byteLength).slice().buffer
  } catch {
    issues.push(createIssue(['body'], 'invalid_value', 'buffer is detached'))
    return new ArrayBuffer(0)
  }
}

/** Wraps serialized JSON; `undefined` is a request without a body. */
function jsonBody(body: string | undefined, content: unknown): SerializedBody {
  return { body, contentType: body && 'application/json', content, isOneShot: false }
}

function serializeJson(content: unknown, issues: Issue[]): SerializedBody {
  try {
    // The replacer makes serialization ten times slower, so it runs only if it may find something.
    if (isPlainJson(content)) return jsonBody(JSON.stringify(content), content)
    const body: string | undefined = JSON.stringify(content, jsonReplacer)
    // `toJSON` methods and getters may return something else each time: log what is sent.
    return jsonBody(body, body && parseJson(body))
  } catch (error) {
    const problem =
      error instanceof NotSerializableError ? error.message : 'it contains itself, or is nested too deeply'
    issues.push(createIssue(['body'], 'invalid_type', `cannot be serialized as JSON: ${problem}`))
    return jsonBody(undefined, undefined)
  }
}

class NotSerializableError extends Error {}

/** Throws if JSON would drop a value, replace it by null or lose part of it. `this` is the object that holds it. */
function jsonReplacer(this: unknown, key: string, value: unknown): unknown {
  const isLost =
    ['function', 'symbol', 'bigint'].includes(typeof value) ||
    (typeof value === 'number' && !Number.isFinite(value)) ||
    (value === undefined && Array.isArray(this)) ||
    NOT_SERIALIZABLE.some((type) => value instanceof type) ||
    isInstance(value, 'Blob')
  if (isLost) throw new NotSerializableError(`${JSON.stringify(key)} is ${describeValue(value)}`)
  return value
}

/** Classes whose instances JSON serializes as an empty object or as an object of indices. */
const NOT_SERIALIZABLE = [Map, Set, WeakMap, WeakSet, RegExp, Error, Promise, ArrayBuffer, Uint8Array]

function describeValue(value: unknown): string {
  if (typeof value === 'number' || value === undefined) return String(value)
  return typeof value === 'object' ? Object.prototype.toString.call(value) : `a ${typeof value}`
}
