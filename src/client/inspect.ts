// What `client.inspect()` returns.
import type { GatewayState } from '../gateway/events'
import type { LiveStatus } from '../live/shared-store'
import type { SessionStatus } from '../session/session'
import type { RateLimiter } from '../transport/rate-limit'
import type { MfaChallenge } from '../types/mfa'
import type { CallInfo } from '../types/options'
import { type BaseClient, coreOf } from './base-client'
import type { PartMembers } from './parts'

/** State of a client at one time, as plain data: no token, code, key, ID, or path with values. */
export interface ClientState {
  /** Origin of `baseUrl`. */
  readonly origin: string
  /** Whether `dispose` was called. */
  readonly isDisposed: boolean
  /** Status of the session. */
  readonly session: SessionStatus
  /** State of the gateway; `null` if it was not used yet. */
  readonly gateway: GatewayState | null
  /** Lists whose live stores are open. */
  readonly live: readonly LiveState[]
  /** Waits that the service has asked for and that are not over, of the session's token and of calls without one. */
  readonly limits: readonly LimitState[]
  /** Calls that have not settled. */
  readonly calls: readonly CallState[]
  /** Prompts for a second factor that this client has open; another client of the same account may wait for them too. */
  readonly prompts: readonly Pick<MfaChallenge, 'reason' | 'endpoint' | 'methods' | 'attempt' | 'state'>[]
}

/** State of the live stores of one list. */
export interface LiveState {
  /** Method that opens them. */
  readonly name: string
  /** Status of the stores. */
  readonly status: LiveStatus
  /** Whether the items may be out of date. */
  readonly stale: boolean
}

/** A rate limit in force. */
export interface LimitState {
  /**
   * Method and path template, such as `GET /users/{user.id}`; `null` for all endpoints, with `rateLimitKey`, and for a
   * custom request whose path has no parameters, since IDs may be in it.
   */
  readonly route: string | null
  /** Whether the limit applies to all endpoints. */
  readonly global: boolean
  /** Time until it ends, in milliseconds. */
  readonly remainingMs: number
  /** Number of calls that wait for it. */
  readonly waiting: number
}

/** A call in flight, as in its events; `attempt` is 0 before the first request. */
export interface CallState extends Pick<CallInfo, 'callId' | 'endpoint' | 'attempt'> {
  /** Time since its start, in milliseconds; `null` if the client had no listener and no logger then, and read no clock. */
  readonly ageMs: number | null
}

/**
 * Returns what a client is doing, as `inspect` of `Client` does: for clients of `createClient`, which leave out what they do
 * not use.
 *
 * @throws RequestValidationError if it is not a client.
 *
 * @example
 * import { auth, createClient, inspectClient } from 'rapport-sdk/core'
 *
 * const client = createClient({ baseUrl: 'https://service.example' }, { auth })
 * console.log(JSON.stringify(inspectClient(client)))
 */
export function inspectClient(client: BaseClient): ClientState {
  const { transport, members } = coreOf(client, 'inspectClient')
  const { config, session, rateLimiter, open, prompts, isDisposed } = transport
  const member = <Name extends 'gateway' | 'live'>(name: Name): PartMembers[Name] | undefined =>
    Object.getOwnPropertyDescriptor(members, name)?.value
  const now = performance.now()
  return {
    origin: config.baseUrl.origin,
    isDisposed,
    session: session.status,
    gateway: member('gateway')?.state ?? null,
    live: member('live')?.states ?? [],
    limits: limitsOf(rateLimiter, `token ${session.token}`, now),
    calls: [...open.values()].flatMap((record) => {
      if (!record) return []
      const { callId, endpoint, attempts: attempt, startedAt } = record
      return { callId, endpoint, attempt, ageMs: startedAt === undefined ? null : now - startedAt }
    }),
    // What a challenge shows of itself.
    prompts: JSON.parse(JSON.stringify([...prompts])),
  }
}

/** Returns the limits in force, except those of other tokens. Their keys are secret. */
function limitsOf({ lanes }: RateLimiter, account: string, now: number): LimitState[] {
  return [...lanes.values()].flatMap(({ key, until, queue, group: { name } }) => {
    const isForeign = key.startsWith('token ') && key !== account && !key.startsWith(`${account}\n`)
    if (until <= now || isForeign) return []
    const global = name.startsWith('all ')
    const route = global || name.startsWith('key ') ? null : (/\n(.+)$/.exec(name)?.[1] ?? null)
    return { route, global, remainingMs: until - now, waiting: queue.length }
  })
}
