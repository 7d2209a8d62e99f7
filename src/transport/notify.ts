/** Calls a listener. What it throws, at once or later, goes to `report` and stops nothing here. */
export function notify<E>(listener: (event: E) => unknown, event: E, report: (error: unknown) => void): void {
  try {
    const result = listener(event)
    // Of whichever realm or library the promise is.
    if (isThenable(result)) Promise.resolve(result).catch(report)
  } catch (error) {
    report(error)
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
