import { isLonger } from './body'
import { milliseconds } from './clock'
import { type Core, timestamp } from './core'
import type { ServiceOutcome, ServiceRequest } from './exchange'
import { damaged, faultOutcome } from './fault-answers'
import type { FaultQueue } from './faults'
import type { OpenJournal } from './journal'
import { parseBody } from './json'
import { callerOf, mistakeAnswer, respond } from './respond'
import { match, relativePath } from './router'
import type { Waits } from './waits'
import { assertionIn, prove, withProof } from './webauthn-proof'

/** The parts of a service that a request passes. */
export interface Handling {
  readonly core: Core
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
    damaged(
      mistake ?? withProof(core, proof, () => respond(core, request, { path, query: url.searchParams, ...caller })),
      fault,
    )
  note(outcome.kind === 'answer' ? outcome.status : null, user)
  return outcome
}

/** Who asks. A policy that fails to tell is a mistake to answer with, like any other. */
function identify(core: Core, request: ServiceRequest) {
  try {
    const callerIfAny = callerOf(core, request)
    return { callerIfAny, user: callerIfAny?.user.id ?? null, mistake: undefined }
  } catch (error) {
    return { callerIfAny: undefined, user: null, mistake: mistakeAnswer(error) }
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
