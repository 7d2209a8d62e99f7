import type { Endpoint } from './endpoint'
import { text } from './rules'
import {
  boolean,
  both,
  listOf,
  nullable,
  type Open,
  object,
  oneOf,
  open,
  optional,
  request,
  string,
  type ValueOf,
} from './schema'

/** Where a sign-in was started from. Interface, "Enumerations of the authentication area". */
export const LoginSource = {
  gift: 'gift',
  guild_template: 'guild_template',
  guild_invite: 'guild_invite',
  dm_invite: 'dm_invite',
  friend_invite: 'friend_invite',
  role_subscription: 'role_subscription',
  role_subscription_setting: 'role_subscription_setting',
} as const
/** One of {@link LoginSource}. */
export type LoginSource = ValueOf<typeof LoginSource>

/** What the user must do after signing in. Interface, "Enumerations of the authentication area". */
export const LoginRequiredActionType = {
  /** The user must change the password to meet new requirements. */
  update_password: 'update_password',
} as const
/** One of {@link LoginRequiredActionType}. */
export type LoginRequiredActionType = ValueOf<typeof LoginRequiredActionType>

/** Bounds of a password, in characters, on login, registration, validation and reset. Interface, "Limits". */
export const PASSWORD_LENGTH = { min: 8, max: 72 } as const
export const PasswordSchema = text(PASSWORD_LENGTH)

/** The part of the user's settings that signing in returns. Interface, "Login Settings". */
export interface LoginSettings {
  /** Language that the user chose. */
  locale: string
  /** Colour theme; only `dark` or `light` are returned. */
  theme: Open<'dark' | 'light'>
}
export const LoginSettingsSchema = /*@__PURE__*/ object<LoginSettings>()({ locale: string, theme: open('string') })

/** Where a sign-in came from; every call that signs in takes it. Interface, "B. Login". */
export interface LoginOrigin {
  /** Where the sign-in was started from. */
  login_source?: LoginSource | null
  /** SKU of the gift code that the user came with. */
  gift_code_sku_id?: string | null
}
export const loginOrigin = {
  login_source: optional(nullable(oneOf(LoginSource))),
  gift_code_sku_id: optional(nullable(string)),
}

/** What `auth.login` takes. Interface, "B. Login". */
export interface LoginParams extends LoginOrigin {
  /** E-mail address, or phone number in E.164 form. */
  login: string
  /** The password, 8–72 characters. */
  password: string
  /**
   * Whether to restore an account that its user disabled or deleted.
   * @default false
   */
  undelete?: boolean
}
export const LoginParamsSchema = /*@__PURE__*/ request<LoginParams>()(
  both(
    {
      login: string,
      password: PasswordSchema,
      undelete: optional(boolean),
    },
    loginOrigin,
  ),
)

/** Which second factors may complete a sign-in or a reset. Interface, "B. Login". */
export interface MfaFlags {
  /**
   * Whether a second factor is required.
   * @default false
   */
  mfa?: boolean
  /** Identifies the flow when its second factor is verified. */
  ticket?: string
  /** Whether a TOTP code may be given. */
  totp?: boolean
  /** Whether a code sent by SMS may be given. */
  sms?: boolean
  /** Whether a backup code may be given. */
  backup?: boolean
  /** Stringified JSON of public key credential request options; absent or `null` without a WebAuthn device. */
  webauthn?: string | null
}
export const mfaFlags = {
  mfa: optional(boolean),
  ticket: optional(string),
  totp: optional(boolean),
  sms: optional(boolean),
  backup: optional(boolean),
  webauthn: optional(nullable(string)),
}

/** What the service answers to Login Account: completed, or a second factor is due. Interface, "B. Login". */
export interface LoginResponse extends MfaFlags {
  /** ID of the user. */
  user_id: string
  /** The authentication token, when the login is completed. */
  token?: string
  /** The user's settings, when the login is completed. */
  user_settings?: LoginSettings
  /** What the user must do next. */
  required_actions?: Open<LoginRequiredActionType>[]
  /** Identifies this login when its second factor is verified. */
  login_instance_id?: string
}
export const LoginResponseSchema = /*@__PURE__*/ object<LoginResponse>()(
  both(
    {
      user_id: string,
      token: optional(string),
      user_settings: optional(LoginSettingsSchema),
      required_actions: optional(listOf(open<Open<LoginRequiredActionType>>('string'))),
      login_instance_id: optional(string),
    },
    mfaFlags,
  ),
)

/** What `auth.verifyMfaLogin` takes. Interface, "B. Login". */
export interface VerifyMfaLoginParams extends LoginOrigin {
  /** The ticket of the login response. */
  ticket: string
  /** The login instance of the login response. */
  login_instance_id?: string
  /** The code; for WebAuthn a stringified JSON public key credential response. */
  code: string
}
export const VerifyMfaLoginParamsSchema = /*@__PURE__*/ request<VerifyMfaLoginParams>()(
  both(
    {
      ticket: string,
      login_instance_id: optional(string),
      code: string,
    },
    loginOrigin,
  ),
)

/** A login that its second factor completed. Interface, "B. Login". */
export interface VerifyMfaLoginResponse {
  /** The authentication token. */
  token: string
  /** The user's settings. */
  user_settings: LoginSettings
}
export const VerifyMfaLoginResponseSchema = /*@__PURE__*/ object<VerifyMfaLoginResponse>()({
  token: string,
  user_settings: LoginSettingsSchema,
})

/** What `auth.authorizeIp` takes. Interface, "B. Login". */
export interface AuthorizeIpParams {
  /** Verification token from the e-mail or the phone verification. */
  token: string
}
export const AuthorizeIpParamsSchema = /*@__PURE__*/ request<AuthorizeIpParams>()({ token: string })

/** The tokenless half of "B. Login"; passwordless sign-in and handoff have files of their own. */
export const login = {
  login: {
    name: 'Login Account',
    method: 'POST',
    path: '/auth/login',
    auth: 'none',
    stepUp: false,
    params: LoginParamsSchema,
    response: LoginResponseSchema,
  },
  verifyMfaLogin: {
    name: 'Verify MFA Login',
    method: 'POST',
    path: '/auth/mfa/{authenticator_type}',
    auth: 'none',
    stepUp: false,
    params: VerifyMfaLoginParamsSchema,
    response: VerifyMfaLoginResponseSchema,
  },
  authorizeIp: {
    name: 'Authorize IP Address',
    method: 'POST',
    path: '/auth/authorize-ip',
    auth: 'none',
    stepUp: false,
    params: AuthorizeIpParamsSchema,
  },
} as const satisfies Record<string, Endpoint>
