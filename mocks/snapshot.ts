import * as s from '../src/contract/schema'
import { check } from '../src/contract/validate'
import { formatIssues } from '../src/internal/issue'
import { describeType } from '../src/internal/json'
import { MAX_TIMESTAMP } from './clock'
import { isKey, type Message, type SavedDatabase } from './database'
import { assertFault, type Fault, type PendingFault } from './faults'
import { type GatewayEffect, isCloseCode, type PendingGatewayFault } from './gateway/connection'
import type { GatewaySnapshot } from './gateway/gateway'
import type { GatewayJournalEntry } from './gateway/hub'
import type { JournalAnswer, JournalEntry, JournalReason } from './journal'
import { deriveId, deriveToken, hashOf } from './random'
import { type EndpointName, type EndpointSelector, matcherOf } from './router'
import { createStubs, type Stub, StubSchema } from './stubs/stubs'
import { counter, literal, type TableDefinition, tables, timestamp, within } from './table'

/** Copies a value through JSON; maps become arrays of pairs, and sets become arrays. */
export function toPlainJson<T>(value: object): T {
  return JSON.parse(JSON.stringify(value, (_, part) => (part instanceof Map || part instanceof Set ? [...part] : part)))
}

/** Schema of messages of all kinds; the contents of a kind are not validated. */
const MessageSchema = s.looseObject<Pick<Message, 'id' | 'to' | 'kind' | 'text' | 'at'>>()({
  // Compared as a number.
  id: s.formattedString((text) => /^\d{1,20}$/.test(text), 'an ID'),
  to: s.string,
  kind: s.open('string'),
  text: s.string,
  at: s.string,
})

const nullableString = s.nullable(s.string)
const nullableNumber = s.nullable(s.number)

/** Schema of {@link SavedDatabase}. */
const SavedDatabaseSchema = s.strictObject<SavedDatabase>()({
  ...Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, pairsOf(table)])),
  random: s.strictObject<SavedDatabase['random']>()({
    state: within(s.integer, -(2 ** 31), 2 ** 31 - 1),
    ids: within(s.integer, 0, 2 ** 31 - 1),
  }),
  phoneBlacklist: s.array(s.string),
  mail: s.array(MessageSchema),
  sms: s.array(MessageSchema),
  // The compiler does not know the names of the tables here.
} as never)

function pairsOf({ schema, keyOf }: Pick<TableDefinition<unknown, never>, 'schema' | 'keyOf'>) {
  const pair = s.refine(s.unchecked<unknown>(), function* (value) {
    if (!Array.isArray(value) || value.length !== 2 || typeof value[0] !== 'string') {
      yield { code: 'invalid_type', message: 'expected an array of a key and a record' }
      return
    }
    const [key, record]: readonly unknown[] = value
    const issues = check(schema, record, { showValues: false })
    for (const issue of issues) yield { ...issue, path: [1, ...issue.path] }
    if (!isKey(key)) yield { code: 'invalid_value', path: [0], message: 'not a key' }
    else if (issues.length === 0 && keyOf !== undefined && keyOf(record) !== key)
      yield { code: 'invalid_value', path: [0], message: 'not the key of its record' }
  })
  return s.array(pair)
}

/** A word in which IDs and tokens occur whole. */
const WORD = /[\w-]+(?:\.[\w-]+)*/g

/**
 * Returns a snapshot with the same data and other IDs and tokens, derived from them and a name: those of one service are
 * unknown to the other.
 */
export function deriveSnapshot(snapshot: MockSnapshot, name: string): MockSnapshot {
  const { sessions, suspendedTokens, tickets, elevations, grants, handoffs, random } = snapshot.database
  const tokens = new Set([
    ...[sessions, suspendedTokens, tickets, elevations, grants, handoffs].flatMap((table) => table.map(([key]) => key)),
    ...sessions.map(([, { idHash }]) => idHash),
  ])
  const derive = (word: string) => (tokens.has(word) ? deriveToken(word, name) : deriveId(word, name))
  const derived: MockSnapshot = JSON.parse(JSON.stringify(snapshot), (_, part) =>
    typeof part === 'string' ? part.replace(WORD, derive) : part,
  )
  const database = { ...derived.database, random: { ...random, state: random.state ^ hashOf(name) } }
  return { ...derived, database }
}

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
  readonly frozenAt: number | null
  /** Faults, with the times that each has left. */
  readonly faults: readonly PendingFault[]
  /** Stubs, except those with a function. */
  readonly stubs: readonly Stub[]
  /** Received requests. */
  readonly journal: readonly JournalEntry[]
  /** Number of earlier requests that the journal no longer has. Default: 0. */
  readonly dropped?: number
  /** Faults and journal of the gateway. */
  readonly gateway: GatewaySnapshot
}

