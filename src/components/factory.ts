import { unsafeCast } from './plain-object'
import { type ComponentSpec, NOWHERE } from './schema'

/**
 * Base class of all objects that the factories create; instances are frozen and safe to share. Anonymous, so that
 * consoles print a component as a plain object. (A static `name` does not survive the CommonJS build.)
 */
export const FrozenObject = /*@__PURE__*/ (() => class {})()

/**
 * Returns a frozen object with this prototype, a copy of `fields` and one more field; `undefined` removes the field.
 */
function createFrozen(prototype: object, fields: object, name?: string, value?: unknown): object {
  const result: Record<string, unknown> = Object.assign(Object.create(prototype), fields)
  if (value !== undefined) result[unsafeCast<string>(name)] = value
  else if (name) delete result[name]
  return Object.freeze(result)
}

/** Returns a deeply frozen copy of a value, or the value itself if it is cyclic or cannot be read. */
export function toFrozen(value: unknown): unknown {
  try {
    return copyFrozen(value)
  } catch {
    // Validation rejects it.
    return value
  }
}

function copyFrozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof FrozenObject) return value
  const copy = unsafeCast<Record<string, unknown>>(Array.isArray(value) ? [...value] : { ...value })
  for (const key of Object.keys(copy)) copy[key] = copyFrozen(copy[key])
  return Object.freeze(copy)
}

/** Converts a child to its wire value, such as a string to a text display. */
export type ToItem = (child: unknown) => unknown

/**
 * Creates a frozen component from wire fields, which it takes ownership of, and one optional field, omitted if
 * `undefined`.
 */
export type Create<T> = (fields: object, name?: string, value?: unknown) => T

/** Converts the arguments of a method to the wire value of an array or object; not called for `undefined`. */
export type Convert = (args: readonly unknown[]) => unknown

/**
 * Returns a factory for the components of a spec. They are frozen, own only the wire fields and inherit a method for
 * each writable field.
 */
// @__NO_SIDE_EFFECTS__
export function define<T>(spec: ComponentSpec, convert?: Convert): Create<T> {
  let prototype: object | undefined
  return (fields, name, value) => {
    prototype ??= createPrototype(spec, convert)
    return unsafeCast(createFrozen(prototype, fields, name, value))
  }
}

function createPrototype(spec: ComponentSpec, convert: Convert = toFirst): object {
  const prototype: object = Object.create(FrozenObject.prototype)
  for (const [name, { kind, required, places, values }] of spec.fields) {
    if (name === 'type' || name === 'style' || places === NOWHERE) continue
    const isAdded = kind === 'array' && required
    const suffix = name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())
    Object.defineProperty(prototype, (isAdded ? 'add' : 'with') + suffix, {
      value(this: Readonly<Record<string, unknown>>, ...args: readonly unknown[]) {
        // Not called with `undefined`, which leaves the field unset.
        const first = args.length > 0 || kind !== 'boolean' ? args[0] : true
        const value = isAdded
          ? concatFrozen(this[name], convert(args))
          : first === undefined
            ? first
            : kind === 'array' || kind === 'object'
              ? convert(args)
              : (values?.[String(first).toUpperCase()] ?? toFrozen(first))
        return createFrozen(prototype, this, name, value)
      },
    })
  }
  return prototype
}

const toFirst: Convert = ([first]) => toFrozen(first)

/** Converts a URL or a media object to a media object of the wire. */
export function toMedia([media]: readonly unknown[]): unknown {
  return typeof media === 'string' ? Object.freeze({ url: media }) : toFrozen(media)
}

/** Converts `'🔥'`, `'<:name:id>'` and `'<a:name:id>'` to emoji. Their fields are a convention. */
export function toEmoji([emoji]: readonly unknown[]): unknown {
  if (typeof emoji !== 'string') return toFrozen(emoji)
  const [, animated, name = emoji, id] = /^<(a?):(\w+):(\d+)>$/.exec(emoji) ?? []
  return Object.freeze({ ...(id && { id }), name, ...(animated && { animated: true }) })
}

/** Returns a frozen array of the children in arguments: flattens arrays, skips `null`, `undefined` and `false`. */
export function toFrozenArray(args: readonly unknown[], toItem: ToItem = toFrozen): readonly unknown[] {
  const items: unknown[] = []
  appendChildren(items, args, toItem, 0)
  return Object.freeze(items)
}

/** Nested arrays that are flattened; a deeper one may be cyclic, and becomes an item, which validation rejects. */
const MAX_NESTING = 9

// Faster than `flat`.
function appendChildren(items: unknown[], children: readonly unknown[], toItem: ToItem, depth: number): void {
  for (const child of children) {
    if (child === undefined || child === null || child === false) continue
    if (Array.isArray(child) && depth < MAX_NESTING) appendChildren(items, child, toItem, depth + 1)
    else items.push(toItem(child))
  }
}

/** Returns a frozen concatenation of arrays whose items are frozen already. */
export function concatFrozen(...arrays: readonly unknown[]): unknown {
  return Object.freeze(unsafeCast<unknown[]>([]).concat(...arrays))
}

// Generic factories: only the spec differs.

/** Returns a factory for components that only require a `custom_id`. */
// @__NO_SIDE_EFFECTS__
export function customIdFactory(spec: ComponentSpec): (customId: string) => never {
  const create = define<never>(spec, toFrozenArray)
  return (custom_id) => create({ type: spec.type, custom_id })
}

/** Returns a factory for components with options. */
// @__NO_SIDE_EFFECTS__
export function optionsFactory(spec: ComponentSpec): (customId: string, ...options: readonly unknown[]) => never {
  const create = define<never>(spec, toFrozenArray)
  return (custom_id, ...options) => create({ type: spec.type, custom_id, options: toFrozenArray(options) })
}

/** Returns a factory for options. */
// @__NO_SIDE_EFFECTS__
export function optionFactory<T>(part: ComponentSpec): (label: string, value: string) => T {
  const create = define<T>(part, toEmoji)
  return (label, value) => create({ label, value })
}

/** Returns a factory for components that contain components. */
// @__NO_SIDE_EFFECTS__
export function componentsFactory<T>(spec: ComponentSpec, toItem?: ToItem): (...components: readonly unknown[]) => T {
  const toComponents: Convert = (args) => toFrozenArray(args, toItem)
  const create = define<T>(spec, toComponents)
  return (...components) => create({ type: spec.type, components: toComponents(components) })
}
