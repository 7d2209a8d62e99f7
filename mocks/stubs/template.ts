// Placeholders in the body of a stub: `{{params.x}}`, `{{query.x}}` and `{{body.x}}`.
import { isObject } from '../../src/internal/json'
import { queryValue } from '../request'

/** A request to a stub. */
export interface StubRequest {
  /** HTTP method. */
  readonly method: string
  /** Path below the base URL, without the query. */
  readonly path: string
  /** Parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Query. */
  readonly query: URLSearchParams
  /** Body, parsed from JSON; `undefined` without one. */
  readonly body: unknown
  /** Headers. */
  readonly headers: Headers
  /** ID of the user whose token was sent; `null` without a valid token. */
  readonly user: string | null
}

/** Maximum number of characters that are filled in, so that few bytes of a template do not become gigabytes. */
const MAX_FILLED = 2 ** 20

/** Returns a body with its placeholders replaced by values of a request. */
export function fill(body: unknown, request: StubRequest): unknown {
  let filled = 0
  // Each string is replaced once: a placeholder in a value of the request is text.
  return mapStrings(body, (text) =>
    text.replace(PLACEHOLDER, (placeholder) => {
      const value = replacementOf(placeholder, request)
      const inserted = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
      filled += inserted.length
      if (filled > MAX_FILLED)
        throw new RangeError(`the placeholders of the stub insert more than ${MAX_FILLED} characters`)
      return inserted
    }),
  )
}

function mapStrings(body: unknown, map: (text: string) => string): unknown {
  if (body === undefined) return undefined
  return JSON.parse(JSON.stringify(body, (_, value) => (typeof value === 'string' ? map(value) : value)))
}

const PLACEHOLDER = /\{\{[^{}]*\}\}/g

const partsOfPlaceholder = (placeholder: string) =>
  /^\{\{ ?(params|query|body)\.([^{}]*?) ?\}\}$/.exec(placeholder) ?? []

function replacementOf(placeholder: string, { params, query, body }: StubRequest): unknown {
  const [, source, name = ''] = partsOfPlaceholder(placeholder)
  if (source === 'params') return params[name]
  if (source === 'query') return queryValue(query, name)
  const field = (value: unknown, key: string): unknown =>
    isObject(value) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
  return name.split('.').reduce(field, body)
}

/** @throws TypeError for a placeholder that no request can have a value for. */
export function assertPlaceholders(body: unknown, params: readonly string[]): void {
  mapStrings(body, (text) => {
    for (const [placeholder] of text.matchAll(PLACEHOLDER)) {
      const [, source, name = ''] = partsOfPlaceholder(placeholder)
      if (source === undefined || name === '' || (source === 'params' && !params.includes(name))) {
        const known = [...params.map((one) => `{{params.${one}}}`), '{{query.…}}', '{{body.…}}'].join(', ')
        throw new TypeError(`the stub: body: unknown placeholder ${placeholder.slice(0, 60)}; known are ${known}`)
      }
    }
    return text
  })
}
