import { milliseconds } from '../clock'
import { sessionOf } from '../state/sessions'
import type { Connection } from './connection'
import { frame, Op } from './frames'
import { checkBy, closeSession, endSession, type Hub, hangUp } from './hub'
import type { GatewaySession } from './session'

/** Looks at the time: asks for beats that are overdue, closes who did not answer, and whose sign-in is over. */
export function checkTime(hub: Hub): void {
  const now = hub.core.clock.now()
  // Each request asks, so that nothing is looked through before something can be due.
  if (now < hub.nextCheck) return
  for (const connection of [...hub.connections]) {
    if (!connection.isOpen || now < dueAt(hub, connection)) continue
    if (connection.askedAt === undefined) {
      connection.askedAt = now
      connection.send(frame(Op.HEARTBEAT))
    } else if (connection.session !== undefined) closeSession(hub, connection.session, 'timedOut')
    else hangUp(hub, connection, 'timedOut')
  }
  const { logoutEndsSessions } = hub.policy
  for (const session of [...hub.sessions.values()]) {
    if (now >= resumableUntil(hub, session)) endSession(hub, session)
    else if (logoutEndsSessions && sessionOf(hub.core, session.auth.token) === undefined) {
      closeSession(hub, session, 'authenticationFailed')
    }
  }
  hub.nextCheck = Number.POSITIVE_INFINITY
  for (const connection of hub.connections) if (connection.isOpen) checkBy(hub, dueAt(hub, connection))
  for (const session of hub.sessions.values()) {
    checkBy(hub, resumableUntil(hub, session))
    if (logoutEndsSessions) checkBy(hub, session.auth.expiresAt)
  }
}

/** The moment from which a session can no longer be resumed; `Infinity` while it has a connection. */
export function resumableUntil({ policy }: Hub, { detachedAt }: GatewaySession): number {
  return detachedAt === undefined ? Number.POSITIVE_INFINITY : detachedAt + milliseconds(policy.resumeWindow)
}

/** When a connection owes a beat, or the answer to being asked for one. */
export function dueAt({ policy }: Hub, { lastBeat, askedAt }: Connection): number {
  const grace = milliseconds(policy.heartbeatGrace)
  return askedAt === undefined ? lastBeat + milliseconds(policy.heartbeatInterval) + grace : askedAt + grace
}
