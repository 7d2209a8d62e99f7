import type { GatewayError } from '../errors/gateway-error'

/**
 * Where a gateway is in its life. `connect` leads from `idle` or `closed` over `connecting` and `identifying` to `ready`;
 * a lost connection over `reconnecting`, `connecting` and `resuming` (or `identifying`) back to it.
 */
export type GatewayState = 'idle' | 'connecting' | 'identifying' | 'resuming' | 'ready' | 'reconnecting' | 'closed'

/** A change of {@link GatewayState}. */
export interface GatewayStateChange {
  /** The state now. */
  readonly state: GatewayState
  /** The state before. */
  readonly previous: GatewayState
  /** Why the connection was lost or could not be opened, in words. */
  readonly reason?: string
  /** Code that the connection was closed with, if it was. */
  readonly closeCode?: number
  /**
   * Why there is no connection, with `reconnecting` and `closed`. What cannot be known is absent: browsers do not say
   * why a socket could not be opened. Never shows the token.
   */
  readonly error?: GatewayError
  /** How long until the next attempt, in milliseconds; with `reconnecting` alone. */
  readonly delayMs?: number
}

/** A lost connection was taken up again where it broke off, and what happened in between has been delivered. */
export interface GatewayResumed {
  /** How many events were sent again. */
  readonly replayed: number
}
