import type { Core } from '../core'
import { assertSettings, integer, type Kind, type Kinds } from '../set-up'
import type { UserRecord } from '../state/database'

/** A passkey of a real authenticator, as its registration told of it. */
export interface AddPasskeyOptions {
  /** ID of the credential, base64url. */
  readonly id: string
  /** Its public key: SubjectPublicKeyInfo, base64url; `response.publicKey` of a registration. */
  readonly publicKey: string
  /** How often it has signed; 0 where it does not count. @default 0 */
  readonly counter?: number
}

const base64url: Kind = {
  wanted: 'base64url',
  holds: (value) => typeof value === 'string' && /^[\w-]+$/.test(value),
}

const kinds: Kinds = { id: base64url, publicKey: base64url, counter: integer(0, 2 ** 32 - 1) }

/** Gives an account a passkey as a test describes it. */
export function addPasskey({ db }: Core, user: UserRecord, options: AddPasskeyOptions): void {
  assertSettings('users.addPasskey', options, kinds, ['id', 'publicKey'])
  const { id, publicKey, counter = 0 } = options
  if (db.users.find('passkey', id) !== undefined) throw new Error(`there is a passkey ${id} already`)
  db.users.update(user.id, { passkeys: [...user.passkeys, { id, publicKey, counter }] })
  if (!user.factors.includes('webauthn')) user.factors.push('webauthn')
}
