import type { handoff, login, logout, passwordless } from '../../src/contract/login'
import type { mfa as mfaRows } from '../../src/contract/mfa'
import { PasswordResetMethod, type recovery } from '../../src/contract/recovery'
import type { RegisterParams, registration, usernames } from '../../src/contract/registration'
import type { sessions as sessionRows } from '../../src/contract/sessions'
import { addExpiring, expiryOf, isUnexpired, type ServiceContext, toTimestamp } from '../core'
import type { GrantRecord, UserRecord } from '../database'
import { apiError, brokenFields, invalidFields } from '../errors'
import { sendMail, sendSms } from '../outbox'
import * as mfa from '../state/mfa'
import { ratePassword } from '../state/policy-settings'
import * as sessions from '../state/sessions'
import * as users from '../state/users'
import { originOf, type RoutesOf } from './route'

const settingsOf = ({ locale, theme }: UserRecord) => ({ locale, theme })

export const loginRoutes: RoutesOf<typeof login> = {
  login({ core, params: { login, password, undelete = false }, request }) {
    const user = users.findByLogin(core, login)
    if (user === undefined || user.password !== password) {
      // The same error for both fields, so that the response does not reveal which logins exist.
      throw invalidFields(core.policy, ['login', 'INVALID_LOGIN'], ['password', 'INVALID_LOGIN'])
    }
    sessions.assertCanSignIn(core, user, undelete)
    sessions.assertKnownLocation(core, user, request.ip)
    const actions = sessions.requiredActions(core, user, password)
    if (mfa.needsSecondFactor(user)) {
      const loginInstanceId = core.random.text(24)
      const ticket = mfa.openTicket(core, { purpose: 'login', userId: user.id, loginInstanceId, undelete })
      return { user_id: user.id, ...mfa.mfaFlags(core, user, ticket), login_instance_id: loginInstanceId, ...actions }
    }
    const { token } = sessions.signIn(core, user, originOf(request), undelete)
    return { user_id: user.id, token, user_settings: settingsOf(user), ...actions }
  },

  verifyMfaLogin({ core, path, params: { ticket, login_instance_id, code }, request }) {
    const record = mfa.requireTicket(core, ticket, 'login')
    if (login_instance_id !== undefined && login_instance_id !== record.loginInstanceId) {
      throw apiError(core.policy, 'invalidTicket')
    }
    const user = mfa.userOfTicket(core, record)
    mfa.verifyFactor(core, user, record, path.authenticator_type, code)
    core.db.tickets.delete(record.ticket)
    const { token } = sessions.signIn(core, user, originOf(request), record.undelete)
    return { token, user_settings: settingsOf(user) }
  },

  authorizeIp({ core, params: { token } }) {
    const grant = sessions.requireGrant(core, 'verification', token, 'token')
    const user = users.requireUser(core, grant.userId ?? '')
    if (grant.subject !== null) user.authorizedIps.push(grant.subject)
    core.db.grants.delete(grant.token)
  },
}

export const logoutRoutes: RoutesOf<typeof logout> = {
  /** Push notifications are ignored: the document shows no endpoint to register for them. */
  logout: ({ core, caller: { session } }) => sessions.endSession(core, session),
}

export const passwordlessRoutes: RoutesOf<typeof passwordless> = {
  startPasswordlessLogin({ core }) {
    const { ticket, challenge } = mfa.openTicket(core, { purpose: 'passwordless' })
    return { ticket, challenge: mfa.requestOptions(core, challenge) }
  },

  finishPasswordlessLogin({ core, params: { ticket, credential }, request }) {
    const record = mfa.requireTicket(core, ticket, 'passwordless')
    const parsed = mfa.parseCredential(credential, record.challenge)
    const user = core.db.users.find('passkey', parsed?.credential.id ?? '')
    if (user === undefined || !mfa.acceptPasskey(core, user.passkeys, credential, record.challenge))
      throw apiError(core.policy, 'invalidCode')
    const { token } = sessions.signIn(core, user, originOf(request))
    core.db.tickets.delete(record.ticket)
    return { user_id: user.id, token, user_settings: settingsOf(user), ...sessions.requiredActions(core, user, null) }
  },
}

