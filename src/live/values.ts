/** A copy that is nobody else's, and in which nothing can be changed. */
export function frozenCopy<T>(value: T): T {
  return freeze(structuredClone(value))
}

/** Freezes a value and what is in it. What is frozen already is so throughout. */
export function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const inner of Object.values(value)) freeze(inner)
  return value
}

/** Whether two values of JSON are alike; the order of keys says nothing. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const fields = Object.entries(one)
  if (fields.length !== Object.keys(other).length) return false
  return fields.every(([name, value]) => Object.hasOwn(other, name) && isSame(value, Reflect.get(other, name)))
}
