// `visit`, the walker that validates values against schemas.
import { createIssue, formatPath, type Issue, type Violation } from '../internal/issue'
import { describeType, isObject, isPlainObject, isRootPolluted, readField, withoutPrototype } from '../internal/json'
import { isSecretName, REDACTED } from '../internal/redact'
import type { Definition, Fields, Schema } from './schema'

/** Options of {@link check}. */
export interface CheckOptions {
  /** `false` for responses: issues then name the types of values, since any value may be a secret. */
  readonly showValues?: boolean
  /** Whether to redact the root value: it may be a secret that was meant for one of its fields. */
  readonly hideWhole?: boolean
  /** Number of issues after which to stop: a large value may have millions. @default MAX_ISSUES */
  readonly maxIssues?: number
}

/** Returns the issues of `value` according to `schema`; empty if it is valid. Does not change the value. */
export function check(schema: Schema<unknown>, value: unknown, options: CheckOptions = {}): Issue[] {
  return guardStackOverflow(() => (isValid(schema, value) ? [] : explain(schema, value, options)))
}

/** Whether a value matches a schema. */
export function isValid(schema: Schema<unknown>, value: unknown): boolean {
  return visit(schema, value, null)
}

/** Returns the issues of a value that {@link isValid} rejects. */
function explain(schema: Schema<unknown>, value: unknown, options: CheckOptions): Issue[] {
  const report: Report = { issues: [], path: [], options }
  visit(schema, value, report)
  return report.issues
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

/** Receiver of the problems that {@link visit} finds. */
interface Report {
  readonly issues: Issue[]
  /** Path of the value that is visited. */
  readonly path: (string | number)[]
  readonly options: CheckOptions
}

/**
 * Whether a value matches a schema. With a report it describes the problems there; without one it stops at the first,
 * and allocates nothing: events and responses are nearly always valid.
 */
function visit(schema: Schema<unknown>, value: unknown, report: Report | null): boolean {
  // Every schema is a definition: only the functions of `schema.ts` create them.
  const { kind, of, more } = schema as Definition
  switch (kind) {
    case 'unknown':
      return true
    case 'string':
    case 'boolean':
      return typeof value === kind || reject(report, value, `a ${kind}`)
    case 'number':
      return Number.isFinite(value) || reject(report, value, expectedNumber(value))
    case 'integer':
      return Number.isSafeInteger(value) || reject(report, value, expectedNumber(value))
    case 'enum':
      return of.some((one) => one === value) || reject(report, value, formatAlternatives(of), 'invalid_value')
    case 'optional':
      return value === undefined || visit(of, value, report)
    case 'nullable': {
      if (value === null || visit(of, value, report)) return true
      const missing: { message: string } | undefined = value === undefined ? report?.issues.at(-1) : undefined
      if (missing) missing.message += ' or null'
      return false
    }
    case 'union':
      return visit(more(value), value, report)
    case 'array':
      return Array.isArray(value) ? visitItems(of, value, report) : reject(report, value, 'an array')
    case 'object':
      return isRecord(value) ? visitFields(of, more, value, report) : reject(report, value, 'an object')
    case 'rule':
      return applyRule(of, more.rule, value, report)
  }
}

function visitItems(schema: Schema<unknown>, items: readonly unknown[], report: Report | null): boolean {
  let isEveryValid = true
  // By index: `every` skips the holes of a sparse array.
  for (let index = 0; index < items.length; index++) {
    if (visitChild(schema, items[index], index, report)) continue
    isEveryValid = false
    if (isDone(report)) break
  }
  return isEveryValid
}

function visitFields(
  fields: Fields,
  rest: Schema<unknown> | null,
  value: Readonly<Record<string, unknown>>,
  report: Report | null,
): boolean {
  let isEveryValid = true
  // Without a report, a property that is not enumerable is noticed only where a value is rejected, which is then explained.
  const mayBePolluted = report !== null || isRootPolluted()
  for (const name in fields) {
    const field = fields[name]
    const isPolluted = mayBePolluted && name in Object.prototype
    const item = isPolluted ? readField(value, name) : value[name]
    if (!field || (isPolluted && !Object.hasOwn(fields, name)) || visitChild(field, item, name, report)) continue
    isEveryValid = false
    if (isDone(report)) return false
  }
  if (rest?.kind === 'unknown') return isEveryValid
  for (const name in value) {
    // Requests with this name are rejected as not serializable.
    if ((name === '__proto__' && rest) || !Object.hasOwn(value, name)) continue
    if (Object.hasOwn(fields, name) || (rest && visitChild(rest, value[name], name, report))) continue
    isEveryValid = false
    if (rest === null && report) {
      const known = Object.keys(fields).join(', ')
      report.issues.push(createIssue([...report.path, name], 'unknown_field', `unknown field; known fields: ${known}`))
    }
    if (isDone(report)) return false
  }
  return isEveryValid
}

function visitChild(schema: Schema<unknown>, value: unknown, key: string | number, report: Report | null): boolean {
  if (report === null) return visit(schema, value, null)
  report.path.push(key)
  const isChildValid = visit(schema, value, report)
  report.path.pop()
  return isChildValid
}

/** Maximum number of issues: a large value may have millions. */
export const MAX_ISSUES = 100

/** Whether the problems found so far end the check. */
function isDone(report: Report | null): boolean {
  return report === null || report.issues.length >= (report.options.maxIssues ?? MAX_ISSUES)
}

function applyRule(
  schema: Schema<unknown>,
  rule: (value: unknown) => Iterable<Violation>,
  value: unknown,
  report: Report | null,
): boolean {
  const isShapeValid = visit(schema, value, report)
  // A value of the wrong type has no fields to check.
  if (!isShapeValid && (isDone(report) || isMistyped(schema, value))) return false
  let isFollowed = true
  try {
    const own = isRootPolluted() && isRecord(value) ? withoutPrototype(value) : value
    for (const violation of rule(own)) {
      isFollowed = false
      if (report) addViolation(report, violation)
      if (isDone(report)) break
    }
  } catch (error) {
    // The issues of the fields explain it.
    if (isShapeValid) throw error
  }
  return isShapeValid && isFollowed
}

/** Whether a value is of another type than the values of a schema, whatever it contains. */
function isMistyped(schema: Schema<unknown>, value: unknown): boolean {
  // `Schema` hides its definition from users.
  const { kind, of } = schema as Definition
  if (kind === 'rule') return isMistyped(of, value)
  if (kind === 'array') return !Array.isArray(value)
  return kind !== 'object' || !isRecord(value)
}

function addViolation(report: Report, { path = [], code, message, limit, actual }: Violation): void {
  const { issues, options } = report
  const fullPath = [...report.path, ...path]
  const safeActual = typeof actual === 'string' && isSecret(fullPath, options) ? REDACTED : actual
  issues.push({
    ...createIssue(fullPath, code, message),
    ...(limit !== undefined && { limit }),
    ...(safeActual !== undefined && { actual: safeActual }),
  })
}

/** Adds the issue of a value that has another type or value than expected; returns `false`. */
function reject(report: Report | null, value: unknown, expected: string, code: Issue['code'] = 'invalid_type'): false {
  if (report === null) return false
  const { issues, options } = report
  const path = [...report.path]
  // Name only the type of nested values and of those that JSON cannot show.
  const isNested = value !== null && !/^(?:string|number|boolean)$/.test(typeof value)
  const isHidden = value !== null && isSecret(path, options)
  const isShown = options.showValues !== false && !isNested
  const actual = !isShown ? describeType(value) : isHidden ? REDACTED : formatValue(value)
  const issue =
    value === undefined
      ? createIssue(path, 'required', `required: ${expected}`)
      : createIssue(path, code, `expected ${expected}, got ${actual}`)
  issues.push({ ...issue, ...(isShown && { actual: isHidden ? REDACTED : value }) })
  return false
}

function isSecret(path: Issue['path'], { hideWhole }: CheckOptions): boolean {
  return (hideWhole === true && path.length === 0) || isSecretName(path.at(-1))
}

/** Names what is expected instead of a value, which may be `Infinity`: JSON contains numbers such as `1e999`. */
function expectedNumber(value: unknown): string {
  if (!Number.isFinite(value)) return typeof value === 'number' ? 'a finite number' : 'a number'
  return Number.isInteger(value) ? 'a safe integer' : 'an integer'
}

function formatAlternatives(values: readonly unknown[]): string {
  const literals = values.map((value) => JSON.stringify(value))
  return literals.length === 1 ? String(literals[0]) : `one of ${literals.join(', ')}`
}

/** Formats a string, a number, a boolean or `null` as one short line. */
function formatValue(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? 'a long string' : JSON.stringify(value)
  return typeof value === 'number' ? `the number ${value}` : String(value)
}

/** Returns the issues that prevent `value` from being sent as `schema` describes; empty if it is valid. */
export function checkRequest(schema: Schema<unknown>, value: unknown): Issue[] {
  return guardStackOverflow(() => {
    const issues = explain(schema, value, { hideWhole: true })
    const reported = new Set(issues.map(({ path }) => formatPath(path)))
    const others: Issue[] = []
    findNonSerializable(value, [], others)
    return [...issues, ...others.filter(({ path }) => !reported.has(formatPath(path)))]
  })
}

/** Finds values that JSON would silently change, such as a Map, a Date or a class instance, and the key `__proto__`. */
function findNonSerializable(value: unknown, path: (string | number)[], found: Issue[]): void {
  if (!isObject(value)) return
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
    if (found.length >= MAX_ISSUES) return
    const item: unknown = Reflect.get(value, key)
    if (typeof item !== 'object') continue
    path.push(key)
    findNonSerializable(item, path, found)
    path.pop()
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value)
}
