import type * as z from 'zod/mini'
import { createIssue, formatPath, type Issue, type Violation } from '../internal/issue'
import { describeType, isPlainJson, isPlainObject } from '../internal/json'
import { isSecretField, REDACTED } from '../internal/redact'
import { integer, refine, type Schema, unchecked } from './schema'

/** Options of {@link check}. */
export interface CheckOptions {
  /** `false` for responses: issues then name the types of values, since any value may be a secret. */
  readonly showValues?: boolean
  /** Whether to redact the root value: it may be a secret that was meant for one of its fields. */
  readonly hideWhole?: boolean
  /** Whether to stop at the first invalid value: a large response may have millions. */
  readonly onlyFirst?: boolean
}

/** Returns the issues of `value` according to `schema`; empty if it is valid. Does not change the value. */
export function check(schema: Schema<unknown>, value: unknown, options: CheckOptions = {}): Issue[] {
  return guardStackOverflow(() => (isValid(schema, value) ? [] : explain(schema, value, options)))
}

/** Returns the issues of a value that {@link isValid} rejects. */
function explain(schema: Schema<unknown>, value: unknown, options: CheckOptions): Issue[] {
  const context: z.core.ParseContext<z.core.$ZodIssue> & { abortEarly?: boolean } = {
    abortEarly: options.onlyFirst === true,
  }
  const result = schema.safeParse(value, context)
  return result.success ? [] : result.error.issues.flatMap((issue) => convertIssue(issue, value, options))
}

/** Turns a stack overflow (deep or cyclic input) into a `too_deep` issue. */
function guardStackOverflow(run: () => Issue[]): Issue[] {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return [createIssue([], 'too_deep', 'nested too deeply, or too many problems, to validate')]
  }
}

/** Converts an issue of zod to issues of ours. */
function convertIssue(
  issue: z.core.$ZodIssue,
  root: unknown,
  { showValues = true, hideWhole = false, onlyFirst = false }: CheckOptions,
): Issue[] {
  const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .slice(0, onlyFirst ? 1 : undefined)
      .map((key) => createIssue([...path, key], 'unknown_field', issue.message))
  const isSecret = (hideWhole && path.length === 0) || isSecretField(path.at(-1))
  if (issue.code === 'custom') {
    // Set by `refine`; zod leaves the parameters of custom checks untyped.
    const { code, message, limit, actual } = issue.params as unknown as Violation
    const safeActual = isSecret && typeof actual === 'string' ? REDACTED : actual
    return [
      {
        ...createIssue(path, code, message),
        ...(limit !== undefined && { limit }),
        ...(safeActual !== undefined && { actual: safeActual }),
      },
    ]
  }

  const [code, expected] =
    issue.code === 'invalid_value'
      ? ([issue.code, formatAlternatives(issue.values)] as const)
      : (['invalid_type', 'expected' in issue ? withArticle(issue.expected) : 'another value'] as const)
  const found = valueAt(root, path)
  if (found === undefined) return [createIssue(path, 'required', `required: ${expected}`)]
  // Name only the type of nested values and of those that JSON cannot show.
  const isNested = found !== null && ['object', 'bigint', 'symbol', 'function'].includes(typeof found)
  const actual = isNested || !showValues ? describeType(found) : isSecret ? REDACTED : formatValue(found)
  return [
    {
      ...createIssue(path, code, `expected ${expected}, got ${actual}`),
      ...(showValues && !isNested && { actual: isSecret ? REDACTED : found }),
    },
  ]
}

function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  let value = root
  for (const key of path) value = (value as Record<string | number, unknown> | null | undefined)?.[key]
  return value
}

function formatAlternatives(values: readonly unknown[]): string {
  const literals = values.map((value) => JSON.stringify(value))
  return literals.length === 1 ? String(literals[0]) : `one of ${literals.join(', ')}`
}

const NOUNS: Readonly<Record<string, string>> = {
  integer: 'an integer',
  object: 'an object',
  array: 'an array',
}

