import { RequestValidationError } from '../errors/validation-errors'
import { aFunction, aLimit, aSignal, type Checks, optionIssues } from '../transport/option-checks'
import type { GatewayCallOptions, GatewayConnectOptions, WaitForOptions } from './options'

export const CONNECT_OPTIONS: Checks<GatewayConnectOptions> = { timeout: aLimit, signal: aSignal }
export const CALL_OPTIONS: Checks<GatewayCallOptions> = { signal: aSignal }
export const WAITING_OPTIONS: Checks<WaitForOptions<unknown>> = { filter: aFunction, timeout: aLimit, signal: aSignal }

/**
 * Checks what a call of the gateway is given.
 * @throws RequestValidationError naming every option that cannot be used.
 */
export function checkCallOptions(name: string, options: unknown, checks: Parameters<typeof optionIssues>[1]): void {
  const issues = optionIssues(options, checks)
  if (issues.length > 0) throw new RequestValidationError(name, issues)
}
