// `createMockControl`: a mock service in another process, with the same methods as one in memory.
import type { LayoutDefinition } from '../../src/contract/widget-configs'
import type { Duration } from '../clock'
import type { GatewayEventName, MockServiceEvent } from '../core'
import type { MailKind, MailParts, Message, SmsKind, UserRef } from '../database'
import type { Fault } from '../faults'
import type { MockGateway } from '../gateway/gateway'
import type { MessageQuery } from '../outbox'
import type { PolicySettings } from '../policy'
import type { EndpointSelector } from '../router'
import type { CreateIdentityOptions, MockApplications, MockRelationships, TokenOptions } from '../seed/data'
import type { MockUsers } from '../seed/users'
import type { MockSnapshot } from '../snapshot'
import type { StubAnswer, StubEndpoint } from '../stubs/stubs'
import {
  type Caller,
  createCaller,
  idOf,
  items,
  MockControlError,
  type MockControlOptions,
  readEvents,
  withId,
} from './caller'
import type { ControlFault } from './rows-service'
import type { RequestExpectation, RequestFilter } from './rows-traffic'
import type { SeedData } from './seed-data'

export type { MessageQuery } from '../outbox'
export { MockControlError, type MockControlOptions } from './caller'
export type { NamedSnapshot, ProblemError } from './row'
export type { ClockState, ControlFault, ControlHealth } from './rows-service'
export type { RequestExpectation, RequestFilter } from './rows-traffic'
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

