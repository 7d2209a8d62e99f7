/**
 * The one rule by which this package redacts everything it shows: errors and their causes, events, logs, warnings.
 *
 * 1. **By name.** The value of a field or header with a secret name is replaced by `[redacted]`, unless it is a boolean.
 * 2. **By value.** A secret of the call (its token, the secret fields that the caller sent or the response returned) is
 *    replaced in every other value too: verbatim, and as encoded in JSON and URLs, if it has at least 4 characters; so is
 *    every part of it with at least 16 characters. A value that has it in another or a nested encoding of JSON and URLs is
 *    replaced as a whole.
 * 3. **Names stay.** Keys, field names and paths are shown, even if a secret reads the same: the password `password`
 *    does not hide the field `password`. Only a secret that cannot be a field name (letters in snake_case or camelCase)
 *    is replaced in names as well.
 * 4. **Not inspected means not shown**: values below 32 levels or after a million characters, instances of classes with
 *    their own serialization, and every value if there are too many secrets to search for.
 *
 * A text is searched once, and again for each encoding that it contains, at most {@link MAX_ENCODINGS}. The time grows only with the size of the input, not with the number of secrets.
 */
import { isObject, parseJson } from './json'

/** Replaces a secret. */
export const REDACTED = '[redacted]'

/**
 * Secret words. Long ones also end a word that is written together, such as `accesstoken`. Some words are secret only as
 * the whole name: `data` is the code of Verify MFA; an object in it (profile data) is searched.
 */
const SECRET_WORDS =
  /(?:pass(?:word|phrase|code|wd)|token|ticket|credential|secret|cookie|fingerprint|authori[sz]ation|authenticat(?:e|ion)|api_?key|_(?:pwd|jwt|t?otp|pin|[cx]srf|bearer|auth(?!_session)|(?:private|access|signing|encryption|master|session)_?key|(?:backup|recovery|verification|security|access|mfa|2fa|sms|login|one_time)_?code))s?\d*_|^_(?:x_)?(?:codes?|data|challenge|webauthn|key)_$/
/** Words at the start or the end of a name that only tells something about a secret. */
const DESCRIPTION =
  /^_(?:x_)?(?:max|min|num|total|count)_|_(?:(?:type|kind|id|name|count|limit|length|size|method|format|scope|attempt|version)s?|allowed|enabled|disabled|required|supported|available|verified|expired|expires|expiry|ttl|at|in|status)_$/
/** Secret fields that contain a JSON document; a service may also send it as an object. */
const DOCUMENTS: ReadonlySet<string> = new Set(['credential', 'credentials', 'challenge', 'webauthn'])
/** Fields of a response that contain new secrets. */
const RESPONSE_FIELDS: ReadonlySet<string> = new Set(['token', 'ticket', 'handoff_token', 'challenge', 'webauthn'])
const FIELD_NAME = /^_?[A-Z]?[a-z]+(?:(?:_[A-Z]?|[A-Z])[a-z]+)*$/

const MIN_LENGTH = 4
const MIN_RESPONSE_LENGTH = 8
/** Minimum length of a part of a secret, also of a document, such as a credential; words such as `public-key` are shorter. */
const MIN_PART_LENGTH = 16
/** Length of the start and end by which a longer secret is found; the rest of the string is replaced too. */
const MAX_LENGTH = 256
const MAX_SECRETS = 1000
/** Maximum length of a value, and of a name, that is shown. */
const MAX_VALUE_LENGTH = 1_048_576
const MAX_NAME_LENGTH = 4096
/** Maximum number of secrets replaced in one string; the rest of the string is then replaced as a whole. */
const MAX_SPANS = 1000
/** Maximum length of all secrets together, with their encodings. */
const MAX_STATES = 1 << 16
/** Maximum number of nested encodings that are searched, such as JSON in JSON in a URL. */
const MAX_ENCODINGS = 4
/** Maximum length of an encoded character, such as `%25E2%2582%25AC`. */
const MAX_ENCODED_LENGTH = 16
/** Maximum length of the end of a name that is searched, and maximum number of names that are remembered. */
const MAX_WORDS_LENGTH = 128
const MAX_KNOWN_NAMES = 500
const MAX_DEPTH = 32

