import { issueAt } from '../contract/issue'
import { ResponseMismatchError } from '../errors/validation-errors'
import { isHeaderValue } from '../transport/headers'

/**
 * The token of an answer. Without one the call has not done what it is for, so this throws whatever
 * `onResponseMismatch` says.
 */
export function answeredToken(endpoint: string, answer: unknown): string {
  const token = (answer as { token?: unknown } | null | undefined)?.token
  if (isHeaderValue(token)) return token
  const issue =
    token === undefined
      ? issueAt(['token'], 'required', 'required: a token')
      : issueAt(['token'], 'invalid_format', 'expected a token that a header can carry')
  throw new ResponseMismatchError(endpoint, [issue])
}
