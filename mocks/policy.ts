import type { PartialUser } from '../src/contract/partial-user'
import type { LocationMetadata, PasswordValidation } from '../src/contract/registration'
import { RelationshipType } from '../src/contract/relationships'
import type { WidgetConfigStatus } from '../src/contract/widget-configs'
import type { Duration } from './clock'
import type { MockUser } from './database'
import { defaultErrors, type ErrorName, type PolicyError } from './errors'
import { defaultGatewayPolicy, type GatewayPolicy, type GatewayPolicyChanges } from './gateway/policy'
import type { EndpointName, MockMessage } from './router'
import {
  anything,
  boolean,
  callback,
  duration,
  integer,
  type Kind,
  type Kinds,
  number,
  omitUndefined,
  text,
  times,
  validateOptions,
} from './settings'

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
    ...omitUndefined(changes),
    lifetimes: { ...policy.lifetimes, ...omitUndefined(changes.lifetimes ?? {}) },
    errors: { ...policy.errors, ...omitUndefined(changes.errors ?? {}) },
    gateway: {
      ...policy.gateway,
      ...omitUndefined(changes.gateway ?? {}),
      closeCodes: { ...policy.gateway.closeCodes, ...omitUndefined(changes.gateway?.closeCodes ?? {}) },
    },
  }
}

/** A change that one user makes to a relationship, and how both sides stood before. */
export interface RelationshipChange {
  /** `request` also accepts (type -1), `accept` is type FRIEND, `block` is type BLOCKED, `remove` is a removal. */
  readonly action: 'request' | 'accept' | 'block' | 'remove'
  /** What the acting user has with the other; NONE when nothing. */
  readonly mine: RelationshipType
  /** What the other has with the acting user; NONE when nothing. */
  readonly theirs: RelationshipType
}

/** What both sides have afterwards; NONE is nothing, though an ignored user stays ignored. */
export interface RelationshipOutcome {
  /** What the acting user has with the other. */
  readonly mine: RelationshipType
  /** What the other has with the acting user. */
  readonly theirs: RelationshipType
}

const { NONE, FRIEND, BLOCKED, INCOMING_REQUEST, OUTGOING_REQUEST } = RelationshipType
const friends: RelationshipOutcome = { mine: FRIEND, theirs: FRIEND }

/** The transitions that the document leaves open. A block is lifted only by its removal, from the side that set it. */
export function changeRelationship({ action, mine, theirs }: RelationshipChange): RelationshipOutcome | ErrorName {
  const isShared = theirs === FRIEND || theirs === INCOMING_REQUEST || theirs === OUTGOING_REQUEST
  const afterParting = isShared ? NONE : theirs
  switch (action) {
    case 'block':
      return { mine: BLOCKED, theirs: afterParting }
    case 'remove':
      return mine === BLOCKED ? { mine: NONE, theirs } : { mine: NONE, theirs: afterParting }
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

/** What the service decides where the interface document is silent, unless told otherwise. */
export const defaultPolicy: Policy = {
  tokenOf: (authorization) => authorization,
  requiresToken: (_endpoint, contractSays) => contractSays,
  requireMfa: (endpoint, user) => endpoint === 'Logout Auth Sessions' && user.mfa.length > 0,
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
  errors: defaultErrors,
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
  judgePassword,
  fingerprintId: (fingerprint) => /^(\d{1,20})(?:\.|$)/.exec(fingerprint)?.[1] ?? null,
  showVerificationForm: () => false,
  resetEndsSessions: true,
  changeRelationship,
  ignoredType: RelationshipType.NONE,
  isStranger: (mutualFriends) => mutualFriends === 0,
  requireStrangerConfirmation: () => false,
  isSpam: () => false,
  applicationOf(endpoint, user, applications) {
    const owned = applications.find(({ ownerId }) => ownerId === user.id)
    if (endpoint === 'List Bulk Application Identities') return owned?.id ?? null
    const authorized = applications.find(({ authorizedBy }) => authorizedBy.includes(user.id))
    return (owned ?? authorized ?? applications[0])?.id ?? null
  },
  dmAccessType: 0,
  hasApplicationAccess,
  mayEditProfile: (caller, application, userId) =>
    (caller.applicationId === null && caller.user.id === userId) || hasApplicationAccess(caller, application),
  trustsProfileData: (caller, { id, ownerId }) => caller.applicationId === id || caller.user.id === ownerId,
  connectionVisible: (value) => value !== 'false',
  newConfigStatus: 'draft',
  unpublishedConfigStatus: 'draft',
  mayPost: () => true,
  message: (message) => message,
  gateway: defaultGatewayPolicy,
}

function hasApplicationAccess(caller: PolicyCaller, { id, ownerId, memberIds }: PolicyApplication): boolean {
  if (caller.applicationId !== null && caller.applicationId !== id) return false
  return caller.isBot || caller.user.id === ownerId || memberIds.includes(caller.user.id)
}

/** One point each for more than 11 characters, mixed case, a digit, and a sign; none for one character repeated. */
function judgePassword(password: string): PasswordValidation {
  const valid = new Set(password).size > 1
  const signs = [password.length > 11, /[a-z].*[A-Z]|[A-Z].*[a-z]/s, /\d/, /[^A-Za-z0-9]/]
  const points = signs.filter((sign) => (typeof sign === 'boolean' ? sign : sign.test(password))).length
  return { valid, password_strength: valid ? points : 0 }
}

const byType: Readonly<Record<string, Kind>> = { boolean, function: callback, number, string: text }

/** What each entry of a policy may be follows from what it is by default. */
const entries: Kinds = Object.fromEntries(
  Object.entries(defaultPolicy).map(([name, value]) => [name, byType[typeof value] ?? anything]),
)
const lifetimes: Kinds = Object.fromEntries(Object.keys(defaultPolicy.lifetimes).map((name) => [name, duration()]))
const errors: Kinds = Object.fromEntries(Object.keys(defaultErrors).map((name) => [name, anything]))
const closeCodes: Kinds = Object.fromEntries(
  Object.keys(defaultGatewayPolicy.closeCodes).map((name) => [name, integer(3000, 4999)]),
)
const gateway: Kinds = {
  heartbeatInterval: duration(2 ** 31 - 1),
  heartbeatGrace: duration(),
  replayLimit: times,
  resumeWindow: duration(),
  resumeUrl: callback,
  readySnapshot: boolean,
  logoutEndsSessions: boolean,
  closeCodes: anything,
}
const error: Kinds = { status: integer(400, 599), code: number, message: text }

/**
 * Refuses changes of a policy that have no effect, or one that shows only when a request comes.
 * @throws TypeError that says what was given and what is allowed.
 */
export function assertPolicy(changes: PolicyChanges): void {
  validateOptions('policy', changes, entries)
  if (changes.lifetimes !== undefined) validateOptions('policy.lifetimes', changes.lifetimes, lifetimes)
  if (changes.gateway !== undefined) validateOptions('policy.gateway', changes.gateway, gateway)
  if (changes.gateway?.closeCodes !== undefined) {
    validateOptions('policy.gateway.closeCodes', changes.gateway.closeCodes, closeCodes)
  }
  if (changes.errors === undefined) return
  validateOptions('policy.errors', changes.errors, errors)
  for (const [name, value] of Object.entries(changes.errors)) {
    if (value !== undefined) validateOptions(`policy.errors.${name}`, value, error, Object.keys(error))
  }
}
