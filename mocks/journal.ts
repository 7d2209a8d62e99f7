import { decodeError, type ErrorEnvelope } from './errors'
import { type KnownSecrets, redactAnswer, redactRequest, type SentParts, truncate } from './redaction/redaction'
import { parseBody, type ServiceAnswer, type ServiceOutcome } from './request'
import {
  type Answering,
  assertSelector,
  type EndpointName,
  type EndpointSelector,
  endpointName,
  type MatchableRequest,
  matcherOf,
  rowNamed,
} from './router'
import type { Stub } from './stubs/stubs'

/** Why a request was refused or got no complete response. Contains no secrets. */
export interface JournalReason {
  /** `fault` if an injected fault caused it. */
  readonly source: 'service' | 'fault'
  /** `code` of the response's body; `null` without one. */
  readonly code: number | null
  /** `message` of the response's body, or what the fault did. */
  readonly message: string
  /** Invalid fields of the request. */
  readonly fields: readonly { readonly path: string; readonly code: string; readonly message: string }[]
}

/** A response. Contains no secrets. */
export interface JournalAnswer {
  /** Headers by name in lower case, redacted as those of the request. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Body, redacted and truncated as the parameters of the request; `null` without one, `[not JSON]` or `[truncated]` if it
   * is no JSON or longer than 100,000 characters.
   */
  readonly body: unknown
}

/**
 * A request that the service received. Secrets are redacted by the names of fields, parameters and headers, and wherever
 * else a secret occurs that the service holds or has issued lately.
 */
export interface JournalEntry {
  /** Number of the request in the order of receipt, from 1. */
  readonly id: number
  /** Name of the endpoint; `null` for a path that the API document does not list, also with a stub. */
  readonly endpoint: EndpointName | null
  /** HTTP method. */
  readonly method: string
  /** Path below the base URL, without the query. */
  readonly path: string
  /** Status of the response; `null` if there was none. */
  readonly status: number | null
  /** ID of the user whose token was sent; `null` without a valid token. */
  readonly user: string | null
  /**
   * Parameters of query and body with secret fields redacted; `null` if none were sent. Strings are truncated after 500
   * characters; beyond about 10,000 characters in total, values are `[truncated]`.
   */
  readonly params: unknown
  /** Parameters of the query, which are also part of `params`. One that was sent more than once is an array. */
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /** Headers by name in lower case. The values of secret ones, and the queries of URLs in others, are redacted. */
  readonly headers: Readonly<Record<string, string>>
  /** Response; `null` if none was sent. */
  readonly answer: JournalAnswer | null
  /** Why it was refused; `null` if it succeeded. */
  readonly reason: JournalReason | null
  /** Effects of the fault that applied, or of one that was skipped and why; `null` without one. */
  readonly fault: string | null
  /** Time at which the service had received the whole request, by its clock, ISO 8601. Entries are in this order. */
  readonly at: string
  /** Milliseconds until the response by the service's clock, delays of faults included. */
  readonly durationMs: number
}

/** Requests that a service received: the last 1,000, or `maxJournalEntries`. */
export interface Journal {
  /** Requests, oldest first. */
  readonly requests: readonly JournalEntry[]
  /** Number of earlier requests that are no longer kept, since the journal was last cleared. */
  readonly dropped: number
  /**
   * Returns the requests of an endpoint, oldest first.
   * @param selector name of the endpoint, or method and path.
   * @throws TypeError if the selector matches no possible request.
   */
  find(selector: EndpointSelector): JournalEntry[]
  /** Removes all requests. */
  clear(): void
}

export interface RequestJournal extends Journal {
  /** Notes that a request was received. @returns a function that records it in the order of receipt. */
  receive(): (request: ReceivedRequest) => void
  /** Replaces all requests with saved ones; `dropped` is the number of those before them. */
  load(requests: readonly JournalEntry[], dropped?: number): void
}

export interface ReceivedRequest
  extends MatchableRequest,
    Answering,
    SentParts,
    Pick<JournalEntry, 'user' | 'reason' | 'fault' | 'at' | 'durationMs'> {
  readonly method: string
  readonly endpoint: MatchableRequest['endpoint']
  /** Response; `undefined` if none was sent. */
  readonly answer: ServiceAnswer | undefined
}

