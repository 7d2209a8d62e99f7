import { check } from '../../src/contract/check'
import type { FriendSuggestionReason } from '../../src/contract/friend-suggestions'
import { PasswordSchema } from '../../src/contract/login'
import { AuthenticatorType } from '../../src/contract/mfa'
import { isUnexpired, type ServiceContext } from '../core'
import { type AccountStatus, type MockUser, type UserRecord, type UserRef, viewOf } from '../database'
import { sendMail } from '../outbox'
import type { PasskeyCredential } from '../request'
import { integer, type Kind, type Kinds, list, oneOf, text, textOrNull, validateOptions } from '../settings'
import { endRecovery, issueGrant } from '../state/grants'
import { totpCode } from '../state/mfa'
import { endSessions } from '../state/sessions'
import { addUser, findByLogin, findByUsername, firstFree, freeUsername, userOf } from '../state/users'
import { answerWithPasskey } from '../state/webauthn'

/** A passkey of a real authenticator, as its registration told of it. */
export interface AddPasskeyOptions {
  /** ID of the credential, base64url. */
  readonly id: string
  /** Its public key: SubjectPublicKeyInfo, base64url; `response.publicKey` of a registration. */
  readonly publicKey: string
  /** How often it has signed; 0 where it does not count. @default 0 */
  readonly counter?: number
}

const base64url: Kind = {
  wanted: 'base64url',
  test: (value) => typeof value === 'string' && /^[\w-]+$/.test(value),
}

const passkeyKinds: Kinds = { id: base64url, publicKey: base64url, counter: integer(0, 2 ** 32 - 1) }

/** Gives an account a passkey as a test describes it. */
export function addPasskey({ db }: ServiceContext, user: UserRecord, options: AddPasskeyOptions): void {
  validateOptions('users.addPasskey', options, passkeyKinds, ['id', 'publicKey'])
  const { id, publicKey, counter = 0 } = options
  if (db.users.find('passkey', id) !== undefined) throw new Error(`there is a passkey ${id} already`)
  db.users.update(user.id, { passkeys: [...user.passkeys, { id, publicKey, counter }] })
  if (!user.factors.includes('webauthn')) user.factors.push('webauthn')
}

/** An account to create. */
export interface CreateUserOptions {
  /** E-mail address, or phone number in E.164 form: what the user signs in with. */
  readonly login: string
  /** The password, 8–72 characters. Left out, no password signs in. */
  readonly password?: string
  /** Unique name. Default: one that is free. */
  readonly username?: string
  /** Discriminator of a legacy user: whoever sends a friend request by username has to give it. @default null */
  readonly discriminator?: string | null
  /** Display name. @default null */
  readonly global_name?: string | null
  /** Phone number in E.164 form. Default: the login where it is one, or one that is free where SMS codes need it. */
  readonly phone?: string
  /** The second factors that the account has set up. @default [] */
  readonly mfa?: readonly AuthenticatorType[]
  /** Language. @default 'en-US' */
  readonly locale?: string
  /** Colour theme. @default 'dark' */
  readonly theme?: 'dark' | 'light'
}

const kinds: Kinds = {
  login: text,
  password: text,
  username: text,
  discriminator: textOrNull,
  global_name: textOrNull,
  phone: {
    wanted: 'a number in E.164 form',
    test: (value) => typeof value === 'string' && /^\+\d{3,15}$/.test(value),
  },
  mfa: list,
  locale: text,
  theme: oneOf('dark', 'light'),
}

/** Creates an account as a test describes it. */
export function createUser(core: ServiceContext, options: CreateUserOptions): UserRecord {
  validateOptions('users.create', options, kinds, ['login'])
  // A password out of bounds would never sign in: the service refuses it before it looks for the account.
  const issues = options.password === undefined ? [] : check(PasswordSchema, options.password)
  if (issues[0] !== undefined) throw new RangeError(`users.create: password: ${issues[0].message}`)
  const { login, password = null, global_name = null, mfa = [], locale = 'en-US', theme = 'dark' } = options
  const factors = [...new Set(mfa)]
  const unknown = factors.filter((factor) => !Object.hasOwn(AuthenticatorType, factor))
  if (unknown.length > 0) throw new TypeError(`"${unknown.join('", "')}" is no second factor`)
  const username = options.username ?? freeUsername(core, global_name)
  const isPhone = login.startsWith('+')
  const phone = options.phone ?? (isPhone ? login : factors.includes('sms') ? freePhone(core) : null)
  if (findByUsername(core, username)) throw new Error(`the username ${username} is taken`)
  for (const address of [login, phone]) {
    if (address !== null && findByLogin(core, address)) throw new Error(`${address} belongs to another account`)
  }
  return addUser(core, {
    username,
    discriminator: options.discriminator ?? null,
    globalName: global_name,
    email: isPhone ? null : login,
    phone,
    password,
    locale,
    theme,
    factors,
    totpSecret: factors.includes('totp') ? core.random.base32(32) : '',
    backupCodes: factors.includes('backup') ? Array.from({ length: 10 }, () => backupCode(core)) : [],
    passkeys: factors.includes('webauthn') ? [{ id: core.random.bytes(32), publicKey: null, counter: 0 }] : [],
  })
}

