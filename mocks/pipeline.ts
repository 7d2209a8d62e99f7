import type { Endpoint } from '../src/contract/endpoint'
import { check } from '../src/contract/validate'
import { formatIssues, type Issue } from '../src/internal/issue'
import { isObject } from '../src/internal/json'
import { isSecretName, REDACTED } from '../src/internal/redact'
import { type Caller, type ServiceContext, toTimestamp } from './core'
import { viewOf } from './database'
import { apiError, defaultErrors, fieldErrorsOf, formError, ServiceError } from './errors'
import { applyFault, type EndpointFaults, effectsOf, faultOutcome, skippedWithoutBody } from './faults'
import { type JournalReason, type RequestJournal, reasonOf } from './journal'
import type { Policy } from './policy'
import * as http from './request'
import { type EndpointName, endpointName, match, nearestRoute, relativePath } from './router'
import { routeOf } from './routes/index'
import { originOf } from './routes/route'
import { findAssertion, isElevated, stepUpError, verifyAssertion, withProof } from './state/mfa'
import { assertWithinRateLimits, needsStepUp, tokenIn } from './state/policy-settings'
import { sessionOf, touchSession } from './state/sessions'
import type { EndpointStubs } from './stubs/stubs'

export interface PipelineContext {
  readonly core: ServiceContext
  readonly faults: EndpointFaults
  readonly stubs: EndpointStubs
  readonly journal: RequestJournal
  readonly delays: ReturnType<typeof createDelays>
}

/** Handles a request: applies faults, else responds itself; records it in the journal either way. */
export async function handle(
  { core, faults, stubs, journal, delays }: PipelineContext,
  received: http.ServiceRequest,
): Promise<http.ServiceOutcome> {
  // A server does not even read such a body.
  const request = http.isTooLarge(received.body) ? { ...received, body: null } : received
  const url = new URL(request.url, core.baseUrl)
  const path = relativePath(core.baseUrl, url.pathname)
  const found = path === undefined ? [] : match(request.method, path)
  const endpoint = 'endpoint' in found ? found.endpoint : undefined
  const body = http.parseBody(request.body)
  const { method, headers } = request
  const query = url.searchParams
  const paramsOf = (inQuery: http.QueryValues) => journalParams(inQuery, body)
  const stub = path === undefined || endpoint !== undefined ? undefined : stubs.find(method, path)
  const matchable = { endpoint, stub, method, path: path ?? url.pathname, query, headers }
  const write = journal.receive()
  const startedAt = core.clock.now()
  let skipped: string | null = null
  const { fault, ...delay } =
    faults.take({
      ...matchable,
      user: () => userOf(core, request),
      params: () => paramsOf(http.queryValues(query)),
      onSkipped: (what) => {
        skipped = what
      },
    }) ?? NO_FAULT
  let effects = fault ? effectsOf(fault) : skipped
  const record = (answer: http.ServiceAnswer | undefined, user: string | null, reason: JournalReason | null) => {
    const shown = withoutVerification(headers, core.policy)
    // The clock may have been set back.
    const times = { at: toTimestamp(startedAt), durationMs: Math.max(0, core.clock.now() - startedAt) }
    write({ ...matchable, headers: shown, paramsOf, answer, user, reason, fault: effects, ...times })
  }
  const fail = (user: string | null, message: string) =>
    record(undefined, user, { source: 'fault', code: null, message, fields: [] })
  const pause = async (length: number, when: string) => {
    if (length === 0) return
    await delays.wait(length, request.signal).catch((reason) => {
      fail(userOf(core, request), `The client, or the service, ended the request ${when}.`)
      throw reason
    })
  }

  await pause(delay.delayRequest, 'during its delay, before it took effect')
  const claim = endpoint && findAssertion(core, endpoint, request)
  const proof = claim && (await verifyAssertion(claim))
  // After the delay, during which the account may have been closed; before the response, because a logout ends the
  // session.
  const optionalCaller = callerOf(core, request)
  const user = userOf(core, request, optionalCaller)
  const replaced = fault && faultOutcome(fault, core.policy)
  const response =
    replaced ?? withProof(core, proof, () => respond(core, request, { found, ...matchable, body, optionalCaller }))
  // Whether a stub has a body is only known here.
  const isEmpty = response.kind === 'answer' && response.body === ''
  if (fault && isEmpty) effects = skippedWithoutBody(fault) ?? effects
  const outcome = isEmpty ? response : applyFault(response, fault)
  await pause(delay.latency, replaced === undefined ? 'after it took effect, during the latency' : 'during the latency')
  if (fault?.loseResponse !== undefined && outcome.kind === 'answer') {
    const effect = outcome.status < 400 ? 'took effect' : 'was refused'
    fail(user, `The request ${effect}, and its response (${outcome.status}) was lost.`)
    if (fault.loseResponse === 'hang') await delays.wait(null, request.signal)
    return { kind: 'failure', how: 'reset' }
  }
  const isCut = outcome.kind === 'answer' && outcome.delivery !== 'whole'
  const reason = reasonOf(outcome, replaced !== undefined || isCut ? 'fault' : 'service', core.policy.errorEnvelope)
  record(outcome.kind === 'answer' ? outcome : undefined, user, reason)
  return outcome
}

