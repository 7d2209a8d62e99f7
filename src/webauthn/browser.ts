import { throwIfAborted } from '../abort'
import { isWebAuthnError, WebAuthnError, type WebAuthnFailure } from '../errors/client-errors'
import type { WebAuthnAdapter } from './ceremony'

/** Ceremony of this page, started by any client. */
interface Ceremony {
  readonly autofill: boolean
}

/** Running ceremony. Browsers run one at a time. */
let running: Ceremony | undefined

/** Settles when the most recently requested ceremony has started or failed to start. */
let lastStart: Promise<unknown> = Promise.resolve()

/**
 * Default adapter in browsers, based on `@simplewebauthn/browser`, which it loads for the first ceremony. A page runs
 * one ceremony at a time across all clients: a new one aborts the previous one, which rejects with `cancelled`.
 * Exception: autofill is rejected with `cancelled` while a dialog is open.
 */
export const browserWebAuthn: WebAuthnAdapter = {
  async get(options, { autofill = false, signal }) {
    const library = await import('./library')
    if (!library.browserSupportsWebAuthn()) {
      const hint = 'Pass a `webauthn` adapter for your platform to the client.'
      throw new WebAuthnError('unsupported', `WebAuthn is not available here. ${hint}`)
    }
    if (!isPermitted()) throw new WebAuthnError(...NOT_PERMITTED)
    if (autofill && !(await library.browserSupportsWebAuthnAutofill())) {
      throw new WebAuthnError('unsupported', 'This browser does not offer passkeys in autofill.')
    }

    const mine: Ceremony = { autofill }
    const start = async () => {
      throwIfAborted(signal)
      if (autofill && running?.autofill === false) {
        throw new WebAuthnError(
          'cancelled',
          'Autofill is not available while the dialog of another WebAuthn ceremony is open.',
        )
      }
      running = mine
      // JSON from the service, of which only the challenge was checked; the library and the browser validate the rest.
      const optionsJSON = options as unknown as Parameters<typeof library.startAuthentication>[0]['optionsJSON']
      const credential = library.startAuthentication({ optionsJSON, useBrowserAutofill: autofill })
      // Avoid an unhandled rejection: the caller may be gone by the time it fails.
      credential.catch(() => {})
      // Before requesting a credential, the library checks the availability of autofill again. Until then it would
      // abort a ceremony started meanwhile and could not be aborted itself. The same check, made later, resolves later.
      if (autofill) await library.browserSupportsWebAuthnAutofill()
      return { credential }
    }
    const started = lastStart.then(start)
    lastStart = started.catch(() => {})

    // This cancels the ceremony of the page, so only if it is this one and has started.
    const cancelled = () => running === mine && library.WebAuthnAbortService.cancelCeremony()
    const cancel = () => void started.then(cancelled, () => {})
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      return await (await started).credential
    } catch (cause) {
      throwIfAborted(signal)
      throw ceremonyError(cause, running !== mine)
    } finally {
      signal?.removeEventListener('abort', cancel)
      if (running === mine) running = undefined
    }
  },
}

type Reason = readonly [reason: WebAuthnFailure, message: string]

const REPLACED: Reason = ['cancelled', 'Another WebAuthn ceremony on this page replaced this one.']

const NOT_PERMITTED: Reason = [
  'unsupported',
  'WebAuthn is not permitted in this iframe. Add `allow="publickey-credentials-get"` to its element.',
]

/** Whether the page may run ceremonies. Not every browser tells it before a ceremony. */
function isPermitted(): boolean {
  const { featurePolicy } = (globalThis.document ?? {}) as {
    featurePolicy?: { allowsFeature(feature: string): boolean }
  }
  return featurePolicy?.allowsFeature('publickey-credentials-get') ?? true
}

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

/** Converts the error of a browser ceremony to a `WebAuthnError`. */
function ceremonyError(cause: unknown, isReplaced: boolean): WebAuthnError {
  if (isWebAuthnError(cause)) return cause
  const { code, name, message = '' } = (cause ?? {}) as Partial<Error> & { readonly code?: string }
  const known = MESSAGES.find(([beginning]) => message.startsWith(beginning))?.[1]
  const reason = known ?? REASONS.get(code) ?? REASONS.get(name) ?? FAILED
  const [why, text] = isReplaced && reason[0] === 'cancelled' ? REPLACED : reason
  return new WebAuthnError(why, text, { cause })
}

/** Passkey support of a platform. */
export interface PasskeySupport {
  /**
   * Whether ceremonies can run: a browser with WebAuthn, on a page of a secure origin that may use it. On an IP address such as
   * 127.0.0.1 they still fail with `wrong_domain`.
   */
  readonly webauthn: boolean
  /** Whether the device can verify the user by fingerprint, face or PIN. */
  readonly platform: boolean
  /** Whether passkeys can be offered in autofill, as `auth.loginWithPasskey({ autofill: true })` does. */
  readonly autofill: boolean
}

/**
 * Detects which passkey features the platform supports. Never rejects: what cannot be determined is `false`, as is
 * everything outside browsers, where an adapter decides.
 *
 * @example
 * import { passkeySupport } from 'rapport-sdk/webauthn'
 *
 * const { webauthn, autofill } = await passkeySupport()
 * if (autofill) void client.auth.loginWithPasskey({ autofill: true }).catch(() => {})
 * else if (webauthn) console.log('show a button for passkeys')
 */
export async function passkeySupport(): Promise<PasskeySupport> {
  try {
    const library = await import('./library')
    const webauthn = library.browserSupportsWebAuthn() && isPermitted()
    const [platform, autofill] = await Promise.all([
      yes(library.platformAuthenticatorIsAvailable),
      yes(library.browserSupportsWebAuthnAutofill),
    ])
    return { webauthn, platform, autofill }
  } catch {
    // Without the library, no ceremony can run.
    return { webauthn: false, platform: false, autofill: false }
  }
}

async function yes(ask: () => Promise<boolean>): Promise<boolean> {
  try {
    return (await ask()) === true
  } catch {
    return false
  }
}
