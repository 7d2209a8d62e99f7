import type { Endpoint } from './endpoint'
import { formatted } from './rules'
import { boolean, nullable, object, optional, request, string } from './schema'

/** Parameters of `auth.suggestUsername`. Interface, "C. Registration". */
export interface SuggestUsernameParams {
  /** Display name to derive the suggestion from. Default: a random suggestion. */
  global_name?: string
}
// Sent in the query as UTF-8, which would replace a lone surrogate by another character.
const QueryTextSchema = formatted((value) => !/\p{Surrogate}/u.test(value), 'well-formed Unicode, no lone surrogates')
export const SuggestUsernameParamsSchema = /*@__PURE__*/ request<SuggestUsernameParams>()({
  global_name: optional(QueryTextSchema),
})

/** Available username. Interface, "C. Registration". */
export interface UsernameSuggestion {
  /** Suggested username. */
  username: string
}
export const UsernameSuggestionSchema = /*@__PURE__*/ object<UsernameSuggestion>()({ username: string })

/** Parameters of `auth.checkUsername`. Interface, "C. Registration". */
export interface CheckUsernameParams {
  /** Username to check. */
  username: string
}
export const CheckUsernameParamsSchema = /*@__PURE__*/ request<CheckUsernameParams>()({ username: string })

/** Availability of a username. Interface, "C. Registration". */
export interface UsernameEligibility {
  /** Whether the username is taken; `null` if the service does not disclose it. */
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
