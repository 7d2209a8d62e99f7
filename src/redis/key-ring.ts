import { createCheck } from '../internal/options'
import { damagedError } from './connection'

/** A key of AES-GCM with its name. */
export interface RedisEncryptionKey {
  /** Name that is stored with each value: 1 to 64 letters, digits, hyphens and underscores. Not secret. */
  readonly id: string
  /** 16, 24 or 32 bytes, or a `CryptoKey` for AES-GCM that may decrypt; the first one may also encrypt. */
  readonly key: Uint8Array | CryptoKey
}

/** Keys of AES-GCM. The first one encrypts; all decrypt. To change the key, put the new one first. */
export type RedisKeyRing = readonly RedisEncryptionKey[]

const IV_BYTES = 12
const KEY_BYTES: readonly unknown[] = [16, 24, 32]

export const keyRingOption = createCheck(
  'an array of `{ id, key }` with different IDs and keys of 16, 24 or 32 bytes or for AES-GCM, the current one first',
  (ring) => {
    if (!Array.isArray(ring) || ring.length === 0) return false
    const isValid = ({ id, key }: { id?: unknown; key?: unknown }, index: number) =>
      typeof id === 'string' && /^[\w-]{1,64}$/.test(id) && (isUsable(key, index === 0) || isKeyBytes(key))
    return (
      ring.every((entry, index) => isValid(Object(entry), index)) &&
      new Set(ring.map(({ id }) => id)).size === ring.length
    )
  },
)

function isKeyBytes(key: unknown): boolean {
  return key instanceof Uint8Array && KEY_BYTES.includes(key.byteLength)
}

function isCryptoKey(key: unknown): key is CryptoKey {
  return Object.prototype.toString.call(key) === '[object CryptoKey]'
}

function isUsable(key: unknown, isCurrent: boolean): boolean {
  if (!isCryptoKey(key) || key.algorithm.name !== 'AES-GCM' || !key.usages.includes('decrypt')) return false
  return !isCurrent || key.usages.includes('encrypt')
}

/** Encrypts and decrypts values. Without keys it returns them unchanged. */
export class Cipher {
  readonly #keys = new Map<string, Promise<CryptoKey>>()
  readonly #current: string | undefined

  constructor(ring: RedisKeyRing | undefined) {
    this.#current = ring?.[0]?.id
    for (const { id, key } of ring ?? []) this.#keys.set(id, importKey(key))
  }

  /** Whether a value is encrypted with the current key, or not to be encrypted. */
  isCurrent(sealed: string): boolean {
    return this.#current === undefined || sealed.startsWith(`${this.#current}.`)
  }

  /** @param place Where the value is stored: it cannot be decrypted elsewhere. */
  async seal(text: string, place: string): Promise<string> {
    if (this.#current === undefined) return text
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
    const encrypted = await crypto.subtle.encrypt(
      { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(place) },
      await this.#key(this.#current, place),
      new TextEncoder().encode(text),
    )
    return `${this.#current}.${toBase64(iv)}.${toBase64(new Uint8Array(encrypted))}`
  }

  /** @throws RapportError that names the place, never the value. */
  async open(text: string, place: string): Promise<string> {
    if (this.#current === undefined) {
      if (/^[\w-]{1,64}\.[\w+/=]+\.[\w+/=]+$/.test(text))
        throw damagedError(place, 'it is encrypted, and the option `encrypt` is missing')
      return text
    }
    const [id = '', iv = '', encrypted] = text.split('.')
    if (encrypted === undefined) throw damagedError(place, 'it is not encrypted, but the option `encrypt` is set')
    const key = await this.#key(id, place)
    try {
      const decrypted = await crypto.subtle.decrypt(
        { name: 'AES-GCM', iv: fromBase64(iv), additionalData: new TextEncoder().encode(place) },
        key,
        fromBase64(encrypted),
      )
      return new TextDecoder().decode(decrypted)
    } catch {
      throw damagedError(place, 'it cannot be decrypted: it was changed or moved, or its key has another value')
    }
  }

  #key(id: string, place: string): Promise<CryptoKey> {
    const key = this.#keys.get(id)
    if (key === undefined) throw damagedError(place, `it is encrypted with a key that is not in \`encrypt\``)
    return key
  }
}

function importKey(key: Uint8Array | CryptoKey): Promise<CryptoKey> {
  if (isCryptoKey(key)) return Promise.resolve(key)
  // Copied: the app may overwrite its bytes.
  return crypto.subtle.importKey('raw', new Uint8Array(key), 'AES-GCM', false, ['encrypt', 'decrypt'])
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
}
