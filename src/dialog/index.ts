/** A dialog for second factors, for browsers. */

import { createMfaPrompt } from '../mfa/prompt'
import type { MfaChallenge, MfaHandler } from '../types/mfa'
import { type MfaDialogOptions, openView, type View } from './view'

export type { MfaHandler } from '../types/mfa'
export type { MfaDialogOptions } from './view'
export type { MfaDialogWords, MfaMethodWords } from './words'

/**
 * Creates a handler that asks for second factors in a modal dialog, for sign-ins, password resets and step-ups. The
 * dialog stays open until an answer is accepted, three were refused, or the user cancels. An answer
 * that was refused before is not sent again. If several accounts or clients
 * need a second factor at once, their dialogs open one after the other.
 *
 * The dialog is in the shadow root of an element `<rapport-mfa-dialog>`. Change its look with `::part()` and with the
 * properties `--rapport-accent`, `--rapport-on-accent`, `--rapport-background`, `--rapport-color`, `--rapport-error`,
 * `--rapport-backdrop`, `--rapport-font`, `--rapport-radius` and `--rapport-width`. It works under a strict
 * Content-Security-Policy and with Trusted Types.
 *
 * @example
 * import { Client } from 'rapport-sdk'
 * import { mfaDialog } from 'rapport-sdk/dialog'
 *
 * const client = new Client({ baseUrl: 'https://service.example', onMfaRequired: mfaDialog() })
 */
export function mfaDialog(options: MfaDialogOptions = {}): MfaHandler {
  const prompt = createMfaPrompt()
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
      view ??= openView(prompt, current.challenge, options)
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
