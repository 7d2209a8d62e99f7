import { isRapportError } from 'rapport-sdk'
import { describeError, type StatusLine } from '../ui/status-line'
import type { Journal } from './journal'
import { formatJson } from './redaction'

/** Runs an action: adds it and its error to the journal, and shows its result or its error. Returns whether it succeeded. */
export async function runAction(
  journal: Journal,
  status: StatusLine,
  title: string,
  run: () => Promise<string> | string,
): Promise<boolean> {
  journal.add({ kind: 'action', what: '▸', text: title })
  status.show('')
  try {
    status.show(await run(), 'good')
    return true
  } catch (error) {
    const { text, tone } = describeError(error)
    status.show(text, tone)
    const name = error instanceof Error ? error.name : 'Error'
    journal.add({
      kind: 'action',
      what: name,
      text: error instanceof Error ? error.message : String(error),
      tone: tone === 'bad' ? 'bad' : 'calm',
      // JSON of the SDK's errors contains no secrets.
      sections: () => [
        { title: `What the app catches: ${name}`, text: isRapportError(error) ? formatJson(error, true) : '' },
      ],
    })
    return false
  }
}