/** Compiled secrets of a call. */
export interface Secrets {
  /** Redacts a string value. */
  readonly text: (value: string) => string
  /** Redacts a name, such as a key or a path segment. */
  readonly name: (name: string) => string
  /** Whether a number is a secret, such as a numeric code. */
  readonly isSecret: (value: number) => boolean
}

const knownNames = new Map<string, boolean>()

/** Whether a field or header of this name may hold a secret. Recognizes names by their words, in any spelling. */
export function isSecretName(name: unknown): boolean {
  if (typeof name !== 'string') return false
  const end = name.slice(-MAX_WORDS_LENGTH)
  let isSecret = knownNames.get(end)
  if (isSecret === undefined) {
    // In lower case: `_x_auth_token_` for `X-Auth-Token` and `xAuthToken`.
    const separated = end.replace(/(\p{Ll}|\d)(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll}{2})/gu, '$1$2_')
    const words = `_${separated}_`.replace(/[^\p{L}\p{N}]+/gu, '_').toLowerCase()
    isSecret = SECRET_WORDS.test(words) && !DESCRIPTION.test(words)
    if (knownNames.size >= MAX_KNOWN_NAMES) knownNames.clear()
    knownNames.set(end, isSecret)
  }
  return isSecret
}

/** Redacts every value: for input that may contain any secret, and for too many secrets to search for. */
export const ANY_VALUE: Secrets = {
  text: (value) => (value === '' ? value : REDACTED),
  name: (name) => (FIELD_NAME.test(name) ? name : REDACTED),
  isSecret: () => true,
}

/** Compiles secrets for redaction. Takes far longer than a call, so only errors, logs and events use it. */
export function compileSecrets(...sources: readonly Iterable<string>[]): Secrets {
  const secrets = new Set(sources.flatMap((source) => [...source].filter(({ length }) => length >= MIN_LENGTH)))
  if (secrets.size > MAX_SECRETS) return ANY_VALUE
  const others = [...secrets].filter((secret) => !FIELD_NAME.test(secret))
  const text = compileMatcher([...secrets])
  const name = others.length === secrets.size ? text : compileMatcher(others)
  if (!text || !name) return ANY_VALUE
  return {
    text: withLimits(text, MAX_VALUE_LENGTH),
    name: withLimits(name, MAX_NAME_LENGTH),
    isSecret: (value) => secrets.has(String(value)),
  }
}

/**
 * Replaces a text as a whole if it still contains a secret in another encoding, or the rest of one whose beginning or end
 * is the same in both. Truncates after redacting as much as the longest secret that may start before the end.
 */
function withLimits(replace: (text: string) => string, maxLength: number): (text: string) => string {
  return (text) => {
    const original = text.slice(0, maxLength + MAX_LENGTH * MAX_ENCODED_LENGTH)
    const redacted = replace(original)
    const originals = redacted === original ? [] : decodings(original)
    const isLeft = decodings(redacted).some((decoded, at) => {
      const whole = originals[at]
      return replace(decoded) !== decoded || (whole && lengthShown(replace(whole)) < lengthShown(decoded))
    })
    if (isLeft) return REDACTED
    return text.length <= maxLength ? redacted : `${redacted.slice(0, maxLength)}…`
  }
}

const lengthShown = (text: string) => text.replaceAll(REDACTED, '').length

/**
 * Returns a text decoded once, twice and so on, whatever encoders of JSON and URLs escape. Each byte in a URL becomes a
 * character, in secrets too. Never throws, unlike `decodeURIComponent`: exceptions would make hostile texts slow.
 */
export function decodings(text: string): string[] {
  const results: string[] = []
  // Most texts have none, and this is far faster than decoding them.
  for (let last = text; results.length < MAX_ENCODINGS && /[%\\]/.test(last); results.push(last)) {
    const decoded = unescape(last.replace(/\\u(?=[\da-f]{4})/gi, '%u').replace(/\\(.)/g, '$1'))
    if (decoded === last) break
    last = decoded
  }
  return results
}

const bySession = new WeakMap<object, { readonly token: string | null; readonly secrets: Secrets }>()

/** Returns the secrets outside of a call: only the session's token. */
export function tokenSecrets(session: { readonly token: string | null }): Secrets {
  const { token } = session
  const known = bySession.get(session)
  if (known?.token === token) return known.secrets
  const secrets = compileSecrets(token === null ? [] : [token])
  bySession.set(session, { token, secrets })
  return secrets
}

