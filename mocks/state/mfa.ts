import { TOTP } from 'otpauth'
import type { MfaFlags } from '../../src/contract/login'
import { AuthenticatorType, type MfaMethod } from '../../src/contract/mfa'
import { addExpiring, expiryOf, isUnexpired, type ServiceContext, toTimestamp } from '../core'
import type { SessionRecord, TicketRecord, UserRecord } from '../database'
import { apiError, errorBody, ServiceError } from '../errors'
import { sendSms } from '../outbox'
import { encodeJson } from '../random'
import { userOf } from './users'
import { acceptPasskey, requestOptions } from './webauthn'

/** Whether an account can currently use a factor; false, for example, without unused backup codes. */
function canUse(user: UserRecord, factor: string): boolean {
  const { factors, backupCodes, passkeys, phone, password } = user
  switch (factor) {
    case AuthenticatorType.backup:
      return backupCodes.length > 0
    case AuthenticatorType.totp:
      return factors.includes('totp')
    case AuthenticatorType.sms:
      return factors.includes('sms') && phone !== null
    case AuthenticatorType.webauthn:
      return factors.includes('webauthn') && passkeys.length > 0
    case AuthenticatorType.password:
      // "When the user has enabled no other MFA method". API, "Enumerations of the authentication area".
      return password !== null && !needsSecondFactor(user)
    default:
      return false
  }
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
  // The type is unvalidated input such as `constructor`, which every object has.
  const check = Object.hasOwn(checks, type) ? checks[type] : undefined
  // A password is only valid for step-up: signing in has already checked it.
  const isAvailable = canUse(user, type) && (type !== 'password' || ticket.purpose === 'elevation')
  if (check === undefined || !isAvailable) throw apiError(core.policy, 'methodUnavailable')
  if (!check(core, user, code, ticket)) throw apiError(core.policy, 'invalidCode')
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

export interface NewTicket extends Partial<Omit<TicketRecord, 'ticket' | 'purpose' | 'challenge' | 'expiresAt'>> {
  readonly purpose: Purpose
}

/** Creates a ticket, with a challenge in case a passkey is used. */
export function openTicket(core: ServiceContext, ticket: NewTicket): TicketRecord {
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

/** Deletes a ticket, because it can only be completed once. */
export function deleteTicket({ db }: ServiceContext, { ticket }: TicketRecord): void {
  db.tickets.delete(ticket)
}

export function userOfTicket(core: ServiceContext, { userId }: TicketRecord): UserRecord {
  if (userId === null || !core.db.users.has(userId)) throw apiError(core.policy, 'invalidTicket')
  return userOf(core, userId)
}

/** Sends a new code, which replaces the previous one. @returns the redacted phone number. */
export function sendTicketSms(core: ServiceContext, ticket: TicketRecord): string {
  const { factors, phone } = userOfTicket(core, ticket)
  if (!factors.includes('sms') || phone === null) throw apiError(core.policy, 'methodUnavailable')
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
