/**
 * The one rule by which this package redacts whatever it shows: errors and their causes, events, logs, warnings.
 *
 * 1. **By name.** The value of a field or header whose name says that it is secret is replaced by `[redacted]`.
 * 2. **By value.** A secret of the call (its token, what the caller sent under such a name, what its answer issued) is
 *    replaced in every other value too: as it is, and as JSON and URLs write it. Shorter than 4 characters it is not.
 * 3. **Names stay.** Keys, field names and paths are shown, even if a secret reads the same: the password `password`
 *    does not hide the field `password`. Only a secret that cannot be the name of a field, since it is not made of
 *    letters in snake_case or camelCase, is replaced in names as well.
 * 4. **What was not looked at is not shown**: what lies below 32 levels or behind a million characters, what an object of
 *    a class may show of itself, and every value if there are more secrets than can be looked for.
 *
 * Each function takes one pass, whose time grows with the size of its input alone, however many secrets there are.
 */
import { isInstance, isPlainObject, isWellFormed, parseJson } from './json'

/** What stands in place of a secret. */
export const REDACTED = '[redacted]'

/** `data` is the code of Verify MFA; as an object (profile data) it is looked into. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(['code', 'data', 'challenge', 'webauthn', 'key', 'fingerprint'])
const SECRET_ENDING = /(?:password|token|ticket|credential|secret)$/i
/** Secret fields that hold a JSON document; a service may send it as an object too. */
const DOCUMENTS: ReadonlySet<string> = new Set(['credential', 'challenge', 'webauthn'])
const SECRET_HEADER = /auth|cookie|token|secret|fingerprint|api-?key/i
/** Fields by which an answer issues secrets. */
const ISSUED: ReadonlySet<string> = new Set(['token', 'ticket', 'handoff_token', 'challenge', 'webauthn'])
const FIELD_NAME = /^_?[A-Z]?[a-z]+(?:(?:_[A-Z]?|[A-Z])[a-z]+)*$/

const MIN_LENGTH = 4
const MIN_ISSUED_LENGTH = 8
/** Parts of a document, such as a credential, that are long enough to be secret: no words such as `public-key`. */
const MIN_PART_LENGTH = 16
/** A longer secret is recognized by its beginning, and everything behind that is replaced. */
const MAX_LENGTH = 256
const MAX_SECRETS = 1000
/** Characters of a value, and of a name, that are shown. */
const MAX_TEXT = 1 << 20
const MAX_NAME = 4096
/** Secrets in one text; with that many in it, the rest is replaced as a whole. */
const MAX_SPANS = 1000
/** Entries of a matcher's table: 4 MB. */
const MAX_TABLE = 1 << 20
const MAX_DEPTH = 32
const MAX_CAUSES = 8
/** Objects in an error that are looked through. */
const MAX_PARTS = 500

/** The secrets of a call, ready to be looked for. */
export interface Secrets {
  /** Redacts a value. */
  readonly text: (value: string) => string
  /** Redacts a name. */
  readonly name: (name: string) => string
  /** Whether a number is a secret, such as a code of digits. */
  readonly isSecret: (value: number) => boolean
}

/** For what may show any secret, and for more secrets than can be looked for: every value is redacted. */
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

/** Prepares secrets to be looked for. It takes far longer than a call without an error, so only what shows something does. */
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
  const text = matcher(values)
  const name = names.size === values.size ? text : matcher(names)
  if (!text || !name) return ANY_VALUE
  return { text: cut(text, MAX_TEXT), name: cut(name, MAX_NAME), isSecret: (value) => numbers.has(value) }
}

/** Cuts what is longer, behind as much as the longest secret that may begin before. */
function cut(replace: (text: string) => string, most: number): (text: string) => string {
  return (text) => {
    if (text.length <= most) return replace(text)
    return `${replace(text.slice(0, most + MAX_LENGTH)).slice(0, most)}…`
  }
}

const bySession = /*@__PURE__*/ new WeakMap<object, { readonly token: string | null; readonly secrets: Secrets }>()

/** The secrets of what is not a call, and so knows of the session's token alone. */
export function tokenSecrets(session: { readonly token: string | null }): Secrets {
  const { token } = session
  const known = bySession.get(session)
  if (known?.token === token) return known.secrets
  const secrets = compileSecrets(token === null ? [] : [token])
  bySession.set(session, { token, secrets })
  return secrets
}

/** How a secret may be written, each form no longer than {@link MAX_LENGTH}. */
function encodedVariants(secret: string): string[] {
  const start = secret.slice(0, MAX_LENGTH)
  const whole = start.replace(/[\ud800-\udbff]$/, '')
  const inUrl = isWellFormed(whole)
    ? [encodeURIComponent(whole), String(new URLSearchParams([['', whole]])).slice(1)]
    : []
  return [start, JSON.stringify(start).slice(1, -1), ...inUrl].map((variant) => variant.slice(0, MAX_LENGTH))
}

