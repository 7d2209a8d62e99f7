// Numbers and rules of the mock that a test can change.
import type { LocationMetadata } from '../src/contract/registration'
import type { PartialUser } from '../src/contract/relationships'
import { RelationshipType } from '../src/contract/relationships'
import type { WidgetConfigStatus } from '../src/contract/widget-configs'
import type { Duration } from './clock'
import type { MailKind, MockUser } from './database'
import {
  defaultEnvelope,
  defaultErrors,
  type ErrorEnvelope,
  type ErrorName,
  type PolicyError,
  type RetryAfterUnit,
} from './errors'
import type { EndpointName } from './router'

/** Lifetimes that the document does not specify. `Infinity` never expires. */
export interface Lifetimes {
  /** A session. @default Infinity */
  readonly session: Duration
  /** A ticket for a second factor or a passkey. @default '5m' */
  readonly ticket: Duration
  /** A handoff token. @default '5m' */
  readonly handoff: Duration
  /** A password reset token. @default '1h' */
  readonly reset: Duration
  /** A one-time login token. @default '15m' */
  readonly oneTimeLogin: Duration
  /** A token that authorizes an IP address. @default '1h' */
  readonly verification: Duration
  /** The code sent to a new phone number. @default '10m' */
  readonly phoneCode: Duration
  /** A token that proves a phone number. @default '1h' */
  readonly phoneToken: Duration
  /** A contact sync bulk add token. @default '1h' */
  readonly contactSync: Duration
}

/** Step-up by endpoint: `true` always, `false` never, `'with-factor'` for accounts with a second factor. */
export type MfaRequirements = Readonly<Partial<Record<EndpointName, boolean | 'with-factor'>>>

/** A rate limit. The document shows none; the response is 429, as injected faults send it. */
export interface RateLimit {
  /** Number of requests in each period. */
  readonly limit: number
  /** Length of the period by the service's clock; it begins with the first request. */
  readonly per: Duration
}

/** Rate limits by endpoint; `*` counts the requests to all endpoints together. */
export type RateLimits = Readonly<Partial<Record<EndpointName | '*', RateLimit>>>

/** Rules for new passwords; one repeated character is never valid. */
export interface PasswordRules {
  /** Minimum length in characters, from 8 to 72. @default 8 */
  readonly minLength?: number
  /** Minimum strength: a point each for more than 11 characters, mixed case, a digit and a symbol. @default 0 */
  readonly minStrength?: number
}

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
  /** Heartbeat interval, sent in Hello; at least 100 ms. @default 41250 */
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

/**
 * Everything that the API document leaves open and a running service must decide. Each entry is a convention of
 * this mock; replace those that differ in your service.
 */
