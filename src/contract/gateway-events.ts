import { type GameRelationship, GameRelationshipSchema } from './game-relationships'
import { type PartialUser, PartialUserSchema } from './partial-user'
import { type Relationship, RelationshipSchema, type RelationshipType } from './relationships'
import { boolean, listOf, nullable, type Open, open, openObject, optional, type Schema, string } from './schema'

/**
 * Sent when a Gateway session starts. The document shows `auth_session_id_hash` alone; the rest is a convention, and
 * all fields are kept. Interface, "Events".
 */
export interface ReadyEvent {
  /** ID hash of the authentication session that the Gateway session belongs to. */
  auth_session_id_hash: string
  /** Names the Gateway session when it is resumed; without it none is. */
  session_id?: string
  /** Where to resume it; absent where that is the `url` of the options. */
  resume_gateway_url?: string
  /** The relationships at this moment, where the service sends them. */
  relationships?: Relationship[]
  /** The game relationships at this moment, where the service sends them. */
  game_relationships?: GameRelationship[]
  /** Fields that the document does not show are kept as they come. */
  [field: string]: unknown
}
export const ReadyEventSchema = /*@__PURE__*/ openObject<ReadyEvent>()({
  auth_session_id_hash: string,
  session_id: optional(string),
  resume_gateway_url: optional(string),
  relationships: optional(listOf(RelationshipSchema)),
  game_relationships: optional(listOf(GameRelationshipSchema)),
})

/** The authentication session of the Gateway session is another one, after a password reset, say. Interface, "Events". */
export interface AuthSessionChangeEvent {
  /** ID hash of the authentication session that the Gateway session belongs to now. */
  auth_session_id_hash: string
  /** Fields that the document does not show are kept as they come. */
  [field: string]: unknown
}
export const AuthSessionChangeEventSchema = /*@__PURE__*/ openObject<AuthSessionChangeEvent>()({
  auth_session_id_hash: string,
})

/**
 * What has changed of a relationship: an absent field is as it was, `null` is none. Payloads are not shown: that it may
 * be partial is a convention. Interface, "Events".
 */
export interface RelationshipUpdateEvent {
  /** ID of the target user. */
  id: string
  /** What the two are to each other. */
  type?: Open<RelationshipType>
  /** The target user; usually left out. */
  user?: PartialUser
  /** Nickname that the current user has given. */
  nickname?: string | null
  /** Whether the request is flagged as spam. */
  is_spam_request?: boolean | null
  /** Whether the request is from a user without a mutual friend or a small mutual guild. */
  stranger_request?: boolean | null
  /** Whether the current user ignores the target. */
  user_ignored?: boolean
  /** Application that created the relationship. */
  origin_application_id?: string | null
  /** When the relationship was requested, an ISO 8601 timestamp. */
  since?: string | null
  /** Whether the target has authorized the application of the session; OAuth2 contexts alone. */
  has_played_game?: boolean | null
  /** Note that was written with the friend request. */
  note?: string | null
  /** Fields that the document does not show are kept as they come. */
  [field: string]: unknown
}
export const RelationshipUpdateEventSchema = /*@__PURE__*/ openObject<RelationshipUpdateEvent>()({
  id: string,
  type: optional(open('integer')),
  user: optional(PartialUserSchema),
  nickname: optional(nullable(string)),
  is_spam_request: optional(nullable(boolean)),
  stranger_request: optional(nullable(boolean)),
  user_ignored: optional(boolean),
  origin_application_id: optional(nullable(string)),
  since: optional(nullable(string)),
  has_played_game: optional(nullable(boolean)),
  note: optional(nullable(string)),
})

/** A relationship that is no more. Payloads are not shown: that it may be partial is a convention. Interface, "Events". */
export interface RelationshipRemoveEvent {
  /** ID of the user who was the target. */
  id: string
  /** What the two were to each other. */
  type?: Open<RelationshipType>
  /** Fields that the document does not show are kept as they come. */
  [field: string]: unknown
}
export const RelationshipRemoveEventSchema = /*@__PURE__*/ openObject<RelationshipRemoveEvent>()({
  id: string,
  type: optional(open('integer')),
})

/** A game relationship that is no more. The fields are a convention: payloads are not shown. Interface, "Events". */
export interface GameRelationshipRemoveEvent {
  /** ID of the user who was the target. */
  id: string
  /** ID of the game's application. */
  application_id: string
  /** Fields that the document does not show are kept as they come. */
  [field: string]: unknown
}
export const GameRelationshipRemoveEventSchema = /*@__PURE__*/ openObject<GameRelationshipRemoveEvent>()({
  id: string,
  application_id: string,
})

/** A friend suggestion that is no more. The field is a convention: payloads are not shown. Interface, "Events". */
export interface FriendSuggestionDeleteEvent {
  /** ID of the user who was suggested. */
  suggested_user_id: string
  /** Fields that the document does not show are kept as they come. */
  [field: string]: unknown
}
export const FriendSuggestionDeleteEventSchema = /*@__PURE__*/ openObject<FriendSuggestionDeleteEvent>()({
  suggested_user_id: string,
})

/** The eight events by the names that listeners use: the document's name, and the payload. Interface, "Events". */
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
