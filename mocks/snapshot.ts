import { FriendSuggestionReasonSchema } from '../src/contract/friend-suggestions'
import { AuthenticatorType } from '../src/contract/mfa'
import {
  array,
  boolean,
  integer,
  looseObject,
  nullable,
  number,
  OpenObjectSchema,
  oneOf,
  open,
  optional,
  readonlyArray,
  refine,
  type Schema,
  strictObject,
  string,
  unchecked,
  union,
} from '../src/contract/schema'
import { check } from '../src/contract/validate'
import { SuggestedGamesSchema } from '../src/contract/widgets'
import { formatIssues } from '../src/internal/issue'
import { describeType } from '../src/internal/json'
import { MAX_TIMESTAMP } from './clock'
import type { Database, Message } from './database'
import { assertFault, type Fault, type PendingFault } from './faults'
import type { GatewayEffect, PendingGatewayFault } from './gateway/connection'
import type { GatewaySnapshot } from './gateway/gateway'
import { type GatewayJournalEntry, isCloseCode, isValidCloseReason } from './gateway/hub'
import type { JournalEntry } from './journal'
import { type EndpointName, type EndpointSelector, matcherOf } from './router'

type Saved<T> = T extends Map<infer K, infer V> ? [K, V][] : T extends Set<infer V> ? V[] : T

/** A {@link Database} as plain JSON: maps are arrays of pairs, and sets are arrays. */
export type SavedDatabase = { readonly [Table in keyof Database]: Saved<Database[Table]> }

/** Copies a value through JSON; maps become arrays of pairs, and sets become arrays. */
export function toPlainJson<T>(value: object): T {
  return JSON.parse(JSON.stringify(value, (_, part) => (part instanceof Map || part instanceof Set ? [...part] : part)))
}

/** Restores a saved database. It takes ownership of the records, so pass a copy. */
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

const literal = <const V extends string | number>(...values: V[]): Schema<V> =>
  oneOf(Object.fromEntries(values.map((value) => [value, value])))

const nullableString = nullable(string)
const nullableNumber = nullable(number)
const table = <T>(record: Schema<T>): Schema<[string, T][]> =>
  array(
    refine(unchecked<[string, T]>(), function* (pair) {
      if (!Array.isArray(pair) || pair.length !== 2 || typeof pair[0] !== 'string')
        yield { code: 'invalid_type', message: 'expected an array of a key and a record' }
      else
        for (const issue of check(record, pair[1], { showValues: false })) yield { ...issue, path: [1, ...issue.path] }
    }),
  )
/** Schema of objects that the contract has validated already; responses are validated again. */
const openObject = <T>() => OpenObjectSchema as unknown as Schema<T>
/** Schema of messages of all kinds; the contents of a kind are not validated, so the type is wider. */
const message = <T extends Message>() =>
  looseObject<Pick<Message, 'to' | 'kind' | 'text' | 'at'>>()({
    to: string,
    kind: open('string'),
    text: string,
    at: string,
  }) as unknown as Schema<T>

