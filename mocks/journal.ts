import type { Endpoint } from '../src/contract/endpoint'
import { isSecretField, REDACTED } from '../src/internal/redact'
import { MAX_DEPTH } from './request'
import { type EndpointName, type EndpointSelector, type MatchableRequest, rows, selectionOf } from './router'

/** Characters that are kept of one string or name. */
const MAX_STRING = 500
/** Characters that are kept of all that a request sent; a value counts as {@link VALUE_SIZE} more. */
const MAX_SIZE = 10_000
const VALUE_SIZE = 8
/** What stands where there was no room. */
const TRUNCATED = '[truncated]'

/** As much of a text as the journal keeps. */
export function shorten(text: string): string {
  // What `slice` returns would hold the whole text in memory; JSON makes a text of its own.
  return text.length <= MAX_STRING ? text : JSON.parse(JSON.stringify(`${text.slice(0, MAX_STRING)}…`))
}

/**
 * Returns a copy of what was sent, as the journal keeps it: no secret field keeps its value, nor does anything that is
 * deeper than a body may be; long strings are cut, and what is more than `room` is left out.
 */
export function journalParams(value: unknown, room = MAX_SIZE): unknown {
  let left = room
  const copy = (item: unknown, field: string | undefined, depth: number): unknown => {
    left -= VALUE_SIZE
    const isNested = typeof item === 'object' && item !== null
    // `data` is a code in Verify MFA and an object in widgets and profiles: there it is looked into.
    if (isSecretField(field) && !(isNested && field === 'data')) return item === undefined ? item : REDACTED
    if (typeof item === 'string') return take(item)
    if (!isNested) return item
    if (depth >= MAX_DEPTH) return REDACTED
    return Array.isArray(item) ? [...list(item, depth + 1)] : Object.fromEntries(fields(item, depth + 1))
  }
  function* list(items: readonly unknown[], depth: number): Generator<unknown> {
    for (const item of items) {
      if (left <= 0) return yield TRUNCATED
      yield copy(item, undefined, depth)
    }
  }
  function* fields(item: object, depth: number): Generator<[string, unknown]> {
    for (const key of Object.keys(item)) {
      if (left <= 0) return yield [TRUNCATED, TRUNCATED]
      yield [take(key), copy(Reflect.get(item, key), key, depth)]
    }
  }
  const take = (text: string) => {
    const kept = shorten(text)
    left -= kept.length
    return kept
  }
  return copy(value, undefined, 0)
}

/** The last entries of a log that may have no end. */
export class Ring<T> {
  readonly #max: number
  #entries: T[] = []
  #dropped = 0

  constructor(max: number) {
    this.#max = max
  }

  /** The entries, the oldest first. */
  get entries(): T[] {
    return [...this.#entries]
  }

  /** How many entries had to make room. */
  get dropped(): number {
    return this.#dropped
  }

  push(entry: T): void {
    this.#entries.push(entry)
    if (this.#entries.length <= this.#max) return
    this.#entries.shift()
    this.#dropped += 1
  }

  /** Replaces all entries by the last of some others. */
  load(entries: readonly T[]): void {
    this.#entries = entries.slice(-this.#max)
    this.#dropped = entries.length - this.#entries.length
  }
}

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
export interface Received extends MatchableRequest {
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
