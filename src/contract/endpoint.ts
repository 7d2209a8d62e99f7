import type { Schema } from './schema'

/** The HTTP methods that the interface uses. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One row of the interface: everything that the client, the mock service and the tests need to know of a call. */
export interface Endpoint {
  /** The document's name of the call, or ours where it has none. */
  readonly name: string
  /** The HTTP method. */
  readonly method: Method
  /** Relative to the base address, with `{parameters}` in braces. */
  readonly path: string
  /** Everything the caller passes by wire name, body and query together, so that one check sees all of it. */
  readonly params?: Schema<unknown>
  /** Makes what is sent of `params` that have passed their check, if it is not the same. */
  sends?(params: unknown): object
  /** Which of `params` travel in the query; the rest is the JSON body. */
  readonly query?: readonly string[]
  /** What a success answers; absent where success has no body. */
  readonly response?: Schema<unknown>
  /**
   * Whether the token travels in `Authorization`: always when there is one (`token`), likewise though the call also
   * serves clients that hold none (`optional`), or never (`none`).
   */
  readonly auth: 'token' | 'optional' | 'none'
  /** `false` where an answer of 60003 is an error like any other, because the call is itself part of signing in. */
  readonly stepUp?: false
}

type Names<P extends string> = P extends `${string}{${infer N}}${infer R}` ? N | Names<R> : never

/** The path parameters of a row, by the names in its template. */
export type PathOf<E extends Endpoint> = { readonly [N in Names<E['path']>]: string }
/** What a row's caller passes by wire name; `undefined` where there is nothing to pass. */
export type ParamsOf<E extends Endpoint> = E extends { readonly params: Schema<infer P> } ? P : undefined
/** What a row answers; `undefined` where success has no body. */
export type ResponseOf<E extends Endpoint> = E extends { readonly response: Schema<infer R> } ? R : undefined

/** The names of the parameters in a path template, in their order. */
export function pathParameters(path: string): string[] {
  return Array.from(path.matchAll(/\{([^{}]+)\}/g), (match) => match[1] as string)
}