function backupCode({ random }: ServiceContext): string {
  return `${random.text(4)}-${random.text(4)}`.toLowerCase()
}

/** A number of the range that is kept for fiction. */
function freePhone(core: ServiceContext): string {
  return firstFree(
    (more) => `+1555${core.random.digits(3)}01${core.random.digits(2 + more)}`,
    (phone) => findByLogin(core, phone) === undefined,
  )
}

/** A friend to suggest. */
export interface SuggestOptions {
  /** Why. Default: an external friend on a made-up platform. */
  readonly reasons?: readonly FriendSuggestionReason[]
  /** Whether the suggested user has the user among their contacts. @default false */
  readonly fromContacts?: boolean
}

/** Games to suggest for widgets. */
export interface SuggestGamesOptions {
  /** Application IDs of games the user plays. @default [] */
  readonly games?: readonly string[]
  /** Application IDs of games the user may want to play. @default [] */
  readonly wishlist?: readonly string[]
}

/** The accounts of a service, and the doors to them that the interface document does not show. */
export interface MockUsers {
  /**
   * Creates an account.
   * @throws Error when the login, the phone number or the username is taken, or when an option is wrong.
   */
  create(options: CreateUserOptions): MockUser
  /** An account as it stands now. */
  get(user: UserRef): MockUser
  /** The account of an e-mail address or a phone number, `undefined` when there is none. */
  find(login: string): MockUser | undefined
  /** All accounts, bots included. */
  all(): MockUser[]
  /** The TOTP code that is valid now, by the service's clock. */
  totp(user: UserRef): string
  /** The TOTP secret in base32, for an authenticator app. */
  totpSecret(user: UserRef): string
  /** The backup codes that have not been used. */
  backupCodes(user: UserRef): string[]
  /**
   * What the user's passkey answers to request options, given as the service sent them or parsed. That is the one of
   * `create` with `mfa: ['webauthn']`: the mock has no private key of those that {@link MockUsers.addPasskey} gave.
   */
  passkey(user: UserRef, options: unknown): PasskeyCredential
  /**
   * Gives the user a passkey of a real authenticator, and WebAuthn as a second factor with it. What it answers is
   * verified: challenge, origin, relying party, signature and counter, by what {@link MockServiceOptions.verifyPasskey}
   * says; where that cannot run, challenge and origin. Its user handle is to be the user's ID.
   * @throws Error when there is a passkey of that ID; TypeError when a setting is wrong.
   *
   * @example
   * // In the browser, by `@simplewebauthn/browser`: the response of a registration.
   * declare const registration: { id: string; response: { publicKey: string } }
   *
   * service.users.addPasskey(user, { id: registration.id, publicKey: registration.response.publicKey })
   */
  addPasskey(user: UserRef, passkey: AddPasskeyOptions): void
  /**
   * Moves the account to another e-mail address; the old one gets the recovery mail with the revert token. Reset and
   * one-time login tokens that were sent before end.
   */
  changeEmail(user: UserRef, email: string): void
  /** Gives the account another phone number, or none. Reset tokens that were sent before end. */
  changePhone(user: UserRef, phone: string | null): void
  /**
   * The token that proves a phone number.
   * @param code the code that the service sent to the number; left out, the number counts as verified.
   * @throws Error when the code is another one or has expired.
   */
  phoneToken(phone: string, code?: string): string
  /** The token of the mail or SMS that lets an account be entered from an address. */
  verificationToken(user: UserRef, ip?: string): string
  /** The token of a contact sync, for Bulk Add Relationships. */
  contactSyncToken(user: UserRef): string
  /** Suspends the account: its tokens end. @returns the suspended user token, which goes into request bodies alone. */
  suspend(user: UserRef): string
  /** Disables the account, as its user may: logging in answers 20013. */
  disable(user: UserRef): void
  /** Schedules the account for deletion, as its user may: logging in answers 20011. */
  scheduleDeletion(user: UserRef): void
  /** Locks the account: it takes a password reset to enter it. */
  lock(user: UserRef): void
  /** Suggests a friend. */
  suggest(user: UserRef, suggested: UserRef, options?: SuggestOptions): void
  /** Suggests games for widgets, in place of those suggested before. */
  suggestGames(user: UserRef, options: SuggestGamesOptions): void
}

