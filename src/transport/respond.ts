import { check } from '../contract/check'
import type { Endpoint } from '../contract/endpoint'
import { type Issue, issueAt } from '../contract/issue'
import { ResponseParseError } from '../errors/connection-errors'
import { wrapError } from '../errors/wrap-error'
import { type Secrets, valuesOf } from '../internal/redact'
import type { StandardSchema } from '../standard-schema'
import { decodeSuccess } from './decode'
import type { RawResponse } from './read'

/** A success, read: the data, and what about them the interface does not describe. */
export interface ReadResponse {
  readonly data: unknown
  readonly issues: readonly Issue[]
}

/** How a call reads its success. `secrets` are those of the call, and more. */
export type ResponseReader = (
  endpoint: string,
  raw: RawResponse,
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
      return issueAt(
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