/** Returns a secret verbatim, as encoded in JSON and URLs, and decoded. */
function encodedVariants(secret: string): string[] {
  const inForm = String(new URLSearchParams([['', secret]])).slice(1)
  return [secret, JSON.stringify(secret).slice(1, -1), inForm, inForm.replaceAll('+', '%20')]
    .flatMap((variant) => [variant, ...decodings(variant)])
    .filter(({ length }) => length >= MIN_LENGTH)
}

/** The parts of secrets that end at the same places of them (a state of a suffix automaton). */
interface State {
  /** Length of the longest of these parts. */
  readonly length: number
  /** State of the longest suffix of them that ends elsewhere too; absent for the empty part. */
  suffix?: State | undefined
  /** States of the parts that are one character longer, by its code. */
  readonly next: Map<number, State>
  /** If the longest is a whole secret, or the start or end of one that is searched for no more of: which of these. */
  mark?: Mark | undefined
}

type Mark = 'whole' | 'start' | 'end'

/**
 * Compiles a function that replaces secrets, and each part of one that is at least {@link MIN_PART_LENGTH} long, in one pass.
 * Takes linear time even for hostile secrets and strings. Returns `undefined` if the secrets are too long together.
 */
function compileMatcher(secrets: readonly string[]): ((text: string) => string) | undefined {
  const marks = new Map<string, Mark>()
  for (const secret of secrets) {
    const isLong = secret.length > MAX_LENGTH
    for (const variant of encodedVariants(secret.slice(0, MAX_LENGTH))) marks.set(variant, isLong ? 'start' : 'whole')
    for (const variant of isLong ? encodedVariants(secret.slice(-MAX_LENGTH)) : []) marks.set(variant, 'end')
  }
  if ([...marks.keys()].join('').length > MAX_STATES) return undefined
  const root: State = { length: 0, next: new Map() }
  for (const [variant, mark] of marks) {
    let last = root
    for (let at = 0; at < variant.length; at++) last = addState(root, last, variant.charCodeAt(at))
    last.mark = mark
  }
  return (text) => {
    const spans: { start: number; end: number }[] = []
    let state = root
    /** Length of the part that ends at this character. */
    let length = 0
    for (let end = 1; end <= text.length; end++) {
      const code = text.charCodeAt(end - 1)
      for (; state.suffix && !state.next.has(code); length = state.length) state = state.suffix
      const next = state.next.get(code)
      if (!next) continue
      state = next
      let found = ++length
      // Suffixes of a part that is too short may be whole secrets.
      for (let part: State | undefined = state; found < MIN_PART_LENGTH && part; found = part?.length ?? 0) {
        if (part.mark && part.length === found) break
        part = part.suffix
      }
      if (found === 0) continue
      const mark = length === state.length && state.mark
      let start = mark === 'end' ? 0 : end - found
      // Overlapping secrets are replaced as one.
      for (let last = spans.at(-1); last && last.end > start; last = spans.at(-1)) {
        start = Math.min(start, last.start)
        spans.pop()
      }
      const isLast = mark === 'start' || spans.length >= MAX_SPANS - 1
      spans.push({ start, end: isLast ? text.length : end })
      if (isLast) break
    }
    let result = ''
    let shown = 0
    for (const { start, end } of spans) {
      result += text.slice(shown, start) + REDACTED
      shown = end
    }
    return result + text.slice(shown)
  }
}

/** Returns the state of a beginning of a secret, from that of the beginning without its last character. */
function addState(root: State, last: State, code: number): State {
  const known = last.next.get(code)
  if (known) return known.length === last.length + 1 ? known : splitState(last, code, known)
  const state: State = { length: last.length + 1, suffix: root, next: new Map() }
  for (let part: State | undefined = last; part; part = part.suffix) {
    const next = part.next.get(code)
    if (next) {
      state.suffix = next.length === part.length + 1 ? next : splitState(part, code, next)
      break
    }
    part.next.set(code, state)
  }
  return state
}

