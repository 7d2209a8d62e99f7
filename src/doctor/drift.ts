// Where responses and events differ from the API document, and a report of that in production.
import { type BaseClient, coreOf } from '../client/base-client'
import { gatewayEvents } from '../contract/gateway-events'
import { UserApplicationProfileSchema } from '../contract/identities'
import { documentedValues, endpoints } from '../contract/index'
import { PartialUserSchema } from '../contract/relationships'
import { type Definition, definitionFor, definitionOf, OpenObjectSchema, refine, type Schema } from '../contract/schema'
import { check } from '../contract/validate'
import { RapportError } from '../errors/base'
import type { Issue } from '../internal/issue'
import { describeType, isObject, readField } from '../internal/json'
import type { Drift, DriftObserver } from '../transport/events'

/** Maximum number of differences of an endpoint. */
const MAX_DIFFERENCES = 200
/** Maximum length of a name or a value, in characters. */
const MAX_LENGTH = 40

/** Differences that a client has seen. Contains names and values of enumerations, no secrets, IDs or other values. */
export interface DriftReport {
  /** The differences so far, at most 200 of each endpoint, in the order in which the endpoints were first seen. A copy. */
  readonly entries: readonly Drift[]
  /** Number of times that a difference was seen for which there was no room. */
  readonly omitted: number
  /** Removes all entries, for example after they were sent somewhere. */
  clear(): void
  /** Ends the report, which keeps its entries. Responses are no longer compared, and `drift` is no longer emitted. */
  stop(): void
}

/**
 * Compares all responses and gateway events of a client, and of the clients that its `as` creates, with the API document,
 * until it is stopped. For each difference it counts, and the client emits `drift`. Without a report, nothing is compared.
 * A comparison takes about as long as the check of a response.
 *
 * @throws RequestValidationError if the client is none of this package.
 * @throws RapportError if the client has a report already.
 *
 * @example
 * import { Client } from 'rapport-sdk'
 * import { createDriftReport } from 'rapport-sdk/doctor'
 *
 * const client = new Client({ baseUrl: 'https://service.example', token: 'a token' })
 * const report = createDriftReport(client)
 * client.on('drift', ({ endpoint, path, kind, count }) => {
 *   if (count === 1) console.warn(`${endpoint}: ${path}: ${kind}`)
 * })
 * setInterval(() => console.log(JSON.stringify(report.entries)), 3_600_000).unref()
 */
export function createDriftReport(client: BaseClient): DriftReport {
  const { followers } = coreOf(client, 'createDriftReport').transport.events
  if (followers.drift) throw new RapportError('The client has a drift report already.')
  /** Schemas of events and responses, by the name of their source. */
  const events = Object.values(gatewayEvents).map(({ name, payload }) => [`Gateway: ${name}`, payload] as const)
  const schemas = new Map<string, Schema<unknown>>(events)
  for (const { endpoint } of endpoints) if (endpoint.response) schemas.set(endpoint.name, endpoint.response)
  const entries = new Map<string, Map<string, Drift>>()
  let omitted = 0
  const observe: DriftObserver = (events, source, data, issues, secrets) => {
    const schema = schemas.get(source)
    const endpoint = schema || source === 'Gateway' ? source : 'request'
    const known = entries.get(endpoint) ?? new Map<string, Drift>()
    const seen: Drift[] = []
    const nameOf = (value: unknown) => maskName(secrets().text(String(value)))
    const differences: readonly Difference[] =
      source === 'Gateway'
        ? [{ path: nameOf(data), kind: 'unknown event' }]
        : compareShape(schema, data, nameOf, issues)
    for (const found of differences) {
      const key = JSON.stringify(found)
      const { count, firstSeen } = known.get(key) ?? { count: 0, firstSeen: new Date().toISOString() }
      if (count === 0 && known.size >= MAX_DIFFERENCES) omitted++
      else {
        const entry = Object.freeze({ endpoint, ...found, count: count + 1, firstSeen })
        known.set(key, entry)
        entries.set(endpoint, known)
        seen.push(entry)
      }
    }
    for (const entry of seen) events.emit('drift', entry)
  }
  followers.drift = observe
  return {
    get entries() {
      return [...entries.values()].flatMap((known) => [...known.values()])
    },
    get omitted() {
      return omitted
    },
    clear() {
      entries.clear()
      omitted = 0
    },
    stop() {
      if (followers.drift === observe) followers.drift = undefined
    },
  }
}

/** Masks IDs in a name or a value, and what is no identifier; truncates it. */
function maskName(text: string): string {
  const masked = text.replace(/[A-Za-z0-9-]*\d{5}[A-Za-z0-9-]*|(?=[A-Za-z-]*\d)[A-Za-z0-9-]{16,}/g, '{id}')
  if (!/^[\w.:{}[\]-]*$/.test(masked)) return '{text}'
  return masked.length > MAX_LENGTH ? `${masked.slice(0, MAX_LENGTH - 1)}…` : masked
}

