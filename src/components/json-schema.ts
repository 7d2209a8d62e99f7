import { legacyMessage, messageV2, modal, REPLACED } from './table/envelopes'
import { ANYWHERE, type Field, MESSAGE, MODAL, type Places, type Row } from './table/field'
import { allRows } from './table/rows'

/** A JSON Schema, draft 2020-12. */
export interface JsonSchema {
  /** A keyword. */
  readonly [keyword: string]: unknown
}

type Schema = JsonSchema | boolean

/**
 * The JSON Schema of a message, made of the table that the checks read. It says what a schema can: kinds, limits, what must
 * be there and what may not, what may stand where. It cannot say which flags there are, what is unique, what is too much in
 * total, or which of two numbers is greater. Interface, "Messages using the v2 component system" and "Limits".
 */
export function messageJsonSchema(): JsonSchema {
  const nothing = Object.fromEntries(REPLACED.map((name) => [name, { enum: ['', null, []] }]))
  const withFlag = objectOf(messageV2, MESSAGE, nothing)
  return documentOf(MESSAGE, { anyOf: [{ ...withFlag, required: ['flags'] }, objectOf(legacyMessage, MESSAGE)] })
}

/** The JSON Schema of a modal, whose envelope is a convention. Interface, "Label" and "Limits". */
export function modalJsonSchema(): JsonSchema {
  return documentOf(MODAL, objectOf(modal, MODAL))
}

/** The JSON Schema of any component that can be sent. Interface, "Component Type" and "Limits". */
export function componentJsonSchema(): JsonSchema {
  return documentOf(ANYWHERE, oneOf([...allRows().values()].filter(({ places }) => places !== 0)))
}

function documentOf(places: Places, schema: JsonSchema): JsonSchema {
  const rows = [...allRows().values()].filter((row) => row.places & places)
  const $defs = Object.fromEntries(rows.map((row) => [row.name, objectOf(row, places, { type: { const: row.type } })]))
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema, $defs }
}

function oneOf(rows: readonly Row[]): JsonSchema {
  return { oneOf: rows.map(({ name }) => ({ $ref: `#/$defs/${name.replaceAll(' ', '%20')}` })) }
}

/** An object of a row's fields; `more` are fields that are told otherwise. */
function objectOf({ fields, required, styles }: Row, places: Places, more?: JsonSchema): JsonSchema {
  const properties = Array.from(fields, ([name, field]) => [name, schemaOf(field, places)])
  const oneOfStyles = Object.entries(styles ?? {}).map(([style, [needed, ...refused]]) => ({
    properties: { style: { const: Number(style) }, ...Object.fromEntries(refused.map((name) => [name, false])) },
    required: [needed],
  }))
  return {
    type: 'object',
    properties: { ...Object.fromEntries(properties), ...more },
    required,
    ...(styles && { oneOf: oneOfStyles }),
  }
}

function schemaOf(field: Field, places: Places): Schema {
  const { kind, min, max, values, prefix, of, part, nullable, takes } = field
  if ((field.places & places) === 0) return false
  if (kind === 'value') return true
  if (kind === 'component') return oneOf(takes[places])
  const [least, most] = BOUNDS[kind] ?? []
  const schema = {
    ...(part ? objectOf(part, places) : { type: nullable ? [TYPES[kind] ?? kind, 'null'] : (TYPES[kind] ?? kind) }),
    ...(least && min > -Infinity && { [least]: min }),
    ...(most && max < Infinity && { [most]: max }),
    ...(values && { enum: Object.values(values) }),
    ...(prefix && { pattern: `^${prefix}.` }),
    ...(field.default !== undefined && { default: field.default }),
  }
  if (of === undefined) return schema
  const items = schemaOf(of, places)
  // A row holds buttons, or one of anything else.
  const alone = of.takes[places].filter(({ name }) => name !== 'button')
  return max === 5 ? { ...schema, items, anyOf: [{ items: { properties: { type: { const: 2 } } } }, { maxItems: 1 }] } : { ...schema, items }
}

const TYPES: Readonly<Record<string, string>> = { list: 'array' }
const BOUNDS: Readonly<Record<string, readonly [least: string, most: string]>> = {
  string: ['minLength', 'maxLength'],
  integer: ['minimum', 'maximum'],
  list: ['minItems', 'maxItems'],
}
