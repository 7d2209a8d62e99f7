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
  /** Why, in words, where the connection was lost. */
  readonly reason?: string
  /** The code that the connection was closed with, if it was. */
  readonly closeCode?: number
  /** How long until the next attempt, in milliseconds; with `reconnecting` alone. */
  readonly delayMs?: number
}

/** A lost connection was taken up again where it broke off, and what happened in between has been delivered. */
export interface GatewayResumed {
  /** How many events were sent again. */
  readonly replayed: number
}
