/** JSON Schemas of components, messages and modals, generated from the specs that validation uses. */

import { type ComponentSpec, childComponent, type Field, MESSAGE, MODAL, type Places } from './schema'
import { DISABLED_FIELDS, legacyMessageSpec, messageV2Spec, modalSpec, SPECS, specOf } from './specs'

/** JSON Schema, draft 2020-12. */
export interface JsonSchema {
  /** JSON Schema keyword. */
  readonly [keyword: string]: unknown
}

/** Empty value of any type. zod ignores `maxItems` without `items`. */
const EMPTY = { anyOf: [{ type: 'string', const: '' }, { type: 'null' }, { type: 'array', items: {}, maxItems: 0 }] }

/** Type, keyword of the minimum and keyword of the maximum, by kind of field. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['string', 'minLength', 'maxLength'],
  integer: ['integer', 'minimum', 'maximum'],
  array: ['array', 'minItems', 'maxItems'],
}

/**
 * Returns the JSON Schema of a message, generated from the specs that validation uses. Covers types, limits, required
 * and forbidden fields and nesting, for ajv, zod's `fromJSONSchema` and tools in other languages. Like validation, it
 * refuses a field that only other components have, and accepts one that no component has. Cannot express bit flags,
 * uniqueness, totals, comparisons of two numbers, or that a value is a component instead of a message. API,
 * "Messages using the v2 component system" and "Limits".
 *
 * @example
 * import { messageJsonSchema } from 'rapport-sdk/components/json-schema'
 *
 * const schema = messageJsonSchema()
 */
export function messageJsonSchema(): JsonSchema {
  const disabledFields = Object.fromEntries(DISABLED_FIELDS.map((name) => [name, EMPTY]))
  const messageV2 = objectOf(messageV2Spec, MESSAGE, disabledFields, true)
  return documentOf(MESSAGE, {
    anyOf: [{ ...messageV2, required: ['flags'] }, objectOf(legacyMessageSpec, MESSAGE, undefined, true)],
  })
}

/** Returns the JSON Schema of a modal, whose envelope is a convention. API, "Label" and "Limits". */
export function modalJsonSchema(): JsonSchema {
  return documentOf(MODAL, objectOf(modalSpec, MODAL, undefined, true))
}

function documentOf(places: Places, schema: JsonSchema): JsonSchema {
  const specs = SPECS.filter((spec) => spec.places & places)
  const $defs = specs.map((spec) => [keyOf(spec), spec.type === 1 ? rowOf(spec, places) : componentOf(spec, places)])
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema, $defs: Object.fromEntries($defs) }
}

function componentOf(spec: ComponentSpec, places: Places, overrides?: JsonSchema): JsonSchema {
  return objectOf(spec, places, { type: { const: spec.type }, ...overrides })
}

/** A row contains only buttons, or one component of another type. API, "Action Row". */
function rowOf(spec: ComponentSpec, places: Places): JsonSchema {
  const components = spec.fields.get('components')
  const one = componentOf(spec, places, { components: components && schemaOf({ ...components, max: 1 }, places) })
  if (!components || (places & MESSAGE) === 0) return one
  const buttons = { ...components, of: childComponent([2]) }
  return { anyOf: [componentOf(spec, places, { components: schemaOf(buttons, places) }), one] }
}

const keyOf = ({ name }: ComponentSpec): string => name.replaceAll(' ', '_')

const refsTo = (specs: readonly ComponentSpec[]): JsonSchema => ({
  oneOf: specs.map((spec) => ({ $ref: `#/$defs/${keyOf(spec)}` })),
})

/**
 * Returns the schema of a spec's fields, with one variant for each style. The variants are complete: of a base and
 * variants, zod would make intersections, which it cannot merge for components with methods. Names that are forbidden
 * match both schemas of `oneOf`: zod supports no `not`, and generators of code neither `false` nor lookaheads.
 */
function objectOf(
  { fields, styles }: ComponentSpec,
  places: Places,
  overrides?: JsonSchema,
  isOpen?: boolean,
): JsonSchema {
  if (styles) {
    const variants = Object.entries(styles).map(([style, spec]) => {
      return objectOf(spec, places, { ...overrides, style: { const: Number(style) } })
    })
    return { oneOf: variants }
  }
  const written = [...fields].filter(([, field]) => field.places & places)
  // A maximum is never negative, whether or not the document shows its minimum.
  const properties = Object.fromEntries(
    written.map(([name, field]) => {
      return [name, schemaOf(/^max_/.test(name) ? { ...field, min: field.min ?? 0 } : field, places)]
    }),
  )
  const known = new Set([...fields.keys(), ...SPECS.flatMap((spec) => [...spec.fields.keys()])])
  const forbidden = [...known].filter((name) => !(name in properties))
  return {
    type: 'object',
    properties: { ...properties, ...overrides },
    required: written.flatMap(([name, { required }]) => (required ? [name] : [])),
    ...(!isOpen && { propertyNames: { oneOf: [{ type: 'string' }, { type: 'string', enum: forbidden }] } }),
  }
}

function schemaOf(field: Field, places: Places): JsonSchema {
  const { kind, min, max, values, prefix, of, part, nullable, accepts } = field
  if (part) return objectOf(part, places)
  if (kind === 'component') return refsTo((accepts?.[places] ?? []).flatMap((type) => specOf(type) ?? []))
  const [type = kind, minKeyword = '', maxKeyword = ''] = KEYWORDS[kind] ?? []
  // Not an array of types, which ajv's strict mode rejects.
  if (nullable) return { anyOf: [schemaOf({ ...field, nullable: false }, places), { type: 'null' }] }
  return {
    type,
    ...(min !== undefined && { [minKeyword]: min }),
    ...(max !== undefined && { [maxKeyword]: max }),
    ...(values && { enum: Object.values(values) }),
    ...(prefix && { pattern: `^${prefix}.` }),
    ...(field.default !== undefined && { default: field.default }),
    ...(of && { items: schemaOf(of, places) }),
  }
}
