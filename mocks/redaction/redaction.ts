/**
 * The one rule by which the mock redacts what it shows of requests: journal, events, log, inspector, and the errors of the
 * control API.
 *
 * 1. **By name**, as the client (`src/internal/redact.ts`), in any mix of capital and small letters. In path, query and
 *    headers also `name=value` within a text, `user:password@`, and the query of a URL.
 * 2. **By value**: {@link KnownSecrets} in every value, name and path, wherever they were sent. Names that read as a field
 *    name stay.
 * 3. **By form**, only on paths that the API document does not list, in path and query: long texts other than words and
 *    numbers. There, names such as `session` and `sig` are secret, too.
 */
import { compileSecrets, decodings, isSecretName, REDACTED } from '../../src/internal/redact'
import { MAX_DEPTH, parseBody, type QueryValues, queryValues, type ServiceAnswer } from '../request'

/** Maximum number of headers, and of parameters of the query, that are kept. */
const MAX_TEXTS = 50
/** Maximum number of characters kept of one string or name. */
const MAX_STRING = 500
/** Maximum number of characters of one that are searched: secrets that begin in the part that is kept end there. */
const MAX_SEARCHED = 2000
/** Maximum number of characters kept of one request; each value counts {@link VALUE_SIZE} more. */
const MAX_SIZE = 10_000
const VALUE_SIZE = 8
export const TRUNCATED = '[truncated]'
/** Maximum length of a body that is parsed for the journal. */
const MAX_BODY = 100_000

/** Truncates a string to {@link MAX_STRING} characters. */
export function truncate(text: string): string {
  // A slice would keep the whole string in memory; a round trip through JSON copies it.
  return text.length <= MAX_STRING ? text : JSON.parse(JSON.stringify(`${text.slice(0, MAX_STRING)}…`))
}

/** Whether a name is secret; `ToKeN` is no camel case, so its words are not those of `isSecretName`. */
const isSecret = (name: unknown): boolean =>
  isSecretName(name) || (typeof name === 'string' && /[A-Z](?![a-z]{2})/.test(name) && isSecretName(name.toLowerCase()))

const isSecretOfUnknown = (name: unknown) =>
  isSecret(name) || /^(?:j|php)?(?:session|sess|sid|sig|signature|refresh)(?:[-_]?id)?$/i.test(String(name))

