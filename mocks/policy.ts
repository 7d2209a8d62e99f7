import type { PartialUser } from '../src/contract/partial-user'
import type { LocationMetadata, PasswordValidation } from '../src/contract/registration'
import type { RelationshipType } from '../src/contract/relationships'
import type { WidgetConfigStatus } from '../src/contract/widget-configs'
import type { Duration } from './clock'
import type { EndpointName } from './endpoint-names'
import type { ErrorName, PolicyError } from './errors'
import type { GatewayPolicy, GatewayPolicyChanges } from './gateway/policy'
import type { MockMessage } from './messages'
import type { MockUser } from './mock-user'
import type { RelationshipChange, RelationshipOutcome } from './relationship-policy'
import { withoutGaps } from './set-up'

/** How long things live that the document gives no life. `Infinity` is for ever. */
export interface Lifetimes {
  /** A session from its start. @default Infinity */
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

/** An application as the policy sees it. */
export interface PolicyApplication {
  /** ID of the application. */
  readonly id: string
  /** Its owner. */
  readonly ownerId: string
  /** Others who may work on it. */
  readonly memberIds: readonly string[]
  /** Users who have authorized it. */
  readonly authorizedBy: readonly string[]
}

/** Who makes a call, as the policy sees it. */
export interface PolicyCaller {
  /** The user, or the bot's own account. */
  readonly user: MockUser
  /** The application of an OAuth2 or bot token; `null` for the service's own clients. */
  readonly applicationId: string | null
  /** Whether the token is a bot's. */
  readonly isBot: boolean
}

/**
 * Everything that the interface document leaves open and a running service must decide. Each entry is a convention of
 * this mock; replace those that your service decides otherwise.
 */
export interface Policy {
  /**
   * The token in the value of `Authorization`, whose form is not shown. Default: the value as it is. For a client whose
   * `authorize` puts a scheme before it: `(value) => value.replace(/^Bearer /, '')`.
   */
  tokenOf(authorization: string): string
  /** Whether a call without a valid token is refused. Default: where the contract says that a token travels. */
  requiresToken(endpoint: EndpointName, contractSays: boolean): boolean
  /**
   * Whether a call needs step-up. It is not asked about Verify MFA and Send MFA SMS, which meet step-up, nor about calls
   * that serve clients without a token. Default: Logout Auth Sessions, for accounts with a second factor.
   */
  requireMfa(endpoint: EndpointName, user: MockUser): boolean
  /** How long things live. */
  readonly lifetimes: Lifetimes
  /** Statuses, codes and texts of errors. */
  readonly errors: Readonly<Record<ErrorName, PolicyError>>
  /** The fields of a partial user. Default: `id`, `username`, `global_name`, `discriminator`, `avatar`. */
  partialUser(user: MockUser): PartialUser
  /** What a user must do after signing in. Default: nothing. */
  requiredActions(user: MockUser, password: string | null): string[]
  /** Whether a login from an address that the account has not used needs a mailed verification. Default: no. */
  verifyNewLocation(user: MockUser, ip: string): boolean
  /** Approximate location of an address, as sessions show it. Default: `null`. */
  location(ip: string): string | null
  /** What applies to a registration from an address. Default: US, no consent, no promotional e-mail. */
  locationMetadata(ip: string): LocationMetadata
  /** How good a password is. A password that is not valid is refused on registration and reset. */
  judgePassword(password: string): PasswordValidation
  /** The ID that a fingerprint stands for, `null` when none. Default: its leading digits. */
  fingerprintId(fingerprint: string): string | null
  /** Whether the guild of an invite has a member verification form. Default: no. */
  showVerificationForm(invite: string): boolean
  /** Whether a password reset ends the account's other sessions. @default true */
  readonly resetEndsSessions: boolean
  /** What becomes of both sides when one changes a relationship. */
  changeRelationship(change: RelationshipChange): RelationshipOutcome | ErrorName
  /** The type of a relationship that consists of being ignored alone. @default NONE */
  readonly ignoredType: RelationshipType
  /** Whether two users are strangers to each other. Default: when they have no mutual friend. */
  isStranger(mutualFriends: number): boolean
  /** Whether a request to a stranger is refused until `confirm_stranger_request`. Default: no. */
  requireStrangerConfirmation(from: MockUser, to: MockUser): boolean
  /** Whether a request is flagged as spam. Default: no. */
  isSpam(from: MockUser, to: MockUser, note: string | null): boolean
  /**
   * The application that a call acts for when its token names none; `null` refuses it. Default: for List Bulk
   * Application Identities the first that the user owns; for game relationships also the first that the user has
   * authorized, else the first there is.
   */
  applicationOf(endpoint: EndpointName, user: MockUser, applications: readonly PolicyApplication[]): string | null
  /** The `dm_access_type` of game relationships; its values are not shown. @default 0 */
  readonly dmAccessType: number
  /** Whether a caller may work on an application. Default: its owner, its members and its bot. */
  hasApplicationAccess(caller: PolicyCaller, application: PolicyApplication): boolean
  /** Whether a caller may change a user's profile. Default: the user, and whoever has access to the application. */
  mayEditProfile(caller: PolicyCaller, application: PolicyApplication, userId: string): boolean
  /** Whether data that a caller sets are trusted. Default: from the application's bot and its owner. */
  trustsProfileData(caller: PolicyCaller, application: PolicyApplication): boolean
  /** What the string `connection_visible` says. Default: anything but `'false'` is true. */
  connectionVisible(value: string): boolean
  /** The status of a new widget config. @default 'draft' */
  readonly newConfigStatus: WidgetConfigStatus
  /** The status of an unpublished widget config. @default 'draft' */
  readonly unpublishedConfigStatus: WidgetConfigStatus
  /** Whether a caller may send messages to a channel. Default: yes. */
  mayPost(caller: PolicyCaller, channelId: string): boolean
  /** What is answered to a message that was taken; the endpoint is the mock's own. Default: the message. */
  message(message: MockMessage): object
  /** Heartbeats, resumes, close codes, and what ends a gateway session. */
  readonly gateway: GatewayPolicy
}

/** Changes to the default policy; lifetimes, errors and the gateway's entries are merged one by one. */
export interface PolicyChanges extends Partial<Omit<Policy, 'lifetimes' | 'errors' | 'gateway'>> {
  /** Lifetimes that differ. */
  readonly lifetimes?: Partial<Lifetimes>
  /** Errors that differ. */
  readonly errors?: Partial<Record<ErrorName, PolicyError>>
  /** What the gateway decides otherwise. */
  readonly gateway?: GatewayPolicyChanges
}

/** A policy with some of its entries replaced. */
export function changePolicy(policy: Policy, changes: PolicyChanges = {}): Policy {
  return {
    ...policy,
    ...withoutGaps(changes),
    lifetimes: { ...policy.lifetimes, ...withoutGaps(changes.lifetimes ?? {}) },
    errors: { ...policy.errors, ...withoutGaps(changes.errors ?? {}) },
    gateway: {
      ...policy.gateway,
      ...withoutGaps(changes.gateway ?? {}),
      closeCodes: { ...policy.gateway.closeCodes, ...withoutGaps(changes.gateway?.closeCodes ?? {}) },
    },
  }
}
