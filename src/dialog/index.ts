/** A dialog for second factors, for browsers. */

import { createMfaPrompt } from '../mfa/prompt'
import type { MfaChallenge, MfaHandler } from '../types/mfa'
import type { MfaDialogOptions } from './options'
import { View } from './view'

export type { MfaHandler } from '../types/mfa'
export type { MfaDialogOptions } from './options'
export type { MfaDialogWords, MfaMethodWords } from './words'

/**
 * Creates a handler that asks for second factors in a modal dialog, for sign-ins, password resets and step-ups. The
 * dialog stays open until an answer is accepted, three were refused, or the user cancels: also after a lost connection, a
 * status 5xx and a rate limit, which it counts down. What cannot be a code, or was refused before, is not sent. If several
 * accounts or clients need a second factor at once, their dialogs open one after the other.
 *
 * The dialog is in the shadow root of an element `<rapport-mfa-dialog>`. Change its look with `::part()` and with the
 * properties `--rapport-accent`, `--rapport-on-accent`, `--rapport-background`, `--rapport-color`, `--rapport-error`,
 * `--rapport-backdrop`, `--rapport-font`, `--rapport-font-size`, `--rapport-radius` and `--rapport-width`. It works under a
 * strict Content-Security-Policy and with Trusted Types, and above the modals of other libraries: no listener of the page
 * but one on the capture phase of `window` sees its keys, text, clicks, presses, clipboard and focus.
 *
 * @example
 * import { Client } from 'rapport-sdk'
 * import { mfaDialog } from 'rapport-sdk/dialog'
 *
 * const client = new Client({ baseUrl: 'https://service.example', onMfaRequired: mfaDialog() })
 */
export function mfaDialog(options: MfaDialogOptions = {}): MfaHandler {
  const prompt = createMfaPrompt({ keepOpen: true })
  /** Errors thrown while a challenge was shown. */
  const failures = new WeakMap<MfaChallenge, unknown>()
  let view: View | undefined
  prompt.subscribe(() => {
    const { current } = prompt
    if (view && view.challenge !== current?.challenge) {
      view.close()
      view = undefined
    }
    if (!current) return
    try {
      view ??= new View(prompt, current.challenge, options)
      view.update(current)
    } catch (error) {
      // Nobody can answer a dialog that is not shown.
      failures.set(current.challenge, error)
      prompt.cancel()
    }
  })
  return async (challenge) => {
    if (typeof document === 'undefined') throw new Error('The dialog needs a browser: there is no `document`.')
    const answer = await prompt.handler(challenge)
    if (failures.has(challenge)) throw failures.get(challenge)
    return answer
  }
}
