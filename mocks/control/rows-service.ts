import { RelationshipType } from '../../src/contract/relationships'
import {
  boolean,
  formattedString,
  integer,
  looseObject,
  number,
  OpenObjectSchema,
  oneOf,
  optional,
  record,
  refine,
  type Schema,
  strictObject,
  string,
  unchecked,
  union,
} from '../../src/contract/schema'
import type { WidgetConfigStatus } from '../../src/contract/widget-configs'
import type { MailKind, SmsKind } from '../database'
import type { Fault, FaultMatch, PendingFault } from '../faults'
import type { JournalEntry } from '../journal'
import type { Outbox } from '../outbox'
import type { PolicySettings } from '../policy'
import type { EndpointSelector } from '../router'
import type { MockService } from '../service'
import type { MockSnapshot } from '../snapshot'
import {
  assertName,
  type Call,
  durationOf,
  given,
  itemsOf,
  literal,
  messageOf,
  type NamedSnapshot,
  NoParams,
  openObject,
  refusal,
  requireUser,
  row,
  UserRefSchema,
} from './row'

/** The state of the clock. */
export interface ClockState {
  /** Time, ISO 8601. */
  readonly now: string
  /** Whether it stands still. */
  readonly frozen: boolean
  /** Milliseconds ahead of the wall clock; negative behind it. */
  readonly offset: number
}

const ClockSchema = looseObject<ClockState>()({ now: string, frozen: boolean, offset: number })

function clockState({ clock }: MockService): ClockState {
  const now = clock.now()
  return { now: new Date(now).toISOString(), frozen: clock.isFrozen, offset: now - Date.now() }
}

const SnapshotNameSchema = looseObject<NamedSnapshot>()({ name: string, at: string })
const NamespaceSchema = looseObject<{ readonly name: string }>()({ name: string })

/** Maximum number of snapshots of a namespace. */
const MAX_SNAPSHOTS = 32

function snapshotOf({ namespace, id }: Call<unknown>) {
  const found = namespace.snapshots.get(id)
  if (found !== undefined) return found
  throw refusal(404, 'id', `there is no snapshot ${JSON.stringify(id)}`, [...namespace.snapshots.keys()])
}

