import { base64url } from '../base64url'
import { type Core, expiry, isAlive } from '../core'
import type { SessionRecord, UserRecord } from './database'

/** Where a session is used from. */
export interface SessionOrigin {
  readonly ip: string
  readonly userAgent: string
}

/** What a session is for. */
export interface SessionKind {
  readonly kind: SessionRecord['kind']
  readonly applicationId: string | null
}

const OWN_CLIENT: SessionKind = { kind: 'user', applicationId: null }

/** Starts a session. "A session belongs to exactly one authentication token": the record holds it. */
export function startSession(
  core: Core,
  user: UserRecord,
  { ip, userAgent }: SessionOrigin,
  { kind, applicationId }: SessionKind = OWN_CLIENT,
): SessionRecord {
  const session: SessionRecord = {
    id: core.random.snowflake(),
    idHash: core.random.bytes(32),
    token: `${base64url(user.id)}.${core.random.text(6)}.${core.random.text(38)}`,
    userId: user.id,
    kind,
    applicationId,
    lastUsedAt: core.clock.now(),
    expiresAt: expiry(core, core.policy.lifetimes.session),
    ip,
    userAgent,
  }
  core.db.sessions.set(session.token, session)
  if (kind === 'user' && !user.authorizedIps.includes(ip)) user.authorizedIps.push(ip)
  return session
}

/** The session of a token, if it may still be used. */
export function sessionOf(core: Core, token: string): SessionRecord | undefined {
  const session = core.db.sessions.get(token)
  return session !== undefined && isAlive(core, session) ? session : undefined
}

/** Notes where a session was last used from. */
export function touchSession(core: Core, session: SessionRecord, { ip, userAgent }: SessionOrigin): void {
  session.lastUsedAt = core.clock.now()
  session.ip = ip
  if (userAgent !== '') session.userAgent = userAgent
}

/** The sessions of the service's own clients, the last used first, up to 50. Interface, "A. Sessions". */
export function listSessions(core: Core, userId: string): SessionRecord[] {
  return core.db.sessions
    .where('userId', userId)
    .filter((session) => session.kind === 'user' && isAlive(core, session))
    .sort((one, other) => other.lastUsedAt - one.lastUsedAt)
    .slice(0, 50)
}

/** Ends a session, and with it what was verified in it. */
export function endSession(core: Core, session: SessionRecord): void {
  const { db } = core
  db.sessions.delete(session.token)
  db.elevations.deleteWhere('sessionId', session.id)
  db.tickets.deleteWhere('sessionId', session.id)
  core.tell({ kind: 'session_ended', session })
}

/** Ends all sessions of a user that `which` holds for. */
export function endSessions(core: Core, userId: string, which: (session: SessionRecord) => boolean = () => true): void {
  for (const session of core.db.sessions.where('userId', userId)) if (which(session)) endSession(core, session)
}

/** Ends all other sessions of a user in favour of one, which the service's own clients go on with. */
export function replaceSessions(core: Core, by: SessionRecord): void {
  endSessions(core, by.userId, (session) => {
    if (session === by) return false
    if (session.kind === 'user') core.tell({ kind: 'session_replaced', session, by })
    return true
  })
}
