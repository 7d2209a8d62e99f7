// State that the parts of one mock gateway share.
import { gatewayEvents } from '../../src/contract/gateway-events'
import { check } from '../../src/contract/validate'
import { formatIssues } from '../../src/internal/issue'
import { milliseconds } from '../clock'
import { type DomainEvent, type GatewayEventName, type ServiceContext, toTimestamp, type UserEvent } from '../core'
import type { SessionRecord } from '../database'
import type { Ring } from '../journal'
import type { GatewayCloseCodes, GatewayPolicy } from '../policy'
import { redactBody, TRUNCATED } from '../redaction/redaction'
import { sessionOf } from '../state/sessions'
import {
  type Connection,
  frame,
  type GatewayEffect,
  type GatewayFaultQueue,
  type GatewaySession,
  Op,
} from './connection'

export interface Hub {
  readonly core: ServiceContext
  readonly policy: GatewayPolicy
  readonly faults: GatewayFaultQueue
  readonly journal: Ring<GatewayJournalEntry>
  /** Frames of all connections. */
  readonly frames: Ring<FrameRecord>
  /** Open sockets. */
  readonly connections: Set<Connection>
  /** Sessions that have not ended, by ID. */
  readonly sessions: Map<string, GatewaySession>
  /** Earliest time at which {@link checkTimeouts} has something to do; lowered by {@link scheduleCheck}. */
  nextCheck: number
  /** Returns an unused session ID. */
  newSessionId(): string
}

/** A frame as it was sent or received. It may contain a token. */
interface FrameRecord {
  readonly connection: Connection
  readonly from: MockGatewayFrame['from']
  /** `undefined` if it is too long to be kept. */
  readonly text: string | undefined
  readonly at: number
}

/** A frame of the gateway. Contains no secrets. */
export interface MockGatewayFrame {
  /** ID of the gateway session of its connection; `null` before the connection has one. */
  readonly session: string | null
  /** Who sent it. */
  readonly from: 'service' | 'client'
  /** Frame as JSON, redacted and truncated as the bodies in the journal; `[not JSON]` for any other one. */
  readonly frame: unknown
  /** Time by the service's clock, ISO 8601. */
  readonly at: string
}

/** Maximum length of a frame that is kept. */
const MAX_FRAME = 20_000

export function recordFrame({ frames, core }: Hub, connection: Connection, from: FrameRecord['from'], data: unknown) {
  const all = typeof data === 'string' ? data : '[bytes]'
  frames.push({ connection, from, text: all.length > MAX_FRAME ? undefined : all, at: core.clock.now() })
}

/** Returns a frame without its secrets. */
export function frameView({ core }: Hub, { connection, from, text, at }: FrameRecord): MockGatewayFrame {
  const frame = text === undefined ? TRUNCATED : redactBody(core.known, text)
  return { session: connection.sessionId, from, frame, at: toTimestamp(at) }
}

