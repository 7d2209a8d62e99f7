// Faults of HTTP requests: statuses, delays and broken responses.
import { createIssue, type Issue } from '../src/internal/issue'
import { isObject, readField, withoutPrototype } from '../src/internal/json'
import { type Duration, MAX_TIMER_MS } from './clock'
import type { UserRef } from './database'
import { jsonResponse, type ServiceAnswer, type ServiceOutcome } from './request'
import { type EndpointSelector, type MatchableRequest, matcherOf } from './router'
import {
  assertOptions,
  boolean,
  check,
  count,
  duration,
  integer,
  literalTrue,
  nested,
  type OptionChecks,
  omitUndefined,
  withSchema,
} from './settings'

/** Condition of a fault; all of its parts must hold. */
export interface FaultMatch {
  /** User whose token the request has, by record or by ID. */
  readonly user?: UserRef
  /** Parameters of the query or the body that the request must contain, such as `{ username: 'grace' }`. */
  readonly params?: Readonly<Record<string, unknown>>
  /** Headers that the request must have, with these values. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Timing and condition of a fault. */
export interface FaultTiming {
  /** Number of requests that it affects. @default Infinity */
  readonly times?: number
  /** Delay of the response, in real time: the service's clock cannot be advanced during a request. */
  readonly latency?: Duration
  /** Requests that it affects. Default: all of the endpoint. */
  readonly match?: FaultMatch
}

/** Replaces the response of the service; the request changes nothing. */
export interface AnswerFault extends FaultTiming {
  /** HTTP status. */
  readonly status: number
  /** Body, sent as JSON. Default: the conventional error of the status. */
  readonly body?: unknown
  /** Headers to add. */
  readonly headers?: Readonly<Record<string, string>>
  /** Seconds to wait, as `Retry-After` and as `retry_after` in the default body. */
  readonly retryAfter?: number
  /** Whether the default body declares a rate limit global. @default false */
  readonly global?: boolean
}

/** Responds with an HTML page, as a proxy does; the request changes nothing. */
export interface HtmlFault extends FaultTiming {
  /** The page, or `true` for a page that shows the status. */
  readonly html: true | string
  /** HTTP status. @default 502 */
  readonly status?: number
}

/** Responds with invalid JSON; the request changes nothing. */
export interface MalformedJsonFault extends FaultTiming {
  readonly malformedJson: true
  /** HTTP status. @default 200 */
  readonly status?: number
}

/** No response: the service cannot be reached, and the request changes nothing. */
export interface NetworkFault extends FaultTiming {
  readonly network: true
}

/** No response: the connection is reset, and the request changes nothing. */
export interface ResetFault extends FaultTiming {
  readonly reset: true
}

/** Cuts the service's own response off halfway through its body: the request has had its effect. */
export interface TruncateFault extends FaultTiming {
  readonly truncate: true
}

/** Stalls the service's own response halfway through its body: the request has had its effect. */
export interface StallFault extends FaultTiming {
  readonly stall: true
}

/** Delays the service's own response. */
export interface LatencyFault extends FaultTiming {
  /** Delay of the response, in real time. */
  readonly latency: Duration
}

/** A fault of an endpoint. */
export type Fault =
  | AnswerFault
  | HtmlFault
  | MalformedJsonFault
  | NetworkFault
  | ResetFault
  | TruncateFault
  | StallFault
  | LatencyFault

/** Faults of a service. */
export interface Faults {
  /**
   * Makes an endpoint fail. If an endpoint has several faults, the first one that has times left applies. The path need
   * not be in the API document: a fault with a status stands in for an endpoint that the document does not show.
   * @throws TypeError if the selector matches no possible request, or the fault has no effect or contradictory ones.
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
}

type EndpointFault = Pick<PendingFault, 'selector' | 'fault'>

/** {@link Faults} with the methods that the service itself uses. */
export interface EndpointFaults extends Faults {
  save(): readonly PendingFault[]
  load(saved: readonly PendingFault[]): void
  /** Returns the fault that applies to a request, and uses one of its times. */
  take(request: FaultableRequest): Fault | undefined
}

export type FaultListener = (action: 'added' | 'applied' | 'removed', fault: PendingFault) => void

export function createFaults(notify: FaultListener): EndpointFaults {
  const queue = new FaultQueue<EndpointFault, FaultableRequest>(({ selector, fault }) => {
    const matches = matcherOf(selector)
    return (request) => matches(request) && meets(request, readField(fault, 'match'))
  })
  const remove = (id: number): boolean => {
    const fault = queue.remove(id)
    if (fault !== undefined) notify('removed', fault)
    return fault !== undefined
  }
  return {
    on(selector, options) {
      assertFault(options)
      const { times, ...fault } = withoutPrototype(omitUndefined(options))
      const added = queue.add({ selector, fault }, times)
      notify('added', added)
      return () => void remove(added.id)
    },
    take(request) {
      const taken = queue.take(request)
      if (taken !== undefined) notify('applied', taken)
      return taken && withoutPrototype(taken.fault)
    },
    all: () => structuredClone(queue.save()),
    remove,
    save: () => queue.save(),
    load: (saved) => queue.load(saved),
    clear: () => {
      for (const { id } of queue.save()) remove(id)
    },
  }
}

/** A request with the properties that a {@link FaultMatch} refers to, read on demand. */
export interface FaultableRequest extends MatchableRequest {
  readonly headers: Headers
  user(): string | null
  params(): unknown
}

function meets(request: FaultableRequest, match: FaultMatch = {}): boolean {
  const { user, params, headers = {} } = withoutPrototype(match)
  if (user !== undefined && request.user() !== (typeof user === 'string' ? user : user.id)) return false
  if (!Object.entries(headers).every(([name, value]) => request.headers.get(name) === value)) return false
  return params === undefined || contains(request.params(), params)
}

/** Whether a JSON value has all parts of another; arrays must be equal. */
function contains(actual: unknown, expected: unknown): boolean {
  if (!isObject(expected) || Array.isArray(expected)) return JSON.stringify(actual) === JSON.stringify(expected)
  if (!isObject(actual)) return false
  return Object.entries(expected).every(([key, part]) => contains(Reflect.get(actual, key), part))
}

function headersCheck(name: string, value: unknown): Issue[] {
  if (!isObject(value)) return check('an object of header names and values', isObject)(name, value)
  return Object.entries(value).flatMap(([header, text]) => {
    try {
      // Validates the name and the value.
      new Headers([[header, String(text)]])
      return []
    } catch {
      const message = 'expected a header name, and a value of printable characters in one line'
      return [createIssue([name, header], 'invalid_value', message)]
    }
  })
}

const headers = withSchema(headersCheck, () => ({ type: 'object', additionalProperties: { type: 'string' } }))

export const FAULT_OPTIONS: OptionChecks = {
  times: count(0),
  latency: duration(MAX_TIMER_MS),
  match: nested({
    user: check('a user or the ID of one', (value) => typeof value === 'string' || isObject(value), { type: 'string' }),
    params: check('an object that JSON can represent', (value) => isObject(value) && isJson(value), { type: 'object' }),
    headers,
  }),
  status: integer(200, 599),
  body: check('a value that JSON can represent', isJson),
  headers,
  retryAfter: check('a number of seconds', (value) => Number.isFinite(value) && Number(value) >= 0, {
    type: 'number',
    minimum: 0,
  }),
  global: boolean,
  html: check('true or a string', (value) => value === true || typeof value === 'string', {
    anyOf: [{ const: true }, { type: 'string' }],
  }),
  malformedJson: literalTrue,
  network: literalTrue,
  reset: literalTrue,
  truncate: literalTrue,
  stall: literalTrue,
}

/** Properties of which a fault has at most one. */
const EFFECTS = ['html', 'malformedJson', 'network', 'reset', 'truncate', 'stall'] as const

/**
 * Throws for a fault without an effect and for one whose properties contradict each other.
 * @throws TypeError with the reason.
 */
export function assertFault(fault: Fault): void {
  assertOptions('the fault', fault, FAULT_OPTIONS)
  const has = (name: string) => readField(fault, name) !== undefined
  const effects: string[] = EFFECTS.filter(has)
  // `status` is an effect of its own, except next to `html` and `malformedJson`.
  if (has('status') && !has('html') && !has('malformedJson')) effects.push('status')
  const allowed = [...EFFECTS, 'status'].join(', ')
  if (effects.length > 1) {
    throw new TypeError(`the fault has more than one effect, ${effects.join(' and ')}; set only one of ${allowed}`)
  }
  if (effects.length === 0 && !has('latency')) {
    throw new TypeError(`the fault has no effect; set one of ${allowed}, latency`)
  }
  const stray = ['body', 'headers', 'retryAfter', 'global'].find((name) => has(name) && effects[0] !== 'status')
  if (stray !== undefined) throw new TypeError(`the fault: ${stray}: only allowed with status`)
}

function isJson(value: unknown): boolean {
  try {
    return typeof JSON.stringify(value) === 'string'
  } catch {
    return false
  }
}

/** Returns the outcome that a fault replaces the service's own with; `undefined` if the service responds itself. */
export function faultOutcome(fault: Fault): ServiceOutcome | undefined {
  if ('network' in fault) return { kind: 'failure', how: 'network' }
  if ('reset' in fault) return { kind: 'failure', how: 'reset' }
  if ('html' in fault) {
    const { status = 502, html } = fault
    const page = html === true ? `<!doctype html><title>${status}</title><h1>${status} Bad Gateway</h1>` : html
    return rawResponse(status, 'text/html; charset=utf-8', page)
  }
  if ('malformedJson' in fault) return rawResponse(fault.status ?? 200, 'application/json', '{"token": "unfinis')
  return 'status' in fault ? statusResponse(fault) : undefined
}

export function applyFault(response: ServiceAnswer, fault: Fault | undefined): ServiceAnswer {
  if (fault === undefined) return response
  if ('truncate' in fault) return { ...response, delivery: 'truncated' }
  return 'stall' in fault ? { ...response, delivery: 'stalled' } : response
}

function statusResponse({ status, body, headers = {}, retryAfter, global = false }: AnswerFault): ServiceAnswer {
  const all = Object.entries(headers)
  if (retryAfter !== undefined) all.push(['retry-after', String(retryAfter)])
  return jsonResponse(status, body === undefined ? defaultBody(status, retryAfter, global) : body, all)
}

function defaultBody(status: number, retryAfter: number | undefined, global: boolean): unknown {
  if (status === 204 || status === 304) return undefined
  if (status !== 429) return { code: 0, message: `${status}: injected by a fault` }
  return { message: 'You are being rate limited.', retry_after: retryAfter ?? 0, global }
}

function rawResponse(status: number, contentType: string, body: string): ServiceAnswer {
  return { kind: 'answer', status, headers: [['content-type', contentType]], body, delivery: 'whole' }
}

/** A queued fault as plain data. JSON has no Infinity, so `left` is `null` for a fault without a limit. */
export interface Pending {
  readonly id: number
  readonly left: number | null
}

interface QueueEntry<Effect, Subject> {
  readonly id: number
  readonly effect: Effect
  readonly matches: (subject: Subject) => boolean
  readonly onTaken: (subject: Subject) => void
  left: number
}

/** Faults in the order in which they were added, each with the number of times it still applies. */
export class FaultQueue<Effect extends object, Subject> {
  #entries: QueueEntry<Effect, Subject>[] = []
  #lastId = 0
  readonly #matcherOf: (effect: Effect) => (subject: Subject) => boolean

