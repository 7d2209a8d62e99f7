import type { Core } from '../core'

/** Suggests a user no longer. @returns whether the user was suggested. */
export function endSuggestion(core: Core, userId: string, suggestedId: string): boolean {
  const before = core.db.suggestions.get(userId) ?? []
  const after = before.filter((suggestion) => suggestion.suggestedId !== suggestedId)
  if (after.length === before.length) return false
  core.db.suggestions.set(userId, after)
  core.tell({
    kind: 'event',
    userId,
    event: 'Friend Suggestion Delete',
    // Suggestions are the user's own: an application hears nothing of them.
    dataFor: ({ applicationId }) => (applicationId === null ? { suggested_user_id: suggestedId } : undefined),
  })
  return true
}
