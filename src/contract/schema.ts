// Schemas of the service's objects, as plain data.
import { type Bounds, checkLength, countCharacters, type Violation } from '../internal/issue'

declare const VALUE: unique symbol

/** Schema of `T`, as plain data. `validate.ts` checks values by it; `rapport-sdk/zod` converts it. */
export interface Schema<out T> {
  /** One of the kinds of {@link Definition}. */
  readonly kind: string
  /** In types only: the type of the values. */
  readonly [VALUE]?: T
}

/** {@link Schema} of a field that may be absent. */
export interface OptionalSchema<T> extends Schema<T | undefined> {
  readonly kind: 'optional'
}

/** Schemas of an object's fields. */
export type Fields = Readonly<Record<string, Schema<unknown>>>

/** Keywords of JSON Schema, or the bounds of a length; see {@link keywordsOf}. */
type Keywords = Readonly<Record<string, unknown>> | Bounds

/** A rule returns the violations of a value. */
type Rule = (value: unknown) => Iterable<Violation>

/** Content of a {@link Schema}. All have the same keys in the same order, so that checks of values are fast. */
export type Definition =
  | { readonly kind: 'unknown' | 'string' | 'number' | 'integer' | 'boolean'; readonly of: null; readonly more: null }
  /** The documented values. */
  | { readonly kind: 'enum'; readonly of: readonly (string | number)[]; readonly more: null }
  /** The schema of the items. */
  | { readonly kind: 'array'; readonly of: Schema<unknown>; readonly more: null }
  /** The fields, and the schema of other fields; `null` rejects them. */
  | { readonly kind: 'object'; readonly of: Fields; readonly more: Schema<unknown> | null }
  | { readonly kind: 'nullable' | 'optional'; readonly of: Schema<unknown>; readonly more: null }
  /** A schema with a rule. */
  | { readonly kind: 'rule'; readonly of: Schema<unknown>; readonly more: { rule: Rule; keywords: Keywords } }
  /** The alternatives, and a function that returns the schema of a value, usually one of them. */
  | {
      readonly kind: 'union'
      readonly of: readonly Schema<unknown>[]
      readonly more: (value: unknown) => Schema<unknown>
    }

/** Values of an enumeration object. */
export type ValueOf<E> = E[keyof E]

/** Enumeration in a response: editors complete the known values, and values added later are accepted. */
export type Open<T extends string | number> = T | (T extends string ? string & {} : number & {})

/** Schemas of the fields of `T`, by key. */
type Shape<T> = {
  // biome-ignore lint/complexity/noBannedTypes: `{}` is assignable to an object with only optional keys
  readonly [K in keyof T]-?: {} extends Pick<T, K> ? OptionalSchema<Exclude<T[K], undefined>> : Schema<T[K]>
}

/** Type of the values of a schema. */
export type ValueOfSchema<S> = S extends Schema<infer T> ? T : never

/** `S` without keys that `T` does not have, and with schemas no narrower than the fields of `T`. */
type Exact<T, S> = {
  readonly [K in keyof S]: K extends keyof T
    ? [T[K]] extends [ValueOfSchema<S[K]> | undefined]
      ? S[K]
      : { readonly narrowerThan: T[K] }
    : never
}

function primitive<T>(kind: 'unknown' | 'string' | 'number' | 'integer' | 'boolean'): Schema<T> {
  return define({ kind, of: null, more: null })
}

/** Returns the content of a schema. */
export function definitionOf(schema: Schema<unknown>): Definition {
  // Every schema is a definition.
  return schema as Definition
}

/** Returns the definition that applies to a value: that of the schema itself if it is optional or a union, for example. */
export function definitionFor(schema: Schema<unknown>, value: unknown): Definition {
  const definition = definitionOf(schema)
  const { kind, of, more } = definition
  if (kind === 'optional' || kind === 'nullable' || kind === 'rule') return definitionFor(of, value)
  return kind === 'union' ? definitionFor(more(value), value) : definition
}

/** Ties a definition to the type of its values. */
function define<T>(definition: Definition): Schema<T> {
  return definition
}

export const string: Schema<string> = primitive('string')

/** Schema of a finite number that may have a fraction. */
export const number: Schema<number> = primitive('number')

/** Schema of a safe integer. */
export const integer: Schema<number> = primitive('integer')

export const boolean: Schema<boolean> = primitive('boolean')

/** Returns the schema of a field that may be absent. */
export function optional<T>(schema: Schema<T>): OptionalSchema<T> {
  const definition = { kind: 'optional', of: schema, more: null } as const satisfies Definition
  return definition
}

/** Returns the schema of a value or `null`. */
export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  return define({ kind: 'nullable', of: schema, more: null })
}

// The three functions below return functions: the build marks calls of these as pure, but not the calls that return them.

/**
 * Returns the schema of a response object, tied to its interface: a missing or extra key does not compile, nor does one
 * whose type, optionality or nullability differs. Undocumented fields are accepted.
 */
// @__NO_SIDE_EFFECTS__
export function looseObject<T>(): <S extends Shape<T>>(fields: S & Exact<T, S>) => Schema<T> {
  return (fields) => define({ kind: 'object', of: fields, more: anything })
}

/** {@link looseObject} for requests: undocumented fields are rejected. */
// @__NO_SIDE_EFFECTS__
export function strictObject<T>(): <S extends Shape<T>>(fields: S & Exact<T, S>) => Schema<T> {
  return (fields) => define({ kind: 'object', of: fields, more: null })
}

