import { RequestValidationError } from '../errors/validation-errors'
import { optionIssues, REQUEST_OPTIONS, WAIT_FOR_OPTIONS } from '../transport/option-checks'

// They are what those of any call are.
const { signal, timeout } = REQUEST_OPTIONS
/** What `connect` and `stream` can be given. */
export const CALL_OPTIONS = { signal }
/** What `waitFor` can be given. */
export const WAITING_OPTIONS = { ...WAIT_FOR_OPTIONS, signal, timeout }

/**
 * Checks what a call of the gateway is given.
 * @throws RequestValidationError naming every option that cannot be used.
 */
export function checkCallOptions(name: string, options: unknown, checks: Parameters<typeof optionIssues>[1]): void {
  const issues = optionIssues(options, checks)
  if (issues.length > 0) throw new RequestValidationError(name, issues)
}
