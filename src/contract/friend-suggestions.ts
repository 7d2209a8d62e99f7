import type { Endpoint } from './endpoint'
import { type PartialUser, PartialUserSchema } from './relationships'
import { array, boolean, looseObject, type Open, open, optional, string, type ValueOf } from './schema'

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
export const FriendSuggestionReasonSchema = /*@__PURE__*/ looseObject<FriendSuggestionReason>()({
  type: open('integer'),
  platform: string,
  name: string,
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
export const FriendSuggestionSchema = /*@__PURE__*/ looseObject<FriendSuggestion>()({
  suggested_user: PartialUserSchema,
  reasons: array(FriendSuggestionReasonSchema),
  from_suggested_user_contacts: optional(boolean),
})

/** A constant of its own, because live stores use it without the other endpoints. */
export const listFriendSuggestions = {
  name: 'Get Friend Suggestions',
  method: 'GET',
  path: '/friend-suggestions',
  auth: 'token',
  response: array(FriendSuggestionSchema),
} as const satisfies Endpoint

export const friendSuggestions = {
  list: listFriendSuggestions,
  delete: { name: 'Remove Friend Suggestion', method: 'DELETE', path: '/friend-suggestions/{user.id}', auth: 'token' },
} as const satisfies Record<string, Endpoint>