/**
 * Replaces every occurrence of any pattern in one pass over a text (Aho–Corasick), whatever patterns and text are: both
 * may come from a hostile service. `undefined` if the patterns are too much for a table.
 */
function matcher(patterns: ReadonlySet<string>): ((text: string) => string) | undefined {
  if (patterns.size === 0) return (text) => text
  // A row is what has been read of patterns; a column is a character that occurs in one.
  const columns = new Uint16Array(256)
  const others = new Map<number, number>()
  const columnAt = (text: string, at: number): number => {
    const unit = text.charCodeAt(at)
    return (unit < 256 ? columns[unit] : others.get(unit)) ?? 0
  }
  let width = 1
  let size = 1
  for (const pattern of patterns) {
    size += pattern.length
    for (let at = 0; at < pattern.length; at++) {
      if (columnAt(pattern, at) > 0) continue
      const unit = pattern.charCodeAt(at)
      if (unit < 256) columns[unit] = width++
      else others.set(unit, width++)
    }
  }
  if (size * width > MAX_TABLE) return undefined
  // A state is the index of its row. Where a pattern ends, the step into it is negative.
  const table = new Int32Array(size * width)
  /** By row, the length of the longest pattern that ends there. */
  const lengths = new Int32Array(size)
  let rows = 1
  for (const pattern of patterns) {
    let row = 0
    for (let at = 0; at < pattern.length; at++) {
      const cell = row * width + columnAt(pattern, at)
      table[cell] ||= rows++
      row = table[cell] ?? 0
    }
    lengths[row] = pattern.length
  }
  // Where a pattern does not go on, another may: a row takes over the steps of the longest suffix of what it has read.
  const suffixes = new Int32Array(size)
  const queue = [0]
  for (const row of queue) {
    const suffix = (suffixes[row] ?? 0) * width
    for (let column = 1; column < width; column++) {
      const cell = row * width + column
      const next = table[cell] ?? 0
      const other = row === 0 ? 0 : (table[suffix + column] ?? 0)
      if (next === 0) table[cell] = other
      else {
        suffixes[next] = other
        lengths[next] ||= lengths[other] ?? 0
        queue.push(next)
      }
    }
  }
  for (let cell = 0; cell < rows * width; cell++) {
    const row = table[cell] ?? 0
    table[cell] = lengths[row] === 0 ? row * width : -row * width
  }

  return (text) => {
    let spans: { start: number; end: number }[] | undefined
    let state = 0
    for (let at = 0; at < text.length; at++) {
      state = table[state + columnAt(text, at)] ?? 0
      if (state >= 0) continue
      state = -state
      const length = lengths[state / width] ?? 0
      const span = { start: at + 1 - length, end: at + 1 }
      spans ??= []
      // Secrets may overlap, and begin or end one another: they are replaced as one.
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
    let shown = ''
    let end = 0
    for (const span of spans) {
      shown += text.slice(end, span.start) + REDACTED
      end = span.end
    }
    return shown + text.slice(end)
  }
}

/** The values of secret fields in what a caller sends, so that an echo of them is redacted. */
export function requestSecrets(body: unknown): string[] {
  return withParts(leavesOf(body, isSecretField))
}

/** Secrets that an answer issues, of which it may say more than the field that they are in. */
export function responseSecrets(body: unknown): string[] {
  return withParts(leavesOf(body, (name) => ISSUED.has(name)).filter((leaf) => leaf.length >= MIN_ISSUED_LENGTH))
}

/** All texts and numbers in a value, if nothing of it is to be shown. */
export function valuesOf(value: unknown): string[] {
  return leavesOf(value, () => true)
}

/** The values of secret headers, with and without their scheme. */
export function headerSecrets(headers: Readonly<Record<string, string>>, mfaHeader: string): string[] {
  const secret = Object.entries(headers).filter(([name]) => isSecretHeader(name, mfaHeader))
  return secret.flatMap(([, value]) => [value, value.slice(value.indexOf(' ') + 1)])
}

/** Secrets, and the long texts in those that are JSON documents themselves. */
function withParts(secrets: readonly string[]): string[] {
  return secrets.flatMap((secret) => {
    if (!secret.startsWith('{')) return secret
    try {
      const parts = valuesOf(parseJson(secret))
      return [secret, ...parts.filter((part) => part.length >= MIN_PART_LENGTH)]
    } catch {
      // It is no document, then.
      return secret
    }
  })
}

/**
 * Texts and numbers in a value, in fields of certain names; those in a list count as its field's. It goes down to any
 * depth, but stops when it has found more than can be looked for.
 */
function leavesOf(root: unknown, isWanted: (name: string) => boolean): string[] {
  const found = new Set<string>()
  const pending: [name: string, value: object][] = []
  const take = (name: string, value: unknown, isLeafWanted: boolean) => {
    if (typeof value === 'object' && value !== null) pending.push([name, value])
    else if (isLeafWanted && (typeof value === 'string' || typeof value === 'number')) found.add(String(value))
  }
  take('', root, isWanted(''))
  for (let next = pending.pop(); next !== undefined && found.size <= MAX_SECRETS; next = pending.pop()) {
    const [name, node] = next
    if (Array.isArray(node)) {
      const isListWanted = isWanted(name)
      for (const item of node) take(name, item, isListWanted)
    } else if (isInstance(node, 'FormData') || isInstance(node, 'URLSearchParams')) {
      for (const [key, item] of node) take(key, item, isWanted(key))
    } else if (!ArrayBuffer.isView(node)) {
      for (const [key, item] of Object.entries(node)) take(key, item, isWanted(key))
    }
  }
  return [...found]
}

/** A copy of a JSON value without secrets. */
export function redact(value: unknown, secrets: Secrets, name = '', depth = 0): unknown {
  if (typeof value === 'string') return isSecretField(name) ? REDACTED : secrets.text(value)
  if (typeof value === 'number') return secrets.isSecret(value) ? REDACTED : value
  if (typeof value !== 'object' || value === null) return value
  if (DOCUMENTS.has(name.slice(0, MIN_PART_LENGTH).toLowerCase())) return REDACTED
  if (depth > MAX_DEPTH) return '[…]'
  if (Array.isArray(value)) return value.map((item) => redact(item, secrets, name, depth + 1))
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    // Assigning this one would set a prototype.
    if (key !== '__proto__') copy[secrets.name(key)] = redact(Reflect.get(value, key), secrets, key, depth + 1)
  }
  return copy
}

