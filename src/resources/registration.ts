import type {
  CheckUsernameParams,
  LocationMetadata,
  PasswordValidation,
  RegisterParams,
  RegisterPhoneParams,
  RegisterResponse,
  SuggestUsernameParams,
  UsernameEligibility,
  UsernameSuggestion,
  ValidatePasswordParams,
} from '../contract/registration'
import { registration, usernames } from '../contract/registration'
import { storeToken } from '../mfa/sign-in'
import type { ApiPromise } from '../transport/call'
import type { Transport } from '../transport/transport'
import type { RequestOptions } from '../types/options'

/** Methods of `client.auth` that register an account. API, section C. */
export class Registration {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Registers an account and signs in to it. Default of `fingerprint`: that of the session, if it has one. API,
   * "C. Registration".
   *
   * @throws RequestValidationError if both username and global name are missing, or if the password does not have 8–72
   * characters.
   */
  register(params: RegisterParams, options?: RequestOptions): ApiPromise<RegisterResponse> {
    const makeParams = () => {
      const { fingerprint } = this.#transport.session
      return fingerprint === null || params?.fingerprint !== undefined ? params : { ...params, fingerprint }
    }
    return this.#transport.sendWith(
      registration.register,
      options,
      makeParams,
      undefined,
      storeToken(this.#transport.session),
    )
  }

  /**
   * Sends a code to a phone number. The call that verifies the code is not shown in the API document; pass its
   * `phone_token` to `register`. API, "C. Registration".
   *
   * @throws RequestValidationError if the number is not in E.164 form.
   */
  registerPhone(params: RegisterPhoneParams, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(registration.registerPhone, options, params)
  }

  /** Returns the requirements for a registration from the caller's location. API, "C. Registration". */
  getLocationMetadata(options?: RequestOptions): ApiPromise<LocationMetadata> {
    return this.#transport.send(registration.getLocationMetadata, options)
  }

  /**
   * Checks whether a password is allowed, and how strong it is. API, "C. Registration".
   *
   * @throws RequestValidationError if the password does not have 8–72 characters.
   */
  validatePassword(params: ValidatePasswordParams, options?: RequestOptions): ApiPromise<PasswordValidation> {
    return this.#transport.send(registration.validatePassword, options, params)
  }

  /** Returns an available username. API, "C. Registration". */
  suggestUsername(params?: SuggestUsernameParams, options?: RequestOptions): ApiPromise<UsernameSuggestion> {
    return this.#transport.send(usernames.suggestUsername, options, params)
  }

  /** Checks whether a username is taken. API, "C. Registration". */
  checkUsername(params: CheckUsernameParams, options?: RequestOptions): ApiPromise<UsernameEligibility> {
    return this.#transport.send(usernames.checkUsername, options, params)
  }
}
