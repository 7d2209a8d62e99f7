import type { Duration } from './clock'
import { jsonAnswer, type ServiceAnswer, type ServiceOutcome } from './request'
import { type EndpointSelector, type MatchableRequest, type Selection, selectionOf } from './router'
import { boolean, duration, integer, type Kinds, omitUndefined, times, validateOptions, yes } from './settings'

// A longer timer would end at once.
const LONGEST_WAIT = 2 ** 31 - 1
const status = integer(200, 599)

const kinds: Kinds = {
  times,
  latency: duration(LONGEST_WAIT),
  status,
  body: { wanted: 'what JSON can say', test: isJson },
  headers: { wanted: 'an object of header names and texts', test: areHeaders },
  retryAfter: { wanted: 'seconds', test: (value) => Number.isFinite(value) && Number(value) >= 0 },
  global: boolean,
  html: { wanted: 'true or a text', test: (value) => value === true || typeof value === 'string' },
  malformedJson: yes,
  network: yes,
  reset: yes,
  truncate: yes,
  stall: yes,
}

const EFFECTS = ['html', 'malformedJson', 'network', 'reset', 'truncate', 'stall'] as const

/**
 * Refuses a fault that could not happen, or not as its author thinks.
 * @throws TypeError that says why.
 */
export function assertFault(fault: Fault): void {
  validateOptions('the fault', fault, kinds)
  const says = (name: string) => (fault as unknown as Record<string, unknown>)[name] !== undefined
  const effects: string[] = EFFECTS.filter(says)
  // A status is an effect of its own, but for a page and for a body that is no JSON.
  if (says('status') && !says('html') && !says('malformedJson')) effects.push('status')
  const allowed = [...EFFECTS, 'status'].join(', ')
  if (effects.length > 1) throw new TypeError(`the fault says ${effects.join(' and ')}; a fault is one of ${allowed}`)
  const stray = ['body', 'headers', 'retryAfter', 'global'].find((name) => says(name) && effects[0] !== 'status')
  if (effects.length === 0 && !says('latency')) {
    throw new TypeError(`the fault says nothing that goes wrong; give one of ${allowed}, latency`)
  }
  if (stray !== undefined) throw new TypeError(`the fault: ${stray} goes with a status alone`)
}

function isJson(value: unknown): boolean {
  try {
    return typeof JSON.stringify(value) === 'string'
  } catch {
    return false
  }
}

function areHeaders(value: unknown): boolean {
  try {
    return typeof value === 'object' && value !== null && new Headers(value as Record<string, string>) !== null
  } catch {
    return false
  }
}

/** When a fault happens. */
export interface FaultTiming {
  /** How many requests it happens to. @default Infinity */
  readonly times?: number
  /** How long the service takes, in real time whatever the service's clock: nobody could advance it meanwhile. */
  readonly latency?: Duration
}

/** An answer in place of the service's own; the request changes nothing. */
export interface AnswerFault extends FaultTiming {
  /** HTTP status. */
  readonly status: number
  /** The body, sent as JSON. Default: the conventional error of the status. */
  readonly body?: unknown
  /** Headers to add. */
  readonly headers?: Readonly<Record<string, string>>
  /** Seconds to wait, as `Retry-After` and as `retry_after` in the default body. */
  readonly retryAfter?: number
  /** Whether the default body says that a rate limit holds for all calls. @default false */
  readonly global?: boolean
}

/** A page of HTML, as a proxy sends it; the request changes nothing. */
export interface HtmlFault extends FaultTiming {
  /** The page, or `true` for one that says the status. */
  readonly html: true | string
  /** HTTP status. @default 502 */
  readonly status?: number
}

/** A body that claims to be JSON and is not; the request changes nothing. */
export interface MalformedJsonFault extends FaultTiming {
  /** Says so. */
  readonly malformedJson: true
  /** HTTP status. @default 200 */
  readonly status?: number
}

/** No answer: the service cannot be reached, and the request changes nothing. */
export interface NetworkFault extends FaultTiming {
  /** Says so. */
  readonly network: true
}

/** No answer: the connection is reset, and the request changes nothing. */
export interface ResetFault extends FaultTiming {
  /** Says so. */
  readonly reset: true
}

/** The service's own answer, broken off halfway through its body: the request has had its effect. */
export interface TruncateFault extends FaultTiming {
  /** Says so. */
  readonly truncate: true
}

/** The service's own answer, whose body goes silent halfway: the request has had its effect. */
export interface StallFault extends FaultTiming {
  /** Says so. */
  readonly stall: true
}

/** The service's own answer, late. */
export interface LatencyFault extends FaultTiming {
  /** How long the service takes, in real time. */
  readonly latency: Duration
}

