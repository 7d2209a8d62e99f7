import { isSecretField, REDACTED } from '../src/internal/redact'
import { MAX_DEPTH } from './json'

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
