import type { gatewayEvents } from '../src/contract/gateway-events'
import { type Duration, milliseconds, type PositionedClock } from './clock'
import {
  type Database,
  emptyDatabase,
  type IndexedDatabase,
  indexDatabase,
  type OutboxListeners,
  type SessionRecord,
  type UserRecord,
} from './database'
import type { Policy } from './policy'
import { createRandom, type Random } from './random'
import type { PasskeyVerdict, PasskeyVerifier } from './request'

/** What every part of one service shares. State changes go through the functions of `state/`, which take it. */
export interface ServiceContext {
  readonly baseUrl: URL
  readonly seed: number
  readonly strict: boolean
  readonly rpId: string
  readonly maxBodyBytes: number
  readonly maxJournalEntries: number
  readonly policy: Policy
  readonly clock: PositionedClock
  readonly random: Random
  /** What signatures of passkeys are verified by, whichever way a request comes. */
  readonly verifyPasskey: PasskeyVerifier | undefined
  /** What has been found out of the passkey in the call that is being answered. */
  passkeyProof: PasskeyProof | undefined
  /**
   * Replaced as a whole when a snapshot is restored, so nothing keeps a part of it across calls. What is set is plain
   * data, which is indexed as it is set.
   */
  get db(): IndexedDatabase
  set db(database: Database)
  /** Those who are told of mails and SMS. */
  readonly outboxListeners: OutboxListeners
  /** Tells the gateway what has been done. */
  publish(notice: DomainEvent): void
}

/** What a {@link ServiceContext} starts from. */
export interface CoreOptions
  extends Omit<ServiceContext, 'db' | 'outboxListeners' | 'passkeyProof' | 'random' | 'publish'> {}

/** A service without its doors. */
export function createCore(options: CoreOptions): ServiceContext {
  let db = indexDatabase(emptyDatabase(options.seed))
  const core: ServiceContext = {
    ...options,
    passkeyProof: undefined,
    get db(): IndexedDatabase {
      return db
    },
    set db(database: Database) {
      db = indexDatabase(database)
    },
    random: createRandom(() => core.db.random),
    outboxListeners: { mail: new Set(), sms: new Set() },
    publish: () => {},
  }
  return core
}

/** Returns the moment at which something that starts now ends, `null` for never: JSON has no Infinity. */
export function expiry({ clock }: ServiceContext, lifetime: Duration): number | null {
  const end = clock.now() + milliseconds(lifetime)
  return Number.isFinite(end) ? end : null
}

/** Whether something still lives; at its last millisecond it does not. */
export function isUnexpired({ clock }: ServiceContext, { expiresAt }: { readonly expiresAt: number | null }): boolean {
  return expiresAt === null || clock.now() < expiresAt
}

/** A moment as the service writes it. */
export function timestamp(time: number): string {
  return new Date(time).toISOString()
}

/** An event for all gateway sessions of a user. */
export interface EventNotice {
  readonly kind: 'event'
  readonly userId: string
  readonly event: GatewayEventName
  /** What a session of that user hears, `undefined` where it hears nothing: an application sees less than its user. */
  dataFor(session: SessionRecord): unknown
}

/** What the rest of the service tells its gateway. */
export type DomainEvent =
  | EventNotice
  /** A session was signed out of, or ended with its account. */
  | { readonly kind: 'session_ended'; readonly session: SessionRecord }
  /** A session gave way to a new one of the same user. */
  | { readonly kind: 'session_replaced'; readonly session: SessionRecord; readonly by: SessionRecord }
  /** An account was given back to its owner. */
  | { readonly kind: 'account_reverted'; readonly userId: string }

/** A signature that was looked at before its call is answered: that takes time, and an answer takes none. */
export interface PasskeyProof extends PasskeyVerdict {
  /** The counter of the passkey when its signature was looked at. */
  readonly before: number
  /** What went wrong in the looking, which is a mistake of the test's and no refusal. */
  readonly mistake?: Error
}

/** Who makes a call. */
export interface Caller {
  readonly user: UserRecord
  readonly session: SessionRecord
}

/** Name of an event, as the interface document writes it. */
export type GatewayEventName = (typeof gatewayEvents)[keyof typeof gatewayEvents]['name']
