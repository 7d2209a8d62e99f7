// `createMockControl`: a mock service in another process, with the same methods as one in memory.
import type { Duration } from '../clock'
import type { GatewayEventName, MockServiceEvent } from '../core'
import type { MailKind, MailParts, Message, MockUser, SmsKind, UserRef } from '../database'
import type { Fault } from '../faults'
import type { PendingGatewayFault } from '../gateway/connection'
import type { MockGateway, MockGatewaySession } from '../gateway/gateway'
import type { GatewayJournalEntry, MockGatewayFrame } from '../gateway/hub'
import type { PolicySettings } from '../policy'
import type { EndpointSelector } from '../router'
import type { MockApplications, MockIdentities, MockLayouts, MockRelationships, TokenOptions } from '../seed/data'
import type { MockUsers } from '../seed/users'
import type { MockSnapshot } from '../snapshot'
import {
  argument,
  type Caller,
  createCaller,
  idOf,
  items,
  MockControlError,
  type MockControlOptions,
  readEvents,
} from './caller'
import type { NamedSnapshot } from './row'
import type { ClockState, ControlFault, ControlHealth } from './rows-service'
import type { MessageQuery } from './rows-traffic'
import type { SeedData } from './seed-data'
import { type ControlRequests, type ControlStubs, requestsOf, stubsOf } from './traffic-client'

export { MockControlError, type MockControlOptions } from './caller'
export type { NamedSnapshot, ProblemError } from './row'
export type { ClockState, ControlFault, ControlHealth } from './rows-service'
export type { MessageQuery, RequestExpectation, RequestFilter } from './rows-traffic'
export type {
  SeedApplication,
  SeedData,
  SeedFault,
  SeedGameSuggestion,
  SeedIdentity,
  SeedRelationship,
  SeedSuggestion,
  SeedUser,
} from './seed-data'
export type { ControlRequests, ControlStubs } from './traffic-client'

/** The methods of `T`, each of which returns a promise. */
export type Promised<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Result>
    : never
}

/** Mails or SMS of a mock in another process; `Parts` are what they have in addition to the contents of their kind. */
export interface ControlOutbox<K extends MailKind | SmsKind, Parts = unknown> {
  /** Returns the messages, oldest first. */
  all(filter?: MessageQuery<K>): Promise<(Message<K> & Parts)[]>
  /**
   * Returns the last message.
   * @param filter `wait` is the real time to wait if there is none yet, at most `'60s'`. Default: no wait.
   * @throws MockControlError with status 404 if there is none in time.
   */
  last<Kind extends K = K>(filter?: MessageQuery<Kind> & { readonly wait?: Duration }): Promise<Message<Kind> & Parts>
  /** Deletes a message. */
  remove(id: string): Promise<void>
  /** Deletes all messages. */
  clear(): Promise<void>
}

/** Number of connections that a gateway fault has affected, and its ID if it applies later. */
export interface ControlGatewayFault {
  /** Connections that it affected at once. */
  readonly count: number
  /** ID among the faults that apply later; `null` otherwise. */
  readonly id: number | null
}

/** The faults of `MockGateway`; the number of affected connections is known when a call resolves. */
export type ControlGatewayFaults = {
  readonly [K in
    | 'drop'
    | 'freeze'
    | 'unfreeze'
    | 'refuse'
    | 'invalidSession'
    | 'reconnect'
    | 'duplicate'
    | 'sendRaw']: (...args: Parameters<MockGateway[K]>) => Promise<ControlGatewayFault>
}

/**
 * A mock in another process, such as `rapport-mock`. Its members are those of `MockService`, but return promises. Users
 * are given by record, ID, login or username. All calls throw {@link MockControlError}.
 */
