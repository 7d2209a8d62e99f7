// State that the parts of one mock gateway share.
import { gatewayEvents } from '../../src/contract/gateway-events'
import { check } from '../../src/contract/validate'
import { formatIssues } from '../../src/internal/issue'
import { milliseconds } from '../clock'
import { type DomainEvent, type GatewayEventName, type ServiceContext, toTimestamp } from '../core'
import type { SessionRecord } from '../database'
import { Ring } from '../journal'
import type { GatewayCloseCodes, GatewayPolicy } from '../policy'
import { createRandom } from '../random'
import { redactBody, TRUNCATED } from '../redaction/redaction'
import { sessionOf } from '../state/sessions'
import {
  type Connection,
  createGatewayFaultQueue,
  frame,
  type GatewayEffect,
  type GatewaySession,
  Op,
} from './connection'

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

export function truncateReason(reason: string): string {
  if (new TextEncoder().encode(reason).length <= MAX_REASON_BYTES) return reason
  return truncateReason(reason.slice(0, Math.min(reason.length - 1, MAX_REASON_BYTES)))
}

/** State of one gateway, and what happens to its connections and sessions. */
export class Hub {
  readonly faults = createGatewayFaultQueue()
  readonly journal: Ring<GatewayJournalEntry>
  /** Frames of all connections. */
  readonly frames: Ring<FrameRecord>
  /** Open sockets. */
  readonly connections = new Set<Connection>()
  /** Sessions that have not ended, by ID. */
  readonly sessions = new Map<string, GatewaySession>()
  /** Earliest time at which {@link Hub.checkTimeouts} has something to do; lowered by {@link Hub.scheduleCheck}. */
  nextCheck = Number.POSITIVE_INFINITY
  /** Returns an unused session ID. */
  readonly newSessionId: () => string

  constructor(readonly core: ServiceContext) {
    this.journal = new Ring(core.maxJournalEntries)
    this.frames = new Ring(core.maxJournalEntries)
    // Separate from the service's random values, which would otherwise depend on when clients connect.
    const seed = { state: ~core.seed, ids: 0 }
    const random = createRandom(() => seed)
    this.newSessionId = () => random.text(32)
  }

  get policy(): GatewayPolicy {
    return this.core.policy.gateway
  }

  get now(): number {
    return this.core.clock.now()
  }

  recordFrame(connection: Connection, from: FrameRecord['from'], data: unknown): void {
    const all = typeof data === 'string' ? data : '[bytes]'
    this.frames.push({ connection, from, text: all.length > MAX_FRAME ? undefined : all, at: this.now })
  }

  /** Returns the frames without their secrets. */
  frameViews(): MockGatewayFrame[] {
    return this.frames.entries.map(({ connection, from, text, at }) => {
      const frame = text === undefined ? TRUNCATED : redactBody(this.core.known, text)
      return { session: connection.sessionId, from, frame, at: toTimestamp(at) }
    })
  }

  /** Closes a connection with the code of the policy; its session can be resumed unless it was ended. */
  closeConnection(connection: Connection, cause: keyof GatewayCloseCodes): void {
    this.detachSession(connection)
    connection.close(this.policy.closeCodes[cause], REASONS[cause])
  }

  /** Detaches the session from its connection; it can be resumed until `resumeWindow` has passed. */
  detachSession({ session }: Connection): void {
    if (session === undefined) return
    session.detach(this.now)
    this.scheduleCheck(resumableUntil(this, session))
  }

  /** Schedules {@link Hub.checkTimeouts} for a time at the latest; `null` is never. */
  scheduleCheck(time: number | null): void {
    if (time !== null) this.nextCheck = Math.min(this.nextCheck, time)
  }

  /** Ends a session permanently. Its connection stays open without a session. */
  endSession(session: GatewaySession): void {
    this.sessions.delete(session.id)
    session.detach(this.now)
  }

  closeSession(session: GatewaySession, cause: keyof GatewayCloseCodes): void {
    const { connection } = session
    this.endSession(session)
    if (connection !== undefined) this.closeConnection(connection, cause)
  }

  /** Returns the sessions of a user, or of one authentication session. */
  sessionsOf({ userId, token }: Pick<SessionRecord, 'userId'> & { token?: string }): GatewaySession[] {
    return [...this.sessions.values()].filter(
      ({ auth }) => auth.userId === userId && (token === undefined || auth.token === token),
    )
  }

