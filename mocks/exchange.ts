import type { ServiceError } from './errors'
import type { PasskeyVerifier } from './webauthn-verifier'

/** A request as it reaches the service, whichever way it came. */
export interface ServiceRequest {
  /** HTTP method. */
  readonly method: string
  /** Absolute address, or path and query. */
  readonly url: string
  /** Headers, as they came. */
  readonly headers: Headers
  /** The body as text; empty when there is none, `null` if it was not read because it is larger than `maxBodyBytes`. */
  readonly body: string | null
  /** The address that the caller comes from. */
  readonly ip: string
  /** Aborts when the caller no longer waits. */
  readonly signal?: AbortSignal
  /** What verifies signatures of passkeys where the service has nothing for it: some ways in can, and others cannot. */
  readonly verifyPasskey?: PasskeyVerifier
}

/** An answer, to be delivered in the way that `delivery` says. */
export interface ServiceAnswer {
  /** Tells it from a {@link ServiceFailure}. */
  readonly kind: 'answer'
  /** HTTP status. */
  readonly status: number
  /** Headers; a name may come more than once. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Empty for 204. */
  readonly body: string
  /** `truncated` breaks off halfway; `stalled` goes silent halfway. */
  readonly delivery: 'whole' | 'truncated' | 'stalled'
}

/** No answer at all. */
export interface ServiceFailure {
  /** Tells it from a {@link ServiceAnswer}. */
  readonly kind: 'failure'
  /** `network`: not reached; `reset`: the connection was reset. */
  readonly how: 'network' | 'reset'
}

/** What comes of a request. */
export type ServiceOutcome = ServiceAnswer | ServiceFailure

/** An answer of JSON, or an empty one where there is no value. */
export function jsonAnswer(
  status: number,
  value: unknown,
  headers: readonly (readonly [string, string])[] = [],
): ServiceAnswer {
  if (value === undefined) return { kind: 'answer', status, headers, body: '', delivery: 'whole' }
  const all = [['content-type', 'application/json'] as const, ...headers]
  return { kind: 'answer', status, headers: all, body: JSON.stringify(value), delivery: 'whole' }
}

/** The answer that an error is. */
export function errorAnswer({ status, body, headers }: ServiceError): ServiceAnswer {
  return jsonAnswer(status, body, Object.entries(headers))
}

/** Where a body that breaks off breaks off. */
export function firstHalf<T extends string | Uint8Array>(body: T): T {
  return body.slice(0, Math.floor(body.length / 2)) as T
}
