import { ResponseParseError } from '../errors/connection-errors'
import { parseJson } from './json'
import type { RawResponse } from './read'

const STRICT = /*@__PURE__*/ new TextDecoder('utf-8', { fatal: true })
const LENIENT = /*@__PURE__*/ new TextDecoder()

/** The JSON of a success; `undefined` where there is no body. */
export function decodeSuccess(endpoint: string, { status, body, flaw }: RawResponse): unknown {
  if (flaw !== undefined) throw new ResponseParseError(endpoint, status, flaw.reason, flaw)
  if (body.byteLength === 0) return undefined
  let text: string
  try {
    text = STRICT.decode(body)
  } catch {
    throw new ResponseParseError(endpoint, status, 'it is no UTF-8 text')
  }
  try {
    return parseJson(text)
  } catch {
    // The parser's message quotes the text, so it is not kept.
    throw new ResponseParseError(
      endpoint,
      status,
      text.trimStart().startsWith('<') ? 'it is HTML or XML, not JSON' : 'it is no JSON, or breaks off',
    )
  }
}

/** The JSON of a failure; `undefined` where it is none. */
export function decodeFailure({ body }: RawResponse): unknown {
  try {
    return parseJson(LENIENT.decode(body))
  } catch {
    return undefined
  }
}
