import { type PlainObject, unsafeCast } from './plain-object'
import type { ComponentSpec } from './schema'

/**
 * Base class of all objects that the factories create; instances are frozen and safe to share. Anonymous, so that
 * consoles print a component as a plain object. (A static `name` does not survive the CommonJS build.)
 */
export const FrozenObject = (() => class {})()

// Arrow functions: minified, they are shorter than functions, and every factory has these.

/** Returns a copy of a component with its methods and one field changed, or removed if `undefined`. */
export const withField = (component: PlainObject, name: string, value: unknown): PlainObject => {
  const copy: Record<string, unknown> = Object.assign(Object.create(Object.getPrototypeOf(component)), component)
  if (value === undefined) delete copy[name]
  else copy[name] = value
  return Object.freeze(copy)
}

/**
 * Returns a frozen copy of plain objects and arrays, at every depth, or the value itself if it is cyclic or cannot be
 * read. Other objects, such as dates, files and builders, stay what they are.
 */
export const toFrozen = (value: unknown): unknown => {
  try {
    return copyFrozen(value)
  } catch {
    // Validation rejects it.
    return value
  }
}

const copyFrozen = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || value instanceof FrozenObject) return value
  const isArray = Array.isArray(value)
  const prototype: unknown = Object.getPrototypeOf(value)
  // That of a plain object, of any realm, inherits nothing.
  if (!isArray && prototype && Object.getPrototypeOf(prototype)) return value
  // An array is written by its indexes below.
  const copy = unsafeCast<Record<string, unknown>>(isArray ? [...value] : { ...value })
  for (const key of Object.keys(copy)) copy[key] = copyFrozen(copy[key])
  return Object.freeze(copy)
}

/** Converts a child to its wire value, such as a string to a text display. */
export type ToItem = (child: unknown) => unknown

/** Converts the arguments of a method to the wire value of an array or object; not called for `undefined`. */
export type Convert = (...args: readonly unknown[]) => unknown

/**
 * Sets the wire fields of a new component, in their order. Called as a constructor: copying the fields of a literal
 * would double the time that a component takes. Values that it sets are frozen.
 */
export type Construct = (this: Record<string, unknown>, ...args: readonly never[]) => void

/** Returns a factory for frozen components that own the wire fields and inherit a method for each writable field. */
export const define = <Factory>(spec: ComponentSpec, construct: Construct, convert?: Convert): Factory => {
  // Any function of `function` syntax can be constructed.
  const Component = unsafeCast<new (...args: readonly unknown[]) => object>(construct)
  let isReady = false
  // The caller declares the type of its factory.
  return unsafeCast((...args: readonly unknown[]) => {
    if (!isReady) Component.prototype = prototypeOf(spec, convert)
    isReady = true
    return Object.freeze(new Component(...args))
  })
}

export const prototypeOf = (spec: ComponentSpec, convert: Convert = toFrozen): object => {
  if (spec.prototype) return spec.prototype
  const prototype: object = Object.create(FrozenObject.prototype)
  spec.prototype = prototype
  for (const [name, { kind, required, values }] of spec.fields) {
    // The type and fields that cannot be written have any value.
    if (kind === 'value' || name === 'style') continue
    const isAdded = kind === 'array' && required
    const method = `${isAdded ? 'add' : 'with'}_${name}`.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
    Object.defineProperty(prototype, method, {
      value(this: PlainObject, ...args: readonly unknown[]) {
        // Not called with `undefined`, which leaves the field unset.
        const first = args.length > 0 || kind !== 'boolean' ? args[0] : true
        const value = isAdded
          ? concatFrozen(this[name], convert(...args))
          : first === undefined
            ? first
            : kind === 'array' || kind === 'object'
              ? convert(...args)
              : (values?.[String(first).toUpperCase()] ?? toFrozen(first))
        return withField(this, name, value)
      },
    })
  }
  return prototype
}

/** Converts a URL or a media object to a media object of the wire. */
export const toMedia = (media: unknown): unknown =>
  typeof media === 'string' ? Object.freeze({ url: media }) : toFrozen(media)

/** Converts `'🔥'`, `'<:name:id>'` and parts of it to emoji, by convention; validation rejects another string. */
export const toEmoji = (emoji: unknown): unknown => {
  if (typeof emoji !== 'string') return toFrozen(emoji)
  const [custom, animated, name, id] = /^<?(?:(?:(a)?:)?(\w+):)?(\d+)>?$/.exec(emoji) ?? []
  if (custom) return Object.freeze({ id, ...(name && { name }), ...(animated && { animated: true }) })
  // A Unicode emoji has no ASCII characters, but for the first one of a keycap, and at least one that only emoji have.
  const isUnicode = /^[#*\d]?[^\0-~]+$/.test(emoji) && /\p{ExtPict}|\p{RI}|\u20e3/u.test(emoji)
  return isUnicode ? Object.freeze({ name: emoji }) : emoji
}

/** Returns a frozen array of the children in arguments: flattens arrays, skips `null`, `undefined` and `false`. */
export const toFrozenArray = (args: readonly unknown[], toItem: ToItem = toFrozen): readonly unknown[] => {
  const items: unknown[] = []
  appendChildren(items, args, toItem, 0)
  return Object.freeze(items)
}

/** Converts children, passed as arguments, to an array. */
export const toItems: Convert = (...children) => toFrozenArray(children)

/** Nested arrays that are flattened; a deeper one may be cyclic, and becomes an item, which validation rejects. */
const MAX_NESTING = 9

// Faster than `flat`.
const appendChildren = (items: unknown[], children: readonly unknown[], toItem: ToItem, depth: number): void => {
  for (const child of children) {
    if (child === undefined || child === null || child === false) continue
    if (Array.isArray(child) && depth < MAX_NESTING) appendChildren(items, child, toItem, depth + 1)
    else items.push(toItem(child))
  }
}

/** Returns a frozen concatenation of arrays whose items are frozen already. */
export const concatFrozen = (...arrays: readonly unknown[]): unknown =>
  Object.freeze(unsafeCast<unknown[]>([]).concat(...arrays))

// Generic factories: only the spec differs.

/** Returns a factory for components that require a `custom_id`, and options if they have any. */
export const customIdFactory = (spec: ComponentSpec): ((customId: string, ...options: readonly unknown[]) => never) =>
  define(
    spec,
    function (customId: string, ...options: readonly unknown[]) {
      this.type = spec.type
      this.custom_id = customId
      if (spec.fields.has('options')) this.options = toFrozenArray(options)
    },
    toItems,
  )

export const optionFactory = <T>(part: ComponentSpec): ((label: string, value: string) => T) =>
  define(
    part,
    function (label: string, value: string) {
      this.label = label
      this.value = value
    },
    toEmoji,
  )

/** Returns a factory for components that contain components. */
export const componentsFactory = <T>(
  spec: ComponentSpec,
  toComponents: Convert = toItems,
): ((...components: readonly unknown[]) => T) =>
  define(
    spec,
    function (...components: readonly unknown[]) {
      this.type = spec.type
      this.components = toComponents(...components)
    },
    toComponents,
  )
