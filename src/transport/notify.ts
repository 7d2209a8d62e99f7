/** Calls a listener. What it throws, at once or later, goes to `report` and stops nothing here. */
export function notify<E>(listener: (event: E) => unknown, event: E, report: (error: unknown) => void): void {
  try {
    const result = listener(event)
    if (result instanceof Promise) result.catch(report)
  } catch (error) {
    report(error)
  }
}
