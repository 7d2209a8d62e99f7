import { check } from '../src/contract/check'
import type { Endpoint } from '../src/contract/endpoint'
import { formatIssues, type Issue } from '../src/contract/issue'
import { milliseconds } from './clock'
import { type Caller, type ServiceContext, timestamp } from './core'
import { viewOf } from './database'
import { apiError, formRefusal, problemsOf, ServiceError } from './errors'
import { applyFault, type FaultQueue, faultOutcome } from './faults'
import type { OpenJournal } from './journal'
import {
  errorAnswer,
  isLonger,
  jsonAnswer,
  MAX_DEPTH,
  parseBody,
  type ServiceAnswer,
  type ServiceOutcome,
  type ServiceRequest,
} from './request'
import { type EndpointName, match, relativePath } from './router'
import { routeOf } from './routes/index'
import { originOf } from './routes/route'
import { isElevated, stepUpRequired } from './state/mfa'
import { sessionOf, touchSession } from './state/sessions'
import { assertionIn, prove, withProof } from './state/webauthn'

/** What a request passes: the fields of its query and of its body. */
export interface Parameters {
  readonly values: Readonly<Record<string, unknown>>
  readonly issues: readonly Issue[]
}

/** Query and body of a request, as the row wants them, and what is wrong with them. */
export function parametersOf(endpoint: Endpoint, query: URLSearchParams, body: unknown, strict: boolean): Parameters {
  if (body !== undefined && !isRecord(body)) return { values: {}, issues: [notAnObject] }
  const allowed = new Set(endpoint.query)
  const misplaced = [...query.keys()].filter((key) => !allowed.has(key))
  const inBody = Object.keys(body ?? {}).filter((key) => allowed.has(key))
  let values: Record<string, unknown> = { ...body }
  for (const key of allowed) if (query.has(key)) values[key] = single(query.getAll(key))
  values = coerced(endpoint, values, allowed)
  const issues = [...misplaced, ...inBody].map(unknownField)
  if (endpoint.params !== undefined) issues.push(...check(endpoint.params, values))
  else issues.push(...Object.keys(values).map(unknownField))
  return { values, issues: strict ? issues : issues.filter(({ code }) => code !== 'unknown_field') }
}

const notAnObject: Issue = { path: [], code: 'invalid_type', message: 'expected a JSON object', severity: 'error' }

