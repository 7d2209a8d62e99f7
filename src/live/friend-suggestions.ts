import type { FriendSuggestion, FriendSuggestionReasonType } from '../contract/friend-suggestions'
import type { Immutable, Open } from '../contract/schema'
import { drop, type Kind } from './kind'
import type { LiveStore } from './live-store'

/**
 * What `client.friendSuggestions.live` gives: whom the user may know, by their ID, filtered by the type of a reason. There is
 * no event for a suggestion that comes: those are seen when it is loaded. Interface, "Friend Suggestion" and "Events".
 */
export interface FriendSuggestionStore
  extends LiveStore<Immutable<FriendSuggestion>, string, Open<FriendSuggestionReasonType>> {}

/** What tells a {@link FriendSuggestionStore} from others. */
export const friendSuggestions: Kind<Immutable<FriendSuggestion>, string, Open<FriendSuggestionReasonType>> = {
  name: 'client.friendSuggestions.live',
  keyOf: ({ suggested_user }) => suggested_user.id,
  keyFor: (userId) => userId,
  isOfType: ({ reasons }, type) => reasons.some((reason) => reason.type === type),
  events(tie) {
    tie('friendSuggestionDelete', ({ suggested_user_id }) => drop(suggested_user_id))
  },
}
