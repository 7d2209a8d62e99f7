/** Object with any fields. */
export type PlainObject = Readonly<Record<string, unknown>>

/**
 * Casts a value to the type that documents it. The only place where wire values are bound to types by hand: by
 * factories for what they create, by validation for what is valid.
 */
export function unsafeCast<T>(value: unknown): T {
  // The cast that this function is for.
  return value as T
}

/** Whether a value is an object and not an array. */
export const isObject = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value is a component. A received message has a `type` too, but its `id` is a string. */
export const isComponent = (value: unknown): value is PlainObject & { readonly type: number } =>
  isObject(value) && typeof value.type === 'number' && typeof value.id !== 'string'

/** Whether an object has an own field of this name. In a `for…in` loop, engines recognize this check, unlike `hasOwn`. */
export const isOwn = (value: PlainObject, name: string): boolean =>
  // biome-ignore lint/suspicious/noPrototypeBuiltins: faster, see above.
  Object.prototype.hasOwnProperty.call(value, name)

/** Whether an object has an own field that is not `undefined`. */
export const has = (value: PlainObject, name: string): boolean => value[name] !== undefined && isOwn(value, name)

/** Fields that the type of the JSON omits: those that must be empty, methods, and `default_values`. */
type Omitted<Name, Value> = [Value] extends [string]
  ? [Value] extends ['']
    ? true
    : false
  : [Value] extends ['' | null | undefined | readonly [] | ((...args: never) => unknown)]
    ? true
    : Name extends 'default_values'
      ? true
      : false

/**
 * Mutable JSON of components, messages and modals, assignable to the types of other clients. Omits the `default_values`
 * of selects, whose `type` those clients type as an enumeration of their own. The `content` of a `LegacyMessageInput`
 * may be `null`, which other clients accept only in an edit. That they type an emoji as here is a convention.
 */
export type Json<T> = T extends readonly unknown[]
  ? { -readonly [Index in keyof T]: Json<T[Index]> }
  : T extends object
    ? {
        -readonly [Name in keyof T as Omitted<Name, T[Name]> extends true ? never : Name]: Name extends 'emoji'
          ? { id?: string; name?: string; animated?: boolean }
          : Json<T[Name]>
      }
    : T

/**
 * Returns the plain, mutable JSON of a component, message or modal: a deep copy without methods. Only clients that check
 * for plain objects, change what they send, or type it as mutable need it; components are JSON as they are.
 *
 * @example
 * import { messageV2, toJSON } from 'rapport-sdk/components'
 *
 * const body = toJSON(messageV2('Hello'))
 */
export function toJSON<T extends object>(value: T): Json<T> {
  // `JSON.parse` has no type; `Json` is what JSON keeps of `T`.
  return unsafeCast(JSON.parse(JSON.stringify(value)))
}
