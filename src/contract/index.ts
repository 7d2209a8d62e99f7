// All endpoints of the API, and its enumerations.
import type { Endpoint } from './endpoint'
import { GameRelationshipSchema, GameRelationshipType, gameRelationships } from './game-relationships'
import { gatewayEvents } from './gateway-events'
import { identities } from './identities'
import { handoff, LoginRequiredActionType, login, logout, passwordless } from './login'
import { AuthenticatorType, MfaMethodSchema, mfa } from './mfa'
import { DynamicDataSchema, DynamicDataType, MediaLoadingState } from './profile-data'
import { PasswordResetMethod, recovery } from './recovery'
import { registration, usernames } from './registration'
import {
  FriendSuggestionReasonSchema,
  FriendSuggestionReasonType,
  friendSuggestions,
  RelationshipSchema,
  RelationshipType,
  relationships,
} from './relationships'
import type { Schema } from './schema'
import { sessions } from './sessions'
import {
  LayoutDefinitionKey,
  PresentationType,
  SurfaceType,
  ValueType,
  WidgetConfigStatus,
  widgetConfigs,
} from './widget-configs'
import { GameWidgetDataSchema, GameWidgetTag, GameWidgetType, widgets } from './widgets'

// Called, so that it can be marked as pure: a spread may have side effects, so bundlers would keep it.
const auth = (() =>
  ({
    ...login,
    ...passwordless,
    ...handoff,
    ...registration,
    ...usernames,
    ...logout,
    ...recovery,
  }) as const satisfies Record<string, Endpoint>)()

/** All endpoints of the API, by resource and method. */
export const contract = {
  'auth.sessions': sessions,
  auth,
  mfa,
  widgets,
  identities,
  widgetConfigs,
  relationships,
  gameRelationships,
  friendSuggestions,
} as const satisfies Record<string, Record<string, Endpoint>>

/** Endpoint with the client method that calls it. */
export interface EndpointCall {
  /** Client method that calls the endpoint, such as `client.auth.sessions.list`. */
  readonly call: string
  /** Endpoint called by the method. */
  readonly endpoint: Endpoint
}

/** All 55 endpoints, in the order of {@link contract}. */
export const endpoints: readonly EndpointCall[] = Object.entries(contract).flatMap(([resource, rows]) =>
  Object.entries<Endpoint>(rows).map(([method, endpoint]) => ({
    call: `client.${resource}.${method}`,
    endpoint,
  })),
)

/** Values of enumerations, which schemas of responses leave open, by name of the field; `surfaces` are the keys of a map. */
const BY_NAME = withValues<string>([
  ['allowed_presentation_types', PresentationType],
  ['key', LayoutDefinitionKey],
  ['layout', LayoutDefinitionKey],
  ['loading_state', MediaLoadingState],
  ['method', PasswordResetMethod],
  ['presentation_type', PresentationType],
  ['required_actions', LoginRequiredActionType],
  ['status', WidgetConfigStatus],
  ['surface', SurfaceType],
  ['surfaces', SurfaceType],
  ['tags', GameWidgetTag],
  ['theme', ['dark', 'light']],
  ['value_type', ValueType],
])

/** Of fields named `type`, by the schema of their object. */
const TYPES = (() =>
  withValues<Schema<unknown>>([
    [DynamicDataSchema, DynamicDataType],
    [FriendSuggestionReasonSchema, FriendSuggestionReasonType],
    [GameRelationshipSchema, GameRelationshipType],
    [GameWidgetDataSchema, GameWidgetType],
    [MfaMethodSchema, AuthenticatorType],
    [RelationshipSchema, RelationshipType],
    [gatewayEvents.relationshipUpdate.payload, RelationshipType],
    [gatewayEvents.relationshipRemove.payload, RelationshipType],
  ]))()

/**
 * Returns the documented values of a field; empty if it is no enumeration.
 * @param owner Schema of the object with the field. Without it, `type` has the values of all objects.
 */
export function documentedValues(field: string, owner?: Schema<unknown>): readonly unknown[] {
  if (field !== 'type') return BY_NAME.get(field) ?? NONE
  return owner ? (TYPES.get(owner) ?? NONE) : [...TYPES.values()].flat()
}

const NONE: readonly unknown[] = []

function withValues<Key>(enumerations: readonly (readonly [Key, object])[]): Map<Key, readonly unknown[]> {
  return new Map(enumerations.map(([key, values]) => [key, Object.values(values)]))
}
