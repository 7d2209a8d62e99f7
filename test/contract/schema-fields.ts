import type { Definition, Schema } from '../../src/contract/schema'
import { isValid } from '../../src/contract/validate'

/** Returns the fields of an object, or of the items of an array, in the notation of `endpoint-table.ts`. */
export function fieldNames(schema: Schema<unknown>): string[] {
  const { kind, of } = definition(schema)
  if (kind === 'array') return ['[]', ...fieldNames(of)]
  return fields(schema).map(([name, field]) => name + mark(field, undefined, '?') + mark(field, null, '~'))
}

/** Returns the fields of an object with their types: `id:string`, `note?~:string`, `games?:array of object`. */
export function typedFields(schema: Schema<unknown>): string[] {
  return fields(schema).map(([name, field]) => {
    return `${name}${mark(field, undefined, '?')}${mark(field, null, '~')}:${typeName(field)}`
  })
}

function fields(schema: Schema<unknown>): [string, Schema<unknown>][] {
  const { kind, of } = definition(schema)
  if (kind === 'rule') return fields(of)
  return kind === 'object' ? Object.entries(of) : []
}

function mark(field: Schema<unknown>, value: unknown, sign: string): string {
  return isValid(field, value) ? sign : ''
}

function typeName(field: Schema<unknown>): string {
  const { kind, of } = definition(field)
  if (kind === 'optional' || kind === 'nullable' || kind === 'rule') return typeName(of)
  if (kind === 'array') return `array of ${typeName(of)}`
  if (kind === 'enum') return of.join('|')
  return kind === 'object' && Object.keys(of).length === 0 ? 'map' : kind
}

function definition(schema: Schema<unknown>): Definition {
  return schema as Definition
}
