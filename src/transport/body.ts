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
  const content = Object.prototype.toString.call(given)
  const isOneShot = given instanceof ReadableStream
  // A blob does not change, and may be too large to be held in memory.
  if (isOneShot || given instanceof Blob) return { body: given, contentType: undefined, content, isOneShot }
  // Written once, for a form is given a new boundary each time.
  const written = new Response(
    given instanceof ArrayBuffer || ArrayBuffer.isView(given) ? bytesOf(given, issues) : given,
  )
  const body = written.arrayBuffer()
  // Who sends it sees what is wrong with it; alone it must not end the process.
  body.catch(() => {})
  return { body, contentType: written.headers.get('content-type') ?? undefined, content, isOneShot }
}

/** A copy, for buffers are their caller's; and platforms take none that threads share, or that can be resized. */
function bytesOf(given: ArrayBuffer | ArrayBufferView, issues: Issue[]): Uint8Array<ArrayBuffer> {
  try {
    const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(given) ? given : new Uint8Array(given)
    return new Uint8Array(buffer, byteOffset, byteLength).slice()
  } catch {
    issues.push(issueAt(['body'], 'invalid_value', 'its memory is elsewhere by now: it was transferred'))
    return new Uint8Array()
  }
}

function isBodyInit(value: unknown): value is Exclude<BodyInit, string> {
  const kinds = [ReadableStream, Blob, FormData, URLSearchParams, ArrayBuffer]
  return kinds.some((kind) => value instanceof kind) || ArrayBuffer.isView(value)
}

/** A body of JSON, if there is one. */
export function jsonBody(body: string | undefined, content: unknown): WrittenBody {
  return { body, contentType: body && 'application/json', content, isOneShot: false }
}

function writeJson(content: unknown, issues: Issue[]): WrittenBody {
  let body: string | undefined
  try {
    body = JSON.stringify(content, carried)
  } catch (error) {
    const message =
      error instanceof NotCarried ? error.message : 'JSON cannot carry it: it contains itself, or is nested too deeply'
    issues.push(issueAt(['body'], 'invalid_type', message))
  }
  return jsonBody(body, content)
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
