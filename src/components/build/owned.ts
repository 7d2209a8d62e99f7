import { typed } from '../edge'

/** What everything that the factories make inherits from: it is frozen already and may be shared. */
export class Owned {}

/** A frozen object with a prototype, the fields of another and one more; `undefined` takes a field away. */
export function frozen(prototype: object, fields: object, name?: string, value?: unknown): object {
  const made: Record<string, unknown> = Object.assign(Object.create(prototype), fields)
  if (name !== undefined) {
    if (value === undefined) delete made[name]
    else made[name] = value
  }
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

/** Whether a value may be shared: no caller can change it, or it cannot be read and is left to the checks. */
function isShared(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  try {
    return value instanceof Owned
  } catch {
    return true
  }
}

/** A value as a component keeps it: frozen and, where a caller could change it, a copy. */
export function owned(value: unknown): unknown {
  if (isShared(value)) return value
  if (!isArray(value) || value.length > 100) return copied(value)
  for (const item of value) if (!isShared(item)) return copied(value)
  return Object.freeze(value.slice())
}

/** A frozen copy of all that is in a value, which may contain itself and be of whatever depth. */
function copied(root: unknown): unknown {
  const copies = new Map<unknown, Record<string, unknown>>()
  const copyOf = (value: unknown): unknown => {
    if (isShared(value) || copies.has(value)) return copies.get(value) ?? value
    try {
      const copy = typed<Record<string, unknown>>(
        Array.isArray(value) ? Object.assign([], value) : { ...Object(value) },
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
