import { base64url, decodeJson, encodeJson } from '../base64url'
import type { Core } from '../core'
import type { UserRecord } from './database'

/** A public key credential response, as `@simplewebauthn/browser` gives it. */
export interface PasskeyCredential {
  /** ID of the credential, base64url. */
  readonly id: string
  /** The same ID. */
  readonly rawId: string
  /** Always `public-key`. */
  readonly type: 'public-key'
  /** What the authenticator answered, each part base64url. */
  readonly response: {
    /** JSON with the type of the ceremony, its challenge and its origin. */
    readonly clientDataJSON: string
    /** What the authenticator says of itself. */
    readonly authenticatorData: string
    /** The signature; this mock looks at its presence alone. */
    readonly signature: string
    /** ID of the user that the credential is for. */
    readonly userHandle: string
  }
  /** Results of extensions: none. */
  readonly clientExtensionResults: Record<string, never>
  /** Where the authenticator is. */
  readonly authenticatorAttachment: 'platform'
}

/** Stringified public key credential request options. Without `user` any passkey may answer. */
export function requestOptions({ rpId }: Core, challenge: string, user?: UserRecord): string {
  return JSON.stringify({
    challenge,
    timeout: 300_000,
    rpId,
    allowCredentials: (user?.passkeys ?? []).map((id) => ({ id, type: 'public-key', transports: ['internal'] })),
    userVerification: 'preferred',
  })
}

/** The credential that a passkey of `user` answers to `options` with. */
export function answerWithPasskey(core: Core, user: UserRecord, options: unknown): PasskeyCredential {
  const parsed: unknown = typeof options === 'string' ? JSON.parse(options) : options
  const { challenge, allowCredentials, rpId } = parsed as Partial<RequestOptions>
  if (typeof challenge !== 'string') throw new TypeError('these are no public key credential request options')
  const allowed = allowCredentials?.map(({ id }) => id) ?? []
  const id = user.passkeys.find((passkey) => allowed.length === 0 || allowed.includes(passkey))
  if (id === undefined) throw new Error(`${user.username} has no passkey that these options allow`)
  return {
    id,
    rawId: id,
    type: 'public-key',
    response: {
      clientDataJSON: encodeJson({ type: 'webauthn.get', challenge, origin: `https://${rpId ?? core.rpId}` }),
      authenticatorData: core.random.bytes(37),
      signature: core.random.bytes(70),
      userHandle: base64url(user.id),
    },
    clientExtensionResults: {},
    authenticatorAttachment: 'platform',
  }
}

interface RequestOptions {
  readonly challenge: string
  readonly rpId: string
  readonly allowCredentials: readonly { readonly id: string }[]
}

/**
 * The ID of the credential that answers `challenge`, or `undefined` where the text is no such answer. Its structure
 * alone is verified: form, ceremony and challenge. The signature is not.
 */
export function credentialIdIn(text: string, challenge: string): string | undefined {
  const credential = parse(text) as Partial<PasskeyCredential> | null | undefined
  const response = credential?.response
  if (typeof credential?.id !== 'string' || credential.type !== 'public-key') return undefined
  if (typeof response?.clientDataJSON !== 'string' || typeof response.authenticatorData !== 'string') return undefined
  if (typeof response.signature !== 'string') return undefined
  const clientData = decodeJson(response.clientDataJSON) as { type?: unknown; challenge?: unknown } | null | undefined
  return clientData?.type === 'webauthn.get' && clientData.challenge === challenge ? credential.id : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