export interface MockControl {
  /** Returns that the mock is up, and its version. */
  health(): Promise<ControlHealth>
  /** Restores the state, the clock and the policy that the namespace began with. */
  reset(): Promise<void>
  /** Adds the data of a seed to the namespace, all of it or nothing. @returns its accounts. */
  seed(data: SeedData): Promise<MockUser[]>
  /** Returns the control of another namespace of the same mock. */
  namespace(name: string): MockControl
  /** Namespaces in use. */
  readonly namespaces: {
    /** Returns their names, the default one first. */
    all(): Promise<string[]>
    /** Removes a namespace and closes its connections; resets the default one. */
    remove(name: string): Promise<void>
  }
  /** Snapshots that the mock stores by name. */
  readonly snapshots: {
    /** Returns the stored snapshots. */
    all(): Promise<NamedSnapshot[]>
    /** Takes a snapshot, or stores the given one. */
    save(name: string, snapshot?: MockSnapshot): Promise<NamedSnapshot>
    /** Returns a snapshot; it contains passwords and tokens. */
    get(name: string): Promise<MockSnapshot>
    /** Restores a snapshot; all gateway sessions end. */
    restore(name: string): Promise<void>
    /** Deletes a snapshot. */
    remove(name: string): Promise<void>
  }
  /** Clock of the service; each call returns its state. */
  readonly clock: {
    /** Returns the time. */
    get(): Promise<ClockState>
    /** Moves the time forward. */
    advance(by: Duration): Promise<ClockState>
    /** Sets the time, forward or back. */
    set(to: Date | string | number): Promise<ClockState>
    /** Stops the clock, or with `false` lets it continue. */
    freeze(frozen?: boolean): Promise<ClockState>
  }
  /** Accounts. */
  readonly users: Promised<MockUsers> & {
    /** Removes all accounts. */
    clear(): Promise<void>
  }
  /** Issues a token of a user, as if the user had signed in. */
  token(user: UserRef, options?: TokenOptions): Promise<string>
  /** Issues a fingerprint. */
  fingerprint(): Promise<string>
  /** Applications. */
  readonly applications: Promised<MockApplications>
  /** Accounts of users in applications. */
  readonly identities: Promised<MockIdentities>
  /** Layout definitions. */
  readonly layouts: Promised<MockLayouts>
  /** Relationships. */
  readonly relationships: Promised<MockRelationships>
  /** Mails that the service sent. */
  readonly mail: ControlOutbox<MailKind, MailParts>
  /** SMS that the service sent. */
  readonly sms: ControlOutbox<SmsKind>
  /** Faults of endpoints. */
  readonly faults: {
    /** Makes an endpoint fail, by its name or by method and path. */
    on(endpoint: EndpointSelector, fault: Fault): Promise<ControlFault>
    /** Returns the faults, in the order in which they apply. */
    all(): Promise<ControlFault[]>
    /** Removes a fault by its `id`. */
    remove(id: number): Promise<void>
    /** Removes all faults. */
    clear(): Promise<void>
  }
  /** Endpoints that the API document does not list. */
  readonly stubs: ControlStubs
  /** Requests that the service received. */
  readonly requests: ControlRequests
  /** Sessions and faults of the gateway. */
  readonly gateway: ControlGatewayFaults & {
    /** Returns the sessions that have not ended. */
    sessions(): Promise<MockGatewaySession[]>
    /** Returns the attempts to identify and to resume, oldest first. */
    journal(): Promise<GatewayJournalEntry[]>
    /** Returns the last frames of all connections, or of those of a session, oldest first. */
    frames(session?: string): Promise<MockGatewayFrame[]>
    /** Returns the faults that apply later. */
    faults(): Promise<PendingGatewayFault[]>
    /** @returns the number of sessions. */
    emit(event: GatewayEventName | (string & {}), data: unknown, options?: { readonly to?: UserRef }): Promise<number>
    /** Removes all faults, and lets frozen connections continue. */
    clear(): Promise<void>
  }
  /** Settings of the policy. */
  readonly policy: {
    /** Returns all settings. */
    get(): Promise<PolicySettings>
    /** Changes some settings. @returns all settings. */
    change(settings: PolicySettings): Promise<PolicySettings>
  }
  /**
   * Returns the events of the namespace as they happen. The stream ends with the mock.
   * @param options `types` filters, also the type of the events.
   * @example
   * import { createMockControl } from 'rapport-sdk/mocks/control'
   *
   * async function logRequests(signal: AbortSignal): Promise<void> {
   *   const mock = createMockControl('http://127.0.0.1:4817')
   *   for await (const event of mock.events({ types: ['request'], signal })) console.log(event.request.path)
   * }
   */
  events<T extends MockServiceEvent['type'] = MockServiceEvent['type']>(options?: {
    readonly types?: readonly T[]
    readonly signal?: AbortSignal
  }): AsyncGenerator<MockServiceEvent & { readonly type: T }, void, void>
}

type Call = Caller['call']

/** Waits for a change whose result the method in process does not return. */
const changed = async (result: Promise<unknown>) => void (await result)
const issued = async (result: Promise<{ readonly token: string }>) => (await result).token

