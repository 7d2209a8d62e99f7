import { createIssue, type Issue } from '../internal/issue'
import { isInstance, isObject, isPlainJson, isPlainObject, parseJson } from '../internal/json'
import type { MaybePromise } from '../types/options'

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

/** Serializes the body of a custom request. Adds an issue if that is not possible. */
export function serializeBody(value: unknown, issues: Issue[]): SerializedBody {
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
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return { body: copyBytes(value, issues), content }
  return serializeJson(value, issues)
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
function copyBytes(source: ArrayBuffer | ArrayBufferView, issues: Issue[]): ArrayBuffer {
  try {
    const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(source) ? source : new Uint8Array(source)
    return new Uint8Array(buffer, byteOffset, byteLength).slice().buffer
  } catch {
    issues.push(createIssue(['body'], 'invalid_value', 'buffer is detached'))
    return new ArrayBuffer(0)
  }
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
  } catch (error) {
    problem ??= TOO_DEEP.test(String(error))
      ? 'it contains itself, or is nested too deeply'
      : 'a `toJSON` or a getter threw'
    issues.push(createIssue(['body'], 'invalid_type', `cannot be serialized as JSON: ${problem}`))
    return { body: undefined, content: undefined }
  }
}

/** The messages of all engines; their classes differ. */
const TOO_DEEP = /circ|cycl|stack|recurs/i

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
