// Seals the values of Redis, with errors that name their key.
import { type KeyRing, Sealer, type SealProblem } from '../internal/seal'
import { damagedError } from './connection'

const PROBLEMS: Readonly<Record<SealProblem, string>> = {
  'is malformed': 'it is not encrypted, but the option `encrypt` is set',
  'was sealed with a key that is not in `keys`': 'it is encrypted with a key that is not in `encrypt`',
  'was altered': 'it cannot be decrypted: it was changed or moved, or its key has another value',
  'has expired': 'it has expired',
}

/** Encrypts and decrypts values. Without keys it returns them unchanged. */
export class Cipher {
  readonly #sealer: Sealer | undefined

  constructor(ring: KeyRing | undefined) {
    this.#sealer = ring && new Sealer(ring, 'redis')
  }

  /** Whether a value is encrypted with the current key, or not to be encrypted. */
  isCurrent(sealed: string): boolean {
    return this.#sealer?.isCurrent(sealed) ?? true
  }

  /** @param place Where the value is stored: it cannot be decrypted elsewhere. */
  async seal(text: string, place: string): Promise<string> {
    return this.#sealer ? this.#sealer.seal(text, place) : text
  }

  /** @throws RapportError that names the place, never the value. */
  async open(text: string, place: string): Promise<string> {
    if (this.#sealer === undefined) {
      if (/^[\w-]{1,64}\.[\w-]{38,}$/.test(text))
        throw damagedError(place, 'it is encrypted, and the option `encrypt` is missing')
      return text
    }
    const opened = await this.#sealer.open(text, place)
    if (opened.problem) throw damagedError(place, PROBLEMS[opened.problem])
    return opened.text
  }
}
