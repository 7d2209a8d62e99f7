import { check } from '../src/contract/check'
import type { Endpoint } from '../src/contract/endpoint'
import { formatIssues } from '../src/contract/issue'
import type { Core } from './core'
import type { EndpointName } from './endpoint-names'
import { formRefusal, problemsOf, refusal } from './envelope'
import { ServiceError } from './errors'
import { errorAnswer, jsonAnswer, type ServiceAnswer, type ServiceRequest } from './exchange'
import { MAX_DEPTH, parseBody } from './json'
import { viewOf } from './mock-user'
import { parametersOf } from './params'
import { match } from './router'
import { routeOf } from './routes/index'
import { type Caller, originOf } from './routes/route'
import { isElevated, stepUpRequired } from './state/elevation'
import { sessionOf, touchSession } from './state/sessions'

/** What a request is, once its address has been understood. */
export interface Target {
  /** Below the base address; `undefined` outside it. */
  readonly path: string | undefined
  readonly query: URLSearchParams
  readonly callerIfAny: Caller | undefined
}

/** The service's own answer to a request; refusals are answers too. */
export function respond(core: Core, request: ServiceRequest, target: Target): ServiceAnswer {
  try {
    return answer(core, request, target)
  } catch (error) {
    if (error instanceof ServiceError) return errorAnswer(error)
    return mistakeAnswer(error)
  }
}

/** What a mistake of the mock, or of a policy that replaces a part of it, is answered with. */
export function mistakeAnswer(error: unknown): ServiceAnswer {
  const message = `the mock service failed: ${error instanceof Error ? error.message : error}`
  return jsonAnswer(500, { code: 0, message })
}

function answer(core: Core, request: ServiceRequest, { path, query, callerIfAny }: Target): ServiceAnswer {
  if (callerIfAny !== undefined) touchSession(core, callerIfAny.session, originOf(request))
  const found = path === undefined ? [] : match(request.method, path)
  if (!('endpoint' in found)) {
    if (found.length === 0) throw refusal(core.policy, 'unknownPath')
    const { status, body } = refusal(core.policy, 'methodNotAllowed')
    throw new ServiceError(status, body, { allow: found.join(', ') })
  }
  const { endpoint } = found
  const name = endpoint.name as EndpointName
  if (callerIfAny === undefined && core.policy.requiresToken(name, endpoint.auth === 'token')) {
    throw refusal(core.policy, 'unauthorized')
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
      if (callerIfAny === undefined) throw refusal(core.policy, 'unauthorized')
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

function assertElevated(core: Core, name: EndpointName, { headers }: ServiceRequest, { user, session }: Caller): void {
  // Clients of other applications have no account to step up with; the document speaks of users alone.
  if (session.kind !== 'user' || !core.policy.requireMfa(name, viewOf(user))) return
  if (!isElevated(core, headers, session)) throw stepUpRequired(core, user, session)
}

/** Who asks. The form of the header's value is not shown, so the policy reads it. Interface, "Authentication" 1. */
export function callerOf(core: Core, request: ServiceRequest): Caller | undefined {
  const authorization = request.headers.get('authorization')
  const session = authorization === null ? undefined : sessionOf(core, core.policy.tokenOf(authorization))
  const user = session === undefined ? undefined : core.db.users.get(session.userId)
  return session === undefined || user === undefined ? undefined : { user, session }
}

function bodyOf({ policy }: Core, text: string | null): unknown {
  const body = parseBody(text)
  if (body.kind === 'too_large') throw refusal(policy, 'bodyTooLarge')
  if (body.kind === 'malformed') throw refusal(policy, 'malformedJson')
  if (body.kind === 'too_deep') {
    const message = `nested more than ${MAX_DEPTH} levels deep`
    throw formRefusal(policy, [{ path: [], code: 'TOO_DEEP', message }])
  }
  return body.kind === 'value' ? body.value : undefined
}
