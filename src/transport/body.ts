import { createIssue, type Issue } from '../internal/issue'
import { isInstance, isPlainJson, parseJson } from '../internal/json'
import type { MaybePromise } from '../types/options'

/** A body as it goes out, however often: nothing that its caller does to it later changes it. */
export interface SerializedBody {
  readonly body: MaybePromise<string | ArrayBuffer | Blob | FormData | ReadableStream | undefined>
  /** `undefined` where the platform names it. */
  readonly contentType: string | undefined
  /** What it was before it was written, for logs; of what is not JSON, what kind it is. */
  readonly content: unknown
  /** Whether it can be sent once alone. */
  readonly isOneShot: boolean
}

/** Serializes the body that a caller gives; what cannot be sent is an issue. */
export function serializeBody(given: unknown, issues: Issue[]): SerializedBody {
  const content = Object.prototype.toString.call(given)
  const asGiven = { contentType: undefined, content, isOneShot: false }
  if (isInstance(given, 'ReadableStream')) return { ...asGiven, body: given, isOneShot: true }
  // A blob does not change, and may be too large to be held in memory.
  if (isInstance(given, 'Blob')) return { ...asGiven, body: given }
  if (isInstance(given, 'FormData')) return serializeForm(given, content)
  if (isInstance(given, 'URLSearchParams')) {
    // Encoded parameters are ASCII. Only JSON is sent as a string.
    const { buffer } = Uint8Array.from(String(given), (character) => character.charCodeAt(0))
    return { ...asGiven, body: buffer, contentType: 'application/x-www-form-urlencoded;charset=UTF-8' }
  }
  if (given instanceof ArrayBuffer || ArrayBuffer.isView(given)) return { ...asGiven, body: copyBytes(given, issues) }
  return serializeJson(given, issues)
}

/** Serialized once, because a form is given a new boundary each time. Without `Response`, the platform has to do it. */
function serializeForm(form: FormData, content: string): SerializedBody {
  if (typeof Response !== 'function') return { body: form, contentType: undefined, content, isOneShot: false }
  const written = new Response(form)
  const body = written.arrayBuffer()
  // The sender handles the rejection; avoid an unhandled rejection here.
  body.catch(() => {})
  return { body, contentType: written.headers.get('content-type') ?? undefined, content, isOneShot: false }
}

/** A copy, for buffers are their caller's; and platforms take none that threads share, or that can be resized. */
function copyBytes(given: ArrayBuffer | ArrayBufferView, issues: Issue[]): ArrayBuffer {
  try {
    const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(given) ? given : new Uint8Array(given)
    return new Uint8Array(buffer, byteOffset, byteLength).slice().buffer
  } catch {
    issues.push(createIssue(['body'], 'invalid_value', 'its memory is elsewhere by now: it was transferred'))
    return new ArrayBuffer(0)
  }
}

/** A body of JSON, if there is one. */
export function jsonBody(body: string | undefined, content: unknown): SerializedBody {
  return { body, contentType: body && 'application/json', content, isOneShot: false }
}

function serializeJson(content: unknown, issues: Issue[]): SerializedBody {
  try {
    // To look at each value from within takes ten times as long, so it is done if there is something to find.
    if (isPlainJson(content)) return jsonBody(JSON.stringify(content), content)
    const body: string | undefined = JSON.stringify(content, jsonReplacer)
    // What is logged is what is sent: it may have been made by methods, and they by getters.
    return jsonBody(body, body && parseJson(body))
  } catch (error) {
    const message =
      error instanceof NotSerializableError
        ? error.message
        : 'JSON cannot carry it: it contains itself, or is nested too deeply'
    issues.push(createIssue(['body'], 'invalid_type', message))
    return jsonBody(undefined, undefined)
  }
}

class NotSerializableError extends Error {}

/** Stops where JSON would drop a value, turn it into null or send less than it is. `this` is what holds the value. */
function jsonReplacer(this: unknown, key: string, value: unknown): unknown {
  const isLost =
    ['function', 'symbol', 'bigint'].includes(typeof value) ||
    (typeof value === 'number' && !Number.isFinite(value)) ||
    (value === undefined && Array.isArray(this)) ||
    NOT_SERIALIZABLE.some((kind) => value instanceof kind) ||
    isInstance(value, 'Blob')
  if (isLost) throw new NotSerializableError(`JSON cannot carry ${JSON.stringify(key)}: it is ${kindOf(value)}`)
  return value
}

/** What JSON writes as an empty object, or as one of indices. */
const NOT_SERIALIZABLE = [Map, Set, WeakMap, WeakSet, RegExp, Error, Promise, ArrayBuffer, Uint8Array]

function kindOf(value: unknown): string {
  if (typeof value === 'number' || value === undefined) return String(value)
  return typeof value === 'object' ? Object.prototype.toString.call(value) : `a ${typeof value}`
}
