/**
 * Runs `run` while a property of `Object.prototype` is polluted, as by an assignment, or by a definition that is not
 * enumerable. Cleans up before anything is expected: Vitest reads it too.
 */
export async function whilePolluted<T>(
  name: string,
  value: unknown,
  run: () => Promise<T>,
  enumerable = true,
): Promise<T> {
  const set = function (this: object, own: unknown) {
    Object.defineProperty(this, name, { value: own, writable: true, enumerable: true, configurable: true })
  }
  Object.defineProperty(Object.prototype, name, { configurable: true, enumerable, get: () => value, set })
  try {
    return await run()
  } finally {
    Reflect.deleteProperty(Object.prototype, name)
  }
}
