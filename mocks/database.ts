import { GameRelationshipType } from '../src/contract/game-relationships'
import { AuthenticatorType } from '../src/contract/mfa'
import type { ProfileData } from '../src/contract/profile-data'
import { FriendSuggestionReasonSchema, RelationshipType } from '../src/contract/relationships'
import {
  array,
  boolean,
  number as finite,
  integer,
  nullable,
  OpenObjectSchema,
  oneOf,
  readonlyArray,
  string,
  type ValueOfSchema,
} from '../src/contract/schema'
import type { LayoutDefinition, WidgetConfig } from '../src/contract/widget-configs'
import { LayoutDefinitionKey, SurfaceType } from '../src/contract/widget-configs'
import type { GameWidget } from '../src/contract/widgets'
import { SuggestedGamesSchema } from '../src/contract/widgets'
import type { RandomState } from './random'
import { literal, openObject, record, Table, type TableDefinition, table, timestamp, within } from './table'

/**
 * Status of an account; only `active` ones can sign in without further steps. A `locked` account needs a password
 * reset, which unlocks it (`state/sessions.ts`). The mock never locks an account by itself: tests do, with `users.lock`.
 */
export type AccountStatus = 'active' | 'disabled' | 'deletion_scheduled' | 'suspended' | 'locked'

const text = nullable(string)
const number = nullable(finite)

export type PasskeyRecord = ValueOfSchema<typeof PasskeyRecordSchema>
const PasskeyRecordSchema = record(
  {
    id: string,
    /** SubjectPublicKeyInfo, base64url; `null` for a passkey that the mock simulates. */
    publicKey: text,
  },
  {
    /** Signature counter of the authenticator; 0 if it has no counter. */
    counter: within(integer, 0, 2 ** 32 - 1),
  },
)

const userId = (of: { readonly userId: string | null }) => [of.userId]
const targetId = (of: { readonly targetId: string }) => [of.targetId]
const applicationId = (of: { readonly applicationId: string | null }) => [of.applicationId]
const sessionId = (of: { readonly sessionId: string | null }) => [of.sessionId]

/** The tables of a service. Records contain only JSON values, because snapshots are JSON. */
export const tables = {
  /** Accounts. Passwords are stored in plain text, because they are test data. */
  users: table(
    record(
      {
        id: string,
        username: string,
        /** `null` for a migrated user. */
        discriminator: text,
        email: text,
        phone: text,
        passkeys: readonlyArray(PasskeyRecordSchema),
        /** Application of the bot. */
        botOf: text,
      },
      {
        globalName: text,
        /** All numbers that the account has had; Revert Account blacklists them. */
        phoneHistory: array(string),
        password: text,
        locale: string,
        theme: literal('dark', 'light'),
        status: literal<AccountStatus>('active', 'disabled', 'deletion_scheduled', 'suspended', 'locked'),
        factors: array(oneOf(AuthenticatorType)),
        totpSecret: string,
        backupCodes: array(string),
        authorizedIps: array(string),
        invite: text,
      },
    ),
    {
      email: ({ email }) => [email === null ? null : email.toLowerCase()],
      phone: ({ phone }) => [phone],
      username: ({ username }) => [username.toLowerCase()],
      botOf: ({ botOf }) => [botOf],
      passkey: ({ passkeys }) => passkeys.map(({ id }) => id),
    },
  ),
  sessions: table(
    record(
      {
        id: string,
        idHash: string,
        token: string,
        userId: string,
        kind: literal('user', 'oauth2', 'bot'),
        applicationId: text,
        /** `null` for never. */
        expiresAt: number,
      },
      { lastUsedAt: timestamp, ip: string, userAgent: string },
    ),
    { userId, applicationId },
  ),
  /** IDs of users by token. */
  suspendedTokens: table(string, { userId: (id) => [id] }),
  tickets: table(
    record(
      {
        ticket: string,
        purpose: literal('login', 'password_reset', 'elevation', 'passwordless'),
        /** `null` in a passwordless ceremony. */
        userId: text,
        sessionId: text,
        loginInstanceId: text,
        /** Reset token that the ticket belongs to. */
        resetToken: text,
        undelete: boolean,
        challenge: string,
        expiresAt: number,
      },
      { smsCode: text },
    ),
    { userId, sessionId },
  ),
  elevations: table(record({ userId: string, sessionId: string, expiresAt: number }, {}), { userId, sessionId }),
  /** Tokens from a mail, an SMS or a seed function. */
  grants: table(
    record(
      {
        token: string,
        purpose: literal('reset', 'one_time_login', 'revert', 'verification', 'phone', 'contact_sync'),
        userId: text,
        /** The phone number, the e-mail address to restore, or the IP address to authorize. */
        subject: text,
        issuedAt: timestamp,
        expiresAt: number,
      },
      {},
    ),
    { userId },
  ),
  /** Sign-ins handed off from one client to another. */
  handoffs: table(
    record({ token: string, key: string, ip: string, userId: string, expiresAt: number }, { consumed: boolean }),
    { userId },
  ),
  /** Codes sent for registration, by phone number. */
  phoneCodes: table(record({ code: string, expiresAt: number }, {})),
  applications: table(
    record(
      { id: string, name: string, ownerId: string, memberIds: array(string), authorizedBy: array(string) },
      { assets: array(OpenObjectSchema), featured: boolean },
    ),
    { ownerId: ({ ownerId }) => [ownerId] },
  ),
  identities: table(
    record(
      { applicationId: string, userId: string, externalUserId: string },
      {
        username: text,
        metadata: text,
        data: nullable(openObject<ProfileData>()),
        dataTrusted: boolean,
        connectionVisible: boolean,
      },
    ),
    { userId, applicationId },
  ),
  widgets: table(array(openObject<GameWidget>())),
  suggestedGames: table(SuggestedGamesSchema),
  widgetConfigs: table(openObject<WidgetConfig>(), { applicationId: ({ application_id }) => [application_id] }),
  layouts: table(openObject<LayoutDefinition>()),
  /** One side of each relationship, as `userId` sees it. */
  relationships: table(
    record(
      { userId: string, targetId: string },
      {
        type: oneOf(RelationshipType),
        nickname: text,
        ignored: boolean,
        spam: boolean,
        stranger: boolean,
        originApplicationId: text,
        since: nullable(timestamp),
        note: text,
      },
    ),
    { userId, targetId },
  ),
  gameRelationships: table(
    record(
      { userId: string, targetId: string, applicationId: string },
      { type: oneOf(GameRelationshipType), since: timestamp },
    ),
    { userId, targetId, applicationId },
  ),
  suggestions: table(
    array(record({ suggestedId: string, reasons: array(FriendSuggestionReasonSchema), fromContacts: boolean }, {})),
    { suggestedId: (all) => all.map(({ suggestedId }) => suggestedId) },
  ),
}

