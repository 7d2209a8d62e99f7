/** A text whose characters are bytes, as base64url without padding. */
export function base64url(bytes: string): string {
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** A value as base64url of its JSON in UTF-8. */
export function encodeJson(value: unknown): string {
  return base64url(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))))
}

/** The value that base64url of JSON holds, or `undefined` where it is neither. */
export function decodeJson(text: string): unknown {
  try {
    const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))))
  } catch {
    return undefined
  }
}

/** What the next random values depend on; plain data, so that a snapshot holds it. */
export interface RandomState {
  state: number
  ids: number
}

/** Values that look random and follow from a seed alone, so that two runs of a test see the same ones. */
export interface Random {
  /** An integer from 0 up to, and without, `below`. */
  integer(below: number): number
  /** A text of letters and digits that fits into headers and URLs. */
  text(length: number): string
  /** A text in base32, as TOTP secrets are. */
  base32(length: number): string
  /** A text of digits. */
  digits(length: number): string
  /** Random bytes as base64url. */
  bytes(length: number): string
  /** An ID that no record has had yet. */
  snowflake(): string
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
// A plausible age for a snowflake. The clock stays out of it: IDs are to follow from the seed alone.
const FIRST_ID = 1_150_000_000_000_000_000n

/** Random values whose state is read on each use, since a restored snapshot replaces it. */
export function createRandom(read: () => RandomState): Random {
  // mulberry32: 32 bits of state, no repetition before 2^32 values.
  function next(): number {
    const random = read()
    random.state = (random.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(random.state ^ (random.state >>> 15), 1 | random.state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (below: number) => Math.floor(next() * below)
  const repeat = (length: number, make: () => string) => Array.from({ length }, make).join('')

  const from = (letters: string) => (length: number) => repeat(length, () => letters.charAt(integer(letters.length)))

  return {
    integer,
    text: from(LETTERS),
    base32: from(BASE32),
    digits: (length) => repeat(length, () => String(integer(10))),
    bytes: (length) => base64url(repeat(length, () => String.fromCharCode(integer(256)))),
    snowflake() {
      const random = read()
      random.ids += 1
      return String(FIRST_ID + (BigInt(random.ids) << 32n) + BigInt(integer(2 ** 22)))
    },
  }
}
