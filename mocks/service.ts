import { MAX_BODY_BYTES } from './body'
import { type Clock, createClock } from './clock'
import { createCore } from './core'
import { defaultPolicy } from './default-policy'
import { createApplications, createLayouts, type MockApplications, type MockLayouts } from './doors/applications'
import { createIdentities, type MockIdentities } from './doors/identities'
import { createRelationships, type MockRelationships } from './doors/relationships'
import { createTokenDoor, type TokenDoor } from './doors/tokens'
import { createUsers, type MockUsers } from './doors/users'
import type { ServiceOutcome, ServiceRequest } from './exchange'
import { createFaults, type Faults } from './faults'
import { createFetch } from './fetch'
import { createGateway } from './gateway/gateway'
import type { MockGateway } from './gateway/mock-gateway'
import { handle as handleRequest } from './handle'
import { createJournal, type Journal } from './journal'
import { assertOptions, type MockServiceOptions } from './options'
import { createOutbox, type MailKind, type Outbox, type SmsKind } from './outbox'
import { changePolicy, type Policy } from './policy'
import { type MockSnapshot, readSnapshot, SNAPSHOT_VERSION } from './snapshot'
import { emptyDatabase } from './state/database'
import { loadDatabase, plain } from './state/saved-database'
import { closedError, createWaits } from './waits'
import { createWebSocketClass } from './web-socket/memory-door'
import type { MockWebSocketClass } from './web-socket/types'

/** The whole service, in memory: 55 endpoints, several users, and the rules of the interface document. */
export interface MockService {
  /** The base address that it answers at. */
  readonly baseUrl: string
  /** Whether it refuses what the contract does not name. */
  readonly strict: boolean
  /** How many bytes the body of a request may have. */
  readonly maxBodyBytes: number
  /** What it decides where the interface document is silent. */
  readonly policy: Policy
  /** A `fetch` for clients at 127.0.0.1, answered from memory. It never touches the network. */
  readonly fetch: typeof fetch
  /**
   * A `WebSocket` class for clients of the gateway at {@link MockGateway.url}, answered from memory in every runtime.
   * @example
   * import { Client } from 'rapport-sdk'
   *
   * const client = new Client({
   *   baseUrl: service.baseUrl,
   *   fetch: service.fetch,
   *   gateway: { url: service.gateway.url, WebSocket: service.WebSocket },
   * })
   */
  readonly WebSocket: MockWebSocketClass
  /** A `fetch` for clients at another IP address: handoffs are bound to one. */
  fetchFrom(ip: string): typeof fetch
  /** Answers a request that came in another way; `/mocks/msw` and `/mocks/node` are built on it. */
  handle(request: ServiceRequest): Promise<ServiceOutcome>
  /** Its time. What expires does so by this clock. */
  readonly clock: Clock
  /** What goes wrong. */
  readonly faults: Faults
  /** What it received. */
  readonly journal: Journal
  /** The mails that it sent. */
  readonly mail: Outbox<MailKind>
  /** The SMS that it sent. */
  readonly sms: Outbox<SmsKind>
  /** Its accounts. */
  readonly users: MockUsers
  /** Its applications. */
  readonly applications: MockApplications
  /** The accounts of its users in applications. */
  readonly identities: MockIdentities
  /** What its users are to each other. */
  readonly relationships: MockRelationships
  /** Its layout definitions. */
  readonly layouts: MockLayouts
  /** A new token of a user, as if signed in; with `oauth2`, a token of that application. */
  readonly token: TokenDoor
  /** Its gateway: the sessions there, and what goes wrong with them. */
  readonly gateway: MockGateway
  /** A new fingerprint, as the endpoint that the document does not show would issue it. */
  fingerprint(): string
  /**
   * Returns the service at this moment as plain JSON: state, clock, faults and journal. It holds passwords and tokens.
   * Gateway sessions are not in it since they are connections, nor are functions: the policy and the options belong to
   * the service that restores it.
   */
  snapshot(): MockSnapshot
  /**
   * Goes back to a snapshot entirely: state, clock, faults and journal. What was set or received since is forgotten, so
   * that one call before each test is enough. All gateway sessions end; clients identify again. The snapshot may be
   * another service's, and may have been through JSON.
   * @throws TypeError if it is anything else than a snapshot of this version; nothing has changed then.
   */
  restore(snapshot: MockSnapshot): void
  /** Goes back to the beginning: no users, sessions and faults, an empty journal, the clock as it started. */
  reset(): void
  /**
   * Ends the service, its gateway and every server that listens for it. Requests that wait, and later ones, are
   * rejected; gateway connections close with 1001.
   */
  close(): Promise<void>
  /** Calls back when the service is closed. @returns a function that takes it back. */
  onClose(callback: () => Promise<void>): () => void
  /** The same as {@link MockService.close}. */
  [Symbol.asyncDispose](): Promise<void>
}

