import * as z from 'zod'
import { endpoints } from '../../src/contract/index'
import type { Schema } from '../../src/contract/schema'
import { toZod } from '../../src/zod/to-zod'
import { filesIn, root } from '../docs/sources'
import { typeComments } from './comments'

/** The parts of a JSON Schema that the generators use. */
export interface JsonSchema {
  $ref?: string
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  [keyword: string]: unknown
}

/** Names of the schemas: the name of the interface, or for unnamed parameters and responses, the name of the call. */
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
    .map(([id, schema]): [string, JsonSchema] => [id, addDescriptions(id, schema as JsonSchema)])
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

/** Removes the range of safe integers. */
function tidy({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/** Adds a description; next to a reference no other keyword is allowed. */
function withDescription({ $ref, ...property }: JsonSchema, description: string): JsonSchema {
  return $ref === undefined ? { ...property, description } : { description, allOf: [{ $ref }] }
}

function addDescriptions(id: string, { $schema, $id, ...schema }: JsonSchema): JsonSchema {
  const comment = typeComments.get(id)
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]): [string, JsonSchema] => {
    const description = comment?.properties.get(name)
    return [name, description ? withDescription(property, description) : property]
  })
  return {
    ...(comment?.text && { description: comment.text }),
    ...schema,
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
  }
}
