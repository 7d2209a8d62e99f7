import type { Core } from '../core'
import { formRefusal } from '../envelope'
import type { GrantRecord } from './database'
import { spendGrant } from './grants'
import { endSessions } from './sessions'
import { findByLogin, requireUser } from './users'

/** Gives an account back to its owner. Interface, "F. Account recovery", names every effect. */
export function revertAccount(core: Core, grant: GrantRecord, password: string): string {
  const { db } = core
  const user = requireUser(core, grant.userId ?? '')
  const email = grant.subject ?? ''
  const owner = findByLogin(core, email)
  if (owner !== undefined && owner.id !== user.id) {
    const message = 'Email is already registered.'
    throw formRefusal(core.policy, [{ path: ['token'], code: 'EMAIL_ALREADY_REGISTERED', message }])
  }

  spendGrant(core, grant)
  endSessions(core, user.id)
  core.tell({ kind: 'account_reverted', userId: user.id })
  // Whatever else could open the account goes with the tokens. Revert tokens from before stay: they are from owners
  // further back, while a later one may have gone to whoever took the account over.
  const isStale = (other: GrantRecord) => other.purpose !== 'revert' || other.issuedAt > grant.issuedAt
  db.grants.deleteWhere('userId', user.id, isStale)
  db.handoffs.deleteWhere('userId', user.id)
  db.tickets.deleteWhere('userId', user.id)

  for (const phone of user.phoneHistory) db.phoneBlacklist.add(phone)
  const none = { phone: null, phoneHistory: [], factors: [], backupCodes: [], passkeys: [] }
  db.users.update(user.id, { email, password, ...none })
  if (user.status === 'locked') user.status = 'active'
  return email
}
