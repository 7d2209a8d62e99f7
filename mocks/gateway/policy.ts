import type { Duration } from '../clock'

/** The codes that the gateway closes connections with. They are the field's convention; the document shows none. */
export interface GatewayCloseCodes {
  /** A frame of an unknown kind, from a client that has a session; strict services alone. @default 4001 */
  readonly unknownOp: number
  /** What came is no frame. @default 4002 */
  readonly decodeError: number
  /** A frame of an unknown kind before identifying; strict services alone. @default 4003 */
  readonly notAuthenticated: number
  /** The token is not valid, or no longer. @default 4004 */
  readonly authenticationFailed: number
  /** The connection has a session already. @default 4005 */
  readonly alreadyAuthenticated: number
  /** A resume from an event that was never sent. @default 4007 */
  readonly invalidSequence: number
  /** The session is over: beats were missed, it was resumed elsewhere, or the service was reset. @default 4009 */
  readonly timedOut: number
}

/** What the gateway decides. The document names its events and shows nothing else of it, so that all is convention. */
export interface GatewayPolicy {
  /** How often clients beat, as Hello tells them. @default 41250 */
  readonly heartbeatInterval: Duration
  /**
   * How long a beat may be overdue by the service's clock. Then the client is asked for one, and closed when it has not
   * answered for as long again: one great step of `clock.advance` closes nobody, a second one whoever was silent.
   * `Infinity` closes nobody.
   * @default '20s'
   */
  readonly heartbeatGrace: Duration
  /** How many of its last events a session can send again. @default 250 */
  readonly replayLimit: number
  /** How long a session without a connection can be resumed. @default '3m' */
  readonly resumeWindow: Duration
  /** The `resume_gateway_url` of Ready, `null` for none. Default: where the client connected, without its query. */
  resumeUrl(url: string): string | null
  /** Whether Ready carries the lists `relationships` and `game_relationships`. @default false */
  readonly readySnapshot: boolean
  /**
   * Whether the end of an authentication session (a logout, a closed account, its lifetime) closes its gateway
   * sessions; otherwise they last until they are disconnected. The document says of Revert Account alone that it ends
   * them, and there it always does.
   * @default true
   */
  readonly logoutEndsSessions: boolean
  /** The codes that connections are closed with. */
  readonly closeCodes: GatewayCloseCodes
}

/** Changes to the gateway's part of a policy; close codes are merged one by one. */
export interface GatewayPolicyChanges extends Partial<Omit<GatewayPolicy, 'closeCodes'>> {
  /** Close codes that differ. */
  readonly closeCodes?: Partial<GatewayCloseCodes>
}

/** What the gateway decides unless told otherwise. */
export const defaultGatewayPolicy: GatewayPolicy = {
  heartbeatInterval: 41_250,
  heartbeatGrace: '20s',
  replayLimit: 250,
  resumeWindow: '3m',
  resumeUrl: (url) => url,
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