/** An attempt of a client to identify or to resume. Contains no token. */
export interface GatewayJournalEntry {
  /** Operation. */
  readonly op: 'identify' | 'resume'
  /** ID of the user whose token was sent; `null` if it was invalid. */
  readonly user: string | null
  /** ID of the gateway session that was started or requested; `null` if none was started. */
  readonly session: string | null
  /** Outcome; `fault` if a fault intervened. */
  readonly outcome: 'ready' | 'resumed' | 'invalid_session' | 'closed' | 'fault'
  /** Time of receipt by the service's clock, ISO 8601. */
  readonly at: string
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

/**
 * Maximum length of a close reason: a control frame has 125 bytes, two of which are the code. RFC 6455, section 5.5.
 */
const MAX_REASON_BYTES = 123

export function isValidCloseReason(reason: string): boolean {
  return new TextEncoder().encode(reason).length <= MAX_REASON_BYTES
}

export function truncateReason(reason: string): string {
  if (isValidCloseReason(reason)) return reason
  return truncateReason(reason.slice(0, Math.min(reason.length - 1, MAX_REASON_BYTES)))
}

/** Closes a connection with the code of the policy; its session can be resumed unless it was ended. */
export function closeConnection(hub: Hub, connection: Connection, cause: keyof GatewayCloseCodes): void {
  detachSession(hub, connection)
  connection.close(hub.policy.closeCodes[cause], REASONS[cause])
}

/** Detaches the session from its connection; it can be resumed until `resumeWindow` has passed. */
export function detachSession(hub: Hub, connection: Connection): void {
  const { session } = connection
  if (session === undefined) return
  const now = hub.core.clock.now()
  session.detach(now)
  scheduleCheck(hub, now + milliseconds(hub.policy.resumeWindow))
}

/** Schedules {@link checkTimeouts} for a time at the latest; `null` is never. */
export function scheduleCheck(hub: Hub, time: number | null): void {
  if (time !== null) hub.nextCheck = Math.min(hub.nextCheck, time)
}

/** Ends a session permanently. Its connection stays open without a session. */
export function endSession({ sessions, core }: Hub, session: GatewaySession): void {
  sessions.delete(session.id)
  session.detach(core.clock.now())
}

export function closeSession(hub: Hub, session: GatewaySession, cause: keyof GatewayCloseCodes): void {
  const { connection } = session
  endSession(hub, session)
  if (connection !== undefined) closeConnection(hub, connection, cause)
}

/** Returns the sessions of a user, or of one authentication session. */
export function sessionsOf({ sessions }: Hub, { userId, token }: Pick<SessionRecord, 'userId'> & { token?: string }) {
  return [...sessions.values()].filter(
    ({ auth }) => auth.userId === userId && (token === undefined || auth.token === token),
  )
}

/** Sends an event to a session, twice if a fault duplicates it. */
export function dispatch({ faults, core }: Hub, session: GatewaySession, name: string, data: unknown): void {
  const { auth, connection } = session
  const fault = faults.take({ moment: 'event', user: auth.userId, connection })
  session.dispatch(name, data, fault === undefined ? 1 : 2)
  core.emit({ type: 'gateway', action: 'event', ...idsOf(session), event: name, sequence: session.sequence })
}

export function idsOf({ id, auth }: GatewaySession): { user: string; session: string } {
  return { user: auth.userId, session: id }
}

const gatewayEventRows = Object.values(gatewayEvents)

/** Returns the wire name of an event, by convention: `Relationship Add` and `relationshipAdd` are `RELATIONSHIP_ADD`. */
export function wireName(event: string): string {
  return event
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .replaceAll(' ', '_')
}

/** Sends an event of the service. Like its responses, events are validated against the contract first. */
export function emitEvent(hub: Hub, session: GatewaySession, event: GatewayEventName, data: unknown): void {
  const row = gatewayEventRows.find(({ name }) => name === event)
  const issues = row === undefined ? [] : check(row.payload, data, { showValues: false })
  if (issues.length > 0)
    throw new Error(`the event "${event}" of the mock violates the contract:\n${formatIssues(issues)}`)
  dispatch(hub, session, wireName(event), data)
}

export function handleDomainEvent(hub: Hub, event: DomainEvent): void {
  switch (event.kind) {
    case 'event':
      emitToUser(hub, event)
      break
    case 'session_replaced':
      moveSessions(hub, event.session, event.by)
      break
    case 'session_ended':
      if (hub.policy.logoutEndsSessions) closeAll(hub, sessionsOf(hub, event.session))
      break
    case 'account_reverted':
      // "Invalidates all authorization tokens and active Gateway sessions". API, "F. Account recovery".
      closeAll(hub, sessionsOf(hub, event))
  }
}

function closeAll(hub: Hub, sessions: readonly GatewaySession[]): void {
  for (const session of sessions) closeSession(hub, session, 'authenticationFailed')
}

function emitToUser(hub: Hub, { userId, event, dataFor }: UserEvent): void {
  for (const session of sessionsOf(hub, { userId })) {
    const data = dataFor(session.auth)
    if (data !== undefined) emitEvent(hub, session, event, data)
  }
}

/** "Sent when the authentication session of the current Gateway session changes". API, "Events". */
function moveSessions(hub: Hub, from: SessionRecord, to: SessionRecord): void {
  for (const session of sessionsOf(hub, from)) {
    session.auth = to
    scheduleCheck(hub, to.expiresAt)
    emitEvent(hub, session, 'Auth Session Change', { auth_session_id_hash: to.idHash })
  }
}

/** Requests overdue heartbeats, closes connections that did not reply, and ends expired sessions. */
export function checkTimeouts(hub: Hub): void {
  const now = hub.core.clock.now()
  // Called on each request, so return early while nothing can be due.
  if (now < hub.nextCheck) return
  for (const connection of [...hub.connections]) {
    // The clock may have been set back.
    connection.lastHeartbeat = Math.min(connection.lastHeartbeat, now)
    if (!connection.isOpen || now < heartbeatDueAt(hub, connection)) continue
    if (connection.requestedAt === undefined) {
      connection.requestedAt = now
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
  for (const connection of hub.connections) if (connection.isOpen) scheduleCheck(hub, heartbeatDueAt(hub, connection))
  for (const session of hub.sessions.values()) {
    scheduleCheck(hub, resumableUntil(hub, session))
    if (logoutEndsSessions) scheduleCheck(hub, session.auth.expiresAt)
  }
}

/** Returns the time from which a session can no longer be resumed; `Infinity` while it has a connection. */
export function resumableUntil({ policy }: Hub, { detachedAt }: GatewaySession): number {
  return detachedAt === undefined ? Number.POSITIVE_INFINITY : detachedAt + milliseconds(policy.resumeWindow)
}

/** Returns the time when the next heartbeat of a connection, or the reply to a requested one, is overdue. */
export function heartbeatDueAt({ policy }: Hub, { lastHeartbeat, requestedAt }: Connection): number {
  const grace = milliseconds(policy.heartbeatGrace)
  return requestedAt === undefined
    ? lastHeartbeat + milliseconds(policy.heartbeatInterval) + grace
    : requestedAt + grace
}

/**
 * Applies the effect of a fault to a connection. `session` is the one that the connection has or resumes.
 * @returns whether the effect could be applied.
 */
export function applyEffect(
  hub: Hub,
  connection: Connection,
  effect: GatewayEffect,
  session: GatewaySession | undefined = connection.session,
): boolean {
  switch (effect.kind) {
    case 'drop':
      detachSession(hub, connection)
      connection.forceClose(effect.code ?? 1006, effect.reason ?? '')
      return true
    case 'freeze':
      connection.freeze()
      return true
    case 'reconnect':
      connection.send(frame(Op.RECONNECT))
      return true
    case 'invalid_session':
      // Either way the connection has no session afterwards: the client sends Resume for the old one, or Identify.
      if (effect.resumable) detachSession(hub, connection)
      else if (session !== undefined) endSession(hub, session)
      connection.send(frame(Op.INVALID_SESSION, effect.resumable ?? false))
      return true
    case 'duplicate':
      return session?.resendLast() ?? false
    case 'refuse':
      return false
  }
}
