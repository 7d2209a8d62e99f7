import * as z from 'zod/v4'
import * as core from 'zod/v4/core'
import { definitionOf, keywordsOf, type Schema } from '../contract/schema'

/** Zod schema of a field that may be absent; `undefined` counts as absent. */
export interface ZodOptionalField<T, Unset extends undefined = never> extends z.ZodOptional<z.ZodType<T, T>> {
  /** Zod's internals. */
  _zod: ZodOptionalFieldInternals<T, Unset>
}

/** Internals of a {@link ZodOptionalField}. In types, its value is `undefined` only if it is in the API. */
export interface ZodOptionalFieldInternals<T, Unset extends undefined = never>
  extends core.$ZodOptionalInternals<z.ZodType<T, T>> {
  /** Type of the parsed value. */
  output: T | Unset
  /** Type of the value to parse. */
  input: T | Unset
}

/** Zod schema of the API `T`: its `z.infer` is `T`, and `shape`, `pick`, `omit` and `extend` know its fields. */
export type ZodObjectOf<T> = z.ZodObject<
  {
    // biome-ignore lint/complexity/noBannedTypes: `{}` is assignable to an object with only optional keys
    [K in keyof T as string extends K ? never : K]-?: {} extends Pick<T, K>
      ? ZodOptionalField<Exclude<T[K], undefined>, Extract<Required<T>[K], undefined>>
      : z.ZodType<T[K], T[K]>
  },
  string extends keyof T ? core.$loose : core.$strict
>

/** Converts the schema of an object. */
export function toZodObject<T extends object>(schema: Schema<T>): ZodObjectOf<T> {
  // The schema of an interface is an object, with or without a rule, and Zod returns the same class for both.
  return toZod(schema) as z.ZodType as ZodObjectOf<T>
}

/** Created schemas, `null` while they are created. A schema that is used in several places is converted once. */
const converted = new WeakMap<object, z.ZodType | null>()

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
  const { kind, of, more } = definitionOf(schema)
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
      return new SelectedUnion({ type: 'union', options: of.map(toZod), select: more })
    case 'rule': {
      const refined = toZod(of).superRefine((value, context) => {
        for (const { path = [], message, code, limit } of more.rule(value)) {
          context.addIssue({ code: 'custom', path: [...path], message, params: { code, limit } })
        }
      })
      // JSON Schema keywords.
      return Object.keys(more.keywords).length > 0 ? refined.meta(keywordsOf(of, more.keywords)) : refined
    }
  }
}

interface SelectedUnionDefinition extends core.$ZodUnionDef {
  readonly select: (value: unknown) => Schema<unknown>
}

interface SelectedUnion extends z.ZodType {
  readonly _zod: core.$ZodTypeInternals & { def: SelectedUnionDefinition }
}

/**
 * A union that checks a value by the alternative that applies to it, so that issues are those of this alternative.
 * `z.union` accepts a value that matches any of them, and else only reports that it matches none.
 */
const SelectedUnion = core.$constructor<SelectedUnion, SelectedUnionDefinition>(
  'SelectedUnion',
  (schema, definition) => {
    // `init` makes it a union.
    z.ZodUnion.init(schema as core.$ZodType as z.ZodUnion, definition)
    schema._zod.parse = (payload, context) => toZod(definition.select(payload.value))._zod.run(payload, context)
  },
)
