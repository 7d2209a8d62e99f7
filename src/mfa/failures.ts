// Failures of a verification that do not end its flow.
import { isRateLimitError, isServerError } from '../errors/api-errors'
import { isConnectionError, isTimeoutError, MfaFailedError } from '../errors/client-errors'

/** Thrown if the ticket has expired, so that the flow requests a new one. */
export class TicketExpired {
  constructor(readonly error: Error) {}
}

/** Returns the error of the first ticket expiry, after which the caller retries; rethrows everything else. */
export function rethrowUnlessExpired(error: unknown, expired: Error | undefined): Error {
  if (!(error instanceof TicketExpired)) throw error
  if (!expired) return error.error
  throw new MfaFailedError(2, 'its ticket expired twice', { cause: error.error })
}

/** Whether a failure concerns neither the answer nor the ticket, so that the same answer may be accepted later. */
export function isTemporary(error: unknown): error is Error {
  if (isTimeoutError(error)) return error.limit === 'timeout'
  return isConnectionError(error) || isServerError(error) || isRateLimitError(error)
}
