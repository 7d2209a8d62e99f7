import type { ApiPromise, RequestOptions } from 'rapport-sdk'
import type { Endpoint, ParamsOf, ResponseOf } from '../../src/contract/endpoint'

type Rest = [options?: RequestOptions | undefined]
type Path<P extends string> = P extends `${string}{${string}}${infer Tail}` ? [string, ...Path<Tail>] : []

// biome-ignore lint/complexity/noBannedTypes: `{}` extends an object with only optional keys
type Params<P> = P extends undefined ? [] : {} extends P ? [params?: P | undefined] : [params: P]

/** The arguments of an endpoint's method: path parameters in order, parameters if it has any, options. */
export type ArgumentsOf<E extends Endpoint> = [...Path<E['path']>, ...Params<ParamsOf<E>>, ...Rest]

/** The method of an endpoint. */
export type MethodOf<E extends Endpoint> = (...args: ArgumentsOf<E>) => ApiPromise<ResponseOf<E>>

/** A resource with a method for each endpoint. */
export type ResourceOf<Rows extends Readonly<Record<string, Endpoint>>> = {
  [K in keyof Rows]: MethodOf<Rows[K]>
}

/** The arguments of a resource's methods, by name. */
export type ArgumentsOfMethods<Resource, Names extends PropertyKey> = {
  [K in Names & keyof Resource]: Resource[K] extends (...args: infer Arguments) => unknown ? Arguments : never
}

/** The arguments of the methods of endpoints, by name. */
export type ArgumentsOfRows<Rows extends Readonly<Record<string, Endpoint>>> = {
  -readonly [K in keyof Rows]: ArgumentsOf<Rows[K]>
}
