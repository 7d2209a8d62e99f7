import type { UserRecord } from '../database'
import { formError, type ServiceError } from '../errors'
import type { Policy } from '../policy'

/**
 * Returns the error of a sign-in: "The account locked, requiring a password reset". API, "Authentication", 7.
 */
export function lockedError(policy: Policy): ServiceError {
  const message = 'Your account is locked. Reset your password to sign in.'
  return formError(policy, [{ path: ['login'], code: 'PASSWORD_RESET_REQUIRED', message }])
}

/** Unlocks an account after its password was reset. Returns whether it was locked. */
export function unlock(user: UserRecord): boolean {
  const wasLocked = user.status === 'locked'
  if (wasLocked) user.status = 'active'
  return wasLocked
}
