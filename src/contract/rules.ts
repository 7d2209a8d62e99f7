import { check } from './check'
import type { IssueCode } from './issue'
import { checked, readonlyArray, type Schema, string, unchecked } from './schema'
import { characters, sizeBreach } from './size'

/** What a rule says of a value that breaks it. */
export interface Breach {
  readonly path?: readonly (string | number)[]
  readonly code: IssueCode
  readonly message: string
  readonly limit?: number
  readonly actual?: unknown
}

/**
 * Adds a rule that types cannot express, or that spans fields, to a schema. Where it trips over fields that have failed,
 * their issues stand for themselves.
 */
// @__NO_SIDE_EFFECTS__
export function rule<T>(schema: Schema<T>, breaches: (value: T) => Iterable<Breach>, facts = {}): Schema<T> {
  return checked(
    schema,
    ({ value, issues }) => {
      // What is of another kind altogether has no parts to judge.
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

/** One of several schemas, as `choose` says of the value. */
// @__NO_SIDE_EFFECTS__
export function choice<T>(either: readonly object[], choose: (value: unknown) => Schema<unknown>): Schema<T> {
  return rule(unchecked<T>(), (value) => check(choose(value), value), { either })
}

/** The least and the most that a size may be, both allowed. */
export interface Bounds {
  readonly min?: number
  readonly max?: number
}

/** A text whose length in code points is within bounds. */
// @__NO_SIDE_EFFECTS__
export function text(bounds: Bounds): Schema<string> {
  return sized(string, 'characters', bounds, characters)
}

/** A list whose length is within bounds. */
// @__NO_SIDE_EFFECTS__
export function list<T>(item: Schema<T>, bounds: Bounds): Schema<readonly T[]> {
  return sized(readonlyArray(item), 'items', bounds, ({ length }) => length)
}

// @__NO_SIDE_EFFECTS__
function sized<T>(schema: Schema<T>, unit: string, bounds: Bounds, sizeOf: (value: T) => number): Schema<T> {
  const { min: minimum, max: maximum } = bounds
  return rule(schema, (value) => sizeBreach(sizeOf(value), unit, bounds), { minimum, maximum })
}

/** A text of a given form. */
// @__NO_SIDE_EFFECTS__
export function formatted(isValid: (value: string) => boolean, form: string): Schema<string> {
  return rule(string, function* (value) {
    if (!isValid(value)) yield { code: 'invalid_format', message: `expected ${form}`, actual: value }
  })
}

/**
 * Whether JSON carries the parts of a value unchanged; that objects are plain is checked everywhere. A value that contains
 * itself ends in a RangeError, as any too deep one.
 */
export function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return false
  if (Array.isArray(value)) return value.every(isJson)
  return Object.values(value).every(isJson)
}
