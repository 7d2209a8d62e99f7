import { TOTP } from 'otpauth'
import type { MfaFlags } from '../../src/contract/login'
import { AuthenticatorType, type MfaMethod } from '../../src/contract/mfa'
import type { Core } from '../core'
import { refusal } from '../envelope'
import type { TicketRecord, UserRecord } from './database'
import { acceptPasskey, requestOptions } from './webauthn'

/** Whether an account can use a factor now: nothing is offered that would be refused, such as spent backup codes. */
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
      // "When the user has enabled no other MFA method". Interface, "Enumerations of the authentication area".
      return password !== null && !needsSecondFactor(user)
    default:
      return false
  }
}

/** Whether signing in asks for a second factor. A password is none there: it has just been given. */
export function needsSecondFactor(user: UserRecord): boolean {
  return Object.values(AuthenticatorType).some((factor) => factor !== 'password' && canUse(user, factor))
}

/** What the answer of a login or a reset says of a second factor that is due. */
export function mfaFlags(core: Core, user: UserRecord, { ticket, challenge }: TicketRecord): MfaFlags {
  return {
    mfa: true,
    ticket,
    totp: canUse(user, 'totp'),
    sms: canUse(user, 'sms'),
    backup: canUse(user, 'backup'),
    webauthn: canUse(user, 'webauthn') ? requestOptions(core, challenge, user) : null,
  }
}

/** What step-up accepts: the account's factors, or the password where it has no other. */
export function stepUpMethods(core: Core, user: UserRecord, { challenge }: TicketRecord): MfaMethod[] {
  const all: MfaMethod[] = [
    { type: 'webauthn', challenge: requestOptions(core, challenge, user) },
    { type: 'totp', backup_codes_allowed: canUse(user, 'backup') },
    { type: 'sms' },
    { type: 'backup' },
    { type: 'password' },
  ]
  return all.filter(({ type }) => canUse(user, type))
}

/** Verifies a second factor of the ticket's user, or throws. A backup code is spent by it. */
export function verifyFactor(core: Core, user: UserRecord, ticket: TicketRecord, type: string, code: string): void {
  // A kind is whatever the caller wrote: `constructor` is none, though every object has one.
  const check = Object.hasOwn(checks, type) ? checks[type] : undefined
  // A password is for step-up only: signing in has asked for it already.
  const isOffered = canUse(user, type) && (type !== 'password' || ticket.purpose === 'elevation')
  if (check === undefined || !isOffered) throw refusal(core.policy, 'methodUnavailable')
  if (!check(core, user, code, ticket)) throw refusal(core.policy, 'invalidCode')
}

type FactorCheck = (core: Core, user: UserRecord, code: string, ticket: TicketRecord) => boolean

const checks: Readonly<Record<string, FactorCheck>> = {
  // "TOTP code or backup code". Interface, "Enumerations of the authentication area".
  totp: (core, user, code) => isTotpCode(core, user, code) || spendBackupCode(user, code),
  sms: (_core, _user, code, { smsCode }) => smsCode !== null && smsCode === code.trim(),
  backup: (_core, user, code) => spendBackupCode(user, code),
  webauthn: (core, user, code, { challenge }) => acceptPasskey(core, user.passkeys, code, challenge),
  password: (_core, { password }, code) => password === code,
}

/** The TOTP code of this moment, by RFC 6238. */
export function totpCode(core: Core, { totpSecret }: UserRecord): string {
  return new TOTP({ secret: totpSecret }).generate({ timestamp: core.clock.now() })
}

function isTotpCode(core: Core, { totpSecret }: UserRecord, code: string): boolean {
  // A window of one step on each side, as RFC 6238 recommends, for clocks that are off and people who type slowly.
  return new TOTP({ secret: totpSecret }).validate({ token: code, timestamp: core.clock.now(), window: 1 }) !== null
}

function spendBackupCode(user: UserRecord, code: string): boolean {
  const wanted = code.replaceAll(/[\s-]/g, '').toLowerCase()
  const index = user.backupCodes.findIndex((backup) => backup.replaceAll('-', '') === wanted)
  if (index < 0) return false
  user.backupCodes.splice(index, 1)
  return true
}
