// Second factors, and passkeys as a first one.
import { TOTP } from 'otpauth'
import type { Endpoint } from '../../src/contract/endpoint'
import type { MfaFlags } from '../../src/contract/login'
import { AuthenticatorType, type MfaMethod } from '../../src/contract/mfa'
import { addExpiring, expiryOf, isUnexpired, type PasskeyProof, type ServiceContext, toTimestamp } from '../core'
import type { SessionRecord, TicketRecord, UserRecord } from '../database'
import { apiError, errorBody, ServiceError } from '../errors'
import { sendSms } from '../outbox'
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
import { userOf } from './users'

/** Whether an account can currently use a factor; false, for example, without unused backup codes. */
function canUse(user: UserRecord, factor: string): boolean {
  // The factor is unvalidated input such as `constructor`, which every object has.
  return Object.hasOwn(USABLE, factor) && USABLE[factor]?.(user) === true
}

const USABLE: Readonly<Record<string, (user: UserRecord) => boolean>> = {
  backup: ({ backupCodes }) => backupCodes.length > 0,
  totp: ({ mfa }) => mfa.includes('totp'),
  sms: ({ mfa, phone }) => mfa.includes('sms') && phone !== null,
  webauthn: ({ mfa, passkeys }) => mfa.includes('webauthn') && passkeys.length > 0,
  // "When the user has enabled no other MFA method". API, "Enumerations of the authentication area".
  password: (user) => user.password !== null && !needsSecondFactor(user),
}

/** Whether signing in requires a second factor. A password does not count, because it was just checked. */
export function needsSecondFactor(user: UserRecord): boolean {
  return Object.values(AuthenticatorType).some((factor) => factor !== 'password' && canUse(user, factor))
}

export function mfaFlags(core: ServiceContext, user: UserRecord, { ticket, challenge }: TicketRecord): MfaFlags {
  return {
    mfa: true,
    ticket,
    totp: canUse(user, 'totp'),
    sms: canUse(user, 'sms'),
    backup: canUse(user, 'backup'),
    webauthn: canUse(user, 'webauthn') ? requestOptions(core, challenge, user) : null,
  }
}

/** Returns the methods of a step-up, in the order of a login: the factors of the account, or the password without any. */
function stepUpMethods(core: ServiceContext, user: UserRecord, { challenge }: TicketRecord): MfaMethod[] {
  const all: MfaMethod[] = [
    { type: 'totp', backup_codes_allowed: canUse(user, 'backup') },
    { type: 'sms' },
    { type: 'backup' },
    { type: 'webauthn', challenge: requestOptions(core, challenge, user) },
    { type: 'password' },
  ]
  return all.filter(({ type }) => canUse(user, type))
}

/** Verifies a second factor and consumes a backup code. @throws ServiceError if it is invalid or unavailable. */
export function verifyFactor(
  core: ServiceContext,
  user: UserRecord,
  ticket: TicketRecord,
  type: string,
  code: string,
): void {
  // A password is only valid for step-up: signing in has already checked it.
  const isAvailable = canUse(user, type) && (type !== 'password' || ticket.purpose === 'elevation')
  if (!isAvailable) throw apiError(core.policy, 'methodUnavailable')
  if (!checks[type]?.(core, user, code, ticket)) throw apiError(core.policy, 'invalidCode')
}

type FactorCheck = (core: ServiceContext, user: UserRecord, code: string, ticket: TicketRecord) => boolean

const checks: Readonly<Record<string, FactorCheck>> = {
  // "TOTP code or backup code". API, "Enumerations of the authentication area".
  totp: (core, user, code) => isTotpCode(core, user, code) || consumeBackupCode(core, user, code),
  sms: (_core, _user, code, { smsCode }) => smsCode !== null && smsCode === code.trim(),
  backup: consumeBackupCode,
  webauthn: (core, user, code, { challenge }) => acceptPasskey(core, user.passkeys, code, challenge),
  password: (_core, { password }, code) => password === code,
}

export function totpCode(core: ServiceContext, { totpSecret }: UserRecord): string {
  return core.known.note(new TOTP({ secret: totpSecret }).generate({ timestamp: core.clock.now() }))
}

function isTotpCode(core: ServiceContext, { totpSecret }: UserRecord, code: string): boolean {
  // Other characters may be more bytes, for which otpauth throws.
  if (!/^\d{6}$/.test(code)) return false
  // One step of tolerance in both directions, as RFC 6238 recommends, for clock skew and slow typing.
  return new TOTP({ secret: totpSecret }).validate({ token: code, timestamp: core.clock.now(), window: 1 }) !== null
}

function consumeBackupCode({ db }: ServiceContext, { id, backupCodes }: UserRecord, code: string): boolean {
  const normalized = code.replaceAll(/[\s-]/g, '').toLowerCase()
  const used = backupCodes.find((backup) => backup.replaceAll('-', '') === normalized)
  if (used === undefined) return false
  db.users.update(id, { backupCodes: backupCodes.filter((backup) => backup !== used) })
  return true
}

type Purpose = TicketRecord['purpose']

