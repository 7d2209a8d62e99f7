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
  for (const other of db.grants.values()) if (other.userId === user.id && isStale(other)) spendGrant(core, other)
  for (const [token, handoff] of db.handoffs) if (handoff.userId === user.id) db.handoffs.delete(token)
  for (const [ticket, { userId }] of db.tickets) if (userId === user.id) db.tickets.delete(ticket)

  for (const phone of user.phoneHistory) db.phoneBlacklist.add(phone)
  Object.assign(user, { email, password, phone: null, phoneHistory: [], factors: [], backupCodes: [], passkeys: [] })
  if (user.status === 'locked') user.status = 'active'
  return email
}
