import { check } from '../src/contract/check'
import type { Endpoint } from '../src/contract/endpoint'
import type { Issue } from '../src/contract/issue'

/** What a request passes: the fields of its query and of its body. */
export interface Parameters {
  readonly values: Readonly<Record<string, unknown>>
  readonly issues: readonly Issue[]
}

/** Query and body of a request, as the row wants them, and what is wrong with them. */
export function parametersOf(endpoint: Endpoint, query: URLSearchParams, body: unknown, strict: boolean): Parameters {
  if (body !== undefined && !isRecord(body)) return { values: {}, issues: [notAnObject] }
  const allowed = new Set(endpoint.query)
  const misplaced = [...query.keys()].filter((key) => !allowed.has(key))
  const inBody = Object.keys(body ?? {}).filter((key) => allowed.has(key))
  let values: Record<string, unknown> = { ...body }
  for (const key of allowed) if (query.has(key)) values[key] = single(query.getAll(key))
  values = coerced(endpoint, values, allowed)
  const issues = [...misplaced, ...inBody].map(unknownField)
  if (endpoint.params !== undefined) issues.push(...check(endpoint.params, values))
  else issues.push(...Object.keys(values).map(unknownField))
  return { values, issues: strict ? issues : issues.filter(({ code }) => code !== 'unknown_field') }
}

const notAnObject: Issue = { path: [], code: 'invalid_type', message: 'expected a JSON object', severity: 'error' }

function unknownField(key: string): Issue {
  return { path: [key], code: 'unknown_field', message: 'this endpoint has no such field here', severity: 'error' }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const single = (values: readonly string[]): unknown => (values.length === 1 ? values[0] : values)

/** A query carries text alone: where the row does not take the text, it is what the text says. */
function coerced(endpoint: Endpoint, values: Record<string, unknown>, query: ReadonlySet<string>) {
  if (endpoint.params === undefined) return values
  const refused = new Set(check(endpoint.params, values).map(({ path }) => path[0]))
  const entries = Object.entries(values).map(([key, value]) => [
    key,
    query.has(key) && refused.has(key) ? parsed(value) : value,
  ])
  return Object.fromEntries(entries) as Record<string, unknown>
}

function parsed(value: unknown): unknown {
  if (value === 'true' || value === 'false') return value === 'true'
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
}
