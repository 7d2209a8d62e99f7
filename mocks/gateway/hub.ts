import { milliseconds } from '../clock'
import type { Core } from '../core'
import type { Ring } from '../ring'
import type { SessionRecord } from '../state/database'
import { Table } from '../state/table'
import type { Connection } from './connection'
import type { GatewayFaultQueue } from './fault-queue'
import type { GatewayJournalEntry } from './journal'
import type { GatewayCloseCodes, GatewayPolicy } from './policy'
import type { GatewaySession } from './session'

/** What the parts of one gateway share. */
export interface Hub {
  readonly core: Core
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
export function hangUp(hub: Hub, connection: Connection, why: keyof GatewayCloseCodes): void {
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
  if (connection !== undefined) hangUp(hub, connection, why)
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
