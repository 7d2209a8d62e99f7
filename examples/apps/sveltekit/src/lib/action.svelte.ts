import { explain } from 'rapport-sdk'

/** An action that a button or a form starts, and its error in words for users. */
export class Action<Parameters extends unknown[]> {
  error = $state('')
  isRunning = $state(false)
  readonly #action: (...parameters: Parameters) => Promise<unknown> | undefined

  constructor(action: (...parameters: Parameters) => Promise<unknown> | undefined) {
    this.#action = action
  }

  start = async (...parameters: Parameters): Promise<void> => {
    this.error = ''
    this.isRunning = true
    try {
      await this.#action(...parameters)
    } catch (error) {
      const { action, message, fields } = explain(error)
      // Nothing is shown if the user cancelled.
      if (action !== 'ignore') this.error = [...new Set([message, ...Object.values(fields)])].join(' ')
    } finally {
      this.isRunning = false
    }
  }
}
