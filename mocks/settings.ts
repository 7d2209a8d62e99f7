// Checks of the options of the mock.
import {
  definitionOf,
  type Fields,
  keywordsOf,
  type OptionalSchema,
  refine,
  type Schema,
  strictObject,
  unchecked,
  type ValueOfSchema,
} from '../src/contract/schema'
import { check as validate } from '../src/contract/validate'
import { createIssue, formatIssues, type Issue } from '../src/internal/issue'
import { describeType, isObject, isPlainJson, isPlainObject, isWellFormed, readField } from '../src/internal/json'
import { type Check, createCheck, describeActual, readOptions } from '../src/internal/options'
import { type Duration, MAX_TIMER_MS, milliseconds } from './clock'

export { anyValue, type Check } from '../src/internal/options'

export type OptionChecks = Readonly<Record<string, Check>>

export interface JsonSchema {
  readonly [keyword: string]: unknown
}

/** JSON Schemas of checks; created on first use, `null` for values that JSON does not have. */
const schemas = new WeakMap<Check, () => JsonSchema | null>()

/** Returns a check with the JSON Schema of its values. */
export function withSchema(check: Check, schema: () => JsonSchema | null): Check {
  const described: Check = (name, value) => check(name, value)
  schemas.set(described, schema)
  return described
}

/** Returns the JSON Schema of the values of a check; `null` for values that JSON does not have, such as functions. */
export function schemaOf(check: Check): JsonSchema | null {
  const schema = schemas.get(check)
  return schema === undefined ? {} : schema()
}

/** Returns the schema of the values of a check, so that the control API validates as the service in process does. */
export function fromCheck<T>(check: Check): Schema<T> {
  const rule = (value: T) => check('', value).map((issue) => ({ ...issue, path: issue.path.slice(1) }))
  return refine(unchecked<T>(), rule, schemaOf(check) ?? {})
}

type OptionalKeys<F> = { [K in keyof F]: F[K] extends OptionalSchema<unknown> ? K : never }[keyof F]

/** Values of the schemas of fields. */
export type Values<F extends Fields> = {
  readonly [K in Exclude<keyof F, OptionalKeys<F>>]: ValueOfSchema<F[K]>
} & {
  readonly [K in OptionalKeys<F>]?: Exclude<ValueOfSchema<F[K]>, undefined>
}

/** Returns the schema of an object; its type is that of the schemas of the fields. */
export function fields<F extends Fields>(of: F): Schema<Values<F>> {
  // The compiler does not compare the fields of a generic type.
  return strictObject<Values<F>>()(of as never)
}

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
      return { ...convert(of), ...keywordsOf(of, more.keywords) }
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

/** Error of invalid options. Shown as a `TypeError`; the control API reports the issues one by one. */
export class OptionsError extends TypeError {
  readonly issues: readonly Issue[]

  constructor(message: string, issues: readonly Issue[]) {
    super(message)
    this.issues = issues
    // Not listed when the error is printed: the message contains them.
    Object.defineProperty(this, 'issues', { enumerable: false })
  }
}

/**
 * Throws for unknown, invalid and missing options; otherwise a typo in a test would go unnoticed. An option that is
 * `undefined` counts as omitted.
 * @param subject Function that received the options, such as `users.create`, for the message.
 * @throws TypeError with each problem: the path of the option, its value and what is allowed.
 */
export function assertOptions<T>(
  subject: string,
  options: T,
  checks: OptionChecks,
  required: readonly string[] = [],
): NonNullable<T> {
  const issues: Issue[] = []
  const read = readRequired(options, checks, required, [], issues)
  if (issues.length > 0) throw new OptionsError(`${subject}: ${formatIssues(issues).trim()}`, issues)
  return read
}

/** Adds a listener. @returns a function that removes it. */
export function addListener<T>(subject: string, listeners: Set<T>, listener: T): () => void {
  assertOptions(subject, { listener }, { listener: callback }, ['listener'])
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function nested(checks: OptionChecks, required: readonly string[] = []): Check {
  return withSchema(
    (name, value) => {
      const issues: Issue[] = []
      readRequired(value, checks, required, [name], issues)
      return issues
    },
    () => ({
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(checks).flatMap(([name, check]) => {
          const schema = schemaOf(check)
          return schema === null ? [] : [[name, schema]]
        }),
      ),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    }),
  )
}

