/**
 * The one rule by which this package redacts everything it shows: errors and their causes, events, logs, warnings.
 *
 * 1. **By name.** The value of a field or header with a secret name is replaced by `[redacted]`.
 * 2. **By value.** A secret of the call (its token, the secret fields that the caller sent or the response returned) is
 *    replaced in every other value too: verbatim, and as encoded in JSON and URLs, if it has at least 4 characters. A value
 *    that has it in another or a nested encoding of JSON and URLs is replaced as a whole.
 * 3. **Names stay.** Keys, field names and paths are shown, even if a secret reads the same: the password `password`
 *    does not hide the field `password`. Only a secret that cannot be a field name (letters in snake_case or camelCase)
 *    is replaced in names as well.
 * 4. **Not inspected means not shown**: values below 32 levels or after a million characters, instances of classes with
 *    their own serialization, and every value if there are too many secrets to search for.
 *
 * A text is searched once, and once more for each encoding that it contains, at most {@link MAX_ENCODINGS}. The time grows
 * only with the size of the input, not with the number of secrets.
 */
import { isInstance, isObject, isPlainObject, parseJson } from './json'

/** Replaces a secret. */
export const REDACTED = '[redacted]'

/** Names of secret fields. `data` is the code of Verify MFA; an object in it (profile data) is searched. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(['code', 'data', 'challenge', 'webauthn', 'key', 'fingerprint'])
const SECRET_ENDING = /(?:password|token|ticket|credential|secret|api_?key)$/i
/** Secret fields that contain a JSON document; a service may also send it as an object. */
const DOCUMENTS: ReadonlySet<string> = new Set(['credential', 'challenge', 'webauthn'])
const SECRET_HEADER = /auth|cookie|token|secret|fingerprint|api-?key/i
/** Fields of a response that contain new secrets. */
const RESPONSE_FIELDS: ReadonlySet<string> = new Set(['token', 'ticket', 'handoff_token', 'challenge', 'webauthn'])
const FIELD_NAME = /^_?[A-Z]?[a-z]+(?:(?:_[A-Z]?|[A-Z])[a-z]+)*$/

const MIN_LENGTH = 4
const MIN_RESPONSE_LENGTH = 8
/** Minimum length of a secret part of a document, such as a credential; words such as `public-key` are shorter. */
const MIN_PART_LENGTH = 16
/** Maximum length of a pattern. A longer secret is found by its start, and the rest of the string is replaced too. */
const MAX_LENGTH = 256
const MAX_SECRETS = 1000
/** Maximum length of a value, and of a name, that is shown. */
const MAX_VALUE_LENGTH = 1_048_576
const MAX_NAME_LENGTH = 4096
/** Maximum number of secrets replaced in one string; the rest of the string is then replaced as a whole. */
const MAX_SPANS = 1000
/** Maximum length of all patterns of a matcher together: it then takes 4 MB. */
const MAX_ROWS = 1 << 16
/** Maximum number of nested encodings that are searched, such as JSON in JSON in a URL. */
const MAX_ENCODINGS = 4
/** Maximum length of an encoded character, such as `%25E2%2582%25AC`. */
const MAX_ENCODED_LENGTH = 16
const MAX_DEPTH = 32
const MAX_CAUSES = 8
/** Maximum number of objects searched in an error. */
const MAX_PARTS = 500

/** Compiled secrets of a call. */
export interface Secrets {
  /** Redacts a string value. */
  readonly text: (value: string) => string
  /** Redacts a name, such as a key or a path segment. */
  readonly name: (name: string) => string
  /** Whether a number is a secret, such as a numeric code. */
  readonly isSecret: (value: number) => boolean
}

/** Redacts every value: for input that may contain any secret, and for too many secrets to search for. */
export const ANY_VALUE: Secrets = {
  text: (value) => (value === '' ? value : REDACTED),
  name: (name) => (FIELD_NAME.test(name) ? name : REDACTED),
  isSecret: () => true,
}

/** Whether a field of this name may hold a secret. */
export function isSecretField(name: string | number | undefined): boolean {
  if (typeof name !== 'string') return false
  const ending = name.slice(-MIN_PART_LENGTH)
  return SECRET_ENDING.test(ending) || (ending === name && SECRET_FIELDS.has(name.toLowerCase()))
}

/** Whether a header of this name may hold a secret. */
function isSecretHeader(name: string, mfaHeader: string): boolean {
  return SECRET_HEADER.test(name) || name === mfaHeader
}

/** Compiles secrets for redaction. Takes far longer than a call, so only errors, logs and events use it. */
export function compileSecrets(...sources: readonly Iterable<string>[]): Secrets {
  const values = new Set<string>()
  const names = new Set<string>()
  const numbers = new Set<number>()
  const secrets = new Set(sources.flatMap((source) => [...source].filter(({ length }) => length >= MIN_LENGTH)))
  if (secrets.size > MAX_SECRETS) return ANY_VALUE
  for (const secret of secrets) {
    const isName = FIELD_NAME.test(secret)
    for (const variant of encodedVariants(secret)) {
      values.add(variant)
      if (!isName) names.add(variant)
    }
    if (secret.length < 20 && String(Number(secret)) === secret) numbers.add(Number(secret))
  }
  const text = compileMatcher(values)
  const name = names.size === values.size ? text : compileMatcher(names)
  if (!text || !name) return ANY_VALUE
  return {
    text: withLimits(text, MAX_VALUE_LENGTH),
    name: withLimits(name, MAX_NAME_LENGTH),
    isSecret: (value) => numbers.has(value),
  }
}

