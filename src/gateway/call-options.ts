import { RequestValidationError } from '../errors/validation-errors'
import { aFunction, aLimit, aSignal, type Checks, optionIssues } from '../transport/option-checks'
import type { GatewayCallOptions, WaitForOptions } from './options'

/** What `connect` and `stream` can be given. */
export const CALL_OPTIONS: Checks<GatewayCallOptions> = { signal: aSignal }
/** What `waitFor` can be given. */
export const WAITING_OPTIONS: Checks<WaitForOptions<unknown>> = { filter: aFunction, timeout: aLimit, signal: aSignal }

/**
 * Checks what a call of the gateway is given.
 * @throws RequestValidationError naming every option that cannot be used.
 */
export function checkCallOptions(name: string, options: unknown, checks: Parameters<typeof optionIssues>[1]): void {
  const issues = optionIssues(options, checks)
  if (issues.length > 0) throw new RequestValidationError(name, issues)
}
