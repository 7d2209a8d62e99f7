import type * as z from 'zod/mini'
import { integer, type Schema } from './schema'

type Judge = (value: unknown) => boolean

/** What each schema has become; a schema may contain itself, so this is filled as values need it. */
const judges = /*@__PURE__*/ new WeakMap<z.core.$ZodType, Judge>([[integer, (value) => Number.isSafeInteger(value)]])

/**
 * Whether a value is what a schema describes, without a copy of it and without a word of why it is not. Nearly every answer
 * is, and most of what it costs zod to say so is the copy: a list of a thousand is judged six times as fast here.
 */
export function fits(schema: Schema<unknown>, value: unknown): boolean {
  return judgeOf(schema)(value)
}

function judgeOf(schema: z.core.$ZodType): Judge {
  const judge = judges.get(schema) ?? newJudge(schema)
  judges.set(schema, judge)
  return judge
}

/** What is not one of the plain kinds, or has rules, is zod's to judge. */
function newJudge(schema: z.core.$ZodType): Judge {
  // Every schema is one of the kinds that zod lists; the type that they share does not say so.
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.checks === undefined) {
    if (def.type === 'unknown') return () => true
    if (def.type === 'string' || def.type === 'boolean') return (value) => typeof value === def.type
    if (def.type === 'array') return listJudge(def.element)
    if (def.type === 'object' && def.catchall?._zod.def.type === 'unknown') return objectJudge(def.shape)
    if (def.type === 'nullable' || def.type === 'optional') {
      const empty = def.type === 'nullable' ? null : undefined
      const inner = judgeOf(def.innerType)
      return (value) => value === empty || inner(value)
    }
  }
  return (value) => {
    const result = schema._zod.run({ value, issues: [] }, {})
    return 'issues' in result && result.issues.length === 0
  }
}

function listJudge(element: z.core.$ZodType): Judge {
  const item = judgeOf(element)
  return (value) => {
    if (!Array.isArray(value)) return false
    // By index: `every` passes over what a list leaves out.
    for (let index = 0; index < value.length; index++) if (!item(value[index])) return false
    return true
  }
}

/** Fields that have no name in the shape may be anything. */
function objectJudge(shape: z.core.$ZodShape): Judge {
  let fields: { name: string; judge: Judge; mayBeAbsent: boolean }[] | undefined
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    // A shape may lead back to its own schema, whose judge is known only by now.
    fields ??= Object.entries(shape).map(([name, schema]) => {
      return { name, judge: judgeOf(schema), mayBeAbsent: schema._zod.optin !== undefined }
    })
    for (const { name, judge, mayBeAbsent } of fields) {
      const field: unknown = Reflect.get(value, name)
      if (field === undefined ? !mayBeAbsent : !judge(field)) return false
    }
    return true
  }
}
