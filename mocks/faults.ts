// Faults of HTTP requests: statuses, delays and broken responses.

import { OpenObjectSchema } from '../src/contract/schema'
import { isObject, readField, withoutPrototype } from '../src/internal/json'
import { type Duration, milliseconds } from './clock'
import type { UserRef } from './database'
import { encodeError, rateLimitBody } from './errors'
import { FaultQueue } from './faults/queue'
import type { Policy } from './policy'
import { createRandom } from './random'
import { isWithoutBody, jsonResponse, type ServiceAnswer, type ServiceOutcome } from './request'
import {
  type Answering,
  assertRoute,
  type EndpointSelector,
  type MatchableRequest,
  matcherOf,
  nameWithoutBody,
} from './router'
import * as option from './settings'
import { assertOptions } from './settings'
import type { Stub } from './stubs/stubs'

/** Condition of a fault; all of its parts must hold. */
export interface FaultMatch {
  /** User whose token the request has, by record or by ID. */
  readonly user?: UserRef
  /**
   * Parameters of the query or the body that the request must contain, such as `{ username: 'grace' }`. A number or
   * boolean equals its string, because a query has only strings.
   */
  readonly params?: Readonly<Record<string, unknown>>
  /** Headers that the request must have, with these values. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A delay in real time, as the service's clock cannot be advanced during a request; of two, one in between by the seed. */
export type FaultDelay = Duration | readonly [min: Duration, max: Duration]

/**
 * A fault of an endpoint: when and for which requests it applies, what it delays, and at most one effect: `status`, `html`,
 * `malformedJson`, `network`, `reset`, `truncate`, `stall` or `loseResponse`. With the first five the request changes nothing.
 */
export interface Fault {
  /** Number of requests that it affects, at least 1. @default Infinity */
  readonly times?: number
  /** Number of matching requests that it lets pass first. @default 0 */
  readonly after?: number
  /** Probability that it affects a request, from 0 to 1; which ones depends only on the seed of the service. @default 1 */
  readonly probability?: number
  /** Requests that it affects. Default: all of the endpoint. */
  readonly match?: FaultMatch
  /** Delay of the response, as of a slow server: the request takes effect immediately, even if the client does not wait. */
  readonly latency?: FaultDelay
  /** Delay of the request: it takes effect afterwards, unless the client has gone. */
  readonly delayRequest?: FaultDelay
  /** Bytes of the response's body per second; it is sent ten times a second. */
  readonly bandwidth?: number
  /** HTTP status of the response; also of `html`, by default 502, and of `malformedJson`, by default 200. */
  readonly status?: number
  /** Body of a response with `status`, sent as JSON. Default: the conventional error of the status. */
  readonly body?: unknown
  /** Headers to add to a response with `status`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Seconds to wait, as `Retry-After` and as `retry_after` in the default body. */
  readonly retryAfter?: number
  /** Whether the default body declares a rate limit global. @default false */
  readonly global?: boolean
  /** Responds with an HTML page that shows the status, as a proxy does. */
  readonly html?: true
  /** Responds with invalid JSON. */
  readonly malformedJson?: true
  /** No response: the service cannot be reached. */
  readonly network?: true
  /** No response: the connection is reset. */
  readonly reset?: true
  /** Cuts the service's own response off halfway through its body: the request has had its effect. */
  readonly truncate?: true
  /** Stalls the service's own response halfway through its body: the request has had its effect. */
  readonly stall?: true
  /** The request has had its effect, but no response arrives: `reset` resets the connection, `hang` keeps it open. */
  readonly loseResponse?: 'reset' | 'hang'
}

/** Faults of a service. */
export interface Faults {
  /**
   * Makes an endpoint fail, or all of a method, of a path or of the service (`'*'`). If an endpoint has several faults,
   * the first one whose turn it is applies. A path that the API document does not list needs a stub first. A fault of
   * many endpoints that needs a body is skipped for those that answer without one; the journal says so.
   * @throws Error if the user of `match` does not exist, TypeError if neither an endpoint nor a stub has the method and path, the fault has no effect or contradictory ones, or
   * its only endpoint or stub has no body that it needs.
   * @returns a function that removes the fault.
   */
  on(selector: EndpointSelector, fault: Fault): () => void
  /** Returns the faults that are set, in the order in which they apply. */
  all(): PendingFault[]
  /** Removes a fault by its `id`. @returns whether there was one. */
  remove(id: number): boolean
  /** Removes all faults. */
  clear(): void
}

/** A fault that is set, as plain data for a snapshot. */
export interface PendingFault {
  /** Identifies the fault among those of the service. */
  readonly id: number
  /** The endpoint. */
  readonly selector: EndpointSelector
  /** The fault. */
  readonly fault: Fault
  /** Number of requests that it still affects; `null` for all. */
  readonly left: number | null
  /** Number of requests that it still lets pass. */
  readonly after: number
}

type EndpointFault = Pick<PendingFault, 'selector' | 'fault'>

/** {@link Faults} with the methods that the service itself uses. */
export interface EndpointFaults extends Faults {
  save(): readonly PendingFault[]
  load(saved: readonly PendingFault[]): void
  /** Returns the fault that applies to a request, with its delays in milliseconds, and uses one of its times. */
  take(request: FaultableRequest): { fault: Fault; latency: number; delayRequest: number } | undefined
}

export type FaultListener = (action: 'added' | 'applied' | 'removed', fault: PendingFault) => void

/** @param assertUser throws for a user that does not exist. */
export function createFaults(
  seed: number,
  notify: FaultListener,
  stubs: () => readonly Stub[],
  assertUser: (user: UserRef) => void,
): EndpointFaults {
  // Separate from the service's random values, which would otherwise depend on the faults.
  let state = { state: seed, ids: 0 }
  const random = createRandom(() => state)
  const queue = new FaultQueue<EndpointFault, FaultableRequest>(
    ({ selector, fault }) => {
      const matches = matcherOf(selector)
      const skipped = skippedWithoutBody(fault)
      return (request) => {
        if (!matches(request) || !meets(request, fault.match)) return false
        if (skipped === undefined || nameWithoutBody(request) === undefined) return true
        request.onSkipped(skipped)
        return false
      }
    },
    ({ fault: { probability = 1 } }) => probability === 1 || random.integer(2 ** 30) < probability * 2 ** 30,
  )
  const delayOf = (delay: FaultDelay = 0): number => {
    const [min, max] = (option.isRange(delay) ? delay : [delay, delay]).map(milliseconds)
    return min === undefined || max === undefined || min === max ? (min ?? 0) : min + random.integer(max - min + 1)
  }
  const remove = (id: number): boolean => {
    const fault = queue.remove(id)
    if (fault !== undefined) notify('removed', fault)
    return fault !== undefined
  }
  return {
    on(selector, options) {
      assertFault(options, assertRoute(selector, stubs()))
      const { times, after, ...fault } = withoutPrototype(option.omitUndefined(options))
      if (fault.match?.user !== undefined) assertUser(fault.match.user)
      const added = queue.add({ selector, fault: structuredClone(fault) }, { times, after })
      notify('added', added)
      return () => void remove(added.id)
    },
    take(request) {
      const taken = queue.take(request)
      if (taken === undefined) return undefined
      notify('applied', taken)
      const fault = withoutPrototype(taken.fault)
      return { fault, latency: delayOf(fault.latency), delayRequest: delayOf(fault.delayRequest) }
    },
    all: () => structuredClone(queue.save()),
    remove,
    save: () => queue.save(),
    load(saved) {
      state = { state: seed, ids: 0 }
      queue.load(saved)
    },
    clear: () => {
      for (const { id } of queue.save()) remove(id)
    },
  }
}

/** A request with the properties that a {@link FaultMatch} refers to, read on demand. */
export interface FaultableRequest extends MatchableRequest, Answering {
  readonly endpoint: MatchableRequest['endpoint']
  readonly headers: Headers
  user(): string | null
  params(): unknown
  /** Receives what of a fault was skipped, and why. */
  onSkipped(what: string): void
}

function meets(request: FaultableRequest, match: FaultMatch = {}): boolean {
  const { user, params, headers = {} } = withoutPrototype(match)
  if (user !== undefined && request.user() !== (typeof user === 'string' ? user : user.id)) return false
  if (!Object.entries(headers).every(([name, value]) => request.headers.get(name) === value)) return false
  return params === undefined || contains(request.params(), params)
}

/** Whether a JSON value has all parts of another; arrays must be equal. Numbers and booleans equal their strings. */
export function contains(actual: unknown, expected: unknown): boolean {
  if (!isObject(expected)) return !isObject(actual) && String(actual) === String(expected)
  if (!isObject(actual) || (Array.isArray(expected) && Object(actual).length !== expected.length)) return false
  return Object.entries(expected).every(([key, part]) => contains(Reflect.get(actual, key), part))
}

export const FAULT_OPTIONS: option.OptionChecks = {
  times: option.count(1),
  after: option.integer(0, Number.MAX_SAFE_INTEGER),
  probability: option.check(
    'a number from 0 to 1',
    (value) => Number(value) >= 0 && Number(value) <= 1 && Number.isFinite(value),
    { type: 'number', minimum: 0, maximum: 1 },
  ),
  latency: option.delay,
  delayRequest: option.delay,
  bandwidth: option.integer(1, Number.MAX_SAFE_INTEGER),
  match: option.nested({
    user: option.reference('a user'),
    params: option.matches(OpenObjectSchema),
    headers: option.headers,
  }),
  status: option.integer(200, 599),
  body: option.json,
  headers: option.headers,
  retryAfter: option.check('a number of seconds', (value) => Number.isFinite(value) && Number(value) >= 0, {
    type: 'number',
    minimum: 0,
  }),
  global: option.boolean,
  html: option.literalTrue,
  malformedJson: option.literalTrue,
  network: option.literalTrue,
  reset: option.literalTrue,
  truncate: option.literalTrue,
  stall: option.literalTrue,
  loseResponse: option.oneOf('reset', 'hang'),
}

/** Properties of which a fault has at most one. */
const EFFECTS = ['html', 'malformedJson', 'network', 'reset', 'truncate', 'stall', 'loseResponse'] as const
const TIMINGS = ['latency', 'delayRequest', 'bandwidth'] as const

/** Returns the property of a fault that a response without a body cannot have; `undefined` without one. */
function neededBody(fault: Fault): string | undefined {
  const has = (name: string) => readField(fault, name) !== undefined
  if (['status', 'html', 'malformedJson'].some(has)) return undefined
  return ['truncate', 'stall', 'bandwidth'].find(has)
}

/** Describes a fault that is skipped for a response without a body; `undefined` for one that is not. */
export function skippedWithoutBody(fault: Fault): string | undefined {
  const needed = neededBody(fault)
  return needed && `${needed} (skipped: the endpoint has no response body)`
}

/** Returns the names of what a fault does. */
export function effectsOf(fault: Fault): string {
  return [...EFFECTS, 'status', ...TIMINGS].filter((name) => readField(fault, name) !== undefined).join(', ')
}

/**
 * Throws for a fault without an effect, one whose properties contradict each other, and one that needs a body that its
 * endpoint does not have.
 * @throws TypeError with the reason.
 */
export function assertFault(fault: Fault, answering: Answering = {}): void {
  assertOptions('the fault', fault, FAULT_OPTIONS)
  const problem = problemOf(fault, answering)
  if (problem !== undefined) throw new TypeError(`the fault${problem}`)
}

function problemOf(fault: Fault, answering: Answering): string | undefined {
  const has = (name: string) => readField(fault, name) !== undefined
  const effects: string[] = EFFECTS.filter(has)
  // `status` is an effect of its own, except next to `html` and `malformedJson`.
  if (has('status') && !has('html') && !has('malformedJson')) effects.push('status')
  const allowed = [...EFFECTS, 'status'].join(', ')
  if (effects.length > 1) return ` has more than one effect, ${effects.join(' and ')}; set only one of ${allowed}`
  if (effects.length === 0 && !TIMINGS.some(has)) return ` has no effect; set one of ${allowed}, ${TIMINGS.join(', ')}`
  const withoutBody = ['network', 'reset', 'loseResponse'].find(has)
  if (withoutBody !== undefined && has('bandwidth')) return `: bandwidth: ${withoutBody} sends no body`
  const needed = neededBody(fault)
  const bodiless = needed && nameWithoutBody(answering)
  if (bodiless !== undefined) return `: ${needed}: ${bodiless} has no response body; use loseResponse`
  const status = readField(fault, 'status')
  const sent = isWithoutBody(status) ? ['body', 'html', 'malformedJson', 'bandwidth'].find(has) : undefined
  if (sent !== undefined) return `: ${sent}: a response with status ${status} has no body`
  const stray = ['body', 'headers', 'retryAfter', 'global'].find((name) => has(name) && effects[0] !== 'status')
  return stray === undefined ? undefined : `: ${stray}: only allowed with status`
}

/** Returns the outcome that a fault replaces the service's own with; `undefined` if the service responds itself. */
export function faultOutcome(fault: Fault, policy: Policy): ServiceOutcome | undefined {
  const { network, reset, html, malformedJson, status: given } = fault
  if (network || reset) return { kind: 'failure', how: network ? 'network' : 'reset' }
  if (html) {
    const status = given ?? 502
    const page = `<!doctype html><title>${status}</title><h1>${status} Bad Gateway</h1>`
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
