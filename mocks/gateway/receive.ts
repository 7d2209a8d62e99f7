import { milliseconds } from '../clock'
import { timestamp } from '../core'
import type { SessionRecord } from '../database'
import { gameRelationshipViews } from '../state/game-relationships'
import { relationshipViews } from '../state/relationships'
import { sessionOf } from '../state/sessions'
import { Connection, type GatewayLink, type GatewayPeer, GatewaySession } from './connection'
import { applyEffect } from './faults'
import {
  checkBy,
  closeConnection,
  closeReason,
  closeSession,
  dueAt,
  endSession,
  type GatewayJournalEntry,
  type Hub,
  leave,
  resumableUntil,
  tell,
} from './hub'
import { type ClientFrame, frame, Op, readFrame } from './protocol'

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
    closeConnection(hub, connection, 'authenticationFailed')
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
    closeConnection(hub, connection, 'invalidSequence')
    return
  }
  if (!session.remembers(sequence)) {
    closeSession(hub, session, 'timedOut')
    decline(connection, note)
    return
  }
  // A session has one connection; the one before is often dead, and if not, is not to take the session back.
  if (session.connection !== undefined) closeConnection(hub, session.connection, 'timedOut')
  session.attach(connection)
  note('resumed')
  session.replay(sequence)
}

function decline(connection: Connection, note: Note): void {
  note('invalid_session')
  connection.send(frame(Op.INVALID_SESSION, false))
}

/** Answers what a client sent. */
export function receive(hub: Hub, connection: Connection, sent: unknown): void {
  const received = readFrame(sent)
  switch (received.kind) {
    case 'heartbeat':
      connection.lastBeat = hub.core.clock.now()
      connection.askedAt = undefined
      connection.send(frame(Op.HEARTBEAT_ACK))
      break
    case 'malformed':
      closeConnection(hub, connection, 'decodeError')
      break
    case 'unknown':
      if (hub.core.strict) closeConnection(hub, connection, connection.session ? 'unknownOp' : 'notAuthenticated')
      break
    default:
      if (connection.session === undefined) authenticate(hub, connection, received)
      else closeConnection(hub, connection, 'alreadyAuthenticated')
  }
}

/** Codes by which a client says that it will not come back. */
const FINAL_CODES: readonly number[] = [1000, 1001]

/** Takes a client's socket, and greets it. */
export function connect(hub: Hub, peer: GatewayPeer): GatewayLink | undefined {
  const { core, connections, faults, policy } = hub
  const connection = new Connection(peer, core.clock.now())
  const effect = faults.take('connect', undefined, connection)
  if (effect?.kind === 'refuse') return undefined
  connections.add(connection)
  checkBy(hub, dueAt(hub, connection))
  if (effect !== undefined) applyEffect(hub, connection, effect)
  connection.send(frame(Op.HELLO, { heartbeat_interval: milliseconds(policy.heartbeatInterval) }))
  return {
    receive: (data) =>
      connection.take(() => {
        try {
          receive(hub, connection, data)
        } catch (error) {
          // A mistake of the mock, or of a policy that replaces a part of it. As an answer it would be a 500.
          connection.close(
            1011,
            closeReason(`the mock service failed: ${error instanceof Error ? error.message : error}`),
          )
        }
      }),
    closed(code) {
      const { session } = connection
      connection.gone()
      connections.delete(connection)
      if (session !== undefined && FINAL_CODES.includes(code)) endSession(hub, session)
      else leave(hub, connection)
    },
  }
}
