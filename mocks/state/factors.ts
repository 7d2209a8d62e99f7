import { TOTP } from 'otpauth'
import type { MfaFlags } from '../../src/contract/login'
import { AuthenticatorType, type MfaMethod } from '../../src/contract/mfa'
import type { Core } from '../core'
import { refusal } from '../envelope'
import type { TicketRecord, UserRecord } from './database'
import { acceptPasskey, requestOptions } from './webauthn'

/** Whether signing in asks for a second factor. A password is none there: it has just been given. */
export function needsSecondFactor({ factors }: UserRecord): boolean {
  return factors.some((factor) => factor !== AuthenticatorType.password)
}

/** What the answer of a login or a reset says of a second factor that is due. */
export function mfaFlags(core: Core, user: UserRecord, { ticket, challenge }: TicketRecord): MfaFlags {
  return {
    mfa: true,
    ticket,
    totp: user.factors.includes('totp'),
    sms: user.factors.includes('sms'),
    backup: user.backupCodes.length > 0,
    webauthn: user.factors.includes('webauthn') ? requestOptions(core, challenge, user) : null,
  }
}

/** What step-up accepts: the account's factors, or the password where it has no other. */
export function stepUpMethods(core: Core, user: UserRecord, { challenge }: TicketRecord): MfaMethod[] {
  const methods: MfaMethod[] = []
  const hasBackupCodes = user.backupCodes.length > 0
  if (user.factors.includes('webauthn')) {
    methods.push({ type: 'webauthn', challenge: requestOptions(core, challenge, user) })
  }
  if (user.factors.includes('totp')) methods.push({ type: 'totp', backup_codes_allowed: hasBackupCodes })
  if (user.factors.includes('sms')) methods.push({ type: 'sms' })
  if (hasBackupCodes) methods.push({ type: 'backup' })
  return methods.length > 0 ? methods : [{ type: 'password' }]
}

/** Verifies a second factor of the ticket's user, or throws. A backup code is spent by it. */
export function verifyFactor(core: Core, user: UserRecord, ticket: TicketRecord, type: string, code: string): void {
  // A kind is whatever the caller wrote: `constructor` is none, though every object has one.
  const check = Object.hasOwn(checks, type) ? checks[type] : undefined
  if (check === undefined || !check.offers(user, ticket)) throw refusal(core.policy, 'methodUnavailable')
  if (!check.accepts(core, user, code, ticket)) throw refusal(core.policy, 'invalidCode')
}

interface FactorCheck {
  offers(user: UserRecord, ticket: TicketRecord): boolean
  accepts(core: Core, user: UserRecord, code: string, ticket: TicketRecord): boolean
}

const checks: Readonly<Record<string, FactorCheck>> = {
  // "TOTP code or backup code". Interface, "Enumerations of the authentication area".
  totp: {
    offers: ({ factors }) => factors.includes('totp'),
    accepts: (core, user, code) => isTotpCode(core, user, code) || spendBackupCode(user, code),
  },
  sms: {
    offers: ({ factors }) => factors.includes('sms'),
    accepts: (_core, _user, code, { smsCode }) => smsCode !== null && smsCode === code.trim(),
  },
  backup: {
    offers: ({ backupCodes }) => backupCodes.length > 0,
    accepts: (_core, user, code) => spendBackupCode(user, code),
  },
  webauthn: {
    offers: ({ factors }) => factors.includes('webauthn'),
    accepts: (core, user, code, { challenge }) => acceptPasskey(core, user.passkeys, code, challenge),
  },
  // "When the user has enabled no other MFA method", and for step-up alone: signing in has asked for it already.
  password: {
    offers: (user, { purpose }) => purpose === 'elevation' && !needsSecondFactor(user),
    accepts: (_core, { password }, code) => password === code,
  },
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
