import type { PasskeyCredential } from './state/webauthn'

/** An answer of a passkey whose form, challenge and origin are right, and what its signature is to be verified by. */
export interface PasskeyAssertion {
  /** The public key credential response. */
  readonly credential: PasskeyCredential
  /** The challenge that it answers, base64url. */
  readonly challenge: string
  /** The origin of the page that it was given to, one of the relying party's. */
  readonly origin: string
  /** The relying party: a domain. */
  readonly rpId: string
  /** The public key of the passkey: SubjectPublicKeyInfo, base64url. */
  readonly publicKey: string
  /** How often the authenticator had signed, as it said when it last answered; 0 where it does not count. */
  readonly counter: number
}

/** What a signature was found to be. */
export interface PasskeyVerdict {
  /** Whether signature, relying party and counter are right. */
  readonly verified: boolean
  /** How often the authenticator says it has signed by now; 0 where it does not count. */
  readonly counter: number
}

/** Verifies the signature of a passkey's answer. `undefined` where it cannot: then the structure alone counts. */
export type PasskeyVerifier = (assertion: PasskeyAssertion) => Promise<PasskeyVerdict | undefined>