/** Creates a check for an object whose options all have the same check. */
export function recordOf(names: readonly string[], entry: Check): Check {
  return withSchema(nested(Object.fromEntries(names.map((name) => [name, entry]))), () => ({
    type: 'object',
    propertyNames: { enum: names },
    additionalProperties: schemaOf(entry),
  }))
}

export function orNull(check: Check): Check {
  return withSchema(
    (name, value) => (value === null ? [] : check(name, value)),
    () => ({ anyOf: [schemaOf(check), { type: 'null' }] }),
  )
}

export function each(item: Check): Check {
  return withSchema(
    (name, value) =>
      Array.isArray(value)
        ? [...value].flatMap((one, index) =>
            item(name, one).map((issue) => ({ ...issue, path: [name, index, ...issue.path.slice(1)] })),
          )
        : array(name, value),
    () => ({ type: 'array', items: schemaOf(item) }),
  )
}

function readRequired<T>(
  options: T,
  checks: OptionChecks,
  required: readonly string[],
  path: readonly string[],
  issues: Issue[],
): NonNullable<T> {
  const read = readOptions(options, checks, issues, path)
  const missing = isObject(options) ? required.filter((name) => Reflect.get(read, name) === undefined) : []
  issues.push(...missing.map((name) => createIssue([...path, name], 'required', 'required')))
  return read
}

/**
 * Creates a check whose message shows the value, also a string: the settings of a test are not secret.
 * @param schema JSON Schema of its values; `null` for values that JSON does not have.
 */
export function check(expected: string, isValid: (value: unknown) => boolean, schema: JsonSchema | null = {}): Check {
  return withSchema(createCheck(expected, isValid, describeValue), () => schema)
}

export function describeValue(value: unknown): string {
  if (typeof value === 'string' && !isWellFormed(value)) return 'one with a lone surrogate'
  if (typeof value === 'string') return value.length > 60 ? 'a long string' : JSON.stringify(value)
  if (!isObject(value) || Array.isArray(value) || isPlainObject(value)) return describeActual(value)
  return `an instance of ${value.constructor?.name ?? 'a class'}`
}

const isText = (value: unknown): value is string => typeof value === 'string' && isWellFormed(value)
const isNonEmpty = (value: unknown) => value !== '' && isText(value)

const NON_EMPTY: JsonSchema = { type: 'string', minLength: 1 }

export const boolean = check('true or false', (value) => typeof value === 'boolean', { type: 'boolean' })
export const callback = check('a function', (value) => typeof value === 'function', null)
export const string = check('a non-empty string', isNonEmpty, NON_EMPTY)
export const stringOrNull = check('a string or null', (value) => value === null || isText(value), {
  type: ['string', 'null'],
})
/** A string that is only compared with others. */
export const text = check('a string', (value) => typeof value === 'string', { type: 'string' })
export const literalTrue = check('true', (value) => value === true, { const: true })
/** A value that JSON can represent completely, at every depth. */
export const json = withSchema(
  (name, value) => jsonIssues(value, [name]),
  () => ({}),
)
export const array = check('an array', Array.isArray, { type: 'array' })

/** A non-empty string that is not shown in messages. */
export const secret = withSchema(createCheck('a non-empty string', isNonEmpty, describeType), () => NON_EMPTY)

/** A token that a header can contain, not shown in messages. */
export const headerToken = createCheck(
  'one or more visible ASCII characters without spaces',
  (value) => typeof value === 'string' && /^[!-~]+$/.test(value),
  (value) => (typeof value !== 'string' ? describeType(value) : value === '' ? 'an empty string' : 'others'),
)

export function oneOf(...values: readonly (string | number)[]): Check {
  return check(values.map(describeValue).join(' or '), (value) => values.some((allowed) => allowed === value), {
    enum: values,
  })
}

/** A record with an ID, or the ID. */
export const reference = (what: string): Check =>
  check(`${what} or the ID of one`, (value) => typeof (isObject(value) ? readField(value, 'id') : value) === 'string', {
    type: 'string',
  })

/** A value of a schema of the contract, or of a field of its objects; a part that the schema leaves open must be JSON, too. */
export function matches(schema: Schema<unknown>, field?: string): Check {
  return withSchema(
    (name, value) => {
      const issues = validate(schema, field === undefined ? value : { [field]: value })
      const skip = field === undefined ? 0 : 1
      if (issues.length === 0) return jsonIssues(value, [name])
      return issues.map((issue) => ({ ...issue, path: [name, ...issue.path.slice(skip)] }))
    },
    () => ({
      ...Object(field === undefined ? toJsonSchema(schema) : readField(toJsonSchema(schema).properties, field)),
    }),
  )
}

