import type { AuthenticatorType } from '../src/contract/mfa'
import type { LayoutDefinition } from '../src/contract/widget-configs'
import { LayoutDefinitionKey, SurfaceType } from '../src/contract/widget-configs'
import type { RandomState } from './random'
import type { KnownSecrets } from './redaction/redaction'
import { type AccountStatus, Table, type TableDefinition, tables } from './table'

type Tables = {
  readonly [N in keyof typeof tables]: (typeof tables)[N] extends TableDefinition<
    infer T extends object | string,
    infer Index
  >
    ? Table<T, Index>
    : never
}
type RecordOf<N extends keyof Tables> = Tables[N] extends Table<infer T, never> ? T : never

/** Whether a snapshot can have a key. */
export const isKey = (key: string): boolean => key !== '' && key !== '__proto__'

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
export function loadDatabase(saved: SavedDatabase, known: KnownSecrets): Database {
  const { random, phoneBlacklist, mail, sms, ...records } = saved
  return { random, phoneBlacklist: new Set(phoneBlacklist), mail, sms, ...createTables(records, known) }
}

/** Ends the secrets of a database that is no longer used. */
export function releaseDatabase(db: Database): void {
  for (const part of Object.values(db)) if (part instanceof Table) part.forgetSecrets()
}

export function createDatabase(seed: number, known: KnownSecrets): Database {
  const tables = createTables({ layouts: defaultLayouts() }, known)
  return { random: { state: seed | 0, ids: 0 }, phoneBlacklist: new Set(), mail: [], sms: [], ...tables }
}

type Saved = Readonly<Record<string, readonly (readonly [string, unknown])[]>>

function createTables(saved: Saved, known: KnownSecrets): Tables {
  const definitions = Object.entries<Omit<TableDefinition<never, string>, 'schema' | 'keyOf'>>(tables)
  const entries = definitions.map(([name, definition]) => {
    // The records of a snapshot were validated.
    const records = saved[name] as readonly (readonly [string, never])[]
    return [name, new Table<never, string>(definition, records, known)] as const
  })
  // `Object.fromEntries` loses the names.
  return Object.fromEntries(entries) as unknown as Tables
}

/**
 * Returns a definition without components for each documented key, because the document shows only the structure of
 * definitions; `service.layouts.define` replaces them.
 */
function defaultLayouts(): [string, LayoutDefinition][] {
  return Object.values(LayoutDefinitionKey).map((key) => {
    const surface = Object.values(SurfaceType).find((one) => key.startsWith(one)) ?? SurfaceType.widget_top
    const display_name = key.charAt(0).toUpperCase() + key.slice(1).replaceAll('_', ' ')
    return [key, { key, surface, display_name, components: {} }]
  })
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
  /** ID of the bot's application; `null` for other users. */
  readonly bot_of: string | null
}

/** A user, by record or by ID. */
export type UserRef = string | { readonly id: string }

export function viewOf(user: UserRecord): MockUser {
  // One literal: a spread takes a hundred times as long, and this is done for each request.
  return {
    id: user.id,
    username: user.username,
    discriminator: user.discriminator,
    global_name: user.global_name,
    email: user.email,
    phone: user.phone,
    status: user.status,
    mfa: [...user.mfa],
    locale: user.locale,
    theme: user.theme,
    bot_of: user.bot_of,
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