/** Separates the parts of a state that now end at another place too. */
function splitState(last: State, code: number, state: State): State {
  const copy: State = { length: last.length + 1, suffix: state.suffix, next: new Map(state.next) }
  state.suffix = copy
  for (let part: State | undefined = last; part?.next.get(code) === state; part = part.suffix) part.next.set(code, copy)
  return copy
}

/** Returns the values of the secret fields of a request, so that an echo of them is redacted. */
export function requestSecrets(body: unknown): string[] {
  return withDocumentParts(collectLeaves(body, isSecretName))
}

/** Returns the secrets that a response issues; it may repeat them outside of their field. */
export function responseSecrets(body: unknown): string[] {
  const leaves = collectLeaves(body, (name) => RESPONSE_FIELDS.has(name))
  return withDocumentParts(leaves.filter((leaf) => leaf.length >= MIN_RESPONSE_LENGTH))
}

/** Returns all strings and numbers in a value, if none of it may be shown. */
export function valuesOf(value: unknown): string[] {
  return collectLeaves(value, () => true)
}

/** Adds the values of secret headers, with and without their scheme, such as `Bearer`. For each request: it must be fast. */
export function addHeaderSecrets(secrets: Set<string>, headers: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(headers)) {
    const value = headers[name] ?? ''
    if (isSecretName(name)) secrets.add(value).add(value.slice(value.indexOf(' ') + 1))
  }
}

/** Adds the long strings in secrets that are JSON documents. */
function withDocumentParts(secrets: readonly string[]): string[] {
  return secrets.flatMap((secret) => {
    if (!secret.startsWith('{')) return secret
    try {
      const parts = valuesOf(parseJson(secret))
      return [secret, ...parts.filter((part) => part.length >= MIN_PART_LENGTH)]
    } catch {
      // Not a JSON document.
      return secret
    }
  })
}

/**
 * Collects strings and numbers at any depth, from fields with a wanted name; items of an array belong to its field.
 * Stops if there are too many to search for.
 */
function collectLeaves(root: unknown, isWanted: (name: string) => boolean): string[] {
  const found = new Set<string>()
  const pending: [name: string, value: object][] = []
  const visit = (name: string, value: unknown, isLeafWanted: boolean) => {
    if (isObject(value)) pending.push([name, value])
    else if (isLeafWanted && (typeof value === 'string' || typeof value === 'number')) found.add(String(value))
  }
  visit('', root, isWanted(''))
  for (let next = pending.pop(); next !== undefined && found.size <= MAX_SECRETS; next = pending.pop()) {
    const [name, node] = next
    if (Array.isArray(node)) {
      const isArrayWanted = isWanted(name)
      for (const item of node) visit(name, item, isArrayWanted)
    } else for (const [key, item] of Object.entries(node)) visit(key, item, isWanted(key))
  }
  return [...found]
}

/** Returns a copy of a JSON value without secrets. */
export function redact(value: unknown, secrets: Secrets, name = '', depth = 0): unknown {
  if (typeof value === 'string') return isSecretName(name) ? REDACTED : secrets.text(value)
  // Numbers of these names are the codes of errors, and keys of data.
  if (typeof value === 'number')
    return secrets.isSecret(value) || (!/^(?:code|key)$/i.test(name) && isSecretName(name)) ? REDACTED : value
  if (!isObject(value)) return value
  if (DOCUMENTS.has(name.slice(0, MIN_PART_LENGTH).toLowerCase())) return REDACTED
  if (depth > MAX_DEPTH) return '[…]'
  if (Array.isArray(value)) return value.map((item) => redact(item, secrets, name, depth + 1))
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    // Assigning `__proto__` would set a prototype.
    if (key !== '__proto__') copy[secrets.name(key)] = redact(Reflect.get(value, key), secrets, key, depth + 1)
  }
  return copy
}

/** Returns a path without secrets in its names. */
export function redactPath<Step>(path: readonly Step[], secrets: Secrets): (Step | string)[] {
  return path.map((step) => (typeof step === 'string' ? secrets.name(step) : step))
}

/** Returns headers without secrets. */
export function redactHeaders(headers: Iterable<readonly [string, string]>, secrets: Secrets): Record<string, string> {
  const redactValue = (name: string, value: string) => (isSecretName(name) ? REDACTED : secrets.text(value))
  return Object.fromEntries(Array.from(headers, ([name, value]) => [name, redactValue(name, value)]))
}
