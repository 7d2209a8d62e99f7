/** Parses JSON without `__proto__` keys: copying such a key by assignment would set a prototype. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  // Such a key contains one of these, whatever is escaped in it. Few texts do, and a reviver would be ten times slower.
  if ((text.includes('__') || text.includes('\\u005')) && /__[p\\]|u005f/i.test(text)) removeProtoKeys(value)
  return value
}

function removeProtoKeys(root: unknown): void {
  const pending = [root]
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (!isObject(value)) continue
    Reflect.deleteProperty(value, '__proto__')
    for (const item of Object.values(value)) if (typeof item === 'object') pending.push(item)
  }
}

/** Whether a value is an object or an array. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Whether a value is an error, of any realm: test runners such as Jest run the code of an app in a separate realm. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || /^\[object (?:Error|DOMException)\]$/.test(Object.prototype.toString.call(value))
}

/** Whether an object is a plain object, of any realm. JSON would lose the inherited members of any other. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || Object.hasOwn(Object(prototype), 'isPrototypeOf')
}

/**
 * Reads a property, own or inherited from a class or another object, but not from `Object.prototype` of any realm, which
 * another library may have polluted.
 */
export function readField<T extends object, K extends keyof T & string>(value: T | undefined, name: K): T[K] | undefined
export function readField(value: unknown, name: string): unknown
export function readField(value: unknown, name: string): unknown {
  const object = Object(value)
  if (Object.hasOwn(object, name)) return object[name]
  let owner = Object.getPrototypeOf(object)
  while (owner !== null && !Object.hasOwn(owner, name)) owner = Object.getPrototypeOf(owner)
  return owner === null || Object.hasOwn(owner, 'isPrototypeOf') ? undefined : object[name]
}

/** Whether a library has assigned a property of `Object.prototype`. To look once is cheaper than for each field. */
export function isRootPolluted(): boolean {
  for (const _ in Object.prototype) return true
  return false
}

/** Copies fields into an object without a prototype, so that a field that is missing is not read from `Object.prototype`. */
export function withoutPrototype<T extends object>(fields: T): T {
  // Not `Object.create(null)`, whose properties are slow; and a response may be a long string, whose characters would be copied.
  return Object.setPrototypeOf({ ...(isObject(fields) && fields) }, null)
}

/**
 * Whether JSON represents a value completely: plain objects, arrays, strings, finite numbers, booleans and null.
 * @throws RangeError if the value contains itself or is nested too deeply.
 */
export function isPlainJson(value: unknown): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return false
  if (Array.isArray(value)) {
    // By index, because `every` skips holes.
    for (let index = 0; index < value.length; index++) if (!isPlainJson(value[index])) return false
    return true
  }
  if (!isPlainObject(value) || 'toJSON' in value) return false
  for (const key of Object.keys(value)) {
    const item: unknown = Reflect.get(value, key)
    // JSON omits fields that are undefined.
    if (key === '__proto__' || (item !== undefined && !isPlainJson(item))) return false
  }
  return true
}

/** Whether a string has no lone surrogates, which UTF-8 would replace by another character. */
export function isWellFormed(text: string): boolean {
  try {
    encodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Returns the type of a value with its article, such as `an array`, for messages. */
export function describeType(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Classes that not every platform has: jsdom lacks streams, and some workers lack forms. */
interface PlatformClasses {
  readonly Blob: Blob
  readonly FormData: FormData
  readonly Headers: Headers
  readonly ReadableStream: ReadableStream
  readonly URLSearchParams: URLSearchParams
}

/** Whether a value is an instance of a platform class. Looked up on use: it may be missing, or added later. */
export function isInstance<K extends keyof PlatformClasses>(value: unknown, name: K): value is PlatformClasses[K] {
  const platformClass: unknown = Reflect.get(globalThis, name)
  return typeof platformClass === 'function' && value instanceof platformClass
}

/**
 * Copies a JSON value at every depth. An instance of a class, such as an error or bytes, is not copied. Keeps a list of
 * what is left to copy, instead of calling itself: a frame may be nested more deeply than the stack.
 */
export function deepCopy<T>(value: T): T {
  if (!isContainer(value)) return value
  const root = shallowCopy(value)
  const pending: Record<string, unknown>[] = [root]
  for (const object of pending) {
    for (const key of Object.keys(object)) {
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

/** Whether a value is an array or plain object, of any realm. A custom protocol may decode instances of classes. */
function isContainer<T>(value: T): value is T & Container {
  return isObject(value) && (Array.isArray(value) || isPlainObject(value))
}

/** Freezes a value at every depth. A frozen part is assumed to be frozen at every depth. */
export function deepFreeze<T>(value: T): T {
  if (!isContainer(value) || Object.isFrozen(value)) return value
  for (const item of Object.values(value)) deepFreeze(item)
  return Object.freeze(value)
}

/** Whether two JSON values are equal, regardless of the order of keys. */
export function isDeepEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (!isContainer(one) || !isContainer(other) || Array.isArray(one) !== Array.isArray(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isDeepEqual(Reflect.get(one, key), Reflect.get(other, key)))
  )
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Returns the fields that are not `undefined`. */
export function omitUndefined<T extends object>(fields: T): Defined<T> {
  // `Object.fromEntries` loses the names.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>
}
