import { ResponseParseError } from '../errors/connection-errors'
import { parseJson } from '../internal/json'
import type { RawResponse } from './read'

/** A body, read as JSON as far as it is JSON, and what keeps it from being a success. */
interface Decoded {
  readonly value: unknown
  readonly problem?: string
}

/** Bodies that have been read: the log, the error and what is secret in it ask for the same. */
const decoded = /*@__PURE__*/ new WeakMap<RawResponse, Decoded>()

/** The JSON of a success; `undefined` where there is no body. */
export function decodeSuccess(endpoint: string, raw: RawResponse): unknown {
  const { status, body, flaw } = raw
  if (flaw !== undefined) throw new ResponseParseError(endpoint, status, flaw.reason, flaw)
  if (body.byteLength === 0) return undefined
  const { value, problem } = decode(raw)
  if (problem !== undefined) throw new ResponseParseError(endpoint, status, problem)
  return value
}

/** The JSON of a failure; `undefined` where it is none. */
export function decodeFailure(raw: RawResponse): unknown {
  return decode(raw).value
}

function decode(raw: RawResponse): Decoded {
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
