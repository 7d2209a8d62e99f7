import type { UserRef } from '../mock-user'
import type { GatewayEventName } from './events'
import type { GatewayFaultOptions, InjectedGatewayFault } from './faults'
import type { GatewayJournalEntry } from './journal'
import type { GatewayLink, GatewayPeer } from './peer'

/** A gateway session as tests see it: how it stood when it was asked for. */
export interface MockGatewaySession {
  /** ID of the session, as Ready told it. */
  readonly id: string
  /** ID of its user. */
  readonly user: string
  /** ID hash of its authentication session. */
  readonly auth_session_id_hash: string
  /** Number of the last event that was sent to it. */
  readonly sequence: number
  /** Whether it has a connection; without one it waits to be resumed. */
  readonly connected: boolean
}

/**
 * The gateway of a service: what clients see there, and what goes wrong. Faults happen to the clients that are
 * connected, or with `times` or `at` to those that are about to be. `restore` and `reset` end all sessions with the
 * code 4009, after which clients identify anew; `close` closes all connections with 1001.
 * @example
 * const outage = service.gateway.refuse()
 * service.gateway.drop()
 * outage.takeBack()
 * console.log(`${outage.happened} attempts to connect were refused`)
 */
export interface MockGateway {
  /** Where the class {@link MockService.WebSocket} and the msw handlers answer; a server has its own `gatewayUrl`. */
  readonly url: string
  /** The sessions that have not ended, the oldest first. */
  readonly sessions: readonly MockGatewaySession[]
  /** Who identified and who resumed, the oldest first; it keeps as many as the journal of requests. */
  readonly journal: readonly GatewayJournalEntry[]
  /**
   * Closes connections; their sessions can be resumed.
   * @param code 1006 where it is left out, which ends them without a close frame.
   * @throws RangeError for a code that no server can send.
   */
  drop(code?: number, options?: GatewayFaultOptions & { readonly reason?: string }): InjectedGatewayFault
  /**
   * Neither reads from connections nor writes to them, and leaves them open: their other end seems to have vanished.
   * What comes and goes meanwhile passes when it is taken back.
   */
  freeze(options?: GatewayFaultOptions): InjectedGatewayFault
  /** Refuses to let clients connect. */
  refuse(options?: Pick<GatewayFaultOptions, 'times'>): InjectedGatewayFault
  /**
   * Sends Invalid Session, which leaves the connection open and without a session. Of a resumable one the gateway then
   * accepts a Resume on that connection; one that is not resumable ends. Identify is accepted either way.
   */
  invalidSession(resumable: boolean, options?: GatewayFaultOptions): InjectedGatewayFault
  /** Asks clients to connect anew. */
  reconnect(options?: GatewayFaultOptions): InjectedGatewayFault
  /** Sends the last event of each session a second time; with `times`, that many events to come. */
  duplicate(options?: Pick<GatewayFaultOptions, 'user' | 'times'>): InjectedGatewayFault
  /**
   * Sends a frame as it is: a text or bytes, or anything else as JSON.
   * @returns how many connections it went to.
   */
  raw(frame: unknown, options?: Pick<GatewayFaultOptions, 'user'>): number
  /**
   * Sends an event to all sessions of a user, or of everyone.
   * @param event a name of the interface document or one of the wire: `Relationship Add` is `RELATIONSHIP_ADD`.
   * @returns how many sessions it went to, counting those that wait to be resumed.
   */
  emit(event: GatewayEventName | (string & {}), data: unknown, options?: { readonly to?: UserRef }): number
  /** Takes all faults back. */
  clear(): void
  /**
   * Takes a client's socket that came in another way; the doors of this package are built on it.
   * @returns what to tell of the socket, or `undefined` where it is refused.
   */
  connect(peer: GatewayPeer): GatewayLink | undefined
}
