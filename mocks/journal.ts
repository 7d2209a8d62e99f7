import type { Endpoint } from '../src/contract/endpoint'
import type { EndpointName, EndpointSelector } from './endpoint-names'
import { journalParams, shorten } from './journal-params'
import { Ring } from './ring'
import { rows } from './rows'
import { type Selectable, selectionOf } from './selector'

/** A request that the service received. It holds no secret. */
export interface JournalEntry {
  /** Name of the endpoint; `null` for a path that the document does not have. */
  readonly endpoint: EndpointName | null
  /** HTTP method. */
  readonly method: string
  /** The path that was sent, below the base address and without its query. */
  readonly path: string
  /** Status of the answer; `null` where there was none. */
  readonly status: number | null
  /** ID of the user whose token the request carried; `null` without a valid one. */
  readonly user: string | null
  /**
   * What was sent in query and body, secret fields redacted; `null` if nothing was. Strings are cut after 500
   * characters, and what is more than some 10,000 characters in all is `[truncated]`.
   */
  readonly params: unknown
  /** When it came, an ISO 8601 timestamp of the service's clock. */
  readonly at: string
}

/** Says what must have been received, and throws a readable error where it was not. Works with any test runner. */
export interface JournalExpectation {
  /** At least once. */
  toHaveBeenCalled(): void
  /** This many times. */
  toHaveBeenCalledTimes(times: number): void
  /** At least once with these parameters among those that were sent. Secret fields are redacted in the journal. */
  toHaveBeenCalledWith(params: Readonly<Record<string, unknown>>): void
  /** Not once. */
  notToHaveBeenCalled(): void
}

/** What a service received, the oldest first: its last 1,000 requests, or as many as `maxJournalEntries` says. */
export interface Journal {
  /** The requests. */
  readonly requests: readonly JournalEntry[]
  /** The requests of an endpoint, by its name or by method and path. */
  find(selector: EndpointSelector): JournalEntry[]
  /** What must hold of an endpoint, by its name or by method and path. */
  expect(selector: EndpointSelector): JournalExpectation
  /** Forgets all requests. */
  clear(): void
}

const byName: ReadonlyMap<string | null, Endpoint> = new Map(rows.map((row) => [row.name, row]))

/** A request as the service notes it, secrets included. */
export interface Received extends Selectable {
  readonly status: number | null
  readonly user: string | null
  readonly params: unknown
  readonly at: string
}

/** {@link Journal}, as the service writes it. */
export interface OpenJournal extends Journal {
  note(received: Received): void
  /** Goes back to requests that were noted. */
  load(requests: readonly JournalEntry[]): void
}

export function createJournal(maxEntries: number): OpenJournal {
  const ring = new Ring<JournalEntry>(maxEntries)
  const find = (selector: EndpointSelector) => {
    const selects = selectionOf(selector)
    return ring.entries.filter((entry) => selects({ ...entry, endpoint: byName.get(entry.endpoint) }))
  }
  return {
    get requests() {
      return ring.entries
    },
    find,
    expect: (selector) => expectation(selector, find(selector), ring),
    clear: () => ring.load([]),
    note({ endpoint, method, path, status, user, params, at }) {
      const name = (endpoint?.name ?? null) as EndpointName | null
      const sent = { method: shorten(method), path: shorten(path), params: journalParams(params) ?? null }
      ring.push({ endpoint: name, ...sent, status, user, at })
    },
    load: (requests) => ring.load(requests),
  }
}

function expectation(
  selector: EndpointSelector,
  found: readonly JournalEntry[],
  ring: Ring<JournalEntry>,
): JournalExpectation {
  const demand = (holds: boolean, wanted: string, tellsParams = false) => {
    if (holds) return
    const lines = ring.entries.map((entry) => {
      const { endpoint, method, path, status, params } = entry
      const sent = tellsParams && found.includes(entry) ? ` with ${shortened(JSON.stringify(params))}` : ''
      return `  ${status ?? '—'} ${method} ${path} (${endpoint})${sent}`
    })
    const received = lines.length === 0 ? 'Nothing was received.' : `Received:\n${lines.join('\n')}`
    const gone =
      ring.dropped === 0 ? '' : `\nThe ${ring.dropped} oldest requests are no longer known; see maxJournalEntries.`
    throw new Error(`expected ${selector} ${wanted}, but it was called ${counted(found.length)}. ${received}${gone}`)
  }
  return {
    toHaveBeenCalled: () => demand(found.length > 0, 'to have been called'),
    toHaveBeenCalledTimes: (times) => demand(found.length === times, `to have been called ${counted(times)}`),
    toHaveBeenCalledWith(params) {
      const looked = journalParams(params, Number.POSITIVE_INFINITY)
      const holds = found.some((entry) => includes(entry.params, looked))
      demand(holds, `to have been called with ${JSON.stringify(looked)}`, true)
    },
    notToHaveBeenCalled: () => demand(found.length === 0, 'not to have been called'),
  }
}

/** So many characters of what was sent are told. */
const MOST_TOLD = 500

function shortened(text: string): string {
  return text.length > MOST_TOLD ? `${text.slice(0, MOST_TOLD)}…` : text
}

const counted = (times: number): string => (times === 1 ? 'once' : `${times} times`)

function includes(actual: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return Object.is(actual, wanted)
  if (typeof actual !== 'object' || actual === null) return false
  if (Array.isArray(wanted) && (!Array.isArray(actual) || actual.length !== wanted.length)) return false
  const given = actual as Record<string, unknown>
  return Object.entries(wanted).every(([key, value]) => Object.hasOwn(given, key) && includes(given[key], value))
}