/**
 * Replaces a text as a whole if it still contains a secret in another encoding. Truncates after redacting as much as the
 * longest secret that may start before the end.
 */
function withLimits(replace: (text: string) => string, maxLength: number): (text: string) => string {
  return (text) => {
    const redacted = replace(text.slice(0, maxLength + MAX_LENGTH * MAX_ENCODED_LENGTH))
    if (decodings(redacted).some((decoded) => replace(decoded) !== decoded)) return REDACTED
    return text.length <= maxLength ? redacted : `${redacted.slice(0, maxLength)}…`
  }
}

/**
 * Returns a text decoded once, twice and so on, whatever encoders of JSON and URLs escape. Each byte in a URL becomes a
 * character, in secrets too. Never throws, unlike `decodeURIComponent`: exceptions would make hostile texts slow.
 */
function decodings(text: string): string[] {
  const results: string[] = []
  for (let last = text; results.length < MAX_ENCODINGS; results.push(last)) {
    const decoded = unescape(last.replace(/\\u(?=[\da-f]{4})/gi, '%u').replace(/\\(.)/g, '$1'))
    if (decoded === last) break
    last = decoded
  }
  return results
}

const bySession = /*@__PURE__*/ new WeakMap<object, { readonly token: string | null; readonly secrets: Secrets }>()

/** Returns the secrets outside of a call: only the session's token. */
export function tokenSecrets(session: { readonly token: string | null }): Secrets {
  const { token } = session
  const known = bySession.get(session)
  if (known?.token === token) return known.secrets
  const secrets = compileSecrets(token === null ? [] : [token])
  bySession.set(session, { token, secrets })
  return secrets
}

/** Returns a secret verbatim, as encoded in JSON and URLs, and decoded, each at most {@link MAX_LENGTH} long. */
function encodedVariants(secret: string): string[] {
  const start = secret.slice(0, MAX_LENGTH)
  const inForm = String(new URLSearchParams([['', start]])).slice(1)
  return [start, JSON.stringify(start).slice(1, -1), inForm, inForm.replaceAll('+', '%20')]
    .flatMap((variant) => [variant, ...decodings(variant)])
    .map((variant) => variant.slice(0, MAX_LENGTH))
    .filter(({ length }) => length >= MIN_LENGTH)
}

/**
 * Compiles a function that replaces all occurrences of all patterns in one pass (Aho–Corasick). Takes linear time even
 * for hostile patterns and strings. Returns `undefined` if the patterns are too long together.
 */
function compileMatcher(patterns: ReadonlySet<string>): ((text: string) => string) | undefined {
  if (patterns.size === 0) return (text) => text
  // A row is a prefix of patterns; row 0 is empty. Keys of steps are made of a row and the next character.
  const steps = new Map<number, number>()
  const keyOf = (row: number, text: string, at: number) => row * 0x10000 + text.charCodeAt(at)
  /** Longest proper suffix of a row that is a row too. */
  const suffixes = [0]
  /** Length of the longest pattern that ends at a row. */
  const lengths = [0]
  /** Where a pattern does not continue, another may: that of a suffix. */
  const next = (row: number, text: string, at: number): number => {
    for (let start = row; ; start = suffixes[start] ?? 0) {
      const found = steps.get(keyOf(start, text, at))
      if (found !== undefined || start === 0) return found ?? 0
    }
  }
  if ([...patterns].join('').length > MAX_ROWS) return undefined
  const ends = Array.from(patterns, (pattern) => ({ pattern, row: 0 }))
  // All patterns side by side: the suffixes of a row are shorter, so they exist before it.
  for (let at = 0; at < MAX_LENGTH; at++) {
    for (const end of ends) {
      const { pattern, row } = end
      if (at >= pattern.length) continue
      const key = keyOf(row, pattern, at)
      end.row = steps.get(key) ?? lengths.length
      if (end.row === lengths.length) {
        const suffix = row === 0 ? 0 : next(suffixes[row] ?? 0, pattern, at)
        suffixes.push(suffix)
        lengths.push(lengths[suffix] ?? 0)
        steps.set(key, end.row)
      }
      if (at === pattern.length - 1) lengths[end.row] = pattern.length
    }
  }

  return (text) => {
    let spans: { start: number; end: number }[] | undefined
    let row = 0
    for (let at = 0; at < text.length; at++) {
      row = next(row, text, at)
      const length = lengths[row] ?? 0
      if (length === 0) continue
      const span = { start: at + 1 - length, end: at + 1 }
      spans ??= []
      // Overlapping secrets are replaced as one.
      for (let last = spans.at(-1); last !== undefined && last.end > span.start; last = spans.at(-1)) {
        span.start = Math.min(span.start, last.start)
        spans.pop()
      }
      spans.push(span)
      if (length < MAX_LENGTH - 1 && spans.length < MAX_SPANS) continue
      span.end = text.length
      break
    }
    if (spans === undefined) return text
    let result = ''
    let end = 0
    for (const span of spans) {
      result += text.slice(end, span.start) + REDACTED
      end = span.end
    }
    return result + text.slice(end)
  }
}

