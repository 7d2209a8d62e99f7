import { FaultQueue } from '../faults'
import type { Connection } from './connection'

/** Effect of a gateway fault on a connection. */
export type GatewayEffect =
  | { readonly kind: 'refuse' | 'freeze' | 'reconnect' | 'duplicate' }
  | { readonly kind: 'drop'; readonly code: number; readonly reason: string }
  | { readonly kind: 'invalid_session'; readonly resumable: boolean }

/** When a gateway fault applies: `connect` is before Hello, `event` is when an event is sent to a session. */
export type GatewayMoment = 'connect' | 'identify' | 'resume' | 'event'

/** A gateway fault that is set, as plain data for a snapshot. */
export interface PendingGatewayFault {
  /** Identifies the fault. */
  readonly id: number
  /** Effect on the connection. */
  readonly effect: GatewayEffect
  /** When it applies. */
  readonly at: readonly GatewayMoment[]
  /** ID of the user whose clients it affects; `null` for all. */
  readonly user: string | null
  /** Number of times it still applies; `null` for every time. */
  readonly left: number | null
}

/** A moment at which a gateway fault may apply. */
export interface FaultOccasion {
  readonly moment: GatewayMoment
  readonly user: string | undefined
  readonly connection: Connection | undefined
}

/** Gateway faults that apply later. */
export type GatewayFaultQueue = FaultQueue<Pick<PendingGatewayFault, 'effect' | 'at' | 'user'>, FaultOccasion>

export function createGatewayFaultQueue(): GatewayFaultQueue {
  return new FaultQueue(({ at, user: wanted }) => ({ moment, user }) => {
    return at.includes(moment) && (wanted === null || wanted === user)
  })
}
