import { endpoint } from './endpoint'
import { type PartialUser, PartialUserSchema } from './relationships'
import {
  array,
  boolean,
  boundedString,
  looseObject,
  merge,
  nullable,
  type Open,
  oneOf,
  open,
  optional,
  strictObject,
  string,
  type ValueOf,
} from './schema'

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

export const PasswordSchema = boundedString(PASSWORD_LENGTH)

/** User settings returned by a sign-in. API, "Login Settings". */
export interface LoginSettings {
  /** Language chosen by the user. */
  locale: string
  /** Colour theme; only `dark` or `light` are returned. */
  theme: Open<'dark' | 'light'>
}
export const LoginSettingsSchema = looseObject<LoginSettings>()({ locale: string, theme: open('string') })

/** Parameters that every call that signs in accepts. API, "B. Login". */
export interface LoginOrigin {
  /** Login Source. */
  login_source?: LoginSource | null | undefined
  /** SKU ID of a gift code. */
  gift_code_sku_id?: string | null | undefined
}

export const loginOrigin = {
  login_source: optional(nullable(oneOf(LoginSource))),
  gift_code_sku_id: optional(nullable(string)),
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
export const LoginParamsSchema = strictObject<LoginParams>()(
  merge(
    {
      login: string,
      password: PasswordSchema,
      undelete: optional(boolean),
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
  mfa: optional(boolean),
  ticket: optional(string),
  totp: optional(boolean),
  sms: optional(boolean),
  backup: optional(boolean),
  webauthn: optional(nullable(string)),
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
export const LoginResponseSchema = looseObject<LoginResponse>()(
  merge(
    {
      user_id: string,
      token: optional(string),
      user_settings: optional(LoginSettingsSchema),
      required_actions: optional(array(open<Open<LoginRequiredActionType>>('string'))),
      login_instance_id: optional(string),
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
export const VerifyMfaLoginParamsSchema = strictObject<VerifyMfaLoginParams>()(
  merge(
    {
      ticket: string,
      login_instance_id: optional(string),
      code: string,
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
export const VerifyMfaLoginResponseSchema = looseObject<VerifyMfaLoginResponse>()({
  token: string,
  user_settings: LoginSettingsSchema,
})

/** Parameters of `auth.authorizeIp`. API, "B. Login". */
export interface AuthorizeIpParams {
  /** Verification token from the email or phone verification. */
  token: string
}
export const AuthorizeIpParamsSchema = strictObject<AuthorizeIpParams>()({ token: string })

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
export const PasswordlessLoginStartSchema = looseObject<PasswordlessLoginStart>()({
  ticket: string,
  challenge: string,
})

/** Parameters of `auth.finishPasswordlessLogin`. API, "B. Login". */
export interface FinishPasswordlessLoginParams extends LoginOrigin {
  /** Ticket of the started ceremony. */
  ticket: string
  /** Stringified JSON public key credential response. */
  credential: string
}
export const FinishPasswordlessLoginParamsSchema = strictObject<FinishPasswordlessLoginParams>()(
  merge(
    {
      ticket: string,
      credential: string,
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
export const PasswordlessLoginResponseSchema = looseObject<PasswordlessLoginResponse>()({
  user_id: string,
  token: string,
  user_settings: LoginSettingsSchema,
  required_actions: optional(array(open('string'))),
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
export const CreateHandoffTokenParamsSchema = strictObject<CreateHandoffTokenParams>()({ key: string })

/** Handoff for another client. API, "Handoff token". */
export interface HandoffToken {
  /** Handoff token: single use, only from the IP address that created it. Not an authentication token. */
  handoff_token: string
}
export const HandoffTokenSchema = looseObject<HandoffToken>()({ handoff_token: string })

/** Parameters of `auth.exchangeHandoffToken`. API, "B. Login". */
export interface ExchangeHandoffTokenParams {
  /** Identifier passed when the handoff was created. */
  key: string
  /** Handoff token. */
  handoff_token: string
}
export const ExchangeHandoffTokenParamsSchema = strictObject<ExchangeHandoffTokenParams>()({
  key: string,
  handoff_token: string,
})

/** Completed handoff. API, "B. Login". */
export interface HandoffExchange {
  /** Authentication token. */
  token: string
  /** User who is now signed in. */
  user: PartialUser
}
export const HandoffExchangeSchema = looseObject<HandoffExchange>()({
  token: string,
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
export const LogoutParamsSchema = strictObject<LogoutParams>()({
  provider: optional(string),
  token: optional(string),
  voip_provider: optional(string),
  voip_token: optional(string),
})

export const logout = {
  logout: endpoint('Logout', 'POST', '/auth/logout', 'token', { params: LogoutParamsSchema, keepalive: true }),
} as const
