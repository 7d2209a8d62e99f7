import { issueAt } from '../contract/issue'
import { RequestValidationError } from '../errors/validation-errors'
import { optionIssues, WAIT_FOR_OPTIONS } from '../transport/option-checks'
import type { WaitForOptions } from './options'

/**
 * Checks what a call of the gateway is given.
 * @throws RequestValidationError naming every option that cannot be used.
 */
export function checkCallOptions(
  name: string,
  options: WaitForOptions<never>,
  known: readonly (keyof typeof WAIT_FOR_OPTIONS)[],
): void {
  const issues = optionIssues(options, Object.fromEntries(known.map((option) => [option, WAIT_FOR_OPTIONS[option]])))
  const { signal, timeout } = issues.length > 0 ? {} : options
  if (signal !== undefined && typeof signal.addEventListener !== 'function')
    issues.push(issueAt(['signal'], 'invalid_value', 'expected an AbortSignal'))
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0))
    issues.push(issueAt(['timeout'], 'invalid_value', 'expected a number above 0'))
  if (issues.length > 0) throw new RequestValidationError(name, issues)
}
