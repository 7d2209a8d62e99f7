import { typed } from '../edge'
import type { Field, Row } from '../table/field'
import { frozen, isArray, Owned, owned } from './owned'

export type ToItem = (item: unknown) => unknown

/** Makes a component of the wire's fields, which belong to it from then on. */
export type Create<T> = (fields: object) => T

/**
 * Makes the components of one row of the table, or its parts. They are frozen, own the wire's fields alone and inherit a
 * method for each field that may be written; a `style` does without those of the fields that it refuses.
 *
 * @param toItem Turns what a list is given into what it holds.
 */
// @__NO_SIDE_EFFECTS__
export function define<T>(part: Row, style = 0, toItem?: ToItem): Create<T> {
  let prototype: object | undefined
  return (fields) => {
    prototype ??= prototypeOf(part, style, toItem)
    return typed(frozen(prototype, fields))
  }
}

function prototypeOf(part: Row, style: number, toItem?: ToItem): object {
  const prototype: object = Object.create(Owned.prototype)
  const [, ...refused] = part.styles?.[style] ?? []
  for (const [name, field] of part.fields) {
    const { kind, required, places } = field
    if (name === 'type' || name === 'style' || places === 0 || refused.includes(name)) continue
    const isAdded = kind === 'list' && required
    const suffix = name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())
    Object.defineProperty(prototype, (isAdded ? 'add' : 'with') + suffix, {
      value(this: Readonly<Record<string, unknown>>, ...given: readonly unknown[]) {
        let value = kind === 'list' ? listed(given, toItem) : toValue(field, given[0])
        if (isAdded) value = owned(typed<unknown[]>(this[name]).concat(value))
        return frozen(prototype, this, name, value)
      },
    })
  }
  return prototype
}

/** A parameter as the wire has it: `true` may be left out, a value may be named, media may be a URL. */
function toValue({ kind, part, values }: Field, given: unknown): unknown {
  if (kind === 'boolean') return given ?? true
  if (typeof given === 'string') return part ? toMedia(given) : (values?.[given.toUpperCase()] ?? given)
  return owned(given)
}

/** Media as the wire has them; a URL will do. */
export function toMedia(given: unknown): unknown {
  return typeof given === 'string' ? Object.freeze({ url: given }) : owned(given)
}

/** What a list is given, one array or the items one by one, as its owner keeps it. */
export function listed(given: readonly unknown[], toItem?: ToItem): unknown {
  const [first] = given
  const items = given.length === 1 && isArray(first) ? first : given
  return owned(toItem ? items.map(toItem) : items)
}
