import { check } from '../../src/contract/check'
import { PasswordSchema } from '../../src/contract/login'
import { AuthenticatorType } from '../../src/contract/mfa'
import type { Core } from '../core'
import { assertSettings, type Kinds, list, oneOf, text, textOrNull } from '../set-up'
import type { UserRecord } from '../state/database'
import { addUser, findByLogin, findByUsername, firstFree, freeUsername } from '../state/users'

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
    holds: (value) => typeof value === 'string' && /^\+\d{3,15}$/.test(value),
  },
  mfa: list,
  locale: text,
  theme: oneOf('dark', 'light'),
}

/** Creates an account as a test describes it. */
export function createUser(core: Core, options: CreateUserOptions): UserRecord {
  assertSettings('users.create', options, kinds, ['login'])
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

function backupCode({ random }: Core): string {
  return `${random.text(4)}-${random.text(4)}`.toLowerCase()
}

/** A number of the range that is kept for fiction. */
function freePhone(core: Core): string {
  return firstFree(
    (more) => `+1555${core.random.digits(3)}01${core.random.digits(2 + more)}`,
    (phone) => findByLogin(core, phone) === undefined,
  )
}
