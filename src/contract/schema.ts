import * as z from 'zod/mini'
import { type Bounds, checkLength, countCharacters, type Violation } from '../internal/issue'

/** Runtime schema of `T`. Editors and `.d.ts` files show `Schema<T>`, not the types of the library behind it. */
export type Schema<T> = z.ZodMiniType<T, T>

/** Values of an enumeration object. */
export type ValueOf<E> = E[keyof E]

/** Enumeration in a response: editors complete the known values, and values added later are accepted. */
export type Open<T extends string | number> = T | (T extends string ? string & {} : number & {})

/** Schemas of the fields of `T`, by key. */
type Shape<T> = {
  // biome-ignore lint/complexity/noBannedTypes: `{}` is assignable to an object with only optional keys
  readonly [K in keyof T]-?: {} extends Pick<T, K> ? z.ZodMiniOptional<Schema<Exclude<T[K], undefined>>> : Schema<T[K]>
}

/** `S` without keys that `T` does not have, and with schemas no narrower than the fields of `T`. */
type Exact<T, S> = {
  readonly [K in keyof S]: K extends keyof T
    ? [T[K]] extends [z.output<S[K]> | undefined]
      ? S[K]
      : { readonly narrowerThan: T[K] }
    : never
}

// The casts in this file avoid casts elsewhere: they convert the type inferred by zod to the documented interface,
// after `Shape` and `Exact` have compared both key by key, or to a type that the function itself guarantees.

export const string: Schema<string> = /*@__PURE__*/ z.string()

/** Schema of a number that may have a fraction. */
export const number: Schema<number> = /*@__PURE__*/ z.number()

/** Schema of a safe integer. Not `z.int`, which would add the ranges of all number formats to the bundle. */
export const integer: Schema<number> = /*@__PURE__*/ withCheck(
  number,
  ({ value, issues }) => {
    if (issues.length > 0 || Number.isSafeInteger(value)) return
    const expected = Number.isInteger(value) ? 'safe integer' : 'integer'
    issues.push({ code: 'invalid_type', expected, input: value } as z.core.$ZodRawIssue)
  },
  { format: 'safeint' },
)

export const boolean: Schema<boolean> = /*@__PURE__*/ z.boolean()

/** Returns the schema of a field that may be absent. */
// @__NO_SIDE_EFFECTS__
export function optional<T>(schema: Schema<T>): z.ZodMiniOptional<Schema<T>> {
  return z.optional(schema)
}

/** Returns the schema of a value or `null`. */
// @__NO_SIDE_EFFECTS__
export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  return z.nullable(schema)
}

/**
 * Returns the schema of a response object, tied to its interface: a missing or extra key does not compile, nor does one
 * whose type, optionality or nullability differs. Undocumented fields are accepted.
 */
// @__NO_SIDE_EFFECTS__
export function looseObject<T>(): <S extends Shape<T>>(shape: S & Exact<T, S>) => Schema<T> {
  return (shape) => createObject(shape, unchecked())
}

/** {@link looseObject} for requests: undocumented fields are rejected. */
// @__NO_SIDE_EFFECTS__
export function strictObject<T>(): <S extends Shape<T>>(shape: S & Exact<T, S>) => Schema<T> {
  return (shape) =>
    createObject(shape, z.never(), () => `unknown field; known fields: ${Object.keys(shape).join(', ')}`)
}

/** `T` without its index signature. */
type NamedFields<T> = { [K in keyof T as string extends K ? never : K]: T[K] }

/** {@link looseObject} for an interface with an index signature; only its named fields are compared. */
// @__NO_SIDE_EFFECTS__
export function openObject<T>(): <S extends Shape<NamedFields<T>>>(shape: S & Exact<NamedFields<T>, S>) => Schema<T> {
  return (shape) => createObject(shape, unchecked())
}

/** Object whose fields the interface document does not show; all are kept. */
export interface OpenObject {
  /** Field not shown in the interface document. */
  [field: string]: unknown
}
export const OpenObjectSchema: Schema<OpenObject> = /*@__PURE__*/ openObject<OpenObject>()({})

/** Returns the schema of an object with arbitrary keys. */
// @__NO_SIDE_EFFECTS__
export function record<V>(value: Schema<V>): Schema<Record<string, V>> {
  return createObject({}, value)
}

/** Returns the schema of an object; `rest` is the schema of its other fields. */
function createObject<T>(shape: z.core.$ZodShape, rest: z.core.$ZodType, error?: () => string): Schema<T> {
  return new z.ZodMiniObject({ type: 'object', shape, catchall: rest, error }) as unknown as Schema<T>
}

/** Merges two objects in a call that bundlers can remove, unlike a spread, which may have side effects. */
// @__NO_SIDE_EFFECTS__
export function merge<A extends object, B extends object>(first: A, second: B): A & B {
  return { ...first, ...second }
}

