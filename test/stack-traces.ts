// Maps each stack trace to the sources once. The client reads the stacks of its errors, and mapping one takes half as long as a whole call.

/** Maximum number of traces that are kept. */
const MAX_KEPT = 2_000

/** The mapped frames of traces, by their frames. */
const kept = new Map<string, string>()

const { prepareStackTrace } = Error
// The files of a worker share its `Error`.
if (prepareStackTrace && !('isKeeping' in prepareStackTrace)) {
  const prepare = (error: Error, sites: NodeJS.CallSite[]): unknown => {
    const head = `${error.name || 'Error'}: ${error.message || ''}`
    const key = sites.join('\n')
    const known = kept.get(key)
    if (known !== undefined) return head + known
    const text: unknown = prepareStackTrace(error, sites)
    if (typeof text !== 'string' || !text.startsWith(head)) return text
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(key, text.slice(head.length))
    return text
  }
  Error.prepareStackTrace = Object.assign(prepare, { isKeeping: true })
}