  constructor(matcherOf: (effect: Effect) => (subject: Subject) => boolean) {
    this.#matcherOf = matcherOf
  }

  /** Adds a fault that applies `times` times. */
  add(
    effect: Effect,
    times = Number.POSITIVE_INFINITY,
    onTaken: (subject: Subject) => void = () => {},
  ): Effect & Pending {
    const matches = this.#matcherOf(effect)
    this.#lastId += 1
    const entry = { id: this.#lastId, effect, matches, onTaken, left: times }
    this.#entries.push(entry)
    return toPending(entry)
  }

  /** Removes a fault and returns it; `undefined` if there is none with this ID. */
  remove(id: number): (Effect & Pending) | undefined {
    const entry = this.#entries.find((one) => one.id === id)
    this.#entries = this.#entries.filter((one) => one !== entry)
    return entry && toPending(entry)
  }

  /** Returns the first fault that matches and has times left, and uses one of them. */
  take(subject: Subject): (Effect & Pending) | undefined {
    const entry = this.#entries.find(({ left, matches }) => left > 0 && matches(subject))
    if (entry === undefined) return undefined
    entry.left -= 1
    entry.onTaken(subject)
    return toPending(entry)
  }

  save(): (Effect & Pending)[] {
    return this.#entries.map(toPending)
  }

  /** Replaces all faults with saved ones. */
  load(saved: readonly (Effect & Pending)[]): void {
    this.#entries = saved.map((effect) => ({
      id: effect.id,
      effect,
      matches: this.#matcherOf(effect),
      onTaken: () => {},
      left: effect.left ?? Number.POSITIVE_INFINITY,
    }))
    // The snapshot may come from another service: keep its IDs distinct from those of faults added later.
    this.#lastId = Math.max(this.#lastId, ...this.#entries.map(({ id }) => id))
  }

  clear(): void {
    this.#entries = []
  }
}

function toPending<Effect extends object>({
  id,
  effect,
  left,
}: Pick<QueueEntry<Effect, never>, 'id' | 'effect' | 'left'>) {
  return { ...effect, id, left: Number.isFinite(left) ? left : null }
}