const usersOf = (call: Call): MockControl['users'] => ({
  all: () => items(call('GET /users')),
  create: (params) => call('POST /users', params),
  get: (user) => call('GET /users/{id}', undefined, user),
  find: (login) =>
    call('GET /users/{id}', undefined, login).catch((error: unknown) => {
      if (error instanceof MockControlError && error.status === 404) return undefined
      throw error
    }),
  remove: (user) => call('DELETE /users/{id}', undefined, user),
  clear: () => call('DELETE /users'),
  lock: (user) => changed(call('POST /users/{id}/lock', undefined, user)),
  disable: (user) => changed(call('POST /users/{id}/disable', undefined, user)),
  enable: (user) => changed(call('POST /users/{id}/enable', undefined, user)),
  scheduleDeletion: (user) => changed(call('POST /users/{id}/schedule-deletion', undefined, user)),
  suspend: (user) => issued(call('POST /users/{id}/suspend', undefined, user)),
  setFactors: (user, mfa) => changed(call('POST /users/{id}/factors', { mfa }, user)),
  changeEmail: (user, email) => changed(call('POST /users/{id}/email', { email }, user)),
  changePhone: (user, phone) => changed(call('POST /users/{id}/phone', { phone }, user)),
  addPasskey: (user, passkey) => changed(call('POST /users/{id}/passkeys', passkey, user)),
  passkey: (user, given) => {
    const json = typeof given === 'string' ? given : JSON.stringify(given)
    return call('POST /users/{id}/passkey-credential', { options: json }, user)
  },
  totp: async (user) => (await call('GET /users/{id}/totp', undefined, user)).code,
  totpSecret: async (user) => (await call('GET /users/{id}/totp', undefined, user)).secret,
  backupCodes: (user) => items(call('GET /users/{id}/backup-codes', undefined, user)),
  verificationToken: (user, ip) => issued(call('POST /users/{id}/verification-token', { ip }, user)),
  contactSyncToken: (user) => issued(call('POST /users/{id}/contact-sync-token', undefined, user)),
  phoneToken: (phone, code) => issued(call('POST /phone-tokens', { phone, code })),
  suggest: (user, target, more) => call('POST /suggestions', { user, target, ...more }),
  suggestGames: (user, games) => call('POST /game-suggestions', { user, ...games }),
})

/**
 * Creates the typed client of the control API of a mock in another process, such as `rapport-mock`.
 * @param url URL of the mock; its path is ignored.
 * @throws TypeError for an invalid URL.
 * @example
 * import { createMockControl } from 'rapport-sdk/mocks/control'
 *
 * async function prepare(): Promise<void> {
 *   const mock = createMockControl('http://127.0.0.1:4817', { namespace: 'worker-3' })
 *   await mock.reset()
 *   await mock.users.create({ login: 'ada@example.com', password: 'correct horse battery staple', mfa: ['totp'] })
 *   await mock.faults.on('Get Relationships', { status: 503, times: 2 })
 * }
 */
