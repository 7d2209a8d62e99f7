import { endpoint } from './endpoint'
import type { Open, OpenObject, ValueOf } from './schema'
import * as s from './schema'

/**
 * Partial data of a user. The API document shows only `id`. API, "Open shapes". Declare the other fields that
 * the service sends: `declare module 'rapport-sdk' { interface PartialUser { username: string } }`. The client option
 * `userSchema` checks them at run time.
 */
export interface PartialUser extends OpenObject {
  /** ID of the user. */
  id: string
}
/** The fields of a {@link PartialUser} that the document shows: apps may declare more. */
type DocumentedUser = Pick<PartialUser, 'id'>
export const PartialUserSchema = s.openObject<PartialUser, DocumentedUser>()({ id: s.string })

/** Types of relationships between two users. API, "Relationship". */
export const RelationshipType = {
  NONE: 0,
  FRIEND: 1,
  BLOCKED: 2,
  INCOMING_REQUEST: 3,
  OUTGOING_REQUEST: 4,
  /** Affinity of the current user. */
  IMPLICIT: 5,
} as const
/** One of {@link RelationshipType}. */
export type RelationshipType = ValueOf<typeof RelationshipType>

/** Filters of a bulk removal. API, "Relationship removal filter". */
export const RelationshipRemovalFilter = {
  /** Requests flagged as spam. */
  SPAM: 1,
  /** Ignored users. */
  IGNORED: 2,
} as const
/** One of {@link RelationshipRemovalFilter}. */
export type RelationshipRemovalFilter = ValueOf<typeof RelationshipRemovalFilter>

/** Type that accepts an existing request or creates a new one. API, "J. Relationships". */
export const ACCEPT_OR_REQUEST = -1

/** Friendship, friend request or block between the current user and another. API, "Relationship". */
export interface Relationship {
  /** ID of the target user. */
  id: string
  /** Type of the relationship. */
  type: Open<RelationshipType>
  /** Target user. */
  user: PartialUser
  /** Nickname set by the current user, 1–32 characters; `null` if none. */
  nickname: string | null
  /** Whether the request is flagged as spam. Default: `false`. */
  is_spam_request?: boolean
  /** Whether the request is from a user without a mutual friend or a small mutual guild. Default: `false`. */
  stranger_request?: boolean
  /** Whether the current user ignores the target. */
  user_ignored: boolean
  /** Application that created the relationship. */
  origin_application_id?: string | null
  /** Time of the friend request, an ISO 8601 timestamp. */
  since?: string
  /** Whether the target has authorized the application of the session; only in OAuth2 contexts. */
  has_played_game?: boolean
  /** Note of the friend request. */
  note?: string
}
export const RelationshipSchema = s.looseObject<Relationship>()({
  id: s.string,
  type: s.open('integer'),
  user: PartialUserSchema,
  nickname: s.nullable(s.string),
  is_spam_request: s.optional(s.boolean),
  stranger_request: s.optional(s.boolean),
  user_ignored: s.boolean,
  origin_application_id: s.optional(s.nullable(s.string)),
  since: s.optional(s.string),
  has_played_game: s.optional(s.boolean),
  note: s.optional(s.string),
})

const NoteSchema = s.optional(s.nullable(s.boundedString({ max: 120 })))

/** Parameters of `relationships.sendRequest`. API, "J. Relationships". */
export interface SendFriendRequestParams {
  /** Username of the user to befriend. */
  username: string
  /** Discriminator of the user; `null` for migrated users. */
  discriminator: string | null
  /** Note to the user, at most 120 characters. */
  note?: string | null | undefined
}
export const SendFriendRequestParamsSchema = s.strictObject<SendFriendRequestParams>()({
  username: s.string,
  discriminator: s.nullable(s.string),
  note: NoteSchema,
})

/** Parameters of `relationships.create`. API, "J. Relationships". */
export interface CreateRelationshipParams {
  /** Type of the relationship; `-1` accepts an existing request or creates a new friend request. Default: `-1`. */
  type?: RelationshipType | typeof ACCEPT_OR_REQUEST | undefined
  /** Whether the request is based on a friend suggestion. Default: `false`. */
  from_friend_suggestion?: boolean | undefined
  /** Whether the user has confirmed a request to a stranger. Default: `false`. */
  confirm_stranger_request?: boolean | undefined
  /** Note to the user, at most 120 characters. */
  note?: string | null | undefined
}
export const CreateRelationshipParamsSchema = s.strictObject<CreateRelationshipParams>()({
  type: s.optional(s.oneOf(RelationshipType, ACCEPT_OR_REQUEST)),
  from_friend_suggestion: s.optional(s.boolean),
  confirm_stranger_request: s.optional(s.boolean),
  note: NoteSchema,
})

/** Parameters of `relationships.update`. API, "J. Relationships". */
export interface UpdateRelationshipParams {
  /** Nickname for a friend, 1–32 characters. */
  nickname?: string | undefined
}
export const UpdateRelationshipParamsSchema = s.strictObject<UpdateRelationshipParams>()({
  nickname: s.optional(s.boundedString({ min: 1, max: 32 })),
})

