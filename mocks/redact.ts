import { isSecretField, REDACTED } from '../src/contract/secrets'

/** A copy of a value in which no secret field keeps its value. */
export function redact(value: unknown, field?: string): unknown {
  const isNested = typeof value === 'object' && value !== null
  // `data` is a code in Verify MFA and an object in widgets and profiles: there it is looked into.
  if (isSecretField(field) && !(isNested && field === 'data')) return value === undefined ? value : REDACTED
  if (Array.isArray(value)) return value.map((item) => redact(item))
  if (!isNested) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redact(item, key)]))
}
