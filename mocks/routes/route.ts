import type { Endpoint, ParamsOf, PathOf, ResponseOf } from '../../src/contract/endpoint'
import type { Caller, ServiceContext } from '../core'
import type { ServiceRequest } from '../request'

/** A call that has passed the contract, the token check and step-up. */
export interface Call<E extends Endpoint> {
  readonly core: ServiceContext
  readonly endpoint: E
  readonly path: PathOf<E>
  readonly params: ParamsOf<E>
  readonly request: ServiceRequest
  /** Authenticated caller. Reading it without a valid token throws a 401 error. */
  readonly caller: Caller
  /** Authenticated caller, if the token is valid. */
  readonly optionalCaller: Caller | undefined
  /** Headers of the response. */
  readonly headers: [name: string, value: string][]
}

/** Handles the calls of one endpoint, and is typed by it. */
export type Route<E extends Endpoint> = (call: Call<E>) => ResponseOf<E> extends undefined ? void : ResponseOf<E>

/** A route for each endpoint: a missing one does not compile. */
export type RoutesOf<Rows> = {
  readonly [M in keyof Rows]: Rows[M] extends Endpoint ? Route<Rows[M]> : never
}

/** Returns the origin of a request for its session. */
export function originOf({ ip, headers }: ServiceRequest): { ip: string; userAgent: string } {
  return { ip, userAgent: headers.get('user-agent') ?? '' }
}
