import { type Clock, createClock } from './clock'
import { createCore, type MockServiceEvent, toTimestamp } from './core'
import type { Database, MailKind, MailParts, SmsKind } from './database'
import { createDatabase, loadDatabase, releaseDatabase } from './database'
import { createFaults, type EndpointFaults, type Faults } from './faults'
import { createGateway, type MockGateway } from './gateway/gateway'
import { createJournal, type Journal, type JournalEntry } from './journal'
import { createWebSocketClass, type MockWebSocketClass } from './memory-socket'
import { createOutbox, type Outbox } from './outbox'
import { closedError, createDelays, handle as handleRequest } from './pipeline'
import { defaultPolicy, type Policy, type PolicyChanges, type PolicySettings } from './policy'
import { readRecording } from './recording/format'
import { Replay } from './recording/replay'
import { KnownSecrets } from './redaction/redaction'
import { createFetch, type PasskeyVerifier, type ServiceOutcome, type ServiceRequest } from './request'
import * as seeds from './seed/data'
import { createUsers, type MockUsers } from './seed/users'
import * as option from './settings'
import { assertOptions } from './settings'
import { type MockSnapshot, readSnapshot, SNAPSHOT_VERSION, toPlainJson } from './snapshot'
import { changePolicy, POLICY_CHECKS, policyChanges, policySettings } from './state/policy-settings'
import { userOf } from './state/users'
import { createStubs, type Stubs } from './stubs/stubs'

/** Options of a mock service. */
export interface MockServiceOptions {
  /** Base URL; may have a path. @default 'https://service.example' */
  readonly baseUrl?: string
  /** Seed of all IDs, tokens and codes: the same seed and calls produce the same ones. @default 1 */
  readonly seed?: number
  /**
   * Start of the clock, as for `clock.set`. It is then frozen: it moves by `clock.advance` and `clock.set`, and by itself after
   * `clock.freeze(false)`. Default: the wall clock.
   */
  readonly now?: Date | number | string
  /**
   * Whether fields and query parameters that are not in the contract are rejected, and values of widget configs and
   * types of dynamic data that the API does not list, and whether the msw handlers respond to unknown paths with
   * 404. Limits and types are validated either way.
   * @default true
   */
  readonly strict?: boolean
  /** Decisions that the API document leaves open; see {@link Policy}. */
  readonly policy?: PolicyChanges
  /** Number of requests that the journal keeps; `Infinity` keeps all. @default 1000 */
  readonly maxJournalEntries?: number
  /** Relying party ID of passkeys. Default: the host of `baseUrl`. */
  readonly rpId?: string
  /**
   * Verifies signatures of passkeys with a known public key, such as `verifyPasskey` of `rapport-sdk/mocks/node`.
   * Default: none, except with `listen`. Without a verifier only the structure of the credential is checked.
   */
  readonly verifyPasskey?: PasskeyVerifier
  /**
   * Recording of `rapport-mock --record`, parsed: calls and gateway connections are answered from it, in the order of each
   * account. `reset` and `restore` start from its beginning. Default: none, the service answers itself.
   */
  readonly replay?: unknown
}

const SERVICE_OPTIONS: option.OptionChecks = {
  baseUrl: option.check('an absolute URL', (value) => typeof value === 'string' && URL.canParse(value)),
  seed: option.integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  now: option.anyValue,
  strict: option.boolean,
  policy: policyChanges,
  maxJournalEntries: option.count(1),
  rpId: option.string,
  verifyPasskey: option.callback,
  replay: option.anyValue,
}

