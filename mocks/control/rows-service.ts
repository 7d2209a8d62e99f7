// Rows of the service itself: its state, namespaces, clock, policy, faults and stubs.
import { version } from '../../package.json'
import * as s from '../../src/contract/schema'
import type { Clock, Duration } from '../clock'
import { eventTypes } from '../core'
import { FAULT_OPTIONS, type Fault, type PendingFault } from '../faults'
import type { PolicySettings } from '../policy'
import { assertRoute, assertSelector, type EndpointSelector, endpointNames } from '../router'
import type { MockService } from '../service'
import * as option from '../settings'
import { fields, toJsonSchema } from '../settings'
import type { MockSnapshot } from '../snapshot'
import { policySettingsCheck } from '../state/policy-settings'
import {
  ANSWER_OPTIONS,
  partsOfStub,
  type Stub,
  type StubAnswer,
  type StubEndpoint,
  StubEndpointSchema,
  StubSchema,
} from '../stubs/stubs'
import { literal } from '../table'
import {
  assertName,
  type Call,
  existing,
  given,
  listRow,
  type NamedSnapshot,
  options,
  refusal,
  requireUser,
  row,
} from './row'

/** That the service is up. Without the control token, there is only `status`. */
export interface ControlHealth {
  /** `ok`. */
  readonly status: 'ok'
  /** Version of the package. */
  readonly version?: string
}

/** The state of the clock. */
export interface ClockState {
  /** Time, ISO 8601. */
  readonly now: string
  /** Whether it stands still. */
  readonly frozen: boolean
  /** Milliseconds ahead of the wall clock; negative behind it. */
  readonly offset: number
}

const time = option.check(
  'a time with its zone, such as "2026-12-31T23:59:00Z", or milliseconds since the epoch',
  (value) => typeof value === 'string' || Number.isInteger(value),
  { type: ['string', 'integer'] },
)

const ClockSchema = s.looseObject<ClockState>()({ now: s.string, frozen: s.boolean, offset: s.number })

/** Creates the row of a call that may move the clock and returns its state. */
const clockRow = <P>(summary: string, params?: s.Schema<P>, move: (clock: Clock, params: P) => void = () => {}) =>
  row(
    summary,
    ({ service: { clock }, params }: Call<P>): ClockState => {
      move(clock, params)
      const now = clock.now()
      return { now: new Date(now).toISOString(), frozen: clock.isFrozen, offset: now - Date.now() }
    },
    { params, result: ClockSchema },
  )

const SnapshotNameSchema = s.looseObject<NamedSnapshot>()({
  name: s.string,
  at: s.string,
  excludes: s.readonlyArray(literal('policy', 'gateway_sessions')),
})

const named = (name: string, at: string): NamedSnapshot => ({ name, at, excludes: ['policy', 'gateway_sessions'] })
const NamespaceSchema = s.looseObject<{ readonly name: string }>()({ name: s.string })

/** The fields of a snapshot other than its version are internal. */
const SnapshotSchema = s.looseObject<Pick<MockSnapshot, 'version'>>()({
  version: literal(1),
}) as unknown as s.Schema<MockSnapshot>

const PolicySchema = option.fromCheck<PolicySettings>(policySettingsCheck)

const HealthSchema = s.looseObject<ControlHealth>()({
  status: literal('ok'),
  version: s.optional(s.string),
})

/** A fault of an endpoint, as the control API shows it. */
export type ControlFault = Fault & {
  /** ID, to remove it. */
  readonly id: number
  /** Name of the endpoint, or method and path. */
  readonly endpoint: EndpointSelector
  /** Number of requests that it still affects; `null` for all. */
  readonly left: number | null
  /** Number of requests that it still lets pass. */
  readonly after: number
}

const faultView = ({ selector, fault, ...pending }: PendingFault): ControlFault => ({
  endpoint: selector,
  ...fault,
  ...pending,
})

export function assertEndpoint({ stubs }: MockService, path: string, selector: EndpointSelector | undefined): void {
  try {
    if (selector !== undefined) assertSelector(selector, stubs.all())
  } catch (error) {
    const [message = ''] = (error instanceof Error ? error.message : String(error)).split('; names: ')
    throw refusal(400, path, message, endpointNames)
  }
}

/** Refuses endpoints and users that do not exist: nothing would be found, and no request be expected. */
export function assertFilter(
  service: MockService,
  path: string,
  filter: { endpoint?: EndpointSelector; user?: string },
) {
  const { endpoint, user } = filter
  assertEndpoint(service, `${path}endpoint`, endpoint)
  // Requests of accounts that were removed stay in the journal.
  const isInJournal = service.journal.requests.some((entry) => entry.user === user)
  if (user !== undefined && !isInJournal) requireUser(service, user, `${path}user`)
}

