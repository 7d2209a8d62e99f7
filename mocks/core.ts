import { type Duration, milliseconds, type PositionedClock } from './clock'
import type { Notice } from './notices'
import type { OutboxListeners } from './outbox'
import type { Policy } from './policy'
import { createRandom, type Random } from './random'
import { type Database, emptyDatabase, type IndexedDatabase, indexDatabase } from './state/database'
import type { PasskeyProof } from './webauthn-proof'
import type { PasskeyVerifier } from './webauthn-verifier'

/** What every part of one service shares. State changes go through the functions of `state/`, which take it. */
export interface Core {
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
  tell(notice: Notice): void
}

/** What a {@link Core} starts from. */
export interface CoreOptions extends Omit<Core, 'db' | 'outboxListeners' | 'passkeyProof' | 'random' | 'tell'> {}

/** A service without its doors. */
export function createCore(options: CoreOptions): Core {
  let db = indexDatabase(emptyDatabase(options.seed))
  const core: Core = {
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
    tell: () => {},
  }
  return core
}

/** Returns the moment at which something that starts now ends, `null` for never: JSON has no Infinity. */
export function expiry({ clock }: Core, lifetime: Duration): number | null {
  const end = clock.now() + milliseconds(lifetime)
  return Number.isFinite(end) ? end : null
}

/** Whether something still lives; at its last millisecond it does not. */
export function isAlive({ clock }: Core, { expiresAt }: { readonly expiresAt: number | null }): boolean {
  return expiresAt === null || clock.now() < expiresAt
}

/** A moment as the service writes it. */
export function timestamp(time: number): string {
  return new Date(time).toISOString()
}
