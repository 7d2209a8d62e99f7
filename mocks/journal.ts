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

  constructor(max: number) {
    this.#max = max
  }

  /** The entries, the oldest first. */
  get entries(): T[] {
    return [...this.#entries]
  }

  push(entry: T): void {
    this.#entries.push(entry)
    if (this.#entries.length > this.#max) this.#entries.shift()
  }

  /** Replaces all entries by the last of some others. */
  load(entries: readonly T[]): void {
    this.#entries = entries.slice(-this.#max)
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

/** What a service received, the oldest first: its last 1,000 requests, or as many as `maxJournalEntries` says. */
export interface Journal {
  /** The requests. */
  readonly requests: readonly JournalEntry[]
  /** The requests of an endpoint, by its name or by method and path. */
  find(selector: EndpointSelector): JournalEntry[]
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
  return {
    get requests() {
      return ring.entries
    },
    find(selector) {
      const matches = selectionOf(selector)
      return ring.entries.filter((entry) => matches({ ...entry, endpoint: byName.get(entry.endpoint) }))
    },
    clear: () => ring.load([]),
    note({ endpoint, method, path, status, user, params, at }) {
      const name = (endpoint?.name ?? null) as EndpointName | null
      const sent = { method: shorten(method), path: shorten(path), params: journalParams(params) ?? null }
      ring.push({ endpoint: name, ...sent, status, user, at })
    },
    load: (requests) => ring.load(requests),
  }
}
