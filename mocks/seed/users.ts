import { PasswordSchema } from '../../src/contract/login'
import { AuthenticatorType } from '../../src/contract/mfa'
import { isUnexpired, type ServiceContext } from '../core'
import { type MockUser, type UserRecord, type UserRef, viewOf } from '../database'
import { sendMail } from '../outbox'
import type { PasskeyCredential } from '../request'
import * as option from '../settings'
import { assertOptions } from '../settings'
import { createPasskeyCredential, totpCode } from '../state/mfa'
import { endRecovery, endSessions, issueGrant } from '../state/sessions'
import * as accounts from '../state/users'
import type { AccountStatus } from '../table'
import { createSuggestions, type SuggestGamesOptions, type SuggestOptions } from './data'

/** A passkey of a real authenticator, from its registration. */
export interface AddPasskeyOptions {
  /** ID of the credential, base64url. */
  readonly id: string
  /** Public key: SubjectPublicKeyInfo, base64url; `response.publicKey` of the registration. */
  readonly publicKey: string
  /** Signature counter; 0 if the authenticator has none. @default 0 */
  readonly counter?: number
}

const base64url = option.check('a base64url string', (value) => typeof value === 'string' && /^[\w-]+$/.test(value), {
  type: 'string',
  pattern: '^[A-Za-z0-9_-]+$',
})

export const PASSKEY_OPTIONS: option.OptionChecks = {
  id: base64url,
  publicKey: base64url,
  counter: option.integer(0, 2 ** 32 - 1),
}

function addPasskey({ db }: ServiceContext, user: UserRecord, options: AddPasskeyOptions): void {
  const read = assertOptions('users.addPasskey', options, PASSKEY_OPTIONS, ['id', 'publicKey'])
  const { id, publicKey, counter = 0 } = read
  if (db.users.find('passkey', id) !== undefined) throw new Error(`the passkey ${id} already exists`)
  db.users.update(user.id, { passkeys: [...user.passkeys, { id, publicKey, counter }] })
  if (!user.mfa.includes('webauthn')) user.mfa.push('webauthn')
}

/** An account to create. */
export interface CreateUserOptions {
  /** E-mail address, or phone number in E.164 format, to sign in with. */
  readonly login: string
  /** Password, 8–72 characters. Default: none, so no password signs in. */
  readonly password?: string
  /** Unique name with a visible character, of any length. Default: a generated one. */
  readonly username?: string
  /** Discriminator of a legacy user, required in friend requests by username. @default null */
  readonly discriminator?: string | null
  /** Display name. @default null */
  readonly global_name?: string | null
  /** Phone number in E.164 format. Default: the login if it is one; a generated one if `mfa` contains `sms`. */
  readonly phone?: string
  /** Second factors of the account. @default [] */
  readonly mfa?: readonly AuthenticatorType[]
  /** Language. @default 'en-US' */
  readonly locale?: string
  /** Colour theme. @default 'dark' */
  readonly theme?: 'dark' | 'light'
}

const phone = option.check('a phone number in E.164 format', accounts.isPhone, {
  type: 'string',
  pattern: '^\\+\\d{3,15}$',
})
const factorsCheck = option.each(option.oneOf(...Object.values(AuthenticatorType)))

const validPassword = option.matches(PasswordSchema)
/** An invalid one could never sign in: the service rejects it before it looks up the account. Other types are not shown. */
const password = option.withSchema(
  (name, value) => (typeof value === 'string' ? validPassword : option.secret)(name, value),
  () => option.schemaOf(validPassword),
)

export const USER_OPTIONS: option.OptionChecks = {
  login: option.check('an e-mail address, or a phone number in E.164 format', accounts.isLogin, {
    type: 'string',
    minLength: 1,
  }),
  password,
  username: option.check('a name with a visible character', accounts.isUsername, { type: 'string', minLength: 1 }),
  discriminator: option.stringOrNull,
  global_name: option.stringOrNull,
  phone,
  mfa: factorsCheck,
  locale: option.string,
  theme: option.oneOf('dark', 'light'),
}

const CONTACT_OPTIONS: option.OptionChecks = {
  email: option.check('an e-mail address', accounts.isEmail),
  phone: option.check('a phone number in E.164 format, or null', (value) => value === null || accounts.isPhone(value)),
}

