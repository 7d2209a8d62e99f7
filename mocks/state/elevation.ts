import { encodeJson } from '../base64url'
import { type Core, isAlive, timestamp } from '../core'
import { errorBody } from '../envelope'
import { ServiceError } from '../errors'
import type { SessionRecord, TicketRecord, UserRecord } from './database'
import { stepUpMethods } from './factors'
import { openTicket } from './tickets'

/** "MFA verification JWT and cookie: 5 minutes". Interface, "Limits". */
const ELEVATION_LIFETIME = 300_000

/** The cookie that carries the verification JWT. Interface, "Authentication" 4. */
export const ELEVATION_COOKIE = '__Secure-recent_mfa'

/** The header that carries the verification JWT. Interface, "Authentication" 4. */
export const ELEVATION_HEADER = 'X-Service-MFA-Authorization'

/** Issues a verification JWT for the session that met the step-up. Its signature is random: the service looks it up. */
export function elevate(core: Core, { userId, sessionId }: TicketRecord): string {
  if (userId === null || sessionId === null) throw new Error('an elevation ticket has a user and a session')
  const expiresAt = core.clock.now() + ELEVATION_LIFETIME
  const seconds = (time: number) => Math.floor(time / 1000)
  const claims = { sub: userId, sid: sessionId, iat: seconds(core.clock.now()), exp: seconds(expiresAt) }
  const token = `${encodeJson({ alg: 'HS256', typ: 'JWT' })}.${encodeJson(claims)}.${core.random.bytes(32)}`
  core.db.elevations.set(token, { userId, sessionId, expiresAt })
  return token
}

/** Whether the request carries a verification JWT of this very session, in the header or in the cookie. */
export function isElevated(core: Core, headers: Headers, session: SessionRecord): boolean {
  return [headers.get(ELEVATION_HEADER), cookie(headers, ELEVATION_COOKIE)].some((token) => {
    const elevation = token === null ? undefined : core.db.elevations.get(token)
    return elevation !== undefined && elevation.sessionId === session.id && isAlive(core, elevation)
  })
}

/** The answer that asks for step-up. Interface, "MFA Required Response". */
export function stepUpRequired(core: Core, user: UserRecord, session: SessionRecord): ServiceError {
  const ticket = openTicket(core, { purpose: 'elevation', userId: user.id, sessionId: session.id })
  const methods = stepUpMethods(core, user, ticket)
  const { mfaRequired } = core.policy.errors
  return new ServiceError(mfaRequired.status, { ...errorBody(mfaRequired), mfa: { ticket: ticket.ticket, methods } })
}

/** The `Set-Cookie` of a verification JWT. */
export function elevationCookie(core: Core, token: string): string {
  const expires = new Date(timestamp(core.clock.now() + ELEVATION_LIFETIME)).toUTCString()
  return `${ELEVATION_COOKIE}=${token}; Max-Age=300; Expires=${expires}; Path=/; Secure; HttpOnly; SameSite=Lax`
}

function cookie(headers: Headers, name: string): string | null {
  for (const pair of headers.get('cookie')?.split(/;\s*/) ?? []) {
    if (pair.startsWith(`${name}=`)) return pair.slice(name.length + 1)
  }
  return null
}