const DEFAULT_BASE_URL = 'https://service.example'
const MAX_JOURNAL_ENTRIES = 1000

/**
 * Creates a service. Services share nothing; the methods that set one up are synchronous.
 * @throws TypeError when an option does not exist or is of the wrong kind.
 */
export function createMockService(options: MockServiceOptions = {}): MockService {
  assertOptions(options)
  const { baseUrl = DEFAULT_BASE_URL, seed = 1, now, strict = true, policy, requireMfa } = options
  const url = new URL(baseUrl)
  const core = createCore({
    baseUrl: url,
    seed,
    strict,
    rpId: options.rpId ?? url.hostname,
    maxBodyBytes: options.maxBodyBytes ?? MAX_BODY_BYTES,
    maxJournalEntries: options.maxJournalEntries ?? MAX_JOURNAL_ENTRIES,
    verifyPasskey: options.verifyPasskey,
    policy: changePolicy(defaultPolicy, { ...policy, ...(requireMfa && { requireMfa }) }),
    clock: createClock(now),
  })
  const [faults, journal, waits] = [createFaults(), createJournal(core.maxJournalEntries), createWaits()]
  const gateway = createGateway(core)
  const closing = new Set<() => Promise<void>>()
  let isClosed = false

  const handle = async (request: ServiceRequest): Promise<ServiceOutcome> => {
    if (isClosed) throw closedError()
    gateway.checkTime()
    return await handleRequest({ core, faults, journal, waits }, request)
  }
  const fetchFrom = (ip: string) => createFetch(handle, core, ip)
  const close = async (): Promise<void> => {
    isClosed = true
    waits.close()
    gateway.close()
    await Promise.all([...closing].map((callback) => callback()))
  }

  return {
    baseUrl,
    strict,
    maxBodyBytes: core.maxBodyBytes,
    policy: core.policy,
    fetch: fetchFrom('127.0.0.1'),
    WebSocket: createWebSocketClass(core.baseUrl, gateway.gateway),
    fetchFrom,
    handle,
    clock: {
      now: () => core.clock.now(),
      advance(by) {
        core.clock.advance(by)
        gateway.checkTime()
      },
    },
    faults,
    journal,
    mail: createOutbox('mail', () => core.db.mail, core.outboxListeners.mail),
    sms: createOutbox('SMS', () => core.db.sms, core.outboxListeners.sms),
    users: createUsers(core),
    applications: createApplications(core),
    identities: createIdentities(core),
    relationships: createRelationships(core),
    layouts: createLayouts(core),
    token: createTokenDoor(core),
    gateway: gateway.gateway,
    fingerprint: () => `${core.random.snowflake()}.${core.random.text(27)}`,
    snapshot: () =>
      plain({
        version: SNAPSHOT_VERSION,
        database: core.db,
        offset: core.clock.offset,
        faults: faults.save(),
        journal: journal.requests,
        gateway: gateway.save(),
      }),
    restore(given) {
      const snapshot = readSnapshot(given)
      core.db = loadDatabase(snapshot.database)
      core.clock.offset = snapshot.offset
      faults.load(snapshot.faults)
      journal.load(snapshot.journal)
      gateway.load(snapshot.gateway)
    },
    reset() {
      core.db = emptyDatabase(seed)
      core.clock.offset = 0
      faults.clear()
      journal.clear()
      gateway.load()
    },
    close,
    onClose(callback) {
      closing.add(callback)
      return () => closing.delete(callback)
    },
    [Symbol.asyncDispose]: close,
  }
}