/** Returns the values of the secret fields of a request, so that an echo of them is redacted. */
export function requestSecrets(body: unknown): string[] {
  return withDocumentParts(collectLeaves(body, isSecretField))
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

/** Returns the values of secret headers, with and without their scheme, such as `Bearer`. */
export function headerSecrets(headers: Readonly<Record<string, string>>, mfaHeader: string): string[] {
  const secret = Object.entries(headers).filter(([name]) => isSecretHeader(name, mfaHeader))
  return secret.flatMap(([, value]) => [value, value.slice(value.indexOf(' ') + 1)])
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
    } else if (isInstance(node, 'FormData') || isInstance(node, 'URLSearchParams')) {
      for (const [key, item] of node) visit(key, item, isWanted(key))
    } else if (!ArrayBuffer.isView(node)) {
      for (const [key, item] of Object.entries(node)) visit(key, item, isWanted(key))
    }
  }
  return [...found]
}

/** Returns a copy of a JSON value without secrets. */
export function redact(value: unknown, secrets: Secrets, name = '', depth = 0): unknown {
  if (typeof value === 'string') return isSecretField(name) ? REDACTED : secrets.text(value)
  if (typeof value === 'number') return secrets.isSecret(value) ? REDACTED : value
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
export function redactHeaders(
  headers: Iterable<readonly [string, string]>,
  mfaHeader: string,
  secrets: Secrets,
): Record<string, string> {
  const redactValue = (name: string, value: string) =>
    isSecretHeader(name, mfaHeader) ? REDACTED : secrets.text(value)
  return Object.fromEntries(Array.from(headers, ([name, value]) => [name, redactValue(name, value)]))
}

/**
 * Returns an error unchanged if it shows no secret, else a new one with its name and code and its redacted message and
 * causes.
 */
export function redactError(error: unknown, secrets: Secrets, depth = 0): unknown {
  try {
    if (!containsSecret(error, secrets, new Set())) return error
    if (!(error instanceof Error)) return typeof error === 'string' ? secrets.text(error) : REDACTED
    const { name, message, cause, code } = error as Error & { readonly code?: unknown }
    const redacted = new Error(secrets.text(String(message)))
    redacted.name = secrets.name(String(name))
    if (typeof code === 'string') Object.assign(redacted, { code: secrets.text(code) })
    if (cause !== undefined && depth < MAX_CAUSES) redacted.cause = redactError(cause, secrets, depth + 1)
    return redacted
  } catch {
    // A getter or a proxy threw, and its error may quote anything.
    return REDACTED
  }
}

function containsSecret(value: unknown, secrets: Secrets, seen: Set<unknown>): boolean {
  if (typeof value === 'string') return secrets.text(value) !== value
  if (typeof value === 'symbol') return containsSecret(String(value), secrets, seen)
  if (typeof value === 'function') return true
  if (!isObject(value)) return typeof value === 'number' && secrets.isSecret(value)
  if (seen.has(value)) return false
  seen.add(value)
  // An error that is too large to search, or that contains objects with their own serialization, is not shown.
  if (seen.size > MAX_PARTS || !isTransparent(value)) return true
  return partsOf(value).some((part) => containsSecret(part, secrets, seen))
}

/** Whether an object shows only its properties or entries. */
function isTransparent(value: object): boolean {
  if (!(KINDS in value) && SERIALIZERS.some((name) => name in value)) return false
  return (
    value instanceof Error ||
    Array.isArray(value) ||
    value instanceof Map ||
    isInstance(value, 'Headers') ||
    isPlainObject(value)
  )
}

/**
 * Property with the names of the classes of an error of this package, so that guards work across copies of the package.
 * The JSON of such an error has only its properties.
 */
export const KINDS: unique symbol = /*@__PURE__*/ Symbol.for('rapport-sdk.error-kinds')
/** Methods that may show private state of an object. */
const SERIALIZERS = ['toJSON', Symbol.for('nodejs.util.inspect.custom')]

/** Returns names and values of all own properties, and what an error inherits from its class. */
function partsOf(value: object): unknown[] {
  const own = Reflect.ownKeys(value).flatMap((key) => {
    // In newer engines the stack of an error is a getter; it is read below.
    if (key === 'stack' && value instanceof Error) return []
    const { get, value: part } = Object.getOwnPropertyDescriptor(value, key) ?? {}
    // A getter is a function and counts as secret, since its value is unknown until it is called.
    return [String(key), get ?? part]
  })
  const inherited = value instanceof Error ? [value.name, value.message, value.stack, value.toString()] : []
  return [...own, ...inherited, ...(value instanceof Map || isInstance(value, 'Headers') ? [...value].flat() : [])]
}