export const stateRows = {
  'GET /health': row({
    summary: 'Returns that the service is up',
    result: looseObject<{ readonly status: 'ok'; readonly namespace: string; readonly uptime: number }>()({
      status: literal('ok'),
      namespace: string,
      uptime: number,
    }),
    handle: ({ namespace }) => ({
      status: 'ok' as const,
      namespace: namespace.name,
      uptime: Math.round(performance.now() - namespace.startedAt) / 1000,
    }),
  }),
  'POST /reset': row({
    summary: 'Restores the state, the clock and the policy that the namespace began with',
    params: NoParams,
    handle: ({ namespace }) => namespace.reset(),
  }),
  'GET /namespaces': row({
    summary: 'Returns the namespaces that are in use',
    result: itemsOf(NamespaceSchema),
    handle: ({ namespace }) => ({ items: namespace.host.names().map((name) => ({ name })) }),
  }),
  'DELETE /namespaces/{id}': row({
    summary: 'Removes a namespace and closes its connections; resets the default one',
    params: NoParams,
    handle({ namespace: { host }, id }) {
      assertName('id', id)
      if (host.remove(id)) return
      throw refusal(404, 'id', `there is no namespace "${id}"`, host.names())
    },
  }),
  'GET /snapshots': row({
    summary: 'Returns the names of the stored snapshots',
    result: itemsOf(SnapshotNameSchema),
    handle: ({ namespace }) => ({ items: [...namespace.snapshots].map(([name, { at }]) => ({ name, at })) }),
  }),
  'GET /snapshots/{id}': row({
    summary: 'Returns a snapshot as plain JSON; it contains passwords and tokens',
    result: openObject<MockSnapshot>(),
    handle: (call) => snapshotOf(call).snapshot,
  }),
  'PUT /snapshots/{id}': row({
    summary: 'Takes a snapshot and stores it; with a body, stores that snapshot',
    params: unchecked<MockSnapshot | undefined>(),
    result: SnapshotNameSchema,
    handle({ service, namespace, id, params }) {
      assertName('id', id)
      if (!namespace.snapshots.has(id) && namespace.snapshots.size >= MAX_SNAPSHOTS) {
        throw refusal(409, 'id', `there are ${MAX_SNAPSHOTS} snapshots, the maximum; delete one`)
      }
      // A fork validates it without changing the service.
      if (params !== undefined) given('', () => void service.fork(params).close())
      const at = new Date(service.clock.now()).toISOString()
      namespace.snapshots.set(id, { at, snapshot: params ?? service.snapshot() })
      return { name: id, at }
    },
  }),
  'DELETE /snapshots/{id}': row({
    summary: 'Deletes a snapshot',
    params: NoParams,
    handle(call) {
      snapshotOf(call)
      call.namespace.snapshots.delete(call.id)
    },
  }),
  'POST /snapshots/{id}/restore': row({
    summary: 'Restores a snapshot; all gateway sessions end',
    params: NoParams,
    handle: (call) => call.service.restore(snapshotOf(call).snapshot),
  }),
  'GET /clock': row({
    summary: 'Returns the time of the service',
    result: ClockSchema,
    handle: ({ service }) => clockState(service),
  }),
  'POST /clock/advance': row({
    summary: 'Moves the time forward; everything that expires in between expires at once',
    params: strictObject<{ readonly by: Parameters<MockService['clock']['advance']>[0] }>()({ by: durationOf() }),
    result: ClockSchema,
    handle({ service, params }) {
      given('/by', () => service.clock.advance(params.by))
      return clockState(service)
    },
  }),
  'POST /clock/set': row({
    summary: 'Sets the time: ISO 8601, or milliseconds since the epoch',
    params: strictObject<{ readonly to: string | number }>()({
      to: union<string | number>([string, number], (value) => (typeof value === 'number' ? number : string)),
    }),
    result: ClockSchema,
    handle({ service, params }) {
      given('/to', () => service.clock.set(params.to))
      return clockState(service)
    },
  }),
  'POST /clock/freeze': row({
    summary: 'Stops the clock; with `frozen: false` it continues',
    params: strictObject<{ readonly frozen?: boolean }>()({ frozen: optional(boolean) }),
    result: ClockSchema,
    handle({ service, params }) {
      service.clock.freeze(params.frozen)
      return clockState(service)
    },
  }),
  'GET /policy': row({
    summary: 'Returns the settings of the policy; `null` stands for no limit',
    result: openObject<PolicySettings>(),
    handle: ({ service }) => service.policySettings,
  }),
  'PATCH /policy': row({
    summary:
      'Changes settings of the policy; entries of `requireMfa`, `rateLimits` and `password` are removed by `null`',
    params: strictObject<PolicySettings>()({
      authorization: optional(openObject()),
      dmAccessType: optional(integer),
      errors: optional(openObject()),
      gateway: optional(openObject()),
      ignoredType: optional(oneOf(RelationshipType)),
      lifetimes: optional(openObject()),
      newConfigStatus: optional(string as Schema<WidgetConfigStatus>),
      password: optional(openObject()),
      rateLimits: optional(openObject()),
      requireMfa: optional(openObject()),
      resetEndsSessions: optional(boolean),
      unpublishedConfigStatus: optional(string as Schema<WidgetConfigStatus>),
    }),
    result: openObject<PolicySettings>(),
    handle({ service, params }) {
      service.changePolicy(params)
      return service.policySettings
    },
  }),
}

/** Parameters of the list of messages. */
export interface MessageQuery<K> {
  /** E-mail address or phone number. Default: all. */
  readonly to?: string
  /** Kind of message. Default: all. */
  readonly kind?: K
}

const MAX_WAIT = 60_000

const outboxRows = <K extends MailKind | SmsKind>(kind: Schema<K>, outbox: (service: MockService) => Outbox<K>) => {
  const query = { to: optional(string), kind: optional(kind) }
  return {
    list: row({
      summary: 'Returns the messages that were sent, oldest first',
      params: strictObject<MessageQuery<K>>()(query as never),
      result: itemsOf(messageOf(kind)),
      handle: ({ service, params: { to, kind } }) => ({
        items: outbox(service)
          .all()
          .filter((message) => to === undefined || message.to.toLowerCase() === to.toLowerCase())
          .filter((message) => kind === undefined || message.kind === kind),
      }),
    }),
    last: row({
      summary: 'Returns the last message; with `wait`, waits for one if there is none yet',
      params: strictObject<MessageQuery<K> & { readonly wait?: Parameters<MockService['clock']['advance']>[0] }>()({
        ...query,
        wait: optional(durationOf(MAX_WAIT)),
      } as never),
      result: messageOf(kind),
      async handle({ service, params: { wait = 0, ...options }, signal }) {
        try {
          return await outbox(service).waitFor<K>({ ...options, timeout: wait, signal })
        } catch (error) {
          throw refusal(404, 'to', error instanceof Error ? error.message : String(error))
        }
      },
    }),
    clear: row({
      summary: 'Deletes the messages',
      params: NoParams,
      handle: ({ service }) => outbox(service).clear(),
    }),
  }
}

const mail = outboxRows(literal('password_reset', 'account_recovery', 'new_location'), ({ mail }) => mail)
const sms = outboxRows(literal('password_reset', 'phone_verification', 'mfa'), ({ sms }) => sms)

