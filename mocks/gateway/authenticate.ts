import { timestamp } from '../core'
import type { SessionRecord } from '../state/database'
import { gameRelationshipViews } from '../state/game-relationship-view'
import { relationshipViews } from '../state/relationship-view'
import { sessionOf } from '../state/sessions'
import type { Connection } from './connection'
import { applyEffect } from './effects'
import { tell } from './events'
import { type ClientFrame, frame, Op } from './frames'
import { resumableUntil } from './heartbeats'
import { checkBy, closeSession, endSession, type Hub, hangUp } from './hub'
import type { GatewayJournalEntry } from './journal'
import { GatewaySession } from './session'

type Attempt = Extract<ClientFrame, { kind: 'identify' | 'resume' }>
type Note = (outcome: GatewayJournalEntry['outcome'], session?: string) => void

/** Lets a client in, on a session of its own or the one that it had before. */
export function authenticate(hub: Hub, connection: Connection, attempt: Attempt): void {
  const auth = sessionOf(hub.core, attempt.token)
  const note: Note = (outcome, session = attempt.kind === 'resume' ? attempt.sessionId : undefined) => {
    const at = timestamp(hub.core.clock.now())
    hub.journal.push({ op: attempt.kind, user: auth?.userId ?? null, session: session ?? null, outcome, at })
  }
  const effect = hub.faults.take(attempt.kind, auth?.userId, connection)
  if (effect !== undefined) {
    note('fault')
    applyEffect(hub, connection, effect, attempt.kind === 'resume' ? hub.sessions.get(attempt.sessionId) : undefined)
    // Once a frozen connection thaws, what was asked for is done.
    if (connection.isFrozen) connection.take(() => admit(hub, connection, attempt, note))
    return
  }
  admit(hub, connection, attempt, note)
}

function admit(hub: Hub, connection: Connection, attempt: Attempt, note: Note): void {
  const auth = sessionOf(hub.core, attempt.token)
  if (auth === undefined) {
    note('closed')
    hangUp(hub, connection, 'authenticationFailed')
    return
  }
  if (attempt.kind === 'identify') identify(hub, connection, auth, note)
  else resume(hub, connection, auth, attempt, note)
}

function identify(hub: Hub, connection: Connection, auth: SessionRecord, note: Note): void {
  const session = new GatewaySession(hub.newSessionId(), auth, hub.policy.replayLimit)
  hub.sessions.set(session.id, session)
  session.attach(connection)
  checkBy(hub, auth.expiresAt)
  note('ready', session.id)
  tell(hub, session, 'Ready', readyOf(hub, connection, session))
}

/** "Carries auth_session_id_hash"; all else of it is convention. Interface, "Events". */
function readyOf({ core, policy }: Hub, { url }: Connection, { id, auth }: GatewaySession) {
  const resumeUrl = policy.resumeUrl(url)
  return {
    auth_session_id_hash: auth.idHash,
    session_id: id,
    ...(resumeUrl !== null && { resume_gateway_url: resumeUrl }),
    ...(policy.readySnapshot && {
      relationships: relationshipViews(core, auth),
      game_relationships: gameRelationshipViews(core, auth),
    }),
  }
}

function resume(
  hub: Hub,
  connection: Connection,
  auth: SessionRecord,
  { sessionId, sequence }: Extract<Attempt, { kind: 'resume' }>,
  note: Note,
): void {
  const session = hub.sessions.get(sessionId)
  // Another client's session is no more known than one that never was.
  if (session === undefined || session.auth.token !== auth.token) {
    decline(connection, note)
    return
  }
  if (hub.core.clock.now() >= resumableUntil(hub, session)) {
    endSession(hub, session)
    decline(connection, note)
    return
  }
  if (sequence < 0 || sequence > session.sequence) {
    note('closed')
    hangUp(hub, connection, 'invalidSequence')
    return
  }
  if (!session.remembers(sequence)) {
    closeSession(hub, session, 'timedOut')
    decline(connection, note)
    return
  }
  // A session has one connection; the one before is often dead, and if not, is not to take the session back.
  if (session.connection !== undefined) hangUp(hub, session.connection, 'timedOut')
  session.attach(connection)
  note('resumed')
  session.replay(sequence)
}

function decline(connection: Connection, note: Note): void {
  note('invalid_session')
  connection.send(frame(Op.INVALID_SESSION, false))
}