export interface Policy {
  /** Whether an endpoint requires a valid token. Default: if the contract requires it. */
  requiresToken(endpoint: EndpointName, isRequiredByContract: boolean): boolean
  /**
   * Whether a call requires step-up. Not called for Verify MFA and Send MFA SMS, which complete step-up, nor for
   * endpoints without a token. Default: Logout Auth Sessions, for accounts with a second factor.
   */
  requireMfa(endpoint: EndpointName, user: MockUser): boolean
  /** Endpoints for which `requireMfa` is not called. @default {} */
  readonly mfaByEndpoint: MfaRequirements
  /**
   * Scheme that precedes the token in `Authorization`, whose format is not shown, such as `Bearer`; a header without it has
   * no token. `null` for none. @default { scheme: null }
   */
  readonly authorization: { readonly scheme: string | null }
  /** Rate limits, per user, or per IP address without a valid token. @default {} */
  readonly rateLimits: RateLimits
  /** Rules for new passwords. @default {} */
  readonly password: PasswordRules
  /** Lifetimes of sessions, tickets, tokens and codes. */
  readonly lifetimes: Lifetimes
  /**
   * Addresses of the pages that mails link to, by kind, such as `http://localhost:5173/reset`. Default: the path
   * `/<kind>` at the origin of the base URL.
   */
  readonly links: Readonly<Partial<Record<MailKind, string>>>
  /** Statuses, codes and messages of errors. */
  readonly errors: Readonly<Record<ErrorName, PolicyError>>
  /** How errors are written. */
  readonly errorEnvelope: ErrorEnvelope
  /**
   * Unit of `retry_after` in the body of a 429. With `milliseconds`, a 429 has no `Retry-After` header, which is always in seconds.
   * @default 'seconds'
   */
  readonly retryAfterUnit: RetryAfterUnit
  /** Name of the header with the verification JWT. @default 'X-Service-MFA-Authorization' */
  readonly mfaHeader: string
  /** Returns the fields of a partial user. Default: `id`, `username`, `global_name`, `discriminator`, `avatar`. */
  partialUser(user: MockUser): PartialUser
  /** Returns the required actions of a user after signing in. Default: none. */
  requiredActions(user: MockUser, password: string | null): string[]
  /** Whether a login from a new IP address requires verification by mail. Default: no. */
  verifyNewLocation(user: MockUser, ip: string): boolean
  /** Returns the approximate location of an IP address, shown in sessions. Default: `null`. */
  location(ip: string): string | null
  /** Returns the rules for a registration from an IP address. Default: US, no consent, no promotional e-mail. */
  locationMetadata(ip: string): LocationMetadata
  /**
   * Attributes of the cookie `__Secure-recent_mfa`, after `Secure` and `HttpOnly`, which it always has. Pages of other
   * sites need `'SameSite=None; Partitioned'`. @default 'SameSite=Lax'
   */
  readonly verificationCookie: string
  /** Whether a password reset ends the account's other sessions. @default true */
  readonly resetEndsSessions: boolean
  /** Returns the new types of both sides when one of them changes a relationship, or an error. */
  changeRelationship(change: RelationshipChange): RelationshipOutcome | ErrorName
  /** Type of a relationship with a user who is only ignored. @default NONE */
  readonly ignoredType: RelationshipType
  /** The `dm_access_type` of game relationships; its values are not shown. @default 0 */
  readonly dmAccessType: number
  /** The status of a new widget config. @default 'draft' */
  readonly newConfigStatus: WidgetConfigStatus
  /** The status of an unpublished widget config. @default 'draft' */
  readonly unpublishedConfigStatus: WidgetConfigStatus
  /** Heartbeats, resumes, close codes and the end of gateway sessions. */
  readonly gateway: GatewayPolicy
}

/** Entries of a {@link Policy} that are merged one by one, or differ in {@link PolicyChanges}. */
type MergedEntry =
  | 'lifetimes'
  | 'errorEnvelope'
  | 'errors'
  | 'gateway'
  | 'requireMfa'
  | 'mfaByEndpoint'
  | 'rateLimits'
  | 'password'

/** A change of `T`; `null` removes an entry. */
export type OrNull<T> = { readonly [K in keyof T]?: T[K] | null }

/** Changes to a policy; lifetimes, errors, rate limits and the like are merged one by one. */
export interface PolicyChanges extends Partial<Omit<Policy, MergedEntry>> {
  /** Decides on step-up; by endpoint, it applies before the function, and `null` removes an entry. */
  readonly requireMfa?: Policy['requireMfa'] | OrNull<MfaRequirements>
  /** Rate limits to change; `null` removes one. */
  readonly rateLimits?: OrNull<RateLimits>
  /** Rules for passwords to change; `null` removes one. */
  readonly password?: OrNull<PasswordRules>
  /** Lifetimes to change; `null` never expires, like `Infinity`, which JSON does not have. */
  readonly lifetimes?: OrNull<Lifetimes>
  /** Names and shapes of the envelope to change. */
  readonly errorEnvelope?: Partial<ErrorEnvelope>
  /** Errors to change. */
  readonly errors?: Partial<Record<ErrorName, PolicyError>>
  /** Decisions of the gateway to change. */
  readonly gateway?: GatewayPolicyChanges
}

/** Entries of a {@link Policy} that are functions. */
type Decision = { [K in keyof Policy]: Policy[K] extends (...args: never) => unknown ? K : never }[keyof Policy]

