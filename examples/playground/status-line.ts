import {
  formatPath,
  isApiError,
  isMfaCancelledError,
  isMfaFailedError,
  isRequestValidationError,
  isWebAuthnError,
} from 'rapport-sdk'
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

/** Runs an action and shows its result or error. */
export async function runWithStatus(status: StatusLine, run: () => Promise<string>): Promise<void> {
  status.show('')
  try {
    status.show(await run(), 'good')
  } catch (error) {
    if (isMfaCancelledError(error)) status.show('Cancelled. Nothing was changed.')
    else status.show(errorMessage(error), 'bad')
  }
}

/** Returns the message of an error for the user. */
export function errorMessage(error: unknown): string {
  if (isMfaFailedError(error)) return `Verification failed after ${error.attempts} attempts. Try again.`
  if (isRequestValidationError(error)) {
    const lines = error.issues.map(({ path, message }) => `${formatPath(path)}: ${message}`)
    return `Invalid input, nothing was sent: ${lines.join('; ')}`
  }
  if (isApiError(error)) return `${error.serviceMessage || 'The service returned an error'} (status ${error.status})`
  if (isWebAuthnError(error)) return `The passkey prompt failed (${error.reason}).`
  return error instanceof Error ? error.message : String(error)
}