export const handoffRoutes: RoutesOf<typeof handoff> = {
  createHandoffToken({ core, params: { key }, caller: { user, session }, request: { ip } }) {
    // The exchanged token signs in to the account, which applications are not allowed to do.
    if (session.kind !== 'user') throw apiError(core.policy, 'forbidden')
    const token = core.random.text(40)
    const expiresAt = expiryOf(core, core.policy.lifetimes.handoff)
    addExpiring(core, core.db.handoffs, token, { token, key, ip, userId: user.id, expiresAt, consumed: false })
    return { handoff_token: token }
  },

  exchangeHandoffToken({ core, params: { key, handoff_token }, request }) {
    const record = core.db.handoffs.get(handoff_token)
    // "Same key, same IP address, first use". API, "Handoff token".
    const isValid = record !== undefined && record.key === key && record.ip === request.ip && !record.consumed
    if (!isValid || !isUnexpired(core, record)) throw apiError(core.policy, 'invalidHandoff')
    const { token } = sessions.signIn(core, users.requireUser(core, record.userId), originOf(request))
    record.consumed = true
    return { token, user: users.partialUser(core, record.userId) }
  },
}

export const usernameRoutes: RoutesOf<typeof usernames> = {
  suggestUsername({ core, params: { global_name } }) {
    return { username: users.generateUsername(core, global_name) }
  },

  checkUsername({ core, params: { username } }) {
    return { taken: users.findByUsername(core, username) !== undefined }
  },
}

export const registrationRoutes: RoutesOf<typeof registration> = {
  register({ core, params, request }) {
    const fingerprint = params.fingerprint ?? request.headers.get('x-fingerprint')
    const grant =
      params.phone_token === undefined
        ? undefined
        : sessions.requireGrant(core, 'phoneToken', params.phone_token, 'phone_token')
    const phone = grant?.subject ?? null
    // "The new account then shares its ID with the fingerprint". API, "C. Registration".
    const id = fingerprint === null ? null : (/^(\d{1,20})(?:\.|$)/.exec(fingerprint)?.[1] ?? null)
    const errors = registrationErrors(core, params, { phone, id, ip: request.ip })
    if (errors.length > 0) throw invalidFields(core.policy, ...errors)

    const user = users.addUser(core, {
      ...(id !== null && { id }),
      username: params.username ?? users.generateUsername(core, params.global_name),
      global_name: params.global_name ?? null,
      email: params.email ?? null,
      phone,
      password: params.password ?? null,
    })
    if (grant !== undefined) core.db.grants.delete(grant.token)
    const { token } = sessions.signIn(core, user, originOf(request))
    return params.invite == null ? { token } : { token, show_verification_form: false }
  },

  registerPhone({ core, params: { phone } }) {
    if (core.db.phoneBlacklist.has(phone)) throw invalidFields(core.policy, ['phone', 'PHONE_NOT_ALLOWED'])
    const code = core.random.digits(6)
    addExpiring(core, core.db.phoneCodes, phone, { code, expiresAt: expiryOf(core, core.policy.lifetimes.phoneCode) })
    sendSms(core, { to: phone, kind: 'phone_verification', code, text: `Your verification code is ${code}` })
  },

  getLocationMetadata: ({ core, request }) => core.policy.locationMetadata(request.ip),

  validatePassword: ({ core, params: { password } }) => ratePassword(core.policy, password),
}

