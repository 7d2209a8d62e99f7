import { check } from './check'
import type { IssueCode } from './issue'
import { checked, readonlyArray, type Schema, string, unchecked } from './schema'
import { characters, sizeBreach } from './size'

/** Violation of a rule. */
export interface Breach {
  readonly path?: readonly (string | number)[]
  readonly code: IssueCode
  readonly message: string
  readonly limit?: number
  readonly actual?: unknown
}

/**
 * Adds a rule to a schema that types cannot express, or that spans fields. An exception of the rule is ignored if
 * fields were invalid already: their issues explain it.
 */
// @__NO_SIDE_EFFECTS__
export function rule<T>(schema: Schema<T>, breaches: (value: T) => Iterable<Breach>, facts = {}): Schema<T> {
  return checked(
    schema,
    ({ value, issues }) => {
      // A value of the wrong type has no fields to check.
      if (issues.some(({ code, path = [] }) => code === 'invalid_type' && path.length === 0)) return
      const shapeFits = issues.length === 0
      try {
        for (const { path = [], ...params } of breaches(value)) {
          issues.push({ code: 'custom', path: [...path], message: params.message, params, input: value })
        }
      } catch (error) {
        if (shapeFits) throw error
      }
    },
    facts,
  )
}

/** Returns a union whose schema `choose` selects by the value. */
// @__NO_SIDE_EFFECTS__
export function choice<T>(either: readonly object[], choose: (value: unknown) => Schema<unknown>): Schema<T> {
  return rule(unchecked<T>(), (value) => check(choose(value), value), { either })
}

/** Minimum and maximum of a size, inclusive. */
export interface Bounds {
  readonly min?: number
  readonly max?: number
}

/** Returns the schema of a string whose length in code points is within bounds. */
// @__NO_SIDE_EFFECTS__
export function text(bounds: Bounds): Schema<string> {
  return sized(string, 'characters', bounds, characters)
}

/** Returns the schema of an array whose length is within bounds. */
// @__NO_SIDE_EFFECTS__
export function list<T>(item: Schema<T>, bounds: Bounds): Schema<readonly T[]> {
  return sized(readonlyArray(item), 'items', bounds, ({ length }) => length)
}

// @__NO_SIDE_EFFECTS__
function sized<T>(schema: Schema<T>, unit: string, bounds: Bounds, sizeOf: (value: T) => number): Schema<T> {
  const { min: minimum, max: maximum } = bounds
  return rule(schema, (value) => sizeBreach(sizeOf(value), unit, bounds), { minimum, maximum })
}

/** Returns the schema of a string in a given format. */
// @__NO_SIDE_EFFECTS__
export function formatted(isValid: (value: string) => boolean, form: string): Schema<string> {
  return rule(string, function* (value) {
    if (!isValid(value)) yield { code: 'invalid_format', message: `expected ${form}`, actual: value }
  })
}

/**
 * Whether JSON preserves the parts of a value; plain objects are checked elsewhere. Throws a RangeError if the value is
 * cyclic or too deep.
 */
export function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return false
  if (Array.isArray(value)) return value.every(isJson)
  return Object.values(value).every(isJson)
}
