import * as z from 'zod'
import { endpoints } from '../../src/contract/index'
import type { Schema } from '../../src/contract/schema'
import { toZod } from '../../src/zod/to-zod'
import { filesIn, root } from '../docs/sources'
import { type PropertyComment, typeComments } from './comments'
import { withRules } from './rules'

/** The parts of a JSON Schema that the generators use. */
export interface JsonSchema {
  $ref?: string
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  [keyword: string]: unknown
}

/** In the comment of a timestamp. One that a request may contain is ignored, so its comment does not name a format. */
const TIMESTAMP = 'an ISO 8601 timestamp'

/** Names of the schemas: the name of the API, or for unnamed parameters and responses, the name of the call. */
const registry = z.registry<{ id: string }>()
for (const file of filesIn('src/contract', '.ts')) {
  const module: Record<string, Schema<unknown>> = await import(`${root}/${file}`)
  for (const [name, value] of Object.entries(module)) {
    if (name.endsWith('Schema') && !registry.has(toZod(value))) registry.add(toZod(value), { id: name.slice(0, -6) })
  }
}
for (const { call, endpoint } of endpoints) {
  const [, ...names] = call.split('.')
  const id = names.map((name) => name.charAt(0).toUpperCase() + name.slice(1)).join('')
  for (const [kind, schema] of [
    ['Params', endpoint.params],
    ['Response', endpoint.response],
  ] as const) {
    if (schema !== undefined && !registry.has(toZod(schema))) registry.add(toZod(schema), { id: `${id}${kind}` })
  }
}

/** The schemas as JSON Schemas that refer to each other. */
export const schemas: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.entries(
    z.toJSONSchema(registry, { io: 'input', uri: (id) => `#/components/schemas/${id}`, override: tidy }).schemas,
  )
    .map(([id, schema]): [string, JsonSchema] => [id, addDescriptions(id, withRules(id, schema as JsonSchema))])
    .sort(([one], [other]) => (one < other ? -1 : 1)),
)

/** Returns a reference to a schema. */
export function refTo(schema: Schema<unknown>): JsonSchema {
  return { $ref: `#/components/schemas/${registry.get(toZod(schema))?.id}` }
}

/** Returns the schemas that a value refers to, directly or through other schemas. */
export function schemasUsedBy(value: unknown): Record<string, JsonSchema> {
  const used = new Map<string, JsonSchema>()
  const visit = (part: unknown): void => {
    for (const [, id = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const found = schemas[id]
      if (found === undefined || used.has(id)) continue
      used.set(id, found)
      visit(found)
    }
  }
  visit(value)
  return Object.fromEntries([...used].sort(([one], [other]) => (one < other ? -1 : 1)))
}

/**
 * Removes what says nothing, or what tools would show in samples: empty `properties`, the range of safe integers, and
 * `additionalProperties` that accept anything next to named properties.
 */
function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  const { properties = {}, additionalProperties } = jsonSchema
  if (Object.keys(properties).length === 0) delete jsonSchema.properties
  else if (JSON.stringify(additionalProperties) === '{}') delete jsonSchema.additionalProperties
}

/** Adds the comment of a property. Next to a reference OpenAPI 3.0 allows no other keyword, as many tools still do. */
function withComment({ $ref, ...property }: JsonSchema, { text, isDeprecated }: PropertyComment): JsonSchema {
  return {
    ...property,
    ...(text && { description: text }),
    ...(text.includes(TIMESTAMP) && { format: 'date-time' }),
    ...(isDeprecated && { deprecated: true }),
    ...($ref !== undefined && (text ? { allOf: [{ $ref }] } : { $ref })),
  }
}

function addDescriptions(id: string, { $schema, $id, ...schema }: JsonSchema): JsonSchema {
  const comment = typeComments.get(id)
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]): [string, JsonSchema] => {
    const found = comment?.properties.get(name)
    return [name, found ? withComment(property, found) : property]
  })
  return {
    ...(comment?.text && { description: comment.text }),
    ...schema,
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(comment?.isOpen && { additionalProperties: true }),
  }
}
