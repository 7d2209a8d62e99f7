import type { LoginSettings } from '../../src/contract/login'
import type { Core } from '../core'
import { formRefusal, refusal } from '../envelope'
import { viewOf } from '../mock-user'
import { sendMail } from '../outbox'
import type { SessionRecord, UserRecord } from './database'
import { issueGrant } from './grants'
import { type SessionOrigin, startSession } from './sessions'

/** Refuses an account that may not be entered. `undelete` lets in one that its user disabled or deleted. */
export function assertMayEnter({ policy }: Core, { status }: UserRecord, undelete = false): void {
  if (status === 'suspended') throw refusal(policy, 'accountSuspended')
  if (status === 'disabled' && !undelete) throw refusal(policy, 'accountDisabled')
  if (status === 'deletion_scheduled' && !undelete) throw refusal(policy, 'accountDeletionScheduled')
  // "The account locked, requiring a password reset". Interface, "Authentication" 7.
  if (status !== 'locked') return
  const message = 'Your account is locked. Reset your password to enter it.'
  throw formRefusal(policy, [{ path: ['login'], code: 'PASSWORD_RESET_REQUIRED', message }])
}

/** Lets a user in: restores the account where that was asked for, and starts a session. */
export function signIn(core: Core, user: UserRecord, origin: SessionOrigin, undelete = false): SessionRecord {
  // A bot has the tokens of its application, and no account that a client of the service signs in to.
  if (user.botOf !== null) throw refusal(core.policy, 'forbidden')
  assertMayEnter(core, user, undelete)
  user.status = 'active'
  return startSession(core, user, origin)
}

/** Refuses an address that the policy does not know for the account, until the mailed token authorizes it. */
export function assertKnownLocation(core: Core, user: UserRecord, ip: string): void {
  if (user.authorizedIps.includes(ip) || !core.policy.verifyNewLocation(viewOf(user), ip)) return
  const token = issueGrant(core, 'verification', { userId: user.id, subject: ip })
  if (user.email !== null) {
    sendMail(core, { to: user.email, kind: 'new_location', token, text: `Was it you who signed in from ${ip}?` })
  }
  const message = 'New login location detected, please check your e-mail.'
  throw formRefusal(core.policy, [{ path: ['login'], code: 'ACCOUNT_LOGIN_VERIFICATION_EMAIL', message }])
}

/** The settings that signing in answers. */
export function settingsOf({ locale, theme }: UserRecord): LoginSettings {
  return { locale, theme }
}

/** `required_actions`, where there are any. */
export function requiredActions(
  core: Core,
  user: UserRecord,
  password: string | null,
): { required_actions?: string[] } {
  const actions = core.policy.requiredActions(viewOf(user), password)
  return actions.length > 0 ? { required_actions: actions } : {}
}
