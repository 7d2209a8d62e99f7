import type { Issue } from '../contract/issue'
import { isSecretField, REDACTED } from '../contract/secrets'

/** Deeper than any body of the interface; what lies below is not shown. */
const MAX_DEPTH = 32
/** Secret fields that hold a JSON document; a service may send it as an object too. */
const DOCUMENTS: ReadonlySet<string> = new Set(['credential', 'challenge', 'webauthn'])
const SECRET_HEADER = /auth|cookie|token|secret|fingerprint|api-?key/i

/** A copy of a JSON value with secrets replaced: fields by their wire name, and known values wherever they stand. */
export function redact(value: unknown, known: readonly string[] = [], depth = 0): unknown {
  if (typeof value === 'string') return maskKnown(value, known)
  if (typeof value === 'number') return isKnown(value, known) ? REDACTED : value
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH) return '[…]'
  if (Array.isArray(value)) return value.map((item) => redact(item, known, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      maskKnown(key, known),
      isHidden(key, item) ? REDACTED : redact(item, known, depth + 1),
    ]),
  )
}

function isHidden(key: string, item: unknown): boolean {
  if (typeof item === 'object' && item !== null) return DOCUMENTS.has(key.toLowerCase())
  return typeof item === 'string' && isSecretField(key)
}

/** Whether a number is a secret that is known from the call, such as a code of digits. */
export function isKnown(value: number, known: readonly string[]): boolean {
  return maskKnown(String(value), known) === REDACTED
}

/** A text in which secrets that are known from the call are replaced. */
export function maskKnown(text: string, known: readonly string[]): string {
  let masked = text
  for (const secret of known) if (secret.length >= 4) masked = masked.replaceAll(secret, REDACTED)
  return masked
}

/** Issues without what is known to be secret: a service may name its fields after it. */
export function maskIssues(issues: readonly Issue[], known: readonly string[]): Issue[] {
  return issues.map(({ path, message, ...rest }) => ({
    ...rest,
    path: path.map((key) => (typeof key === 'string' ? maskKnown(key, known) : key)),
    message: maskKnown(message, known),
  }))
}

/** Headers fit for a log. */
export function redactHeaders(
  headers: Iterable<[string, string]>,
  mfaHeader: string,
  known: readonly string[],
): Record<string, string> {
  const shown = (name: string, value: string) => (isSecretHeader(name, mfaHeader) ? REDACTED : maskKnown(value, known))
  return Object.fromEntries(Array.from(headers, ([name, value]) => [name, shown(name, value)]))
}

/** Whether a header of this name may hold a secret. */
export function isSecretHeader(name: string, mfaHeader: string): boolean {
  return SECRET_HEADER.test(name) || name === mfaHeader
}
