import { ID } from '../table/fields'
import type { Field, Part, Row } from '../table/row'
import { isArray, Owned, owned } from './owned'

// The edge of the factories: here fields of the table become methods, and what they make the types that document it.

type WireFields = Readonly<Record<string, unknown>>

/** Makes a component of its fields; those that are `undefined` are left out. */
export type Create<T> = (fields: object) => T

/**
 * Makes the components of one row of the table, or its parts. They are frozen, own the wire's fields alone and inherit a
 * method for each field that may be written; a `style` does without those of the fields that it refuses.
 *
 * @param toItem Turns what a list is given into what it holds.
 */
// @__NO_SIDE_EFFECTS__
export function define<T>(part: Part | Row, style?: number, toItem = (item: unknown) => item): Create<T> {
  let Built: (new (fields: WireFields) => object) | undefined
  return (fields) => {
    Built ??= builtClass(part, style, toItem)
    return new Built(fields as WireFields) as T
  }
}

/** What a list is given: one array, or the items one by one. */
export function listed<T>(given: readonly (T | readonly T[])[]): readonly T[] {
  return (given.length === 1 && isArray(given[0]) ? given[0] : given) as readonly T[]
}

/** A message or a modal: frozen, without methods, to be sent as it is or spread. */
export function envelope<T>(fields: object): T {
  return owned(fields) as T
}

function builtClass(part: Part | Row, style: number | undefined, toItem: (item: unknown) => unknown) {
  class Built {
    [field: string]: unknown

    constructor(fields: WireFields) {
      for (const name in fields) {
        const value = fields[name]
        if (value !== undefined) this[name] = typeof value === 'object' ? owned(value) : value
      }
      Object.freeze(this)
    }
  }
  Object.setPrototypeOf(Built.prototype, Owned)
  const isRow = 'type' in part
  const refused = (isRow && part.styles?.find(({ values }) => values.includes(style ?? 0))?.refuses) || []
  const fields: Readonly<Record<string, Field>> = isRow ? { id: ID, ...part.fields } : part.fields
  for (const [name, field] of Object.entries(fields)) {
    if (name === 'style' || field.only === 'received' || refused.includes(name)) continue
    const isList = field.kind === 'list'
    const isAdded = isList && field.required === true
    const suffix = name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())
    Object.defineProperty(Built.prototype, `${isAdded ? 'add' : 'with'}${suffix}`, {
      value(this: WireFields, ...given: readonly unknown[]) {
        const items = isList ? listed(given).map(toItem) : []
        const value = isAdded
          ? [...(this[name] as readonly unknown[]), ...items]
          : isList
            ? items
            : toValue(field, given[0])
        return new Built({ ...this, [name]: value })
      },
    })
  }
  return Built
}

/** What a field is given in short: `true`, the name of a value, the URL of media. */
function toValue(field: Field, given: unknown): unknown {
  if (field.kind === 'boolean') return given ?? true
  if (typeof given !== 'string') return given
  if (field.kind === 'part') return { url: given }
  return (field.kind === 'integer' && field.values?.[given.toUpperCase()]) || given
}
