// JSON Schemas of the control API, of seeds and of policies, from the schemas that validate them.
import { definitionOf, refine, type Schema, unchecked } from '../../src/contract/schema'
import { type Check, type JsonSchema, schemaOf } from '../settings'

/** Returns a reference to a schema that has a name; `undefined` for others. */
export type FindReference = (schema: Schema<unknown>) => JsonSchema | undefined

export function toJsonSchema(schema: Schema<unknown>, find: FindReference = () => undefined): JsonSchema {
  const { kind, of, more } = definitionOf(schema)
  const convert = (part: Schema<unknown>): JsonSchema => find(part) ?? toJsonSchema(part, find)
  switch (kind) {
    case 'unknown':
      return {}
    case 'string':
    case 'number':
    case 'integer':
    case 'boolean':
      return { type: kind }
    case 'enum':
      return { enum: of }
    case 'optional':
      return convert(of)
    case 'nullable':
      return { anyOf: [convert(of), { type: 'null' }] }
    case 'array':
      return { type: 'array', items: convert(of) }
    case 'union':
      return { anyOf: of.map(convert) }
    case 'rule':
      return { ...convert(of), ...more.keywords }
    case 'object': {
      const required = Object.keys(of).filter((name) => !isOptional(of[name]))
      const names = Object.entries(of)
      return {
        type: 'object',
        ...(names.length > 0 && {
          properties: Object.fromEntries(names.map(([name, field]) => [name, convert(field)])),
        }),
        ...(required.length > 0 && { required }),
        ...(more === null && { additionalProperties: false }),
        // Of any kind: JSON Schema allows other properties by default.
        ...(more !== null && more.kind !== 'unknown' && { additionalProperties: convert(more) }),
      }
    }
  }
}

function isOptional(schema: Schema<unknown> | undefined): boolean {
  return schema?.kind === 'optional' || schema?.kind === 'unknown'
}

/** Returns the schema of the values of a check, so that the control API validates as the service in process does. */
export function fromCheck<T>(check: Check): Schema<T> {
  const rule = (value: T) => check('', value).map((issue) => ({ ...issue, path: issue.path.slice(1) }))
  return refine(unchecked<T>(), rule, schemaOf(check) ?? {})
}

/** Returns the values or names of fields that a JSON Schema allows at a path. */
export function allowedAt(schema: JsonSchema, path: readonly PropertyKey[]): readonly (string | number)[] | undefined {
  const { enum: values, anyOf, items, properties, propertyNames, additionalProperties } = schema
  const [key, ...rest] = path
  if (key === undefined && Array.isArray(values)) return values.every(isName) ? values : undefined
  if (typeof key === 'number' && isSchema(items)) return allowedAt(items, rest)
  if (key !== undefined && isSchema(properties)) {
    const property = Object.hasOwn(properties, key) ? Reflect.get(properties, key) : undefined
    if (isSchema(property)) return allowedAt(property, rest)
    return additionalProperties === false && rest.length === 0 ? Object.keys(properties) : undefined
  }
  if (key !== undefined && isSchema(propertyNames) && isSchema(additionalProperties)) {
    const names = allowedAt(propertyNames, [])
    return names?.some((name) => name === key) ? allowedAt(additionalProperties, rest) : names
  }
  if (!Array.isArray(anyOf)) return undefined
  return anyOf.map((one) => allowedAt(one, path)).find((found) => found !== undefined)
}

const isName = (value: unknown) => typeof value === 'string' || typeof value === 'number'

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
