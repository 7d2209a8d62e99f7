import { isSecretField, REDACTED } from '../src/internal/redact'
import { MAX_DEPTH } from './json'

/** A copy of a value in which no secret field keeps its value, nor anything that is deeper than a body may be. */
export function redact(value: unknown, field?: string, depth = 0): unknown {
  const isNested = typeof value === 'object' && value !== null
  // `data` is a code in Verify MFA and an object in widgets and profiles: there it is looked into.
  if (isSecretField(field) && !(isNested && field === 'data')) return value === undefined ? value : REDACTED
  if (!isNested) return value
  if (depth >= MAX_DEPTH) return REDACTED
  if (Array.isArray(value)) return value.map((item) => redact(item, undefined, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redact(item, key, depth + 1)]))
}
