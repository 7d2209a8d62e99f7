// Documented values of fields whose schemas accept any value, since the service may add some.
import { GameRelationshipSchema, GameRelationshipType } from './game-relationships'
import { gatewayEvents } from './gateway-events'
import { LoginRequiredActionType } from './login'
import { AuthenticatorType, MfaMethodSchema } from './mfa'
import { DynamicDataSchema, DynamicDataType, MediaLoadingState } from './profile-data'
import { PasswordResetMethod } from './recovery'
import {
  FriendSuggestionReasonSchema,
  FriendSuggestionReasonType,
  RelationshipSchema,
  RelationshipType,
} from './relationships'
import type { Schema } from './schema'
import { LayoutDefinitionKey, PresentationType, SurfaceType, ValueType, WidgetConfigStatus } from './widget-configs'
import { GameWidgetDataSchema, GameWidgetTag, GameWidgetType } from './widgets'

/** By name of the field; `surfaces` are the keys of a map. */
const BY_NAME = /*@__PURE__*/ withValues<string>([
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
const TYPES = /*@__PURE__*/ (() =>
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

// @__NO_SIDE_EFFECTS__
function withValues<Key>(enumerations: readonly (readonly [Key, object])[]): Map<Key, readonly unknown[]> {
  return new Map(enumerations.map(([key, values]) => [key, Object.values(values)]))
}
