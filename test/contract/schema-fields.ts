import type { Schema } from '../../src/contract/schema'

/** What a schema tells of itself. */
interface Definition {
  readonly type: string
  readonly shape?: Readonly<Record<string, Schema<unknown>>>
  readonly element?: Schema<unknown>
  readonly innerType?: Schema<unknown>
  readonly catchall?: Schema<unknown>
  readonly values?: readonly unknown[]
}

/** The fields of an object, or of the items of a list, as {@link ./endpoint-table} writes them. */
export function fieldNames(schema: Schema<unknown>): string[] {
  const { type, shape, element } = definition(schema)
  if (type === 'array' && element !== undefined) return ['[]', ...fieldNames(element)]
  return Object.entries(shape ?? {}).map(([name, field]) => name + mark(field, undefined, '?') + mark(field, null, '~'))
}

/** The fields of an object with their kinds: `id:string`, `note?~:string`, `games?:list`. */
export function typedFields(schema: Schema<unknown>): string[] {
  const shape = definition(schema).shape ?? {}
  return Object.entries(shape).map(([name, field]) => {
    return `${name}${mark(field, undefined, '?')}${mark(field, null, '~')}:${kind(field)}`
  })
}

function mark(field: Schema<unknown>, value: unknown, sign: string): string {
  return field.safeParse(value).success ? sign : ''
}

function kind(field: Schema<unknown>): string {
  const { type, innerType, values, shape, element } = definition(field)
  if (innerType !== undefined) return kind(innerType)
  if (type === 'number') return field.safeParse(0.5).success ? 'number' : 'integer'
  if (type === 'array' && element !== undefined) return `list of ${kind(element)}`
  if (type === 'literal') return (values ?? []).join('|')
  return type === 'object' && Object.keys(shape ?? {}).length === 0 ? 'map' : type
}

function definition(schema: Schema<unknown>): Definition {
  return schema._zod.def as unknown as Definition
}