/** Rejects codes that would throw when the fault applies. */
const EffectSchema = s.refine(
  s.strictObject<GatewayEffect>()({
    kind: literal('freeze', 'reconnect', 'duplicate', 'refuse', 'drop', 'invalid_session'),
    status: s.optional(s.nullable(within(s.integer, 300, 599))),
    body: s.optional(s.unchecked<unknown>()),
    code: s.optional(s.integer),
    resumable: s.optional(s.boolean),
  }),
  function* ({ code = 1006 }) {
    if (!isCloseCode(code)) yield { code: 'invalid_value', message: 'a server cannot close with this code' }
  },
)

const PendingGatewayFaultSchema = s.strictObject<PendingGatewayFault>()({
  id: counter,
  effect: EffectSchema,
  at: s.readonlyArray(literal('connect', 'identify', 'resume', 'event')),
  user: nullableString,
  left: s.nullable(counter),
  after: counter,
})

export const GatewayAttemptSchema = s.strictObject<GatewayJournalEntry>()({
  op: literal('identify', 'resume'),
  user: nullableString,
  session: nullableString,
  outcome: literal('ready', 'resumed', 'invalid_session', 'closed', 'fault'),
  at: s.string,
})

const QueryValueSchema = s.union<string | readonly string[]>([s.string, s.readonlyArray(s.string)], (value) =>
  Array.isArray(value) ? s.readonlyArray(s.string) : s.string,
)

export const JournalEntrySchema = s.strictObject<JournalEntry>()({
  id: counter,
  endpoint: s.nullable(s.open<EndpointName>('string')),
  method: s.string,
  path: s.string,
  status: s.nullable(within(s.integer, 100, 999)),
  user: nullableString,
  params: s.unchecked<unknown>(),
  query: s.record(QueryValueSchema),
  headers: s.record(s.string),
  answer: s.nullable(s.strictObject<JournalAnswer>()({ headers: s.record(s.string), body: s.unchecked<unknown>() })),
  reason: s.nullable(
    s.strictObject<JournalReason>()({
      source: literal('service', 'fault'),
      code: nullableNumber,
      message: s.string,
      fields: s.readonlyArray(
        s.strictObject<JournalReason['fields'][number]>()({ path: s.string, code: s.string, message: s.string }),
      ),
    }),
  ),
  fault: nullableString,
  at: s.string,
  durationMs: s.number,
})

const SnapshotSchema = s.strictObject<MockSnapshot>()({
  version: literal(SNAPSHOT_VERSION),
  database: SavedDatabaseSchema,
  offset: within(s.integer, -MAX_TIMESTAMP, MAX_TIMESTAMP),
  frozenAt: s.nullable(timestamp),
  faults: s.readonlyArray(
    s.strictObject<PendingFault>()({
      id: counter,
      // Validated in `readSnapshot`, by the functions that `faults.on` uses.
      selector: s.string as unknown as s.Schema<EndpointSelector>,
      fault: s.unchecked<Fault>(),
      left: s.nullable(counter),
      after: counter,
    }),
  ),
  stubs: s.readonlyArray(StubSchema),
  journal: s.readonlyArray(JournalEntrySchema),
  dropped: s.optional(counter),
  gateway: s.strictObject<GatewaySnapshot>()({
    faults: s.readonlyArray(PendingGatewayFaultSchema),
    journal: s.readonlyArray(GatewayAttemptSchema),
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
    throw createRestoreError(
      `this is not a snapshot, or one of another version:\n${formatIssues(issues.slice(0, MAX_ISSUES))}`,
    )
  for (const [index, { selector, fault }] of snapshot.faults.entries()) {
    rethrow(`faults[${index}]`, () => {
      matcherOf(selector)
      assertFault(fault)
    })
  }
  for (const [index, stub] of snapshot.stubs.entries()) {
    rethrow(`stubs[${index}]`, () => createStubs().load([stub]))
  }
  return snapshot
}

/** Runs a check of a part; its error names the part. */
function rethrow(part: string, check: () => void): void {
  try {
    check()
  } catch (error) {
    throw createRestoreError(`${part}: ${error instanceof Error ? error.message : error}`)
  }
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
