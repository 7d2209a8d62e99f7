import { unsafeCast } from '../edge'

/**
 * What everything that the factories make inherits from: it is frozen already and may be shared. Without a name, so that
 * consoles print a component as the plain object that it is. (A static `name` does not survive the CommonJS build.)
 */
export const Owned = /*@__PURE__*/ (() => class {})()

/** A frozen object with a prototype, the fields of another and one more; `undefined` takes a field away. */
export function frozen(prototype: object, fields: object, name?: string, value?: unknown): object {
  const made: Record<string, unknown> = Object.assign(Object.create(prototype), fields)
  if (value !== undefined) made[unsafeCast<string>(name)] = value
  else if (name) delete made[name]
  return Object.freeze(made)
}

/** Whether a value is an array; a proxy that has been revoked is none. */
export function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value)
  } catch {
    return false
  }
}

/** Whether a value may be shared, as no caller can change it. It throws of what cannot be read. */
function isShared(value: unknown): boolean {
  return typeof value !== 'object' || value === null || value instanceof Owned
}

/** A value as a component keeps it: frozen and, where a caller could change it, a copy; left as it is where it cannot be read. */
export function toFrozen(value: unknown): unknown {
  try {
    if (isShared(value)) return value
    // What most lists are; one that is longer may have more holes than anybody waits for.
    if (Array.isArray(value) && value.length <= 100 && value.every(isShared)) return Object.freeze(value.slice())
  } catch {}
  return copied(value)
}

/** A frozen copy of all that is in a value, which may contain itself and be of whatever depth. */
function copied(root: unknown): unknown {
  const copies = new Map<unknown, Record<string, unknown>>()
  const copyOf = (value: unknown): unknown => {
    try {
      if (isShared(value) || copies.has(value)) return copies.get(value) ?? value
      const copy = unsafeCast<Record<string, unknown>>(
        Array.isArray(value) ? Object.assign([], value) : { ...unsafeCast<object>(value) },
      )
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
