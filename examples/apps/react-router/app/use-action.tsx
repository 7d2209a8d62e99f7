import { type ErrorExplanation, explain } from 'rapport-sdk'
import { useState } from 'react'

/** An action that a click or a form starts: whether it is running, and its error in words for users. */
export function useAction<Input extends readonly unknown[]>(action: (...input: Input) => Promise<unknown>) {
  const [isRunning, setRunning] = useState(false)
  const [problem, setProblem] = useState<ErrorExplanation>()
  const start = async (...input: Input) => {
    setRunning(true)
    setProblem(undefined)
    try {
      await action(...input)
    } catch (error) {
      const explanation = explain(error)
      // Nothing is shown if the user cancelled.
      if (explanation.action !== 'ignore') setProblem(explanation)
    } finally {
      setRunning(false)
    }
  }
  // Several fields can have the same message.
  const messages = problem && new Set([problem.message, ...Object.values(problem.fields)])
  const alert = messages && <p role="alert">{[...messages].join(' ')}</p>
  return { start, isRunning, alert }
}