/** Parameters of `relationships.deleteBulk`. API, "J. Relationships". */
export interface DeleteBulkRelationshipsParams {
  /** Type to remove; only `RelationshipType.INCOMING_REQUEST` is allowed. Default: `3`. */
  relationship_type?: typeof RelationshipType.INCOMING_REQUEST | undefined
  /**
   * Whether to remove only spam requests.
   * @default false
   * @deprecated Use `filters` with `RelationshipRemovalFilter.SPAM`.
   */
  only_spam?: boolean | undefined
  /** Filters; only requests that match all of them are removed. */
  filters?: readonly RelationshipRemovalFilter[] | undefined
}
export const DeleteBulkRelationshipsParamsSchema = s.strictObject<DeleteBulkRelationshipsParams>()({
  relationship_type: s.optional(s.oneOf({ INCOMING_REQUEST: 3 })),
  only_spam: s.optional(s.boolean),
  filters: s.optional(s.readonlyArray(s.oneOf(RelationshipRemovalFilter))),
})

/** Parameters of `relationships.addBulk`. API, "J. Relationships". */
export interface AddBulkRelationshipsParams {
  /** IDs of the users to befriend. */
  user_ids: readonly string[]
  /** Contact sync bulk add token; its source is not shown in the API document. */
  token: string
}
export const AddBulkRelationshipsParamsSchema = s.strictObject<AddBulkRelationshipsParams>()({
  user_ids: s.readonlyArray(s.string),
  token: s.string,
})

/** Result of a bulk add. API, "J. Relationships". */
export interface BulkAddResult {
  /** IDs of the users who could not be added. */
  failed_requests: string[]
  /** IDs of the users who were added. */
  successful_requests: string[]
}
export const BulkAddResultSchema = s.looseObject<BulkAddResult>()({
  failed_requests: s.array(s.string),
  successful_requests: s.array(s.string),
})

const all = '/users/@me/relationships'
const one = '/users/@me/relationships/{user.id}'

/** A separate constant, because live stores use it without the other endpoints. */
export const listRelationships = endpoint('Get Relationships', 'GET', all, 'token', {
  response: s.array(RelationshipSchema),
})

export const relationships = {
  list: listRelationships,
  sendRequest: endpoint('Send Friend Request', 'POST', all, 'token', { params: SendFriendRequestParamsSchema }),
  create: endpoint('Create Relationship', 'PUT', one, 'token', { params: CreateRelationshipParamsSchema }),
  update: endpoint('Modify Relationship', 'PATCH', one, 'token', { params: UpdateRelationshipParamsSchema }),
  delete: endpoint('Remove Relationship', 'DELETE', one, 'token'),
  ignore: endpoint('Ignore User', 'PUT', '/users/@me/relationships/{user.id}/ignore', 'token'),
  unignore: endpoint('Unignore User', 'DELETE', '/users/@me/relationships/{user.id}/ignore', 'token'),
  deleteBulk: endpoint('Bulk Remove Relationships', 'DELETE', all, 'token', {
    params: DeleteBulkRelationshipsParamsSchema,
    query: ['relationship_type', 'only_spam'],
  }),
  addBulk: endpoint('Bulk Add Relationships', 'POST', '/users/@me/relationships/bulk', 'token', {
    params: AddBulkRelationshipsParamsSchema,
    response: BulkAddResultSchema,
  }),
} as const

/** Types of reasons for a friend suggestion. API, "Friend Suggestion". */
export const FriendSuggestionReasonType = {
  /** The two are friends on another platform. */
  EXTERNAL_FRIEND: 1,
} as const
/** One of {@link FriendSuggestionReasonType}. */
export type FriendSuggestionReasonType = ValueOf<typeof FriendSuggestionReasonType>

/** Reason for a friend suggestion. API, "Friend Suggestion". */
export interface FriendSuggestionReason {
  /** Type of the reason. */
  type: Open<FriendSuggestionReasonType>
  /** Platform that the reason comes from. */
  platform: string
  /** Name of the suggested user on the platform. */
  name: string
}
export const FriendSuggestionReasonSchema = s.looseObject<FriendSuggestionReason>()({
  type: s.open('integer'),
  platform: s.string,
  name: s.string,
})

/** User whom the current user may know. API, "Friend Suggestion". */
export interface FriendSuggestion {
  /** Suggested user. */
  suggested_user: PartialUser
  /** Reasons for the suggestion. */
  reasons: FriendSuggestionReason[]
  /** Whether the suggested user has the current user among their contacts. */
  from_suggested_user_contacts?: boolean
}
export const FriendSuggestionSchema = s.looseObject<FriendSuggestion>()({
  suggested_user: PartialUserSchema,
  reasons: s.array(FriendSuggestionReasonSchema),
  from_suggested_user_contacts: s.optional(s.boolean),
})

/** A separate constant, because live stores use it without the other endpoints. */
export const listFriendSuggestions = endpoint('Get Friend Suggestions', 'GET', '/friend-suggestions', 'token', {
  response: s.array(FriendSuggestionSchema),
})

export const friendSuggestions = {
  list: listFriendSuggestions,
  delete: endpoint('Remove Friend Suggestion', 'DELETE', '/friend-suggestions/{user.id}', 'token'),
} as const
