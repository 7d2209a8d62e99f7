import { endpoint } from './endpoint'
import { type PartialUser, PartialUserSchema } from './relationships'
import type { Open, ValueOf } from './schema'
import * as s from './schema'

/** Login Source: values that the API lists. API, "Enumerations of the authentication area". */
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

/** Actions required of the user after a sign-in. API, "Enumerations of the authentication area". */
export const LoginRequiredActionType = {
  /** The user must change the password to meet new requirements. */
  update_password: 'update_password',
} as const
/** One of {@link LoginRequiredActionType}. */
export type LoginRequiredActionType = ValueOf<typeof LoginRequiredActionType>

/** Length limits of a password in characters, on login, registration, validation and reset. API, "Limits". */
export const PASSWORD_LENGTH = { min: 8, max: 72 } as const

export const PasswordSchema = s.boundedString(PASSWORD_LENGTH)

/** User settings returned by a sign-in. API, "Login Settings". */
export interface LoginSettings {
  /** Language chosen by the user. */
  locale: string
  /** Colour theme; only `dark` or `light` are returned. */
  theme: Open<'dark' | 'light'>
}
export const LoginSettingsSchema = s.looseObject<LoginSettings>()({ locale: s.string, theme: s.open('string') })

/** Parameters that every call that signs in accepts. API, "B. Login". */
export interface LoginOrigin {
  /** Login Source. */
  login_source?: LoginSource | null | undefined
  /** SKU ID of a gift code. */
  gift_code_sku_id?: string | null | undefined
}

export const loginOrigin = {
  login_source: s.optional(s.nullable(s.oneOf(LoginSource))),
  gift_code_sku_id: s.optional(s.nullable(s.string)),
}

/** Parameters of `auth.login`. API, "B. Login". */
export interface LoginParams extends LoginOrigin {
  /** Email address, or phone number in E.164 format. */
  login: string
  /** Password, 8–72 characters. */
  password: string
  /** Whether to restore an account that the user disabled or deleted. Default: `false`. */
  undelete?: boolean | undefined
}
export const LoginParamsSchema = s.strictObject<LoginParams>()(
  s.merge(
    {
      login: s.string,
      password: PasswordSchema,
      undelete: s.optional(s.boolean),
    },
    loginOrigin,
  ),
)

/** Second factors that may complete a sign-in or a password reset. API, "B. Login". */
export interface MfaFlags {
  /** Whether a second factor is required. Default: `false`. */
  mfa?: boolean
  /** Identifies the flow when the second factor is verified. */
  ticket?: string
  /** Whether a TOTP code is accepted. */
  totp?: boolean
  /** Whether a code sent by SMS is accepted. */
  sms?: boolean
  /** Whether a backup code is accepted. */
  backup?: boolean
  /** Stringified JSON of public key credential request options; absent or `null` without a WebAuthn device. */
  webauthn?: string | null
}

export const mfaFlags = {
  mfa: s.optional(s.boolean),
  ticket: s.optional(s.string),
  totp: s.optional(s.boolean),
  sms: s.optional(s.boolean),
  backup: s.optional(s.boolean),
  webauthn: s.optional(s.nullable(s.string)),
}

/** Response of Login Account: a completed login, or a second factor is required. API, "B. Login". */
export interface LoginResponse extends MfaFlags {
  /** ID of the user. */
  user_id: string
  /** Authentication token, if the login is completed. */
  token?: string
  /** Settings of the user, if the login is completed. */
  user_settings?: LoginSettings
  /** Actions required of the user. */
  required_actions?: Open<LoginRequiredActionType>[]
  /** Identifies this login when the second factor is verified. */
  login_instance_id?: string
}
export const LoginResponseSchema = s.looseObject<LoginResponse>()(
  s.merge(
    {
      user_id: s.string,
      token: s.optional(s.string),
      user_settings: s.optional(LoginSettingsSchema),
      required_actions: s.optional(s.array(s.open<Open<LoginRequiredActionType>>('string'))),
      login_instance_id: s.optional(s.string),
    },
    mfaFlags,
  ),
)

/** Parameters of `auth.verifyMfaLogin`. API, "B. Login". */
export interface VerifyMfaLoginParams extends LoginOrigin {
  /** Ticket of the login response. */
  ticket: string
  /** Login instance ID of the login response. */
  login_instance_id?: string | undefined
  /** Code; for WebAuthn a stringified JSON public key credential response. */
  code: string
}
export const VerifyMfaLoginParamsSchema = s.strictObject<VerifyMfaLoginParams>()(
  s.merge(
    {
      ticket: s.string,
      login_instance_id: s.optional(s.string),
      code: s.string,
    },
    loginOrigin,
  ),
)

/** Login completed by a second factor. API, "B. Login". */
export interface VerifyMfaLoginResponse {
  /** Authentication token. */
  token: string
  /** Settings of the user. */
  user_settings: LoginSettings
}
export const VerifyMfaLoginResponseSchema = s.looseObject<VerifyMfaLoginResponse>()({
  token: s.string,
  user_settings: LoginSettingsSchema,
})

/** Parameters of `auth.authorizeIp`. API, "B. Login". */
export interface AuthorizeIpParams {
  /** Verification token from the email or phone verification. */
  token: string
}
export const AuthorizeIpParamsSchema = s.strictObject<AuthorizeIpParams>()({ token: s.string })