/** Creates a ticket, with a challenge in case a passkey is used. */
export function openTicket(
  core: ServiceContext,
  ticket: Partial<TicketRecord> & Pick<TicketRecord, 'purpose'>,
): TicketRecord {
  const record: TicketRecord = {
    ticket: core.random.text(36),
    userId: null,
    sessionId: null,
    loginInstanceId: null,
    resetToken: null,
    undelete: false,
    challenge: core.random.bytes(32),
    smsCode: null,
    ...ticket,
    expiresAt: expiryOf(core, core.policy.lifetimes.ticket),
  }
  addExpiring(core, core.db.tickets, record.ticket, record)
  return record
}

export function requireTicket(core: ServiceContext, ticket: string, ...purposes: readonly Purpose[]): TicketRecord {
  const record = core.db.tickets.get(ticket)
  if (record !== undefined && purposes.includes(record.purpose) && isUnexpired(core, record)) return record
  throw apiError(core.policy, 'invalidTicket')
}

export function userOfTicket(core: ServiceContext, { userId }: TicketRecord): UserRecord {
  if (userId === null || !core.db.users.has(userId)) throw apiError(core.policy, 'invalidTicket')
  return userOf(core, userId)
}

/** Sends a new code, which replaces the previous one. @returns the redacted phone number. */
export function sendTicketSms(core: ServiceContext, ticket: TicketRecord): string {
  const { mfa, phone } = userOfTicket(core, ticket)
  if (!mfa.includes('sms') || phone === null) throw apiError(core.policy, 'methodUnavailable')
  const code = core.random.digits(6)
  core.db.tickets.update(ticket.ticket, { smsCode: code })
  sendSms(core, { to: phone, kind: 'mfa', code, text: `Your security code is ${code}` })
  return phone.slice(0, 2) + '*'.repeat(Math.max(0, phone.length - 6)) + phone.slice(-4)
}

/** "MFA verification JWT and cookie: 5 minutes". API, "Limits". */
const ELEVATION_LIFETIME = 300_000

/** Name of the cookie with the verification JWT. API, "Authentication" 4. */
const ELEVATION_COOKIE = '__Secure-recent_mfa'

/** Issues a verification JWT for the session of a step-up. Its signature is random, because the service looks it up. */
export function elevate(core: ServiceContext, { userId, sessionId }: TicketRecord): string {
  if (userId === null || sessionId === null) throw new Error('an elevation ticket has a user and a session')
  const expiresAt = core.clock.now() + ELEVATION_LIFETIME
  const seconds = (time: number) => Math.floor(time / 1000)
  const claims = { sub: userId, sid: sessionId, iat: seconds(core.clock.now()), exp: seconds(expiresAt) }
  const token = `${encodeJson({ alg: 'HS256', typ: 'JWT' })}.${encodeJson(claims)}.${core.random.bytes(32)}`
  addExpiring(core, core.db.elevations, token, { userId, sessionId, expiresAt })
  return token
}

/** Whether a request has a verification JWT of the session, in the header or the cookie. */
export function isElevated(core: ServiceContext, headers: Headers, session: SessionRecord): boolean {
  return [headers.get(core.policy.mfaHeader), readCookie(headers, ELEVATION_COOKIE)].some((token) => {
    const elevation = token === null ? undefined : core.db.elevations.get(token)
    return elevation !== undefined && elevation.sessionId === session.id && isUnexpired(core, elevation)
  })
}

/** Creates the error that requests step-up. API, "MFA Required Response". */
export function stepUpError(core: ServiceContext, user: UserRecord, session: SessionRecord): ServiceError {
  const ticket = openTicket(core, { purpose: 'elevation', userId: user.id, sessionId: session.id })
  const methods = stepUpMethods(core, user, ticket)
  const { mfaRequired } = core.policy.errors
  return new ServiceError(mfaRequired.status, { ...errorBody(mfaRequired), mfa: { ticket: ticket.ticket, methods } })
}

export function elevationCookie(core: ServiceContext, token: string): string {
  const expires = new Date(toTimestamp(core.clock.now() + ELEVATION_LIFETIME)).toUTCString()
  return `${ELEVATION_COOKIE}=${token}; Max-Age=300; Expires=${expires}; Path=/; Secure; HttpOnly; ${core.policy.verificationCookie}`
}

function readCookie(headers: Headers, name: string): string | null {
  for (const pair of headers.get('cookie')?.split(/;\s*/) ?? []) {
    if (pair.startsWith(`${name}=`)) return pair.slice(name.length + 1)
  }
  return null
}

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
  const body = typeof options === 'string' ? parseBody(options) : ({ kind: 'value', value: options } as const)
  const { challenge, allowCredentials = [], rpId } = Object(body.kind === 'value' && body.value)
  if (typeof challenge !== 'string' || !Array.isArray(allowCredentials))
    throw new TypeError('these are not public key credential request options')
  const allowed = allowCredentials.map((one) => Object(one).id)
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

/**
 * Parses a credential; `undefined` if its structure, ceremony or challenge is invalid. Does not verify the signature.
 */
export function parseCredential(text: string, challenge: string) {
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
