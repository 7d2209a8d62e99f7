import type * as z from 'zod/mini'
import { isSecretField, REDACTED } from '../internal/redact'
import { isValid } from './fits'
import { type Issue, issueAt } from './issue'
import type { Breach } from './rules'
import type { Schema } from './schema'

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
  return withinStack(() => (isValid(schema, value) ? [] : explain(schema, value, options)))
}

/** Returns the issues of a value that is known to be invalid. */
export function explain(schema: Schema<unknown>, value: unknown, options: CheckOptions): Issue[] {
  return withinStack(() => {
    const context: z.core.ParseContext<z.core.$ZodIssue> & { abortEarly?: boolean } = {
      abortEarly: options.onlyFirst === true,
    }
    const result = schema.safeParse(value, context)
    return result.success ? [] : result.error.issues.flatMap((issue) => translate(issue, value, options))
  })
}

/** Turns a stack overflow (deep or cyclic input) into a `too_deep` issue. */
export function withinStack(run: () => Issue[]): Issue[] {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return [issueAt([], 'too_deep', 'nested too deeply, or too many problems, to validate')]
  }
}

function translate(
  issue: z.core.$ZodIssue,
  root: unknown,
  { showValues = true, hideWhole = false, onlyFirst = false }: CheckOptions,
): Issue[] {
  const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .slice(0, onlyFirst ? 1 : undefined)
      .map((key) => issueAt([...path, key], 'unknown_field', issue.message))
  const isSecret = (hideWhole && path.length === 0) || isSecretField(path.at(-1))
  if (issue.code === 'custom') {
    // Set by `rule`; zod leaves the parameters of custom checks untyped.
    const { code, message, limit, actual } = issue.params as unknown as Breach
    const shown = isSecret && typeof actual === 'string' ? REDACTED : actual
    return [
      {
        ...issueAt(path, code, message),
        ...(limit !== undefined && { limit }),
        ...(shown !== undefined && { actual: shown }),
      },
    ]
  }

  const [code, expected] =
    issue.code === 'invalid_value'
      ? ([issue.code, alternatives(issue.values)] as const)
      : (['invalid_type', 'expected' in issue ? article(issue.expected) : 'another value'] as const)
  const found = valueAt(root, path)
  if (found === undefined) return [issueAt(path, 'required', `required: ${expected}`)]
  // Name only the type of nested values and of those that JSON cannot show.
  const isNested = found !== null && ['object', 'bigint', 'symbol', 'function'].includes(typeof found)
  const given = isNested || !showValues ? kindOf(found) : isSecret ? REDACTED : show(found)
  return [
    {
      ...issueAt(path, code, `expected ${expected}, got ${given}`),
      ...(showValues && !isNested && { actual: isSecret ? REDACTED : found }),
    },
  ]
}

function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  let value = root
  for (const key of path) value = (value as Record<string | number, unknown> | null | undefined)?.[key]
  return value
}

function alternatives(values: readonly unknown[]): string {
  const shown = values.map((value) => JSON.stringify(value))
  return shown.length === 1 ? String(shown[0]) : `one of ${shown.join(', ')}`
}

const NOUNS: Readonly<Record<string, string>> = {
  integer: 'an integer',
  object: 'an object',
  array: 'an array',
}
const article = (expected: string): string => NOUNS[expected] ?? `a ${expected}`

/** Returns a value as one short line, or its type if it is long or nested. */
function show(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return `the number ${value}`
  if (typeof value === 'string') return value.length > 40 ? 'a long string' : JSON.stringify(value)
  return kindOf(value)
}

/** Returns the type of a value in words. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
