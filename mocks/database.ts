import type { FriendSuggestionReason } from '../src/contract/friend-suggestions'
import type { GameRelationshipType } from '../src/contract/game-relationships'
import type { AuthenticatorType } from '../src/contract/mfa'
import type { ProfileData } from '../src/contract/profile-data'
import type { RelationshipType } from '../src/contract/relationships'
import type { OpenObject } from '../src/contract/schema'
import type { LayoutDefinition, WidgetConfig } from '../src/contract/widget-configs'
import { LayoutDefinitionKey, SurfaceType } from '../src/contract/widget-configs'
import type { GameWidget, SuggestedGames } from '../src/contract/widgets'
import type { RandomState } from './random'
import { Table } from './table'

/**
 * Status of an account; only `active` ones can sign in without further steps. A `locked` account needs a password
 * reset, which unlocks it (`state/sessions.ts`). The mock never locks an account by itself: tests do, with `users.lock`.
 */
export type AccountStatus = 'active' | 'disabled' | 'deletion_scheduled' | 'suspended' | 'locked'

/** An account. Passwords are stored in plain text, because they are test data. */
export interface UserRecord {
  readonly id: string
  readonly username: string
  /** `null` for a migrated user. */
  readonly discriminator: string | null
  globalName: string | null
  readonly email: string | null
  readonly phone: string | null
  /** All numbers that the account has had; Revert Account blacklists them. */
  phoneHistory: string[]
  password: string | null
  locale: string
  theme: 'dark' | 'light'
  status: AccountStatus
  factors: AuthenticatorType[]
  totpSecret: string
  backupCodes: string[]
  readonly passkeys: readonly PasskeyRecord[]
  authorizedIps: string[]
  invite: string | null
  /** Application of the bot. */
  readonly botOf: string | null
}

export interface PasskeyRecord {
  readonly id: string
  /** SubjectPublicKeyInfo, base64url; `null` for a passkey that the mock simulates. */
  readonly publicKey: string | null
  /** Signature counter of the authenticator; 0 if it has no counter. */
  counter: number
}

export interface SessionRecord {
  readonly id: string
  readonly idHash: string
  readonly token: string
  readonly userId: string
  readonly kind: 'user' | 'oauth2' | 'bot'
  readonly applicationId: string | null
  lastUsedAt: number
  /** `null` for never. */
  readonly expiresAt: number | null
  ip: string
  userAgent: string
}

export interface TicketRecord {
  readonly ticket: string
  readonly purpose: 'login' | 'password_reset' | 'elevation' | 'passwordless'
  /** `null` in a passwordless ceremony. */
  readonly userId: string | null
  readonly sessionId: string | null
  readonly loginInstanceId: string | null
  /** Reset token that the ticket belongs to. */
  readonly resetToken: string | null
  readonly undelete: boolean
  readonly challenge: string
  smsCode: string | null
  readonly expiresAt: number | null
}

/** Purpose of a token from a mail, an SMS or a seed function. */
export type GrantPurpose = 'reset' | 'one_time_login' | 'revert' | 'verification' | 'phone' | 'contact_sync'

export interface GrantRecord {
  readonly token: string
  readonly purpose: GrantPurpose
  readonly userId: string | null
  /** The phone number, the e-mail address to restore, or the IP address to authorize. */
  readonly subject: string | null
  readonly issuedAt: number
  readonly expiresAt: number | null
}

/** A code sent to a phone number for registration. */
export interface PhoneCodeRecord {
  readonly code: string
  readonly expiresAt: number | null
}

/** A sign-in handed off from one client to another. */
export interface HandoffRecord {
  readonly token: string
  readonly key: string
  readonly ip: string
  readonly userId: string
  readonly expiresAt: number | null
  consumed: boolean
}

export interface ElevationRecord {
  readonly userId: string
  readonly sessionId: string
  readonly expiresAt: number | null
}

export interface ApplicationRecord {
  readonly id: string
  readonly name: string
  readonly ownerId: string
  readonly memberIds: string[]
  readonly authorizedBy: string[]
  assets: OpenObject[]
  featured: boolean
}

