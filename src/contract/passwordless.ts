import type { Endpoint } from './endpoint'
import {
  type LoginOrigin,
  type LoginRequiredActionType,
  type LoginSettings,
  LoginSettingsSchema,
  loginOrigin,
} from './login'
import { both, listOf, type Open, object, open, optional, request, string } from './schema'

/** WebAuthn ceremony started by the service. Interface, "B. Login". */
export interface PasswordlessLoginStart {
  /** Identifies the ceremony when it is completed. */
  ticket: string
  /** Stringified JSON of public key credential request options. */
  challenge: string
}
export const PasswordlessLoginStartSchema = /*@__PURE__*/ object<PasswordlessLoginStart>()({
  ticket: string,
  challenge: string,
})

/** Parameters of `auth.finishPasswordlessLogin`. Interface, "B. Login". */
export interface FinishPasswordlessLoginParams extends LoginOrigin {
  /** Ticket of the started ceremony. */
  ticket: string
  /** Stringified JSON public key credential response. */
  credential: string
}
export const FinishPasswordlessLoginParamsSchema = /*@__PURE__*/ request<FinishPasswordlessLoginParams>()(
  both(
    {
      ticket: string,
      credential: string,
    },
    loginOrigin,
  ),
)

/** Completed passwordless login. Interface, "B. Login". */
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
export const PasswordlessLoginResponseSchema = /*@__PURE__*/ object<PasswordlessLoginResponse>()({
  user_id: string,
  token: string,
  user_settings: LoginSettingsSchema,
  required_actions: optional(listOf(open('string'))),
})

export const passwordless = {
  startPasswordlessLogin: {
    name: 'Start Passwordless Login',
    method: 'POST',
    path: '/auth/conditional/start',
    auth: 'none',
    stepUp: false,
    response: PasswordlessLoginStartSchema,
  },
  finishPasswordlessLogin: {
    name: 'Finish Passwordless Login',
    method: 'POST',
    path: '/auth/conditional/finish',
    auth: 'none',
    stepUp: false,
    params: FinishPasswordlessLoginParamsSchema,
    response: PasswordlessLoginResponseSchema,
  },
} as const satisfies Record<string, Endpoint>
