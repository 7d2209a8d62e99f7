/** What everything that the factories make inherits from: it is frozen already and may be shared. */
export const Owned: object = {}

const isOwned = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || Object.prototype.isPrototypeOf.call(Owned, value)

/** A value as a component keeps it: frozen and, where a caller could change it, a copy. */
export function owned(value: unknown): unknown {
  if (isOwned(value)) return value
  if (Array.isArray(value) && value.length < 100 && value.every(isOwned)) return Object.freeze([...value])
  return copied(value)
}

/** A frozen copy of all that is in a value, which may contain itself and be of any depth. What cannot be read is kept. */
function copied(root: unknown): unknown {
  const copies = new Map<unknown, Record<string, unknown>>()
  const copyOf = (value: unknown): unknown => {
    if (isOwned(value) || copies.has(value)) return copies.get(value) ?? value
    try {
      const copy: Record<string, unknown> = Array.isArray(value) ? Object.assign([], value) : { ...Object(value) }
      copies.set(value, copy)
      return copy
    } catch {
      return value
    }
  }
  const result = copyOf(root)
  // A map goes on to what is added to it meanwhile.
  for (const copy of copies.values()) {
    for (const key of Object.keys(copy)) copy[key] = copyOf(copy[key])
    Object.freeze(copy)
  }
  return result
}