/** A fault of an endpoint, as the control API shows it. */
export type ControlFault = Fault & {
  /** ID, to remove it. */
  readonly id: number
  /** Name of the endpoint, or method and path. */
  readonly endpoint: EndpointSelector
  /** Number of requests that it still affects; `null` for all. */
  readonly left: number | null
}

const faultView = ({ id, selector, fault, left }: PendingFault): ControlFault => ({
  id,
  endpoint: selector,
  left,
  ...fault,
})

const literalTrue = literal(true)

/** A fault to add. */
export type ControlFaultParams = { readonly endpoint: EndpointSelector } & Fault

const FaultSchema = strictObject<Record<string, unknown>>()({
  endpoint: string,
  times: optional(integer),
  latency: optional(durationOf()),
  match: optional(
    strictObject<FaultMatch>()({
      user: optional(UserRefSchema),
      params: optional(OpenObjectSchema),
      headers: optional(record(string)),
    }),
  ),
  status: optional(integer),
  body: optional(unchecked<unknown>()),
  headers: optional(record(string)),
  retryAfter: optional(number),
  global: optional(boolean),
  html: optional(unchecked<true | string>()),
  malformedJson: optional(literalTrue),
  network: optional(literalTrue),
  reset: optional(literalTrue),
  truncate: optional(literalTrue),
  stall: optional(literalTrue),
} as never) as unknown as Schema<ControlFaultParams>

const status = formattedString(
  (text) => /^[1-5](?:\d\d|xx)$/.test(text),
  'a status such as 404, or a class such as 4xx',
)

export const trafficRows = {
  'GET /mail': mail.list,
  'DELETE /mail': mail.clear,
  'GET /mail/last': mail.last,
  'GET /sms': sms.list,
  'DELETE /sms': sms.clear,
  'GET /sms/last': sms.last,
  'GET /faults': row({
    summary: 'Returns the faults of endpoints, in the order in which they apply',
    result: itemsOf(openObject<ControlFault>()),
    handle: ({ service }) => ({ items: service.faults.all().map(faultView) }),
  }),
  'POST /faults': row({
    summary: 'Makes an endpoint fail',
    params: FaultSchema,
    result: openObject<ControlFault>(),
    status: 201,
    handle({ service, params: { endpoint, ...fault } }): ControlFault {
      const { user, ...match } = fault.match ?? {}
      const resolved = user === undefined ? {} : { user: requireUser(service, user, '/match/user').id }
      given('/endpoint', () => service.journal.find(endpoint))
      const injected = { ...fault, ...(fault.match && { match: { ...match, ...resolved } }) }
      given('', () => service.faults.on(endpoint, injected))
      const added = service.faults.all().at(-1)
      if (added === undefined) throw new Error('the fault was not added')
      return faultView(added)
    },
  }),
  'DELETE /faults': row({
    summary: 'Removes all faults of endpoints',
    params: NoParams,
    handle: ({ service }) => service.faults.clear(),
  }),
  'DELETE /faults/{id}': row({
    summary: 'Removes a fault',
    params: NoParams,
    handle({ service, id }) {
      const ids = service.faults.all().map((fault) => fault.id)
      if (!service.faults.remove(Number(id))) throw refusal(404, 'id', `no fault has the ID ${JSON.stringify(id)}`, ids)
    },
  }),
  'GET /requests': row({
    summary: 'Returns the last requests, oldest first, with the reason of each refusal',
    params: strictObject<{
      readonly endpoint?: EndpointSelector
      readonly status?: string
      readonly user?: string
      readonly limit?: number
    }>()({
      endpoint: optional(string as Schema<EndpointSelector>),
      status: optional(status),
      user: optional(string),
      limit: optional(
        refine(integer, function* (limit) {
          if (limit < 1) yield { code: 'invalid_value', message: `must be at least 1, got ${limit}` }
        }),
      ),
    }),
    result: itemsOf(openObject<JournalEntry>()),
    handle({ service: { journal, ...service }, params: { endpoint, status, user, limit = Number.POSITIVE_INFINITY } }) {
      const all = endpoint === undefined ? journal.requests : given('endpoint', () => journal.find(endpoint))
      const pattern = status === undefined ? undefined : new RegExp(`^${status.replace('xx', '\\d\\d')}$`)
      const id = user === undefined ? undefined : (service.users.find(user)?.id ?? user)
      const items = all.filter(
        (entry) =>
          (pattern === undefined || pattern.test(String(entry.status))) && (id === undefined || entry.user === id),
      )
      return { items: items.slice(-limit) }
    },
  }),
  'DELETE /requests': row({
    summary: 'Deletes the recorded requests',
    params: NoParams,
    handle: ({ service }) => service.journal.clear(),
  }),
}