/** Redacts the verification JWT if the name of its header does not say that it is secret. */
function withoutVerification(headers: Headers, { mfaHeader }: Policy): Headers {
  if (isSecretName(mfaHeader) || !headers.has(mfaHeader)) return headers
  const shown = new Headers(headers)
  shown.set(mfaHeader, REDACTED)
  return shown
}

const NO_FAULT = { fault: undefined, latency: 0, delayRequest: 0 }

/** Returns the ID of the user of a request, also of an account of a recording. */
function userOf(core: ServiceContext, request: http.ServiceRequest, caller = callerOf(core, request)): string | null {
  return caller?.user.id ?? core.replay?.accountOf(request.headers) ?? null
}

/** Returns the authenticated caller. API, "Authentication" 1. */
function callerOf(core: ServiceContext, request: http.ServiceRequest): Caller | undefined {
  const authorization = request.headers.get('authorization')
  const token = authorization === null ? undefined : tokenIn(core.policy, authorization)
  const session = token === undefined ? undefined : sessionOf(core, token)
  const user = session === undefined ? undefined : core.db.users.get(session.userId)
  return session === undefined || user === undefined ? undefined : { user, session }
}

function journalParams(inQuery: http.QueryValues, body: http.ParsedBody): unknown {
  // A body that was not parsed cannot be redacted, so it is left out.
  if (body.kind !== 'value') return Object.keys(inQuery).length === 0 ? null : inQuery
  const { value } = body
  if (Array.isArray(value)) return value
  return typeof value === 'object' && value !== null ? { ...inQuery, ...value } : null
}

export interface Target {
  /** The endpoint, or the methods that the path allows. */
  readonly found: ReturnType<typeof match>
  readonly stub: ReturnType<EndpointStubs['find']>
  /** Below the base URL, or the whole path outside it. */
  readonly path: string
  readonly body: http.ParsedBody
  readonly query: URLSearchParams
  readonly optionalCaller: Caller | undefined
}

function respond(core: ServiceContext, request: http.ServiceRequest, target: Target): http.ServiceAnswer {
  try {
    return dispatch(core, request, target)
  } catch (error) {
    if (error instanceof ServiceError) return http.errorResponse(error, core.policy)
    return internalError(error, core.policy)
  }
}

function dispatch(
  core: ServiceContext,
  request: http.ServiceRequest,
  { found, stub, path, body, query, optionalCaller }: Target,
): http.ServiceAnswer {
  if (optionalCaller !== undefined) touchSession(core, optionalCaller.session, originOf(request))
  const { method, headers: sent } = request
  if (stub !== undefined) {
    const user = optionalCaller?.user.id ?? null
    return stub.respond({ method, path, query, headers: sent, user, body: bodyOf(core, body) })
  }
  if (!('endpoint' in found)) {
    if (found.length === 0) throw unknownPathError(core, method, path)
    const { status, body } = apiError(core.policy, 'methodNotAllowed')
    throw new ServiceError(status, body, { allow: found.join(', ') })
  }
  const { endpoint } = found
  const name = endpointName(endpoint)
  if (core.replay !== undefined) return core.replay.answer({ endpoint: name, path, headers: sent, body })
  assertWithinRateLimits(core, name, optionalCaller?.user.id ?? request.ip)
  if (optionalCaller === undefined && core.policy.requiresToken(name, endpoint.auth === 'token')) {
    throw apiError(core.policy, 'unauthorized')
  }
  const { values: params, issues } = readParameters(endpoint, query, bodyOf(core, body), core.strict)
  if (issues.length > 0) throw formError(core.policy, fieldErrorsOf(issues))
  if (optionalCaller !== undefined && canRequireStepUp(endpoint)) assertElevated(core, name, request, optionalCaller)

  const headers: [string, string][] = []
  const value = routeOf(endpoint)?.({
    core,
    endpoint,
    path: found.path,
    params: endpoint.params === undefined ? undefined : params,
    request,
    optionalCaller,
    get caller() {
      if (optionalCaller === undefined) throw apiError(core.policy, 'unauthorized')
      return optionalCaller
    },
    headers,
  })
  if (endpoint.response === undefined) return http.jsonResponse(204, undefined, headers)
  assertMatchesContract(endpoint, endpoint.response, value)
  return http.jsonResponse(200, value, headers)
}