/** `T` without its index signature. */
type NamedFields<T> = { [K in keyof T as string extends K ? never : K]: T[K] }

/**
 * {@link looseObject} for an interface with an index signature; only its named fields are compared: those of `Documented`,
 * if apps may add fields to the API.
 */
// @__NO_SIDE_EFFECTS__
export function openObject<T extends Documented, Documented = T>(): <S extends Shape<NamedFields<Documented>>>(
  fields: S & Exact<NamedFields<Documented>, S>,
) => Schema<T> {
  return (fields) => define({ kind: 'object', of: fields, more: anything })
}

/** Schema of any value. */
const anything: Schema<unknown> = primitive('unknown')

/** Object with fields that the API document does not show; all are kept. */
export interface OpenObject {
  /** Other fields, kept as received; not shown in the API document. */
  [field: string]: unknown
}
export const OpenObjectSchema: Schema<OpenObject> = openObject<OpenObject>()({})

/** Returns the schema of an object with arbitrary keys. */
export function record<V>(value: Schema<V>): Schema<Record<string, V>> {
  return define({ kind: 'object', of: {}, more: value })
}

/** Merges two objects in a call that bundlers can remove, unlike a spread, which may have side effects. */
export function merge<A extends object, B extends object>(first: A, second: B): A & B {
  return { ...first, ...second }
}

/** Returns the schema of an enumeration in a response: any string or integer, since the service may add values. */
export function open<T extends Open<string | number>>(kind: T extends string ? 'string' : 'integer'): Schema<T> {
  return primitive(kind)
}

/** Returns the schema of an enumeration in a request: only the documented values and `more`. */
export function oneOf<const V extends string | number>(values: Readonly<Record<string, V>>): Schema<V>
export function oneOf<const V extends number>(values: Readonly<Record<string, V>>, more: V): Schema<V>
export function oneOf(values: Readonly<Record<string, string | number>>, ...more: number[]): Schema<string | number> {
  return define({ kind: 'enum', of: [...more, ...Object.values(values)], more: null })
}

/** Returns the schema of an array of any length. */
export function array<T>(item: Schema<T>): Schema<T[]> {
  return define({ kind: 'array', of: item, more: null })
}

/** {@link array} for requests, which may contain readonly arrays. */
export function readonlyArray<T>(item: Schema<T>): Schema<readonly T[]> {
  return array(item)
}

/** `T`, deeply readonly. A mapped type, because editors and the API reference show its name, not its fields. */
export type Immutable<T> = {
  // Not `Immutable<T[K]>`: that of an open enumeration, `number & {}`, would have the methods of a number.
  readonly [K in keyof T]: T[K] extends infer Field
    ? Field extends string | number
      ? Field
      : Field extends object
        ? Immutable<Field>
        : Field
    : never
}

/** Returns a schema that accepts deeply readonly values. */
export function immutable<T>(schema: Schema<T>): Schema<Immutable<T>> {
  // Every schema is a definition: only the functions of this file create them. Not `definitionOf`, so that clients do not contain it.
  return define(schema as Definition)
}

/** Returns a schema that accepts any value; combine it with {@link refine}. */
export function unchecked<T>(): Schema<T> {
  return primitive('unknown')
}

/**
 * Adds a rule to a schema that types cannot express, or that spans fields. It also runs if fields are invalid, so that
 * all problems are reported at once; its exceptions are then ignored. `keywords` are added to the JSON Schema.
 */
export function refine<T>(
  schema: Schema<T>,
  rule: (value: T) => Iterable<Violation>,
  keywords: Keywords = {},
): Schema<T> {
  // The rule only runs for values of the right type.
  return define({ kind: 'rule', of: schema, more: { rule: rule as Rule, keywords } })
}

/** Returns the keywords of a rule by their names in JSON Schema. Bounds have no unit there, so that no client contains the names. */
export function keywordsOf(schema: Schema<unknown>, keywords: Keywords): Readonly<Record<string, unknown>> {
  const unit = schema.kind === 'array' ? 'Items' : 'Length'
  const nameOf = (name: string) => (name === 'min' || name === 'max' ? name + unit : name)
  return Object.fromEntries(Object.entries(keywords).map(([name, value]) => [nameOf(name), value]))
}

/** Returns the schema of a union; `select` returns the schema to check a value by. */
export function union<T>(
  alternatives: readonly Schema<unknown>[],
  select: (value: unknown) => Schema<unknown>,
): Schema<T> {
  return define({ kind: 'union', of: alternatives, more: select })
}

/** Returns the schema of a string whose length in code points is within bounds. */
export function boundedString(bounds: Bounds): Schema<string> {
  return refine(string, (value) => checkLength(countCharacters(value), 'characters', bounds), bounds)
}

/** Returns the schema of an array whose length is within bounds. */
export function boundedArray<T>(item: Schema<T>, bounds: Bounds): Schema<readonly T[]> {
  return refine(readonlyArray(item), ({ length }) => checkLength(length, 'items', bounds), bounds)
}

/** Returns the schema of a string in a format; `expected` names the format in messages. */
export function formattedString(isValid: (value: string) => boolean, expected: string): Schema<string> {
  return refine(string, function* (value) {
    if (!isValid(value)) yield { code: 'invalid_format', message: `expected ${expected}`, actual: value }
  })
}
