import type { Schema } from '../../src/contract/schema'

/** The internal definition of a zod schema. */
interface Definition {
  readonly type: string
  readonly shape?: Readonly<Record<string, Schema<unknown>>>
  readonly element?: Schema<unknown>
  readonly innerType?: Schema<unknown>
  readonly catchall?: Schema<unknown>
  readonly values?: readonly unknown[]
}

/** Returns the fields of an object, or of the items of an array, in the notation of `endpoint-table.ts`. */
export function fieldNames(schema: Schema<unknown>): string[] {
  const { type, shape, element } = definition(schema)
  if (type === 'array' && element !== undefined) return ['[]', ...fieldNames(element)]
  return Object.entries(shape ?? {}).map(([name, field]) => name + mark(field, undefined, '?') + mark(field, null, '~'))
}

/** Returns the fields of an object with their types: `id:string`, `note?~:string`, `games?:array of object`. */
export function typedFields(schema: Schema<unknown>): string[] {
  const shape = definition(schema).shape ?? {}
  return Object.entries(shape).map(([name, field]) => {
    return `${name}${mark(field, undefined, '?')}${mark(field, null, '~')}:${typeName(field)}`
  })
}

function mark(field: Schema<unknown>, value: unknown, sign: string): string {
  return field.safeParse(value).success ? sign : ''
}

function typeName(field: Schema<unknown>): string {
  const { type, innerType, values, shape, element } = definition(field)
  if (innerType !== undefined) return typeName(innerType)
  if (type === 'number') return field.safeParse(0.5).success ? 'number' : 'integer'
  if (type === 'array' && element !== undefined) return `array of ${typeName(element)}`
  if (type === 'literal') return (values ?? []).join('|')
  return type === 'object' && Object.keys(shape ?? {}).length === 0 ? 'map' : type
}

function definition(schema: Schema<unknown>): Definition {
  return schema._zod.def as unknown as Definition
}
