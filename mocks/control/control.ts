import type { Schema } from '../../src/contract/schema'
import { check, isValid } from '../../src/contract/validate'
import type { Issue } from '../../src/internal/issue'
import { type KnownSecrets, redactPath } from '../redaction/redaction'
import { coerceQuery, MAX_DEPTH, parseBody } from '../request'
import { compileRoute, findRoute, nearestRoute } from '../router'
import { knownSecrets, type MockService } from '../service'
import { OptionsError, toJsonSchema } from '../settings'
import { DEFAULT_NAMESPACE, type Namespaces } from './namespaces'
import { allowedAt, openApiDocument } from './openapi'
import {
  ControlProblem,
  itemsOf,
  MAX_ALLOWED,
  NoParams,
  type ProblemError,
  ProblemSchema,
  type Row,
  refusal,
  row,
  UserSchema,
} from './row'
import { accountRows, accountSchemas } from './rows-accounts'
import { stateRows, stateSchemas, stubRows, stubSchemas } from './rows-service'
import { sessionRows, sessionSchemas } from './rows-sessions'
import { trafficRows, trafficSchemas } from './rows-traffic'
import { applySeed, SeedDataSchema } from './seed-data'

const seedRows = {
  'POST /seed': row(
    'Adds the data of a seed: accounts, applications, relationships, faults, policy and more; returns the accounts',
    ({ service, params }) => {
      // A fork meets the mistakes first, because a refused call changes nothing.
      const trial = service.fork(service.snapshot())
      try {
        trial.changePolicy(service.policySettings)
        applySeed(trial, params, 'seed')
      } finally {
        void trial.close()
      }
      return { items: applySeed(service, params, 'seed').map(({ id }) => service.users.get(id)) }
    },
    { params: SeedDataSchema, result: itemsOf(UserSchema) },
  ),
}

export const rows = { ...stateRows, ...seedRows, ...accountRows, ...trafficRows, ...stubRows, ...sessionRows }

/** The rows, without the types of their parameters. */
const table = rows as unknown as Readonly<Record<string, Row<unknown, unknown>>>

export function controlDocument(): object {
  return openApiDocument(table, {
    ...accountSchemas,
    ...stateSchemas,
    ...trafficSchemas,
    ...stubSchemas,
    ...sessionSchemas,
    Problem: ProblemSchema,
  })
}

export interface ControlRequest {
  readonly method: string
  /** Path below `/_mock`, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  /** Body; `null` if it is too large. */
  readonly body: string | null
  readonly signal: AbortSignal
}

export type ControlResponse =
  | ControlProblem
  | {
      readonly kind: 'json'
      readonly status: number
      /** `undefined` for a response without a body. */
      readonly body: unknown
    }
  /** Server-sent events of a namespace, of all types if there are none. */
  | { readonly kind: 'events'; readonly service: MockService; readonly types: readonly string[] }
  /** The inspector of a service. */
  | { readonly kind: 'page'; readonly baseUrl: string }

/** Handles a call of the control API; refusals are problems. Rejects only for bugs of the mock, as 500 problems. */
export async function handleControl(namespaces: Namespaces, request: ControlRequest): Promise<ControlResponse> {
  try {
    return await route(namespaces, request)
  } catch (error) {
    return withoutSecrets(knownSecrets(namespaces.default.service), toProblem(error))
  }
}

/** Redacts what a problem repeats of the call. */
function withoutSecrets(known: KnownSecrets, { status, message, errors, headers }: ControlProblem): ControlProblem {
  const redacted = errors.map((error) => ({
    ...error,
    path: known.name(error.path),
    message: known.text(error.message),
  }))
  return new ControlProblem(status, known.text(message), redacted, headers)
}

function toProblem(error: unknown): ControlProblem {
  if (error instanceof ControlProblem) return error
  if (error instanceof OptionsError) {
    return invalid(error.issues.map(({ path, message }) => ({ path: pointer(path), message })))
  }
  return new ControlProblem(500, `The mock failed: ${error instanceof Error ? error.message : error}`)
}

async function route(namespaces: Namespaces, request: ControlRequest): Promise<ControlResponse> {
  const { method, headers, signal } = request
  const scoped = /^\/namespaces\/([^/]+)(\/.*)$/.exec(request.path)
  const path = scoped?.[2] ?? request.path
  const name = scoped === null ? headers.get('x-mock-namespace') : decode(scoped[1])
  if (method === 'GET' || method === 'HEAD') {
    if (path === '/') return { kind: 'page', baseUrl: namespaces.default.service.baseUrl }
    if (path === '/openapi.json') return { kind: 'json', status: 200, body: controlDocument() }
  }
  const { row, id } = findRow(method, path)
  const namespace = namespaces.get(name ?? DEFAULT_NAMESPACE, (end) =>
    signal.addEventListener('abort', end, { once: true }),
  )
  const params = readParams(row.params ?? NoParams, method, request)
  const result = await row.handle({ service: namespace.service, namespace, id, params, signal })
  if (row === table['GET /events'])
    return { kind: 'events', service: namespace.service, types: Array.from(Object(result)) }
  return { kind: 'json', status: row.status ?? (row.result ? 200 : 204), body: row.result ? result : undefined }
}

