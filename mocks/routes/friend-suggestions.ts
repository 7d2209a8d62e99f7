import type { friendSuggestions } from '../../src/contract/friend-suggestions'
import { refusal } from '../envelope'
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
    const before = core.db.suggestions.get(user.id) ?? []
    const after = before.filter(({ suggestedId }) => suggestedId !== path['user.id'])
    if (after.length === before.length) throw refusal(core.policy, 'unknownSuggestion')
    core.db.suggestions.set(user.id, after)
    core.tell({
      kind: 'event',
      userId: user.id,
      event: 'Friend Suggestion Delete',
      // Suggestions are the user's own: an application hears nothing of them.
      dataFor: ({ applicationId }) => (applicationId === null ? { suggested_user_id: path['user.id'] } : undefined),
    })
  },
}
