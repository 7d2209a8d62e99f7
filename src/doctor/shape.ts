// Where JSON of the service differs from the contract: fields, types, and values of the open enumerations.
import { gatewayEvents } from '../contract/gateway-events'
import { UserApplicationProfileSchema } from '../contract/identities'
import { documentedValues } from '../contract/index'
import { PartialUserSchema } from '../contract/relationships'
import { definitionOf, type Fields, OpenObjectSchema, type Schema } from '../contract/schema'
import { describeType, isObject } from '../internal/json'
import { valuesOf } from '../internal/redact'

/** How a value differs from the contract. */
export type ShapeDifference = 'unknown field' | 'missing field' | 'other type' | 'unknown value'

/** Receiver of what {@link compareShape} finds. */
export interface ShapeVisitor {
  /**
   * Receives a difference.
   * @param path Path of names; `[]` stands for any item of an array, `{key}` for any key of a map.
   * @param seen The name of an unknown field, the type of a value, or an unknown value, as received.
   */
  differ(path: string, kind: ShapeDifference, seen: unknown): void
  /** Receives each string that is not the value of an enumeration, with the name of its field, also in unknown fields. */
  text?(name: string, value: string): void
}

/** Objects whose fields the API document does not show, so that any field may occur. */
const OPEN = (() => {
  const { relationshipAdd: _, gameRelationshipAdd: __, ...events } = gatewayEvents
  const payloads = Object.values(events).map(({ payload }): Schema<unknown> => payload)
  return new Set<Schema<unknown>>([PartialUserSchema, OpenObjectSchema, UserApplicationProfileSchema, ...payloads])
})()

/** Depth below which nothing is compared: only a hostile answer is that deep. */
const MAX_DEPTH = 64

/** Compares a value with a schema, and passes each difference to a visitor; the same one may come many times. */
export function compareShape(schema: Schema<unknown>, value: unknown, visitor: ShapeVisitor): void {
  visit({ schema, value, path: '', name: '', known: [], depth: 0 }, visitor)
}

interface Place {
  readonly schema: Schema<unknown>
  readonly value: unknown
  readonly path: string
  /** Name of the field. */
  readonly name: string
  /** Known values; empty if the field is no enumeration. */
  readonly known: readonly unknown[]
  /** The schema with its rule, if it has one. */
  readonly ruled?: Schema<unknown> | undefined
  readonly depth: number
}

function visit(place: Place, visitor: ShapeVisitor): void {
  const { schema, value, path, name, known, depth } = place
  const { kind, of, more } = definitionOf(schema)
  const into = (inner: Schema<unknown>, ruled?: Schema<unknown>) => visit({ ...place, schema: inner, ruled }, visitor)
  switch (kind) {
    case 'optional':
      if (value !== undefined) into(of)
      return
    case 'nullable':
      if (value !== null) into(of)
      return
    case 'rule':
      into(of, schema)
      return
    case 'union':
      into(more(value))
      return
    case 'enum':
      if (!of.some((one) => one === value)) visitor.differ(path, 'unknown value', value)
      return
    case 'unknown':
      visitTexts(name, value, visitor)
      return
  }
  if (kind === 'array' && Array.isArray(value) && depth < MAX_DEPTH) {
    const inner = { schema: of, name, known, path: `${path}[]`, depth: depth + 1 }
    for (const item of value) visit({ ...inner, value: item }, visitor)
  } else if (kind === 'object' && isObject(value) && !Array.isArray(value) && depth < MAX_DEPTH)
    visitFields({ ...place, value }, of, more, visitor)
  else if ((kind !== 'object' && typeof value === kind) || (kind === 'integer' && Number.isInteger(value))) {
    if (known.length === 0) visitTexts(name, value, visitor)
    else if (!known.includes(value)) visitor.differ(path, 'unknown value', value)
  } else if (value === undefined) visitor.differ(path, 'missing field', undefined)
  else visitor.differ(path, 'other type', describeType(value))
}

function visitFields(
  { schema, ruled = schema, value, path, depth }: Place & { readonly value: object },
  fields: Fields,
  rest: Schema<unknown> | null,
  visitor: ShapeVisitor,
): void {
  const prefix = path === '' ? '' : `${path}.`
  for (const name in fields) {
    const field = fields[name]
    const own: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
    const known = documentedValues(name, ruled)
    if (field) visit({ schema: field, value: own, path: prefix + name, name, known, depth: depth + 1 }, visitor)
  }
  for (const [name, item] of Object.entries(value)) {
    if (Object.hasOwn(fields, name)) continue
    if (rest && rest.kind !== 'unknown')
      visit({ schema: rest, value: item, path: `${prefix}{key}`, name, known: [], depth: depth + 1 }, visitor)
    else {
      if (!OPEN.has(schema)) visitor.differ(path, 'unknown field', name)
      visitTexts(name, item, visitor)
    }
  }
}

function visitTexts(name: string, value: unknown, visitor: ShapeVisitor): void {
  if (!visitor.text) return
  for (const text of isObject(value) ? valuesOf(value) : [value]) if (typeof text === 'string') visitor.text(name, text)
}
