import { characters } from '../../contract/size'
import { MessageFlags } from '../constants'
import type { PlainObject } from '../edge'
import { legacyMessageSpec, messageV2Spec, REPLACED, TOTALS } from '../table/envelopes'
import { checkFields } from './components'
import { checkSize, fail, MAX_STEPS, type ValidationContext, warn } from './run'

/** Interface, "Messages using the v2 component system". */
export function checkMessage(message: PlainObject, run: ValidationContext): void {
  const { flags } = message
  const isV2 = typeof flags === 'number' && (flags & MessageFlags.IS_COMPONENTS_V2) !== 0
  checkFields(isV2 ? messageV2Spec : legacyMessageSpec, message, run, true)
  // What was not looked at is in no total.
  if (!isV2 || run.work > MAX_STEPS) return
  for (const name of REPLACED) {
    const value = message[name] ?? ''
    // What is empty says nothing that the flag could change.
    if (value !== '' && (!Array.isArray(value) || value.length > 0))
      fail(run, 'conflict', 'not with the flag IS_COMPONENTS_V2', [name])
  }
  const path = ['components']
  checkSize(run, run.count, 'components in total', TOTALS.components, path)
  const total = (lengthOf: (text: string) => number) => run.texts.reduce((sum, text) => sum + lengthOf(text), 0)
  // No text is longer in code points than in UTF-16 units, which are known already.
  let length = total((text) => text.length)
  if (length > TOTALS.text.max && !run.isUtf16) length = total(characters)
  checkSize(run, length, 'characters of text in total', TOTALS.text, path)

  // Attachments are not shown unless a component shows them.
  const { attachments } = message
  if (!run.warns || !Array.isArray(attachments)) return
  const shown = new Set(run.urls)
  for (let index = 0; index < attachments.length && ++run.work <= MAX_STEPS; index++) {
    const filename: unknown = attachments[index]?.filename
    if (typeof filename !== 'string' || shown.has(`attachment://${filename}`)) continue
    warn(run, 'conflict', 'no component shows it', ['attachments', index])
  }
}
