// What a fault does to the response of a request.
import { encodeError, rateLimitBody } from '../errors'
import type { Fault } from '../faults'
import type { Policy } from '../policy'
import { isWithoutBody, jsonResponse, type ServiceAnswer, type ServiceOutcome } from '../request'

/** Returns the outcome that a fault replaces the service's own with; `undefined` if the service responds itself. */
export function faultOutcome(fault: Fault, policy: Policy): ServiceOutcome | undefined {
  const { network, reset, html, malformedJson, status: given } = fault
  if (network || reset) return { kind: 'failure', how: network ? 'network' : 'reset' }
  if (html !== undefined) {
    const status = given ?? 502
    const page = html === true ? `<!doctype html><title>${status}</title><h1>${status} Bad Gateway</h1>` : html
    return rawResponse(status, 'text/html; charset=utf-8', page)
  }
  if (malformedJson) return rawResponse(given ?? 200, 'application/json', '{"token": "unfinis')
  return given === undefined ? undefined : statusResponse(fault, given, policy)
}

/** Returns a response as a fault delivers it. */
export function applyFault(response: ServiceOutcome, fault: Fault | undefined): ServiceOutcome {
  if (fault === undefined || response.kind === 'failure') return response
  const { bandwidth, truncate, stall } = fault
  const slow = bandwidth === undefined ? response : { ...response, bytesPerSecond: bandwidth }
  if (truncate) return { ...slow, delivery: 'truncated' }
  return stall ? { ...slow, delivery: 'stalled' } : slow
}

function statusResponse(fault: Fault, status: number, policy: Policy): ServiceAnswer {
  const { body, headers = {}, retryAfter, global = false } = fault
  const isLimit = body === undefined && status === 429
  const all = Object.entries(headers)
  if (retryAfter !== undefined && !(isLimit && policy.retryAfterUnit === 'milliseconds'))
    all.push(['retry-after', String(retryAfter)])
  if (body !== undefined || isWithoutBody(status)) return jsonResponse(status, body, all)
  const error = isLimit
    ? rateLimitBody(policy, retryAfter ?? 0, global)
    : { code: 0, message: `${status}: injected by a fault` }
  return jsonResponse(status, encodeError(error, policy.errorEnvelope), all)
}

function rawResponse(status: number, contentType: string, body: string): ServiceAnswer {
  return { kind: 'answer', status, headers: [['content-type', contentType]], body, delivery: 'whole' }
}