export type ControlFaultParams = { readonly endpoint: EndpointSelector } & Fault

const isString = (value: unknown) => typeof value === 'string'
const endpointName = option.check('the name of an endpoint, or a method and a path', isString, { type: 'string' })
export const FAULT = option.nested({ endpoint: endpointName, ...FAULT_OPTIONS }, ['endpoint'])
const FaultSchema = option.fromCheck<ControlFaultParams>(FAULT)

/** A fault is validated when it is added. */
const PendingFaultSchema = s.refine(
  s.unchecked<ControlFault>(),
  () => [],
  option.schemaOf(
    option.nested(
      {
        ...FAULT_OPTIONS,
        id: option.integer(1, Number.MAX_SAFE_INTEGER),
        endpoint: endpointName,
        left: option.orNull(option.integer(0, Number.MAX_SAFE_INTEGER)),
      },
      ['id', 'endpoint', 'left', 'after'],
    ),
  ) ?? {},
)

/** Adds a fault whose user is given by ID, login or username. */
export function addFault(service: MockService, { endpoint, ...fault }: ControlFaultParams): ControlFault {
  const { user, ...match } = fault.match ?? {}
  const resolved = user === undefined ? {} : { user: requireUser(service, user, '/match/user').id }
  assertEndpoint(service, '/endpoint', endpoint)
  given('/endpoint', () => assertRoute(endpoint, service.stubs.all()))
  const injected = { ...fault, ...(fault.match && { match: { ...match, ...resolved } }) }
  given('', () => service.faults.on(endpoint, injected))
  const added = service.faults.all().at(-1)
  if (added === undefined) throw new Error('the fault was not added')
  return faultView(added)
}

/** Schemas with a name in the OpenAPI document. */
export const stateSchemas = {
  Clock: ClockSchema,
  Fault: FaultSchema,
  Health: HealthSchema,
  Namespace: NamespaceSchema,
  PendingFault: PendingFaultSchema,
  Policy: PolicySchema,
  Snapshot: SnapshotSchema,
  StoredSnapshot: SnapshotNameSchema,
}

/** What {@link stateRows} returns for events: their types. */
export const EventsSchema = s.readonlyArray(s.string)

function snapshotOf({ namespace, id }: Call<unknown>) {
  const { snapshots } = namespace
  return existing(snapshots.get(id), 'id', `there is no snapshot ${JSON.stringify(id)}`, () => [...snapshots.keys()])
}

