import type { GameRelationship } from '../contract/game-relationships'
import type {
  AuthSessionChangeEvent,
  FriendSuggestionDeleteEvent,
  GameRelationshipRemoveEvent,
  ReadyEvent,
  RelationshipRemoveEvent,
  RelationshipUpdateEvent,
} from '../contract/gateway-events'
import type { Relationship } from '../contract/relationships'
import type { GatewayError } from '../errors/gateway-error'
import type { GatewayResumed, GatewayStateChange } from './state'
import type { GatewayWarning } from './warning'

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
