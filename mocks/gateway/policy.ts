// Numbers and rules of the mock's gateway that a test can change.
import type { Duration } from '../clock'

/** Close codes of the gateway. They follow common industry practice; the document shows none. */
export interface GatewayCloseCodes {
  /** Unknown opcode from a client with a session; only in strict services. @default 4001 */
  readonly unknownOp: number
  /** Invalid frame. @default 4002 */
  readonly decodeError: number
  /** Unknown opcode before Identify; only in strict services. @default 4003 */
  readonly notAuthenticated: number
  /** The token is invalid or no longer valid. @default 4004 */
  readonly authenticationFailed: number
  /** The connection already has a session. @default 4005 */
  readonly alreadyAuthenticated: number
  /** Resume with a sequence number that was never sent. @default 4007 */
  readonly invalidSequence: number
  /** The session ended: heartbeats were missed, it was resumed elsewhere, or the service was reset. @default 4009 */
  readonly timedOut: number
}

/** Decisions of the gateway. All are conventions: the document names the events and shows nothing else. */
export interface GatewayPolicy {
  /** Heartbeat interval, sent in Hello. @default 41250 */
  readonly heartbeatInterval: Duration
  /**
   * How long a heartbeat may be overdue by the service's clock. After that the gateway requests one, and closes the
   * connection if there is no reply within the same time again: a single large step of `clock.advance` closes nothing,
   * a second one closes silent connections. `Infinity` closes none.
   * @default '20s'
   */
  readonly heartbeatGrace: Duration
  /** Number of events that a session can replay. @default 250 */
  readonly replayLimit: number
  /** How long a disconnected session can be resumed. @default '3m' */
  readonly resumeWindow: Duration
  /**
   * Returns the `resume_gateway_url` of Ready, `null` for none. Default: the address connected to, without its query.
   */
  resumeUrl(url: string): string | null
  /** Whether Ready contains the signed-in `user`. @default true */
  readonly readyUser: boolean
  /** Whether Ready contains the arrays `relationships` and `game_relationships`. @default false */
  readonly readySnapshot: boolean
  /**
   * Whether the end of an authentication session (a logout, a closed account, its lifetime) closes its gateway
   * sessions; otherwise they last until they are disconnected. Revert Account, the only case in the document, always
   * closes them.
   * @default true
   */
  readonly logoutEndsSessions: boolean
  /** Close codes. */
  readonly closeCodes: GatewayCloseCodes
}

/** Changes to the gateway's part of a policy; close codes are merged one by one. */
export interface GatewayPolicyChanges extends Partial<Omit<GatewayPolicy, 'closeCodes'>> {
  /** Close codes to change. */
  readonly closeCodes?: Partial<GatewayCloseCodes>
}

/** Default decisions of the gateway. */
export const defaultGatewayPolicy: GatewayPolicy = {
  heartbeatInterval: 41_250,
  heartbeatGrace: '20s',
  replayLimit: 250,
  resumeWindow: '3m',
  resumeUrl: (url) => url,
  readyUser: true,
  readySnapshot: false,
  logoutEndsSessions: true,
  closeCodes: {
    unknownOp: 4001,
    decodeError: 4002,
    notAuthenticated: 4003,
    authenticationFailed: 4004,
    alreadyAuthenticated: 4005,
    invalidSequence: 4007,
    timedOut: 4009,
  },
}
