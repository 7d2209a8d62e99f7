import type { Schema } from './schema'

/** HTTP methods used by the API. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** Set of all {@link Method}s, to validate values of any type. */
export const METHODS: ReadonlySet<unknown> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies Method[])

/** Endpoint of the API, as used by the client, the mock service and the tests. */
export interface Endpoint {
  /** Name in the API document, or our own if it has none. */
  readonly name: string
  /** HTTP method. */
  readonly method: Method
  /** Path relative to the base URL, with `{parameters}` in braces. */
  readonly path: string
  /** Schema of the parameters by wire name, body and query together, so that one check validates all of them. */
  readonly params?: Schema<unknown>
  /** Converts valid `params` to the payload. Default: sent as they are. */
  toPayload?(params: unknown): object
  /** Names of the `params` sent in the query; the others form the JSON body. */
  readonly query?: readonly string[]
  /** Schema of the response; absent if a success has no body. */
  readonly response?: Schema<unknown>
  /** Whether to send the token in `Authorization`: yes (`token`), if there is one (`optional`), or never (`none`). */
  readonly auth: 'token' | 'optional' | 'none'
  /** `false` if error 60003 does not start a step-up, because the call is itself part of one. Never without a token. */
  readonly stepUp?: false
  /** `true` if the request should outlive a page that is closed. */
  readonly keepalive?: true | undefined
}

/** Fields of a row that not every endpoint has. */
type Details = Omit<Endpoint, 'name' | 'method' | 'path' | 'auth'>

/** An intersection as one object, which is how declarations then show it. */
type Merged<T> = { readonly [K in keyof T]: T[K] }

/** Returns the row of an endpoint. From its type follow those of the path, the parameters and the response. */
export function endpoint<
  const Name extends string,
  const M extends Method,
  const Path extends string,
  const Auth extends Endpoint['auth'],
  const D extends Details = Record<never, never>,
>(
  name: Name,
  method: M,
  path: Path,
  auth: Auth,
  details?: D & { readonly [K in Exclude<keyof D, keyof Details>]: never },
): Merged<{ readonly name: Name; readonly method: M; readonly path: Path; readonly auth: Auth } & D>
export function endpoint(name: string, method: Method, path: string, auth: Endpoint['auth'], details?: Details) {
  return { name, method, path, auth, ...details }
}

type ParameterNames<P extends string> = P extends `${string}{${infer N}}${infer R}` ? N | ParameterNames<R> : never

/** Path parameters of an endpoint, by the names in its template. */
export type PathOf<E extends Endpoint> = { readonly [N in ParameterNames<E['path']>]: string }

/** Parameters of an endpoint by wire name; `undefined` if it has none. */
export type ParamsOf<E extends Endpoint> = E extends { readonly params: Schema<infer P> } ? P : undefined

/** Response of an endpoint; `undefined` if a success has no body. */
export type ResponseOf<E extends Endpoint> = E extends { readonly response: Schema<infer R> } ? R : undefined

/** Returns the names of the parameters in a path template, in order. */
export function pathParameters(path: string): string[] {
  return Array.from(path.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => name)
}