/** A URL or path up to its query. Links to the pages of an app often contain tokens. */
const QUERY_IN_URL = /^((?:[a-z][\w+.-]*:\/)?\/[^?#]*[?#]).+$/is
const CREDENTIALS = /(^|\/\/|[\s,;=])[^\s/?#@:,;=]+:[^\s/?#@]+@/g
const PAIR = /([\w.~-]+)=([^;&,\s"']+)/g

/** Longest text in the address of an unknown route that is shown, if it is neither words nor an ID. */
const MAX_OPAQUE = 15
const WORDS = /^@?[A-Z]?[a-z]{2,}(?:[-_.A-Z][a-z]{2,})*$/
const isOpaque = (text: string) =>
  text.length > MAX_OPAQUE && /^[\w.~+/=%-]+$/.test(text) && !/^\d+$/.test(text) && !WORDS.test(text)

type IsSecret = (name: unknown) => boolean

const redactPairs = (text: string, isSecretPair: IsSecret) =>
  text
    .replace(CREDENTIALS, `$1${REDACTED}@`)
    .replace(PAIR, (pair, name) => (isSecretPair(name) ? `${name}=${REDACTED}` : pair))

/** Redacts what may be a token in the path of an unknown route: long texts, and those after a secret name. */
export function redactPath(path: string, literals: readonly string[] = []): string {
  const redact = (text: string, index: number, all: readonly string[]) => {
    if (literals.includes(text)) return text
    const mayBeToken = isOpaque(text) || (text !== '' && isSecretOfUnknown(all[index - 1]) && !WORDS.test(text))
    return mayBeToken ? REDACTED : redactPairs(text, isSecretOfUnknown)
  }
  return path.split('/').map(redact).join('/')
}

export interface Address {
  readonly path: string
  /** Segments of the path that are no parameters, such as those of a template. */
  readonly literals: readonly string[]
  /** Whether the API document lists it. */
  readonly isListed: boolean
}

export interface SentParts {
  readonly method: string
  readonly query: URLSearchParams
  readonly headers: Iterable<[string, string]>
  /** Returns the parameters of the query, which are redacted, and those of the body. */
  paramsOf(query: QueryValues): unknown
}

function redactText(known: KnownSecrets, isSecretHere: IsSecret, text: string): string {
  const shown = known.text(text.slice(0, MAX_SEARCHED)).replace(QUERY_IN_URL, `$1${REDACTED}`)
  return redactPairs(truncate(shown), isSecretHere)
}

function redactHeaders(known: KnownSecrets, isSecretHere: IsSecret, headers: Iterable<[string, string]>) {
  const shown = [...headers].slice(0, MAX_TEXTS).map(([name, text]): [string, string] => {
    return [truncate(known.name(name)), isSecretHere(name) ? REDACTED : redactText(known, isSecretHere, text)]
  })
  return Object.fromEntries(shown)
}

/** Returns the parts of a request without secrets, truncated. */
export function redactRequest(known: KnownSecrets, { path, literals, isListed }: Address, sent: SentParts) {
  const isSecretHere = isListed ? isSecret : isSecretOfUnknown
  const nameOf = (name: string) => {
    const shown = truncate(known.name(name.slice(0, MAX_SEARCHED)))
    return !isListed && isOpaque(shown) ? REDACTED : shown
  }
  const textOf = (text: string) => redactText(known, isSecretHere, text)
  const shownIn = (name: string, text: string) => {
    if (isSecretHere(name)) return REDACTED
    return !isListed && isOpaque(text) ? REDACTED : textOf(text)
  }
  const query = [...sent.query]
    .slice(0, MAX_TEXTS)
    .map(([name, text]): [string, string] => [nameOf(name), shownIn(name, text)])
  const segmentOf = (segment: string) => (literals.includes(segment) ? segment : known.text(segment))
  const shownPath = isListed ? path : redactPath(path.slice(0, MAX_SEARCHED), literals)
  const inQuery = queryValues(new URLSearchParams(query))
  return {
    method: truncate(known.text(sent.method.slice(0, MAX_SEARCHED))),
    path: truncate(shownPath.slice(0, MAX_SEARCHED).split('/').map(segmentOf).join('/')),
    query: inQuery,
    headers: redactHeaders(known, isSecretHere, sent.headers),
    params: redactJson(known, isSecretHere, sent.paramsOf(inQuery)) ?? null,
  }
}

/** Returns the parts of a response without secrets, truncated. */
export function redactAnswer(known: KnownSecrets, { isListed }: Address, { status, headers, body }: ServiceAnswer) {
  const isSecretHere = isListed ? isSecret : isSecretOfUnknown
  const sent = new Headers(headers.map(([...pair]) => pair))
  return {
    headers: redactHeaders(known, isSecretHere, sent),
    body: redactBody(known, body, isSecretHere, status >= 400),
  }
}

/** Parses and redacts a text that should be JSON; `isError` shows the codes of errors, which are no secrets. */
export function redactBody(known: KnownSecrets, text: string, isSecretHere = isSecret, isError = false): unknown {
  if (text.length > MAX_BODY) return TRUNCATED
  const body = parseBody(text)
  if (body.kind === 'value') return redactJson(known, isSecretHere, body.value, isError)
  // What was not parsed cannot be redacted.
  return body.kind === 'none' ? null : '[not JSON]'
}

/**
 * Returns a copy of a JSON value for the journal: secret fields and values nested deeper than {@link MAX_DEPTH} are
 * redacted, long strings and long values are truncated.
 */
function redactJson(known: KnownSecrets, isSecretHere: IsSecret, value: unknown, isError = false): unknown {
  let remaining = MAX_SIZE
  const copy = (item: unknown, field: string | undefined, depth: number): unknown => {
    remaining -= VALUE_SIZE
    const isNested = typeof item === 'object' && item !== null
    // `data` is a code in Verify MFA, but in widgets and profiles an object whose fields are redacted one by one.
    const isShown =
      item === undefined || typeof item === 'boolean' || (isNested && field === 'data') || (isError && field === 'code')
    if (isSecretHere(field) && !isShown) return REDACTED
    if (typeof item === 'string') return copyText(item, known.text)
    if (typeof item === 'number') return known.text(String(item)) === String(item) ? item : REDACTED
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
      yield [copyText(key, known.name), copy(Reflect.get(item, key), key, depth)]
    }
  }
  const copyText = (text: string, redact: (text: string) => string) => {
    const copied = truncate(redact(text.slice(0, MAX_SEARCHED)))
    remaining -= copied.length
    return copied
  }
  return copy(value, undefined, 0)
}

/** Shorter secrets are not searched for. */
const MIN_LENGTH = 4
/** Shorter secrets, such as codes, are found only as whole words: an ID may contain the digits of a code. */
const MIN_OPAQUE = 16
/** Number of secrets that are still known after the service no longer holds them. */
const MAX_ENDED = 1000

/**
 * The tokens, tickets, verification JWTs, challenges, passwords, codes and keys that the services of one mock hold, and
 * the last {@link MAX_ENDED} that they have issued or no longer hold.
 */
export class KnownSecrets {
  /** How often each secret is held. */
  readonly #secrets = new Map<string, number>()
  /** Hashes of their beginnings, and their lengths: few places of a text have to be looked up. */
  readonly #starts = new Map<number, number>()
  /** How many of them have a hash in each slot: most places are distinguished without the slower map. */
  readonly #slots = new Uint32Array(2 ** SLOT_BITS)
  readonly #lengths = new Map<number, number>()
  readonly #ended: string[] = []

  /** Changes the secrets of a record; those that it no longer has are remembered for a while. */
  replace(before: readonly (string | null)[], after: readonly (string | null)[]): void {
    for (const secret of after) if (!before.includes(secret)) this.#count(secret, 1)
    for (const secret of before) if (!after.includes(secret)) this.#end(secret)
  }

  /** Remembers a secret that was issued and is not stored. @returns the secret. */
  note(secret: string): string {
    this.replace([], [secret])
    this.replace([secret], [])
    return secret
  }

  /** Replaces the secrets in a value, also as encoded in JSON and URLs. */
  text = (text: string): string => {
    const found = this.#allIn(text)
    return found.length === 0 ? text : compileSecrets(found).text(text)
  }

  /** Replaces the secrets in a name; those that read as a field name stay. */
  name = (name: string): string => {
    const found = this.#allIn(name)
    return found.length === 0 ? name : compileSecrets(found).name(name)
  }

  #count(secret: string | null, by: 1 | -1): void {
    if (secret === null || secret.length < MIN_LENGTH) return
    add(this.#secrets, secret, by)
    const start = startOf(secret)
    add(this.#starts, start, by)
    this.#slots[slotOf(start)] = (this.#slots[slotOf(start)] ?? 0) + by
    add(this.#lengths, secret.length, by)
  }

  #end(secret: string | null): void {
    // If another record has it, it need not be remembered.
    const isHeld = secret === null || (this.#secrets.get(secret) ?? 0) > 1
    if (!isHeld) this.#ended.push(secret)
    if (isHeld) this.#count(secret, -1)
    else if (this.#ended.length > MAX_ENDED) this.#count(this.#ended.shift() ?? null, -1)
  }

  #allIn(text: string): string[] {
    const found: string[] = []
    this.#addFrom(text, found)
    for (const decoded of decodings(text)) {
      this.#addFrom(decoded, found)
      // Bytes of UTF-8 in a URL are characters in `decoded`.
      const bytes = /[\u0080-\u00ff]/.test(decoded) ? Uint8Array.from(decoded, (byte) => byte.charCodeAt(0)) : undefined
      if (bytes) this.#addFrom(new TextDecoder().decode(bytes), found)
    }
    return found
  }

  /** Adds the secrets in a text. Each request is searched: nothing is created until the beginning of one may be found. */
  #addFrom(text: string, found: string[]): void {
    let hash = 0
    for (let at = 0; at < text.length; at++) {
      hash = addCharacter(hash, text, at)
      if (this.#slots[slotOf(hash)] === 0 || at < MIN_LENGTH - 1) continue
      if (this.#starts.has(hash)) this.#addAt(text, at - MIN_LENGTH + 1, found)
    }
  }

  #addAt(text: string, start: number, found: string[]): void {
    for (const length of this.#lengths.keys()) {
      const end = start + length
      const secret = end <= text.length ? text.slice(start, end) : ''
      if (this.#secrets.has(secret) && (length >= MIN_OPAQUE || isWord(text, start, end))) found.push(secret)
    }
  }
}

/** Adds a character to the hash of the last {@link MIN_LENGTH}; the one before them is shifted out of the 32 bits. */
const addCharacter = (hash: number, text: string, at: number) => (hash << 8) ^ text.charCodeAt(at)

const SLOT_BITS = 13
const slotOf = (hash: number) => Math.imul(hash, 0x9e3779b1) >>> (32 - SLOT_BITS)

function startOf(secret: string): number {
  let hash = 0
  for (let at = 0; at < MIN_LENGTH; at++) hash = addCharacter(hash, secret, at)
  return hash
}

const isWord = (text: string, start: number, end: number) =>
  !/[\p{L}\p{N}]/u.test(text.charAt(start - 1) + text.charAt(end))

function add<K>(counts: Map<K, number>, key: K, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
