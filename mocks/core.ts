// State of one mock service, and the events that its parts emit.
import type { gatewayEvents } from '../src/contract/gateway-events'
import { type Duration, milliseconds, type PositionedClock } from './clock'
import {
  createDatabase,
  type Database,
  type Mail,
  type Message,
  type MockUser,
  type SessionRecord,
  type SmsKind,
  type UserRecord,
} from './database'
import type { PendingFault } from './faults'
import type { JournalEntry } from './journal'
import type { Policy, PolicySettings } from './policy'
import { createRandom, type Random } from './random'
import type { Replay } from './recording/replay'
import type { KnownSecrets } from './redaction/redaction'
import type { PasskeyVerdict, PasskeyVerifier } from './request'

/** State and options that all parts of one service share. State is changed by the functions in `state/`. */
export interface ServiceContext {
  readonly baseUrl: URL
  readonly seed: number
  readonly strict: boolean
  readonly rpId: string
  readonly maxJournalEntries: number
  /** Answers of a recording, in the place of those of the service. */
  readonly replay: Replay | undefined
  /** Replaced when it is changed, so no code keeps it across requests. */
  policy: Policy
  readonly clock: PositionedClock
  readonly random: Random
  /** Secrets of this service and its forks: what is shown of requests contains none of them. */
  readonly known: KnownSecrets
  readonly verifyPasskey: PasskeyVerifier | undefined
  /** Verification result of the passkey in the current request. */
  passkeyProof: PasskeyProof | undefined
  /** Replaced when a snapshot is restored, so no code keeps parts of it across requests. */
  db: Database
  /** Requests counted for rate limits, by endpoint and caller. Not part of the state. */
  readonly rateLimitWindows: Map<string, { readonly expiresAt: number; count: number }>
  /** Not part of the state: they stay registered when a snapshot is restored. */
  readonly eventListeners: Set<(event: MockServiceEvent) => void>
  emit(event: EventDetails): void
  publish(event: DomainEvent): void
}

type Own = 'db' | 'rateLimitWindows' | 'eventListeners' | 'emit' | 'passkeyProof' | 'random' | 'publish'

export function createCore(options: Omit<ServiceContext, Own>): ServiceContext {
  const core: ServiceContext = {
    ...options,
    passkeyProof: undefined,
    db: createDatabase(options.seed, options.known),
    random: createRandom(() => core.db.random),
    rateLimitWindows: new Map(),
    eventListeners: new Set(),
    emit(event) {
      if (core.eventListeners.size === 0) return
      const emitted = { ...event, at: toTimestamp(core.clock.now()) }
      // In microtasks, so that errors of listeners are reported and do not affect the response.
      for (const listener of core.eventListeners) queueMicrotask(() => listener(emitted))
    },
    publish: () => {},
  }
  return core
}

/** Returns the end of a lifetime that starts now; `null` for never, because JSON has no Infinity. */
export function expiryOf({ clock }: ServiceContext, lifetime: Duration): number | null {
  const end = clock.now() + milliseconds(lifetime)
  return Number.isFinite(end) ? end : null
}

export function isUnexpired({ clock }: ServiceContext, { expiresAt }: { readonly expiresAt: number | null }): boolean {
  return expiresAt === null || clock.now() < expiresAt
}

/** Adds a record that expires, and removes the oldest ones that have expired. */
export function addExpiring<T extends { readonly expiresAt: number | null }>(
  core: ServiceContext,
  table: Map<string, T>,
  key: string,
  record: T,
): void {
  for (const [other, old] of table) {
    if (isUnexpired(core, old)) break
    table.delete(other)
  }
  table.set(key, record)
}

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

export interface Caller {
  readonly user: UserRecord
  readonly session: SessionRecord
}

/** Event name of the API document. */
export type GatewayEventName = (typeof gatewayEvents)[keyof typeof gatewayEvents]['name']

/** Details of an event; `type` discriminates it. Contains the messages that the service sent, with their codes and tokens. */
export type EventDetails =
  /** A request was handled. */
  | { readonly type: 'request'; readonly request: JournalEntry }
  /** A mail was sent. */
  | { readonly type: 'mail'; readonly message: Mail }
  /** An SMS was sent. */
  | { readonly type: 'sms'; readonly message: Message<SmsKind> }
  /** An account was created, changed or removed. */
  | { readonly type: 'user'; readonly action: 'created' | 'changed' | 'removed'; readonly user: MockUser }
  /** A fault of an endpoint was added, applied to a request, or removed. */
  | { readonly type: 'fault'; readonly action: 'added' | 'applied' | 'removed'; readonly fault: PendingFault }
  /** Something happened at the gateway. */
  | ({ readonly type: 'gateway' } & GatewayEventDetails)
  /** The clock was advanced, set or frozen. */
  | { readonly type: 'clock'; readonly now: string; readonly frozen: boolean }
  /** The policy was changed. */
  | { readonly type: 'policy'; readonly settings: PolicySettings }
  /** The service was restored from a snapshot, or reset: all that was known of it is outdated. */
  | { readonly type: 'restore' | 'reset' }
  /** A list was cleared, or a message was deleted. */
  | { readonly type: 'clear'; readonly list: 'mail' | 'sms' | 'requests' }

const EVENTS: Readonly<Record<EventDetails['type'], true>> = {
  request: true,
  mail: true,
  sms: true,
  user: true,
  fault: true,
  gateway: true,
  clock: true,
  policy: true,
  restore: true,
  reset: true,
  clear: true,
}

/** Types of the events of `service.onEvent`. */
export const eventTypes: readonly string[] = Object.keys(EVENTS)

/** Details of an event of the gateway; `action` discriminates it. */
export type GatewayEventDetails =
  /** A client tried to identify or to resume. */
  | {
      readonly action: 'identify' | 'resume'
      readonly user: string | null
      readonly session: string | null
      readonly outcome: string
    }
  /** A connection was opened. */
  | { readonly action: 'connected' }
  /** A connection was closed, by either side. */
  | {
      readonly action: 'disconnected'
      readonly user: string | null
      readonly session: string | null
      readonly code: number
    }
  /** An event was sent to a session. */
  | {
      readonly action: 'event'
      readonly user: string
      readonly session: string
      readonly event: string
      readonly sequence: number
    }
  /** A fault was injected; `count` is the number of connections that it affected at once. */
  | { readonly action: 'fault'; readonly effect: string; readonly user: string | null; readonly count: number }

/** An event for tools that show or record what the service does. */
export type MockServiceEvent = EventDetails & {
  /** Time by the service's clock, ISO 8601. */
  readonly at: string
}