/** Returns what is wrong with a registration. */
function registrationErrors(
  core: ServiceContext,
  params: RegisterParams,
  { phone, id, ip }: { readonly phone: string | null; readonly id: string | null; readonly ip: string },
) {
  const { username, email, password, consent, promotional_email_opt_in: optIn } = params
  const isTaken = (login: string | null | undefined) => login != null && users.findByLogin(core, login) !== undefined
  // "Needed where Get Location Metadata says they are required". API, "C. Registration".
  const { consent_required, promotional_email_opt_in } = core.policy.locationMetadata(ip)
  return brokenFields([
    [username !== undefined && !users.isUsername(username), 'username', 'USERNAME_INVALID'],
    [username !== undefined && !!users.findByUsername(core, username), 'username', 'USERNAME_ALREADY_TAKEN'],
    [email !== undefined && !users.isEmail(email), 'email', 'EMAIL_INVALID'],
    [isTaken(email), 'email', 'EMAIL_ALREADY_REGISTERED'],
    [phone !== null && core.db.phoneBlacklist.has(phone), 'phone_token', 'PHONE_NOT_ALLOWED'],
    [isTaken(phone), 'phone_token', 'PHONE_ALREADY_REGISTERED'],
    [password !== undefined && isWeak(core, password), 'password', 'PASSWORD_DOES_NOT_MEET_REQUIREMENTS'],
    [id !== null && core.db.users.has(id), 'fingerprint', 'FINGERPRINT_ALREADY_USED'],
    [consent_required && consent !== true, 'consent', 'CONSENT_REQUIRED'],
    [
      promotional_email_opt_in.required && optIn === undefined,
      ...(['promotional_email_opt_in', 'PROMOTIONAL_EMAIL_OPT_IN_REQUIRED'] as const),
    ],
  ])
}

const isWeak = ({ policy }: ServiceContext, password: string) => !ratePassword(policy, password).valid

/** Reverts an account to its owner, with the effects of API, "F. Account recovery". */
function revertAccount(core: ServiceContext, grant: GrantRecord, password: string): string {
  const { db } = core
  const user = users.requireUser(core, grant.userId ?? '')
  const email = grant.subject ?? ''
  const owner = users.findByLogin(core, email)
  if (owner !== undefined && owner.id !== user.id)
    throw invalidFields(core.policy, ['token', 'EMAIL_ALREADY_REGISTERED'])

  core.db.grants.delete(grant.token)
  sessions.endSessions(core, user.id)
  core.publish({ kind: 'account_reverted', userId: user.id })
  // All other tokens of the account become invalid. Earlier revert tokens stay valid, because they belong to earlier
  // owners; later ones may belong to someone who took over the account.
  const isStale = (other: GrantRecord) => other.purpose !== 'revert' || other.issuedAt > grant.issuedAt
  db.grants.deleteWhere('userId', user.id, isStale)
  db.handoffs.deleteWhere('userId', user.id)
  db.tickets.deleteWhere('userId', user.id)

  for (const phone of user.phoneHistory) db.phoneBlacklist.add(phone)
  const none = { phone: null, phoneHistory: [], mfa: [], backupCodes: [], passkeys: [] }
  db.users.update(user.id, { email, password, ...none })
  sessions.unlock(user)
  return email
}