export function createJournal(
  maxEntries: number,
  known: KnownSecrets,
  notify: (entry: JournalEntry) => void,
  stubs: () => readonly Stub[],
  onCleared: () => void,
): RequestJournal {
  const ring = new Ring<JournalEntry>(maxEntries)
  let received = 0
  return {
    get requests() {
      return ring.entries
    },
    get dropped() {
      return ring.dropped
    },
    find(selector) {
      assertSelector(selector, stubs())
      const matches = matcherOf(selector)
      return ring.entries.filter((entry) => matches({ ...entry, endpoint: rowNamed(entry.endpoint) }))
    },
    clear() {
      ring.load([])
      onCleared()
    },
    receive() {
      received += 1
      const id = received
      return ({ endpoint, stub, path, user, reason, fault, at, durationMs, answer, ...sent }) => {
        const literals = (endpoint?.path ?? stub?.endpoint ?? '').split('/')
        const address = { path, literals, isListed: endpoint !== undefined }
        const name = endpoint === undefined ? null : endpointName(endpoint)
        const response = {
          status: answer?.status ?? null,
          answer: answer ? redactAnswer(known, address, answer) : null,
        }
        const outcome = { user, reason: reason && redactReason(known, reason), fault, at, durationMs }
        const entry = { id, endpoint: name, ...redactRequest(known, address, sent), ...response, ...outcome }
        ring.push(entry, (other) => other.id > id)
        notify(entry)
      }
    },
    load(requests, dropped) {
      ring.load(requests, dropped)
      received = requests.at(-1)?.id ?? 0
    },
  }
}

function redactReason(known: KnownSecrets, { fields, message, ...reason }: JournalReason): JournalReason {
  const redacted = fields.map(({ path, code, message }) => ({
    path: known.name(path),
    code: known.text(code),
    message: known.text(message),
  }))
  return { ...reason, message: known.text(message), fields: redacted }
}

export class Ring<T> {
  #entries: T[] = []
  #dropped = 0

  constructor(private readonly max: number) {}

  /** Entries, oldest first. */
  get entries(): T[] {
    return [...this.#entries]
  }

  /** Number of entries that made room for others. */
  get dropped(): number {
    return this.#dropped
  }

  /** Adds an entry, before the last ones that are later than it. */
  push(entry: T, isLater: (other: T) => boolean = () => false): void {
    const index = this.#entries.findLastIndex((other) => !isLater(other))
    this.#entries.splice(index + 1, 0, entry)
    if (this.#entries.length <= this.max) return
    this.#entries.shift()
    this.#dropped += 1
  }

  /** Replaces all entries with the last `max` of the given ones. */
  load(entries: readonly T[], dropped = 0): void {
    this.#entries = entries.slice(-this.max)
    this.#dropped = dropped + entries.length - this.#entries.length
  }
}

/** Returns a line per request: its status, and why it was refused. Contains no secrets, as the journal. */
export function formatRequests(requests: readonly JournalEntry[]): string {
  const lines = requests.map(({ status, method, path, endpoint, user, reason, fault }) => {
    const details = [endpoint ?? 'unknown endpoint', ...(user === null ? [] : [`user ${user}`])].join(', ')
    const why = [reason?.message, fault && `fault: ${fault}`].filter(Boolean).join('; ')
    return `  ${status ?? '---'} ${method} ${path} (${details})${why && ` - ${why}`}`
  })
  return lines.length === 0 ? 'The mock received no requests.' : ['Requests of the mock:', ...lines].join('\n')
}

/** Returns why a response refuses a request, or does not reach its client; `null` if it succeeds. */
export function reasonOf(
  outcome: ServiceOutcome,
  source: JournalReason['source'],
  envelope: ErrorEnvelope,
): JournalReason | null {
  const reason = (message: string): JournalReason => ({ source, code: null, message, fields: [] })
  if (outcome.kind === 'failure') {
    return reason(outcome.how === 'reset' ? 'The connection was reset.' : 'The service could not be reached.')
  }
  if (outcome.delivery !== 'whole') return reason(`The body was ${outcome.delivery}.`)
  if (outcome.status < 400) return null
  const body = parseBody(outcome.body)
  const { code, message, fields } = decodeError(body.kind === 'value' ? body.value : undefined, envelope)
  return {
    source,
    code: typeof code === 'number' ? code : null,
    message: truncate(typeof message === 'string' ? message : `HTTP status ${outcome.status}`),
    fields: fields.slice(0, MAX_FIELDS).map(fieldOf),
  }
}

function fieldOf({ path, code, message }: Record<string, unknown>): JournalReason['fields'][number] {
  return { path: String(path), code: String(code), message: truncate(String(message)) }
}

const MAX_FIELDS = 20
