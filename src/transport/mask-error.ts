import { isPlain } from '../contract/rules'
import { REDACTED } from '../contract/secrets'
import { maskKnown } from './redact'

/** Objects in an error that are looked through. */
const MAX_PARTS = 500

/**
 * An error as it is, unless it tells a secret known from the call: then its name, its code and what is left of its
 * message and causes.
 */
export function maskError(error: unknown, known: readonly string[], depth = 0): unknown {
  if (!tellsSecret(error, known)) return error
  if (!(error instanceof Error)) return typeof error === 'string' ? maskKnown(error, known) : REDACTED
  const { name, message, cause, code } = error as Error & { readonly code?: unknown }
  const masked = new Error(maskKnown(String(message), known))
  masked.name = maskKnown(String(name), known)
  if (typeof code === 'string') Object.assign(masked, { code: maskKnown(code, known) })
  if (cause !== undefined && depth < MAX_CAUSES) masked.cause = maskError(cause, known, depth + 1)
  return masked
}

const MAX_CAUSES = 8

function tellsSecret(value: unknown, known: readonly string[], seen = new Set<unknown>()): boolean {
  if (typeof value === 'string') return maskKnown(value, known) !== value
  if (typeof value === 'symbol') return tellsSecret(String(value), known, seen)
  if (typeof value === 'function') return true
  if (typeof value !== 'object' || value === null) return false
  if (seen.has(value)) return false
  seen.add(value)
  // What is too large to be looked through, or shows what it holds in a way of its own, is not shown.
  if (seen.size > MAX_PARTS || !isTransparent(value)) return true
  return partsOf(value).some((part) => tellsSecret(part, known, seen))
}

/** Whether all that an object shows is in its properties or entries. */
function isTransparent(value: object): boolean {
  if (SHOWS_ITSELF.some((name) => name in value)) return false
  if (value instanceof Error || Array.isArray(value) || value instanceof Map || value instanceof Headers) return true
  return isPlain(value)
}

/** By these an object may show what it hides. */
const SHOWS_ITSELF = ['toJSON', Symbol.for('nodejs.util.inspect.custom')]

/** What an object holds, hidden properties and their names included. Whatever throws there does not show itself. */
function partsOf(value: object): unknown[] {
  const own = Reflect.ownKeys(value).flatMap((key) => {
    const { get, value: part } = Object.getOwnPropertyDescriptor(value, key) ?? {}
    // What a function shows cannot be known without asking it.
    return [String(key), get ?? part]
  })
  const inherited = value instanceof Error ? [value.name] : []
  return [...own, ...inherited, ...(value instanceof Map || value instanceof Headers ? [...value].flat() : [])]
}
