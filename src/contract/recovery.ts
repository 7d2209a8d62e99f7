import { endpoint } from './endpoint'
import { type MfaFlags, mfaFlags, PasswordSchema } from './login'
import type { AuthenticatorType } from './mfa'
import type { Open, ValueOf } from './schema'
import * as s from './schema'

/** Methods to recover from a forgotten password. API, "Enumerations of the authentication area". */
export const PasswordResetMethod = {
  /** Standard flow. */
  password_reset: 'password_reset',
  /** The email also contains a link with a one-time login token in the query of its URL. */
  one_time_login: 'one_time_login',
} as const
/** One of {@link PasswordResetMethod}. */
export type PasswordResetMethod = ValueOf<typeof PasswordResetMethod>

/** Parameters of `auth.forgotPassword`. API, "E. Password recovery". */
export interface ForgotPasswordParams {
  /** Email address, or phone number in E.164 format. */
  login: string
}
export const ForgotPasswordParamsSchema = s.strictObject<ForgotPasswordParams>()({ login: s.string })

/** Response of `auth.forgotPassword`. API, "E. Password recovery". */
export interface ForgotPasswordResponse {
  /** Method available to the user. */
  method: Open<PasswordResetMethod>
}
export const ForgotPasswordResponseSchema = s.looseObject<ForgotPasswordResponse>()({
  method: s.open('string'),
})

/** Parameters of `auth.resetPassword`. API, "E. Password recovery". */
export interface ResetPasswordParams {
  /** Reset token. */
  token: string
  /** New password, 8–72 characters. */
  password: string
  /** Path that the reset was started from. */
  source?: string | undefined
  /** Kind of second factor, if one is sent. Set by `challenge.verify`. */
  method?: Open<AuthenticatorType> | undefined
  /** Ticket of the first response, if a second factor is sent. Set by `challenge.verify`. */
  ticket?: string | undefined
  /** Code; for WebAuthn a stringified JSON public key credential response. Set by `challenge.verify`. */
  code?: string | undefined
}
export const ResetPasswordParamsSchema = s.strictObject<ResetPasswordParams>()({
  token: s.string,
  password: PasswordSchema,
  source: s.optional(s.string),
  method: s.optional(s.open('string')),
  ticket: s.optional(s.string),
  code: s.optional(s.string),
})

/** Response of Reset Password. API, "E. Password recovery". */
export interface ResetPasswordResponse extends MfaFlags {
  /** Authentication token, if the reset is completed. */
  token?: string
  /** ID of the user, if a second factor is required. */
  user_id?: string
}
export const ResetPasswordResponseSchema = s.looseObject<ResetPasswordResponse>()(
  s.merge(
    {
      token: s.optional(s.string),
      user_id: s.optional(s.string),
    },
    mfaFlags,
  ),
)

/** Parameters of `auth.oneTimeLogin`. API, "E. Password recovery". */
export interface OneTimeLoginParams {
  /** One-time login token from the email. */
  ticket: string
}
export const OneTimeLoginParamsSchema = s.strictObject<OneTimeLoginParams>()({ ticket: s.string })

/** Completed one-time login. API, "E. Password recovery". */
export interface OneTimeLoginResponse {
  /** Authentication token. */
  token: string
}
export const OneTimeLoginResponseSchema = s.looseObject<OneTimeLoginResponse>()({ token: s.string })

/** Parameters of `auth.revertAccount`. API, "F. Account recovery". */
export interface RevertAccountParams {
  /** Revert token from the recovery email, valid for 2 days. */
  token: string
  /** New password. Its length limits are not shown in the API document. */
  password: string
}
export const RevertAccountParamsSchema = s.strictObject<RevertAccountParams>()({
  token: s.string,
  password: s.string,
})

/** Restored account. API, "F. Account recovery". */
export interface RevertAccountResponse {
  /** Restored email address. */
  email: string
}
export const RevertAccountResponseSchema = s.looseObject<RevertAccountResponse>()({ email: s.string })

export const recovery = {
  forgotPassword: endpoint('Forgot Password', 'POST', '/auth/forgot', 'none', {
    params: ForgotPasswordParamsSchema,
    response: ForgotPasswordResponseSchema,
  }),
  resetPassword: endpoint('Reset Password', 'POST', '/auth/reset', 'none', {
    params: ResetPasswordParamsSchema,
    response: ResetPasswordResponseSchema,
  }),
  oneTimeLogin: endpoint('One-Time Login', 'POST', '/auth/one-time-login', 'none', {
    params: OneTimeLoginParamsSchema,
    response: OneTimeLoginResponseSchema,
  }),
  revertAccount: endpoint('Revert Account', 'POST', '/auth/revert', 'none', {
    params: RevertAccountParamsSchema,
    response: RevertAccountResponseSchema,
  }),
} as const