export interface IdentityRecord {
  readonly applicationId: string
  readonly userId: string
  readonly externalUserId: string
  username: string | null
  metadata: string | null
  data: ProfileData | null
  dataTrusted: boolean
  connectionVisible: boolean
}

/** One side of a relationship, as `userId` sees it. */
export interface RelationshipRecord {
  readonly userId: string
  readonly targetId: string
  type: RelationshipType
  nickname: string | null
  ignored: boolean
  spam: boolean
  stranger: boolean
  originApplicationId: string | null
  since: number | null
  note: string | null
}

export interface GameRelationshipRecord {
  readonly userId: string
  readonly targetId: string
  readonly applicationId: string
  type: GameRelationshipType
  since: number
}

export interface SuggestionRecord {
  readonly suggestedId: string
  readonly reasons: FriendSuggestionReason[]
  readonly fromContacts: boolean
}

/** State of a service. Records contain only JSON values, because snapshots are JSON. */
export interface Database {
  random: RandomState
  users: Map<string, UserRecord>
  sessions: Map<string, SessionRecord>
  suspendedTokens: Map<string, string>
  tickets: Map<string, TicketRecord>
  elevations: Map<string, ElevationRecord>
  grants: Map<string, GrantRecord>
  handoffs: Map<string, HandoffRecord>
  phoneCodes: Map<string, PhoneCodeRecord>
  phoneBlacklist: Set<string>
  applications: Map<string, ApplicationRecord>
  identities: Map<string, IdentityRecord>
  widgets: Map<string, GameWidget[]>
  suggestedGames: Map<string, SuggestedGames>
  widgetConfigs: Map<string, WidgetConfig>
  layouts: Map<string, LayoutDefinition>
  relationships: Map<string, RelationshipRecord>
  gameRelationships: Map<string, GameRelationshipRecord>
  suggestions: Map<string, SuggestionRecord[]>
  mail: Message<MailKind>[]
  sms: Message<SmsKind>[]
}

export type IndexedDatabase = ReturnType<typeof indexDatabase>

/** Adds indexes to a database. Records keep their identity. */
export function indexDatabase(db: Database) {
  const userId = (record: { readonly userId: string | null }) => [record.userId]
  const sessionId = (record: { readonly sessionId: string | null }) => [record.sessionId]
  return {
    ...db,
    users: new Table(
      {
        email: ({ email }) => [email === null ? null : email.toLowerCase()],
        phone: ({ phone }) => [phone],
        username: ({ username }) => [username.toLowerCase()],
        botOf: ({ botOf }) => [botOf],
        passkey: ({ passkeys }) => passkeys.map(({ id }) => id),
      },
      db.users,
    ),
    sessions: new Table({ userId }, db.sessions),
    tickets: new Table({ userId, sessionId }, db.tickets),
    elevations: new Table({ sessionId }, db.elevations),
    grants: new Table({ userId }, db.grants),
    handoffs: new Table({ userId }, db.handoffs),
    identities: new Table({ userId }, db.identities),
    widgetConfigs: new Table({ applicationId: ({ application_id }) => [application_id] }, db.widgetConfigs),
    relationships: new Table({ userId }, db.relationships),
    gameRelationships: new Table({ userId }, db.gameRelationships),
  }
}

export function createDatabase(seed: number): Database {
  return {
    random: { state: seed | 0, ids: 0 },
    users: new Map(),
    sessions: new Map(),
    suspendedTokens: new Map(),
    tickets: new Map(),
    elevations: new Map(),
    grants: new Map(),
    handoffs: new Map(),
    phoneCodes: new Map(),
    phoneBlacklist: new Set(),
    applications: new Map(),
    identities: new Map(),
    widgets: new Map(),
    suggestedGames: new Map(),
    widgetConfigs: new Map(),
    layouts: defaultLayouts(),
    relationships: new Map(),
    gameRelationships: new Map(),
    suggestions: new Map(),
    mail: [],
    sms: [],
  }
}

