import type { login } from '../../src/contract/login'
import { formRefusal, refusal } from '../envelope'
import { mfaFlags, needsSecondFactor, verifyFactor } from '../state/factors'
import { requireGrant, spendGrant } from '../state/grants'
import { assertKnownLocation, assertMayEnter, requiredActions, settingsOf, signIn } from '../state/sign-in'
import { closeTicket, openTicket, requireTicket, userOfTicket } from '../state/tickets'
import { findByLogin, requireUser } from '../state/users'
import { originOf, type RoutesOf } from './route'

export const loginRoutes: RoutesOf<typeof login> = {
  login({ core, params: { login, password, undelete = false }, request }) {
    const user = findByLogin(core, login)
    if (user === undefined || user.password !== password) {
      // The same for both, so that the answer does not tell which logins exist.
      const problem = { code: 'INVALID_LOGIN', message: 'Login or password is invalid.' }
      throw formRefusal(core.policy, [
        { path: ['login'], ...problem },
        { path: ['password'], ...problem },
      ])
    }
    assertMayEnter(core, user, undelete)
    assertKnownLocation(core, user, request.ip)
    const actions = requiredActions(core, user, password)
    if (needsSecondFactor(user)) {
      const loginInstanceId = core.random.text(24)
      const ticket = openTicket(core, { purpose: 'login', userId: user.id, loginInstanceId, undelete })
      return { user_id: user.id, ...mfaFlags(core, user, ticket), login_instance_id: loginInstanceId, ...actions }
    }
    const { token } = signIn(core, user, originOf(request), undelete)
    return { user_id: user.id, token, user_settings: settingsOf(user), ...actions }
  },

  verifyMfaLogin({ core, path, params: { ticket, login_instance_id, code }, request }) {
    const record = requireTicket(core, ticket, 'login')
    if (login_instance_id !== undefined && login_instance_id !== record.loginInstanceId) {
      throw refusal(core.policy, 'invalidTicket')
    }
    const user = userOfTicket(core, record)
    verifyFactor(core, user, record, path.authenticator_type, code)
    closeTicket(core, record)
    const { token } = signIn(core, user, originOf(request), record.undelete)
    return { token, user_settings: settingsOf(user) }
  },

  authorizeIp({ core, params: { token } }) {
    const grant = requireGrant(core, 'verification', token, 'token')
    const user = requireUser(core, grant.userId ?? '')
    if (grant.subject !== null) user.authorizedIps.push(grant.subject)
    spendGrant(core, grant)
  },
}
