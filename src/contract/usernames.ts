import type { Endpoint } from './endpoint'
import { formatted } from './rules'
import { boolean, nullable, object, optional, request, string } from './schema'

/** What `auth.suggestUsername` takes. Interface, "C. Registration". */
export interface SuggestUsernameParams {
  /** Display name to derive the suggestion from; the suggestion is random when absent. */
  global_name?: string
}
// It travels in the query, which is UTF-8: half a character would arrive as another one.
const QueryTextSchema = formatted((value) => !/\p{Surrogate}/u.test(value), 'whole characters, not a lone surrogate')
export const SuggestUsernameParamsSchema = /*@__PURE__*/ request<SuggestUsernameParams>()({
  global_name: optional(QueryTextSchema),
})

/** A username that is free. Interface, "C. Registration". */
export interface UsernameSuggestion {
  /** The suggested username. */
  username: string
}
export const UsernameSuggestionSchema = /*@__PURE__*/ object<UsernameSuggestion>()({ username: string })

/** What `auth.checkUsername` takes. Interface, "C. Registration". */
export interface CheckUsernameParams {
  /** The username that the user would like. */
  username: string
}
export const CheckUsernameParamsSchema = /*@__PURE__*/ request<CheckUsernameParams>()({ username: string })

/** Whether a username is taken. Interface, "C. Registration". */
export interface UsernameEligibility {
  /** Whether the username is taken; `null` when the service does not say. */
  taken: boolean | null
}
export const UsernameEligibilitySchema = /*@__PURE__*/ object<UsernameEligibility>()({ taken: nullable(boolean) })

export const usernames = {
  suggestUsername: {
    name: 'Get Username Suggestions',
    method: 'GET',
    path: '/unique-username/username-suggestions-unauthed',
    auth: 'none',
    stepUp: false,
    params: SuggestUsernameParamsSchema,
    query: ['global_name'],
    response: UsernameSuggestionSchema,
  },
  checkUsername: {
    name: 'Check Username Eligibility',
    method: 'POST',
    path: '/unique-username/username-attempt-unauthed',
    auth: 'none',
    stepUp: false,
    params: CheckUsernameParamsSchema,
    response: UsernameEligibilitySchema,
  },
} as const satisfies Record<string, Endpoint>
