import { unsafeCast } from '../edge'
import type { Field, ComponentSpec } from '../table/field'
import { frozen, Owned, toFrozen } from './owned'

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
