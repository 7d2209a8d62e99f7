import { redactError, type Secrets } from '../internal/redact'

/** Where an error keeps the names of its classes, so that guards work across copies of the package. */
const KINDS: unique symbol = Symbol.for('rapport-sdk.error-kinds')

/** Every error of this package is one. `name` tells which; the message says what failed, where and what to do. */
export class RapportError extends Error {
  /** Name of the class, a literal on every class. */
  declare readonly name: string
  /** @internal */
  declare readonly [KINDS]: readonly string[]

  /** @internal */
  static readonly kind: string = /*@__PURE__*/ declareKind(RapportError, 'RapportError')

  /** What `JSON.stringify` shows: name, message and the public facts, never a secret. */
  toJSON(): Record<string, unknown> {
    return { ...(this as object), name: this.name, message: this.message }
  }
}

/**
 * Gives a class its literal name and adds it to what the guards look at. It is called for a field and marked pure, not in a
 * static block, so that bundlers leave out the classes that nobody uses.
 */
export function declareKind(type: abstract new (...args: never[]) => RapportError, name: string): string {
  const inherited = type.prototype[KINDS] ?? []
  Object.defineProperty(type.prototype, KINDS, { value: [...inherited, name] })
  Object.defineProperty(type.prototype, 'name', { value: name, configurable: true, writable: true })
  // Consoles show the class's own name, which bundlers and minifiers change.
  Object.defineProperty(type, 'name', { value: name, configurable: true })
  return name
}

/** A guard for the errors of one class and its subclasses, whichever copy of the package threw them. */
export function guardFor<E extends RapportError>(name: string): (error: unknown) => error is E {
  return (error): error is E => {
    try {
      return error instanceof Error && ((error as Partial<RapportError>)[KINDS]?.includes(name) ?? false)
    } catch {
      // A proxy that cannot be looked at.
      return false
    }
  }
}

/** Whether an error comes from this package. */
export const isRapportError: (error: unknown) => error is RapportError = /*@__PURE__*/ guardFor('RapportError')

/**
 * Makes an error of ours of whatever the app's own code has thrown: a callback, an adapter, a getter. One that is ours
 * already stays, unless it shows a secret.
 */
export function wrapError(message: string, error: unknown, secrets: Secrets): RapportError {
  const cause = redactCause(error, secrets)
  return isRapportError(cause) ? cause : new RapportError(message, { cause })
}

/** What the app's own code has thrown, as a cause that shows no secret. */
export function redactCause(error: unknown, secrets: Secrets): unknown {
  return isRapportError(error) && !showsSecret(error, secrets) ? error : redactError(error, secrets)
}

/** Whether an error of ours shows a secret. What it has beside message and cause was redacted when it was made. */
export function showsSecret({ message, cause }: RapportError, secrets: Secrets): boolean {
  return secrets.text(message) !== message || (cause !== undefined && redactCause(cause, secrets) !== cause)
}