export function integer(min: number, max: number): Check {
  return check(
    `an integer from ${min} to ${max}`,
    (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
    { type: 'integer', minimum: min, maximum: max },
  )
}

export function count(min: number): Check {
  return check(
    `an integer of at least ${min}, or Infinity`,
    (value) => value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && Number(value) >= min),
    { type: 'integer', minimum: min },
  )
}

/** A {@link Duration} of `min` to `max` milliseconds. */
export function duration(max = Number.POSITIVE_INFINITY, min = 0): Check {
  const isLimited = max !== Number.POSITIVE_INFINITY
  const limit = `${min > 0 ? `, at least ${min} ms` : ''}${isLimited ? `, at most ${max} ms` : ''}`
  return check(
    `milliseconds or a string such as "30s", "5m" or "2d"${limit}`,
    (value) => {
      if (typeof value !== 'number' && typeof value !== 'string') return false
      try {
        // Throws for strings that are not a duration.
        const length = milliseconds(value as Duration)
        return length >= min && length <= max
      } catch {
        return false
      }
    },
    {
      anyOf: [
        { type: 'number', minimum: min, ...(isLimited && { maximum: max }) },
        { type: 'string', pattern: '^\\d+(\\.\\d+)?(ms|s|m|h|d)$' },
      ],
    },
  )
}

export function omitUndefined<T extends object>(options: T): T {
  // Only optional properties can be `undefined`.
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T
}

const noHeaders = check('an object of header names and values', () => false)
const OF_CONNECTION = /^(?:connection|content-length|keep-alive|trailer|transfer-encoding|upgrade)$/i

function headerProblem(name: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return `expected a string, got ${describeValue(value)}`
  if (OF_CONNECTION.test(name)) return 'expected another header: the server sets those of the connection'
  try {
    // Validates the name and the value.
    new Headers([[name, value]])
    return undefined
  } catch {
    return 'expected a header name, and a value of printable characters in one line'
  }
}

/** Names and values of headers other than those that the connection itself sets. */
export const headers = withSchema(
  (name, value) => {
    if (!isObject(value) || !isPlainObject(value)) return noHeaders(name, value)
    return Object.entries(value).flatMap(([header, text]) => {
      const problem = headerProblem(header, text)
      return problem === undefined ? [] : [createIssue([name, header], 'invalid_value', problem)]
    })
  },
  () => ({ type: 'object', additionalProperties: { type: 'string' } }),
)

export const isRange = (delay: unknown): delay is readonly [Duration, Duration] => Array.isArray(delay)

const single = duration(MAX_TIMER_MS)
/** A delay of at most as long as a timer, or a range of two. */
export const delay = withSchema(
  (name, value) => {
    if (!isRange(value)) return single(name, value)
    const isValid = value.length === 2 && value.every((one) => single(name, one).length === 0)
    if (isValid && milliseconds(value[0]) <= milliseconds(value[1])) return []
    return [createIssue([name], 'invalid_value', 'expected a duration, or a range of two, such as ["100ms", "2s"]')]
  },
  () => ({ anyOf: [schemaOf(single), { type: 'array', items: schemaOf(single), minItems: 2, maxItems: 2 }] }),
)

/** Maximum number of objects around a value. */
const MAX_DEPTH = 100

/** Returns the issues of parts of a value that JSON cannot represent. */
export function jsonIssues(value: unknown, path: Issue['path'] = [], around: readonly object[] = []): Issue[] {
  if (!isObject(value) && isPlainJson(value)) return []
  const isPlain = isObject(value) && (Array.isArray(value) || isPlainObject(value))
  const isCycle = isObject(value) && around.includes(value)
  if (isPlain && !isCycle && around.length <= MAX_DEPTH) {
    // JSON omits fields that are undefined, but not items.
    const parts: Iterable<[string | number, unknown]> = Array.isArray(value)
      ? value.entries()
      : Object.entries(value).filter(([, part]) => part !== undefined)
    return [...parts].flatMap(([key, part]) => jsonIssues(part, [...path, key], [...around, value]))
  }
  const deep = isCycle ? 'an object that contains itself' : `an object in more than ${MAX_DEPTH} others`
  const message = `expected a value that JSON can represent, got ${isPlain ? deep : describeValue(value)}`
  return [createIssue(path, 'invalid_type', message)]
}
