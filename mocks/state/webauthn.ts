import type { Endpoint } from '../../src/contract/endpoint'
import type { PasskeyProof, ServiceContext } from '../core'
import type { PasskeyRecord, UserRecord } from '../database'
import { base64url, decodeJson, encodeJson } from '../random'
import {
  type PasskeyAssertion,
  type PasskeyCredential,
  type PasskeyVerifier,
  parseBody,
  type ServiceRequest,
} from '../request'
import type { EndpointName } from '../router'

/** Stringified public key credential request options. Without `user` any passkey may answer. */
export function requestOptions({ rpId }: ServiceContext, challenge: string, user?: UserRecord): string {
  return JSON.stringify({
    challenge,
    timeout: 300_000,
    rpId,
    allowCredentials: (user?.passkeys ?? []).map(({ id }) => ({ id, type: 'public-key', transports: ['internal'] })),
    userVerification: 'preferred',
  })
}

/** The credential that a passkey of `user` answers to `options` with. */
export function answerWithPasskey(core: ServiceContext, user: UserRecord, options: unknown): PasskeyCredential {
  const parsed: unknown = typeof options === 'string' ? JSON.parse(options) : options
  const { challenge, allowCredentials, rpId } = parsed as Partial<RequestOptions>
  if (typeof challenge !== 'string') throw new TypeError('these are no public key credential request options')
  const allowed = allowCredentials?.map(({ id }) => id) ?? []
  const own = user.passkeys.filter(({ publicKey }) => publicKey === null).map(({ id }) => id)
  const id = own.find((passkey) => allowed.length === 0 || allowed.includes(passkey))
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

/** A credential whose form is right. */
export interface ReadCredential {
  readonly credential: PasskeyCredential
  /** Where the page was that the authenticator answered. */
  readonly origin: string
}

/**
 * The credential that answers `challenge`, or `undefined` where the text is no such answer. Its structure alone is
 * looked at: form, ceremony and challenge.
 */
export function credentialIn(text: string, challenge: string): ReadCredential | undefined {
  const credential = parse(text) as Partial<PasskeyCredential> | null | undefined
  const response = credential?.response
  if (typeof credential?.id !== 'string' || credential.type !== 'public-key') return undefined
  if (credential.rawId !== undefined && credential.rawId !== credential.id) return undefined
  const { clientDataJSON, authenticatorData, signature } = response ?? {}
  if (![clientDataJSON, authenticatorData, signature].every(isFilled) || clientDataJSON === undefined) return undefined
  const clientData = decodeJson(clientDataJSON) as Readonly<Record<string, unknown>> | null | undefined
  if (clientData?.type !== 'webauthn.get' || clientData.challenge !== challenge) return undefined
  return { credential: credential as PasskeyCredential, origin: String(clientData.origin) }
}

/**
 * Whether the text is the answer of one of the passkeys to `challenge`, from a page of the relying party. Of one with a
 * public key, what its signature was found to be counts, and its new counter is kept.
 */
export function acceptPasskey(
  core: ServiceContext,
  passkeys: readonly PasskeyRecord[],
  text: string,
  challenge: string,
): boolean {
  const read = credentialIn(text, challenge)
  const passkey = passkeys.find(({ id }) => id === read?.credential.id)
  if (read === undefined || passkey === undefined || !isOriginOf(core.rpId, read.origin)) return false
  if (passkey.publicKey === null) return true
  const proof = core.passkeyProof
  if (proof === undefined) return true
  if (proof.mistake !== undefined) throw proof.mistake
  // Another call may have moved the counter on while the signature was being verified.
  if (!proof.verified || proof.before !== passkey.counter) return false
  passkey.counter = proof.counter
  return true
}

/** Whether a page is one of the relying party: on its domain or below, and over HTTPS, `localhost` aside. */
export function isOriginOf(rpId: string, origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, hostname, origin: itself } = new URL(origin)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isSecure = protocol === 'https:' || (protocol === 'http:' && isLocal)
  return itself === origin && isSecure && (hostname === rpId || hostname.endsWith(`.${rpId}`))
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An assertion, with what verifies it. */
interface Claim {
  readonly verify: PasskeyVerifier
  readonly assertion: PasskeyAssertion
}

/** The calls that may carry a credential, and where. Interface, sections B, E and "Multi-factor elevation". */
const CARRIERS: Readonly<Partial<Record<EndpointName, string>>> = {
  'Finish Passwordless Login': 'credential',
  'Verify MFA Login': 'code',
  'Reset Password': 'code',
  'Verify MFA': 'data',
}

/** The signed answer in a request, where there is one of a passkey whose key is known, and something to verify it. */
export function assertionIn(core: ServiceContext, { name }: Endpoint, request: ServiceRequest): Claim | undefined {
  const verify = core.verifyPasskey ?? request.verifyPasskey
  const field = CARRIERS[name as EndpointName]
  const body = verify === undefined || field === undefined ? undefined : parseBody(request.body)
  if (verify === undefined || field === undefined || body?.kind !== 'value') return undefined
  const { ticket, [field]: text } = (body.value ?? {}) as Readonly<Record<string, unknown>>
  const challenge = core.db.tickets.get(String(ticket))?.challenge
  const read = typeof text === 'string' && challenge !== undefined ? credentialIn(text, challenge) : undefined
  if (read === undefined || challenge === undefined || !isOriginOf(core.rpId, read.origin)) return undefined
  const { id } = read.credential
  const passkeys = core.db.users.find('passkey', id)?.passkeys ?? []
  const { publicKey = null, counter = 0 } = passkeys.find((passkey) => passkey.id === id) ?? {}
  if (publicKey === null) return undefined
  return { verify, assertion: { ...read, challenge, rpId: core.rpId, publicKey, counter } }
}

/** Verifies an assertion; `undefined` where what verifies it cannot. Never rejects: the call is to be answered. */
export async function prove({ verify, assertion }: Claim): Promise<PasskeyProof | undefined> {
  const before = assertion.counter
  try {
    const verdict = await verify(assertion)
    return verdict && { ...verdict, before }
  } catch (error) {
    return { verified: false, counter: before, before, mistake: new Error(`verifyPasskey: ${error}`, { cause: error }) }
  }
}

/** Answers a call with what was proved for it, which no other call sees. */
export function withProof<T>(core: ServiceContext, proof: PasskeyProof | undefined, answer: () => T): T {
  core.passkeyProof = proof
  try {
    return answer()
  } finally {
    core.passkeyProof = undefined
  }
}
