import * as z from 'zod/mini'

/** A runtime check for `T`. Hovers and `.d.ts` show `Schema<T>`, not the internals of the library behind it. */
export type Schema<T> = z.ZodMiniType<T, T>

/** The values of an enumeration object. */
export type ValueOf<E> = E[keyof E]

/** An enumeration as the service answers it: the known values complete in an editor, later ones are let through. */
export type Open<T extends string | number> = T | (T extends string ? string & {} : number & {})

type Shape<T> = {
  // biome-ignore lint/complexity/noBannedTypes: `{}` is what an object of optional keys alone fits
  readonly [K in keyof T]-?: {} extends Pick<T, K> ? z.ZodMiniOptional<Schema<Exclude<T[K], undefined>>> : Schema<T[K]>
}
type Exact<T, S> = {
  readonly [K in keyof S]: K extends keyof T
    ? [T[K]] extends [z.output<S[K]> | undefined]
      ? S[K]
      : { readonly narrowerThan: T[K] }
    : never
}

// The casts of this file are why there are none elsewhere: what zod infers becomes the interface that people read, which
// `Shape` and `Exact` have compared key by key before, or a type that the function itself makes sure of.

/** A value on its way through the checks of a schema. */
type Payload<T> = z.core.ParsePayload<T>

/**
 * Adds a check of ours to a schema. It runs although other parts have failed, so that every problem is told at once.
 * `facts` is what JSON Schemas are to tell of it.
 */
// @__NO_SIDE_EFFECTS__
export function checked<T>(schema: Schema<T>, check: (payload: Payload<T>) => void, facts: object): Schema<T> {
  const onattach = [({ _zod }: z.core.$ZodType) => void Object.assign(_zod.bag, facts)]
  // What a check is added to stays the schema that it was; zod's types widen it.
  return schema.check({ _zod: { def: { check: 'custom', when: () => true }, check, onattach } }) as unknown as Schema<T>
}

/** A text. */
export const string: Schema<string> = /*@__PURE__*/ z.string()

/** A number with a fraction. */
export const number: Schema<number> = /*@__PURE__*/ z.number()

/** An integer that JavaScript holds exactly. It is ours because `z.int` brings the ranges of all formats of numbers. */
export const integer: Schema<number> = /*@__PURE__*/ checked(
  number,
  ({ value, issues }) => {
    if (issues.length > 0 || Number.isSafeInteger(value)) return
    const expected = Number.isInteger(value) ? 'safe integer' : 'integer'
    issues.push({ code: 'invalid_type', expected, input: value } as z.core.$ZodRawIssue)
  },
  { format: 'safeint' },
)

/** `true` or `false`. */
export const boolean: Schema<boolean> = /*@__PURE__*/ z.boolean()

/** A field that may be absent. */
// @__NO_SIDE_EFFECTS__
export function optional<T>(schema: Schema<T>): z.ZodMiniOptional<Schema<T>> {
  return z.optional(schema)
}

/** A value or `null`. */
// @__NO_SIDE_EFFECTS__
export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  return z.nullable(schema)
}

/**
 * Ties the schema of something the service sends to the interface that documents it: a missing, extra, mistyped,
 * mis-optional or mis-nullable key does not compile. Fields that the document does not name are let through.
 */
// @__NO_SIDE_EFFECTS__
export function object<T>(): <S extends Shape<T>>(shape: S & Exact<T, S>) => Schema<T> {
  return (shape) => fields(shape, unchecked())
}

/** The twin of {@link object} for what a caller sends: a field that the document does not name is refused. */
// @__NO_SIDE_EFFECTS__
export function request<T>(): <S extends Shape<T>>(shape: S & Exact<T, S>) => Schema<T> {
  return (shape) => fields(shape, z.never(), () => `unknown field; known here: ${Object.keys(shape).join(', ')}`)
}

/** An object of these fields, whose others are as `rest` says. */
function fields<T>(shape: z.core.$ZodShape, rest: z.core.$ZodType, error?: () => string): Schema<T> {
  return new z.ZodMiniObject({ type: 'object', shape, catchall: rest, error }) as unknown as Schema<T>
}

/** The fields of two, as a call that bundlers may leave out: of a spread they cannot know that it does nothing. */
// @__NO_SIDE_EFFECTS__
export function both<A extends object, B extends object>(one: A, other: B): A & B {
  return { ...one, ...other }
}

/** An enumeration in a response: any string or integer passes, since the service may add values. */
// @__NO_SIDE_EFFECTS__
export function open<T extends Open<string | number>>(kind: T extends string ? 'string' : 'integer'): Schema<T> {
  return (kind === 'string' ? string : integer) as unknown as Schema<T>
}

/** An enumeration in a request: the document's values, `more` among them, and no others. */
export function oneOf<const V extends string | number>(values: Readonly<Record<string, V>>): Schema<V>
export function oneOf<const V extends number>(values: Readonly<Record<string, V>>, more: V): Schema<V>
// @__NO_SIDE_EFFECTS__
export function oneOf(values: Readonly<Record<string, string | number>>, ...more: number[]): Schema<string | number> {
  return z.literal([...more, ...Object.values(values)]) as unknown as Schema<string | number>
}

/** A map keyed by strings that the service chooses. */
// @__NO_SIDE_EFFECTS__
export function mapOf<V>(value: Schema<V>): Schema<Record<string, V>> {
  return fields({}, value)
}

/** A list of any length. */
// @__NO_SIDE_EFFECTS__
export function listOf<T>(item: Schema<T>): Schema<T[]> {
  return z.array(item) as unknown as Schema<T[]>
}

/** {@link listOf} for what a caller sends, who may pass a readonly array. */
// @__NO_SIDE_EFFECTS__
export function readonlyArray<T>(item: Schema<T>): Schema<readonly T[]> {
  return listOf(item) as unknown as Schema<readonly T[]>
}

/** `T` with nothing in it that could be changed, at any depth. */
export type Immutable<T> = T extends string | number
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Immutable<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: Immutable<T[K]> }
      : T

/** A schema whose values may be readonly at any depth. */
// @__NO_SIDE_EFFECTS__
export function immutable<T>(schema: Schema<T>): Schema<Immutable<T>> {
  return schema as unknown as Schema<Immutable<T>>
}

/** A value that rules alone check. */
// @__NO_SIDE_EFFECTS__
export function unchecked<T>(): Schema<T> {
  return z.unknown() as unknown as Schema<T>
}

type Named<T> = { [K in keyof T as string extends K ? never : K]: T[K] }

/** {@link object} for an interface that keeps fields which the document does not show; those that have names are tied. */
// @__NO_SIDE_EFFECTS__
export function openObject<T>(): <S extends Shape<Named<T>>>(shape: S & Exact<Named<T>, S>) => Schema<T> {
  return (shape) => fields(shape, unchecked())
}

/** An object whose fields the document does not show: all are kept. */
export interface OpenObject {
  /** A field that the document does not show. */
  [field: string]: unknown
}
export const OpenObjectSchema: Schema<OpenObject> = /*@__PURE__*/ openObject<OpenObject>()({})
