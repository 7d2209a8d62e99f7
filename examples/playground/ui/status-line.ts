import { explain, isMfaCancelledError, isRequestValidationError } from 'rapport-sdk'
import { h } from './element'

/** A line of text below a form that shows the result of an action. Screen readers announce it. */
export interface StatusLine {
  readonly element: HTMLElement
  /** Shows a text; an empty one clears the line. */
  show(text: string, tone?: 'good' | 'bad' | 'calm'): void
}

export function createStatusLine(): StatusLine {
  const element = h('p', { class: 'note', role: 'status' })
  return {
    element,
    show(text, tone = 'calm') {
      element.textContent = text
      element.dataset.tone = tone
    },
  }
}

/** Returns a sentence about an error for the status line, and its tone. */
export function describeError(error: unknown): { text: string; tone: 'bad' | 'calm' } {
  if (isMfaCancelledError(error) && error.cause === undefined)
    return { text: 'Cancelled. Nothing was changed.', tone: 'calm' }
  const { message, fields, action } = explain(error)
  const all = Object.values(fields)
  const problems = Object.entries(fields).map(([field, problem]) =>
    // The service says one thing of several fields.
    all.indexOf(problem) === all.lastIndexOf(problem) ? `${field}: ${problem}` : problem,
  )
  const text = problems.length === 0 ? message : [...new Set(problems)].join(' ')
  if (isRequestValidationError(error)) return { text: `Nothing was sent. ${text}`, tone: 'bad' }
  return { text, tone: action === 'ignore' ? 'calm' : 'bad' }
}