/** The part of {@link PolicyChanges} that JSON can represent, such as the contents of a file. */
export interface PolicySettings extends Omit<PolicyChanges, 'requireMfa' | Decision> {
  /** Step-up by endpoint; other endpoints are decided by the function `requireMfa`. */
  readonly requireMfa?: OrNull<MfaRequirements>
}

/** A change of a relationship by one user, with the current types of both sides. */
export interface RelationshipChange {
  /** `request` also accepts (type -1), `accept` is type FRIEND, `block` is type BLOCKED, `remove` is a removal. */
  readonly action: 'request' | 'accept' | 'block' | 'remove'
  /** Type for the acting user; NONE without a relationship. */
  readonly mine: RelationshipType
  /** Type for the other user; NONE without a relationship. */
  readonly theirs: RelationshipType
}

/** New types of both sides; NONE removes the relationship, but an ignored user stays ignored. */
export interface RelationshipOutcome {
  /** Type for the acting user. */
  readonly mine: RelationshipType
  /** Type for the other user. */
  readonly theirs: RelationshipType
}

/** Default decisions of the gateway. */
export const defaultGatewayPolicy: GatewayPolicy = {
  heartbeatInterval: 41_250,
  heartbeatGrace: '20s',
  replayLimit: 250,
  resumeWindow: '3m',
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

const { NONE, FRIEND, BLOCKED, INCOMING_REQUEST, OUTGOING_REQUEST } = RelationshipType
const friends: RelationshipOutcome = { mine: FRIEND, theirs: FRIEND }

/** Default transitions, which the document leaves open. A block only ends when the user who set it removes it. */
function changeRelationship({ action, mine, theirs }: RelationshipChange): RelationshipOutcome | ErrorName {
  const isShared = theirs === FRIEND || theirs === INCOMING_REQUEST || theirs === OUTGOING_REQUEST
  const afterRemoval = isShared ? NONE : theirs
  switch (action) {
    case 'block':
      return { mine: BLOCKED, theirs: afterRemoval }
    case 'remove':
      return mine === BLOCKED ? { mine: NONE, theirs } : { mine: NONE, theirs: afterRemoval }
    case 'accept':
      if (mine === FRIEND) return friends
      return mine === INCOMING_REQUEST ? friends : 'noIncomingRequest'
    case 'request':
      if (mine === FRIEND) return 'alreadyFriends'
      if (mine === BLOCKED) return 'blockedByYou'
      if (mine === INCOMING_REQUEST) return friends
      return theirs === BLOCKED ? 'requestRefused' : { mine: OUTGOING_REQUEST, theirs: INCOMING_REQUEST }
  }
}

/** Default decisions, for what the API document leaves open. */
export const defaultPolicy: Policy = {
  requiresToken: (_endpoint, isRequiredByContract) => isRequiredByContract,
  requireMfa: (endpoint, user) => endpoint === 'Logout Auth Sessions' && user.mfa.length > 0,
  mfaByEndpoint: {},
  authorization: { scheme: null },
  rateLimits: {},
  password: {},
  lifetimes: {
    session: Number.POSITIVE_INFINITY,
    ticket: '5m',
    handoff: '5m',
    reset: '1h',
    oneTimeLogin: '15m',
    verification: '1h',
    phoneCode: '10m',
    phoneToken: '1h',
    contactSync: '1h',
  },
  links: {},
  errors: defaultErrors,
  errorEnvelope: defaultEnvelope,
  retryAfterUnit: 'seconds',
  mfaHeader: 'X-Service-MFA-Authorization',
  partialUser: ({ id, username, global_name, discriminator }) => ({
    id,
    username,
    global_name,
    discriminator: discriminator ?? '0',
    avatar: null,
  }),
  requiredActions: () => [],
  verifyNewLocation: () => false,
  location: () => null,
  locationMetadata: () => ({
    country_code: 'US',
    consent_required: false,
    promotional_email_opt_in: { required: false, pre_checked: false },
  }),
  verificationCookie: 'SameSite=Lax',
  resetEndsSessions: true,
  changeRelationship,
  ignoredType: RelationshipType.NONE,
  dmAccessType: 0,
  newConfigStatus: 'draft',
  unpublishedConfigStatus: 'draft',
  gateway: defaultGatewayPolicy,
}
