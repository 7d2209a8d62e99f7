// Events that `client.gateway` emits: those of the service, and those of the connection.
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
import { GatewayError } from '../errors/client-errors'
import { createIssue, type Issue } from '../internal/issue'
import { type Checks, schemaOption, validateOptions } from '../internal/options'
import type { Secrets } from '../internal/redact'
import { readIssues } from '../transport/users'
import type { StandardResult, StandardSchema } from '../types/options'

/** Events of the service. API, "Events". */
export interface GatewayServiceEvents {
  /** A Gateway session has started. */
  ready: ReadyEvent
  /** The authentication session of the Gateway session has changed. */
  authSessionChange: AuthSessionChangeEvent
  /** A relationship was added or replaced. */
  relationshipAdd: Relationship
  /** Some fields of a relationship have changed. */
  relationshipUpdate: RelationshipUpdateEvent
  /** A relationship was removed. */
  relationshipRemove: RelationshipRemoveEvent
  /** A game relationship was added or replaced. */
  gameRelationshipAdd: GameRelationship
  /** A game relationship was removed. */
  gameRelationshipRemove: GameRelationshipRemoveEvent
  /** A friend suggestion was removed. */
  friendSuggestionDelete: FriendSuggestionDeleteEvent
}

/**
 * Events that the API does not name, with their payloads. Add those of your service, and pass the option `gateway.events`:
 * `declare module 'rapport-sdk' { interface CustomEvents { interactionCreate: { id: string } } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the app adds its events.
export interface CustomEvents {}

/** Names of {@link CustomEvents}. */
export type CustomEventName = Exclude<
  keyof CustomEvents,
  keyof GatewayServiceEvents | 'dispatch' | 'resumed' | 'stateChange' | 'warning' | 'error'
>

/** An event that the API does not name. One whose payload is not `unknown` needs a schema. */
export type CustomEvent = {
  [Name in CustomEventName]: {
    /** Name that listeners use; not one that the API or the gateway has. */
    readonly name: Name
  } & (unknown extends CustomEvents[Name]
    ? { readonly schema?: StandardSchema | undefined }
    : {
        /** Checks and transforms the payload. An invalid one is emitted as a `warning`, and only as `dispatch`. */
        readonly schema: StandardSchema<CustomEvents[Name]>
      })
}[CustomEventName]

/** A {@link CustomEvent} of any name. */
export interface DeclaredEvent {
  readonly name: CustomEventName
  readonly schema?: StandardSchema | undefined
}

/** Any event of the service, also one that the API does not name. */
export interface GatewayDispatch {
  /** Name that listeners use (`relationshipAdd`), or the name on the wire if the API does not name the event. */
  readonly type: keyof GatewayServiceEvents | 'resumed' | (string & {})
  /** The payload as received; not validated. */
  readonly data: unknown
  /** Sequence number of the event in this session; `null` if the service sent none. */
  readonly sequence: number | null
}

/** Events that a gateway emits. No event contains a token. */
export interface GatewayEvents extends GatewayServiceEvents, Pick<CustomEvents, CustomEventName> {
  /** Any event of the service, before its own listeners are called. */
  dispatch: GatewayDispatch
  /** A lost connection was resumed. */
  resumed: GatewayResumed
  /** The state has changed. */
  stateChange: GatewayStateChange
  /** The service sent something invalid or unknown. */
  warning: GatewayWarning
  /**
   * A listener threw, or the gateway has closed for good. Without a listener for this event, exceptions of listeners are
   * logged, or surface as uncaught errors if there is no logger.
   */
  error: GatewayError
}

/** An event with its name; a union discriminated by `type`. */
export type GatewayMessage<K extends keyof GatewayEvents = keyof GatewayEvents> = {
  [T in K]: {
    /** Name of the event. */
    readonly type: T
    /** Payload of the event. */
    readonly data: GatewayEvents[T]
  }
}[K]

/**
 * State of a gateway. `connect` leads from `idle` or `closed` through `connecting` and `identifying` to `ready`; a lost
 * connection leads through `reconnecting`, `connecting` and `resuming` (or `identifying`) back to `ready`.
 */
