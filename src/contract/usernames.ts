import * as z from 'zod/mini'
import type { Endpoint } from './endpoint'
import { formatted } from './rules'
import { object, request } from './schema'

/** What `auth.suggestUsername` takes. Interface, "C. Registration". */
export interface SuggestUsernameParams {
  /** Display name to derive the suggestion from; the suggestion is random when absent. */
  global_name?: string
}
// It travels in the query, which is UTF-8: half a character would arrive as another one.
const QueryTextSchema = formatted((value) => !/\p{Surrogate}/u.test(value), 'whole characters, not a lone surrogate')
export const SuggestUsernameParamsSchema = request<SuggestUsernameParams>()({
  global_name: z.optional(QueryTextSchema),
})

/** A username that is free. Interface, "C. Registration". */
export interface UsernameSuggestion {
  /** The suggested username. */
  username: string
}
export const UsernameSuggestionSchema = object<UsernameSuggestion>()({ username: z.string() })

/** What `auth.checkUsername` takes. Interface, "C. Registration". */
export interface CheckUsernameParams {
  /** The username that the user would like. */
  username: string
}
export const CheckUsernameParamsSchema = request<CheckUsernameParams>()({ username: z.string() })

/** Whether a username is taken. Interface, "C. Registration". */
export interface UsernameEligibility {
  /** Whether the username is taken; `null` when the service does not say. */
  taken: boolean | null
}
export const UsernameEligibilitySchema = object<UsernameEligibility>()({ taken: z.nullable(z.boolean()) })

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
