// Loaded with the first ceremony, together with its library. Imports nothing that the client contains: a bundler that writes
// one file would wrap each module that both share, and keep more of it.
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import type { WebAuthnError, WebAuthnFailure } from '../errors/client-errors'
import type { PublicKeyRequestOptions } from '../types/mfa'
import type { WebAuthnRequest } from './ceremony'
import { isPermitted } from './support'

/** Ceremony of this page, started by any client. */
interface Ceremony {
  readonly autofill: boolean
}

/** Running ceremony. Browsers run one at a time. */
let running: Ceremony | undefined

/** Settles when the most recently requested ceremony has started or failed to start. */
let lastStart: Promise<unknown> = Promise.resolve()

/** Runs a ceremony, as `browserWebAuthn` describes. Its errors are of the given class. */
export async function runBrowserCeremony(
  Failure: typeof WebAuthnError,
  options: PublicKeyRequestOptions,
  { autofill = false, signal }: WebAuthnRequest,
): Promise<object> {
  if (!browserSupportsWebAuthn()) {
    const hint = 'Pass a `webauthn` adapter for your platform to the client.'
    throw new Failure('unsupported', `WebAuthn is not available here. ${hint}`)
  }
  if (!isPermitted()) throw new Failure(...NOT_PERMITTED)
  if (autofill && !(await browserSupportsWebAuthnAutofill())) {
    throw new Failure('unsupported', 'This browser does not offer passkeys in autofill.')
  }

  const mine: Ceremony = { autofill }
  const start = async () => {
    if (signal?.aborted) throw signal.reason
    if (autofill && running?.autofill === false) {
      throw new Failure('cancelled', 'Autofill is not available while the dialog of another WebAuthn ceremony is open.')
    }
    running = mine
    // JSON from the service, of which only the challenge was checked; the library and the browser validate the rest.
    const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON']
    const credential = startAuthentication({ optionsJSON, useBrowserAutofill: autofill })
    // Avoid an unhandled rejection: the caller may be gone by the time it fails.
    credential.catch(() => {})
    // Before requesting a credential, the library checks the availability of autofill again. Until then it would
    // abort a ceremony started meanwhile and could not be aborted itself. The same check, made later, resolves later.
    if (autofill) await browserSupportsWebAuthnAutofill()
    return { credential }
  }
  const started = lastStart.then(start)
  lastStart = started.catch(() => {})

  // This cancels the ceremony of the page, so only if it is this one and has started.
  const cancelled = () => running === mine && WebAuthnAbortService.cancelCeremony()
  const cancel = () => void started.then(cancelled, () => {})
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    return await (await started).credential
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    if (cause instanceof Failure) throw cause
    throw new Failure(...reasonOf(cause, running !== mine), { cause })
  } finally {
    signal?.removeEventListener('abort', cancel)
    if (running === mine) running = undefined
  }
}

type Reason = readonly [reason: WebAuthnFailure, message: string]

const REPLACED: Reason = ['cancelled', 'Another WebAuthn ceremony on this page replaced this one.']

const NOT_PERMITTED: Reason = [
  'unsupported',
  'WebAuthn is not permitted in this iframe. Add `allow="publickey-credentials-get"` to its element.',
]

const FAILED: Reason = ['failed', 'The WebAuthn ceremony failed.']

/** Failures by `code` or `name` of the thrown error. */
const REASONS: ReadonlyMap<unknown, Reason> = new Map<unknown, Reason>([
  ['AbortError', ['cancelled', 'The WebAuthn ceremony was cancelled.']],
  // Browsers use one error for all three, so that a page cannot learn which passkeys a visitor has.
  [
    'NotAllowedError',
    ['cancelled', 'The WebAuthn ceremony was cancelled, timed out, or found no matching credential.'],
  ],
  ['ERROR_INVALID_DOMAIN', ['wrong_domain', 'WebAuthn does not work on this domain.']],
  ['SecurityError', ['wrong_domain', 'The credential belongs to another domain.']],
])

/** Failures by start of the message, for plain errors thrown by `@simplewebauthn/browser`. */
const MESSAGES: readonly (readonly [message: string, Reason])[] = [
  ['Authentication was not completed', ['no_credential', 'The WebAuthn ceremony returned no credential.']],
  // WebKit, for a NotAllowedError.
  ['The origin of the document is not the same as its ancestors', NOT_PERMITTED],
  ['No <input>', ['failed', 'Autofill needs an <input> on the page whose `autocomplete` ends in "webauthn".']],
]

/** Returns the reason for the error of a browser ceremony. */
function reasonOf(cause: unknown, isReplaced: boolean): Reason {
  // Browsers and the library reject with errors; some have a `code`.
  const { code, name, message = '' } = (cause ?? {}) as Partial<Error> & { readonly code?: string }
  const known = MESSAGES.find(([beginning]) => message.startsWith(beginning))?.[1]
  const reason = known ?? REASONS.get(code) ?? REASONS.get(name) ?? FAILED
  return isReplaced && reason[0] === 'cancelled' ? REPLACED : reason
}
