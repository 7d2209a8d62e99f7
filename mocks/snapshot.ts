import * as z from 'zod/mini'
import { check, kindOf } from '../src/contract/check'
import { formatIssues } from '../src/contract/issue'
import { rule } from '../src/contract/rules'
import {
  boolean,
  integer,
  nullable,
  number,
  open,
  request,
  type Schema,
  string,
  unchecked,
} from '../src/contract/schema'
import { LAST_MOMENT } from './clock'
import type { EndpointName, EndpointSelector } from './endpoint-names'
import { assertFault } from './fault-checks'
import type { Fault, PendingFault } from './faults'
import type { GatewayEffect, PendingGatewayFault } from './gateway/fault-queue'
import type { GatewaySnapshot } from './gateway/gateway'
import { fitsCloseFrame, isCloseCode } from './gateway/hub'
import type { GatewayJournalEntry } from './gateway/journal'
import type { JournalEntry } from './journal'
import { selectionOf } from './selector'
import { literal, readonlyListOf, type SavedDatabase, SavedDatabaseSchema } from './state/saved-database'

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
