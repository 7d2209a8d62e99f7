/** Freezes a value and its parts. What is frozen already is taken to be so at any depth. */
export function freeze<T>(value: T): T {
  if (!isContainer(value) || Object.isFrozen(value)) return value
  for (const key in value) freeze(value[key])
  return Object.freeze(value)
}

/** Whether two values of JSON are equal; the order of keys does not matter. */
export function isDeepEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (!isContainer(one) || !isContainer(other) || Array.isArray(one) !== Array.isArray(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isDeepEqual(Reflect.get(one, key), Reflect.get(other, key)))
  )
}

/** Whether this is an array or a plain object. Anything else, which a protocol of one's own may decode, is left as it is. */
function isContainer<T>(value: T): value is T & object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || Array.isArray(value) || prototype === null
}
