import type { FriendSuggestion, FriendSuggestionReasonType } from '../contract/friend-suggestions'
import type { Open } from '../contract/schema'
import { drop, type Kind } from './kind'
import type { Immutable } from './live-store'

/**
 * Whom the user may know, by their ID. There is no event for a suggestion that comes: those are seen when it is loaded.
 * Interface, "Friend Suggestion" and "Events".
 */
export const friendSuggestions: Kind<Immutable<FriendSuggestion>, string, Open<FriendSuggestionReasonType>> = {
  name: 'client.friendSuggestions.live',
  keyOf: ({ suggested_user }) => suggested_user.id,
  keyFor: (userId) => userId,
  isOfType: ({ reasons }, type) => reasons.some((reason) => reason.type === type),
  events(tie) {
    tie('friendSuggestionDelete', ({ suggested_user_id }) => drop(suggested_user_id))
  },
}
