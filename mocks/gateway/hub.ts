import { check } from '../../src/contract/check'
import { gatewayEvents } from '../../src/contract/gateway-events'
import { formatIssues } from '../../src/contract/issue'
import { milliseconds } from '../clock'
import type { DomainEvent, EventNotice, GatewayEventName, ServiceContext } from '../core'
import type { SessionRecord } from '../database'
import type { Ring } from '../journal'
import { sessionOf } from '../state/sessions'
import { Table } from '../table'
import type { Connection, GatewaySession } from './connection'
import type { GatewayFaultQueue } from './fault-queue'
import type { GatewayCloseCodes, GatewayPolicy } from './policy'
import { frame, Op } from './protocol'

/** What the parts of one gateway share. */
export interface Hub {
  readonly core: ServiceContext
  readonly policy: GatewayPolicy
  readonly faults: GatewayFaultQueue
  readonly journal: Ring<GatewayJournalEntry>
  /** Every socket that has not gone. */
  readonly connections: Set<Connection>
  /** Every session that has not ended, by ID. */
  readonly sessions: ReturnType<typeof createSessions>
  /** When {@link checkTime} may next have something to do, at the earliest. Whatever starts a wait lowers it. */
  nextCheck: number
  /** An ID that no session has had. */
  newSessionId(): string
}

/** No sessions: events go by the user, the end of an authentication session by its token. */
export function createSessions() {
  return new Table<GatewaySession, 'userId' | 'token'>({
    userId: ({ auth }) => [auth.userId],
    token: ({ auth }) => [auth.token],
  })
}

const REASONS: Readonly<Record<keyof GatewayCloseCodes, string>> = {
  unknownOp: 'Unknown opcode.',
  decodeError: 'Error while decoding payload.',
  notAuthenticated: 'Not authenticated.',
  authenticationFailed: 'Authentication failed.',
  alreadyAuthenticated: 'Already authenticated.',
  invalidSequence: 'Invalid sequence.',
  timedOut: 'Session timed out.',
}

const MAX_REASON_BYTES = 123

/** Whether a server may put a code into a close frame; 1006 counts, which ends a connection without one. */
export function isCloseCode(code: number): boolean {
  const isProtocols = code >= 1000 && code <= 1014 && code !== 1004 && code !== 1005
  return Number.isInteger(code) && (isProtocols || (code >= 3000 && code <= 4999))
}

/** Whether a close frame has room for a reason. */
export function fitsCloseFrame(reason: string): boolean {
  return new TextEncoder().encode(reason).length <= MAX_REASON_BYTES
}

/** As much of a text as a close frame has room for. */
export function closeReason(text: string): string {
  return fitsCloseFrame(text) ? text : closeReason(text.slice(0, Math.min(text.length - 1, MAX_REASON_BYTES)))
}

/** Closes a connection for a reason that has a code; its session can be resumed unless it was ended. */
export function closeConnection(hub: Hub, connection: Connection, why: keyof GatewayCloseCodes): void {
  leave(hub, connection)
  connection.close(hub.policy.closeCodes[why], REASONS[why])
}

/** Takes a connection's session away from it, which can then be resumed for a while. */
export function leave(hub: Hub, connection: Connection): void {
  const { session } = connection
  if (session === undefined) return
  const now = hub.core.clock.now()
  session.detach(now)
  checkBy(hub, now + milliseconds(hub.policy.resumeWindow))
}

/** Makes sure that the time is looked at by then; `null` is never. */
export function checkBy(hub: Hub, time: number | null): void {
  if (time !== null) hub.nextCheck = Math.min(hub.nextCheck, time)
}

/** Ends a session for good. Its connection stays, without one. */
export function endSession({ sessions, core }: Hub, session: GatewaySession): void {
  sessions.delete(session.id)
  session.detach(core.clock.now())
}

/** Ends a session and closes its connection. */
export function closeSession(hub: Hub, session: GatewaySession, why: keyof GatewayCloseCodes): void {
  const { connection } = session
  endSession(hub, session)
  if (connection !== undefined) closeConnection(hub, connection, why)
}

/** The sessions that belong to an authentication session. */
export function sessionsOf({ sessions }: Hub, { token }: SessionRecord): GatewaySession[] {
  return sessions.where('token', token)
}

/** Sends an event to a session. Faults may double it. */
export function dispatch({ faults }: Hub, session: GatewaySession, name: string, data: unknown): void {
  const isDoubled = faults.take('event', session.auth.userId, session.connection) !== undefined
  session.dispatch(name, data, isDoubled ? 2 : 1)
}

const rows = Object.values(gatewayEvents)

/** The name of an event on the wire, by convention: `Relationship Add` is `RELATIONSHIP_ADD`. */
export function wireName(event: string): string {
  return event.toUpperCase().replaceAll(' ', '_')
}

/** Sends one of the service's own events. Like its answers, they are held against the contract before they leave. */
export function tell(hub: Hub, session: GatewaySession, event: GatewayEventName, data: unknown): void {
  const row = rows.find(({ name }) => name === event)
  const issues = row === undefined ? [] : check(row.payload, data, { showValues: false })
  if (issues.length > 0) throw new Error(`its event "${event}" breaks the contract:\n${formatIssues(issues)}`)
  dispatch(hub, session, wireName(event), data)
}

/** Tells clients what the rest of the service has done. */
export function handleDomainEvent(hub: Hub, notice: DomainEvent): void {
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
    else closeConnection(hub, connection, 'timedOut')
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

/** An attempt of a client to identify or to resume. It holds no token. */
export interface GatewayJournalEntry {
  /** What the client asked for. */
  readonly op: 'identify' | 'resume'
  /** ID of the user whose token was sent; `null` where it was not valid. */
  readonly user: string | null
  /** ID of the gateway session that was begun or asked for; `null` where none was begun. */
  readonly session: string | null
  /** What became of it; `fault` where one was in its way. */
  readonly outcome: 'ready' | 'resumed' | 'invalid_session' | 'closed' | 'fault'
  /** When it came, an ISO 8601 timestamp of the service's clock. */
  readonly at: string
}
