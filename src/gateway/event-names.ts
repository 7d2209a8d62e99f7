import { gatewayEvents } from '../contract/gateway-events'
import { type Issue, issueAt } from '../contract/issue'
import { RequestValidationError } from '../errors/validation-errors'

/** The names that a protocol may give to what the service sends. */
const SENT: readonly unknown[] = [...Object.keys(gatewayEvents), 'resumed']
const NAMES: readonly unknown[] = [...SENT, 'stateChange', 'warning', 'error', 'dispatch']

/**
 * Checks names of events. One that is misspelt would never be heard of. Events that the service has beyond the interface
 * are no exception: those are in `dispatch` alone, under the names that they come with.
 * @throws RequestValidationError naming all that no event has.
 */
export function checkEventNames(method: string, names: Iterable<unknown>): void {
  const issues = [...names].flatMap((name) => nameIssues([String(name)], name, NAMES))
  if (issues.length > 0) throw new RequestValidationError(method, issues)
}

/** What of a protocol's event map nobody could listen to. */
export function eventMapIssues(option: string, eventMap: unknown): Issue[] {
  return Object.entries(Object(eventMap)).flatMap(([sent, name]) => nameIssues([option, sent], name, SENT))
}

function nameIssues(path: readonly string[], name: unknown, known: readonly unknown[]): Issue[] {
  return known.includes(name) ? [] : [issueAt(path, 'invalid_value', `unknown; known here: ${known.join(', ')}`)]
}
