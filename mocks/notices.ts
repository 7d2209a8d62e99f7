import type { GatewayEventName } from './gateway/events'
import type { SessionRecord } from './state/database'

/** An event for all gateway sessions of a user. */
export interface EventNotice {
  readonly kind: 'event'
  readonly userId: string
  readonly event: GatewayEventName
  /** What a session of that user hears, `undefined` where it hears nothing: an application sees less than its user. */
  dataFor(session: SessionRecord): unknown
}

/** What the rest of the service tells its gateway. */
export type Notice =
  | EventNotice
  /** A session was signed out of, or ended with its account. */
  | { readonly kind: 'session_ended'; readonly session: SessionRecord }
  /** A session gave way to a new one of the same user. */
  | { readonly kind: 'session_replaced'; readonly session: SessionRecord; readonly by: SessionRecord }
  /** An account was given back to its owner. */
  | { readonly kind: 'account_reverted'; readonly userId: string }