const routes = Object.entries(table).map(([route, row]) => {
  const [method = '', path = ''] = route.split(' ')
  return compileRoute(method, path, { row })
})

function findRow(method: string, path: string) {
  // Refuses what would match no route.
  decode(path)
  const found = findRoute(routes, method === 'HEAD' ? 'GET' : method, path)
  if ('row' in found) return { row: found.row, id: found.path.id ?? '' }
  if (found.length > 0) {
    const { message, errors } = refusal(405, 'method', `${method} is not allowed here`, found)
    throw new ControlProblem(405, message, errors, { allow: found.join(', ') })
  }
  const closest = nearestRoute(method, path, [...Object.keys(table), 'GET /openapi.json'])
  const nearest = closest === undefined ? '' : `the nearest route is ${closest}, and `
  const message = `there is no ${method} ${redactPath(path).slice(0, 200)}; ${nearest}GET /openapi.json lists all`
  throw refusal(404, 'path', message, closest === undefined ? undefined : [closest])
}

function decode(segment = ''): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw refusal(400, 'path', 'the path is not valid percent-encoding')
  }
}

/** Content types whose body is parsed as JSON: also the one that curl sends by default with `-d`. */
const JSON_TYPES = /^(?:[\w.+-]+\/(?:[\w.+-]+\+)?json|application\/x-www-form-urlencoded)\s*(?:;|$)/i

function readParams(schema: Schema<unknown>, method: string, request: ControlRequest): unknown {
  const { query } = request
  const isQuery = method === 'GET' || method === 'HEAD' || method === 'DELETE'
  const repeated = [...query.keys()].find((name) => query.getAll(name).length > 1)
  if (repeated !== undefined) throw refusal(400, repeated, 'must not be repeated')
  const given = isQuery ? Object.fromEntries(query) : readJson(request)
  // Without a body, all fields are absent; only a snapshot may be absent as a whole.
  const fields = given === undefined && !isValid(schema, undefined) ? {} : given
  const value = isQuery ? coerceQuery(schema, Object(fields)) : fields
  const issues = check(schema, value)
  if (issues.length === 0) return value
  const listed = issues.slice(0, MAX_ERRORS).map((issue) => toError(schema, issue, isQuery))
  throw invalid(listed, issues.length > MAX_ERRORS)
}

/** Whether a body is a snapshot, which may be as large and deep as the one that was read. */
export function isSnapshotBody(method: string | undefined, path: string): boolean {
  return method === 'PUT' && /^(?:\/namespaces\/[^/]+)?\/snapshots\/[^/]+$/.test(path)
}

function readJson({ method, path, headers, body }: ControlRequest): unknown {
  const parsed = parseBody(body, isSnapshotBody(method, path) ? Number.POSITIVE_INFINITY : MAX_DEPTH)
  const type = headers.get('content-type')
  if (parsed.kind === 'none') return undefined
  if (parsed.kind === 'too_large') throw refusal(413, '', 'the body is larger than 1 MiB')
  if (type !== null && !JSON_TYPES.test(type)) {
    const message = `the content type must be application/json, got ${JSON.stringify(type.slice(0, 100))}`
    throw refusal(415, 'content-type', message, ['application/json'])
  }
  if (parsed.kind === 'value') return parsed.value
  if (parsed.kind !== 'malformed') throw refusal(400, '', 'the body is nested too deeply')
  // The place, without quoting the JSON: it may contain passwords.
  const place = parsed.line === undefined ? '' : `, at line ${parsed.line}, column ${parsed.column}`
  throw refusal(400, '', `the body is not valid JSON${place}`)
}

/** Maximum number of mistakes that are listed. */
const MAX_ERRORS = 50

function invalid(errors: readonly ProblemError[], hasMore = errors.length > MAX_ERRORS): ControlProblem {
  const more = hasMore ? `; the first ${MAX_ERRORS} problems are listed` : ''
  return new ControlProblem(400, `The parameters are invalid${more}.`, errors.slice(0, MAX_ERRORS))
}

function toError(schema: Schema<unknown>, { path, message }: Issue, isQuery: boolean): ProblemError {
  const allowed = schema === NoParams && path.length > 0 ? [] : allowedAt(toJsonSchema(schema), path)
  return {
    path: isQuery ? path.join('.') : pointer(path),
    message: allowed?.length === 0 ? 'unknown; this route has no parameters' : message,
    ...(allowed !== undefined && { allowed: allowed.slice(0, MAX_ALLOWED) }),
  }
}

/** Formats a path as a JSON Pointer, RFC 6901. */
function pointer(path: Issue['path']): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
