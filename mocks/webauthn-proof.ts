import type { Endpoint } from '../src/contract/endpoint'
import type { Core } from './core'
import type { EndpointName } from './endpoint-names'
import type { ServiceRequest } from './exchange'
import { parseBody } from './json'
import { credentialIn, isOriginOf } from './state/webauthn'
import type { PasskeyAssertion, PasskeyVerdict, PasskeyVerifier } from './webauthn-verifier'

/** A signature that was looked at before its call is answered: that takes time, and an answer takes none. */
export interface PasskeyProof extends PasskeyVerdict {
  /** The counter of the passkey when its signature was looked at. */
  readonly before: number
  /** What went wrong in the looking, which is a mistake of the test's and no refusal. */
  readonly mistake?: Error
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
export function assertionIn(core: Core, { name }: Endpoint, request: ServiceRequest): Claim | undefined {
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
export function withProof<T>(core: Core, proof: PasskeyProof | undefined, answer: () => T): T {
  core.passkeyProof = proof
  try {
    return answer()
  } finally {
    core.passkeyProof = undefined
  }
}
