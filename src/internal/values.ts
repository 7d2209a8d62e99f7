import { isPlainObject } from './json'

/**
 * Copies a JSON value at every depth. An instance of a class, such as an error or bytes, is not copied. Keeps a list of
 * what is left to copy, instead of calling itself: a frame may be nested more deeply than the stack.
 */
export function deepCopy<T>(value: T): T {
  if (!isCopied(value)) return value
  const root = shallowCopy(value)
  const pending: Record<string, unknown>[] = [root]
  for (const object of pending) {
    for (const key in object) {
      const inner = object[key]
      if (!isCopied(inner)) continue
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
function isCopied<T>(value: T): value is T & Container {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) || isPlainObject(value)
}

/** Freezes a value and its parts. What is frozen already is taken to be so at any depth. */
export function deepFreeze<T>(value: T): T {
  if (!isContainer(value) || Object.isFrozen(value)) return value
  for (const key in value) deepFreeze(value[key])
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