/** What may go wrong. */
export type Fault =
  | AnswerFault
  | HtmlFault
  | MalformedJsonFault
  | NetworkFault
  | ResetFault
  | TruncateFault
  | StallFault
  | LatencyFault

/** The faults of a service. */
export interface Faults {
  /**
   * Makes an endpoint fail. Of several faults on one endpoint the first that has times left happens. A path need not be
   * in the interface document: a fault with a status stands in for an endpoint that the document does not show.
   * @throws TypeError when the selector can be no request's, or the fault says nothing, too much or nonsense.
   * @returns a function that takes the fault back.
   */
  on(selector: EndpointSelector, fault: Fault): () => void
  /** Takes all faults back. */
  clear(): void
}

/** A fault that is set, in plain data, so that a snapshot holds it. */
export interface PendingFault {
  /** Tells it from others on the same endpoint. */
  readonly id: number
  /** The endpoint. */
  readonly selector: EndpointSelector
  /** What goes wrong. */
  readonly fault: Fault
  /** To how many requests more it happens; `null` for every one. */
  readonly left: number | null
}

/** {@link Faults}, as the service asks for them. */
export interface FaultQueue extends Faults {
  /** The faults that are set. */
  save(): readonly PendingFault[]
  /** Goes back to faults that were set. */
  load(pending: readonly PendingFault[]): void
  /** The fault of a request, if one is due; its times go down by one. */
  take(request: MatchableRequest): Fault | undefined
}

interface Entry extends Omit<PendingFault, 'left'> {
  readonly selects: Selection
  left: number
}

/** A number of times as JSON carries it, which has no Infinity. */
export const orNull = (times: number): number | null => (Number.isFinite(times) ? times : null)

export function createFaults(): FaultQueue {
  let entries: Entry[] = []
  let lastId = 0
  return {
    on(selector, given) {
      assertFault(given)
      const fault = omitUndefined(given)
      lastId += 1
      const id = lastId
      const left = fault.times ?? Number.POSITIVE_INFINITY
      entries.push({ id, selector, selects: selectionOf(selector), fault, left })
      return () => {
        entries = entries.filter((other) => other.id !== id)
      }
    },
    save: () =>
      entries.map(({ selects: _, fault: { times: _times, ...fault }, ...entry }) => ({
        ...entry,
        fault,
        left: orNull(entry.left),
      })),
    load(pending) {
      entries = pending.map((entry) => ({
        ...entry,
        left: entry.left ?? Number.POSITIVE_INFINITY,
        selects: selectionOf(entry.selector),
      }))
      // A snapshot may be another service's: no fault that is set later gets the ID of one that it brings.
      lastId = Math.max(lastId, ...entries.map(({ id }) => id))
    },
    clear() {
      entries = []
    },
    take(request) {
      const entry = entries.find(({ left, selects }) => left > 0 && selects(request))
      if (entry === undefined) return undefined
      entry.left -= 1
      return entry.fault
    },
  }
}

/** What a fault answers in the service's place; `undefined` where the service answers itself. */
export function faultOutcome(fault: Fault): ServiceOutcome | undefined {
  if ('network' in fault) return { kind: 'failure', how: 'network' }
  if ('reset' in fault) return { kind: 'failure', how: 'reset' }
  if ('html' in fault) {
    const { status = 502, html } = fault
    const page = html === true ? `<!doctype html><title>${status}</title><h1>${status} Bad Gateway</h1>` : html
    return raw(status, 'text/html; charset=utf-8', page)
  }
  if ('malformedJson' in fault) return raw(fault.status ?? 200, 'application/json', '{"token": "unfinis')
  return 'status' in fault ? statusAnswer(fault) : undefined
}

/** The service's own answer, delivered as badly as a fault says. */
export function applyFault(answer: ServiceAnswer, fault: Fault | undefined): ServiceAnswer {
  if (fault === undefined) return answer
  if ('truncate' in fault) return { ...answer, delivery: 'truncated' }
  return 'stall' in fault ? { ...answer, delivery: 'stalled' } : answer
}

function statusAnswer({ status, body, headers = {}, retryAfter, global = false }: AnswerFault): ServiceAnswer {
  const all = Object.entries(headers)
  if (retryAfter !== undefined) all.push(['retry-after', String(retryAfter)])
  return jsonAnswer(status, body === undefined ? defaultBody(status, retryAfter, global) : body, all)
}

function defaultBody(status: number, retryAfter: number | undefined, global: boolean): unknown {
  if (status === 204 || status === 304) return undefined
  if (status !== 429) return { code: 0, message: `${status}: injected by a fault` }
  return { message: 'You are being rate limited.', retry_after: retryAfter ?? 0, global }
}

function raw(status: number, contentType: string, body: string): ServiceAnswer {
  return { kind: 'answer', status, headers: [['content-type', contentType]], body, delivery: 'whole' }
}