/** Returns the schema of an enumeration in a response: any string or integer, since the service may add values. */
// @__NO_SIDE_EFFECTS__
export function open<T extends Open<string | number>>(kind: T extends string ? 'string' : 'integer'): Schema<T> {
  return (kind === 'string' ? string : integer) as unknown as Schema<T>
}

/** Returns the schema of an enumeration in a request: only the documented values and `more`. */
export function oneOf<const V extends string | number>(values: Readonly<Record<string, V>>): Schema<V>
export function oneOf<const V extends number>(values: Readonly<Record<string, V>>, more: V): Schema<V>
// @__NO_SIDE_EFFECTS__
export function oneOf(values: Readonly<Record<string, string | number>>, ...more: number[]): Schema<string | number> {
  return z.literal([...more, ...Object.values(values)]) as unknown as Schema<string | number>
}

/** Returns the schema of an array of any length. */
// @__NO_SIDE_EFFECTS__
export function array<T>(item: Schema<T>): Schema<T[]> {
  return z.array(item) as unknown as Schema<T[]>
}

/** {@link array} for requests, which may contain readonly arrays. */
// @__NO_SIDE_EFFECTS__
export function readonlyArray<T>(item: Schema<T>): Schema<readonly T[]> {
  return array(item) as unknown as Schema<readonly T[]>
}

/** `T`, deeply readonly. */
export type Immutable<T> = T extends string | number
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Immutable<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: Immutable<T[K]> }
      : T

/** Returns a schema that accepts deeply readonly values. */
// @__NO_SIDE_EFFECTS__
export function immutable<T>(schema: Schema<T>): Schema<Immutable<T>> {
  return schema as unknown as Schema<Immutable<T>>
}

/** Returns a schema that accepts any value; combine it with {@link refine}. */
// @__NO_SIDE_EFFECTS__
export function unchecked<T>(): Schema<T> {
  return z.unknown() as unknown as Schema<T>
}

/**
 * Adds a rule to a schema that types cannot express, or that spans fields. An exception of the rule is ignored if
 * fields were invalid already: their issues explain it. `keywords` are added to the JSON Schema.
 */
// @__NO_SIDE_EFFECTS__
export function refine<T>(schema: Schema<T>, rule: (value: T) => Iterable<Violation>, keywords = {}): Schema<T> {
  return withCheck(
    schema,
    ({ value, issues }) => {
      // A value of the wrong type has no fields to check.
      if (issues.some(({ code, path = [] }) => code === 'invalid_type' && path.length === 0)) return
      const isShapeValid = issues.length === 0
      try {
        for (const { path = [], ...params } of rule(value)) {
          issues.push({ code: 'custom', path: [...path], message: params.message, params, input: value })
        }
      } catch (error) {
        if (isShapeValid) throw error
      }
    },
    keywords,
  )
}

/**
 * Adds a custom check to a schema. Runs even if other parts are invalid, so that all problems are reported at once.
 * `keywords` are added to the JSON Schema.
 */
// @__NO_SIDE_EFFECTS__
function withCheck<T>(
  schema: Schema<T>,
  check: (payload: z.core.ParsePayload<T>) => void,
  keywords: object,
): Schema<T> {
  const onattach = [({ _zod }: z.core.$ZodType) => void Object.assign(_zod.bag, keywords)]
  // Adding a check does not change the type of the schema; zod's types widen it.
  return schema.check({ _zod: { def: { check: 'custom', when: () => true }, check, onattach } }) as unknown as Schema<T>
}

/** Returns the schema of a string whose length in code points is within bounds. */
// @__NO_SIDE_EFFECTS__
export function boundedString(bounds: Bounds): Schema<string> {
  return withLength(string, 'characters', bounds, countCharacters)
}

/** Returns the schema of an array whose length is within bounds. */
// @__NO_SIDE_EFFECTS__
export function boundedArray<T>(item: Schema<T>, bounds: Bounds): Schema<readonly T[]> {
  return withLength(readonlyArray(item), 'items', bounds, ({ length }) => length)
}

// @__NO_SIDE_EFFECTS__
function withLength<T>(schema: Schema<T>, unit: string, bounds: Bounds, lengthOf: (value: T) => number): Schema<T> {
  const { min: minimum, max: maximum } = bounds
  return refine(schema, (value) => checkLength(lengthOf(value), unit, bounds), { minimum, maximum })
}

/** Returns the schema of a string in a format; `expected` names the format in messages. */
// @__NO_SIDE_EFFECTS__
export function formattedString(isValid: (value: string) => boolean, expected: string): Schema<string> {
  return refine(string, function* (value) {
    if (!isValid(value)) yield { code: 'invalid_format', message: `expected ${expected}`, actual: value }
  })
}
