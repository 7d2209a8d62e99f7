import { redactError, type Secrets } from '../internal/redact'
import { isRapportError, RapportError } from './rapport-error'

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