/** The complete service in memory: 55 endpoints, any number of users, and the rules of the API document. */
export interface MockService {
  /** Base URL. */
  readonly baseUrl: string
  /** Whether fields that are not in the contract are rejected. */
  readonly strict: boolean
  /** Decisions that the API document leaves open; {@link MockService.changePolicy} replaces it. */
  readonly policy: Policy
  /** The part of the policy that JSON can represent; `changePolicy` accepts it. */
  readonly policySettings: PolicySettings
  /**
   * Changes the policy while the service runs. `restore` and `reset` do not change it back.
   * @throws TypeError for an unknown or invalid entry; the policy is unchanged then.
   * @example
   * service.changePolicy({ rateLimits: { 'Login Account': { limit: 3, per: '1m' } } })
   */
  changePolicy(changes: PolicyChanges): void
  /** Changes the policy back to the one that the service was created with. */
  resetPolicy(): void
  /** A `fetch` for clients at 127.0.0.1, handled in memory without network access. */
  readonly fetch: typeof fetch
  /**
   * A `WebSocket` class for clients of the gateway at {@link MockGateway.url}, in memory in every runtime.
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
  /** Returns a `fetch` for clients at another IP address; handoffs are bound to one. */
  fetchFrom(ip: string): typeof fetch
  /** Handles a request; for adapters to other transports, such as `/mocks/msw` and `/mocks/node`. */
  handle(request: ServiceRequest): Promise<ServiceOutcome>
  /** Clock that determines when tokens, tickets and sessions expire. */
  readonly clock: Clock
  /** Faults to inject. */
  readonly faults: Faults
  /** Endpoints that the API document does not list. */
  readonly stubs: Stubs
  /** Received requests. */
  readonly journal: Journal
  /** Sent mails. */
  readonly mail: Outbox<MailKind, MailParts>
  /** Sent SMS. */
  readonly sms: Outbox<SmsKind>
  /** Creates, reads and changes accounts. */
  readonly users: MockUsers
  /** Creates and changes applications. */
  readonly applications: seeds.MockApplications
  /** Creates accounts of users in applications. */
  readonly identities: seeds.MockIdentities
  /** Creates and reads relationships. */
  readonly relationships: seeds.MockRelationships
  /** Layout definitions. */
  readonly layouts: seeds.MockLayouts
  /** Issues a token of a user, as if signed in; with `oauth2`, a token of that application. */
  readonly token: seeds.IssueToken
  /** Sessions and faults of the gateway. */
  readonly gateway: MockGateway
  /** Issues a fingerprint; the document does not show the endpoint for it. */
  fingerprint(): string
  /**
   * Returns the service as plain JSON: state, clock, faults, stubs and journal. Contains passwords and tokens. Gateway
   * sessions are not included, because they depend on connections; the policy and the options are those of the service
   * that restores the snapshot.
   */
  snapshot(): MockSnapshot
  /**
   * Restores a snapshot: state, clock, faults, journal and the stubs without a function are replaced, so one call before
   * each test is enough. All
   * gateway sessions end; clients identify again. The snapshot may come from another service, and from JSON.
   * @throws TypeError if it is not a snapshot of this version; the service is unchanged then.
   */
  restore(snapshot: MockSnapshot): void
  /** Restores the initial state: no users, sessions, faults or stubs, an empty journal, and the clock at its start. */
  reset(): void
  /**
   * Closes the service, its gateway and its servers. Pending and later requests are rejected; gateway connections close
   * with 1001.
   */
  close(): Promise<void>
  /**
   * Calls `listener` with each event: requests, messages, changes of accounts, faults, the clock and the policy, and what
   * happens at the gateway. It runs in a microtask.
   * @returns an unsubscribe function.
   * @example
   * service.onEvent((event) => {
   *   if (event.type === 'request') console.log(event.request.path, event.request.status, event.request.reason?.message)
   * })
   */
  onEvent(listener: (event: MockServiceEvent) => void): () => void
  /**
   * Creates another service with the same options, the stubs that have a function, and none of the listeners, for example
   * one for each parallel test.
   * @param snapshot its state. Default: the initial state.
   * @param changes Another `seed`. Default: that of this service.
   * @throws TypeError if it is not a snapshot of this version.
   */
  fork(snapshot?: MockSnapshot, changes?: Pick<MockServiceOptions, 'seed'>): MockService
  /** Calls `callback` when the service is closed. @returns an unsubscribe function. */
  onClose(callback: () => Promise<void>): () => void
  /** Same as {@link MockService.close}. */
  [Symbol.asyncDispose](): Promise<void>
}

const DEFAULT_BASE_URL = 'https://service.example'
export const MAX_JOURNAL_ENTRIES = 1000

/**
 * Creates a mock service. Services share no state; the methods that seed one are synchronous.
 * @throws TypeError if an option is unknown or of the wrong type.
 */
export function createMockService(options: MockServiceOptions = {}): MockService {
  return createService(options, new KnownSecrets())
}

/** Secrets by service, for what else shows them. */
const secrets = new WeakMap<MockService, KnownSecrets>()

/** Returns the secrets of a service and its forks. */
export const knownSecrets = (service: MockService): KnownSecrets => secrets.get(service) ?? new KnownSecrets()

/** Creates the parts of a service, which share its context. */
function createParts(options: MockServiceOptions, known: KnownSecrets) {
  const read = assertOptions('createMockService', options, SERVICE_OPTIONS)
  const { baseUrl = DEFAULT_BASE_URL, seed = 1, now, strict = true, policy } = read
  const url = new URL(baseUrl)
  const clock = createClock(now, () => {
    gateway.recheckTimeouts()
    core.emit({ type: 'clock', now: toTimestamp(clock.now()), frozen: clock.isFrozen })
  })
  const core = createCore({
    baseUrl: url,
    seed,
    strict,
    rpId: read.rpId ?? url.hostname,
    maxJournalEntries: read.maxJournalEntries ?? MAX_JOURNAL_ENTRIES,
    verifyPasskey: read.verifyPasskey,
    replay: read.replay === undefined ? undefined : new Replay(readRecording(read.replay)),
    policy: changePolicy(defaultPolicy, policy),
    clock,
    known,
  })
  const stubs = createStubs()
  const faults: EndpointFaults = createFaults(
    seed,
    (action, fault) => core.emit({ type: 'fault', action, fault }),
    stubs.all,
    (user) => void userOf(core, user),
  )
  const notify = (request: JournalEntry) => core.emit({ type: 'request', request })
  const onCleared = () => core.emit({ type: 'clear', list: 'requests' })
  const journal = createJournal(core.maxJournalEntries, known, notify, stubs.all, onCleared)
  const gateway = createGateway(core)
  return { baseUrl, core, stubs, faults, journal, delays: createDelays(), gateway }
}

