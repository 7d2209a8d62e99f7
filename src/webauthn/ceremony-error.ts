import { isWebAuthnError, WebAuthnError, type WebAuthnFailure } from '../errors/webauthn-error'

type Reason = readonly [reason: WebAuthnFailure, message: string]

const REPLACED: Reason = ['cancelled', 'Another WebAuthn ceremony on this page replaced this one.']
const FAILED: Reason = ['failed', 'The WebAuthn ceremony failed.']

/** Failures by `code` or `name` of the thrown error. */
const REASONS: ReadonlyMap<unknown, Reason> = new Map<unknown, Reason>([
  ['ERROR_CEREMONY_ABORTED', ['cancelled', 'The WebAuthn ceremony was cancelled.']],
  ['AbortError', ['cancelled', 'The WebAuthn ceremony was cancelled.']],
  // Browsers use one error for all three, so that a page cannot learn which passkeys a visitor has.
  [
    'NotAllowedError',
    ['cancelled', 'The WebAuthn ceremony was cancelled, timed out, or found no matching credential.'],
  ],
  ['ERROR_INVALID_DOMAIN', ['wrong_domain', 'WebAuthn does not work on this domain.']],
  ['ERROR_INVALID_RP_ID', ['wrong_domain', 'The credential belongs to another domain.']],
  ['SecurityError', ['wrong_domain', 'The credential belongs to another domain.']],
])

/** Failures by start of the message, for plain errors thrown by `@simplewebauthn/browser`. */
const MESSAGES: readonly (readonly [message: string, Reason])[] = [
  ['Authentication was not completed', ['no_credential', 'The WebAuthn ceremony returned no credential.']],
  ['No <input>', ['failed', 'Autofill needs an <input> on the page whose `autocomplete` ends in "webauthn".']],
]

/** Converts the error of a browser ceremony to a `WebAuthnError`. */
export function ceremonyError(cause: unknown, isReplaced: boolean): WebAuthnError {
  if (isWebAuthnError(cause)) return cause
  const { code, name, message = '' } = (cause ?? {}) as Partial<Error> & { readonly code?: string }
  const known = MESSAGES.find(([beginning]) => message.startsWith(beginning))?.[1]
  const reason = known ?? REASONS.get(code) ?? REASONS.get(name) ?? FAILED
  const [why, text] = isReplaced && reason[0] === 'cancelled' ? REPLACED : reason
  return new WebAuthnError(why, text, { cause })
}
