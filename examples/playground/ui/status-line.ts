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
  if (isMfaCancelledError(error)) return { text: 'Cancelled. Nothing was changed.', tone: 'calm' }
  const { message } = explain(error)
  return { text: isRequestValidationError(error) ? `Nothing was sent. ${message}` : message, tone: 'bad' }
}
