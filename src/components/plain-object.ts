/** Object with any fields. */
export type PlainObject = Readonly<Record<string, unknown>>

/**
 * Casts a value to the type that documents it. The only place where wire values are bound to types by hand: by
 * factories for what they create, by validation for what is valid.
 */
export function unsafeCast<T>(value: unknown): T {
  return value as T
}

/** Whether a value is an object and not an array. */
export function isObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is a component. A received message has a `type` too, but its `id` is a string. */
export function isComponent(value: unknown): value is PlainObject & { readonly type: number } {
  return isObject(value) && typeof value.type === 'number' && typeof value.id !== 'string'
}

/** Whether an object has an own field that is not `undefined`. */
export function has(value: PlainObject, name: string): boolean {
  return value[name] !== undefined && Object.hasOwn(value, name)
}
