import * as z from 'zod/mini'
import { check, kindOf } from '../src/contract/check'
import { FriendSuggestionReasonSchema } from '../src/contract/friend-suggestions'
import { formatIssues } from '../src/contract/issue'
import { AuthenticatorType } from '../src/contract/mfa'
import { rule } from '../src/contract/rules'
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
  unchecked,
} from '../src/contract/schema'
import { SuggestedGamesSchema } from '../src/contract/widgets'
import { LAST_MOMENT } from './clock'
import type { Database, Message } from './database'
import { assertFault, type Fault, type PendingFault } from './faults'
import type { GatewayEffect, PendingGatewayFault } from './gateway/fault-queue'
import type { GatewaySnapshot } from './gateway/gateway'
import { fitsCloseFrame, type GatewayJournalEntry, isCloseCode } from './gateway/hub'
import type { JournalEntry } from './journal'
import { type EndpointName, type EndpointSelector, selectionOf } from './router'

type Saved<T> = T extends Map<infer K, infer V> ? [K, V][] : T extends Set<infer V> ? V[] : T

/** A {@link Database} as plain JSON: maps are lists of pairs, and sets are lists. */
export type SavedDatabase = { readonly [Table in keyof Database]: Saved<Database[Table]> }

/** Returns a value as it is after it has been through JSON; maps are lists of pairs then, and sets are lists. */
export function plain<T>(value: object): T {
  const stringSchema = JSON.stringify(value, (_, part) =>
    part instanceof Map || part instanceof Set ? [...part] : part,
  )
  return JSON.parse(stringSchema)
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

const stringSchema = nullable(string)
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
      discriminator: stringSchema,
      globalName: stringSchema,
      email: stringSchema,
      phone: stringSchema,
      phoneHistory: listOf(string),
      password: stringSchema,
      locale: string,
      theme: literal('dark', 'light'),
      status: literal('active', 'disabled', 'deletion_scheduled', 'suspended', 'locked'),
      factors: listOf(oneOf(AuthenticatorType)),
      totpSecret: string,
      backupCodes: listOf(string),
      passkeys: readonlyListOf(
        request<RecordOf<'users'>['passkeys'][number]>()({ id: string, publicKey: stringSchema, counter: integer }),
      ),
      authorizedIps: listOf(string),
      invite: stringSchema,
      botOf: stringSchema,
    }),
  ),
  sessions: table(
    request<RecordOf<'sessions'>>()({
      id: string,
      idHash: string,
      token: string,
      userId: string,
      kind: literal('user', 'oauth2', 'bot'),
      applicationId: stringSchema,
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
      userId: stringSchema,
      sessionId: stringSchema,
      loginInstanceId: stringSchema,
      resetToken: stringSchema,
      undelete: boolean,
      challenge: string,
      smsCode: stringSchema,
      expiresAt: time,
    }),
  ),
  elevations: table(request<RecordOf<'elevations'>>()({ userId: string, sessionId: string, expiresAt: time })),
  grants: table(
    request<RecordOf<'grants'>>()({
      token: string,
      purpose: literal('reset', 'one_time_login', 'revert', 'verification', 'phone', 'contact_sync'),
      userId: stringSchema,
      subject: stringSchema,
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
      username: stringSchema,
      metadata: stringSchema,
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
      nickname: stringSchema,
      ignored: boolean,
      spam: boolean,
      stranger: boolean,
      originApplicationId: stringSchema,
      since: nullable(number),
      note: stringSchema,
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

/** Goes up when a snapshot of before can no longer be read. */
export const SNAPSHOT_VERSION = 1

/**
 * A service at one moment, as plain JSON: write it to a file, and restore it in another process. What is in it, apart
 * from the version, is the service's own business.
 */
export interface MockSnapshot {
  /** Version of the format; a service restores snapshots of its own version only. */
  readonly version: typeof SNAPSHOT_VERSION
  /** Everything the service knew, passwords and tokens included. */
  readonly database: SavedDatabase
  /** How far its clock had been advanced, in milliseconds. */
  readonly offset: number
  /** The faults that were set, with the times that each had left. */
  readonly faults: readonly PendingFault[]
  /** The requests that it had received. */
  readonly journal: readonly JournalEntry[]
  /** The gateway's faults and its journal. */
  readonly gateway: GatewaySnapshot
}

const text = nullable(string)
const times = nullable(number)

type Drop = Extract<GatewayEffect, { kind: 'drop' }>
type Invalid = Extract<GatewayEffect, { kind: 'invalid_session' }>

/** An effect that could not happen would throw once it is due. */
const DropSchema = rule(
  request<Drop>()({ kind: literal('drop'), code: integer, reason: string }),
  function* ({ code, reason }) {
    const issue = { code: 'invalid_value', message: 'no server can close with this code and reason' } as const
    if (!isCloseCode(code) || !fitsCloseFrame(reason)) yield issue
  },
)
const EffectSchema: Schema<GatewayEffect> = z.union([
  request<Exclude<GatewayEffect, Drop | Invalid>>()({
    kind: literal('refuse', 'freeze', 'reconnect', 'duplicate'),
  }),
  request<Invalid>()({
    kind: literal('invalid_session'),
    resumable: boolean,
  }),
  DropSchema,
])

const SnapshotSchema = request<MockSnapshot>()({
  version: literal(SNAPSHOT_VERSION),
  database: SavedDatabaseSchema,
  offset: rule(number, function* (offset) {
    if (offset < 0) yield { code: 'invalid_value', message: 'a clock only moves forward' }
    if (offset > LAST_MOMENT) yield { code: 'invalid_value', message: 'past the end of the year 9999' }
  }),
  faults: readonlyListOf(
    request<PendingFault>()({
      id: integer,
      // Checked further below, as when a fault is set.
      selector: string as unknown as Schema<EndpointSelector>,
      fault: unchecked<Fault>(),
      left: times,
    }),
  ),
  journal: readonlyListOf(
    request<JournalEntry>()({
      endpoint: nullable(open<EndpointName>('string')),
      method: string,
      path: string,
      status: nullable(integer),
      user: text,
      params: unchecked<unknown>(),
      at: string,
    }),
  ),
  gateway: request<GatewaySnapshot>()({
    faults: readonlyListOf(
      request<PendingGatewayFault>()({
        id: integer,
        effect: EffectSchema,
        at: readonlyListOf(literal('connect', 'identify', 'resume', 'event')),
        user: text,
        left: times,
      }),
    ),
    journal: readonlyListOf(
      request<GatewayJournalEntry>()({
        op: literal('identify', 'resume'),
        user: text,
        session: text,
        outcome: literal('ready', 'resumed', 'invalid_session', 'closed', 'fault'),
        at: string,
      }),
    ),
  }),
})

/** Enough to see what is wrong. */
const MAX_ISSUES = 5

/**
 * Returns a copy of what was given if it is a snapshot of this version. Messages show no value: most are secrets.
 * @throws TypeError that says what is wrong.
 */
export function readSnapshot(given: unknown): MockSnapshot {
  const snapshot = plainCopy(given)
  if (snapshot.version !== SNAPSHOT_VERSION) {
    const found = typeof snapshot.version === 'number' ? `is of version ${snapshot.version}` : 'has no version'
    throw mistake(`the snapshot ${found}, this service reads version ${SNAPSHOT_VERSION}`)
  }
  const issues = check(SnapshotSchema, snapshot, { showValues: false })
  if (issues.length > 0) throw mistake(`this is no snapshot:\n${formatIssues(issues.slice(0, MAX_ISSUES))}`)
  for (const [index, { selector, fault }] of snapshot.faults.entries()) {
    try {
      selectionOf(selector)
      assertFault(fault)
    } catch (error) {
      throw mistake(`faults[${index}]: ${error instanceof Error ? error.message : error}`)
    }
  }
  return snapshot
}

function plainCopy(given: unknown): MockSnapshot {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw mistake(
      `expected a snapshot, got ${kindOf(given)}${typeof given === 'string' ? '; parse the JSON first' : ''}`,
    )
  }
  try {
    return JSON.parse(JSON.stringify(given))
  } catch {
    throw mistake('expected a snapshot, which is plain JSON, got what JSON cannot carry')
  }
}

const mistake = (problem: string) => new TypeError(`service.restore: ${problem}`)
