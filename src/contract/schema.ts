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

/**
 * Ties the schema of something the service sends to the interface that documents it: a missing, extra, mistyped,
 * mis-optional or mis-nullable key does not compile. Fields that the document does not name are let through.
 */
// @__NO_SIDE_EFFECTS__
export function object<T>(): <S extends Shape<T>>(shape: S & Exact<T, S>) => Schema<T> {
  return (shape) => z.looseObject(shape) as unknown as Schema<T>
}

/** The twin of {@link object} for what a caller sends: a field that the document does not name is refused. */
// @__NO_SIDE_EFFECTS__
export function request<T>(): <S extends Shape<T>>(shape: S & Exact<T, S>) => Schema<T> {
  return (shape) => {
    const error = () => `unknown field; known here: ${Object.keys(shape).join(', ')}`
    return z.strictObject(shape, { error }) as unknown as Schema<T>
  }
}

/** An enumeration in a response: any string or integer passes, since the service may add values. */
// @__NO_SIDE_EFFECTS__
export function open<T extends Open<string | number>>(kind: T extends string ? 'string' : 'integer'): Schema<T> {
  return (kind === 'string' ? z.string() : z.int()) as unknown as Schema<T>
}

/** An enumeration in a request: the document's values and no others. */
// @__NO_SIDE_EFFECTS__
export function oneOf<const V extends string | number>(values: readonly V[] | Readonly<Record<string, V>>): Schema<V> {
  return z.literal(Array.isArray(values) ? values : Object.values(values)) as unknown as Schema<V>
}

/** A map keyed by strings that the service chooses. */
// @__NO_SIDE_EFFECTS__
export function mapOf<V>(value: Schema<V>): Schema<Record<string, V>> {
  return z.catchall(z.object({}), value) as unknown as Schema<Record<string, V>>
}

/** A list of any length. */
// @__NO_SIDE_EFFECTS__
export function listOf<T>(item: Schema<T>): Schema<T[]> {
  return z.array(item) as unknown as Schema<T[]>
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
  return (shape) => z.looseObject(shape) as unknown as Schema<T>
}

/** An object whose fields the document does not show: all are kept. */
export interface OpenObject {
  /** A field that the document does not show. */
  [field: string]: unknown
}
export const OpenObjectSchema: Schema<OpenObject> = openObject<OpenObject>()({})