/** Schema of {@link SavedDatabase}: a missing or mistyped field does not compile. */
export const SavedDatabaseSchema: Schema<SavedDatabase> = strictObject<SavedDatabase>()({
  random: strictObject<SavedDatabase['random']>()({ state: integer, ids: integer }),
  users: table(
    strictObject<RecordOf<'users'>>()({
      id: string,
      username: string,
      discriminator: nullableString,
      globalName: nullableString,
      email: nullableString,
      phone: nullableString,
      phoneHistory: array(string),
      password: nullableString,
      locale: string,
      theme: literal('dark', 'light'),
      status: literal('active', 'disabled', 'deletion_scheduled', 'suspended', 'locked'),
      factors: array(oneOf(AuthenticatorType)),
      totpSecret: string,
      backupCodes: array(string),
      passkeys: readonlyArray(
        strictObject<RecordOf<'users'>['passkeys'][number]>()({
          id: string,
          publicKey: nullableString,
          counter: integer,
        }),
      ),
      authorizedIps: array(string),
      invite: nullableString,
      botOf: nullableString,
    }),
  ),
  sessions: table(
    strictObject<RecordOf<'sessions'>>()({
      id: string,
      idHash: string,
      token: string,
      userId: string,
      kind: literal('user', 'oauth2', 'bot'),
      applicationId: nullableString,
      lastUsedAt: number,
      expiresAt: nullableNumber,
      ip: string,
      userAgent: string,
    }),
  ),
  suspendedTokens: table(string),
  tickets: table(
    strictObject<RecordOf<'tickets'>>()({
      ticket: string,
      purpose: literal('login', 'password_reset', 'elevation', 'passwordless'),
      userId: nullableString,
      sessionId: nullableString,
      loginInstanceId: nullableString,
      resetToken: nullableString,
      undelete: boolean,
      challenge: string,
      smsCode: nullableString,
      expiresAt: nullableNumber,
    }),
  ),
  elevations: table(
    strictObject<RecordOf<'elevations'>>()({ userId: string, sessionId: string, expiresAt: nullableNumber }),
  ),
  grants: table(
    strictObject<RecordOf<'grants'>>()({
      token: string,
      purpose: literal('reset', 'one_time_login', 'revert', 'verification', 'phone', 'contact_sync'),
      userId: nullableString,
      subject: nullableString,
      issuedAt: number,
      expiresAt: nullableNumber,
    }),
  ),
  handoffs: table(
    strictObject<RecordOf<'handoffs'>>()({
      token: string,
      key: string,
      ip: string,
      userId: string,
      expiresAt: nullableNumber,
      consumed: boolean,
    }),
  ),
  phoneCodes: table(strictObject<RecordOf<'phoneCodes'>>()({ code: string, expiresAt: nullableNumber })),
  phoneBlacklist: array(string),
  applications: table(
    strictObject<RecordOf<'applications'>>()({
      id: string,
      name: string,
      ownerId: string,
      memberIds: array(string),
      authorizedBy: array(string),
      assets: array(OpenObjectSchema),
      featured: boolean,
    }),
  ),
  identities: table(
    strictObject<RecordOf<'identities'>>()({
      applicationId: string,
      userId: string,
      externalUserId: string,
      username: nullableString,
      metadata: nullableString,
      data: nullable(openObject()),
      dataTrusted: boolean,
      connectionVisible: boolean,
    }),
  ),
  widgets: table(array(openObject())),
  suggestedGames: table(SuggestedGamesSchema),
  widgetConfigs: table(openObject()),
  layouts: table(openObject()),
  relationships: table(
    strictObject<RecordOf<'relationships'>>()({
      userId: string,
      targetId: string,
      type: literal(0, 1, 2, 3, 4, 5),
      nickname: nullableString,
      ignored: boolean,
      spam: boolean,
      stranger: boolean,
      originApplicationId: nullableString,
      since: nullableNumber,
      note: nullableString,
    }),
  ),
  gameRelationships: table(
    strictObject<RecordOf<'gameRelationships'>>()({
      userId: string,
      targetId: string,
      applicationId: string,
      type: literal(1, 3, 4),
      since: number,
    }),
  ),
  suggestions: table(
    array(
      strictObject<RecordOf<'suggestions'>[number]>()({
        suggestedId: string,
        reasons: array(FriendSuggestionReasonSchema),
        fromContacts: boolean,
      }),
    ),
  ),
  mail: array(message()),
  sms: array(message()),
})

/** Incremented when older snapshots can no longer be restored. */
export const SNAPSHOT_VERSION = 1

/**
 * A saved service as plain JSON: write it to a file and restore it in another process. All fields except the version
 * are internal.
 */
export interface MockSnapshot {
  /** Version of the format; a service restores snapshots of its own version only. */
  readonly version: typeof SNAPSHOT_VERSION
  /** State, including passwords and tokens. */
  readonly database: SavedDatabase
  /** Milliseconds between the clock and its start, or the wall clock. */
  readonly offset: number
  /** Time at which the clock was frozen; `null` if it was not. */
  readonly frozenAt?: number | null
  /** Faults, with the times that each has left. */
  readonly faults: readonly PendingFault[]
  /** Received requests. */
  readonly journal: readonly JournalEntry[]
  /** Faults and journal of the gateway. */
  readonly gateway: GatewaySnapshot
}

type DropEffect = Extract<GatewayEffect, { kind: 'drop' }>
type InvalidSessionEffect = Extract<GatewayEffect, { kind: 'invalid_session' }>

