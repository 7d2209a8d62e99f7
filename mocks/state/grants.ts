import type { Duration } from '../clock'
import { addExpiring, expiryOf, isUnexpired, type ServiceContext } from '../core'
import type { GrantRecord } from '../database'
import { formError } from '../errors'

type GrantPurpose = GrantRecord['purpose']

/** Account revert token: valid 2 days. API, "Limits". */
const REVERT_LIFETIME = '2d'

export function issueGrant(
  core: ServiceContext,
  purpose: GrantPurpose,
  { userId = null, subject = null }: { readonly userId?: string | null; readonly subject?: string | null },
): string {
  const token = core.random.text(40)
  const issuedAt = core.clock.now()
  const expiresAt = expiryOf(core, lifetimeOf(core, purpose))
  addExpiring(core, core.db.grants, token, { token, purpose, userId, subject, issuedAt, expiresAt })
  return token
}

/** Returns the grant of a token. @throws ServiceError a form error at `field` if it is unknown, consumed or expired. */
export function requireGrant(core: ServiceContext, purpose: GrantPurpose, token: string, field: string): GrantRecord {
  const grant = core.db.grants.get(token)
  if (grant?.purpose === purpose && isUnexpired(core, grant)) return grant
  const { message } = core.policy.errors.invalidToken
  throw formError(core.policy, [{ path: [field], code: 'INVALID_TOKEN', message }])
}

export function consumeGrant({ db }: ServiceContext, { token }: GrantRecord): void {
  db.grants.delete(token)
}

/** Invalidates the reset and one-time login tokens of an account. */
export function endRecovery({ db }: ServiceContext, userId: string): void {
  db.grants.deleteWhere('userId', userId, ({ purpose }) => purpose === 'reset' || purpose === 'one_time_login')
}

function lifetimeOf({ policy: { lifetimes } }: ServiceContext, purpose: GrantPurpose): Duration {
  const durations: Record<GrantPurpose, Duration> = {
    reset: lifetimes.reset,
    one_time_login: lifetimes.oneTimeLogin,
    revert: REVERT_LIFETIME,
    verification: lifetimes.verification,
    phone: lifetimes.phoneToken,
    contact_sync: lifetimes.contactSync,
  }
  return durations[purpose]
}