/** A difference from the contract: an unknown value as `name` shows it, or the type of another one. */
export type Difference = Pick<Drift, 'path' | 'kind' | 'seen'>

/** Shows a name or a value that the service sent. */
type NameOf = (value: unknown) => string

/** Maximum number of places that are compared: a hostile answer has millions. */
const MAX_ISSUES = 10_000

const KINDS: Readonly<Record<string, Difference['kind']>> = {
  unknown_field: 'unknown field',
  required: 'missing field',
  invalid_type: 'other type',
  invalid_value: 'unknown value',
}

/** Returns how a value differs from a schema, each difference once. Others of the given issues are of kind `mismatch`. */
export function compareShape(
  schema: Schema<unknown> | undefined,
  value: unknown,
  nameOf: NameOf,
  others: readonly Issue[] = [],
): Difference[] {
  const found = new Map<string, Difference>()
  const paths = new Set<string>()
  for (const { path, code } of schema ? check(strictOf(schema), value, { maxIssues: MAX_ISSUES }) : []) {
    const shown = pathOf(schema, value, path, nameOf)
    const kind = KINDS[code] ?? 'mismatch'
    const item = path.reduce((inner, key) => readField(inner, String(key)), value)
    const seen = kind === 'other type' || isObject(item) ? describeType(item) : nameOf(item)
    const hasSeen = kind === 'other type' || kind === 'unknown value'
    paths.add(shown)
    found.set(`${shown} ${kind} ${hasSeen && seen}`, { path: shown, kind, ...(hasSeen && { seen }) })
  }
  for (const { path, code } of others) {
    const shown = pathOf(schema, value, path, nameOf)
    if (!paths.has(shown)) found.set(`${shown} ${code}`, { path: shown, kind: 'mismatch', seen: nameOf(code) })
  }
  return [...found.values()]
}

/** Objects whose fields the API document does not show, so that any field may occur. */
const OPEN = (() => {
  const { relationshipAdd: _, gameRelationshipAdd: __, ...events } = gatewayEvents
  const payloads = Object.values(events).map(({ payload }): Schema<unknown> => payload)
  return new Set<Schema<unknown>>([PartialUserSchema, OpenObjectSchema, UserApplicationProfileSchema, ...payloads])
})()

/** Strict schemas of objects, by the schema of the object with its rule. */
const strict = new Map<Schema<unknown>, Definition>()

/** Returns a schema that rejects fields and values of enumerations that the document does not have. */
function strictOf(schema: Schema<unknown>, values: readonly unknown[] = [], owner = schema): Definition {
  const definition = definitionOf(schema)
  const { kind, of, more } = definition
  if (kind === 'rule') return strictOf(of, values, schema)
  if (kind === 'union') return { kind, of, more: (value) => strictOf(more(value), values) }
  if (kind === 'optional' || kind === 'nullable' || kind === 'array')
    return { kind, of: strictOf(of, values), more: null }
  if (kind === 'object') {
    const known = strict.get(owner)
    if (known) return known
    const fields: Record<string, Schema<unknown>> = {}
    const rest = more?.kind === 'unknown' ? (OPEN.has(schema) ? more : null) : more && strictOf(more)
    const created: Definition = { kind, of: fields, more: rest }
    // First, because a field may have the same schema.
    strict.set(owner, created)
    for (const [name, field] of Object.entries(of)) fields[name] = strictOf(field, documentedValues(name, owner))
    return created
  }
  if (values.length === 0) return definition
  return definitionOf(
    refine(schema, function* (value) {
      if (!values.includes(value)) yield { code: 'invalid_value', message: 'unknown value' }
    }),
  )
}

/** Formats a path; `[]` stands for any item of an array, `{key}` for any key of a map. */
function pathOf(schema: Schema<unknown> | undefined, value: unknown, path: Issue['path'], nameOf: NameOf): string {
  let [text, inner, item]: [string, Schema<unknown>, unknown] = ['', schema ?? OpenObjectSchema, value]
  for (const key of path) {
    const { kind, of, more } = definitionFor(inner, item)
    const field = kind === 'object' && Object.hasOwn(of, key) ? of[key] : undefined
    const rest = kind === 'object' && more?.kind !== 'unknown' ? more : null
    const name = field ? String(key) : rest ? '{key}' : nameOf(key)
    text += typeof key === 'number' ? '[]' : `${text && '.'}${name}`
    inner = field ?? (kind === 'array' ? of : rest) ?? OpenObjectSchema
    item = readField(item, String(key))
  }
  return text
}