/** A path whose names show no secret that could not be a name. */
export function redactPath<Step>(path: readonly Step[], secrets: Secrets): (Step | string)[] {
  return path.map((step) => (typeof step === 'string' ? secrets.name(step) : step))
}

/** Headers fit for a log. */
export function redactHeaders(
  headers: Iterable<readonly [string, string]>,
  mfaHeader: string,
  secrets: Secrets,
): Record<string, string> {
  const shown = (name: string, value: string) => (isSecretHeader(name, mfaHeader) ? REDACTED : secrets.text(value))
  return Object.fromEntries(Array.from(headers, ([name, value]) => [name, shown(name, value)]))
}

/**
 * An error as it is, unless it shows a secret: then its name, its code and what is left of its message and causes.
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
    // A getter or a proxy threw, and what it threw may quote anything.
    return REDACTED
  }
}

function containsSecret(value: unknown, secrets: Secrets, seen: Set<unknown>): boolean {
  if (typeof value === 'string') return secrets.text(value) !== value
  if (typeof value === 'symbol') return containsSecret(String(value), secrets, seen)
  if (typeof value === 'function') return true
  if (typeof value !== 'object' || value === null) return typeof value === 'number' && secrets.isSecret(value)
  if (seen.has(value)) return false
  seen.add(value)
  // What is too large to be looked through, or shows what it holds in a way of its own, is not shown.
  if (seen.size > MAX_PARTS || !isTransparent(value)) return true
  return partsOf(value).some((part) => containsSecret(part, secrets, seen))
}

/** Whether all that an object shows is in its properties or entries. */
function isTransparent(value: object): boolean {
  if (!(OURS in value) && SHOWS_ITSELF.some((name) => name in value)) return false
  return (
    value instanceof Error ||
    Array.isArray(value) ||
    value instanceof Map ||
    isInstance(value, 'Headers') ||
    isPlainObject(value)
  )
}

/** Errors of this package, whose JSON shows their properties alone. */
const OURS = /*@__PURE__*/ Symbol.for('rapport-sdk.error-kinds')
/** By these an object may show what it hides. */
const SHOWS_ITSELF = ['toJSON', Symbol.for('nodejs.util.inspect.custom')]

/** What an object holds, hidden properties and their names included, and what an error shows through getters of its class. */
function partsOf(value: object): unknown[] {
  const own = Reflect.ownKeys(value).flatMap((key) => {
    // Newer engines have the stack of an error behind a getter; it is read below.
    if (key === 'stack' && value instanceof Error) return []
    const { get, value: part } = Object.getOwnPropertyDescriptor(value, key) ?? {}
    // What a function shows cannot be known without asking it.
    return [String(key), get ?? part]
  })
  const inherited = value instanceof Error ? [value.name, value.message, value.stack, value.toString()] : []
  return [...own, ...inherited, ...(value instanceof Map || isInstance(value, 'Headers') ? [...value].flat() : [])]
}
