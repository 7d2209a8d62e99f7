import { isPlain } from '../internal/json'

/**
 * Copies a JSON value at every depth. An instance of a class, such as an error or bytes, is not copied. Keeps a list of
 * what is left to copy, instead of calling itself: a frame may be nested more deeply than the stack.
 */
export function copy<T>(value: T): T {
  if (!isContainer(value)) return value
  const root = shallowCopy(value)
  const pending: Record<string, unknown>[] = [root]
  for (const object of pending) {
    for (const key in object) {
      const inner = object[key]
      if (!isContainer(inner)) continue
      const copied = shallowCopy(inner)
      object[key] = copied
      pending.push(copied)
    }
  }
  return root
}

type Container = Record<string, unknown>

function shallowCopy<T extends Container>(value: T): T
function shallowCopy(value: Container | unknown[]): Container | unknown[] {
  return Array.isArray(value) ? value.slice() : { ...value }
}

/** Whether a value is an array or a plain object, of whichever realm. */
function isContainer<T>(value: T): value is T & Container {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) || isPlain(value)
}
