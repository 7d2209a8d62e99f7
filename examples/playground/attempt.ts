import {
  formatPath,
  isApiError,
  isMfaCancelledError,
  isMfaFailedError,
  isRequestValidationError,
  isWebAuthnError,
} from 'rapport-sdk'
import { h } from './element'

/** A line beside a form that says how it went; screen readers read it out. */
export interface Note {
  readonly element: HTMLElement
  /** Says something, or nothing. */
  say(text: string, tone?: 'good' | 'bad' | 'calm'): void
}

export function createNote(): Note {
  const element = h('p', { class: 'note', role: 'status' })
  return {
    element,
    say(text, tone = 'calm') {
      element.textContent = text
      element.dataset.tone = tone
    },
  }
}

/** Does something, and says how it went. */
export async function attempt(note: Note, run: () => Promise<string>): Promise<void> {
  note.say('')
  try {
    note.say(await run(), 'good')
  } catch (error) {
    if (isMfaCancelledError(error)) note.say('You cancelled, so nothing was done. Trying again asks again.')
    else note.say(wordsFor(error), 'bad')
  }
}

/** What an error says to a person. */
export function wordsFor(error: unknown): string {
  if (isMfaFailedError(error)) return `${error.attempts} answers were refused. Trying again asks again.`
  if (isRequestValidationError(error)) {
    const lines = error.issues.map(({ path, message }) => `${formatPath(path)}: ${message}`)
    return `Nothing was sent: ${lines.join('; ')}`
  }
  if (isApiError(error)) return `${error.serviceMessage || 'The service failed'} (status ${error.status})`
  if (isWebAuthnError(error)) return `No passkey was given (${error.reason}).`
  return error instanceof Error ? error.message : String(error)
}