  /** Sends an event to a session, twice if a fault duplicates it. */
  dispatch(session: GatewaySession, name: string, data: unknown): void {
    const { auth, connection } = session
    const fault = this.faults.take({ moment: 'event', user: auth.userId, connection })
    session.dispatch(name, data, fault === undefined ? 1 : 2)
    this.core.emit({ type: 'gateway', action: 'event', ...idsOf(session), event: name, sequence: session.sequence })
  }

  /** Sends an event of the service. Like its responses, events are validated against the contract first. */
  emitEvent(session: GatewaySession, event: GatewayEventName, data: unknown): void {
    const row = gatewayEventRows.find(({ name }) => name === event)
    const issues = row === undefined ? [] : check(row.payload, data, { showValues: false })
    if (issues.length > 0)
      throw new Error(`the event "${event}" of the mock violates the contract:\n${formatIssues(issues)}`)
    this.dispatch(session, wireName(event), data)
  }

  handleDomainEvent(event: DomainEvent): void {
    switch (event.kind) {
      case 'event':
        for (const session of this.sessionsOf({ userId: event.userId })) {
          const data = event.dataFor(session.auth)
          if (data !== undefined) this.emitEvent(session, event.event, data)
        }
        break
      case 'session_replaced':
        this.#moveSessions(event.session, event.by)
        break
      case 'session_ended':
        if (this.policy.logoutEndsSessions) this.#closeAll(this.sessionsOf(event.session))
        break
      case 'account_reverted':
        // "Invalidates all authorization tokens and active Gateway sessions". API, "F. Account recovery".
        this.#closeAll(this.sessionsOf(event))
    }
  }

  #closeAll(sessions: readonly GatewaySession[]): void {
    for (const session of sessions) this.closeSession(session, 'authenticationFailed')
  }

  /** "Sent when the authentication session of the current Gateway session changes". API, "Events". */
  #moveSessions(from: SessionRecord, to: SessionRecord): void {
    for (const session of this.sessionsOf(from)) {
      session.auth = to
      this.scheduleCheck(to.expiresAt)
      this.emitEvent(session, 'Auth Session Change', { auth_session_id_hash: to.idHash })
    }
  }

  /** Requests overdue heartbeats, closes connections that did not reply, and ends expired sessions. */
  checkTimeouts(): void {
    const { now } = this
    // Called on each request, so return early while nothing can be due.
    if (now < this.nextCheck) return
    for (const connection of [...this.connections]) {
      // The clock may have been set back.
      connection.lastHeartbeat = Math.min(connection.lastHeartbeat, now)
      if (!connection.isOpen || now < heartbeatDueAt(this, connection)) continue
      if (connection.requestedAt === undefined) {
        connection.requestedAt = now
        connection.send(frame(Op.HEARTBEAT))
      } else if (connection.session !== undefined) this.closeSession(connection.session, 'timedOut')
      else this.closeConnection(connection, 'timedOut')
    }
    const { logoutEndsSessions } = this.policy
    for (const session of [...this.sessions.values()]) {
      if (now >= resumableUntil(this, session)) this.endSession(session)
      else if (logoutEndsSessions && sessionOf(this.core, session.auth.token) === undefined) {
        this.closeSession(session, 'authenticationFailed')
      }
    }
    this.nextCheck = Number.POSITIVE_INFINITY
    for (const connection of this.connections) {
      if (connection.isOpen) this.scheduleCheck(heartbeatDueAt(this, connection))
    }
    for (const session of this.sessions.values()) {
      this.scheduleCheck(resumableUntil(this, session))
      if (logoutEndsSessions) this.scheduleCheck(session.auth.expiresAt)
    }
  }

  /**
   * Applies the effect of a fault to a connection. `session` is the one that the connection has or resumes.
   * @returns whether the effect could be applied.
   */
  applyEffect(connection: Connection, effect: GatewayEffect, session = connection.session): boolean {
    switch (effect.kind) {
      case 'drop':
        this.detachSession(connection)
        connection.forceClose(effect.code ?? 1006, 'Dropped by a fault.')
        return true
      case 'freeze':
        connection.freeze()
        return true
      case 'reconnect':
        connection.send(frame(Op.RECONNECT))
        return true
      case 'invalid_session':
        // Either way the connection has no session afterwards: the client sends Resume for the old one, or Identify.
        if (effect.resumable) this.detachSession(connection)
        else if (session !== undefined) this.endSession(session)
        connection.send(frame(Op.INVALID_SESSION, effect.resumable))
        return true
      case 'duplicate':
        return session?.resendLast() ?? false
      case 'refuse':
        return false
    }
  }
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
