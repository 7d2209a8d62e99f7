import { unsafeCast } from './plain-object'
import type { ComponentSpec } from './schema'

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

/** Whether a value is an array. Returns `false` for a revoked proxy instead of throwing. */
export function isArray(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value)
  } catch {
    return false
  }
}

/**
 * Returns a deeply frozen copy of a value, or the value itself if it is immutable or cannot be read. The value may be
 * cyclic.
 *
 * @param copies Copies by original.
 */
export function toFrozen(value: unknown, copies?: Map<unknown, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value
  try {
    if (value instanceof FrozenObject) return value
    const known = copies ?? new Map<unknown, unknown>()
    if (known.has(value)) return known.get(value)
    const copy = unsafeCast<Record<string, unknown>>(Array.isArray(value) ? Object.assign([], value) : { ...value })
    known.set(value, copy)
    for (const key of Object.keys(copy)) copy[key] = toFrozen(copy[key], known)
    return Object.freeze(copy)
  } catch {
    return value
  }
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
 * each writable field, except those that their `style` forbids.
 */
// @__NO_SIDE_EFFECTS__
export function define<T>(part: ComponentSpec, convert?: Convert, style = 0): Create<T> {
  let prototype: object | undefined
  return (fields, name, value) => {
    prototype ??= createPrototype(part, style, convert)
    return unsafeCast(createFrozen(prototype, fields, name, value))
  }
}

function createPrototype(part: ComponentSpec, style: number, convert: Convert = toFirst): object {
  const prototype: object = Object.create(FrozenObject.prototype)
  const [, ...forbidden] = part.styles?.[style] ?? []
  for (const [name, { kind, required, places, values }] of part.fields) {
    if (name === 'type' || name === 'style' || !places || forbidden.includes(name)) continue
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
export function toFrozenArray(
  args: readonly unknown[],
  toItem: ToItem = (child) => toFrozen(child),
): readonly unknown[] {
  const items: unknown[] = []
  appendChildren(items, args, toItem)
  return Object.freeze(items)
}

/** Nested arrays that are flattened; a deeper one may be cyclic, and becomes an item, which validation rejects. */
const MAX_NESTING = 9

function appendChildren(items: unknown[], child: unknown, toItem: ToItem, depth = 0): void {
  if (child === undefined || child === null || child === false) return
  const { length } = items
  try {
    if (Array.isArray(child) && depth < MAX_NESTING) {
      // Not every index of a long array, which may be sparse.
      if (child.length > 100) for (const index in child) appendChildren(items, child[index], toItem, depth + 1)
      else for (let index = 0; index < child.length; index++) appendChildren(items, child[index], toItem, depth + 1)
      return
    }
  } catch {
    // An unreadable array becomes an item, which validation rejects.
    items.length = length
  }
  items.push(toItem(child))
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