/** Login, second factor and IP authorization. */
export const login = {
  login: endpoint('Login Account', 'POST', '/auth/login', 'none', {
    params: LoginParamsSchema,
    response: LoginResponseSchema,
  }),
  verifyMfaLogin: endpoint('Verify MFA Login', 'POST', '/auth/mfa/{authenticator_type}', 'none', {
    params: VerifyMfaLoginParamsSchema,
    response: VerifyMfaLoginResponseSchema,
  }),
  authorizeIp: endpoint('Authorize IP Address', 'POST', '/auth/authorize-ip', 'none', {
    params: AuthorizeIpParamsSchema,
  }),
} as const

/** WebAuthn ceremony started by the service. API, "B. Login". */
export interface PasswordlessLoginStart {
  /** Identifies the ceremony when it is completed. */
  ticket: string
  /** Stringified JSON of public key credential request options. */
  challenge: string
}
export const PasswordlessLoginStartSchema = s.looseObject<PasswordlessLoginStart>()({
  ticket: s.string,
  challenge: s.string,
})

/** Parameters of `auth.finishPasswordlessLogin`. API, "B. Login". */
export interface FinishPasswordlessLoginParams extends LoginOrigin {
  /** Ticket of the started ceremony. */
  ticket: string
  /** Stringified JSON public key credential response. */
  credential: string
}
export const FinishPasswordlessLoginParamsSchema = s.strictObject<FinishPasswordlessLoginParams>()(
  s.merge(
    {
      ticket: s.string,
      credential: s.string,
    },
    loginOrigin,
  ),
)

/** Completed passwordless login. API, "B. Login". */
export interface PasswordlessLoginResponse {
  /** ID of the user. */
  user_id: string
  /** Authentication token. */
  token: string
  /** Settings of the user. */
  user_settings: LoginSettings
  /** Actions required of the user. */
  required_actions?: Open<LoginRequiredActionType>[]
}
export const PasswordlessLoginResponseSchema = s.looseObject<PasswordlessLoginResponse>()({
  user_id: s.string,
  token: s.string,
  user_settings: LoginSettingsSchema,
  required_actions: s.optional(s.array(s.open('string'))),
})

/** Steps of a sign-in with a passkey. */
export const passwordless = {
  startPasswordlessLogin: endpoint('Start Passwordless Login', 'POST', '/auth/conditional/start', 'none', {
    response: PasswordlessLoginStartSchema,
  }),
  finishPasswordlessLogin: endpoint('Finish Passwordless Login', 'POST', '/auth/conditional/finish', 'none', {
    params: FinishPasswordlessLoginParamsSchema,
    response: PasswordlessLoginResponseSchema,
  }),
} as const

/** Parameters of `auth.createHandoffToken`. API, "B. Login". */
export interface CreateHandoffTokenParams {
  /** Unique identifier of the handoff request; both clients use the same. */
  key: string
}
export const CreateHandoffTokenParamsSchema = s.strictObject<CreateHandoffTokenParams>()({ key: s.string })

/** Handoff for another client. API, "Handoff token". */
export interface HandoffToken {
  /** Handoff token: single use, only from the IP address that created it. Not an authentication token. */
  handoff_token: string
}
export const HandoffTokenSchema = s.looseObject<HandoffToken>()({ handoff_token: s.string })

/** Parameters of `auth.exchangeHandoffToken`. API, "B. Login". */
export interface ExchangeHandoffTokenParams {
  /** Identifier passed when the handoff was created. */
  key: string
  /** Handoff token. */
  handoff_token: string
}
export const ExchangeHandoffTokenParamsSchema = s.strictObject<ExchangeHandoffTokenParams>()({
  key: s.string,
  handoff_token: s.string,
})

/** Completed handoff. API, "B. Login". */
export interface HandoffExchange {
  /** Authentication token. */
  token: string
  /** User who is now signed in. */
  user: PartialUser
}
export const HandoffExchangeSchema = s.looseObject<HandoffExchange>()({
  token: s.string,
  user: PartialUserSchema,
})

export const handoff = {
  createHandoffToken: endpoint('Create Handoff Token', 'POST', '/auth/handoff', 'token', {
    params: CreateHandoffTokenParamsSchema,
    response: HandoffTokenSchema,
  }),
  exchangeHandoffToken: endpoint('Exchange Handoff Token', 'POST', '/auth/handoff/exchange', 'none', {
    params: ExchangeHandoffTokenParamsSchema,
    response: HandoffExchangeSchema,
  }),
} as const

/** Parameters of `auth.logout`: push notifications to unregister. API, "D. Logout". */
export interface LogoutParams {
  /** Push provider to revoke. */
  provider?: string | undefined
  /** Push token to unregister; not the authentication token. */
  token?: string | undefined
  /** Provider of VoIP pushes; only on one mobile platform. */
  voip_provider?: string | undefined
  /** Token of VoIP pushes; only on one mobile platform. */
  voip_token?: string | undefined
}
export const LogoutParamsSchema = s.strictObject<LogoutParams>()({
  provider: s.optional(s.string),
  token: s.optional(s.string),
  voip_provider: s.optional(s.string),
  voip_token: s.optional(s.string),
})

export const logout = {
  logout: endpoint('Logout', 'POST', '/auth/logout', 'token', { params: LogoutParamsSchema, keepalive: true }),
} as const
