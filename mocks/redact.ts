import { isSecretField, REDACTED } from '../src/contract/secrets'

/** A copy of a value in which no secret field keeps its value; what such a field nests is looked into. */
export function redact(value: unknown, field?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => redact(item, field))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redact(item, key)]))
  }
  return isSecretField(field) && value !== null && value !== undefined ? REDACTED : value
}