function unknownField(key: string): Issue {
  return { path: [key], code: 'unknown_field', message: 'this endpoint has no such field here', severity: 'error' }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const single = (values: readonly string[]): unknown => (values.length === 1 ? values[0] : values)

/** A query carries text alone: where the row does not take the text, it is what the text says. */
function coerced(endpoint: Endpoint, values: Record<string, unknown>, query: ReadonlySet<string>) {
  if (endpoint.params === undefined) return values
  const refused = new Set(check(endpoint.params, values).map(({ path }) => path[0]))
  const entries = Object.entries(values).map(([key, value]) => [
    key,
    query.has(key) && refused.has(key) ? parsed(value) : value,
  ])
  return Object.fromEntries(entries) as Record<string, unknown>
}

function parsed(value: unknown): unknown {
  if (value === 'true' || value === 'false') return value === 'true'
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
}

/** What a request is, once its address has been understood. */
export interface Target {
  /** Below the base address; `undefined` outside it. */
  readonly path: string | undefined
  readonly query: URLSearchParams
  readonly callerIfAny: Caller | undefined
}

/** The service's own answer to a request; refusals are answers too. */
export function respond(core: ServiceContext, request: ServiceRequest, target: Target): ServiceAnswer {
  try {
    return answer(core, request, target)
  } catch (error) {
    if (error instanceof ServiceError) return errorAnswer(error)
    return internalError(error)
  }
}

/** What a mistake of the mock, or of a policy that replaces a part of it, is answered with. */
export function internalError(error: unknown): ServiceAnswer {
  const message = `the mock service failed: ${error instanceof Error ? error.message : error}`
  return jsonAnswer(500, { code: 0, message })
}

function answer(core: ServiceContext, request: ServiceRequest, { path, query, callerIfAny }: Target): ServiceAnswer {
  if (callerIfAny !== undefined) touchSession(core, callerIfAny.session, originOf(request))
  const found = path === undefined ? [] : match(request.method, path)
  if (!('endpoint' in found)) {
    if (found.length === 0) throw apiError(core.policy, 'unknownPath')
    const { status, body } = apiError(core.policy, 'methodNotAllowed')
    throw new ServiceError(status, body, { allow: found.join(', ') })
  }
  const { endpoint } = found
  const name = endpoint.name as EndpointName
  if (callerIfAny === undefined && core.policy.requiresToken(name, endpoint.auth === 'token')) {
    throw apiError(core.policy, 'unauthorized')
  }
  const { values: params, issues } = parametersOf(endpoint, query, bodyOf(core, request.body), core.strict)
  if (issues.length > 0) throw formRefusal(core.policy, problemsOf(issues))
  if (callerIfAny !== undefined && mayNeedStepUp(endpoint)) assertElevated(core, name, request, callerIfAny)

  const headers: [string, string][] = []
  const value = routeOf(endpoint)?.({
    core,
    endpoint,
    path: found.path,
    params: endpoint.params === undefined ? undefined : params,
    request,
    callerIfAny,
    get caller() {
      if (callerIfAny === undefined) throw apiError(core.policy, 'unauthorized')
      return callerIfAny
    },
    headers,
  })
  if (endpoint.response === undefined) return jsonAnswer(204, undefined, headers)
  assertFits(endpoint, endpoint.response, value)
  return jsonAnswer(200, value, headers)
}

function assertFits(endpoint: Endpoint, schema: NonNullable<Endpoint['response']>, value: unknown): void {
  const issues = check(schema, value, { showValues: false })
  if (issues.length === 0) return
  throw new Error(`its answer to "${endpoint.name}" breaks the contract:\n${formatIssues(issues)}`)
}

/** The calls that meet step-up. If they needed it themselves, nobody could meet it. Interface, "Authentication" 4. */
const STEP_UP_CALLS: readonly string[] = ['Verify MFA', 'Send MFA SMS']

/** Whether a call can need step-up: neither those that meet it nor those that serve clients without a token. */
function mayNeedStepUp({ name, auth }: Endpoint): boolean {
  return auth !== 'none' && !STEP_UP_CALLS.includes(name)
}

function assertElevated(
  core: ServiceContext,
  name: EndpointName,
  { headers }: ServiceRequest,
  { user, session }: Caller,
): void {
  // Clients of other applications have no account to step up with; the document speaks of users alone.
  if (session.kind !== 'user' || !core.policy.requireMfa(name, viewOf(user))) return
  if (!isElevated(core, headers, session)) throw stepUpRequired(core, user, session)
}

/** Who asks. The form of the header's value is not shown, so the policy reads it. Interface, "Authentication" 1. */
export function callerOf(core: ServiceContext, request: ServiceRequest): Caller | undefined {
  const authorization = request.headers.get('authorization')
  const session = authorization === null ? undefined : sessionOf(core, core.policy.tokenOf(authorization))
  const user = session === undefined ? undefined : core.db.users.get(session.userId)
  return session === undefined || user === undefined ? undefined : { user, session }
}

function bodyOf({ policy }: ServiceContext, text: string | null): unknown {
  const body = parseBody(text)
  if (body.kind === 'too_large') throw apiError(policy, 'bodyTooLarge')
  if (body.kind === 'malformed') throw apiError(policy, 'malformedJson')
  if (body.kind === 'too_deep') {
    const message = `nested more than ${MAX_DEPTH} levels deep`
    throw formRefusal(policy, [{ path: [], code: 'TOO_DEEP', message }])
  }
  return body.kind === 'value' ? body.value : undefined
}

/** The parts of a service that a request passes. */
export interface Handling {
  readonly core: ServiceContext
  readonly faults: FaultQueue
  readonly journal: OpenJournal
  readonly waits: Waits
}

/** What comes of a request: faults first, then the service's own answer; either way the journal has it. */
export async function handle(
  { core, faults, journal, waits }: Handling,
  given: ServiceRequest,
): Promise<ServiceOutcome> {
  // Not every way in knows the limit.
  const isTooLarge = given.body !== null && isLonger(given.body, core.maxBodyBytes)
  const request = isTooLarge ? { ...given, body: null } : given
  const url = new URL(request.url, core.baseUrl)
  const path = relativePath(core.baseUrl, url.pathname)
  const found = path === undefined ? [] : match(request.method, path)
  const endpoint = 'endpoint' in found ? found.endpoint : undefined
  const selectable = { endpoint, method: request.method, path: path ?? url.pathname }
  const note = (status: number | null, user: string | null) => {
    const params = received(url.searchParams, request.body)
    journal.note({ ...selectable, status, user, params, at: timestamp(core.clock.now()) })
  }

  const fault = faults.take(selectable)
  if (fault?.latency !== undefined) {
    try {
      await waits.wait(milliseconds(fault.latency), request.signal)
    } catch (reason) {
      note(null, identify(core, request).user)
      throw reason
    }
  }
  const claim = endpoint && assertionIn(core, endpoint, request)
  const proof = claim && (await prove(claim))
  // After the wait, in which the account may have been closed; before the answer, since a logout ends the session.
  const { user, mistake, ...caller } = identify(core, request)
  const outcome =
    (fault && faultOutcome(fault)) ??
    applyFault(
      mistake ?? withProof(core, proof, () => respond(core, request, { path, query: url.searchParams, ...caller })),
      fault,
    )
  note(outcome.kind === 'answer' ? outcome.status : null, user)
  return outcome
}

/** Who asks. A policy that fails to tell is a mistake to answer with, like any other. */
function identify(core: ServiceContext, request: ServiceRequest) {
  try {
    const callerIfAny = callerOf(core, request)
    return { callerIfAny, user: callerIfAny?.user.id ?? null, mistake: undefined }
  } catch (error) {
    return { callerIfAny: undefined, user: null, mistake: internalError(error) }
  }
}

function received(query: URLSearchParams, text: string | null): unknown {
  const inQuery = Object.fromEntries(query)
  const body = parseBody(text)
  // Text that is no JSON, goes too deep or was not read cannot be redacted, so none of it is kept.
  if (body.kind !== 'value') return query.size === 0 ? null : inQuery
  const { value } = body
  if (Array.isArray(value)) return value
  return typeof value === 'object' && value !== null ? { ...inQuery, ...value } : null
}

/** The pauses of one service. None of them outlives it. */
export interface Waits {
  /** Waits in real time. Rejects with the signal's reason, or when the service is closed. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** Ends all pauses with an error. */
  close(): void
}

/** What a request to a closed service is rejected with: to its caller the network has gone. */
export function closedError(): TypeError {
  return new TypeError('fetch failed', { cause: new Error('the mock service was closed') })
}

export function createDelays(): Waits {
  const pending = new Set<(reason: unknown) => void>()
  return {
    wait: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        const settle = (act: () => void) => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', onAbort)
          pending.delete(cancel)
          act()
        }
        const cancel = (reason: unknown) => settle(() => reject(reason))
        const onAbort = () => cancel(signal?.reason)
        const timer = setTimeout(() => settle(resolve), milliseconds)
        pending.add(cancel)
        signal?.addEventListener('abort', onAbort)
        if (signal?.aborted) onAbort()
      }),
    close() {
      for (const cancel of [...pending]) cancel(closedError())
    },
  }
}