/** Creates the error of an unknown path; its default message names the nearest route, if one is near. */
function unknownPathError({ policy, baseUrl }: ServiceContext, method: string, path: string): ServiceError {
  const error = apiError(policy, 'unknownPath')
  if (policy.errors.unknownPath !== defaultErrors.unknownPath) return error
  const route = nearestRoute(method, path)?.replace(' ', ` ${baseUrl.pathname.replace(/\/$/, '')}`)
  if (route === undefined) return error
  return new ServiceError(error.status, { ...error.body, message: `404: Not Found. The nearest route is ${route}` })
}

function internalError(error: unknown, policy: Policy): http.ServiceAnswer {
  const message = `the mock service failed: ${error instanceof Error ? error.message : error}`
  return http.errorResponse({ status: 500, body: { code: 0, message }, headers: {} }, policy)
}

/** Calls that complete step-up, so they cannot require it. API, "Authentication" 4. */
const STEP_UP_CALLS: readonly string[] = ['Verify MFA', 'Send MFA SMS']

/** Whether an endpoint can require step-up: not {@link STEP_UP_CALLS} and endpoints for clients without a token. */
function canRequireStepUp({ name, auth }: Endpoint): boolean {
  return auth !== 'none' && !STEP_UP_CALLS.includes(name)
}

function assertElevated(
  core: ServiceContext,
  name: EndpointName,
  { headers }: http.ServiceRequest,
  { user, session }: Caller,
): void {
  // OAuth2 and bot tokens cannot step up: the document describes it only for users.
  if (session.kind !== 'user' || !needsStepUp(core.policy, name, viewOf(user))) return
  if (!isElevated(core, headers, session)) throw stepUpError(core, user, session)
}

function assertMatchesContract(endpoint: Endpoint, schema: NonNullable<Endpoint['response']>, value: unknown): void {
  const issues = check(schema, value, { showValues: false })
  if (issues.length === 0) return
  throw new Error(`the response of the mock to "${endpoint.name}" violates the contract:\n${formatIssues(issues)}`)
}

function bodyOf({ policy }: ServiceContext, body: http.ParsedBody): unknown {
  if (body.kind === 'too_large') throw apiError(policy, 'bodyTooLarge')
  if (body.kind === 'malformed') throw apiError(policy, 'malformedJson')
  if (body.kind === 'too_deep') {
    const message = `nested more than ${http.MAX_DEPTH} levels deep`
    throw formError(policy, [{ path: [], code: 'TOO_DEEP', message }])
  }
  return body.kind === 'value' ? body.value : undefined
}

function readParameters(endpoint: Endpoint, query: URLSearchParams, body: unknown, strict: boolean) {
  if (body !== undefined && (!isObject(body) || Array.isArray(body))) return { values: {}, issues: [NOT_AN_OBJECT] }
  const allowed = new Set(endpoint.query)
  const misplaced = [...query.keys()].filter((key) => !allowed.has(key))
  const inBody = Object.keys(body ?? {}).filter((key) => allowed.has(key))
  let values: Record<string, unknown> = { ...body }
  for (const key of allowed) if (query.has(key)) values[key] = http.queryValue(query, key)
  if (endpoint.params !== undefined) values = http.coerceQuery(endpoint.params, values, (key) => allowed.has(key))
  const issues = [...misplaced, ...inBody].map(unknownFieldIssue)
  if (endpoint.params !== undefined) issues.push(...check(endpoint.params, values))
  else issues.push(...Object.keys(values).map(unknownFieldIssue))
  return { values, issues: strict ? issues : issues.filter(({ code }) => code !== 'unknown_field') }
}

const NOT_AN_OBJECT: Issue = { path: [], code: 'invalid_type', message: 'expected a JSON object', severity: 'error' }

function unknownFieldIssue(key: string): Issue {
  return { path: [key], code: 'unknown_field', message: 'unknown field of this endpoint', severity: 'error' }
}

/** Creates the error of a request to a closed service, which looks like a network failure. */
export function closedError(): TypeError {
  return new TypeError('fetch failed', { cause: new Error('the mock service was closed') })
}

export function createDelays() {
  const pending = new Set<(reason: unknown) => void>()
  return {
    /** Waits in real time; `null` is forever. Rejects with the signal's reason, or when the service is closed. */
    wait: (milliseconds: number | null, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const settle = (callback: () => void) => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', onAbort)
          pending.delete(cancel)
          callback()
        }
        const cancel = (reason: unknown) => settle(() => reject(reason))
        const onAbort = () => cancel(signal?.reason)
        const timer = milliseconds === null ? undefined : setTimeout(() => settle(resolve), milliseconds)
        pending.add(cancel)
        signal?.addEventListener('abort', onAbort)
        if (signal?.aborted) onAbort()
      }),
    /** Rejects all pending delays. */
    close(): void {
      for (const cancel of [...pending]) cancel(closedError())
    },
  }
}