export const stateRows = {
  'GET /health': row(
    'Returns that the service is up, and the version of the package; without the control token only the former',
    () => ({ status: 'ok' as const, version }),
    { result: HealthSchema },
  ),
  'GET /events': row(
    'Streams events as they happen, as server-sent events; `types` are separated by commas, by default all',
    ({ params: { types } }) => {
      const all = types?.split(',') ?? []
      const unknown = all.find((type) => !eventTypes.includes(type))
      if (unknown === undefined) return all
      throw refusal(400, 'types', `there are no events of the type ${JSON.stringify(unknown)}`, eventTypes)
    },
    { params: fields({ types: s.optional(s.string) }), result: EventsSchema },
  ),
  'POST /reset': row('Restores the state, the clock and the policy that the namespace began with', ({ namespace }) =>
    namespace.reset(),
  ),
  'GET /namespaces': listRow('Returns the namespaces that are in use', NamespaceSchema, ({ namespace }) =>
    namespace.host.names().map((name) => ({ name })),
  ),
  'DELETE /namespaces/{id}': row(
    'Removes a namespace and closes its connections; resets the default one',
    ({ namespace: { host }, id }) => {
      assertName('id', id)
      existing(host.remove(id), 'id', `there is no namespace "${id}"`, () => host.names())
    },
  ),
  'GET /snapshots': listRow('Returns the names of the stored snapshots', SnapshotNameSchema, ({ namespace }) =>
    [...namespace.snapshots].map(([name, { at }]) => named(name, at)),
  ),
  'GET /snapshots/{id}': row(
    'Returns a snapshot as plain JSON; it contains passwords and tokens',
    (call) => snapshotOf(call).snapshot,
    { result: SnapshotSchema },
  ),
  'PUT /snapshots/{id}': row(
    'Takes a snapshot, without the policy, and stores it; with a body, of any size, stores that snapshot',
    ({ service, namespace, id, params }) => {
      assertName('id', id)
      // A fork validates it without changing the service.
      if (params !== undefined) given('', () => void service.fork(params).close())
      const at = new Date(service.clock.now()).toISOString()
      namespace.snapshots.set(id, { at, snapshot: params ?? service.snapshot() })
      return named(id, at)
    },
    {
      params: s.refine(s.unchecked<MockSnapshot | undefined>(), () => [], toJsonSchema(SnapshotSchema)),
      result: SnapshotNameSchema,
    },
  ),
  'DELETE /snapshots/{id}': row('Deletes a snapshot', (call) => {
    snapshotOf(call)
    call.namespace.snapshots.delete(call.id)
  }),
  'POST /snapshots/{id}/restore': row(
    'Restores a snapshot; all gateway sessions end, and the policy stays as it is',
    (call) => call.service.restore(snapshotOf(call).snapshot),
  ),
  'GET /clock': clockRow('Returns the time of the service'),
  'POST /clock/advance': clockRow(
    'Moves the time forward; everything that expires in between expires at once',
    fields({ by: option.fromCheck<Duration>(option.duration()) }),
    (clock, { by }) => given('/by', () => clock.advance(by)),
  ),
  'POST /clock/set': clockRow(
    'Sets the time: ISO 8601 with time and zone, or milliseconds since the epoch, from 1970 to 9999',
    options<{ readonly to: string | number }>({ to: time }, ['to']),
    (clock, { to }) => given('/to', () => clock.set(to)),
  ),
  'POST /clock/freeze': clockRow(
    'Stops the clock; with `frozen: false` it continues',
    fields({ frozen: s.optional(s.boolean) }),
    (clock, { frozen }) => clock.freeze(frozen),
  ),
  'GET /policy': row(
    'Returns the settings of the policy; `null` stands for no limit',
    ({ service }) => service.policySettings,
    { result: PolicySchema },
  ),
  'PATCH /policy': row(
    'Changes settings of the policy; entries of `requireMfa`, `rateLimits` and `password` are removed by `null`',
    ({ service, params }) => {
      service.changePolicy(params)
      return service.policySettings
    },
    { params: PolicySchema, result: PolicySchema },
  ),
  'GET /faults': listRow(
    'Returns the faults of endpoints, in the order in which they apply',
    PendingFaultSchema,
    ({ service }) => service.faults.all().map(faultView),
  ),
  'POST /faults': row('Makes an endpoint fail', ({ service, params }) => addFault(service, params), {
    params: FaultSchema,
    result: PendingFaultSchema,
    status: 201,
  }),
  'DELETE /faults': row('Removes all faults of endpoints', ({ service }) => service.faults.clear()),
  'DELETE /faults/{id}': row('Removes a fault', ({ service: { faults }, id }) => {
    const ids = () => faults.all().map((fault) => fault.id)
    existing(faults.remove(Number(id)), 'id', `no fault has the ID ${JSON.stringify(id)}`, ids)
  }),
}

const stubEndpoint = option.check('a method and a path', isString, { type: 'string' })
type NewStub = { readonly endpoint: StubEndpoint } & StubAnswer
const StubParams = options<NewStub>({ endpoint: stubEndpoint, ...ANSWER_OPTIONS }, ['endpoint'])

/** Schemas with a name in the OpenAPI document. */
export const stubSchemas = { NewStub: StubParams, Stub: StubSchema }

export const stubRows = {
  'GET /stubs': listRow<Stub>(
    'Returns the stubs; `status` is `null` for those with a function',
    StubSchema,
    ({ service }) => service.stubs.all(),
  ),
  'POST /stubs': row(
    'Responds to requests to an endpoint that the API document does not list; `{{params.x}}`, `{{query.x}}` and `{{body.x}}` in strings of `body` are replaced',
    ({ service: { stubs }, params: { endpoint, ...answer } }) => {
      given('/endpoint', () => partsOfStub(endpoint))
      given('/body', () => stubs.on(endpoint, answer))
      const added = stubs.all().find((stub) => stub.endpoint === endpoint)
      if (added === undefined) throw new Error('the stub was not added')
      return added
    },
    { params: StubParams, status: 201, result: StubSchema },
  ),
  'DELETE /stubs': row(
    'Removes all stubs, or that of an endpoint',
    ({ service: { stubs }, params: { endpoint } }) => {
      if (endpoint === undefined) return stubs.clear()
      const all = () => stubs.all().map((stub) => stub.endpoint)
      existing(stubs.remove(endpoint), 'endpoint', `there is no stub of ${JSON.stringify(endpoint)}`, all)
    },
    { params: fields({ endpoint: s.optional(StubEndpointSchema) }) },
  ),
}
