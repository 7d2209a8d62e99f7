import type { friendSuggestions } from '../../src/contract/friend-suggestions'
import { refusal } from '../envelope'
import { endSuggestion } from '../state/suggestions'
import { partialUser } from '../state/users'
import type { RoutesOf } from './route'

export const friendSuggestionRoutes: RoutesOf<typeof friendSuggestions> = {
  list({ core, caller: { user } }) {
    return (core.db.suggestions.get(user.id) ?? []).map(({ suggestedId, reasons, fromContacts }) => ({
      suggested_user: partialUser(core, suggestedId),
      reasons: structuredClone(reasons),
      from_suggested_user_contacts: fromContacts,
    }))
  },

  delete({ core, path, caller: { user } }) {
    if (!endSuggestion(core, user.id, path['user.id'])) throw refusal(core.policy, 'unknownSuggestion')
  },
}
