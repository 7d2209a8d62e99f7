// Counts in production where responses and events differ from the API document.
import { type BaseClient, coreOf } from '../client/base-client'
import { gatewayEvents } from '../contract/gateway-events'
import { endpoints } from '../contract/index'
import type { Schema } from '../contract/schema'
import { RapportError } from '../errors/base'
import type { Drift, DriftObserver } from '../transport/events'
import { compareShape, type Difference } from './shape'

/** Maximum number of differences of an endpoint, and of endpoints. */
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
  const schemas = createSchemas()
  const entries = new Map<string, Map<string, Drift>>()
  let omitted = 0
  const observe: DriftObserver = (source, data, issues, redact) => {
    const schema = schemas.get(source)
    const endpoint = schema || source === 'Gateway' ? source : 'request'
    const known = entries.get(endpoint) ?? new Map<string, Drift>()
    const seen: Drift[] = []
    const nameOf = (value: unknown) => maskName(redact(String(value)))
    const differences: readonly Difference[] =
      source === 'Gateway'
        ? [{ path: nameOf(data), kind: 'unknown event' }]
        : compareShape(schema ?? undefined, data, nameOf, issues)
    for (const found of differences) {
      const key = JSON.stringify(found)
      const { count, firstSeen } = known.get(key) ?? { count: 0, firstSeen: new Date().toISOString() }
      const hasRoom = count > 0 || (known.size < MAX_DIFFERENCES && (known.size > 0 || entries.size < MAX_DIFFERENCES))
      if (!hasRoom) omitted++
      else {
        const entry = Object.freeze({ endpoint, ...found, count: count + 1, firstSeen })
        known.set(key, entry)
        entries.set(endpoint, known)
        seen.push(entry)
      }
    }
    return seen
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

/** Returns the schemas of responses and events, by the name of their source; `null` of an endpoint without a body. */
function createSchemas(): Map<string, Schema<unknown> | null> {
  const responses = endpoints.map(({ endpoint }) => [endpoint.name, endpoint.response ?? null] as const)
  const events = Object.values(gatewayEvents).map(({ name, payload }) => [`Gateway: ${name}`, payload] as const)
  return new Map<string, Schema<unknown> | null>([...responses, ...events])
}

/** Masks IDs in a name or a value, and what is no identifier; truncates it. */
function maskName(text: string): string {
  const masked = text.replace(/[A-Za-z0-9-]*\d{5}[A-Za-z0-9-]*|(?=[A-Za-z-]*\d)[A-Za-z0-9-]{16,}/g, '{id}')
  if (!/^[\w.:{}[\]-]*$/.test(masked)) return '{text}'
  return masked.length > MAX_LENGTH ? `${masked.slice(0, MAX_LENGTH - 1)}…` : masked
}
