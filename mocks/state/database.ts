import type { FriendSuggestionReason } from '../../src/contract/friend-suggestions'
import type { GameRelationshipType } from '../../src/contract/game-relationships'
import type { AuthenticatorType } from '../../src/contract/mfa'
import type { ProfileData } from '../../src/contract/profile-data'
import type { RelationshipType } from '../../src/contract/relationships'
import type { OpenObject } from '../../src/contract/schema'
import type { LayoutDefinition, WidgetConfig } from '../../src/contract/widget-configs'
import type { GameWidget, SuggestedGames } from '../../src/contract/widgets'
import type { MailKind, Message, SmsKind } from '../outbox'
import type { RandomState } from '../random'
import { defaultLayouts } from './default-layouts'
import { Table } from './table'

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