function createUser(core: ServiceContext, input: CreateUserOptions): UserRecord {
  const options = assertOptions('users.create', input, USER_OPTIONS, ['login'])
  const { login, password = null, global_name = null, mfa = [], locale = 'en-US', theme = 'dark' } = options
  const isPhone = login.startsWith('+')
  if (isPhone && (options.phone ?? login) !== login)
    throw new Error(`users.create: phone: the login ${login} is the phone number of the account`)
  for (const [field, address] of Object.entries({ login, phone: options.phone })) {
    if (address !== undefined && accounts.findByLogin(core, address))
      throw new Error(`users.create: ${field}: ${address} belongs to another account`)
  }
  if (options.username !== undefined && accounts.findByUsername(core, options.username))
    throw new Error(`users.create: username: the username ${options.username} is taken`)
  // Generated last, so that a refused account changes no later one.
  const factors = [...new Set(mfa)]
  const username = options.username ?? accounts.generateUsername(core, global_name)
  const phone = options.phone ?? (isPhone ? login : factors.includes('sms') ? generatePhone(core) : null)
  return accounts.addUser(core, {
    username,
    discriminator: options.discriminator ?? null,
    ...{ email: isPhone ? null : login, phone, password, global_name, locale, theme, mfa: factors },
    ...secretsOf(core, factors),
  })
}

function secretsOf(core: ServiceContext, factors: readonly AuthenticatorType[]) {
  return {
    totpSecret: factors.includes('totp') ? core.random.base32(32) : '',
    backupCodes: factors.includes('backup') ? Array.from({ length: 10 }, () => generateBackupCode(core)) : [],
    passkeys: factors.includes('webauthn') ? [{ id: core.random.bytes(32), publicKey: null, counter: 0 }] : [],
  }
}

function setFactors(core: ServiceContext, user: UserRecord, factors: AuthenticatorType[]): void {
  const added = secretsOf(
    core,
    factors.filter((factor) => !user.mfa.includes(factor)),
  )
  const totpSecret = factors.includes('totp') ? added.totpSecret || user.totpSecret : ''
  const backupCodes = factors.includes('backup') ? [...user.backupCodes, ...added.backupCodes] : []
  const passkeys = factors.includes('webauthn') ? [...user.passkeys, ...added.passkeys] : []
  const phone = factors.includes('sms') ? (user.phone ?? generatePhone(core)) : user.phone
  user.mfa = factors
  core.db.users.update(user.id, { totpSecret, backupCodes, passkeys, phone })
}

function generateBackupCode({ random }: ServiceContext): string {
  return `${random.text(4)}-${random.text(4)}`.toLowerCase()
}

function generatePhone(core: ServiceContext): string {
  return accounts.generateUnused(
    (more) => `+1555${core.random.digits(3)}01${core.random.digits(2 + more)}`,
    (phone) => accounts.findByLogin(core, phone) === undefined,
  )
}

