import type { EventNotice, Notice } from '../notices'
import type { SessionRecord } from '../state/database'
import { tell } from './events'
import { checkBy, closeSession, type Hub, sessionsOf } from './hub'
import type { GatewaySession } from './session'

/** Tells clients what the rest of the service has done. */
export function hear(hub: Hub, notice: Notice): void {
  switch (notice.kind) {
    case 'event':
      tellAll(hub, notice)
      break
    case 'session_replaced':
      move(hub, notice.session, notice.by)
      break
    case 'session_ended':
      if (hub.policy.logoutEndsSessions) closeAll(hub, sessionsOf(hub, notice.session))
      break
    case 'account_reverted':
      // "Invalidates all authorization tokens and active Gateway sessions". Interface, "F. Account recovery".
      closeAll(hub, hub.sessions.where('userId', notice.userId))
  }
}

function closeAll(hub: Hub, sessions: readonly GatewaySession[]): void {
  for (const session of sessions) closeSession(hub, session, 'authenticationFailed')
}

function tellAll(hub: Hub, { userId, event, dataFor }: EventNotice): void {
  for (const session of hub.sessions.where('userId', userId)) {
    const data = dataFor(session.auth)
    if (data !== undefined) tell(hub, session, event, data)
  }
}

/** "Sent when the authentication session of the current Gateway session changes". Interface, "Events". */
function move(hub: Hub, from: SessionRecord, to: SessionRecord): void {
  for (const session of sessionsOf(hub, from)) {
    hub.sessions.update(session.id, { auth: to })
    checkBy(hub, to.expiresAt)
    tell(hub, session, 'Auth Session Change', { auth_session_id_hash: to.idHash })
  }
}
