import { type Issue, issueAt } from '../contract/issue'
import { RequestValidationError } from '../errors/validation-errors'

/**
 * Checks names of events that somebody wants to hear of: one that is misspelt would never be told.
 * @throws RequestValidationError naming all that no event has.
 */
export function checkEventNames(method: string, names: readonly unknown[], known: readonly unknown[]): void {
  const issues = Array.isArray(names)
    ? [...names].flatMap((name) => nameIssues([String(name)], name, known))
    : [issueAt([], 'invalid_type', 'expected a list of names of events')]
  if (issues.length > 0) throw new RequestValidationError(method, issues)
}

/** What is wrong with a name that is none of those known. */
export function nameIssues(path: readonly string[], name: unknown, known: readonly unknown[]): Issue[] {
  return known.includes(name) ? [] : [issueAt(path, 'invalid_value', `unknown; known here: ${known.join(', ')}`)]
}
