import { legacyMessageSpec, messageV2Spec, modalSpec, REPLACED } from './messages'
import { ROWS } from './registry'
import { ANYWHERE, type ComponentSpec, type Field, MESSAGE, MODAL, type Places } from './schema'

/** JSON Schema, draft 2020-12. */
export interface JsonSchema {
  /** JSON Schema keyword. */
  readonly [keyword: string]: unknown
}

/**
 * Returns the JSON Schema of a message, generated from the specs that validation uses. Covers types, limits, required
 * and forbidden fields and nesting. Cannot express bit flags, uniqueness, totals, comparisons of two numbers, or that a
 * value is a component instead of a message. Interface, "Messages using the v2 component system" and "Limits".
 */
export function messageJsonSchema(): JsonSchema {
  const nothing = Object.fromEntries(REPLACED.map((name) => [name, { enum: ['', null, []] }]))
  const withFlag = objectOf(messageV2Spec, MESSAGE, nothing)
  return documentOf(MESSAGE, { anyOf: [{ ...withFlag, required: ['flags'] }, objectOf(legacyMessageSpec, MESSAGE)] })
}

/** Returns the JSON Schema of a modal, whose envelope is a convention. Interface, "Label" and "Limits". */
export function modalJsonSchema(): JsonSchema {
  return documentOf(MODAL, objectOf(modalSpec, MODAL))
}

/** Returns the JSON Schema of any component that can be sent. Interface, "Component Type" and "Limits". */
export function componentJsonSchema(): JsonSchema {
  return documentOf(ANYWHERE, anyOf(ROWS.filter(({ places }) => places !== 0)))
}

function documentOf(places: Places, schema: JsonSchema): JsonSchema {
  const rows = ROWS.filter((row) => row.places & places)
  const $defs = rows.map((row) => {
    const definition = objectOf(row, places, { type: { const: row.type } })
    return [keyOf(row), row.type === 1 ? { ...definition, ...BUTTONS_OR_ONE } : definition]
  })
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema, $defs: Object.fromEntries($defs) }
}

/** A row contains only buttons, or one component of another type. Interface, "Action Row". */
const BUTTONS_OR_ONE = {
  anyOf: [
    { properties: { components: { items: { properties: { type: { const: 2 } } } } } },
    { properties: { components: { maxItems: 1 } } },
  ],
}

const keyOf = ({ name }: ComponentSpec): string => name.replaceAll(' ', '_')

const anyOf = (rows: readonly ComponentSpec[]): JsonSchema => ({
  oneOf: rows.map((row) => ({ $ref: `#/$defs/${keyOf(row)}` })),
})

/** Returns the schema of a spec's fields; `more` overrides properties. */
function objectOf({ fields, required, styles }: ComponentSpec, places: Places, more?: JsonSchema): JsonSchema {
  const properties = Array.from(fields, ([name, field]) => [name, schemaOf(field, places)])
  const variants = Object.entries(styles ?? {}).map(([style, [needed, ...refused]]) => ({
    properties: { style: { const: Number(style) }, ...Object.fromEntries(refused.map((name) => [name, false])) },
    required: [needed],
  }))
  return {
    type: 'object',
    properties: { ...Object.fromEntries(properties), ...more },
    required,
    ...(styles && { oneOf: variants }),
  }
}

function schemaOf(field: Field, places: Places): JsonSchema | boolean {
  const { kind, min, max, values, prefix, of, part, nullable, accepts: takes } = field
  if ((field.places & places) === 0) return false
  if (part) return objectOf(part, places)
  if (kind === 'component') return anyOf(takes[places])
  const [type = kind, least = '', most = ''] = KEYWORDS[kind] ?? []
  return {
    type: nullable ? [type, 'null'] : type,
    ...(min > -Infinity && { [least]: min }),
    ...(max < Infinity && { [most]: max }),
    ...(values && { enum: Object.values(values) }),
    ...(prefix && { pattern: `^${prefix}.` }),
    ...(field.default !== undefined && { default: field.default }),
    ...(of && { items: schemaOf(of, places) }),
  }
}

const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['string', 'minLength', 'maxLength'],
  integer: ['integer', 'minimum', 'maximum'],
  list: ['array', 'minItems', 'maxItems'],
}
