import type { GameRelationship } from '../contract/game-relationships'
import {
  type AuthSessionChangeEvent,
  type FriendSuggestionDeleteEvent,
  type GameRelationshipRemoveEvent,
  gatewayEvents,
  type ReadyEvent,
  type RelationshipRemoveEvent,
  type RelationshipUpdateEvent,
} from '../contract/gateway-events'
import type { Relationship } from '../contract/relationships'
import type { GatewayError } from '../errors/client-errors'
import type { Issue } from '../internal/issue'
import { validateEventName } from '../internal/options'

/** The events of the service. Interface, "Events". */
export interface GatewayServiceEvents {
  /** A Gateway session has started. */
  ready: ReadyEvent
  /** The authentication session of the Gateway session is another one. */
  authSessionChange: AuthSessionChangeEvent
  /** A relationship is new, or another than it was. */
  relationshipAdd: Relationship
  /** Something of a relationship has changed. */
  relationshipUpdate: RelationshipUpdateEvent
  /** A relationship is no more. */
  relationshipRemove: RelationshipRemoveEvent
  /** A game relationship is new, or another than it was. */
  gameRelationshipAdd: GameRelationship
  /** A game relationship is no more. */
  gameRelationshipRemove: GameRelationshipRemoveEvent
  /** A friend suggestion is no more. */
  friendSuggestionDelete: FriendSuggestionDeleteEvent
}

/** Any event that the service sends, whether it is known here or not. */
export interface GatewayDispatch {
  /** Name of the event: as listeners use it where it is known (`relationshipAdd`), else as it came. */
  readonly type: keyof GatewayServiceEvents | 'resumed' | (string & {})
  /** The payload as it came; not checked. */
  readonly data: unknown
  /** The service's number for it in this session; `null` where it gave none. */
  readonly sequence: number | null
}

/** Everything that a gateway tells. No event carries a token. */
export interface GatewayEvents extends GatewayServiceEvents {
  /** Any event of the service, before its own listeners are called. */
  dispatch: GatewayDispatch
  /** A lost connection was taken up where it broke off. */
  resumed: GatewayResumed
  /** The gateway is in another state. */
  stateChange: GatewayStateChange
  /** Something that the service sent was off. */
  warning: GatewayWarning
  /**
   * A listener threw, or the gateway has ended for good. If nobody listens, what a listener threw is logged, or surfaces as
   * an uncaught error.
   */
  error: GatewayError
}

/** One event with its name, told apart by `type`. */
export type GatewayMessage<K extends keyof GatewayEvents = keyof GatewayEvents> = {
  [T in K]: {
    /** Name of the event. */
    readonly type: T
    /** What it carries. */
    readonly data: GatewayEvents[T]
  }
}[K]

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

/**
 * What was off:
 * - `malformed_frame`: a frame that does not follow the protocol was ignored;
 * - `frame_too_large`: a frame above `maxFrameBytes` was dropped;
 * - `unknown_frame`: a frame of a kind that the protocol does not know;
 * - `unknown_event`: an event that the interface does not name; each name is told once;
 * - `invalid_payload`: a payload that is not what its event carries (`issues`); it is in `dispatch` alone;
 * - `sequence_gap`: events are missing, or their numbers went back: what was built from events is out of date;
 * - `identify_failed`: the connection ended before a session started, or sessions end as soon as they start. The gateway
 *   tries again, with at most one session in five seconds in the long run.
 */
export type GatewayWarningCode =
  | 'malformed_frame'
  | 'frame_too_large'
  | 'unknown_frame'
  | 'unknown_event'
  | 'invalid_payload'
  | 'sequence_gap'
  | 'identify_failed'

/** Something that the service sent was off. The gateway goes on. */
export interface GatewayWarning {
  /** What was off, for programs. */
  readonly code: GatewayWarningCode
  /** What was off, for people; without values. */
  readonly message: string
  /** Name of the event, where it is about one. */
  readonly event?: string
  /** What is off in its payload, by path and kind; values are not shown. */
  readonly issues?: readonly Issue[]
}

/** The names that a protocol may give to what the service sends. */
const WIRE_EVENT_NAMES: readonly unknown[] = /*@__PURE__*/ Object.keys(gatewayEvents).concat('resumed')

/**
 * Every event that a gateway tells. Those that the service has beyond the interface are no exception: they are in `dispatch`
 * alone, under the names that they come with.
 */
export const GATEWAY_EVENT_NAMES: readonly unknown[] = /*@__PURE__*/ WIRE_EVENT_NAMES.concat([
  'stateChange',
  'warning',
  'error',
  'dispatch',
])

/** What of a protocol's event map nobody could listen to. */
export function eventMapIssues(option: string, eventMap: unknown): Issue[] {
  return Object.entries(Object(eventMap)).flatMap(([sent, name]) =>
    validateEventName([option, sent], name, WIRE_EVENT_NAMES),
  )
}