type Tables = {
  readonly [N in keyof typeof tables]: (typeof tables)[N] extends TableDefinition<
    infer T extends object | string,
    infer Index
  >
    ? Table<T, Index>
    : never
}
type RecordOf<N extends keyof Tables> = Tables[N] extends Table<infer T, never> ? T : never

export type UserRecord = RecordOf<'users'>
export type SessionRecord = RecordOf<'sessions'>
export type TicketRecord = RecordOf<'tickets'>
export type GrantRecord = RecordOf<'grants'>
export type ApplicationRecord = RecordOf<'applications'>
export type IdentityRecord = RecordOf<'identities'>
export type RelationshipRecord = RecordOf<'relationships'>
export type GameRelationshipRecord = RecordOf<'gameRelationships'>

/** State of a service. */
export interface Database extends Tables {
  readonly random: RandomState
  readonly phoneBlacklist: Set<string>
  readonly mail: Mail[]
  readonly sms: Message<SmsKind>[]
}

/** A {@link Database} as plain JSON: maps are arrays of pairs, and sets are arrays. */
export type SavedDatabase = {
  readonly [N in keyof Database]: Database[N] extends ReadonlyMap<string, infer T>
    ? readonly (readonly [string, T])[]
    : Database[N] extends ReadonlySet<infer T>
      ? readonly T[]
      : Database[N]
}

/** Restores a saved database. It takes ownership of the records, so pass a copy. */
export function loadDatabase({ random, phoneBlacklist, mail, sms, ...saved }: SavedDatabase): Database {
  return { random, phoneBlacklist: new Set(phoneBlacklist), mail, sms, ...createTables(saved) }
}

export function createDatabase(seed: number): Database {
  const tables = createTables({ layouts: defaultLayouts() })
  return { random: { state: seed | 0, ids: 0 }, phoneBlacklist: new Set(), mail: [], sms: [], ...tables }
}

type Saved = Readonly<Record<string, readonly (readonly [string, unknown])[]>>

function createTables(saved: Saved): Tables {
  const entries = Object.entries<Pick<TableDefinition<never, string>, 'indexes'>>(tables).map(([name, { indexes }]) => {
    // The records of a snapshot were validated.
    return [name, new Table<never, string>(indexes, saved[name] as readonly (readonly [string, never])[])] as const
  })
  // `Object.fromEntries` loses the names.
  return Object.fromEntries(entries) as unknown as Tables
}

/**
 * Returns a definition without components for each documented key, because the document shows only the structure of
 * definitions; `service.layouts.define` replaces them.
 */
function defaultLayouts(): [string, LayoutDefinition][] {
  return Object.values(LayoutDefinitionKey).map((key) => [
    key,
    { key, surface: surfaceOf(key), display_name: titleOf(key), components: {} },
  ])
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
  /** ID; that of a later message is a larger number. */
  readonly id: string
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

/** What a mail has in addition to a {@link Message}. */
export interface MailParts {
  /** Subject. */
  readonly subject: string
  /** The text and a link to `link`, as HTML. */
  readonly html: string
  /** Page of the app with the contents, such as `token`, as query parameters; `links` of the policy changes its address. */
  readonly link: string
}

/** A mail; `kind` discriminates its contents. */
export type Mail<K extends MailKind = MailKind> = Message<K> & MailParts
