import type * as z from 'zod/mini'
import { integer, type Schema } from './schema'

/** Stops at the first problem. */
const FIRST_ONLY: z.core.ParseContextInternal & { abortEarly: boolean } = { abortEarly: true }

type Predicate = (value: unknown) => boolean

/** Compiled schemas. Filled on first use, because a schema may be recursive. */
const predicates = /*@__PURE__*/ new WeakMap<z.core.$ZodType, Predicate>([
  [integer, (value) => Number.isSafeInteger(value)],
])

/**
 * Whether a value matches a schema. Faster than zod, which clones values and collects issues: events and responses are
 * nearly always valid, and this takes a tenth of the time.
 */
export function isValid(schema: Schema<unknown>, value: unknown): boolean {
  return compile(schema)(value)
}

/** Returns {@link isValid} for one schema, for values that arrive in large numbers. */
export function compile(schema: z.core.$ZodType): Predicate {
  const predicate = predicates.get(schema) ?? compileNew(schema)
  predicates.set(schema, predicate)
  return predicate
}

/** Delegates schemas with checks, and types not listed here, to zod. */
function compileNew(schema: z.core.$ZodType): Predicate {
  // Every schema is one of the types in this union; their base type does not state it.
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.checks === undefined) {
    if (def.type === 'unknown') return () => true
    if (def.type === 'string') return (value) => typeof value === 'string'
    if (def.type === 'boolean') return (value) => typeof value === 'boolean'
    if (def.type === 'array') return compileArray(def.element)
    const rest = def.type === 'object' && def.catchall?._zod.def.type
    if (def.type === 'object' && (rest === 'unknown' || rest === 'never'))
      return compileObject(def.shape, rest === 'never')
    if (def.type === 'nullable' || def.type === 'optional') {
      const empty = def.type === 'nullable' ? null : undefined
      const inner = compile(def.innerType)
      return (value) => value === empty || inner(value)
    }
  }
  return (value) => {
    const result = schema._zod.run({ value, issues: [] }, FIRST_ONLY)
    return 'issues' in result && result.issues.length === 0
  }
}

function compileArray(element: z.core.$ZodType): Predicate {
  const isItem = compile(element)
  return (value) => {
    if (!Array.isArray(value)) return false
    // By index: `every` skips the holes of a sparse array.
    for (let index = 0; index < value.length; index++) if (!isItem(value[index])) return false
    return true
  }
}

interface Field {
  readonly name: string
  readonly isValid: Predicate
  readonly isRequired: boolean
}

/** Accepts any value in fields that are not in the shape, or none if strict. */
function compileObject(shape: z.core.$ZodShape, isStrict: boolean): Predicate {
  let fields: Map<string, Field> | undefined
  let required = 0
  /** Fields in the order of the last object. Most objects share one order, which saves a lookup. */
  const order: Field[] = []
  return (value) => {
    if (!isRecord(value)) return false
    if (fields === undefined) {
      // Deferred to the first value: a shape may refer to its own schema.
      const entries = Object.entries(shape).map(([name, schema]): [string, Field] => {
        return [name, { name, isValid: compile(withoutOptional(schema)), isRequired: schema._zod.optin === undefined }]
      })
      fields = new Map(entries)
      required = entries.filter(([, { isRequired }]) => isRequired).length
    }
    let missing = required
    let index = 0
    for (const name in value) {
      let field = order[index]
      if (field?.name !== name) {
        field = fields.get(name)
        if (field === undefined && isStrict) return false
        if (field === undefined) continue
        order[index] = field
      }
      index++
      const part = value[name]
      if (part === undefined) continue
      if (!field.isValid(part)) return false
      if (field.isRequired) missing--
    }
    return missing === 0
  }
}

/** Returns the schema of a field that is present. */
function withoutOptional(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod
  return def.type === 'optional' ? def.innerType : schema
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
