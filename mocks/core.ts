import type { gatewayEvents } from '../src/contract/gateway-events'
import { type Duration, milliseconds, type PositionedClock } from './clock'
import {
  createDatabase,
  type Database,
  type IndexedDatabase,
  indexDatabase,
  type OutboxListeners,
  type SessionRecord,
  type UserRecord,
} from './database'
import type { Policy } from './policy'
import { createRandom, type Random } from './random'
import type { PasskeyVerdict, PasskeyVerifier } from './request'

/** State and options that all parts of one service share. State is changed by the functions in `state/`. */
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
  /** Verifies passkey signatures for all transports. */
  readonly verifyPasskey: PasskeyVerifier | undefined
  /** Verification result of the passkey in the current request. */
  passkeyProof: PasskeyProof | undefined
  /**
   * Replaced when a snapshot is restored, so no code keeps parts of it across requests. The setter indexes the plain
   * data.
   */
  get db(): IndexedDatabase
  set db(database: Database)
  readonly outboxListeners: OutboxListeners
  /** Publishes a domain event to the gateway. */
  publish(event: DomainEvent): void
}

/** Options of {@link createCore}. */
export interface CoreOptions
  extends Omit<ServiceContext, 'db' | 'outboxListeners' | 'passkeyProof' | 'random' | 'publish'> {}

/** Creates the context of a service. */
export function createCore(options: CoreOptions): ServiceContext {
  let db = indexDatabase(createDatabase(options.seed))
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

/** Returns the end of a lifetime that starts now; `null` for never, because JSON has no Infinity. */
export function expiryOf({ clock }: ServiceContext, lifetime: Duration): number | null {
  const end = clock.now() + milliseconds(lifetime)
  return Number.isFinite(end) ? end : null
}

/** Whether a record has not expired. */
export function isUnexpired({ clock }: ServiceContext, { expiresAt }: { readonly expiresAt: number | null }): boolean {
  return expiresAt === null || clock.now() < expiresAt
}

/** Formats a time as the service does. */
export function toTimestamp(time: number): string {
  return new Date(time).toISOString()
}

/** An event for all gateway sessions of a user. */
export interface UserEvent {
  readonly kind: 'event'
  readonly userId: string
  readonly event: GatewayEventName
  /** Returns the payload for a session, or `undefined` to skip it: an application sees less than its user. */
  dataFor(session: SessionRecord): unknown
}

/** A state change that the gateway forwards or reacts to. */
export type DomainEvent =
  | UserEvent
  /** A session was signed out of, or ended with its account. */
  | { readonly kind: 'session_ended'; readonly session: SessionRecord }
  /** A session was replaced by a new one of the same user. */
  | { readonly kind: 'session_replaced'; readonly session: SessionRecord; readonly by: SessionRecord }
  /** An account was reverted to its owner. */
  | { readonly kind: 'account_reverted'; readonly userId: string }

/** Result of a signature verification. It runs before the request is handled, because handling is synchronous. */
export interface PasskeyProof extends PasskeyVerdict {
  /** Signature counter before the verification. */
  readonly before: number
  /** Error of the verifier: a mistake in the test rather than an invalid signature. */
  readonly error?: Error
}

/** Authenticated caller. */
export interface Caller {
  readonly user: UserRecord
  readonly session: SessionRecord
}

/** Event name of the interface document. */
export type GatewayEventName = (typeof gatewayEvents)[keyof typeof gatewayEvents]['name']
