import type {
  FinishPasswordlessLoginParams,
  PasswordlessLoginResponse,
  PasswordlessLoginStart,
} from '../contract/login'
import { passwordless } from '../contract/login'
import type { MfaContext } from '../mfa/challenge'
import { type PasskeyLoginOptions, passkeyLogin, storeToken } from '../mfa/sign-in'
import { type ApiPromise, callPromise } from '../transport/call'
import type { Transport } from '../transport/transport'
import type { LoginCompleted } from '../types/mfa'
import type { RequestOptions } from '../types/options'

/** Methods of `client.auth` that sign in with a passkey. API, "B. Login". */
export class Passkeys {
  readonly #transport: Transport
  readonly #context: MfaContext

  /** @internal */
  constructor(context: MfaContext) {
    this.#transport = context.transport
    this.#context = context
  }

  /**
   * Signs in with a passkey: starts, runs and finishes the WebAuthn ceremony. With `autofill`, the page needs an
   * `<input autocomplete="username webauthn">`, and the call stays pending until the user chooses a passkey there; call
   * it again if a dialog replaced it or if the ticket has expired. API, "B. Login".
   *
   * @throws WebAuthnError if the ceremony returns no credential; see `reason`.
   * @throws ApiError if the service rejects the credential, or if the ticket has expired.
   */
  loginWithPasskey(options: PasskeyLoginOptions = {}): ApiPromise<LoginCompleted> {
    return callPromise(passkeyLogin(this.#context, options))
  }

  /** Starts a WebAuthn ceremony. For manual flows; see `auth.loginWithPasskey`. API, "B. Login". */
  startPasswordlessLogin(options?: RequestOptions): ApiPromise<PasswordlessLoginStart> {
    return this.#transport.send(passwordless.startPasswordlessLogin, options)
  }

  /**
   * Signs in with the credential of a ceremony. For manual flows; see `auth.loginWithPasskey`. API, "B. Login".
   */
  finishPasswordlessLogin(
    params: FinishPasswordlessLoginParams,
    options?: RequestOptions,
  ): ApiPromise<PasswordlessLoginResponse> {
    return this.#transport.send(
      passwordless.finishPasswordlessLogin,
      options,
      params,
      undefined,
      storeToken(this.#transport.session),
    )
  }
}