/** Seeds, reads and changes accounts. */
export interface MockUsers {
  /**
   * Creates an account.
   * @throws Error if the login, the phone number or the username is taken, TypeError if an option is invalid.
   */
  create(options: CreateUserOptions): MockUser
  /** Returns the current state of an account. @throws Error if it does not exist. */
  get(user: UserRef): MockUser
  /** Returns the account of an ID, an e-mail address, a phone number or a username, `undefined` if there is none. */
  find(login: string): MockUser | undefined
  /** Returns all accounts, including bots. */
  all(): MockUser[]
  /** Returns the current TOTP code by the service's clock. @throws Error if the account has no TOTP. */
  totp(user: UserRef): string
  /** Returns the TOTP secret in base32, for an authenticator app. @throws Error if the account has no TOTP. */
  totpSecret(user: UserRef): string
  /** Returns the unused backup codes. */
  backupCodes(user: UserRef): string[]
  /**
   * Returns the credential of the simulated passkey for request options, as a JSON string or parsed. The user needs
   * `mfa: ['webauthn']`; the mock has no private keys for passkeys of {@link MockUsers.addPasskey}.
   * @throws Error if the user has no passkey that the options allow, TypeError if they are no request options.
   */
  passkey(user: UserRef, options: unknown): PasskeyCredential
  /**
   * Adds a passkey of a real authenticator, and with it WebAuthn as a second factor. Its credentials are verified by
   * {@link MockServiceOptions.verifyPasskey}: challenge, origin, relying party, signature and counter; without a
   * verifier only challenge and origin. Its user handle must be the user's ID.
   * @throws Error if a passkey with that ID exists, TypeError if an option is invalid.
   *
   * @example
   * // In the browser, from `@simplewebauthn/browser`: the response of a registration.
   * declare const registration: { id: string; response: { publicKey: string } }
   *
   * service.users.addPasskey(user, { id: registration.id, publicKey: registration.response.publicKey })
   */
  addPasskey(user: UserRef, passkey: AddPasskeyOptions): void
  /**
   * Changes the e-mail address; the previous one receives the recovery mail with the revert token. Earlier reset and
   * one-time login tokens become invalid.
   * @throws Error if the address belongs to an account, TypeError if it is none.
   */
  changeEmail(user: UserRef, email: string): void
  /**
   * Changes or removes the phone number. Earlier reset tokens become invalid. @throws Error if it belongs to an
   * account, TypeError if it is none in E.164 format.
   */
  changePhone(user: UserRef, phone: string | null): void
  /**
   * Issues the token that proves a phone number.
   * @param code code that the service sent to the number. Default: the number counts as verified.
   * @throws Error if the code is wrong or has expired, TypeError if it is no phone number.
   */
  phoneToken(phone: string, code?: string): string
  /**
   * Issues the token that authorizes an IP address for an account.
   * @param ip IP address. Default: `127.0.0.1`.
   */
  verificationToken(user: UserRef, ip?: string): string
  /** Issues the token of a contact sync, for Bulk Add Relationships. */
  contactSyncToken(user: UserRef): string
  /**
   * Suspends the account and ends its tokens. @returns the suspended user token, which is only valid in request bodies.
   */
  suspend(user: UserRef): string
  /** Disables the account, as its user can: logging in fails with 20013. */
  disable(user: UserRef): void
  /** Schedules the account for deletion, as its user can: logging in fails with 20011. */
  scheduleDeletion(user: UserRef): void
  /** Locks the account: logging in requires a password reset. */
  lock(user: UserRef): void
  /** Makes the account active again, whatever its status was. Its former tokens stay invalid. */
  enable(user: UserRef): void
  /**
   * Replaces the second factors of an account. Factors that it keeps keep their secret; new ones get one, as in `create`.
   * @throws TypeError for an unknown factor.
   */
  setFactors(user: UserRef, factors: readonly AuthenticatorType[]): void
  /** Removes the account with its sessions, its relationships on both sides, and the applications that it owns. */
  remove(user: UserRef): void
  /** Suggests another user as a friend. */
  suggest(user: UserRef, suggested: UserRef, options?: SuggestOptions): void
  /** Replaces the games suggested for widgets. */
  suggestGames(user: UserRef, options: SuggestGamesOptions): void
}

const notify = (core: ServiceContext, user: UserRecord) =>
  core.emit({ type: 'user', action: 'changed', user: viewOf(user) })

/** Returns the methods that change the status of an account. */
function statusesOf(core: ServiceContext) {
  const close = (ref: UserRef, status: AccountStatus): UserRecord => {
    const user = accounts.userOf(core, ref)
    user.status = status
    endSessions(core, user.id)
    notify(core, user)
    return user
  }
  return {
    suspend(ref: UserRef): string {
      const { id } = close(ref, 'suspended')
      const token = `suspended.${core.random.text(48)}`
      core.db.suspendedTokens.set(token, id)
      return token
    },
    disable: (ref: UserRef) => void close(ref, 'disabled'),
    scheduleDeletion: (ref: UserRef) => void close(ref, 'deletion_scheduled'),
    lock: (ref: UserRef) => void close(ref, 'locked'),
    enable(ref: UserRef): void {
      const user = accounts.userOf(core, ref)
      user.status = 'active'
      core.db.suspendedTokens.deleteWhere('userId', user.id)
      notify(core, user)
    },
  }
}

