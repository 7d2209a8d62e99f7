import * as z from 'zod'
import type { Definition, Schema } from '../contract/schema'

/** Created schemas, `null` while they are created. A schema that is used in several places is converted once. */
const converted = /*@__PURE__*/ new WeakMap<object, z.ZodType | null>()

/** Converts a schema of the contract to a Zod schema that accepts the same values. */
export function toZod<T>(schema: Schema<T>): z.ZodType<T, T> {
  let result = converted.get(schema)
  // A schema that contains itself.
  if (result === null) return z.lazy(() => toZod(schema))
  if (result === undefined) {
    converted.set(schema, null)
    result = convert(schema)
    converted.set(schema, result)
  }
  // `Schema` ties the definition to its type; Zod would infer the type from the definition.
  return result as z.ZodType<T, T>
}

function convert(schema: Schema<unknown>): z.ZodType {
  const { kind, of, more } = schema as Definition
  switch (kind) {
    case 'unknown':
      return z.unknown()
    case 'string':
      return z.string()
    case 'boolean':
      return z.boolean()
    case 'number':
      return z.number()
    case 'integer':
      return z.int()
    case 'enum':
      return z.literal([...of])
    case 'optional':
      return z.optional(toZod(of))
    case 'nullable':
      return z.nullable(toZod(of))
    case 'array':
      return z.array(toZod(of))
    case 'object': {
      const fields = z.object(Object.fromEntries(Object.entries(of).map(([name, field]) => [name, toZod(field)])))
      return more === null ? fields.strict() : fields.catchall(toZod(more))
    }
    case 'union':
      // A union accepts a value that matches any alternative; only one of them applies.
      return z.union(of.map(toZod)).superRefine((value, context) => {
        const { error } = toZod(more(value)).safeParse(value)
        for (const issue of error?.issues ?? []) context.addIssue({ ...issue })
      })
    case 'rule': {
      const refined = toZod(of).superRefine((value, context) => {
        for (const { path = [], code: _, ...violation } of more.rule(value)) {
          context.addIssue({ code: 'custom', path: [...path], message: violation.message, params: violation })
        }
      })
      // JSON Schema keywords.
      return Object.keys(more.keywords).length > 0 ? refined.meta(more.keywords) : refined
    }
  }
}
