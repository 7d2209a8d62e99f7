import { gatewayEvents } from '../contract/gateway-events'
import { issueAt } from '../contract/issue'
import { RequestValidationError } from '../errors/validation-errors'

const NAMES: readonly unknown[] = [
  ...Object.keys(gatewayEvents),
  'stateChange',
  'warning',
  'error',
  'dispatch',
  'resumed',
]

/**
 * Checks names of events. One that is misspelt would never be heard of. Events that the service has beyond the interface
 * are no exception: those are in `dispatch` alone, under the names that they come with.
 * @throws RequestValidationError naming all that no event has.
 */
export function checkEventNames(method: string, names: Iterable<unknown>): void {
  const unknown = [...names].filter((name) => !NAMES.includes(name))
  const problem = `unknown; known here: ${NAMES.join(', ')}`
  const issues = unknown.map((name) => issueAt([String(name)], 'invalid_value', problem))
  if (issues.length > 0) throw new RequestValidationError(method, issues)
}
