import { type ComponentSpec, type Field, unsafeCast } from './schema'

/**
 * What everything that the factories make inherits from: it is frozen already and may be shared. Without a name, so that
 * consoles print a component as the plain object that it is. (A static `name` does not survive the CommonJS build.)
 */
export const Owned = /*@__PURE__*/ (() => class {})()

/** A frozen object with a prototype, the fields of another and one more; `undefined` takes a field away. */
export function frozen(prototype: object, fields: object, name?: string, value?: unknown): object {
  const made: Record<string, unknown> = Object.assign(Object.create(prototype), fields)
  if (value !== undefined) made[unsafeCast<string>(name)] = value
  else if (name) delete made[name]
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

/** Whether a value may be shared, as no caller can change it. It throws of what cannot be read. */
function isShared(value: unknown): boolean {
  return typeof value !== 'object' || value === null || value instanceof Owned
}

/** A value as a component keeps it: frozen and, where a caller could change it, a copy; left as it is where it cannot be read. */
export function toFrozen(value: unknown): unknown {
  try {
    if (isShared(value)) return value
    // What most lists are; one that is longer may have more holes than anybody waits for.
    if (Array.isArray(value) && value.length <= 100 && value.every(isShared)) return Object.freeze(value.slice())
  } catch {}
  return copied(value)
}

/** A frozen copy of all that is in a value, which may contain itself and be of whatever depth. */
function copied(root: unknown): unknown {
  const copies = new Map<unknown, Record<string, unknown>>()
  const copyOf = (value: unknown): unknown => {
    try {
      if (isShared(value) || copies.has(value)) return copies.get(value) ?? value
      const copy = unsafeCast<Record<string, unknown>>(
        Array.isArray(value) ? Object.assign([], value) : { ...unsafeCast<object>(value) },
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

/** Turns what a list is given, as its owner keeps it, into what it holds. */
export type ToItems = (given: readonly unknown[]) => readonly unknown[]

/** Makes a component of the wire's fields, which belong to it from then on, and of one that is left out where it is `undefined`. */
export type Create<T> = (fields: object, name?: string, value?: unknown) => T

/**
 * Makes the components of one row of the table, or its parts. They are frozen, own the wire's fields alone and inherit a
 * method for each field that may be written; a `style` does without those of the fields that it refuses.
 */
// @__NO_SIDE_EFFECTS__
export function define<T>(part: ComponentSpec, style = 0, toItems?: ToItems): Create<T> {
  let prototype: object | undefined
  return (fields, name, value) => {
    prototype ??= prototypeOf(part, style, toItems)
    return unsafeCast(frozen(prototype, fields, name, value))
  }
}

function prototypeOf(part: ComponentSpec, style: number, toItems?: ToItems): object {
  const prototype: object = Object.create(Owned.prototype)
  const [, ...refused] = part.styles?.[style] ?? []
  for (const [name, field] of part.fields) {
    const { kind, required, places } = field
    if (name === 'type' || name === 'style' || places === 0 || refused.includes(name)) continue
    const isAdded = kind === 'list' && required
    const suffix = name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())
    Object.defineProperty(prototype, (isAdded ? 'add' : 'with') + suffix, {
      value(this: Readonly<Record<string, unknown>>, ...given: readonly unknown[]) {
        const value = kind === 'list' ? toFrozenArray(given, toItems) : toValue(field, given[0])
        return frozen(prototype, this, name, isAdded ? joined(this[name], value) : value)
      },
    })
  }
  return prototype
}

/** A parameter as the wire has it: `true` may be left out, a value may be named, media may be a URL. */
function toValue({ kind, part, values }: Field, given: unknown): unknown {
  if (kind === 'boolean') return given ?? true
  if (typeof given === 'string') return part ? toMedia(given) : (values?.[given.toUpperCase()] ?? given)
  return toFrozen(given)
}

/** Media as the wire has them; a URL will do. */
export function toMedia(given: unknown): unknown {
  return typeof given === 'string' ? Object.freeze({ url: given }) : toFrozen(given)
}

/** What a list is given, one array or the items one by one, as its owner keeps it. */
export function toFrozenArray(given: readonly unknown[], toItems?: ToItems): unknown {
  const [first] = given
  const own = toFrozen(given.length === 1 ? first : given)
  // An array that cannot be read has no copy: it is an item then, which no check lets through.
  const items = own !== first && Array.isArray(own) ? own : [own]
  return Object.freeze(toItems ? toItems(items) : items)
}

/** Two lists in one; what is in them is owned already. */
export function joined(...lists: readonly unknown[]): unknown {
  return Object.freeze(unsafeCast<unknown[]>([]).concat(...lists))
}

// Factories that differ by their row alone.

/** Makes a component that has to have a `custom_id` alone. */
// @__NO_SIDE_EFFECTS__
export function customIdFactory<T>(row: ComponentSpec): (customId: string) => T {
  const create = define<T>(row)
  return (custom_id) => create({ type: row.type, custom_id })
}

/** Makes a component with options. */
// @__NO_SIDE_EFFECTS__
export function byOptions<T>(row: ComponentSpec): (customId: string, ...options: readonly unknown[]) => T {
  const create = define<T>(row)
  return (custom_id, ...options) => create({ type: row.type, custom_id, options: toFrozenArray(options) })
}

/** Makes an option. */
// @__NO_SIDE_EFFECTS__
export function byLabel<T>(part: ComponentSpec): (label: string, value: string) => T {
  const create = define<T>(part)
  return (label, value) => create({ label, value })
}

/** Makes a component of components. */
// @__NO_SIDE_EFFECTS__
export function byComponents<T>(row: ComponentSpec, toItems?: ToItems): (...components: readonly unknown[]) => T {
  const create = define<T>(row, 0, toItems)
  return (...components) => create({ type: row.type, components: toFrozenArray(components, toItems) })
}
