// Sessions, and the grants of mails and SMS: tokens for a reset, a sign-in or a verification.
import { addExpiring, expiryOf, isUnexpired, type ServiceContext } from '../core'
import { type GrantRecord, type SessionRecord, type UserRecord, viewOf } from '../database'
import { apiError, formError, invalidFields } from '../errors'
import { sendMail } from '../outbox'
import { base64url } from '../random'

type SessionOrigin = Pick<SessionRecord, 'ip' | 'userAgent'>

/** Starts a session. "A session belongs to exactly one authentication token": the record holds it. */
export function startSession(
  core: ServiceContext,
  user: UserRecord,
  { ip, userAgent }: SessionOrigin,
  { kind, applicationId }: Pick<SessionRecord, 'kind' | 'applicationId'> = { kind: 'user', applicationId: null },
): SessionRecord {
  const session: SessionRecord = {
    id: core.random.snowflake(),
    idHash: core.random.bytes(32),
    token: `${base64url(user.id)}.${core.random.text(6)}.${core.random.text(38)}`,
    userId: user.id,
    kind,
    applicationId,
    lastUsedAt: core.clock.now(),
    expiresAt: expiryOf(core, core.policy.lifetimes.session),
    ip,
    userAgent,
  }
  core.db.sessions.set(session.token, session)
  if (kind === 'user' && !user.authorizedIps.includes(ip)) user.authorizedIps.push(ip)
  return session
}

export function sessionOf(core: ServiceContext, token: string): SessionRecord | undefined {
  const session = core.db.sessions.get(token)
  return session !== undefined && isUnexpired(core, session) ? session : undefined
}

export function touchSession(core: ServiceContext, session: SessionRecord, { ip, userAgent }: SessionOrigin): void {
  session.lastUsedAt = core.clock.now()
  session.ip = ip
  if (userAgent !== '') session.userAgent = userAgent
}

/** Returns up to 50 sessions of the service's own clients, most recently used first. API, "A. Sessions". */
export function listSessions(core: ServiceContext, userId: string): SessionRecord[] {
  return core.db.sessions
    .where('userId', userId)
    .filter((session) => session.kind === 'user' && isUnexpired(core, session))
    .sort((a, b) => b.lastUsedAt - a.lastUsedAt)
    .slice(0, 50)
}

export function endSession(core: ServiceContext, session: SessionRecord): void {
  const { db } = core
  db.sessions.delete(session.token)
  db.elevations.deleteWhere('sessionId', session.id)
  db.tickets.deleteWhere('sessionId', session.id)
  core.publish({ kind: 'session_ended', session })
}

export function endSessions(
  core: ServiceContext,
  userId: string,
  matches: (session: SessionRecord) => boolean = () => true,
): void {
  for (const session of core.db.sessions.where('userId', userId)) if (matches(session)) endSession(core, session)
}

/** Ends all other sessions of a user; clients of the service continue with the given one. */
export function replaceSessions(core: ServiceContext, by: SessionRecord): void {
  endSessions(core, by.userId, (session) => {
    if (session === by) return false
    if (session.kind === 'user') core.publish({ kind: 'session_replaced', session, by })
    return true
  })
}

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X|Macintosh/, 'Mac OS X'],
  [/Linux/, 'Linux'],
]

const PLATFORMS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/Bun\//, 'Bun'],
  [/Deno\//, 'Deno'],
  [/^(?:node|undici)\b/, 'Node.js'],
]

/** Parses a `User-Agent`; `null` for unknown parts. */
export function clientInfo(userAgent: string): { os: string | null; platform: string | null } {
  return { os: findName(SYSTEMS, userAgent), platform: findName(PLATFORMS, userAgent) }
}

function findName(names: typeof SYSTEMS, userAgent: string): string | null {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null
}

/** Throws if an account cannot sign in. `undelete` allows accounts that their user disabled or deleted. */
export function assertCanSignIn({ policy }: ServiceContext, { status }: UserRecord, undelete = false): void {
  if (status === 'suspended') throw apiError(policy, 'accountSuspended')
  if (status === 'disabled' && !undelete) throw apiError(policy, 'accountDisabled')
  if (status === 'deletion_scheduled' && !undelete) throw apiError(policy, 'accountDeletionScheduled')
  // "The account locked, requiring a password reset". API, "Authentication", 7.
  if (status === 'locked') throw invalidFields(policy, ['login', 'PASSWORD_RESET_REQUIRED'])
}

/** Unlocks an account after its password was reset. Returns whether it was locked. */
export function unlock(user: UserRecord): boolean {
  const wasLocked = user.status === 'locked'
  if (wasLocked) user.status = 'active'
  return wasLocked
}

/**
 * Signs a user in: reactivates the account if `undelete` is set, and starts a session. @throws ServiceError if it
 * cannot sign in.
 */
export function signIn(core: ServiceContext, user: UserRecord, origin: SessionOrigin, undelete = false): SessionRecord {
  // A bot uses the tokens of its application and cannot sign in.
  if (user.bot_of !== null) throw apiError(core.policy, 'forbidden')
  assertCanSignIn(core, user, undelete)
  user.status = 'active'
  return startSession(core, user, origin)
}

/** Throws for an IP address that is not authorized for the account, and mails the token that authorizes it. */
export function assertKnownLocation(core: ServiceContext, user: UserRecord, ip: string): void {
  if (user.authorizedIps.includes(ip) || !core.policy.verifyNewLocation(viewOf(user), ip)) return
  const token = issueGrant(core, 'verification', { userId: user.id, subject: ip })
  if (user.email !== null) {
    sendMail(core, { to: user.email, kind: 'new_location', token, text: `Was it you who signed in from ${ip}?` })
  }
  throw invalidFields(core.policy, ['login', 'ACCOUNT_LOGIN_VERIFICATION_EMAIL'])
}

export function requiredActions(
  core: ServiceContext,
  user: UserRecord,
  password: string | null,
): { required_actions?: string[] } {
  const actions = core.policy.requiredActions(viewOf(user), password)
  return actions.length > 0 ? { required_actions: actions } : {}
}

type GrantPurpose = GrantRecord['purpose']

export function issueGrant(
  core: ServiceContext,
  purpose: GrantPurpose,
  { userId = null, subject = null }: { readonly userId?: string | null; readonly subject?: string | null },
): string {
  const token = core.random.text(40)
  const issuedAt = core.clock.now()
  // "Account revert token: valid 2 days". API, "Limits".
  const expiresAt = expiryOf(core, purpose === 'revert' ? '2d' : core.policy.lifetimes[purpose])
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

/** Invalidates the reset and one-time login tokens of an account. */
export function endRecovery({ db }: ServiceContext, userId: string): void {
  db.grants.deleteWhere('userId', userId, ({ purpose }) => purpose === 'reset' || purpose === 'oneTimeLogin')
}
