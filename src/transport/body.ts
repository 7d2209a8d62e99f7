import { type Issue, issueAt } from '../contract/issue'
import type { MaybePromise } from '../options'

/** A body as it goes out, however often: nothing that its caller does to it later changes it. */
export interface WrittenBody {
  readonly body: MaybePromise<BodyInit | undefined>
  /** `undefined` where the platform names it. */
  readonly contentType: string | undefined
  /** What it was before it was written, for logs; of what is not JSON, what kind it is. */
  readonly content: unknown
  /** Whether it can be sent once alone. */
  readonly isOneShot: boolean
}

/** Writes down what a caller gives as a body; what cannot be sent is an issue. */
export function writeBody(given: unknown, issues: Issue[]): WrittenBody {
  if (!isBodyInit(given)) return writeJson(given, issues)
  const kind = Object.prototype.toString.call(given)
  const written = { content: kind, isOneShot: given instanceof ReadableStream }
  if (given instanceof FormData) {
    // A form is given a new boundary each time it is written.
    const form = new Response(given)
    const body = form.arrayBuffer()
    // Who sends it sees what is wrong with it; alone it must not end the process.
    body.catch(() => {})
    return { ...written, body, contentType: form.headers.get('content-type') ?? undefined }
  }
  if (given instanceof URLSearchParams) return { ...written, body: String(given), contentType: FORM_CONTENT_TYPE }
  if (given instanceof ArrayBuffer) return { ...written, body: given.slice(0), contentType: undefined }
  if (ArrayBuffer.isView(given)) {
    const bytes = new Uint8Array(given.buffer, given.byteOffset, given.byteLength).slice()
    return { ...written, body: bytes, contentType: undefined }
  }
  return { ...written, body: given, contentType: undefined }
}

const FORM_CONTENT_TYPE = 'application/x-www-form-urlencoded;charset=UTF-8'

function isBodyInit(value: unknown): value is Exclude<BodyInit, string> {
  const kinds = [ReadableStream, Blob, FormData, URLSearchParams, ArrayBuffer]
  return kinds.some((kind) => value instanceof kind) || ArrayBuffer.isView(value)
}

function writeJson(content: unknown, issues: Issue[]): WrittenBody {
  const contentType = content === undefined ? undefined : 'application/json'
  let body: string | undefined
  try {
    body = JSON.stringify(content, carried)
  } catch (error) {
    const message =
      error instanceof NotCarried ? error.message : 'JSON cannot carry it: it contains itself, or is nested too deeply'
    issues.push(issueAt(['body'], 'invalid_type', message))
  }
  return { body, contentType, content, isOneShot: false }
}

class NotCarried extends Error {}

/** Stops where JSON would drop a value, turn it into null or send less than it is. `this` is what holds the value. */
function carried(this: unknown, key: string, value: unknown): unknown {
  const isLost =
    ['function', 'symbol', 'bigint'].includes(typeof value) ||
    (typeof value === 'number' && !Number.isFinite(value)) ||
    (value === undefined && Array.isArray(this)) ||
    LOST_KINDS.some((kind) => value instanceof kind)
  if (isLost) throw new NotCarried(`JSON cannot carry ${JSON.stringify(key)}: it is ${kindOf(value)}`)
  return value
}

/** What JSON writes as an empty object, or as one of indices. */
const LOST_KINDS = [Map, Set, WeakMap, WeakSet, RegExp, Error, Promise, ArrayBuffer, Uint8Array, Blob]

function kindOf(value: unknown): string {
  if (typeof value === 'number' || value === undefined) return String(value)
  return typeof value === 'object' ? Object.prototype.toString.call(value) : `a ${typeof value}`
}
