import { explain } from 'rapport-sdk'

/** Runs an action that a click or a form starts, and shows its error in words for users. */
export async function run(action: () => Promise<unknown>, alert: HTMLElement): Promise<void> {
  alert.textContent = ''
  try {
    await action()
  } catch (error) {
    const { action, message, fields } = explain(error)
    // Several fields can have the same message.
    const messages = new Set([message, ...Object.values(fields)])
    // Nothing is shown if the user cancelled.
    if (action !== 'ignore') alert.textContent = [...messages].join(' ')
  }
}