type Parts = ReturnType<typeof createParts>

/** Saves and replaces the state of a service. */
function stateOf({ core, stubs, faults, journal, gateway }: Parts) {
  const setDatabase = (db: Database) => {
    releaseDatabase(core.db)
    core.db = db
    core.rateLimitWindows.clear()
  }
  return {
    snapshot: (): MockSnapshot =>
      toPlainJson({
        version: SNAPSHOT_VERSION,
        database: core.db,
        ...core.clock.save(),
        faults: faults.save(),
        stubs: stubs.save(),
        journal: journal.requests,
        dropped: journal.dropped,
        gateway: gateway.save(),
      }),
    restore(given: MockSnapshot): void {
      const snapshot = readSnapshot(given)
      // First, because it may refuse the time.
      core.clock.load({ offset: snapshot.offset, frozenAt: snapshot.frozenAt })
      setDatabase(loadDatabase(snapshot.database, core.known))
      stubs.load(snapshot.stubs)
      faults.load(snapshot.faults)
      journal.load(snapshot.journal, snapshot.dropped)
      gateway.load(snapshot.gateway)
      core.emit({ type: 'restore' })
    },
    reset(): void {
      setDatabase(createDatabase(core.seed, core.known))
      core.clock.load()
      faults.load([])
      stubs.clear()
      journal.load([])
      gateway.load()
      core.emit({ type: 'reset' })
    },
  }
}

/** Changes the policy of a service, also while it runs. */
function policyOf({ core, gateway }: Parts) {
  const initial = core.policy
  const set = (policy: Policy) => {
    core.policy = policy
    gateway.recheckTimeouts()
    core.emit({ type: 'policy', settings: policySettings(policy) })
  }
  return {
    changePolicy: (changes: PolicyChanges) =>
      set(changePolicy(core.policy, assertOptions('changePolicy', changes, POLICY_CHECKS))),
    resetPolicy: () => set(initial),
  }
}

function createService(options: MockServiceOptions, known: KnownSecrets): MockService {
  const parts = createParts(options, known)
  const { baseUrl, core, stubs, faults, journal, delays, gateway } = parts
  const closing = new Set<() => Promise<void>>()
  let isClosed = false

  const handle = async (request: ServiceRequest): Promise<ServiceOutcome> => {
    if (isClosed) throw closedError()
    gateway.checkTimeouts()
    return await handleRequest(parts, request)
  }
  const fetchFrom = (ip: string) => createFetch(handle, core.baseUrl, ip)
  const close = async (): Promise<void> => {
    isClosed = true
    releaseDatabase(core.db)
    delays.close()
    gateway.close()
    await Promise.all([...closing].map((callback) => callback()))
  }
  const service: MockService = {
    baseUrl,
    strict: core.strict,
    get policy() {
      return core.policy
    },
    get policySettings() {
      return policySettings(core.policy)
    },
    ...policyOf(parts),
    ...stateOf(parts),
    fetch: fetchFrom('127.0.0.1'),
    WebSocket: createWebSocketClass(core.baseUrl, gateway.gateway),
    fetchFrom,
    handle,
    clock: core.clock,
    faults,
    stubs,
    journal,
    mail: createOutbox<MailKind, MailParts>(core, 'mail', () => core.db.mail),
    sms: createOutbox(core, 'sms', () => core.db.sms),
    users: createUsers(core),
    applications: seeds.createApplications(core),
    identities: seeds.createIdentities(core),
    relationships: seeds.createRelationships(core),
    layouts: seeds.createLayouts(core),
    token: seeds.createTokenIssuer(core),
    gateway: gateway.gateway,
    fingerprint: () => known.note(`${core.random.snowflake()}.${core.random.text(27)}`),
    onEvent: (listener) => option.addListener('service.onEvent', core.eventListeners, listener),
    fork(snapshot, changes) {
      const forked = createService({ ...options, ...changes }, known)
      for (const [endpoint, answer] of stubs.functions()) forked.stubs.on(endpoint, answer)
      if (snapshot !== undefined) forked.restore(snapshot)
      return forked
    },
    close,
    onClose: (listener) => option.addListener('service.onClose', closing, listener),
    [Symbol.asyncDispose]: close,
  }
  secrets.set(service, known)
  return service
}
