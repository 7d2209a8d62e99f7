import { explain } from 'rapport-sdk'

/** Runs an action that a click or a form starts, and shows its error in words for users. */
export async function run(action: () => Promise<unknown>, alert: HTMLElement): Promise<void> {
  alert.textContent = ''
  try {
    await action()
  } catch (error) {
    const { action, message, fields } = explain(error)
    // Nothing is shown if the user cancelled.
    if (action !== 'ignore') alert.textContent = [message, ...Object.values(fields)].join(' ')
  }
}
