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
  /** Who makes the call; without a token, reading it answers 401. */
  readonly caller: Caller
  /** Who makes the call, if it has a token. */
  readonly callerIfAny: Caller | undefined
  /** Headers to answer with. */
  readonly headers: [name: string, value: string][]
}

/** What answers the calls of one row; its types are the row's. */
export type Route<E extends Endpoint> = (call: Call<E>) => ResponseOf<E> extends undefined ? void : ResponseOf<E>

/** A route for each row: one that is missing does not compile. */
export type RoutesOf<Rows> = {
  readonly [M in keyof Rows]: Rows[M] extends Endpoint ? Route<Rows[M]> : never
}

/** Where a call comes from, as sessions note it. */
export function originOf({ ip, headers }: ServiceRequest): { ip: string; userAgent: string } {
  return { ip, userAgent: headers.get('user-agent') ?? '' }
}
