import type { FriendSuggestionReason } from '../src/contract/friend-suggestions'
import type { GameRelationshipType } from '../src/contract/game-relationships'
import type { AuthenticatorType } from '../src/contract/mfa'
import type { ProfileData } from '../src/contract/profile-data'
import type { RelationshipType } from '../src/contract/relationships'
import type { OpenObject } from '../src/contract/schema'
import type { LayoutDefinition, WidgetConfig } from '../src/contract/widget-configs'
import { LayoutDefinitionKey, SurfaceType } from '../src/contract/widget-surfaces'
import type { GameWidget, SuggestedGames } from '../src/contract/widgets'
import type { RandomState } from './random'
import { Table } from './table'

/**
 * A definition for each documented key. The document shows the form of a definition and no definition, so these have
 * no components; `service.layouts.define` adds what a test needs.
 */
export function defaultLayouts(): Map<string, LayoutDefinition> {
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

/** Whether an account may be entered. */
export type AccountStatus = 'active' | 'disabled' | 'deletion_scheduled' | 'suspended' | 'locked'

/** An account. A mock keeps passwords as they are: none of them is anyone's. */
export interface UserRecord {
  readonly id: string
  readonly username: string
  /** `null` of a migrated user. */
  readonly discriminator: string | null
  globalName: string | null
  readonly email: string | null
  readonly phone: string | null
  /** Every number that was ever tied to the account; Revert Account blacklists them. */
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
  /** The application whose bot this is. */
  readonly botOf: string | null
}

/** A passkey of an account. */
export interface PasskeyRecord {
  readonly id: string
  /** SubjectPublicKeyInfo, base64url; `null` of a passkey that the mock itself answers for. */
  readonly publicKey: string | null
  /** How often the authenticator says it has signed; 0 where it does not count. */
  counter: number
}

/** A session and the one token that it belongs to. */
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

/** A ceremony that waits for a second factor or a passkey. */
export interface TicketRecord {
  readonly ticket: string
  readonly purpose: 'login' | 'password_reset' | 'elevation' | 'passwordless'
  /** Unknown until a passkey tells, in a passwordless ceremony. */
  readonly userId: string | null
  readonly sessionId: string | null
  readonly loginInstanceId: string | null
  /** The reset token that the ticket was given for. */
  readonly resetToken: string | null
  readonly undelete: boolean
  readonly challenge: string
  smsCode: string | null
  readonly expiresAt: number | null
}

/** What a token from a mail, an SMS or a door of the mock is good for. */
export type GrantPurpose = 'reset' | 'one_time_login' | 'revert' | 'verification' | 'phone' | 'contact_sync'

/** A token that stands for something its bearer has proved. */
export interface GrantRecord {
  readonly token: string
  readonly purpose: GrantPurpose
  readonly userId: string | null
  /** What was proved: the phone number, the address to restore, or the IP address to authorize. */
  readonly subject: string | null
  readonly issuedAt: number
  readonly expiresAt: number | null
}

/** A code that was sent to a phone number which is being registered. */
export interface PhoneCodeRecord {
  readonly code: string
  readonly expiresAt: number | null
}

/** A sign-in that is handed from one client to another. */
export interface HandoffRecord {
  readonly token: string
  readonly key: string
  readonly ip: string
  readonly userId: string
  readonly expiresAt: number | null
  consumed: boolean
}

/** A verified second factor. */
export interface ElevationRecord {
  readonly userId: string
  readonly sessionId: string
  readonly expiresAt: number | null
}

/** An application. */
export interface ApplicationRecord {
  readonly id: string
  readonly name: string
  readonly ownerId: string
  readonly memberIds: string[]
  readonly authorizedBy: string[]
  assets: OpenObject[]
  featured: boolean
}

/** An account of a user in an application. */
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

/** One side of a relationship: what `userId` sees of `targetId`. */
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

/** One side of a game relationship. */
export interface GameRelationshipRecord {
  readonly userId: string
  readonly targetId: string
  readonly applicationId: string
  type: GameRelationshipType
  since: number
}

/** A suggested friend. */
export interface SuggestionRecord {
  readonly suggestedId: string
  readonly reasons: FriendSuggestionReason[]
  readonly fromContacts: boolean
}

/** Everything that the service knows. Its records hold what JSON can carry and nothing else: snapshots are JSON. */
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

/** A database as the service works with it: what is looked up by more than its key is indexed. */
export type IndexedDatabase = ReturnType<typeof indexDatabase>

/** Indexes a database. Its records stay the same objects. */
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

/** A service that nobody has used yet. */
export function emptyDatabase(seed: number): Database {
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

/** An account as tests see it: how it stood when it was asked for. */
export interface MockUser {
  /** ID of the user. */
  readonly id: string
  /** Unique name. */
  readonly username: string
  /** What a legacy user is told from others of the name by; `null` for migrated users. */
  readonly discriminator: string | null
  /** Display name; `null` when none. */
  readonly global_name: string | null
  /** E-mail address; `null` when none. */
  readonly email: string | null
  /** Phone number in E.164 form; `null` when none. */
  readonly phone: string | null
  /** Whether the account may be entered, and if not, why. */
  readonly status: AccountStatus
  /** The second factors that the account has set up. */
  readonly mfa: readonly AuthenticatorType[]
  /** Language that the user chose. */
  readonly locale: string
  /** Colour theme. */
  readonly theme: 'dark' | 'light'
  /** The invite that was accepted upon registration; `null` when none. */
  readonly invite: string | null
  /** The application whose bot this is; `null` for people. */
  readonly bot_of: string | null
}

/** A user, by record or by ID. */
export type UserRef = string | { readonly id: string }

/** What tests and the policy see of an account. */
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

/** What each kind of message carries. */
export interface MessageContents {
  /** A mail or an SMS with a reset token. */
  password_reset: {
    /** The reset token. */
    readonly token: string
    /** The one-time login token, where the reset may be skipped. */
    readonly ticket?: string
  }
  /** A mail to the former address of an account whose address was changed. */
  account_recovery: {
    /** The revert token. */
    readonly token: string
  }
  /** A mail about a login from somewhere new. */
  new_location: {
    /** The verification token that authorizes the address. */
    readonly token: string
  }
  /** An SMS to a phone number that is being registered. */
  phone_verification: {
    /** The code to type in. */
    readonly code: string
  }
  /** An SMS with a second factor. */
  mfa: {
    /** The code to type in. */
    readonly code: string
  }
}

/** The kinds of message that go out by mail. */
export type MailKind = 'password_reset' | 'account_recovery' | 'new_location'

/** The kinds of message that go out by SMS. */
export type SmsKind = 'password_reset' | 'phone_verification' | 'mfa'

/** What every message has. */
export interface MessageHead<K> {
  /** The e-mail address or the phone number that it went to. */
  readonly to: string
  /** What it is about. */
  readonly kind: K
  /** What the user reads. */
  readonly text: string
  /** When it was sent, an ISO 8601 timestamp. */
  readonly at: string
}

/** Something that the service sent; `kind` tells what it carries. */
export type Message<K extends keyof MessageContents = keyof MessageContents> = {
  [Kind in K]: MessageHead<Kind> & MessageContents[Kind]
}[K]

/** Those who are told of messages. It is no part of the state: a restored service tells the same ones. */
export interface OutboxListeners {
  readonly mail: Set<(message: Message<MailKind>) => void>
  readonly sms: Set<(message: Message<SmsKind>) => void>
}
