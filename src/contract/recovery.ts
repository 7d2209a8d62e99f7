import type { Endpoint } from './endpoint'
import { type MfaFlags, mfaFlags, PasswordSchema } from './login'
import type { AuthenticatorType } from './mfa'
import { both, type Open, object, open, optional, request, string, type ValueOf } from './schema'

/** How a forgotten password may be overcome. Interface, "Enumerations of the authentication area". */
export const PasswordResetMethod = {
  /** The standard flow. */
  password_reset: 'password_reset',
  /** The e-mail also carries a link with a one-time login token in the URL's query. */
  one_time_login: 'one_time_login',
} as const
/** One of {@link PasswordResetMethod}. */
export type PasswordResetMethod = ValueOf<typeof PasswordResetMethod>

/** What `auth.forgotPassword` takes. Interface, "E. Password recovery". */
export interface ForgotPasswordParams {
  /** E-mail address, or phone number in E.164 form. */
  login: string
}
export const ForgotPasswordParamsSchema = /*@__PURE__*/ request<ForgotPasswordParams>()({ login: string })

/** What the service has sent to the user. Interface, "E. Password recovery". */
export interface ForgotPasswordResponse {
  /** Which way back is open. */
  method: Open<PasswordResetMethod>
}
export const ForgotPasswordResponseSchema = /*@__PURE__*/ object<ForgotPasswordResponse>()({ method: open('string') })

/** What `auth.resetPassword` takes. Interface, "E. Password recovery". */
export interface ResetPasswordParams {
  /** The reset token. */
  token: string
  /** The new password, 8–72 characters. */
  password: string
  /** Path that the reset started from. */
  source?: string
  /** Authenticator type, when a second factor is given. `challenge.verify` fills it in. */
  method?: Open<AuthenticatorType>
  /** Ticket of the first answer, when a second factor is given. `challenge.verify` fills it in. */
  ticket?: string
  /** The code; for WebAuthn a stringified JSON public key credential response. `challenge.verify` fills it in. */
  code?: string
}
export const ResetPasswordParamsSchema = /*@__PURE__*/ request<ResetPasswordParams>()({
  token: string,
  password: PasswordSchema,
  source: optional(string),
  method: optional(open('string')),
  ticket: optional(string),
  code: optional(string),
})

/** What the service answers to Reset Password. Interface, "E. Password recovery". */
export interface ResetPasswordResponse extends MfaFlags {
  /** The authentication token, when the reset is completed. */
  token?: string
  /** ID of the user, when a second factor is required. */
  user_id?: string
}
export const ResetPasswordResponseSchema = /*@__PURE__*/ object<ResetPasswordResponse>()(
  both(
    {
      token: optional(string),
      user_id: optional(string),
    },
    mfaFlags,
  ),
)

/** What `auth.oneTimeLogin` takes. Interface, "E. Password recovery". */
export interface OneTimeLoginParams {
  /** One-time login token from the e-mail. */
  ticket: string
}
export const OneTimeLoginParamsSchema = /*@__PURE__*/ request<OneTimeLoginParams>()({ ticket: string })

/** A completed one-time login. Interface, "E. Password recovery". */
export interface OneTimeLoginResponse {
  /** The authentication token. */
  token: string
}
export const OneTimeLoginResponseSchema = /*@__PURE__*/ object<OneTimeLoginResponse>()({ token: string })

/** What `auth.revertAccount` takes. Interface, "F. Account recovery". */
export interface RevertAccountParams {
  /** Revert token from the recovery e-mail, valid for 2 days. */
  token: string
  /** The new password. The document gives no bounds here. */
  password: string
}
export const RevertAccountParamsSchema = /*@__PURE__*/ request<RevertAccountParams>()({
  token: string,
  password: string,
})

/** An account given back to its owner. Interface, "F. Account recovery". */
export interface RevertAccountResponse {
  /** The restored e-mail address. */
  email: string
}
export const RevertAccountResponseSchema = /*@__PURE__*/ object<RevertAccountResponse>()({ email: string })

export const recovery = {
  forgotPassword: {
    name: 'Forgot Password',
    method: 'POST',
    path: '/auth/forgot',
    auth: 'none',
    stepUp: false,
    params: ForgotPasswordParamsSchema,
    response: ForgotPasswordResponseSchema,
  },
  resetPassword: {
    name: 'Reset Password',
    method: 'POST',
    path: '/auth/reset',
    auth: 'none',
    stepUp: false,
    params: ResetPasswordParamsSchema,
    response: ResetPasswordResponseSchema,
  },
  oneTimeLogin: {
    name: 'One-Time Login',
    method: 'POST',
    path: '/auth/one-time-login',
    auth: 'none',
    stepUp: false,
    params: OneTimeLoginParamsSchema,
    response: OneTimeLoginResponseSchema,
  },
  revertAccount: {
    name: 'Revert Account',
    method: 'POST',
    path: '/auth/revert',
    auth: 'none',
    stepUp: false,
    params: RevertAccountParamsSchema,
    response: RevertAccountResponseSchema,
  },
} as const satisfies Record<string, Endpoint>
