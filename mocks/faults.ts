import type { Duration } from './clock'
import type { EndpointSelector } from './endpoint-names'
import { assertFault } from './fault-checks'
import { type Selectable, type Selection, selectionOf } from './selector'
import { withoutGaps } from './set-up'

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
  take(request: Selectable): Fault | undefined
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
      const fault = withoutGaps(given)
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
