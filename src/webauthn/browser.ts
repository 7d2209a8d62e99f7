import { WebAuthnError } from '../errors/webauthn-error'
import { throwIfAborted } from '../internal/throw-if-aborted'
import type { WebAuthnAdapter } from './adapter'
import { ceremonyError } from './ceremony-error'

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
