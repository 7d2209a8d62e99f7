export function base64url(bytes: string): string {
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

export function encodeJson(value: unknown): string {
  return base64url(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))))
}

/** Decodes base64url of JSON; `undefined` if it is invalid. */
export function decodeJson(text: string): unknown {
  try {
    const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))))
  } catch {
    return undefined
  }
}

export interface RandomState {
  state: number
  ids: number
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
// A plausible age for a snowflake; independent of the clock, so that IDs depend only on the seed.
const FIRST_ID = 1_150_000_000_000_000_000n

export type Random = ReturnType<typeof createRandom>

/**
 * Creates a deterministic generator: the same seed produces the same values in every run of a test. Its state is read on each use,
 * because restoring a snapshot replaces it.
 */
export function createRandom(read: () => RandomState) {
  // mulberry32: 32 bits of state, a period of 2^32.
  function next(): number {
    const random = read()
    random.state = (random.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(random.state ^ (random.state >>> 15), 1 | random.state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (below: number) => Math.floor(next() * below)
  function repeat(length: number, make: () => string): string {
    let text = ''
    while (text.length < length) text += make()
    return text
  }

  const from = (letters: string) => (length: number) => repeat(length, () => letters.charAt(integer(letters.length)))

  return {
    /** Returns an integer from 0 to `below` - 1. */
    integer,
    /** Returns letters and digits, valid in headers and URLs. */
    text: from(LETTERS),
    base32: from(BASE32),
    digits: (length: number) => repeat(length, () => String(integer(10))),
    /** Returns random bytes as base64url. */
    bytes: (length: number) => base64url(repeat(length, () => String.fromCharCode(integer(256)))),
    /** Returns an unused ID. */
    snowflake(): string {
      const random = read()
      random.ids += 1
      return String(FIRST_ID + (BigInt(random.ids) << 32n) + BigInt(integer(2 ** 22)))
    },
  }
}

/** FNV-1a, 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

/** Returns another ID, derived from one of {@link Random.snowflake} and a name; other texts as they are. */
export function deriveId(id: string, name: string): string {
  const number = /^\d{19}$/.test(id) ? BigInt(id) - FIRST_ID : -1n
  // The upper bits number the IDs, so that derived ones are unique too.
  return number < 0n ? id : String(FIRST_ID + (number ^ BigInt(hashOf(name))))
}

/** Returns another token of the same form, derived from one and a name; it contains the derived ID of the user. */
export function deriveToken(token: string, name: string): string {
  const state = { state: hashOf(`${name} ${token}`), ids: 0 }
  const parts = token
    .split('.')
    .map((part) => (/^[A-Za-z\d]{26}$/.test(part) ? base64url(deriveId(atob(part), name)) : part))
  const last = parts.pop() ?? ''
  return [...parts, createRandom(() => state).text(last.length)].join('.')
}
