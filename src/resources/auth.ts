import { contract } from '../contract'
import type {
  AuthorizeIpParams,
  CreateHandoffTokenParams,
  ExchangeHandoffTokenParams,
  FinishPasswordlessLoginParams,
  HandoffExchange,
  HandoffToken,
  LoginParams,
  LogoutParams,
  PasswordlessLoginResponse,
  PasswordlessLoginStart,
  VerifyMfaLoginParams,
  VerifyMfaLoginResponse,
} from '../contract/login'
import type { AuthenticatorType } from '../contract/mfa'
import type {
  ForgotPasswordParams,
  ForgotPasswordResponse,
  OneTimeLoginParams,
  OneTimeLoginResponse,
  ResetPasswordParams,
  RevertAccountParams,
  RevertAccountResponse,
} from '../contract/recovery'
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
import type { Open } from '../contract/schema'
import type { AuthSessions as AuthSessionList, LogoutSessionsParams } from '../contract/sessions'
import { bindMembers } from '../internal/bind-members'
import { extractToken } from '../mfa/challenge'
import {
  type MfaPending,
  type PasskeyLoginOptions,
  passkeyLogin,
  resetFlow,
  runFlow,
  SessionGuard,
  signInFlow,
} from '../mfa/sign-in'
import type { Call } from '../transport/call'
import { type ApiPromise, callPromise } from '../transport/call'
import type { Transport } from '../transport/transport'
import type { LoginCompleted, MfaHandler, ResetCompleted } from '../types/mfa'
import type { RequestOptions } from '../types/options'

/** A login that is completed, or that needs a second factor. */
export type LoginResult = LoginCompleted | MfaPending<LoginCompleted>

/** A password reset that is completed, or that needs a second factor. */
export type ResetResult = ResetCompleted | MfaPending<ResetCompleted>

/** Options with a handler: the second factor is given on the way, and the result is a completed one. */
export type WithMfaHandler = RequestOptions & {
  /** Gives the second factor. */
  readonly onMfaRequired: MfaHandler
}

/**
 * Signing in and out, registration and recovery. Whatever yields a token stores it in `client.session`; it rejects with
 * a `RapportError` instead if the session has changed since the call began.
 * Interface, sections A–F.
 */
