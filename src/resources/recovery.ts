import type {
  ForgotPasswordParams,
  ForgotPasswordResponse,
  OneTimeLoginParams,
  OneTimeLoginResponse,
  ResetPasswordParams,
  RevertAccountParams,
  RevertAccountResponse,
} from '../contract/recovery'
import { recovery } from '../contract/recovery'
import type { MfaContext } from '../mfa/challenge'
import { type MfaPending, removeToken, resetFlow, runFlow, storeToken, type WithMfaHandler } from '../mfa/sign-in'
import { type ApiPromise, callPromise } from '../transport/call'
import type { Transport } from '../transport/transport'
import type { ResetCompleted } from '../types/mfa'
import type { RequestOptions } from '../types/options'

/** Completed password reset, or a challenge if a second factor is required. */
export type ResetResult = ResetCompleted | MfaPending<ResetCompleted>

/** Methods of `client.auth` that recover an account. API, sections E and F. */
export class Recovery {
  readonly #transport: Transport
  readonly #context: MfaContext

  /** @internal */
  constructor(context: MfaContext) {
    this.#transport = context.transport
    this.#context = context
  }

  /** Sends the user instructions to recover the account. API, "E. Password recovery". */
  forgotPassword(params: ForgotPasswordParams, options?: RequestOptions): ApiPromise<ForgotPasswordResponse> {
    return this.#transport.send(recovery.forgotPassword, options, params)
  }

  /**
   * Sets a new password with a reset token and signs in. If a second factor is required, the handler of the call or of
   * the client provides it; without a handler, the result has a `challenge` to verify.
   * API, "E. Password recovery".
   *
   * @throws RequestValidationError if the password does not have 8–72 characters.
   */
  resetPassword(params: ResetPasswordParams, options: WithMfaHandler): ApiPromise<ResetCompleted>
  resetPassword(params: ResetPasswordParams, options?: RequestOptions): ApiPromise<ResetResult>
  resetPassword(params: ResetPasswordParams, options: RequestOptions = {}): ApiPromise<ResetResult> {
    return callPromise(runFlow(this.#context, resetFlow(this.#transport, params), options))
  }

  /** Signs in with the one-time token of an email. API, "E. Password recovery". */
  oneTimeLogin(params: OneTimeLoginParams, options?: RequestOptions): ApiPromise<OneTimeLoginResponse> {
    return this.#transport.send(recovery.oneTimeLogin, options, params, undefined, storeToken(this.#transport.session))
  }

  /**
   * Recovers an account with the token of the recovery email, valid for 2 days. Ends all sessions, restores the email
   * address, sets the password, and removes second factors and the phone number. API, "F. Account recovery".
   */
  revertAccount(params: RevertAccountParams, options?: RequestOptions): ApiPromise<RevertAccountResponse> {
    return this.#transport.send(
      recovery.revertAccount,
      options,
      params,
      undefined,
      removeToken(this.#transport.session),
    )
  }
}
