import { PasswordResetMethod, type ResetPasswordParams, type recovery } from '../../src/contract/recovery'
import type { Core } from '../core'
import { formRefusal, refusal } from '../envelope'
import { sendMail, sendSms } from '../outbox'
import type { UserRecord } from '../state/database'
import { mfaFlags, needsSecondFactor, verifyFactor } from '../state/factors'
import { endRecovery, issueGrant, requireGrant, spendGrant } from '../state/grants'
import { revertAccount } from '../state/revert'
import { replaceSessions } from '../state/sessions'
import { assertMayEnter, signIn } from '../state/sign-in'
import { closeTicket, openTicket, requireTicket } from '../state/tickets'
import { findByLogin, requireUser } from '../state/users'
import { originOf, type RoutesOf } from './route'

export const recoveryRoutes: RoutesOf<typeof recovery> = {
  forgotPassword({ core, params: { login } }) {
    const user = findByLogin(core, login)
    // Whoever asks for an account that does not exist learns nothing.
    if (user === undefined) return { method: PasswordResetMethod.password_reset }
    const token = issueGrant(core, 'reset', { userId: user.id })
    const text = 'Follow the link to choose a new password.'
    if (user.email === null || login === user.phone) {
      sendSms(core, { to: login, kind: 'password_reset', token, text })
      return { method: PasswordResetMethod.password_reset }
    }
    if (needsSecondFactor(user)) {
      sendMail(core, { to: user.email, kind: 'password_reset', token, text })
      return { method: PasswordResetMethod.password_reset }
    }
    // "For accounts without MFA the user may skip the reset with a one-time login ticket". Interface, "E.".
    const ticket = issueGrant(core, 'one_time_login', { userId: user.id })
    sendMail(core, { to: user.email, kind: 'password_reset', token, ticket, text: `${text} Or sign in once without.` })
    return { method: PasswordResetMethod.one_time_login }
  },

  resetPassword({ core, params, request }) {
    const grant = requireGrant(core, 'reset', params.token, 'token')
    const user = requireUser(core, grant.userId ?? '')
    const wasLocked = user.status === 'locked'
    if (!wasLocked) assertMayEnter(core, user)
    if (!core.policy.judgePassword(params.password).valid) {
      const message = 'Password is too weak.'
      throw formRefusal(core.policy, [{ path: ['password'], code: 'PASSWORD_DOES_NOT_MEET_REQUIREMENTS', message }])
    }
    if (needsSecondFactor(user)) {
      const { ticket } = params
      if (ticket === undefined) {
        const opened = openTicket(core, { purpose: 'password_reset', userId: user.id, resetToken: params.token })
        return { user_id: user.id, ...mfaFlags(core, user, opened) }
      }
      verifyResetFactor(core, user, { ...params, ticket })
    }
    // With the old password ends what it began: other resets, and logins that wait for a second factor.
    endRecovery(core, user.id)
    core.db.tickets.deleteWhere('userId', user.id, ({ purpose }) => purpose !== 'elevation')
    user.password = params.password
    user.status = 'active'
    const session = signIn(core, user, originOf(request))
    if (core.policy.resetEndsSessions || wasLocked) {
      core.db.handoffs.deleteWhere('userId', user.id)
      replaceSessions(core, session)
    }
    return { token: session.token }
  },

  oneTimeLogin({ core, params: { ticket }, request }) {
    const grant = requireGrant(core, 'one_time_login', ticket, 'ticket')
    const { token } = signIn(core, requireUser(core, grant.userId ?? ''), originOf(request))
    spendGrant(core, grant)
    return { token }
  },

  revertAccount({ core, params: { token, password } }) {
    return { email: revertAccount(core, requireGrant(core, 'revert', token, 'token'), password) }
  },
}

function verifyResetFactor(core: Core, user: UserRecord, params: ResetPasswordParams & { ticket: string }): void {
  const { ticket, method = '', code = '', token } = params
  const record = requireTicket(core, ticket, 'password_reset')
  if (record.resetToken !== token) throw refusal(core.policy, 'invalidTicket')
  verifyFactor(core, user, record, method, code)
  closeTicket(core, record)
}
