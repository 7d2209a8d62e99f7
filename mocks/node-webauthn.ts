import { createPublicKey } from 'node:crypto'
import type { PasskeyAssertion, PasskeyVerdict, PasskeyVerifier } from './request'

/**
 * Verifies passkey signatures with `@simplewebauthn/server`, an optional peer dependency that is loaded on first use.
 * `listen` uses it if it is installed; pass it to `createMockService` for requests through `service.fetch` or msw.
 * Supports ES256, RS256 and EdDSA (Ed25519).
 * @throws Error if the package is not installed.
 *
 * @example
 * import { createMockService } from 'rapport-sdk/mocks'
 * import { verifyPasskey } from 'rapport-sdk/mocks/node'
 *
 * const service = createMockService({ verifyPasskey })
 */
export const verifyPasskey: PasskeyVerifier = async (assertion) => {
  const loaded = await load()
  if (loaded === undefined) throw new Error('verifyPasskey needs the package @simplewebauthn/server')
  return verify(loaded, assertion)
}

/** Same as {@link verifyPasskey}, but resolves to `undefined` if the package is not installed. */
export const verifyPasskeyWhereInstalled: PasskeyVerifier = async (assertion) => {
  const loaded = await load()
  return loaded && verify(loaded, assertion)
}

type Loaded = NonNullable<Awaited<ReturnType<typeof load>>>

async function load() {
  try {
    const [library, helpers] = await Promise.all([
      import('@simplewebauthn/server'),
      import('@simplewebauthn/server/helpers'),
    ])
    return { library, helpers }
  } catch {
    return undefined
  }
}

async function verify({ library, helpers }: Loaded, assertion: PasskeyAssertion): Promise<PasskeyVerdict> {
  const { credential, challenge, origin, rpId, publicKey, counter } = assertion
  // Outside of `try`: an invalid public key is a mistake in the test, not a failed verification.
  const cose = helpers.isoCBOR.encode(coseKey(publicKey))
  try {
    const { verified, authenticationInfo } = await library.verifyAuthenticationResponse({
      response: credential,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: { id: credential.id, publicKey: cose, counter },
      // The name of `credential` before version 11.
      ...{ authenticator: { credentialID: credential.id, credentialPublicKey: cose, counter } },
      // The request options of the service prefer user verification but do not require it.
      requireUserVerification: false,
    })
    return { verified, counter: authenticationInfo.newCounter }
  } catch {
    // The library throws for invalid credentials; the service treats them all as unverified.
    return { verified: false, counter }
  }
}

/** Converts a public key to COSE (RFC 9053) through JWK. */
function coseKey(spki: string): Map<number, number | Uint8Array<ArrayBuffer>> {
  const key = createPublicKey({ key: Buffer.from(spki, 'base64url'), format: 'der', type: 'spki' })
  const { kty, crv, x, y, n, e } = key.export({ format: 'jwk' })
  const bytes = (text = '') => new Uint8Array(Buffer.from(text, 'base64url'))
  if (kty === 'EC' && crv === 'P-256')
    return new Map([entry(1, 2), entry(3, -7), entry(-1, 1), entry(-2, bytes(x)), entry(-3, bytes(y))])
  if (kty === 'RSA') return new Map([entry(1, 3), entry(3, -257), entry(-1, bytes(n)), entry(-2, bytes(e))])
  if (crv === 'Ed25519') return new Map([entry(1, 1), entry(3, -8), entry(-1, 6), entry(-2, bytes(x))])
  throw new Error(`the mock verifies passkeys with P-256, RSA and Ed25519, not with ${crv ?? kty}`)
}

function entry(label: number, value: number | Uint8Array<ArrayBuffer>) {
  return [label, value] as const
}
