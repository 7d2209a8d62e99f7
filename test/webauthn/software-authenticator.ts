import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** Where an authenticator answers, and what it says of itself; all that a test may want to be wrong. */
export interface Ceremony {
  /** Origin of the page. */
  readonly origin?: string
  /** The relying party that is signed for. */
  readonly rpId?: string
  /** The challenge that is answered, base64url. */
  readonly challenge?: string
  /** How often it has signed. */
  readonly counter?: number
  /** What signs. */
  readonly key?: KeyObject
}

interface RequestOptions {
  readonly challenge: string
  readonly rpId: string
}

const base64url = (data: string | Buffer) => Buffer.from(data).toString('base64url')
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

const PRESENT_AND_VERIFIED = 0b101

/** An authenticator made of software, with one passkey: it signs as WebAuthn says, "6.3.3". */
export function softwareAuthenticator(id = 'a-passkey', keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })) {
  const { publicKey, privateKey } = keys
  const digest = privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  return {
    /** What its registration told. */
    passkey: { id, publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64url') },
    privateKey,

    /** Its answer to stringified options, as a browser gives it. */
    answer(text: string, ceremony: Ceremony = {}): string {
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
