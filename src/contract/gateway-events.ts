import { type GameRelationship, GameRelationshipSchema } from './game-relationships'
import {
  type PartialUser,
  PartialUserSchema,
  type Relationship,
  RelationshipSchema,
  type RelationshipType,
} from './relationships'
import type { Open, OpenObject, Schema } from './schema'
import * as s from './schema'

/**
 * Sent when a Gateway session starts. The API document shows only `auth_session_id_hash`; the other fields are a
 * convention, and all fields are kept. API, "Events".
 */
export interface ReadyEvent extends OpenObject {
  /** ID hash of the authentication session that the Gateway session belongs to. */
  auth_session_id_hash: string
  /** ID of the Gateway session, used to resume it. Without it, the session cannot be resumed. */
  session_id?: string
  /** URL to resume the session at. Default: the `url` option. */
  resume_gateway_url?: string
  /** The signed-in user, if the service sends it. */
  user?: PartialUser
  /** Current relationships, if the service sends them. */
  relationships?: Relationship[]
  /** Current game relationships, if the service sends them. */
  game_relationships?: GameRelationship[]
}
export const ReadyEventSchema = s.openObject<ReadyEvent>()({
  auth_session_id_hash: s.string,
  session_id: s.optional(s.string),
  resume_gateway_url: s.optional(s.string),
  user: s.optional(PartialUserSchema),
  relationships: s.optional(s.array(RelationshipSchema)),
  game_relationships: s.optional(s.array(GameRelationshipSchema)),
})

/** Sent when the authentication session of the Gateway session changes: after a password reset. API, "Events". */
export interface AuthSessionChangeEvent extends OpenObject {
  /** ID hash of the authentication session that the Gateway session belongs to now. */
  auth_session_id_hash: string
}
export const AuthSessionChangeEventSchema = s.openObject<AuthSessionChangeEvent>()({
  auth_session_id_hash: s.string,
})

/**
 * Changes of a relationship: an absent field is unchanged, `null` removes it. The API document does not show
 * payloads; that this one may be partial is a convention. API, "Events".
 */
export interface RelationshipUpdateEvent extends OpenObject {
  /** ID of the target user. */
  id: string
  /** Type of the relationship. */
  type?: Open<RelationshipType>
  /** Target user; usually absent. */
  user?: PartialUser
  /** Nickname set by the current user. */
  nickname?: string | null
  /** Whether the request is flagged as spam. */
  is_spam_request?: boolean | null
  /** Whether the request is from a user without a mutual friend or a small mutual guild. */
  stranger_request?: boolean | null
  /** Whether the current user ignores the target. */
  user_ignored?: boolean
  /** Application that created the relationship. */
  origin_application_id?: string | null
  /** Time of the friend request, an ISO 8601 timestamp. */
  since?: string | null
  /** Whether the target has authorized the application of the session; only in OAuth2 contexts. */
  has_played_game?: boolean | null
  /** Note of the friend request. */
  note?: string | null
}
export const RelationshipUpdateEventSchema = s.openObject<RelationshipUpdateEvent>()({
  id: s.string,
  type: s.optional(s.open('integer')),
  user: s.optional(PartialUserSchema),
  nickname: s.optional(s.nullable(s.string)),
  is_spam_request: s.optional(s.nullable(s.boolean)),
  stranger_request: s.optional(s.nullable(s.boolean)),
  user_ignored: s.optional(s.boolean),
  origin_application_id: s.optional(s.nullable(s.string)),
  since: s.optional(s.nullable(s.string)),
  has_played_game: s.optional(s.nullable(s.boolean)),
  note: s.optional(s.nullable(s.string)),
})

/** Removed relationship. Payloads are not shown; that this one may be partial is a convention. API, "Events". */
export interface RelationshipRemoveEvent extends OpenObject {
  /** ID of the target user. */
  id: string
  /** Former type of the relationship. */
  type?: Open<RelationshipType>
}
export const RelationshipRemoveEventSchema = s.openObject<RelationshipRemoveEvent>()({
  id: s.string,
  type: s.optional(s.open('integer')),
})

/** Removed game relationship. Payloads are not shown; the fields are a convention. API, "Events". */
export interface GameRelationshipRemoveEvent extends OpenObject {
  /** ID of the target user. */
  id: string
  /** ID of the game's application. */
  application_id: string
}
export const GameRelationshipRemoveEventSchema = s.openObject<GameRelationshipRemoveEvent>()({
  id: s.string,
  application_id: s.string,
})

/** Removed friend suggestion. Payloads are not shown; the field is a convention. API, "Events". */
export interface FriendSuggestionDeleteEvent extends OpenObject {
  /** ID of the suggested user. */
  suggested_user_id: string
}
export const FriendSuggestionDeleteEventSchema = s.openObject<FriendSuggestionDeleteEvent>()({
  suggested_user_id: s.string,
})

/** The eight events by listener name, with their documented name and payload schema. API, "Events". */
export const gatewayEvents = {
  ready: { name: 'Ready', payload: ReadyEventSchema },
  authSessionChange: { name: 'Auth Session Change', payload: AuthSessionChangeEventSchema },
  relationshipAdd: { name: 'Relationship Add', payload: RelationshipSchema },
  relationshipUpdate: { name: 'Relationship Update', payload: RelationshipUpdateEventSchema },
  relationshipRemove: { name: 'Relationship Remove', payload: RelationshipRemoveEventSchema },
  gameRelationshipAdd: { name: 'Game Relationship Add', payload: GameRelationshipSchema },
  gameRelationshipRemove: { name: 'Game Relationship Remove', payload: GameRelationshipRemoveEventSchema },
  friendSuggestionDelete: { name: 'Friend Suggestion Delete', payload: FriendSuggestionDeleteEventSchema },
} as const satisfies Record<string, { readonly name: string; readonly payload: Schema<unknown> }>
