import * as z from 'zod/mini'
import { FriendSuggestionReasonSchema } from '../../src/contract/friend-suggestions'
import { AuthenticatorType } from '../../src/contract/mfa'
import {
  boolean,
  integer,
  listOf,
  nullable,
  number,
  OpenObjectSchema,
  object,
  oneOf,
  open,
  request,
  type Schema,
  string,
} from '../../src/contract/schema'
import { SuggestedGamesSchema } from '../../src/contract/widgets'
import type { Message } from '../outbox'
import type { Database } from './database'

type Saved<T> = T extends Map<infer K, infer V> ? [K, V][] : T extends Set<infer V> ? V[] : T

/** A {@link Database} as plain JSON: maps are lists of pairs, and sets are lists. */
export type SavedDatabase = { readonly [Table in keyof Database]: Saved<Database[Table]> }

/** Returns a value as it is after it has been through JSON; maps are lists of pairs then, and sets are lists. */
export function plain<T>(value: object): T {
  const text = JSON.stringify(value, (_, part) => (part instanceof Map || part instanceof Set ? [...part] : part))
  return JSON.parse(text)
}

/** Returns the database that was saved. It takes over the records, so they are to be a copy. */
export function loadDatabase(saved: SavedDatabase): Database {
  return {
    random: saved.random,
    users: new Map(saved.users),
    sessions: new Map(saved.sessions),
    suspendedTokens: new Map(saved.suspendedTokens),
    tickets: new Map(saved.tickets),
    elevations: new Map(saved.elevations),
    grants: new Map(saved.grants),
    handoffs: new Map(saved.handoffs),
    phoneCodes: new Map(saved.phoneCodes),
    phoneBlacklist: new Set(saved.phoneBlacklist),
    applications: new Map(saved.applications),
    identities: new Map(saved.identities),
    widgets: new Map(saved.widgets),
    suggestedGames: new Map(saved.suggestedGames),
    widgetConfigs: new Map(saved.widgetConfigs),
    layouts: new Map(saved.layouts),
    relationships: new Map(saved.relationships),
    gameRelationships: new Map(saved.gameRelationships),
    suggestions: new Map(saved.suggestions),
    mail: saved.mail,
    sms: saved.sms,
  }
}

type RecordOf<Table extends keyof Database> = Database[Table] extends Map<string, infer V> ? V : never

/** One of some values. */
export const literal = <const V extends string | number>(...values: V[]): Schema<V> =>
  oneOf(Object.fromEntries(values.map((value) => [value, value])))

/** A list of any length that nobody changes. */
export const readonlyListOf = <T>(item: Schema<T>): Schema<readonly T[]> =>
  listOf(item) as unknown as Schema<readonly T[]>

const text = nullable(string)
const time = nullable(number)
const table = <T>(record: Schema<T>): Schema<[string, T][]> => listOf(z.tuple([string, record]))
/** What tests seed, or the contract has checked already. Its answers are checked again before they leave. */
const anObject = <T>() => OpenObjectSchema as unknown as Schema<T>
const message = <T extends Message>() =>
  object<Pick<Message, 'to' | 'kind' | 'text' | 'at'>>()({
    to: string,
    kind: open('string'),
    text: string,
    at: string,
  }) as unknown as Schema<T>

/** Ties each field of each record to its type: one that is missing or mistyped here does not compile. */
export const SavedDatabaseSchema: Schema<SavedDatabase> = request<SavedDatabase>()({
  random: request<SavedDatabase['random']>()({ state: integer, ids: integer }),
  users: table(
    request<RecordOf<'users'>>()({
      id: string,
      username: string,
      discriminator: text,
      globalName: text,
      email: text,
      phone: text,
      phoneHistory: listOf(string),
      password: text,
      locale: string,
      theme: literal('dark', 'light'),
      status: literal('active', 'disabled', 'deletion_scheduled', 'suspended', 'locked'),
      factors: listOf(oneOf(AuthenticatorType)),
      totpSecret: string,
      backupCodes: listOf(string),
      passkeys: readonlyListOf(
        request<RecordOf<'users'>['passkeys'][number]>()({ id: string, publicKey: text, counter: integer }),
      ),
      authorizedIps: listOf(string),
      invite: text,
      botOf: text,
    }),
  ),
  sessions: table(
    request<RecordOf<'sessions'>>()({
      id: string,
      idHash: string,
      token: string,
      userId: string,
      kind: literal('user', 'oauth2', 'bot'),
      applicationId: text,
      lastUsedAt: number,
      expiresAt: time,
      ip: string,
      userAgent: string,
    }),
  ),
  suspendedTokens: table(string),
  tickets: table(
    request<RecordOf<'tickets'>>()({
      ticket: string,
      purpose: literal('login', 'password_reset', 'elevation', 'passwordless'),
      userId: text,
      sessionId: text,
      loginInstanceId: text,
      resetToken: text,
      undelete: boolean,
      challenge: string,
      smsCode: text,
      expiresAt: time,
    }),
  ),
  elevations: table(request<RecordOf<'elevations'>>()({ userId: string, sessionId: string, expiresAt: time })),
  grants: table(
    request<RecordOf<'grants'>>()({
      token: string,
      purpose: literal('reset', 'one_time_login', 'revert', 'verification', 'phone', 'contact_sync'),
      userId: text,
      subject: text,
      issuedAt: number,
      expiresAt: time,
    }),
  ),
  handoffs: table(
    request<RecordOf<'handoffs'>>()({
      token: string,
      key: string,
      ip: string,
      userId: string,
      expiresAt: time,
      consumed: boolean,
    }),
  ),
  phoneCodes: table(request<RecordOf<'phoneCodes'>>()({ code: string, expiresAt: time })),
  phoneBlacklist: listOf(string),
  applications: table(
    request<RecordOf<'applications'>>()({
      id: string,
      name: string,
      ownerId: string,
      memberIds: listOf(string),
      authorizedBy: listOf(string),
      assets: listOf(OpenObjectSchema),
      featured: boolean,
    }),
  ),
  identities: table(
    request<RecordOf<'identities'>>()({
      applicationId: string,
      userId: string,
      externalUserId: string,
      username: text,
      metadata: text,
      data: nullable(anObject()),
      dataTrusted: boolean,
      connectionVisible: boolean,
    }),
  ),
  widgets: table(listOf(anObject())),
  suggestedGames: table(SuggestedGamesSchema),
  widgetConfigs: table(anObject()),
  layouts: table(anObject()),
  relationships: table(
    request<RecordOf<'relationships'>>()({
      userId: string,
      targetId: string,
      type: literal(0, 1, 2, 3, 4, 5),
      nickname: text,
      ignored: boolean,
      spam: boolean,
      stranger: boolean,
      originApplicationId: text,
      since: nullable(number),
      note: text,
    }),
  ),
  gameRelationships: table(
    request<RecordOf<'gameRelationships'>>()({
      userId: string,
      targetId: string,
      applicationId: string,
      type: literal(1, 3, 4),
      since: number,
    }),
  ),
  suggestions: table(
    listOf(
      request<RecordOf<'suggestions'>[number]>()({
        suggestedId: string,
        reasons: listOf(FriendSuggestionReasonSchema),
        fromContacts: boolean,
      }),
    ),
  ),
  mail: listOf(message()),
  sms: listOf(message()),
})
