import type { GatewayServiceEvents } from './events'

/** Any event that the service sends, whether it is known here or not. */
export interface GatewayDispatch {
  /** Name of the event: as listeners use it where it is known (`relationshipAdd`), else as it came. */
  readonly type: keyof GatewayServiceEvents | 'resumed' | (string & {})
  /** The payload as it came; not checked. */
  readonly data: unknown
  /** The service's number for it in this session; `null` where it gave none. */
  readonly sequence: number | null
}

/** A lost connection was taken up again where it broke off, and what happened in between has been delivered. */
export interface GatewayResumed {
  /** How many events were sent again. */
  readonly replayed: number
}
