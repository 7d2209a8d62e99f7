import { characters } from '../../contract/size'
import { MessageFlags } from '../constants'
import { isObject, type Wire } from '../edge'
import { legacyMessage, messageV2, REPLACED, TOTALS } from '../table/envelopes'
import { planOf } from './components'
import { checkFields } from './fields'
import { fail, type Run, warn } from './run'

/** Interface, "Messages using the v2 component system". */
export function checkMessage(message: Wire, run: Run): void {
  const { flags } = message
  if (typeof flags !== 'number' || (flags & MessageFlags.IS_COMPONENTS_V2) === 0) {
    checkFields(planOf(legacyMessage), message, run)
    return
  }
  checkFields(planOf(messageV2), message, run)
  for (const field of REPLACED) {
    if (!isNothing(message[field])) {
      fail(run, { path: [field], code: 'conflict', message: 'not in a message with the flag IS_COMPONENTS_V2' })
    }
  }
  checkTotals(run)
  if (run.warns && Array.isArray(message.attachments)) checkAttachments(message.attachments, run)
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function checkTotals(run: Run): void {
  const path = ['components']
  const { components, text } = TOTALS
  if (run.components > components.max) {
    const [limit, actual] = [components.max, run.components]
    fail(run, { path, code: 'too_many', message: `${actual} components in total, at most ${limit}`, limit, actual })
  }
  if (run.units <= text.max) return
  const limit = text.max
  const actual = run.isUtf16 ? run.units : run.texts.reduce((sum, content) => sum + characters(content), 0)
  if (actual <= limit) return
  fail(run, {
    path,
    code: 'too_long',
    message: `${actual} characters of text in total, at most ${limit}`,
    limit,
    actual,
  })
}

/** With the flag, attachments are not shown unless a component shows them. */
function checkAttachments(attachments: readonly unknown[], run: Run): void {
  for (const [index, attachment] of attachments.entries()) {
    if (!isObject(attachment) || typeof attachment.filename !== 'string') continue
    if (run.media?.has(`attachment://${attachment.filename}`)) continue
    warn(run, { path: ['attachments', index], code: 'conflict', message: 'no component shows it' })
  }
}
