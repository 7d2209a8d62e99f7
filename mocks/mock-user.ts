import type { AuthenticatorType } from '../src/contract/mfa'
import type { AccountStatus, UserRecord } from './state/database'

/** An account as tests see it: how it stood when it was asked for. */
export interface MockUser {
  /** ID of the user. */
  readonly id: string
  /** Unique name. */
  readonly username: string
  /** What a legacy user is told from others of the name by; `null` for migrated users. */
  readonly discriminator: string | null
  /** Display name; `null` when none. */
  readonly global_name: string | null
  /** E-mail address; `null` when none. */
  readonly email: string | null
  /** Phone number in E.164 form; `null` when none. */
  readonly phone: string | null
  /** Whether the account may be entered, and if not, why. */
  readonly status: AccountStatus
  /** The second factors that the account has set up. */
  readonly mfa: readonly AuthenticatorType[]
  /** Language that the user chose. */
  readonly locale: string
  /** Colour theme. */
  readonly theme: 'dark' | 'light'
  /** The invite that was accepted upon registration; `null` when none. */
  readonly invite: string | null
  /** The application whose bot this is; `null` for people. */
  readonly bot_of: string | null
}

/** A user, by record or by ID. */
export type UserRef = string | { readonly id: string }

/** What tests and the policy see of an account. */
export function viewOf(user: UserRecord): MockUser {
  return {
    id: user.id,
    username: user.username,
    discriminator: user.discriminator,
    global_name: user.globalName,
    email: user.email,
    phone: user.phone,
    status: user.status,
    mfa: [...user.factors],
    locale: user.locale,
    theme: user.theme,
    invite: user.invite,
    bot_of: user.botOf,
  }
}
