import { isSecretField, REDACTED } from '../contract/secrets'

/** Deeper than any body of the interface; what lies below is not shown. */
const MAX_DEPTH = 32
/** Objects in an error that are looked through. */
const MAX_PARTS = 500
/** Secret fields that hold a JSON document; a service may send it as an object too. */
const DOCUMENTS: ReadonlySet<string> = new Set(['credential', 'challenge', 'webauthn'])
const SECRET_HEADER = /auth|cookie|token|secret|fingerprint|api-?key/i

/** A copy of a JSON value with secrets replaced: fields by their wire name, and known values wherever they stand. */
export function redact(value: unknown, known: readonly string[] = [], depth = 0): unknown {
  if (typeof value === 'string') return maskKnown(value, known)
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

/** A text in which secrets that are known from the call are replaced. */
export function maskKnown(text: string, known: readonly string[]): string {
  let masked = text
  for (const secret of known) if (secret.length >= 4) masked = masked.split(secret).join(REDACTED)
  return masked
}

/** An error as it is, unless it tells a secret known from the call: then its name and what is left of its message. */
export function maskError(error: unknown, known: readonly string[]): unknown {
  if (!(error instanceof Error) || !tellsSecret(error, known)) return error
  const masked = new Error(maskKnown(error.message, known))
  masked.name = error.name
  return masked
}

function tellsSecret(value: unknown, known: readonly string[], seen = new Set<unknown>()): boolean {
  if (typeof value === 'string') return maskKnown(value, known) !== value
  if (typeof value !== 'object' || value === null) return false
  if (seen.has(value)) return false
  seen.add(value)
  // What is too large to be looked through is not shown.
  if (seen.size > MAX_PARTS) return true
  const parts = value instanceof Error ? [value.message, value.stack, value.cause] : []
  const entries = value instanceof Headers || value instanceof Map ? [...value] : []
  return [...parts, ...entries, ...Object.values(value)].some((part) => tellsSecret(part, known, seen))
}

/** Headers fit for a log. */
export function redactHeaders(headers: Iterable<[string, string]>, mfaHeader: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(headers, ([name, value]) => [name, isSecretHeader(name, mfaHeader) ? REDACTED : value]),
  )
}

/** The values of headers that are not shown, so that an echo of them can be masked. */
export function secretHeaderValues(headers: Readonly<Record<string, string>>, mfaHeader: string): string[] {
  return Object.entries(headers).flatMap(([name, value]) => (isSecretHeader(name, mfaHeader) ? [value] : []))
}

function isSecretHeader(name: string, mfaHeader: string): boolean {
  return SECRET_HEADER.test(name) || name === mfaHeader
}

/** The values of secret fields in what a caller sends, so that an echo of them can be masked. */
export function secretValues(body: unknown, depth = 0): string[] {
  if (typeof body !== 'object' || body === null || depth > MAX_DEPTH || ArrayBuffer.isView(body)) return []
  const isForm = body instanceof FormData || body instanceof URLSearchParams
  return (isForm ? [...body] : Object.entries(body)).flatMap(([key, value]) => {
    if (typeof value !== 'string') return secretValues(value, depth + 1)
    return isSecretField(key) ? [value] : []
  })
}