/** What a gateway fault has affected. */
export interface ControlGatewayFault {
  /** Number of connections that it affected at once. */
  readonly count: number
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

type Call = Caller['call']

/** Waits for a change whose result the method in process does not return. */
const changed = async (result: Promise<unknown>) => void (await result)
const issued = async (result: Promise<{ readonly token: string }>) => (await result).token

/** Accounts. */
const usersOf = (
  call: Call,
): Promised<MockUsers> & {
  /** Deletes all accounts. */
  clear(): Promise<void>
} => ({
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

const applicationsOf = (call: Call): Promised<MockApplications> => ({
  all: () => items(call('GET /applications')),
  create: ({ members = [], ...options }) =>
    call('POST /applications', {
      ...options,
      members: members.map((one) => idOf(one, 'applications.create: members')),
    }),
  botToken: (application) => issued(call('POST /applications/{id}/bot-token', undefined, application)),
  authorize: (application, user) => call('POST /applications/{id}/authorize', { user }, application),
})

const relationshipsOf = (call: Call): Promised<MockRelationships> => ({
  befriend: (user, target) => call('POST /relationships/befriend', { user, target }),
  request: (user, target, more) => call('POST /relationships/request', { user, target, ...more }),
  block: (user, target) => call('POST /relationships/block', { user, target }),
  remove: (user, target) => call('POST /relationships/remove', { user, target }),
  addImplicit: (user, target) => call('POST /relationships/implicit', { user, target }),
  between: async (user, target) => (await call('GET /relationships', { user, target })).type,
})

const outboxOf = <K extends MailKind | SmsKind, Parts>(call: Call, name: 'mail' | 'sms'): ControlOutbox<K, Parts> => ({
  // The kinds of the messages are those of the outbox.
  all: (filter: object = {}) => items<Message<K> & Parts>(call(`GET /${name}`, filter) as Promise<never>),
  // The kind of the message is that of the filter.
  last: (filter: object = {}) => call(`GET /${name}/last`, filter) as Promise<never>,
  remove: (id) => call(`DELETE /${name}/{id}`, undefined, id),
  clear: () => call(`DELETE /${name}`),
})

const gatewayFaultsOf = (call: Call): ControlGatewayFaults => ({
  drop: (code = 1006, more = {}) => call('POST /gateway/drop', { code, ...more }),
  freeze: (more = {}) => call('POST /gateway/freeze', more),
  unfreeze: (more = {}) => call('POST /gateway/unfreeze', more),
  refuse: (more = {}) => call('POST /gateway/refuse', more),
  invalidSession: (resumable, more = {}) => call('POST /gateway/invalid', { resumable, ...more }),
  reconnect: (more = {}) => call('POST /gateway/reconnect', more),
  duplicate: (more = {}) => call('POST /gateway/duplicate', more),
  sendRaw: (frame, more = {}) => call('POST /gateway/raw', { frame, ...more }),
})

/** State of the mock, and what determines it. */
const stateOf = (call: Call) => ({
  /** Returns that the mock is up, and its version. */
  health: () => call('GET /health'),
  /** Restores the state, the clock and the policy that the namespace began with. */
  reset: () => call('POST /reset'),
  /** Adds the data of a seed to the namespace, all of it or nothing. @returns its accounts. */
  seed: (data: SeedData) => items(call('POST /seed', data)),
  /** Namespaces in use. */
  namespaces: {
    /** Returns their names, the default one first. */
    all: async () => (await call('GET /namespaces')).items.map(({ name }) => name),
    /** Removes a namespace and closes its connections; resets the default one. */
    remove: (name: string) => call('DELETE /namespaces/{id}', undefined, name),
  },
  /** Snapshots that the mock stores by name. */
  snapshots: {
    /** Returns the stored snapshots. */
    all: () => items(call('GET /snapshots')),
    /** Takes a snapshot, or stores the given one. */
    save: (name: string, snapshot?: MockSnapshot) => call('PUT /snapshots/{id}', snapshot, name),
    /** Returns a snapshot; it contains passwords and tokens. */
    get: (name: string) => call('GET /snapshots/{id}', undefined, name),
    /** Restores a snapshot; all gateway sessions end. */
    restore: (name: string) => call('POST /snapshots/{id}/restore', undefined, name),
    /** Deletes a snapshot. */
    remove: (name: string) => call('DELETE /snapshots/{id}', undefined, name),
  },
  /** Clock of the service; each call returns its state. */
  clock: {
    /** Returns the time. */
    get: () => call('GET /clock'),
    /** Moves the time forward. */
    advance: (by: Duration) => call('POST /clock/advance', { by }),
    /** Sets the time, forward or back. */
    set: (to: Date | string | number) => call('POST /clock/set', { to: to instanceof Date ? to.toISOString() : to }),
    /** Stops the clock, or with `false` lets it continue. */
    freeze: (frozen = true) => call('POST /clock/freeze', { frozen }),
  },
  /** Settings of the policy. */
  policy: {
    /** Returns all settings. */
    get: () => call('GET /policy'),
    /** Changes some settings. @returns all settings. */
    change: (settings: PolicySettings) => call('PATCH /policy', settings),
  },
})

/** What a test seeds. */
const seedsOf = (call: Call) => ({
  /** Accounts. */
  users: usersOf(call),
  /** Issues a token of a user, as if the user had signed in. */
  token: (user: UserRef, options: TokenOptions = {}) => issued(call('POST /tokens', { user, ...options })),
  /** Issues a fingerprint. */
  fingerprint: async () => (await call('POST /fingerprints')).fingerprint,
  /** Applications. */
  applications: applicationsOf(call),
  /** Accounts of users in applications. */
  identities: {
    /** Links a user to an external account and authorizes the application for the user. */
    create: ({ application, ...identity }: CreateIdentityOptions) =>
      call('POST /applications/{id}/identities', identity, application),
  },
  /** Layout definitions. */
  layouts: {
    /** Adds a definition or replaces the one with the same key. */
    define: ({ key, ...definition }: LayoutDefinition) => call('PUT /layouts/{id}', definition, key),
  },
  /** Relationships. */
  relationships: relationshipsOf(call),
})

/** What the service sent and received, and how it responds. */
const trafficOf = (call: Call) => ({
  /** Mails that the service sent. */
  mail: outboxOf<MailKind, MailParts>(call, 'mail'),
  /** SMS that the service sent. */
  sms: outboxOf<SmsKind, unknown>(call, 'sms'),
  /** Faults of endpoints. */
  faults: {
    /** Makes an endpoint fail, by its name or by method and path. */
    on: (endpoint: EndpointSelector, { match, ...fault }: Fault): Promise<ControlFault> =>
      call('POST /faults', { endpoint, ...fault, ...(match && { match: withId(match) }) }),
    /** Returns the faults, in the order in which they apply. */
    all: () => items(call('GET /faults')),
    /** Removes a fault by its `id`. */
    remove: (id: number) => call('DELETE /faults/{id}', undefined, String(id)),
    /** Removes all faults. */
    clear: () => call('DELETE /faults'),
  },
  /** Endpoints that the API document does not list. */
  stubs: {
    /** Responds to requests to an endpoint, as `service.stubs.on`. Replaces an earlier stub of that endpoint. */
    on: (endpoint: StubEndpoint, answer: StubAnswer) => call('POST /stubs', { endpoint, ...answer }),
    /** Returns the stubs. */
    all: () => items(call('GET /stubs')),
    /** Removes the stub of an endpoint. */
    remove: (endpoint: StubEndpoint) => call('DELETE /stubs', { endpoint }),
    /** Removes all stubs. */
    clear: () => call('DELETE /stubs'),
  },
  /** Requests that the service received. */
  requests: {
    /**
     * Returns the requests, oldest first.
     * @param filter `limit` keeps the last ones; `wait`, at most `'60s'`, is the real time to wait for `count` of them, or one.
     */
    all: (
      filter: RequestFilter & { readonly limit?: number; readonly wait?: Duration; readonly count?: number } = {},
    ) => items(call('GET /requests', filter)),
    /** Returns the number of requests. @throws MockControlError with status 409 if the journal no longer has all of them. */
    count: async (filter: RequestFilter = {}) => (await call('GET /requests/count', filter)).count,
    /**
     * Resolves if the requests were received.
     * @param expected `times` is their exact number, by default at least one; with `order`, each of these requests must
     * follow the one before it, with any others in between; `wait` is the real time to wait for them, at most `'60s'`.
     * @throws MockControlError with status 409 and the requests that come closest, or if the journal no longer has enough.
     */
    verify: ({
      order,
      ...expected
    }: RequestExpectation & {
      readonly times?: number
      readonly order?: readonly RequestExpectation[]
      readonly wait?: Duration
    }) => call('POST /requests/verify', { ...expected, ...(order && { order: order.map(withId) }) }),
    /** Deletes the recorded requests. */
    clear: () => call('DELETE /requests'),
  },
})

/** The gateway, and the events of all parts. */
const eventsOf = ({ call, send }: Caller) => ({
  /** Sessions and faults of the gateway. */
  gateway: Object.assign(gatewayFaultsOf(call), {
    /** Returns the sessions that have not ended. */
    sessions: () => items(call('GET /gateway/sessions')),
    /** Returns the attempts to identify and to resume, oldest first. */
    journal: () => items(call('GET /gateway/journal')),
    /** Returns the last frames of all connections, or of those of a session, oldest first. */
    frames: (session?: string) => items(call('GET /gateway/frames', { session })),
    /** Sends an event to the sessions of a user, or of all users. @returns the number of sessions. */
    emit: async (event: GatewayEventName | (string & {}), data: unknown, { to }: { readonly to?: UserRef } = {}) =>
      (await call('POST /gateway/emit', { event, data, user: to })).count,
    /** Removes all faults, and lets frozen connections continue. */
    clear: () => call('DELETE /gateway/faults'),
  }),
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
  async *events<T extends MockServiceEvent['type'] = MockServiceEvent['type']>({
    types = [],
    signal,
  }: {
    readonly types?: readonly T[]
    readonly signal?: AbortSignal
  } = {}): AsyncGenerator<MockServiceEvent & { readonly type: T }, void, void> {
    const query = types.length === 0 ? '' : `?types=${types}`
    const { body } = await send('GET', `/events${query}`, signal ? { signal } : {})
    if (body !== null) yield* readEvents(body)
  },
})

/** Returns the members of {@link MockControl} but `namespace`. */
function membersOf(url: string | URL, options: MockControlOptions) {
  const caller = createCaller(url, options)
  const { call } = caller
  return { ...stateOf(call), ...seedsOf(call), ...trafficOf(call), ...eventsOf(caller) }
}

/**
 * A mock in another process, such as `rapport-mock`. Its members are those of `MockService`, but return promises. Users
 * are given by record, ID, login or username. All calls throw {@link MockControlError}.
 */
export interface MockControl extends ReturnType<typeof membersOf> {
  /** Returns the control of another namespace of the same mock. */
  namespace(name: string): MockControl
}

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
  return {
    ...membersOf(url, options),
    namespace: (name) => createMockControl(url, { ...options, namespace: idOf(name, 'namespace') }),
  }
}
