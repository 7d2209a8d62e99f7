import { isWebAuthnError, WebAuthnError, type WebAuthnFailure } from '../errors/webauthn-error'

type Reason = readonly [reason: WebAuthnFailure, message: string]

const REPLACED: Reason = ['cancelled', 'Another WebAuthn ceremony of this page took the place of this one.']
const FAILED: Reason = ['failed', 'The WebAuthn ceremony failed.']

/** By the code or the name of what was thrown. */
const REASONS: ReadonlyMap<unknown, Reason> = new Map<unknown, Reason>([
  ['ERROR_CEREMONY_ABORTED', ['cancelled', 'The WebAuthn ceremony was cancelled.']],
  ['AbortError', ['cancelled', 'The WebAuthn ceremony was cancelled.']],
  // One error for all three, so that a page cannot find out which passkeys a visitor has.
  ['NotAllowedError', ['cancelled', 'The WebAuthn ceremony was cancelled, or ran out of time, or no credential fits.']],
  ['ERROR_INVALID_DOMAIN', ['wrong_domain', 'WebAuthn does not work on this domain.']],
  ['ERROR_INVALID_RP_ID', ['wrong_domain', 'The credential belongs to another domain.']],
  ['SecurityError', ['wrong_domain', 'The credential belongs to another domain.']],
])

/** By the beginning of the message, where `@simplewebauthn/browser` throws a plain error. */
const MESSAGES: readonly (readonly [message: string, Reason])[] = [
  ['Authentication was not completed', ['no_credential', 'The WebAuthn ceremony gave no credential.']],
  ['No <input>', ['failed', 'Autofill needs an <input> on the page whose `autocomplete` ends in "webauthn".']],
]

/** What a ceremony of a browser ended with, as this package says it. */
export function ceremonyError(cause: unknown, isReplaced: boolean): WebAuthnError {
  if (isWebAuthnError(cause)) return cause
  const { code, name, message = '' } = (cause ?? {}) as Partial<Error> & { readonly code?: string }
  const known = MESSAGES.find(([beginning]) => message.startsWith(beginning))?.[1]
  const reason = known ?? REASONS.get(code) ?? REASONS.get(name) ?? FAILED
  const [why, text] = isReplaced && reason[0] === 'cancelled' ? REPLACED : reason
  return new WebAuthnError(why, text, { cause })
}
