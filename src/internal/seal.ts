// The one key ring: seals values for Redis, cookies, saved challenges and verifications. Imports nothing that a client
// contains, which loads it on first use: a bundler that writes one file would wrap that in functions.
import type { Issue } from './issue'

/** A key with its name. */
export interface SealingKey {
  /** Name that is stored with each value: 1 to 64 letters, digits, hyphens and underscores. Not secret. */
  readonly id: string
  /** 32 random bytes, such as those of `crypto.getRandomValues`; never a passphrase or other text. */
  readonly key: Uint8Array
}

/** Keys for values that leave the process. The first one seals; all open. To change the key, add the new one last in every process, then put it first. */
export type KeyRing = readonly SealingKey[]

const ALGORITHM = 'AES-GCM'
const IV_BYTES = 12

/** Returns the issue of a key ring, if it is invalid. */
export function keyRingOption(name: string, ring: unknown): Issue[] {
  const entries: unknown[] = Array.isArray(ring) ? ring.map(Object) : []
  const ids = new Set(entries.map((entry) => Object(entry).id))
  if (entries.length > 0 && entries.length === ids.size && entries.every(isSealingKey)) return []
  const expected =
    'an array of `{ id, key }`, the current one first, with different IDs and keys of 32 random bytes, no text'
  return [{ severity: 'error', path: [name], code: 'invalid_value', message: `expected ${expected}` }]
}

function isSealingKey(entry: unknown): boolean {
  const { id, key }: { id?: unknown; key?: unknown } = Object(entry)
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) return false
  // The chance that random bytes are all printable is 1 in 10^13: it is a passphrase, or digits in hexadecimal or Base64.
  return key instanceof Uint8Array && key.byteLength === 32 && !key.every((byte) => byte >= 0x20 && byte < 0x7f)
}

/** Why a value cannot be opened. */
export type SealProblem = 'is malformed' | 'was sealed with a key that is not in `keys`' | 'was altered' | 'has expired'

/** A text that was opened, with the time from which it cannot be opened, or the problem. */
export interface Opened {
  readonly text: string
  readonly expiresAt: number
  readonly problem?: SealProblem
}

const failure = (problem: SealProblem): Opened => ({ text: '', expiresAt: 0, problem })

/** Seals and opens texts for one purpose, with AES-GCM. Each purpose has its own keys. */
export class Sealer {
  readonly #ring: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
  readonly #keys = new Map<string, Promise<CryptoKey>>()
  readonly #currentId: string
  readonly #purpose: string

  constructor(ring: KeyRing, purpose: string) {
    // Copied: the app may overwrite its bytes.
    this.#ring = new Map(ring.map(({ id, key }) => [id, new Uint8Array(key)]))
    this.#currentId = ring[0]?.id ?? ''
    this.#purpose = purpose
  }

  /** Whether a value is sealed with the current key. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`${this.#currentId}.`)
  }

  /**
   * Seals a text. The result has only letters, digits, `-`, `_` and one `.`.
   * @param place Where the value is stored: it cannot be opened elsewhere.
   * @param expiresAt Time from which it cannot be opened, by `Date.now()`.
   */
  async seal(text: string, place: string, expiresAt = Infinity): Promise<string> {
    const id = this.#currentId
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
    const content = new TextEncoder().encode(`${expiresAt} ${text}`)
    const encrypted = await crypto.subtle.encrypt(this.#algorithm(iv, place), await this.#keyOf(id), content)
    return `${id}.${toBase64Url(iv)}${toBase64Url(new Uint8Array(encrypted))}`
  }

  /** Opens a value of {@link seal}. */
  async open(sealed: string, place: string): Promise<Opened> {
    const [, id = '', iv = '', encrypted = ''] = /^([\w-]{1,64})\.([\w-]{16})([\w-]{22,})$/.exec(sealed) ?? []
    if (id === '') return failure('is malformed')
    if (!this.#ring.has(id)) return failure('was sealed with a key that is not in `keys`')
    const key = await this.#keyOf(id)
    try {
      const algorithm = this.#algorithm(fromBase64Url(iv), place)
      const content = new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, fromBase64Url(encrypted)))
      const end = content.indexOf(' ')
      const expiresAt = Number(content.slice(0, end))
      if (expiresAt <= Date.now()) return failure('has expired')
      return { text: content.slice(end + 1), expiresAt }
    } catch {
      return failure('was altered')
    }
  }

  #algorithm(iv: Uint8Array<ArrayBuffer>, place: string) {
    return { name: ALGORITHM, iv, additionalData: new TextEncoder().encode(`${this.#purpose} ${place}`) }
  }

  #keyOf(id: string): Promise<CryptoKey> {
    const key = this.#keys.get(id) ?? this.#derive(id)
    this.#keys.set(id, key)
    return key
  }

  async #derive(id: string): Promise<CryptoKey> {
    const info = new TextEncoder().encode(`rapport-sdk ${this.#purpose}`)
    const bytes = this.#ring.get(id) ?? new Uint8Array()
    const base = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey'])
    const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }
    return crypto.subtle.deriveKey(algorithm, base, { name: ALGORITHM, length: 256 }, false, ['encrypt', 'decrypt'])
  }
}

/** Returns the first 32 hexadecimal digits of a SHA-256 hash. */
export async function hashOf(text: string): Promise<string> {
  return (await digest('SHA-256', text)).slice(0, 32)
}

export async function digest(algorithm: string, text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest(algorithm, new TextEncoder().encode(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function toBase64Url(bytes: Uint8Array): string {
  const chars = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(chars).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0))
}
