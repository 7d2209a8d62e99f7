import type { FriendSuggestionReason } from '../../src/contract/friend-suggestions'
import type { Core } from '../core'
import { isAlive } from '../core'
import { type MockUser, type UserRef, viewOf } from '../mock-user'
import { sendMail } from '../outbox'
import type { AccountStatus, UserRecord } from '../state/database'
import { totpCode } from '../state/factors'
import { endRecovery, issueGrant } from '../state/grants'
import { endSessions } from '../state/sessions'
import { findByLogin, userOf } from '../state/users'
import { answerWithPasskey, type PasskeyCredential } from '../state/webauthn'
import { type AddPasskeyOptions, addPasskey } from './new-passkey'
import { type CreateUserOptions, createUser } from './new-user'

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

export function createUsers(core: Core): MockUsers {
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
        if (sent?.code !== code || !isAlive(core, sent)) throw new Error(`${code} is not the code of ${phone} now`)
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