const withArticle = (expected: string): string => NOUNS[expected] ?? `a ${expected}`

/** Formats a value as one short line, or its type if it is long or nested. */
function formatValue(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return `the number ${value}`
  if (typeof value === 'string') return value.length > 40 ? 'a long string' : JSON.stringify(value)
  return describeType(value)
}

/** Maximum number of nested values to report all issues of; of a larger value, only the first issue is reported. */
const MAX_VALUES = 20_000

/** Returns the issues that prevent `value` from being sent as `schema` describes; empty if it is valid. */
export function checkRequest(schema: Schema<unknown>, value: unknown): Issue[] {
  let isPlain = false
  let isSendable = false
  // A stack overflow here is reported below.
  guardStackOverflow(() => {
    isPlain = isPlainJson(value)
    isSendable = isPlain && isValid(schema, value)
    return []
  })
  if (isSendable) return []
  const onlyFirst = isLarge(value)
  const options = { hideWhole: true, onlyFirst }
  if (isPlain) return guardStackOverflow(() => explain(schema, value, options))
  const issues = check(schema, value, options)
  if ((onlyFirst && issues.length > 0) || issues.some(({ code }) => code === 'too_deep')) return issues
  const nonSerializable: Issue[] = []
  const tooDeep = guardStackOverflow(() => {
    findNonSerializable(value, [], nonSerializable, onlyFirst ? 1 : MAX_VALUES)
    return []
  })
  const reported = new Set(issues.map(({ path }) => formatPath(path)))
  const others = tooDeep.length > 0 ? tooDeep : nonSerializable
  return [...issues, ...others.filter(({ path }) => !reported.has(formatPath(path)))]
}

/** Whether a value contains more than {@link MAX_VALUES} values, as every cyclic value does. */
function isLarge(root: unknown): boolean {
  const pending = [root]
  for (let visited = 0; pending.length > 0; visited++) {
    const value = pending.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const item of Object.values(value)) {
      if (visited + pending.length > MAX_VALUES) return true
      pending.push(item)
    }
  }
  return false
}

/** Finds values that JSON would silently change, such as a Map, a Date or a class instance, and the key `__proto__`. */
function findNonSerializable(value: unknown, path: (string | number)[], found: Issue[], max: number): void {
  if (typeof value !== 'object' || value === null) return
  const isArray = Array.isArray(value)
  const problem =
    !isArray && !isPlainObject(value)
      ? 'expected a plain object, such as a literal'
      : path.at(-1) === '__proto__' && 'not a valid field name'
  if (problem) {
    found.push(createIssue([...path], 'invalid_type', problem))
    return
  }
  for (const key of isArray ? value.keys() : Object.keys(value)) {
    if (found.length >= max) return
    const item: unknown = Reflect.get(value, key)
    if (typeof item !== 'object') continue
    path.push(key)
    findNonSerializable(item, path, found, max)
    path.pop()
  }
}

/** Makes zod stop at the first problem. */
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
  const predicate = predicates.get(schema) ?? createPredicate(schema)
  predicates.set(schema, predicate)
  return predicate
}

/** Creates the predicate of a schema. Schemas with checks, and types not listed here, are validated by zod. */
function createPredicate(schema: z.core.$ZodType): Predicate {
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

/** Compiles an object. Fields that are not in the shape may have any value, or are invalid if `isStrict`. */
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
      const item = value[name]
      if (item === undefined) continue
      if (!field.isValid(item)) return false
      if (field.isRequired) missing--
    }
    return missing === 0
  }
}

/** Returns the schema of a field, if it is present. */
function withoutOptional(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod
  return def.type === 'optional' ? def.innerType : schema
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the schema of a union; `select` returns the schema to validate a value by, one of `anyOf`. */
// @__NO_SIDE_EFFECTS__
export function union<T>(anyOf: readonly object[], select: (value: unknown) => Schema<unknown>): Schema<T> {
  return refine(unchecked<T>(), (value) => check(select(value), value), { anyOf })
}