export class Auth {
  /** Where the user is signed in. */
  readonly sessions: AuthSessions
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
    this.sessions = new AuthSessions(transport)
    bindMembers(this)
  }

  /**
   * Signs in with e-mail or phone number and password. Where a second factor is due, the handler of the call or of the
   * client gives it; without one the result has a `challenge` to verify. Interface, "B. Login".
   *
   * @throws RequestValidationError for a password outside 8–72 characters.
   * @throws AccountDisabledError, AccountDeletionScheduledError: repeat the call with `undelete: true`.
   * @throws ApiError where the service refuses; `serviceMessage` and `fieldErrors` are fit to show.
   *
   * @example
   * import { Client } from 'rapport-sdk'
   *
   * const client = new Client({ baseUrl: 'https://service.example' })
   * const result = await client.auth.login({ login: 'ada@example.test', password: 'correct horse' })
   * if (result.status === 'mfa') await result.challenge.verify({ type: 'totp', code: '123456' })
   */
  login(params: LoginParams, options: WithMfaHandler): ApiPromise<LoginCompleted>
  login(params: LoginParams, options?: RequestOptions): ApiPromise<LoginResult>
  login(params: LoginParams, options: RequestOptions = {}): ApiPromise<LoginResult> {
    return callPromise(runFlow(this.#transport, signInFlow(this.#transport, params), options))
  }

  /**
   * Signs in with a passkey: starts, runs the ceremony and finishes. With `autofill` the page needs an
   * `<input autocomplete="username webauthn">`, and it takes until somebody chooses a passkey there: start again where a
   * dialog has ended it, and where the service no longer takes the ticket. Interface, "B. Login".
   *
   * @throws WebAuthnError where the ceremony gives no credential; `reason` tells why.
   * @throws ApiError where the service refuses the credential, or the ticket has expired meanwhile.
   */
  loginWithPasskey(options: PasskeyLoginOptions = {}): ApiPromise<LoginCompleted> {
    return callPromise(passkeyLogin(this.#transport, options))
  }

  /**
   * Gives the second factor of a login, for those who drive the steps: with `auth.login` the ticket is private to its
   * `challenge`, so they send Login Account by `client.request`. Interface, "B. Login".
   *
   * @param authenticatorType What the code is; the document lists no more than `AuthenticatorType`.
   *
   * @example
   * import { Client } from 'rapport-sdk'
   *
   * const client = new Client({ baseUrl: 'https://service.example' })
   * await client.auth.verifyMfaLogin('totp', { ticket: 'the ticket of the login', code: '123456' })
   */
  verifyMfaLogin(
    authenticatorType: Open<AuthenticatorType>,
    params: VerifyMfaLoginParams,
    options?: RequestOptions,
  ): ApiPromise<VerifyMfaLoginResponse> {
    return this.#transport.send(contract.auth.verifyMfaLogin, [authenticatorType], params, options, this.#signIn())
  }

  /** Opens a WebAuthn ceremony, for those who drive the steps. Interface, "B. Login". */
  startPasswordlessLogin(options?: RequestOptions): ApiPromise<PasswordlessLoginStart> {
    return this.#transport.send(contract.auth.startPasswordlessLogin, [], undefined, options)
  }

  /** Signs in with the credential of a ceremony, for those who drive the steps. Interface, "B. Login". */
  finishPasswordlessLogin(
    params: FinishPasswordlessLoginParams,
    options?: RequestOptions,
  ): ApiPromise<PasswordlessLoginResponse> {
    return this.#transport.send(contract.auth.finishPasswordlessLogin, [], params, options, this.#signIn())
  }

  /** Authorizes the caller's IP address with the token of a verification e-mail or SMS. Interface, "B. Login". */
  authorizeIp(params: AuthorizeIpParams, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(contract.auth.authorizeIp, [], params, options)
  }

  /**
   * Lets another client sign in as this user: from the same IP address, once, with the same key.
   * Interface, "Handoff token".
   */
  createHandoffToken(params: CreateHandoffTokenParams, options?: RequestOptions): ApiPromise<HandoffToken> {
    return this.#transport.send(contract.auth.createHandoffToken, [], params, options)
  }

  /** Signs in with what another client has handed off. Interface, "Handoff token". */
  exchangeHandoffToken(params: ExchangeHandoffTokenParams, options?: RequestOptions): ApiPromise<HandoffExchange> {
    return this.#transport.send(contract.auth.exchangeHandoffToken, [], params, options, this.#signIn())
  }

  /**
   * Registers an account and signs in to it. `fingerprint` is the session's when it has one.
   * Interface, "C. Registration".
   *
   * @throws RequestValidationError without a username and a global name, or for a password outside 8–72 characters.
   */
  register(params: RegisterParams, options?: RequestOptions): ApiPromise<RegisterResponse> {
    const fill = () => {
      const { fingerprint } = this.#transport.session
      return fingerprint === null || params?.fingerprint !== undefined ? params : { ...params, fingerprint }
    }
    return this.#transport.sendWith(contract.auth.register, [], fill, options, this.#signIn())
  }

  /**
   * Sends a code to a phone number. It is to be verified by a call that is not shown, whose `phone_token` then goes
   * into `register`. Interface, "C. Registration".
   *
   * @throws RequestValidationError for a number that is not in E.164 form.
   */
  registerPhone(params: RegisterPhoneParams, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(contract.auth.registerPhone, [], params, options)
  }

  /** What a registration from the caller's location needs. Interface, "C. Registration". */
  getLocationMetadata(options?: RequestOptions): ApiPromise<LocationMetadata> {
    return this.#transport.send(contract.auth.getLocationMetadata, [], undefined, options)
  }

  /**
   * Whether a password may be used, and how strong it is. Interface, "C. Registration".
   *
   * @throws RequestValidationError for a password outside 8–72 characters.
   */
  validatePassword(params: ValidatePasswordParams, options?: RequestOptions): ApiPromise<PasswordValidation> {
    return this.#transport.send(contract.auth.validatePassword, [], params, options)
  }

  /** A username that is free. Interface, "C. Registration". */
  suggestUsername(params?: SuggestUsernameParams, options?: RequestOptions): ApiPromise<UsernameSuggestion> {
    return this.#transport.send(contract.auth.suggestUsername, [], params, options)
  }

  /** Whether a username is taken. Interface, "C. Registration". */
  checkUsername(params: CheckUsernameParams, options?: RequestOptions): ApiPromise<UsernameEligibility> {
    return this.#transport.send(contract.auth.checkUsername, [], params, options)
  }

  /** Signs out, and unregisters from push notifications. Interface, "D. Logout". */
  logout(params?: LogoutParams, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(contract.auth.logout, [], params, options, this.#signOut())
  }

  /** Sends the user a way back into the account. Interface, "E. Password recovery". */
  forgotPassword(params: ForgotPasswordParams, options?: RequestOptions): ApiPromise<ForgotPasswordResponse> {
    return this.#transport.send(contract.auth.forgotPassword, [], params, options)
  }

  /**
   * Sets a new password with a reset token and signs in. Where a second factor is due, the handler of the call or of
   * the client gives it; without one the result has a `challenge` to verify. Interface, "E. Password recovery".
   *
   * @throws RequestValidationError for a password outside 8–72 characters.
   */
  resetPassword(params: ResetPasswordParams, options: WithMfaHandler): ApiPromise<ResetCompleted>
  resetPassword(params: ResetPasswordParams, options?: RequestOptions): ApiPromise<ResetResult>
  resetPassword(params: ResetPasswordParams, options: RequestOptions = {}): ApiPromise<ResetResult> {
    return callPromise(runFlow(this.#transport, resetFlow(this.#transport, params), options))
  }

  /** Signs in with the one-time token of an e-mail. Interface, "E. Password recovery". */
  oneTimeLogin(params: OneTimeLoginParams, options?: RequestOptions): ApiPromise<OneTimeLoginResponse> {
    return this.#transport.send(contract.auth.oneTimeLogin, [], params, options, this.#signIn())
  }

  /**
   * Takes an account back with the token of the recovery e-mail, valid for 2 days. It ends all sessions, restores the
   * e-mail address, sets the password and removes second factors and phone. Interface, "F. Account recovery".
   */
  revertAccount(params: RevertAccountParams, options?: RequestOptions): ApiPromise<RevertAccountResponse> {
    return this.#transport.send(contract.auth.revertAccount, [], params, options, this.#signOut())
  }

  /** Returns what stores the token of a sign-in that begins now. */
  #signIn() {
    const hold = new SessionGuard(this.#transport.session)
    return async <T extends { token: string }>(answer: T, { prepared, limits }: Call): Promise<T> => {
      await hold.replace(prepared.name, extractToken(prepared.name, answer), limits.timeout)
      return answer
    }
  }

  /** Returns what forgets the token that the call was made with; one that has come since stays. */
  #signOut() {
    const hold = new SessionGuard(this.#transport.session)
    return async <T>(answer: T, { token, limits }: Call): Promise<T> => {
      await hold.forget(token, limits.timeout)
      return answer
    }
  }
}

/** Where the user is signed in. Interface, "A. Sessions". */
export class AuthSessions {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
    bindMembers(this)
  }

  /**
   * The active sessions of the account, up to 50. Interface, "A. Sessions".
   *
   * @example
   * import { Client } from 'rapport-sdk'
   *
   * const client = new Client({ baseUrl: 'https://service.example', token: 'a token' })
   * const { user_sessions } = await client.auth.sessions.list()
   * for (const { client_info } of user_sessions) console.log(client_info.platform, client_info.location)
   */
  list(options?: RequestOptions): ApiPromise<AuthSessionList> {
    return this.#transport.send(contract['auth.sessions'].list, [], undefined, options)
  }

  /**
   * Ends sessions, 1–64 at a time. The service may ask for a second factor first. Interface, "A. Sessions".
   *
   * @throws RequestValidationError for no hash or more than 64.
   * @throws MfaRequiredError where a second factor is due and there is no handler.
   */
  logout(params: LogoutSessionsParams, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(contract['auth.sessions'].logout, [], params, options)
  }
}