export function createUsers(core: ServiceContext): MockUsers {
  const close = (ref: UserRef, status: AccountStatus): UserRecord => {
    const user = userOf(core, ref)
    user.status = status
    endSessions(core, user.id)
    return user
  }
  return {
    create: (options) => viewOf(createUser(core, options)),
    get: (ref) => viewOf(userOf(core, ref)),
    find(login) {
      const user = findByLogin(core, login)
      return user && viewOf(user)
    },
    all: () => [...core.db.users.values()].map(viewOf),
    totp: (ref) => totpCode(core, withTotp(userOf(core, ref))),
    totpSecret: (ref) => withTotp(userOf(core, ref)).totpSecret,
    backupCodes: (ref) => [...userOf(core, ref).backupCodes],
    passkey: (ref, options) => answerWithPasskey(core, userOf(core, ref), options),
    addPasskey: (ref, passkey) => addPasskey(core, userOf(core, ref), passkey),
    changeEmail(ref, email) {
      const user = userOf(core, ref)
      if (findByLogin(core, email)) throw new Error(`${email} belongs to an account already`)
      if (user.email !== null) {
        const token = issueGrant(core, 'revert', { userId: user.id, subject: user.email })
        const text = `Your address is now ${email}. If that was not you, take your account back.`
        sendMail(core, { to: user.email, kind: 'account_recovery', token, text })
      }
      core.db.users.update(user.id, { email })
      endRecovery(core, user.id)
    },
    changePhone(ref, phone) {
      const user = userOf(core, ref)
      if (phone !== null && findByLogin(core, phone)) throw new Error(`${phone} belongs to an account already`)
      core.db.users.update(user.id, { phone })
      endRecovery(core, user.id)
      if (phone !== null) user.phoneHistory.push(phone)
    },
    phoneToken(phone, code) {
      if (code !== undefined) {
        const sent = core.db.phoneCodes.get(phone)
        if (sent?.code !== code || !isUnexpired(core, sent)) throw new Error(`${code} is not the code of ${phone} now`)
        core.db.phoneCodes.delete(phone)
      }
      return issueGrant(core, 'phone', { subject: phone })
    },
    verificationToken: (ref, ip = '127.0.0.1') =>
      issueGrant(core, 'verification', { userId: userOf(core, ref).id, subject: ip }),
    contactSyncToken: (ref) => issueGrant(core, 'contact_sync', { userId: userOf(core, ref).id }),
    suspend(ref) {
      const { id } = close(ref, 'suspended')
      const token = `suspended.${core.random.text(48)}`
      core.db.suspendedTokens.set(token, id)
      return token
    },
    disable: (ref) => void close(ref, 'disabled'),
    scheduleDeletion: (ref) => void close(ref, 'deletion_scheduled'),
    lock: (ref) => void close(ref, 'locked'),
    suggest(ref, suggested, { reasons, fromContacts = false } = {}) {
      const { username, id } = userOf(core, suggested)
      const why = structuredClone(reasons ?? [{ type: 1, platform: 'contacts', name: username }])
      const others = (core.db.suggestions.get(userOf(core, ref).id) ?? []).filter((other) => other.suggestedId !== id)
      core.db.suggestions.set(userOf(core, ref).id, [...others, { suggestedId: id, reasons: [...why], fromContacts }])
    },
    suggestGames(ref, { games = [], wishlist = [] }) {
      const suggested = { suggested_games: [...games], suggested_wishlist_games: [...wishlist] }
      core.db.suggestedGames.set(userOf(core, ref).id, suggested)
    },
  }
}

function withTotp(user: UserRecord): UserRecord {
  if (user.factors.includes('totp')) return user
  throw new Error(`${user.username} has no TOTP; create the user with mfa: ['totp']`)
}