/**
 * Returns a definition without components for each documented key, because the document shows only the structure of
 * definitions; `service.layouts.define` replaces them.
 */
function defaultLayouts(): Map<string, LayoutDefinition> {
  return new Map(
    Object.values(LayoutDefinitionKey).map((key) => [
      key,
      { key, surface: surfaceOf(key), display_name: titleOf(key), components: {} },
    ]),
  )
}

function surfaceOf(key: string): SurfaceType {
  return Object.values(SurfaceType).find((surface) => key.startsWith(surface)) ?? SurfaceType.widget_top
}

function titleOf(key: string): string {
  return key.charAt(0).toUpperCase() + key.slice(1).replaceAll('_', ' ')
}

/** Snapshot of an account for tests. */
export interface MockUser {
  /** ID of the user. */
  readonly id: string
  /** Unique name. */
  readonly username: string
  /** Distinguishes legacy users with the same name; `null` for migrated users. */
  readonly discriminator: string | null
  /** Display name; `null` if none. */
  readonly global_name: string | null
  /** E-mail address; `null` if none. */
  readonly email: string | null
  /** Phone number in E.164 form; `null` if none. */
  readonly phone: string | null
  /** Whether the account is active, and if not, why. */
  readonly status: AccountStatus
  /** Second factors of the account. */
  readonly mfa: readonly AuthenticatorType[]
  /** Language. */
  readonly locale: string
  /** Colour theme. */
  readonly theme: 'dark' | 'light'
  /** Invite accepted on registration; `null` if none. */
  readonly invite: string | null
  /** ID of the bot's application; `null` for other users. */
  readonly bot_of: string | null
}

/** A user, by record or by ID. */
export type UserRef = string | { readonly id: string }

export function viewOf(user: UserRecord): MockUser {
  return {
    id: user.id,
    username: user.username,
    discriminator: user.discriminator,
    global_name: user.globalName,
    email: user.email,
    phone: user.phone,
    status: user.status,
    mfa: [...user.factors],
    locale: user.locale,
    theme: user.theme,
    invite: user.invite,
    bot_of: user.botOf,
  }
}

/** Contents of each kind of message. */
export interface MessageContents {
  /** A mail or an SMS with a reset token. */
  password_reset: {
    /** Reset token. */
    readonly token: string
    /** One-time login token, if the reset can be skipped. */
    readonly ticket?: string
  }
  /** A mail to the previous address after a change of the e-mail address. */
  account_recovery: {
    /** Revert token. */
    readonly token: string
  }
  /** A mail about a login from a new IP address. */
  new_location: {
    /** Verification token that authorizes the IP address. */
    readonly token: string
  }
  /** An SMS to verify a phone number. */
  phone_verification: {
    /** Code to enter. */
    readonly code: string
  }
  /** An SMS with a second factor. */
  mfa: {
    /** Code to enter. */
    readonly code: string
  }
}

/** Kinds of mail. */
export type MailKind = 'password_reset' | 'account_recovery' | 'new_location'

/** Kinds of SMS. */
export type SmsKind = 'password_reset' | 'phone_verification' | 'mfa'

/** Common fields of all messages. */
export interface MessageHead<K> {
  /** E-mail address or phone number of the recipient. */
  readonly to: string
  /** Kind of message. */
  readonly kind: K
  /** Text that the user reads. */
  readonly text: string
  /** Time of sending, ISO 8601. */
  readonly at: string
}

/** A mail or SMS; `kind` discriminates its contents. */
export type Message<K extends keyof MessageContents = keyof MessageContents> = {
  [Kind in K]: MessageHead<Kind> & MessageContents[Kind]
}[K]

/** Listeners for messages. Not part of the state: they stay registered when a snapshot is restored. */
export interface OutboxListeners {
  readonly mail: Set<(message: Message<MailKind>) => void>
  readonly sms: Set<(message: Message<SmsKind>) => void>
}