export function createMockControl(url: string | URL, options: MockControlOptions = {}): MockControl {
  const { send, call } = createCaller(url, options)
  return {
    health: () => call('GET /health'),
    reset: () => call('POST /reset'),
    seed: async (data) => items(call('POST /seed', argument('seed', 'data such as { users: [] }', data))),
    namespace: (name) => createMockControl(url, { ...options, namespace: idOf(name, 'namespace') }),
    namespaces: {
      all: async () => (await call('GET /namespaces')).items.map(({ name }) => name),
      remove: (name) => call('DELETE /namespaces/{id}', undefined, name),
    },
    snapshots: {
      all: () => items(call('GET /snapshots')),
      save: (name, snapshot) => call('PUT /snapshots/{id}', snapshot, name),
      get: (name) => call('GET /snapshots/{id}', undefined, name),
      restore: (name) => call('POST /snapshots/{id}/restore', undefined, name),
      remove: (name) => call('DELETE /snapshots/{id}', undefined, name),
    },
    clock: {
      get: () => call('GET /clock'),
      advance: (by) => call('POST /clock/advance', { by }),
      set: (to) => call('POST /clock/set', { to: to instanceof Date ? to.toISOString() : to }),
      freeze: (frozen = true) => call('POST /clock/freeze', { frozen }),
    },
    users: usersOf(call),
    token: (user, more = {}) => issued(call('POST /tokens', { user, ...more })),
    fingerprint: async () => (await call('POST /fingerprints')).fingerprint,
    applications: {
      all: () => items(call('GET /applications')),
      async create(options) {
        const { members = [], ...rest } = argument('applications.create', 'an application such as { owner }', options)
        const ids = members.map((member) => idOf(member, 'applications.create: members'))
        return await call('POST /applications', { ...rest, members: ids })
      },
      botToken: (application) => issued(call('POST /applications/{id}/bot-token', undefined, application)),
      authorize: (application, user) => call('POST /applications/{id}/authorize', { user }, application),
    },
    identities: {
      async create(options) {
        const example = 'an identity such as { application, user, externalUserId }'
        const { application, ...identity } = argument('identities.create', example, options)
        await call('POST /applications/{id}/identities', identity, application)
      },
    },
    layouts: {
      async define(layout) {
        const { key, ...definition } = argument('layouts.define', 'a definition such as { key, surface }', layout)
        await call('PUT /layouts/{id}', definition, key)
      },
    },
    relationships: {
      befriend: (user, target) => call('POST /relationships/befriend', { user, target }),
      request: (user, target, more) => call('POST /relationships/request', { user, target, ...more }),
      block: (user, target) => call('POST /relationships/block', { user, target }),
      remove: (user, target) => call('POST /relationships/remove', { user, target }),
      addImplicit: (user, target) => call('POST /relationships/implicit', { user, target }),
      async between(user, target) {
        const users = { user: idOf(user, 'relationships.between'), target: idOf(target, 'relationships.between') }
        return (await call('GET /relationships', users)).type
      },
    },
    mail: {
      all: (filter = {}) => items(call('GET /mail', filter)),
      // The kind of the message is that of the filter.
      last: (filter = {}) => call('GET /mail/last', filter) as Promise<never>,
      remove: (id) => call('DELETE /mail/{id}', undefined, id),
      clear: () => call('DELETE /mail'),
    },
    sms: {
      all: (filter = {}) => items(call('GET /sms', filter)),
      // The kind of the message is that of the filter.
      last: (filter = {}) => call('GET /sms/last', filter) as Promise<never>,
      remove: (id) => call('DELETE /sms/{id}', undefined, id),
      clear: () => call('DELETE /sms'),
    },
    faults: {
      async on(endpoint, given) {
        const { match, ...fault } = argument('faults.on', 'a fault such as { status: 503 }', given)
        const { user, ...others } = match ?? {}
        const matched = { ...others, ...(user !== undefined && { user: idOf(user, 'faults.on: match.user') }) }
        return await call('POST /faults', { endpoint, ...fault, ...(match && { match: matched }) })
      },
      all: () => items(call('GET /faults')),
      remove: (id) => call('DELETE /faults/{id}', undefined, String(id)),
      clear: () => call('DELETE /faults'),
    },
    stubs: stubsOf(call),
    requests: requestsOf(call),
    gateway: {
      sessions: () => items(call('GET /gateway/sessions')),
      journal: () => items(call('GET /gateway/journal')),
      frames: (session) => items(call('GET /gateway/frames', { session })),
      faults: () => items(call('GET /gateway/faults')),
      drop: (code = 1006, more = {}) => call('POST /gateway/drop', { code, ...more }),
      freeze: (more = {}) => call('POST /gateway/freeze', more),
      unfreeze: (more = {}) => call('POST /gateway/unfreeze', more),
      refuse: (more = {}) => call('POST /gateway/refuse', more),
      invalidSession: (resumable, more = {}) => call('POST /gateway/invalid', { resumable, ...more }),
      reconnect: (more = {}) => call('POST /gateway/reconnect', more),
      duplicate: (more = {}) => call('POST /gateway/duplicate', more),
      sendRaw: (frame, more = {}) => call('POST /gateway/raw', { frame, ...more }),
      emit: async (event, data, { to } = {}) => (await call('POST /gateway/emit', { event, data, user: to })).count,
      clear: () => call('DELETE /gateway/faults'),
    },
    policy: {
      get: () => call('GET /policy'),
      change: async (settings) =>
        call('PATCH /policy', argument('policy.change', 'settings such as { rateLimits: {} }', settings)),
    },
    async *events({ types = [], signal } = {}) {
      const query = types.length === 0 ? '' : `?types=${types}`
      const { body } = await send('GET', `/events${query}`, signal ? { signal } : {})
      if (body !== null) yield* readEvents(body)
    },
  }
}
