import type { Endpoint } from '../../src/contract/endpoint'
import type { PasskeyProof, ServiceContext } from '../core'
import type { UserRecord } from '../database'
import { base64url, decodeJson, encodeJson } from '../random'
import {
  type PasskeyAssertion,
  type PasskeyCredential,
  type PasskeyVerifier,
  parseBody,
  type ServiceRequest,
} from '../request'
import { type EndpointName, endpointName } from '../router'
import type { PasskeyRecord } from '../table'

/** Creates public key credential request options as JSON. Without `user`, any passkey is allowed. */
export function requestOptions({ rpId }: ServiceContext, challenge: string, user?: UserRecord): string {
  return JSON.stringify({
    challenge,
    timeout: 300_000,
    rpId,
    allowCredentials: (user?.passkeys ?? []).map(({ id }) => ({ id, type: 'public-key', transports: ['internal'] })),
    userVerification: 'preferred',
  })
}

/** Creates the credential with which a simulated passkey of `user` responds to `options`. */
export function createPasskeyCredential(core: ServiceContext, user: UserRecord, options: unknown): PasskeyCredential {
  const parsed: unknown = typeof options === 'string' ? JSON.parse(options) : options
  // Options of the service itself; only the challenge is checked.
  const { challenge, allowCredentials, rpId } = parsed as Partial<RequestOptions>
  if (typeof challenge !== 'string') throw new TypeError('these are not public key credential request options')
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

export interface ParsedCredential {
  readonly credential: PasskeyCredential
  /** Origin of the page. */
  readonly origin: string
}

/**
 * Parses a credential; `undefined` if its structure, ceremony or challenge is invalid. Does not verify the signature.
 */
export function parseCredential(text: string, challenge: string): ParsedCredential | undefined {
  const body = parseBody(text)
  // Unvalidated JSON; the checks below narrow it.
  const credential = (body.kind === 'value' ? body.value : undefined) as Partial<PasskeyCredential> | null | undefined
  const response = credential?.response
  if (typeof credential?.id !== 'string' || credential.type !== 'public-key') return undefined
  if (credential.rawId !== undefined && credential.rawId !== credential.id) return undefined
  const { clientDataJSON, authenticatorData, signature } = response ?? {}
  const isComplete = [clientDataJSON, authenticatorData, signature].every((part) => typeof part === 'string' && part)
  if (!isComplete || clientDataJSON === undefined) return undefined
  // Only compared, field by field.
  const clientData = decodeJson(clientDataJSON) as Readonly<Record<string, unknown>> | null | undefined
  if (clientData?.type !== 'webauthn.get' || clientData.challenge !== challenge) return undefined
  // The verifier checks the other fields.
  return { credential: credential as PasskeyCredential, origin: String(clientData.origin) }
}

/**
 * Whether a string is the credential of one of the passkeys for `challenge`, from an origin of the relying party. For a
 * passkey with a public key, the signature must have been verified; its counter is updated.
 */
export function acceptPasskey(
  core: ServiceContext,
  passkeys: readonly PasskeyRecord[],
  text: string,
  challenge: string,
): boolean {
  const parsed = parseCredential(text, challenge)
  const passkey = passkeys.find(({ id }) => id === parsed?.credential.id)
  if (parsed === undefined || passkey === undefined || !isOriginOf(core.rpId, parsed.origin)) return false
  const proof = core.passkeyProof
  if (proof === undefined) return true
  if (proof.error !== undefined) throw proof.error
  // Another request may have changed the counter during the verification.
  if (!proof.verified || proof.before !== passkey.counter) return false
  passkey.counter = proof.counter
  return true
}

/** Whether an origin belongs to the relying party: its domain or a subdomain, over HTTPS except for `localhost`. */
function isOriginOf(rpId: string, origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, hostname, origin: normalized } = new URL(origin)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isSecure = protocol === 'https:' || (protocol === 'http:' && isLocal)
  return normalized === origin && isSecure && (hostname === rpId || hostname.endsWith(`.${rpId}`))
}

interface Claim {
  readonly verify: PasskeyVerifier
  readonly assertion: PasskeyAssertion
}

/** Body fields of the endpoints that accept a credential. API, sections B, E and "Multi-factor elevation". */
const CREDENTIAL_FIELDS: Readonly<Partial<Record<EndpointName, string>>> = {
  'Finish Passwordless Login': 'credential',
  'Verify MFA Login': 'code',
  'Reset Password': 'code',
  'Verify MFA': 'data',
}

/** Returns the credential in a request if its passkey has a public key and there is a verifier. */
export function findAssertion(core: ServiceContext, endpoint: Endpoint, request: ServiceRequest): Claim | undefined {
  const verify = core.verifyPasskey ?? request.verifyPasskey
  const field = CREDENTIAL_FIELDS[endpointName(endpoint)]
  const body = verify === undefined || field === undefined ? undefined : parseBody(request.body)
  if (verify === undefined || field === undefined || body?.kind !== 'value') return undefined
  // Compared and checked below.
  const { ticket, [field]: text } = (body.value ?? {}) as Readonly<Record<string, unknown>>
  const challenge = core.db.tickets.get(String(ticket))?.challenge
  const parsed = typeof text === 'string' && challenge !== undefined ? parseCredential(text, challenge) : undefined
  if (parsed === undefined || challenge === undefined || !isOriginOf(core.rpId, parsed.origin)) return undefined
  const { id } = parsed.credential
  const passkeys = core.db.users.find('passkey', id)?.passkeys ?? []
  const { publicKey = null, counter = 0 } = passkeys.find((passkey) => passkey.id === id) ?? {}
  if (publicKey === null) return undefined
  return { verify, assertion: { ...parsed, challenge, rpId: core.rpId, publicKey, counter } }
}

/**
 * Verifies an assertion; resolves to `undefined` if the verifier cannot. Never rejects, so that the request gets a
 * response.
 */
export async function verifyAssertion({ verify, assertion }: Claim): Promise<PasskeyProof | undefined> {
  const before = assertion.counter
  try {
    const verdict = await verify(assertion)
    return verdict && { ...verdict, before }
  } catch (error) {
    return { verified: false, counter: before, before, error: new Error(`verifyPasskey: ${error}`, { cause: error }) }
  }
}

/** Runs a request handler with its verification result, which no other request sees. */
export function withProof<T>(core: ServiceContext, proof: PasskeyProof | undefined, handle: () => T): T {
  core.passkeyProof = proof
  try {
    return handle()
  } finally {
    core.passkeyProof = undefined
  }
}
