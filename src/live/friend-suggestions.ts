import type { FriendSuggestion, FriendSuggestionReasonType } from '../contract/friend-suggestions'
import type { Immutable, Open } from '../contract/schema'
import type { LiveStore } from './live-store'
import { drop, type StoreDefinition } from './store-definition'

/**
 * What `client.friendSuggestions.live` gives: whom the user may know, by their ID, filtered by the type of a reason. There is
 * no event for a suggestion that comes: those are seen when it is loaded. Interface, "Friend Suggestion" and "Events".
 */
export interface FriendSuggestionStore
  extends LiveStore<Immutable<FriendSuggestion>, string, Open<FriendSuggestionReasonType>> {}

/** Defines a {@link FriendSuggestionStore}. */
export const friendSuggestions: StoreDefinition<
  Immutable<FriendSuggestion>,
  string,
  Open<FriendSuggestionReasonType>
> = {
  name: 'client.friendSuggestions.live',
  missesAdditions: true,
  keyOf: ({ suggested_user }) => suggested_user.id,
  keyFor: (userId) => userId,
  isOfType: ({ reasons }, type) => reasons.some((reason) => reason.type === type),
  events(register) {
    register('friendSuggestionDelete', ({ suggested_user_id }) => drop(suggested_user_id))
  },
}
