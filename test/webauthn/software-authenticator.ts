import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** Values of an assertion that a test can replace by invalid ones. */
export interface Ceremony {
  /** Origin of the page. */
  readonly origin?: string
  /** ID of the relying party. */
  readonly rpId?: string
  /** The challenge, base64url. */
  readonly challenge?: string
  /** The signature counter. */
  readonly counter?: number
  /** The private key. */
  readonly key?: KeyObject
}

interface RequestOptions {
  readonly challenge: string
  readonly rpId: string
}

const base64url = (data: string | Buffer) => Buffer.from(data).toString('base64url')
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

const PRESENT_AND_VERIFIED = 0b101

/** Creates an authenticator with one passkey, which signs as in section 6.3.3 of WebAuthn. */
export function createAuthenticator(id = 'a-passkey', keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })) {
  const { publicKey, privateKey } = keys
  const digest = privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  return {
    /** The passkey as registered with the service. */
    passkey: { id, publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64url') },
    privateKey,

    /** Returns the JSON of the credential for JSON options, as a browser does. */
    credentialFor(text: string, ceremony: Ceremony = {}): string {
      const options = JSON.parse(text) as RequestOptions
      const { rpId = options.rpId, challenge = options.challenge, counter = 0, key = privateKey } = ceremony
      const { origin = `https://${options.rpId}` } = ceremony
      const clientData = JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false })
      const count = Buffer.alloc(4)
      count.writeUInt32BE(counter)
      const authenticatorData = Buffer.concat([sha256(rpId), Buffer.from([PRESENT_AND_VERIFIED]), count])
      return JSON.stringify({
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: base64url(clientData),
          authenticatorData: base64url(authenticatorData),
          signature: base64url(sign(digest, Buffer.concat([authenticatorData, sha256(clientData)]), key)),
        },
        clientExtensionResults: {},
        authenticatorAttachment: 'platform',
      })
    },
  }
}