/** Rejects codes and reasons that would throw when the fault applies. */
const DropSchema = refine(
  strictObject<DropEffect>()({ kind: literal('drop'), code: integer, reason: string }),
  function* ({ code, reason }) {
    const issue = { code: 'invalid_value', message: 'a server cannot close with this code and reason' } as const
    if (!isCloseCode(code) || !isValidCloseReason(reason)) yield issue
  },
)
const InvalidSessionSchema = strictObject<InvalidSessionEffect>()({
  kind: literal('invalid_session'),
  resumable: boolean,
})
const OtherEffectSchema = strictObject<Exclude<GatewayEffect, DropEffect | InvalidSessionEffect>>()({
  kind: literal('refuse', 'freeze', 'reconnect', 'duplicate'),
})
const EffectSchema = union<GatewayEffect>([DropSchema, InvalidSessionSchema, OtherEffectSchema], (effect) => {
  const { kind } = Object(effect)
  if (kind === 'drop') return DropSchema
  return kind === 'invalid_session' ? InvalidSessionSchema : OtherEffectSchema
})

const SnapshotSchema = strictObject<MockSnapshot>()({
  version: literal(SNAPSHOT_VERSION),
  database: SavedDatabaseSchema,
  offset: refine(number, function* (offset) {
    if (offset > MAX_TIMESTAMP) yield { code: 'invalid_value', message: 'past the end of the year 9999' }
    if (offset < -MAX_TIMESTAMP) yield { code: 'invalid_value', message: 'too far in the past' }
  }),
  frozenAt: optional(nullableNumber),
  faults: readonlyArray(
    strictObject<PendingFault>()({
      id: integer,
      // Validated in `readSnapshot`, by the functions that `faults.on` uses.
      selector: string as unknown as Schema<EndpointSelector>,
      fault: unchecked<Fault>(),
      left: nullableNumber,
    }),
  ),
  journal: readonlyArray(
    strictObject<JournalEntry>()({
      endpoint: nullable(open<EndpointName>('string')),
      method: string,
      path: string,
      status: nullable(integer),
      user: nullableString,
      params: unchecked<unknown>(),
      // Absent in older snapshots.
      reason: unchecked<JournalEntry['reason']>(),
      at: string,
    }),
  ),
  gateway: strictObject<GatewaySnapshot>()({
    faults: readonlyArray(
      strictObject<PendingGatewayFault>()({
        id: integer,
        effect: EffectSchema,
        at: readonlyArray(literal('connect', 'identify', 'resume', 'event')),
        user: nullableString,
        left: nullableNumber,
      }),
    ),
    journal: readonlyArray(
      strictObject<GatewayJournalEntry>()({
        op: literal('identify', 'resume'),
        user: nullableString,
        session: nullableString,
        outcome: literal('ready', 'resumed', 'invalid_session', 'closed', 'fault'),
        at: string,
      }),
    ),
  }),
})

const MAX_ISSUES = 5

/**
 * Validates a snapshot and returns a copy. Error messages contain no values, because most are secrets.
 * @throws TypeError with the issues.
 */
export function readSnapshot(value: unknown): MockSnapshot {
  const snapshot = copyPlainJson(value)
  if (snapshot.version !== SNAPSHOT_VERSION) {
    const found = typeof snapshot.version === 'number' ? `has version ${snapshot.version}` : 'has no version'
    throw createRestoreError(`the snapshot ${found}, this service restores version ${SNAPSHOT_VERSION}`)
  }
  const issues = check(SnapshotSchema, snapshot, { showValues: false })
  if (issues.length > 0)
    throw createRestoreError(`this is not a snapshot:\n${formatIssues(issues.slice(0, MAX_ISSUES))}`)
  for (const [index, { selector, fault }] of snapshot.faults.entries()) {
    try {
      matcherOf(selector)
      assertFault(fault)
    } catch (error) {
      throw createRestoreError(`faults[${index}]: ${error instanceof Error ? error.message : error}`)
    }
  }
  return snapshot
}

function copyPlainJson(value: unknown): MockSnapshot {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw createRestoreError(
      `expected a snapshot, got ${describeType(value)}${typeof value === 'string' ? '; parse the JSON first' : ''}`,
    )
  }
  try {
    return JSON.parse(JSON.stringify(value))
  } catch {
    throw createRestoreError('expected a snapshot, which is plain JSON, got a value that JSON cannot represent')
  }
}

const createRestoreError = (problem: string) => new TypeError(`service.restore: ${problem}`)
