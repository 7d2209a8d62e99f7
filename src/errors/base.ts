// `RapportError`, the class of all errors of this package, and the redaction of causes.
import { isError, isInstance, isObject, isPlainObject } from '../internal/json'
import { REDACTED, type Secrets } from '../internal/redact'

/** Maximum number of causes in JSON and after redaction; an error may be its own cause. */
const MAX_CAUSES = 8
/** Maximum number of objects searched in an error. */
const MAX_PARTS = 500

/** Message of calls that `dispose` aborts. `explain` recognizes them by it, also after JSON. */
export const DISPOSED = 'The client was disposed.'

/**
 * Property with the names of the classes of an error of this package, so that guards work across copies of the package.
 * The JSON of such an error has only its properties.
 */
export const KINDS: unique symbol = Symbol.for('rapport-sdk.error-kinds')

/** Base class of all errors of this package. The message says what failed and where; `explain` says what to do. */
export class RapportError extends Error {
  /** Name of the class; a literal type in subclasses, so that it discriminates unions. */
  declare readonly name: string
  /** @internal */
  declare readonly [KINDS]: readonly string[]

  /** @internal */
  static readonly kind: string = declareKind(this, 'RapportError')

  /**
   * Returns name, message, cause and public fields as plain JSON, without secrets and without the stack. It survives
   * `postMessage`, `structuredClone` and HTTP; `errorFromJSON` restores the error.
   */
  toJSON(): Record<string, unknown> {
    const { name, message, cause } = this
    let causes = 0
    function toPlain(this: unknown, key: string, value: unknown): unknown {
      // Not what a `toJSON` of it returned: errors of other libraries may include anything.
      const original: unknown = Reflect.get(Object(this), key)
      if (isError(original)) {
        // Errors of Node and browsers have a `code`, which `Error` lacks.
        const { name, message, cause, code }: Error & { readonly code?: unknown } = original
        const fields = isRapportError(original) ? original : { code }
        return { ...fields, name, message, cause: causes++ < MAX_CAUSES ? cause : undefined }
      }
      if (key === 'cause' && typeof value === 'object' && value === original) return 'an object'
      return typeof value === 'bigint' ? String(value) : value
    }
    return JSON.parse(JSON.stringify({ ...this, name, message, cause }, toPlain))
  }
}

/**
 * Sets the literal name of a class and registers it for the guards. Called by a static field, which the build marks as
 * pure, instead of in a static block, so that bundlers can remove unused classes.
 */
export function declareKind(type: abstract new (...args: never[]) => RapportError, name: string): string {
  const inherited = type.prototype[KINDS] ?? []
  Object.defineProperty(type.prototype, KINDS, { value: [...inherited, name] })
  Object.defineProperty(type.prototype, 'name', { value: name, configurable: true, writable: true })
  // Consoles show the `name` of the class, which bundlers and minifiers change.
  Object.defineProperty(type, 'name', { value: name, configurable: true })
  return name
}

/** Creates a guard for the errors of a class and its subclasses, from any copy of the package in any realm. */
export function guardFor<E extends RapportError>(name: string): (error: unknown) => error is E {
  return (error): error is E => {
    try {
      // A cast, because the error may be of another copy of the package.
      return isError(error) && !!(error as Partial<RapportError>)[KINDS]?.includes(name)
    } catch {
      // A proxy whose traps throw.
      return false
    }
  }
}

/** Whether an error comes from this package. */
export const isRapportError = guardFor<RapportError>('RapportError')

/**
 * Wraps an error thrown by code of the app, such as a callback, an adapter or a getter. Returns a `RapportError`
 * unchanged, unless it contains a secret.
 */
export function wrapError(message: string, error: unknown, secrets: Secrets): RapportError {
  const cause = redactCause(error, secrets)
  return isRapportError(cause) ? cause : new RapportError(message, { cause })
}

/** Redacts an error thrown by code of the app, for use as a `cause`. */
export function redactCause(error: unknown, secrets: Secrets): unknown {
  return isRapportError(error) && !errorContainsSecret(error, secrets) ? error : redactError(error, secrets)
}

