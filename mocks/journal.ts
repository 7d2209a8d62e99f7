import { isSecretName, REDACTED } from '../src/internal/redact'
import type { FieldError } from './errors'
import { MAX_DEPTH, parseBody, type ServiceAnswer, type ServiceOutcome } from './request'
import {
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

/** A request that the service received. Contains no secrets. */
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
  /** Parameters of the query, which are also part of `params`. */
  readonly query: Readonly<Record<string, string>>
  /** Headers by name in lower case. The values of secret ones, and the queries of URLs in others, are redacted. */
  readonly headers: Readonly<Record<string, string>>
  /** Response; `null` if none was sent. */
  readonly answer: JournalAnswer | null
  /** Why it was refused; `null` if it succeeded. */
  readonly reason: JournalReason | null
  /** Effects of the fault that applied, or of one that was skipped and why; `null` without one. */
  readonly fault: string | null
  /** Time of receipt by the service's clock, ISO 8601. */
  readonly at: string
  /** Milliseconds until the response by the service's clock, delays of faults included. */
  readonly durationMs: number
}

/** Requests that a service received: the last 1,000, or `maxJournalEntries`. */
export interface Journal {
  /** Requests, oldest first. */
  readonly requests: readonly JournalEntry[]
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
  /** Replaces all requests with saved ones. */
  load(requests: readonly JournalEntry[]): void
}

export interface ReceivedRequest
  extends MatchableRequest,
    Pick<JournalEntry, 'user' | 'params' | 'reason' | 'fault' | 'at' | 'durationMs'> {
  readonly query: URLSearchParams
  readonly headers: Headers
  /** Response; `undefined` if none was sent. */
  readonly answer: ServiceAnswer | undefined
}

export function createJournal(
  maxEntries: number,
  notify: (entry: JournalEntry) => void,
  stubs: () => readonly Stub[],
): RequestJournal {
  const ring = new Ring<JournalEntry>(maxEntries)
  let received = 0
  return {
    get requests() {
      return ring.entries
    },
    find(selector) {
      assertSelector(selector, stubs())
      const matches = matcherOf(selector)
      return ring.entries.filter((entry) => matches({ ...entry, endpoint: rowNamed(entry.endpoint) }))
    },
    clear: () => ring.load([]),
    receive() {
      received += 1
      const id = received
      return ({ endpoint, method, path, params, query, headers, answer, ...rest }) => {
        const { user, reason, fault, at, durationMs } = rest
        const name = endpoint === undefined ? null : endpointName(endpoint)
        const redacted = {
          params: redactJson(params) ?? null,
          query: redactTexts(query),
          headers: redactTexts(headers),
        }
        const sent = { method: truncate(method), path: truncate(path), ...redacted }
        const response = { status: answer?.status ?? null, answer: answer ? redactAnswer(answer) : null }
        const entry = { id, endpoint: name, ...sent, ...response, user, reason, fault, at, durationMs }
        ring.push(entry, (other) => other.id > id)
        notify(entry)
      }
    },
    load(requests) {
      ring.load(requests)
      received = requests.at(-1)?.id ?? 0
    },
  }
}

export class Ring<T> {
  readonly #max: number
  #entries: T[] = []

  constructor(max: number) {
    this.#max = max
  }

