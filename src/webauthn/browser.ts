import { WebAuthnError } from '../errors/webauthn-error'
import { throwIfAborted } from '../internal/throw-if-aborted'
import type { WebAuthnAdapter } from './adapter'
import { ceremonyError } from './ceremony-error'

/** A ceremony of this page, whichever client runs it. */
interface Ceremony {
  readonly autofill: boolean
}

/** The ceremony that started last and has not ended. Browsers run one at a time. */
let running: Ceremony | undefined
/** Settles when the last ceremony to come has started, or has failed to. */
let lastStart: Promise<unknown> = Promise.resolve()

/**
 * The adapter for browsers, on `@simplewebauthn/browser`, which is loaded when the first ceremony starts. A page runs
 * one ceremony at a time, whichever client asks: a new one ends the one before, which rejects with `cancelled`, except
 * that autofill is refused with `cancelled` while a dialog is open.
 */
export const browserWebAuthn: WebAuthnAdapter = {
  async get(options, { autofill = false, signal }) {
    const library = await import('./library')
    if (!library.browserSupportsWebAuthn()) {
      const hint = 'Give the client a `webauthn` adapter of your platform.'
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
          'Autofill is not offered while another WebAuthn ceremony has its dialog open.',
        )
      }
      running = mine
      // They come from the service as JSON that shows a challenge; the library and the browser judge the rest of them.
      const optionsJSON = options as unknown as Parameters<typeof library.startAuthentication>[0]['optionsJSON']
      const credential = library.startAuthentication({ optionsJSON, useBrowserAutofill: autofill })
      // Whoever waits for the start may have gone by the time it fails.
      credential.catch(() => {})
      // Before it asks for a credential, autofill asks once more whether it is available; until then it would end a
      // ceremony that started meanwhile, and nothing would end it. The same question, asked later, is answered later.
      if (autofill) await library.browserSupportsWebAuthnAutofill()
      return { credential }
    }
    const started = lastStart.then(start)
    lastStart = started.catch(() => {})

    // What ends is the page's ceremony: it has to be this one, and to have started.
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