/** Whether the message or cause of an error contains a secret. Its other fields were redacted when it was created. */
export function errorContainsSecret({ message, cause }: RapportError, secrets: Secrets): boolean {
  return secrets.text(message) !== message || (cause !== undefined && redactCause(cause, secrets) !== cause)
}

/** Returns an error unchanged if it shows no secret, else a new one with redacted name, code, message and causes. */
export function redactError(error: unknown, secrets: Secrets, depth = 0): unknown {
  try {
    if (!containsSecret(error, secrets, new Set())) return error
    if (!isError(error)) return typeof error === 'string' ? secrets.text(error) : REDACTED
    // Errors of Node and browsers have a `code`, which `Error` lacks.
    const { name, message, cause, code }: Error & { readonly code?: unknown } = error
    const redacted = new Error(secrets.text(String(message)))
    redacted.name = secrets.name(String(name))
    if (typeof code === 'string') Object.assign(redacted, { code: secrets.text(code) })
    if (cause !== undefined && depth < MAX_CAUSES) redacted.cause = redactError(cause, secrets, depth + 1)
    return redacted
  } catch {
    // A getter or a proxy threw, and its error may quote anything.
    return REDACTED
  }
}

function containsSecret(value: unknown, secrets: Secrets, seen: Set<unknown>): boolean {
  if (typeof value === 'string') return secrets.text(value) !== value
  if (typeof value === 'symbol') return containsSecret(String(value), secrets, seen)
  if (typeof value === 'function') return true
  if (!isObject(value)) return typeof value === 'number' && secrets.isSecret(value)
  if (seen.has(value)) return false
  seen.add(value)
  // An error that is too large to search, or that contains objects with their own serialization, is not shown.
  if (seen.size > MAX_PARTS || !isTransparent(value)) return true
  return partsOf(value).some((part) => containsSecret(part, secrets, seen))
}

/** Whether an object shows only its properties or entries. */
function isTransparent(value: object): boolean {
  if (!(KINDS in value) && SERIALIZERS.some((name) => name in value)) return false
  return (
    isError(value) ||
    Array.isArray(value) ||
    value instanceof Map ||
    isInstance(value, 'Headers') ||
    isPlainObject(value)
  )
}

/** Methods that may show private state of an object. */
const SERIALIZERS = ['toJSON', Symbol.for('nodejs.util.inspect.custom')]

/** Returns names and values of all own properties, and what an error inherits from its class. */
function partsOf(value: object): unknown[] {
  const own = Reflect.ownKeys(value).flatMap((key) => {
    // In newer engines the stack of an error is a getter; it is read below.
    if (key === 'stack' && isError(value)) return []
    const { get, value: part } = Object.getOwnPropertyDescriptor(value, key) ?? {}
    // A getter is a function and counts as secret, since its value is unknown until it is called.
    return [String(key), get ?? part]
  })
  const inherited = isError(value) ? [value.name, value.message, value.stack, value.toString()] : []
  return [...own, ...inherited, ...(value instanceof Map || isInstance(value, 'Headers') ? [...value].flat() : [])]
}

/** Maximum length of a stack that is extended: many calls may fail with one error, such as that of a shared prompt. */
const MAX_STACK_LENGTH = 10_000

/**
 * Appends the frames that await the current function, as far as the engine knows them (V8 does), to the stack of an
 * error: one that is created deep in a call has used up its ten frames before the code of the app. Costs nothing until a
 * call fails.
 */
export function addAsyncFrames(error: Error): void {
  const { stack } = error
  const here = new Error().stack
  // Apps may replace `Error.prepareStackTrace`, which may return anything.
  if (typeof stack !== 'string' || typeof here !== 'string' || stack.length > MAX_STACK_LENGTH) return
  // Without the heading, this function and its caller.
  const frames = here
    .split('\n')
    .slice(3)
    .filter((line) => !stack.includes(line))
  if (frames.length > 0) error.stack = [stack, ...frames].join('\n')
}
