import type { ApiPromise, RequestOptions } from 'rapport-sdk'
import type { Endpoint, ParamsOf, ResponseOf } from '../../src/contract/endpoint'

type Rest = [options?: RequestOptions | undefined]
type Path<P extends string> = P extends `${string}{${string}}${infer Tail}` ? [string, ...Path<Tail>] : []

// biome-ignore lint/complexity/noBannedTypes: `{}` is what an object of optional keys alone fits
type Params<P> = P extends undefined ? [] : {} extends P ? [params?: P | undefined] : [params: P]

/** What the method of a row takes: path parameters in their order, parameters where it has some, options. */
export type ArgumentsOf<E extends Endpoint> = [...Path<E['path']>, ...Params<ParamsOf<E>>, ...Rest]

/** The method of a row. */
export type MethodOf<E extends Endpoint> = (...given: ArgumentsOf<E>) => ApiPromise<ResponseOf<E>>

/** A resource with a method for each row. */
export type ResourceOf<Rows extends Readonly<Record<string, Endpoint>>> = {
  [K in keyof Rows]: MethodOf<Rows[K]>
}

/** What the methods of a resource take, by the names of rows. */
export type ArgumentsOfMethods<Resource, Names extends PropertyKey> = {
  [K in Names & keyof Resource]: Resource[K] extends (...given: infer Given) => unknown ? Given : never
}

/** What the methods of rows are to take. */
export type ArgumentsOfRows<Rows extends Readonly<Record<string, Endpoint>>> = {
  -readonly [K in keyof Rows]: ArgumentsOf<Rows[K]>
}
