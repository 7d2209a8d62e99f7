import { version } from '../../package.json'
import {
  boolean,
  looseObject,
  number,
  optional,
  refine,
  type Schema,
  string,
  unchecked,
  union,
} from '../../src/contract/schema'
import { literal } from '../database'
import type { PolicySettings } from '../policy'
import type { MockService } from '../service'
import type { MockSnapshot } from '../snapshot'
import { policySettingsCheck } from '../state/policy-settings'
import { fromCheck, toJsonSchema } from './json-schema'
import { assertName, type Call, durationOf, fields, given, itemsOf, type NamedSnapshot, refusal, row } from './row'

/** That the service is up. */
export interface ControlHealth {
  /** `ok`. */
  readonly status: 'ok'
  /** Version of the package. */
  readonly version: string
  /** Namespace of the call. */
  readonly namespace: string
  /** Seconds since the namespace was created. */
  readonly uptime: number
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

const ClockSchema = looseObject<ClockState>()({ now: string, frozen: boolean, offset: number })

function clockState({ clock }: MockService): ClockState {
  const now = clock.now()
  return { now: new Date(now).toISOString(), frozen: clock.isFrozen, offset: now - Date.now() }
}

const SnapshotNameSchema = looseObject<NamedSnapshot>()({ name: string, at: string })
const NamespaceSchema = looseObject<{ readonly name: string }>()({ name: string })

/** The fields of a snapshot other than its version are internal. */
const SnapshotSchema = looseObject<Pick<MockSnapshot, 'version'>>()({
  version: literal(1),
}) as unknown as Schema<MockSnapshot>

const PolicySchema = fromCheck<PolicySettings>(policySettingsCheck)

const HealthSchema = looseObject<ControlHealth>()({
  status: literal('ok'),
  version: string,
  namespace: string,
  uptime: number,
})

/** Schemas with a name in the OpenAPI document. */
export const stateSchemas = {
  Clock: ClockSchema,
  Health: HealthSchema,
  Namespace: NamespaceSchema,
  Policy: PolicySchema,
  Snapshot: SnapshotSchema,
  StoredSnapshot: SnapshotNameSchema,
}

const MAX_SNAPSHOTS = 32

function snapshotOf({ namespace, id }: Call<unknown>) {
  const found = namespace.snapshots.get(id)
  if (found !== undefined) return found
  throw refusal(404, 'id', `there is no snapshot ${JSON.stringify(id)}`, [...namespace.snapshots.keys()])
}

export const stateRows = {
  'GET /health': row({
    summary: 'Returns that the service is up, and the version of the package',
    result: HealthSchema,
    handle: ({ namespace }) => ({
      status: 'ok' as const,
      version,
      namespace: namespace.name,
      uptime: Math.round(performance.now() - namespace.startedAt) / 1000,
    }),
  }),
  'POST /reset': row({
    summary: 'Restores the state, the clock and the policy that the namespace began with',
    handle: ({ namespace }) => namespace.reset(),
  }),
  'GET /namespaces': row({
    summary: 'Returns the namespaces that are in use',
    result: itemsOf(NamespaceSchema),
    handle: ({ namespace }) => ({ items: namespace.host.names().map((name) => ({ name })) }),
  }),
  'DELETE /namespaces/{id}': row({
    summary: 'Removes a namespace and closes its connections; resets the default one',
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
    result: SnapshotSchema,
    handle: (call) => snapshotOf(call).snapshot,
  }),
  'PUT /snapshots/{id}': row({
    summary: 'Takes a snapshot and stores it; with a body, stores that snapshot',
    params: refine(unchecked<MockSnapshot | undefined>(), () => [], toJsonSchema(SnapshotSchema)),
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
    handle(call) {
      snapshotOf(call)
      call.namespace.snapshots.delete(call.id)
    },
  }),
  'POST /snapshots/{id}/restore': row({
    summary: 'Restores a snapshot; all gateway sessions end',
    handle: (call) => call.service.restore(snapshotOf(call).snapshot),
  }),
  'GET /clock': row({
    summary: 'Returns the time of the service',
    result: ClockSchema,
    handle: ({ service }) => clockState(service),
  }),
  'POST /clock/advance': row({
    summary: 'Moves the time forward; everything that expires in between expires at once',
    params: fields({ by: durationOf() }),
    result: ClockSchema,
    handle({ service, params }) {
      given('/by', () => service.clock.advance(params.by))
      return clockState(service)
    },
  }),
  'POST /clock/set': row({
    summary: 'Sets the time: ISO 8601, or milliseconds since the epoch',
    params: fields({
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
    params: fields({ frozen: optional(boolean) }),
    result: ClockSchema,
    handle({ service, params }) {
      service.clock.freeze(params.frozen)
      return clockState(service)
    },
  }),
  'GET /policy': row({
    summary: 'Returns the settings of the policy; `null` stands for no limit',
    result: PolicySchema,
    handle: ({ service }) => service.policySettings,
  }),
  'PATCH /policy': row({
    summary:
      'Changes settings of the policy; entries of `requireMfa`, `rateLimits` and `password` are removed by `null`',
    params: PolicySchema,
    result: PolicySchema,
    handle({ service, params }) {
      service.changePolicy(params)
      return service.policySettings
    },
  }),
}