/** Returns the methods that change how a user is reached. */
function contactsOf(core: ServiceContext): Pick<MockUsers, 'changeEmail' | 'changePhone'> {
  /** Returns the account, if no other one has the new address or number. */
  const changed = (ref: UserRef, method: string, contact: { email: string } | { phone: string | null }) => {
    const user = accounts.userOf(core, ref)
    assertOptions(`users.${method}`, contact, CONTACT_OPTIONS)
    const [address = null] = Object.values<string | null>(contact)
    if (address !== null && accounts.findByLogin(core, address))
      throw new Error(`${address} already belongs to an account`)
    return user
  }
  return {
    changeEmail(ref, email) {
      const user = changed(ref, 'changeEmail', { email })
      if (user.email !== null) {
        const token = issueGrant(core, 'revert', { userId: user.id, subject: user.email })
        const text = `Your address is now ${email}. If this was not you, recover your account.`
        sendMail(core, { to: user.email, kind: 'account_recovery', token, text })
      }
      core.db.users.update(user.id, { email })
      endRecovery(core, user.id)
      notify(core, user)
    },
    changePhone(ref, phone) {
      const user = changed(ref, 'changePhone', { phone })
      core.db.users.update(user.id, { phone })
      endRecovery(core, user.id)
      if (phone !== null) user.phoneHistory.push(phone)
      notify(core, user)
    },
  }
}

/** Returns the methods that issue tokens. */
function tokensOf(core: ServiceContext): Pick<MockUsers, 'phoneToken' | 'verificationToken' | 'contactSyncToken'> {
  return {
    phoneToken(number, code) {
      assertOptions('users.phoneToken', { phone: number, code }, { phone, code: option.text }, ['phone'])
      if (code !== undefined) {
        const sent = core.db.phoneCodes.get(number)
        if (sent?.code !== code || !isUnexpired(core, sent))
          throw new Error(`${code} is not the current code of ${number}`)
        core.db.phoneCodes.delete(number)
      }
      return issueGrant(core, 'phoneToken', { subject: number })
    },
    verificationToken(ref, ip = '127.0.0.1') {
      assertOptions('users.verificationToken', { ip }, { ip: option.string })
      return issueGrant(core, 'verification', { userId: accounts.userOf(core, ref).id, subject: ip })
    },
    contactSyncToken: (ref) => issueGrant(core, 'contactSync', { userId: accounts.userOf(core, ref).id }),
  }
}

export function createUsers(core: ServiceContext): MockUsers {
  return {
    create: (options) => viewOf(createUser(core, options)),
    get: (ref) => viewOf(accounts.userOf(core, ref)),
    find(login) {
      assertOptions('users.find', { login }, { login: option.text }, ['login'])
      const user = core.db.users.get(login) ?? accounts.findByLogin(core, login) ?? accounts.findByUsername(core, login)
      return user && viewOf(user)
    },
    all: () => [...core.db.users.values()].map(viewOf),
    totp: (ref) => totpCode(core, requireTotp(accounts.userOf(core, ref))),
    totpSecret: (ref) => requireTotp(accounts.userOf(core, ref)).totpSecret,
    backupCodes: (ref) => [...accounts.userOf(core, ref).backupCodes],
    passkey: (ref, options) => createPasskeyCredential(core, accounts.userOf(core, ref), options),
    addPasskey(ref, passkey) {
      const user = accounts.userOf(core, ref)
      addPasskey(core, user, passkey)
      notify(core, user)
    },
    ...contactsOf(core),
    ...tokensOf(core),
    ...statusesOf(core),
    setFactors(ref, factors) {
      const user = accounts.userOf(core, ref)
      const { mfa } = assertOptions('users.setFactors', { mfa: factors }, { mfa: factorsCheck }, ['mfa'])
      setFactors(core, user, [...new Set(mfa)])
      notify(core, user)
    },
    remove: (ref) => accounts.removeUser(core, accounts.userOf(core, ref)),
    ...createSuggestions(core),
  }
}

function requireTotp(user: UserRecord): UserRecord {
  if (user.mfa.includes('totp')) return user
  throw new Error(`${user.username} has no TOTP; create the user with mfa: ['totp']`)
}