  /** Entries, oldest first. */
  get entries(): T[] {
    return [...this.#entries]
  }

  /** Adds an entry, before the last ones that are later than it. */
  push(entry: T, isLater: (other: T) => boolean = () => false): void {
    const index = this.#entries.findLastIndex((other) => !isLater(other))
    this.#entries.splice(index + 1, 0, entry)
    if (this.#entries.length > this.#max) this.#entries.shift()
  }

  /** Replaces all entries with the last `max` of the given ones. */
  load(entries: readonly T[]): void {
    this.#entries = entries.slice(-this.#max)
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
export function reasonOf(outcome: ServiceOutcome, source: JournalReason['source']): JournalReason | null {
  const reason = (message: string): JournalReason => ({ source, code: null, message, fields: [] })
  if (outcome.kind === 'failure') {
    return reason(outcome.how === 'reset' ? 'The connection was reset.' : 'The service could not be reached.')
  }
  if (outcome.delivery !== 'whole') return reason(`The body was ${outcome.delivery}.`)
  if (outcome.status < 400) return null
  const body = parseBody(outcome.body)
  const { code, message, errors } = Object(body.kind === 'value' ? body.value : undefined)
  return {
    source,
    code: typeof code === 'number' ? code : null,
    message: truncate(typeof message === 'string' ? message : `HTTP status ${outcome.status}`),
    fields: [...fieldsOf(errors, [])].slice(0, MAX_FIELDS),
  }
}

function* fieldsOf(node: unknown, path: readonly string[]): Generator<JournalReason['fields'][number]> {
  if (typeof node !== 'object' || node === null || path.length > MAX_DEPTH) return
  for (const [key, part] of Object.entries(node)) {
    if (key !== '_errors' || !Array.isArray(part)) yield* fieldsOf(part, [...path, key])
    // The body of a fault may have any shape.
    else for (const error of part.map(Object)) yield fieldOf(path, error)
  }
}

function fieldOf(path: readonly string[], { code, message }: Partial<FieldError>): JournalReason['fields'][number] {
  return { path: path.join('.'), code: String(code), message: truncate(String(message)) }
}

const MAX_FIELDS = 20
/** Maximum number of headers, and of parameters of the query, that are kept. */
const MAX_TEXTS = 50
/** Maximum number of characters kept of one string or name. */
const MAX_STRING = 500
/** Maximum number of characters kept of one request; each value counts {@link VALUE_SIZE} more. */
const MAX_SIZE = 10_000
const VALUE_SIZE = 8
export const TRUNCATED = '[truncated]'

/** Truncates a string to {@link MAX_STRING} characters. */
function truncate(text: string): string {
  // A slice would keep the whole string in memory; a round trip through JSON copies it.
  return text.length <= MAX_STRING ? text : JSON.parse(JSON.stringify(`${text.slice(0, MAX_STRING)}…`))
}

/** A URL or path up to its query. Links to the pages of an app often contain tokens. */
const QUERY_IN_URL = /^((?:[a-z][\w+.-]*:\/)?\/[^?#]*[?#]).+$/is

function redactTexts(texts: Iterable<[string, string]>): Record<string, string> {
  const redact = (name: string, text: string) =>
    isSecretName(name) ? REDACTED : truncate(text.replace(QUERY_IN_URL, `$1${REDACTED}`))
  const kept = [...texts].slice(0, MAX_TEXTS)
  return Object.fromEntries(kept.map(([name, text]) => [truncate(name), redact(name, text)]))
}

/** Longest text in the address of an unknown route that is shown, if it is neither words nor an ID. */
const MAX_OPAQUE = 15
const WORDS = /^@?[A-Z]?[a-z]{2,}(?:[-_.A-Z][a-z]{2,})*$/
const isOpaque = (text: string) => text.length > MAX_OPAQUE && /^[\w.~+/=%-]+$/.test(text) && !/^\d+$/.test(text)

/** Redacts what may be a token in the path of an unknown route: long texts, and those after a secret name. */
export function redactPath(path: string, literals: readonly string[] = []): string {
  const redact = (text: string, index: number, all: readonly string[]) => {
    const mayBeToken = isOpaque(text) || (text !== '' && isSecretName(all[index - 1]))
    return mayBeToken && !WORDS.test(text) && !literals.includes(text) ? REDACTED : text
  }
  return path.split('/').map(redact).join('/')
}

/** Redacts what may be a token in the query of an unknown route. */
export function redactQuery(query: URLSearchParams): URLSearchParams {
  const mayBeToken = (text: string) => isOpaque(text) && !WORDS.test(text)
  return new URLSearchParams([...query].map(([name, text]) => [name, mayBeToken(text) ? REDACTED : text]))
}

/** Maximum length of a body that is parsed for the journal. */
const MAX_BODY = 100_000

/** Parses and redacts a text that should be JSON; `isError` shows the codes of errors, which are no secrets. */
export function redactBody(text: string, isError = false): unknown {
  if (text.length > MAX_BODY) return TRUNCATED
  const body = parseBody(text)
  if (body.kind === 'value') return redactJson(body.value, isError)
  // What was not parsed cannot be redacted.
  return body.kind === 'none' ? null : '[not JSON]'
}

function redactAnswer({ status, headers, body }: ServiceAnswer): JournalAnswer {
  const sent = new Headers(headers.map(([...pair]) => pair))
  return { headers: redactTexts(sent), body: redactBody(body, status >= 400) }
}

/**
 * Returns a copy of a JSON value for the journal: secret fields and values nested deeper than {@link MAX_DEPTH} are
 * redacted, long strings and long values are truncated.
 */
function redactJson(value: unknown, isError = false): unknown {
  let remaining = MAX_SIZE
  const copy = (item: unknown, field: string | undefined, depth: number): unknown => {
    remaining -= VALUE_SIZE
    const isNested = typeof item === 'object' && item !== null
    // `data` is a code in Verify MFA, but in widgets and profiles an object whose fields are redacted one by one.
    const isShown =
      item === undefined || typeof item === 'boolean' || (isNested && field === 'data') || (isError && field === 'code')
    if (isSecretName(field) && !isShown) return REDACTED
    if (typeof item === 'string') return copyText(item)
    if (!isNested) return item
    if (depth >= MAX_DEPTH) return REDACTED
    return Array.isArray(item) ? [...copyItems(item, depth + 1)] : Object.fromEntries(copyFields(item, depth + 1))
  }
  function* copyItems(items: readonly unknown[], depth: number): Generator<unknown> {
    for (const item of items) {
      if (remaining <= 0) return yield TRUNCATED
      yield copy(item, undefined, depth)
    }
  }
  function* copyFields(item: object, depth: number): Generator<[string, unknown]> {
    for (const key of Object.keys(item)) {
      if (remaining <= 0) return yield [TRUNCATED, TRUNCATED]
      yield [copyText(key), copy(Reflect.get(item, key), key, depth)]
    }
  }
  const copyText = (text: string) => {
    const copied = truncate(text)
    remaining -= copied.length
    return copied
  }
  return copy(value, undefined, 0)
}
