/** An object of any fields. */
export type PlainObject = Readonly<Record<string, unknown>>

/**
 * A value as the type that documents it. The factories say so of what they make and the checks of what has passed: the
 * one place where the wire's values are bound to types by hand.
 */
export function unsafeCast<T>(value: unknown): T {
  return value as T
}

/** Whether a value is an object that is no list. */
export function isObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is a component: a received message has a `type` as well, but a text for an `id`. */
export function isComponent(value: unknown): value is PlainObject & { readonly type: number } {
  return isObject(value) && typeof value.type === 'number' && typeof value.id !== 'string'
}

/** Whether an object has a field of its own; one that is undefined is none. */
export function has(value: PlainObject, name: string): boolean {
  return value[name] !== undefined && Object.hasOwn(value, name)
}