export type GatewayState = 'idle' | 'connecting' | 'identifying' | 'resuming' | 'ready' | 'reconnecting' | 'closed'

/** A change of {@link GatewayState}. */
export interface GatewayStateChange {
  /** The new state. */
  readonly state: GatewayState
  /** The previous state. */
  readonly previous: GatewayState
  /** Why the connection was lost or could not be opened, for people. */
  readonly reason?: string
  /** Close code, if the service closed the connection. */
  readonly closeCode?: number
  /**
   * Why there is no connection; with `reconnecting` and `closed`. Details that the platform does not report are absent:
   * browsers do not report why a socket could not be opened. Never contains the token.
   */
  readonly error?: GatewayError
  /** Time until the next attempt in milliseconds; only with `reconnecting`. */
  readonly delayMs?: number
}

/** A lost connection was resumed, and the events missed meanwhile were delivered. */
export interface GatewayResumed {
  /** Number of events that the service replayed. */
  readonly replayed: number
}

/**
 * Kind of a warning:
 * - `malformed_frame`: ignored a frame that does not follow the protocol;
 * - `unknown_frame`: ignored a frame of an unknown kind;
 * - `unknown_event`: received an event that the API does not name; reported once per name;
 * - `invalid_payload`: received an invalid payload (`issues`); it is emitted only as `dispatch`;
 * - `invalid_user`: the client option `userSchema` rejected a user of the event (`issues`), which is emitted all the same;
 * - `sequence_gap`: events are missing, or the sequence numbers went back: state built from events is out of date;
 * - `identify_failed`: the connection ended before a session started, or sessions end as soon as they start. The gateway
 *   retries, on average with at most one session in five seconds.
 */
export type GatewayWarningCode =
  | 'malformed_frame'
  | 'unknown_frame'
  | 'unknown_event'
  | 'invalid_payload'
  | 'invalid_user'
  | 'sequence_gap'
  | 'identify_failed'

/** The service sent something invalid or unknown. The connection stays open. */
export interface GatewayWarning {
  /** Kind of the warning, for programs. */
  readonly code: GatewayWarningCode
  /** Description for people, without values. */
  readonly message: string
  /** Name of the event, if the warning is about one. */
  readonly event?: string
  /** Issues of the payload, by path and type, without values. */
  readonly issues?: readonly Issue[]
}

/** Names of all events that a gateway emits. Events of the service that are unknown here are emitted as `dispatch`. */
export const GATEWAY_EVENT_NAMES: readonly unknown[] = Object.keys(gatewayEvents).concat([
  'resumed',
  'stateChange',
  'warning',
  'error',
  'dispatch',
])

const CUSTOM_EVENT: Checks<{ readonly name: unknown; readonly schema: unknown }> = {
  name(option, name) {
    const isNew = typeof name === 'string' && name !== '' && !GATEWAY_EVENT_NAMES.includes(name)
    return isNew ? [] : [createIssue([option], 'conflict', 'expected a name that the API and the gateway do not have')]
  },
  schema: schemaOption,
}

/** Returns the issues of the option `events`. */
export function validateCustomEvents(option: string, events: unknown): Issue[] {
  return Object.entries(Object(events)).flatMap(([wireName, event]) =>
    validateOptions({ name: null, ...Object(event) }, CUSTOM_EVENT, [option, wireName]),
  )
}

/** Returns the warning about an invalid payload of a declared event. */
export function invalidPayload(
  event: CustomEventName,
  issues: NonNullable<StandardResult<unknown>['issues']>,
  secrets: Secrets,
): Required<GatewayWarning> {
  const message = `received an invalid payload of ${event}`
  return { code: 'invalid_payload', message, event, issues: readIssues(issues, secrets) }
}

/** Returns the error of a schema of a declared event that threw. */
export function schemaThrew(event: CustomEventName, cause: unknown): GatewayError {
  return new GatewayError('schema_threw', `the schema of \`${event}\` threw.`, { cause })
}
