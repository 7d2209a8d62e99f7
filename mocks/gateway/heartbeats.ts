import { milliseconds } from '../clock'
import { sessionOf } from '../state/sessions'
import type { Connection } from './connection'
import { frame, Op } from './frames'
import { closeSession, forgetExpired, type Hub, hangUp } from './hub'

/** Looks at the time: asks for beats that are overdue, closes who did not answer, and whose sign-in is over. */
export function checkTime(hub: Hub): void {
  const now = hub.core.clock.now()
  for (const connection of [...hub.connections]) {
    if (!connection.isOpen || now < dueAt(hub, connection)) continue
    if (connection.askedAt === undefined) {
      connection.askedAt = now
      connection.send(frame(Op.HEARTBEAT))
    } else if (connection.session !== undefined) closeSession(hub, connection.session, 'timedOut')
    else hangUp(hub, connection, 'timedOut')
  }
  forgetExpired(hub)
  if (!hub.policy.logoutEndsSessions) return
  for (const session of [...hub.sessions.values()]) {
    if (sessionOf(hub.core, session.auth.token) === undefined) closeSession(hub, session, 'authenticationFailed')
  }
}

/** When {@link checkTime} next has something to do with the beats of clients; `undefined` for never. */
export function nextCheck(hub: Hub): number | undefined {
  const times = [...hub.connections].filter(({ isOpen }) => isOpen).map((connection) => dueAt(hub, connection))
  const next = Math.min(...times)
  return Number.isFinite(next) ? next : undefined
}

function dueAt({ policy }: Hub, { lastBeat, askedAt }: Connection): number {
  const grace = milliseconds(policy.heartbeatGrace)
  return askedAt === undefined ? lastBeat + milliseconds(policy.heartbeatInterval) + grace : askedAt + grace
}
