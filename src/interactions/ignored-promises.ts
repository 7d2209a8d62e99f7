/** Returns a promise, which `ignored` has until somebody uses it. Its rejection is then theirs, and never an unhandled one. */
export function trackIgnored<T>(promise: Promise<T>, ignored: Set<unknown>): Promise<T> {
  ignored.add(promise)
  promise.catch(() => {})
  return new Proxy(promise, {
    get(target, key) {
      ignored.delete(promise)
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
