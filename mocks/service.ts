import { type Clock, type ClockStart, createClock } from './clock'
import { createCore } from './core'
import { emptyDatabase, type MailKind, type SmsKind } from './database'
import { createFaults, type Faults } from './faults'
import { createGateway, type MockGateway } from './gateway/gateway'
import { createJournal, type Journal } from './journal'
import { createWebSocketClass, type MockWebSocketClass } from './memory-socket'
import { createOutbox, type Outbox } from './outbox'
import { closedError, createDelays, handle as handleRequest } from './pipeline'
import { assertPolicy, changePolicy, defaultPolicy, type Policy, type PolicyChanges } from './policy'
import { createFetch, MAX_BODY_BYTES, type PasskeyVerifier, type ServiceOutcome, type ServiceRequest } from './request'
import {
  createApplications,
  createIdentities,
  createLayouts,
  createTokenDoor,
  type IssueToken,
  type MockApplications,
  type MockIdentities,
  type MockLayouts,
} from './seed/applications'
import { createRelationships, type MockRelationships } from './seed/relationships'
import { createUsers, type MockUsers } from './seed/users'
import { anything, boolean, callback, integer, type Kinds, text, times, validateOptions } from './settings'
import { loadDatabase, type MockSnapshot, plain, readSnapshot, SNAPSHOT_VERSION } from './snapshot'

/** How a mock service is to be. */
export interface MockServiceOptions {
  /** The base address that it answers at; may carry a path. @default 'https://service.example' */
  readonly baseUrl?: string
  /** What all IDs, tokens and codes follow from: the same seed and calls give the same ones. @default 1 */
  readonly seed?: number
  /** The time it starts at; its clock then stands still but for `clock.advance`. Default: the wall clock. */
  readonly now?: ClockStart
  /**
   * Whether fields and query parameters that the contract does not name are refused, and whether the msw handlers
   * answer 404 to unknown paths. Limits and types hold either way.
   * @default true
   */
  readonly strict?: boolean
  /** What it decides where the interface document is silent; see {@link Policy}. */
  readonly policy?: PolicyChanges
  /** Which calls need step-up; the same as `policy.requireMfa`. */
  readonly requireMfa?: Policy['requireMfa']
  /** Bytes that the body of a request may have; a larger one gets 413, and is not read. @default 1048576 */
  readonly maxBodyBytes?: number
  /** Requests that the journal keeps, the last ones; `Infinity` keeps all. @default 1000 */
  readonly maxJournalEntries?: number
  /** The relying party of passkeys. Default: the host of `baseUrl`. */
  readonly rpId?: string
  /**
   * What verifies the signatures of passkeys whose public key the service knows, such as `verifyPasskey` of
   * `rapport-sdk/mocks/node`. Default: nothing; `listen` brings one along. Without, the structure of an answer counts.
   */
  readonly verifyPasskey?: PasskeyVerifier
}

const kinds: Kinds = {
  baseUrl: { wanted: 'an absolute address', test: (value) => typeof value === 'string' && URL.canParse(value) },
  seed: integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  now: anything,
  strict: boolean,
  policy: anything,
  requireMfa: callback,
  maxBodyBytes: integer(1, Number.MAX_SAFE_INTEGER),
  maxJournalEntries: {
    wanted: 'a whole number from 1, or Infinity',
    test: (value) => times.test(value) && Number(value) >= 1,
  },
  rpId: text,
  verifyPasskey: callback,
}

/**
 * Refuses options that do not exist or are of the wrong kind.
 * @throws TypeError that says what was given and what is allowed.
 */
export function assertOptions(options: MockServiceOptions): void {
  validateOptions('createMockService', options, kinds)
  if (options.policy !== undefined) assertPolicy(options.policy)
}

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
  readonly token: IssueToken
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
  const [faults, journal, waits] = [createFaults(), createJournal(core.maxJournalEntries), createDelays()]
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