export const recoveryRoutes: RoutesOf<typeof recovery> = {
  forgotPassword({ core, params: { login } }) {
    const user = users.findByLogin(core, login)
    if (user === undefined) {
      // As for an account without MFA, as most are: the response must not reveal which accounts exist.
      return { method: login.includes('@') ? PasswordResetMethod.one_time_login : PasswordResetMethod.password_reset }
    }
    const token = sessions.issueGrant(core, 'reset', { userId: user.id })
    const text = 'Choose a new password with this token.'
    if (user.email === null || login === user.phone) {
      sendSms(core, { to: login, kind: 'password_reset', token, text })
      return { method: PasswordResetMethod.password_reset }
    }
    if (mfa.needsSecondFactor(user)) {
      sendMail(core, { to: user.email, kind: 'password_reset', token, text })
      return { method: PasswordResetMethod.password_reset }
    }
    // "For accounts without MFA the user may skip the reset with a one-time login ticket". API, "E.".
    const ticket = sessions.issueGrant(core, 'oneTimeLogin', { userId: user.id })
    sendMail(core, {
      to: user.email,
      kind: 'password_reset',
      token,
      ticket,
      text: `${text} Or sign in once without a password.`,
    })
    return { method: PasswordResetMethod.one_time_login }
  },

  resetPassword({ core, params, request }) {
    const grant = sessions.requireGrant(core, 'reset', params.token, 'token')
    const user = users.requireUser(core, grant.userId ?? '')
    if (user.status !== 'locked') sessions.assertCanSignIn(core, user)
    if (isWeak(core, params.password))
      throw invalidFields(core.policy, ['password', 'PASSWORD_DOES_NOT_MEET_REQUIREMENTS'])
    if (mfa.needsSecondFactor(user)) {
      const { ticket, method = '', code = '' } = params
      if (ticket === undefined) {
        const opened = mfa.openTicket(core, { purpose: 'password_reset', userId: user.id, resetToken: params.token })
        return { user_id: user.id, ...mfa.mfaFlags(core, user, opened) }
      }
      const record = mfa.requireTicket(core, ticket, 'password_reset')
      if (record.resetToken !== params.token) throw apiError(core.policy, 'invalidTicket')
      mfa.verifyFactor(core, user, record, method, code)
      core.db.tickets.delete(ticket)
    }
    // Invalidate what the old password allowed: other resets, and logins with a pending second factor.
    sessions.endRecovery(core, user.id)
    core.db.tickets.deleteWhere('userId', user.id, ({ purpose }) => purpose !== 'elevation')
    core.db.users.update(user.id, { password: params.password })
    const wasLocked = sessions.unlock(user)
    const session = sessions.signIn(core, user, originOf(request))
    if (core.policy.resetEndsSessions || wasLocked) {
      core.db.handoffs.deleteWhere('userId', user.id)
      sessions.replaceSessions(core, session)
    }
    return { token: session.token }
  },

  oneTimeLogin({ core, params: { ticket }, request }) {
    const grant = sessions.requireGrant(core, 'oneTimeLogin', ticket, 'ticket')
    const { token } = sessions.signIn(core, users.requireUser(core, grant.userId ?? ''), originOf(request))
    core.db.grants.delete(grant.token)
    return { token }
  },

  revertAccount({ core, params: { token, password } }) {
    return { email: revertAccount(core, sessions.requireGrant(core, 'revert', token, 'token'), password) }
  },
}

export const sessionRoutes: RoutesOf<typeof sessionRows> = {
  list({ core, caller: { user } }) {
    return {
      user_sessions: sessions.listSessions(core, user.id).map(({ idHash, lastUsedAt, ip, userAgent }) => ({
        id_hash: idHash,
        approx_last_used_time: toTimestamp(lastUsedAt),
        client_info: { ...sessions.clientInfo(userAgent), location: core.policy.location(ip) },
      })),
    }
  },

  logout({ core, params: { session_id_hashes }, caller: { user } }) {
    const hashes = new Set(session_id_hashes)
    // Hashes of other users are ignored: the response to them is not shown.
    sessions.endSessions(core, user.id, ({ idHash }) => hashes.has(idHash))
  },
}

export const mfaRoutes: RoutesOf<typeof mfaRows> = {
  finish({ core, params: { ticket, mfa_type, data }, optionalCaller, headers }) {
    const record = mfa.requireTicket(core, ticket, 'elevation')
    // The token of another account cannot complete the ticket.
    if (optionalCaller !== undefined && optionalCaller.user.id !== record.userId)
      throw apiError(core.policy, 'invalidTicket')
    mfa.verifyFactor(core, mfa.userOfTicket(core, record), record, mfa_type, data)
    core.db.tickets.delete(record.ticket)
    const token = mfa.elevate(core, record)
    headers.push(['set-cookie', mfa.elevationCookie(core, token)])
    return { token }
  },

  sendSms({ core, params: { ticket } }) {
    return { phone: mfa.sendTicketSms(core, mfa.requireTicket(core, ticket, 'login', 'elevation', 'password_reset')) }
  },
}
