// What the mock's gateway does with the frames of a client.
import { milliseconds } from '../clock'
import { toTimestamp } from '../core'
import type { SessionRecord } from '../database'
import { gameRelationshipViews, relationshipViews } from '../state/relationships'
import { sessionOf } from '../state/sessions'
import { partialUser } from '../state/users'
import {
  type ClientFrame,
  Connection,
  frame,
  type GatewayLink,
  type GatewayPeer,
  GatewaySession,
  Op,
  parseFrame,
} from './connection'
import { type GatewayJournalEntry, type Hub, heartbeatDueAt, idsOf, resumableUntil, truncateReason } from './hub'

type Attempt = Extract<ClientFrame, { kind: 'identify' | 'resume' }>
type RecordOutcome = (outcome: GatewayJournalEntry['outcome'], session?: string) => void

function authenticate(hub: Hub, connection: Connection, attempt: Attempt): void {
  const auth = sessionOf(hub.core, attempt.token)
  const record: RecordOutcome = (outcome, session = attempt.kind === 'resume' ? attempt.sessionId : undefined) => {
    const at = toTimestamp(hub.now)
    // The client may have sent anything as its session.
    const shown = session === undefined ? null : hub.core.known.text(session)
    const entry = { user: auth?.userId ?? null, session: shown, outcome }
    hub.journal.push({ op: attempt.kind, ...entry, at })
    hub.core.emit({ type: 'gateway', action: attempt.kind, ...entry })
  }
  const effect = hub.faults.take({ moment: attempt.kind, user: auth?.userId, connection })?.effect
  if (effect !== undefined) {
    record('fault')
    hub.applyEffect(connection, effect, attempt.kind === 'resume' ? hub.sessions.get(attempt.sessionId) : undefined)
    // A frozen connection handles the attempt once it is unfrozen.
    if (connection.isFrozen) connection.receive(() => handleAttempt(hub, connection, attempt, record))
    return
  }
  handleAttempt(hub, connection, attempt, record)
}

function handleAttempt(hub: Hub, connection: Connection, attempt: Attempt, record: RecordOutcome): void {
  const auth = sessionOf(hub.core, attempt.token)
  if (auth === undefined) {
    record('closed')
    hub.closeConnection(connection, 'authenticationFailed')
    return
  }
  if (attempt.kind === 'identify') identify(hub, connection, auth, record)
  else resume(hub, connection, auth, attempt, record)
}

function identify(hub: Hub, connection: Connection, auth: SessionRecord, record: RecordOutcome): void {
  const session = new GatewaySession(hub.newSessionId(), auth, hub.policy.replayLimit)
  hub.sessions.set(session.id, session)
  session.attach(connection)
  hub.scheduleCheck(auth.expiresAt)
  record('ready', session.id)
  hub.emitEvent(session, 'Ready', readyOf(hub, connection, session))
}

/** "Carries auth_session_id_hash"; the other fields are a convention. API, "Events". */
function readyOf({ core, policy }: Hub, { url }: Connection, { id, auth }: GatewaySession) {
  return {
    auth_session_id_hash: auth.idHash,
    session_id: id,
    ...(policy.readyUser && { user: partialUser(core, auth.userId) }),
    resume_gateway_url: url,
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
  record: RecordOutcome,
): void {
  const session = hub.sessions.get(sessionId)
  // The session of another token is treated like an unknown one.
  if (session === undefined || session.auth.token !== auth.token) {
    rejectResume(connection, record)
    return
  }
  if (hub.now >= resumableUntil(hub, session)) {
    hub.endSession(session)
    rejectResume(connection, record)
    return
  }
  if (sequence < 0 || sequence > session.sequence) {
    record('closed')
    hub.closeConnection(connection, 'invalidSequence')
    return
  }
  if (!session.canReplayFrom(sequence)) {
    hub.closeSession(session, 'timedOut')
    rejectResume(connection, record)
    return
  }
  // A session has one connection. The previous one is often dead; if not, it must not take the session back.
  if (session.connection !== undefined) hub.closeConnection(session.connection, 'timedOut')
  session.attach(connection)
  record('resumed')
  session.replay(sequence)
}

function rejectResume(connection: Connection, record: RecordOutcome): void {
  record('invalid_session')
  connection.send(frame(Op.INVALID_SESSION, false))
}

function receive(hub: Hub, connection: Connection, sent: unknown): void {
  const received = parseFrame(sent)
  switch (received.kind) {
    case 'heartbeat':
      connection.lastHeartbeat = hub.now
      connection.requestedAt = undefined
      connection.send(frame(Op.HEARTBEAT_ACK))
      break
    case 'malformed':
      hub.closeConnection(connection, 'decodeError')
      break
    case 'unknown':
      if (hub.core.strict) hub.closeConnection(connection, connection.session ? 'unknownOp' : 'notAuthenticated')
      break
    default:
      if (connection.session === undefined) authenticate(hub, connection, received)
      else hub.closeConnection(connection, 'alreadyAuthenticated')
  }
}

const FINAL_CODES: readonly number[] = [1000, 1001]

export function connect(hub: Hub, peer: GatewayPeer): GatewayLink | undefined {
  const { core, connections, faults, policy } = hub
  const connection: Connection = new Connection(peer, core.clock.now(), (data) =>
    hub.recordFrame(connection, 'service', data),
  )
  const effect = faults.take({ moment: 'connect', user: undefined, connection })?.effect
  if (effect?.kind === 'refuse') {
    if (typeof effect.status === 'number') peer.refuse?.(effect.status, JSON.stringify(effect.body) ?? '')
    return undefined
  }
  connections.add(connection)
  core.emit({ type: 'gateway', action: 'connected' })
  hub.scheduleCheck(heartbeatDueAt(hub, connection))
  if (effect !== undefined) hub.applyEffect(connection, effect)
  connection.send(frame(Op.HELLO, { heartbeat_interval: milliseconds(policy.heartbeatInterval) }))
  return {
    receive: (data) =>
      connection.receive(() => {
        hub.recordFrame(connection, 'client', data)
        try {
          receive(hub, connection, data)
        } catch (error) {
          // A bug in the mock or in a custom policy; the equivalent of a 500 response.
          connection.close(
            1011,
            truncateReason(`the mock service failed: ${error instanceof Error ? error.message : error}`),
          )
        }
      }),
    closed(code) {
      const { session } = connection
      const ids = session === undefined ? { user: null, session: null } : idsOf(session)
      core.emit({ type: 'gateway', action: 'disconnected', ...ids, code })
      connection.markClosed()
      connections.delete(connection)
      if (session !== undefined && FINAL_CODES.includes(code)) hub.endSession(session)
      else hub.detachSession(connection)
    },
  }
}
