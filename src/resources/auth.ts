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
import { handoff, login, logout, passwordless } from '../contract/login'
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
import { recovery } from '../contract/recovery'
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
import type { Open } from '../contract/schema'
import { type AuthSessions, type LogoutSessionsParams, sessions } from '../contract/sessions'
import { bindMembers } from '../internal/bind-members'
import type { Issue } from '../internal/issue'
import type { MfaContext } from '../mfa/challenge'
import type { MfaConfig } from '../mfa/options'
import {
  type MfaPending,
  type PasskeyLoginOptions,
  passkeyLogin,
  removeToken,
  resetFlow,
  runFlow,
  signInFlow,
  storeToken,
  type WithMfaHandler,
} from '../mfa/sign-in'
import { type ApiPromise, callPromise } from '../transport/call'
import { prepare } from '../transport/request'
import type { Transport } from '../transport/transport'
import type { LoginCompleted, ResetCompleted } from '../types/mfa'
import type { RequestOptions } from '../types/options'

/** Completed login, or a challenge if a second factor is required. */
export type LoginResult = LoginCompleted | MfaPending<LoginCompleted>

/**
 * Sign-in, sign-out, registration and recovery. Methods that obtain a token store it in `client.session`; they reject
 * with a `RapportError` if the session has changed since the call started. API, sections A–F.
 */
export interface Auth extends SignIn, Passkeys, Registration, Recovery {}

/** Methods of `client.auth` that every sign-in needs. API, "A. Sessions", "B. Login", "D. Logout". */
export class SignIn {
  /** Sessions of the user. */
  readonly sessions: AuthSessionsResource
  readonly #transport: Transport
  readonly #context: MfaContext

  /** @internal */
  constructor(transport: Transport, config: MfaConfig) {
    this.#transport = transport
    this.#context = { transport, config }
    this.sessions = new AuthSessionsResource(transport)
    bindMembers(this)
  }

  /**
   * Signs in with an email address or phone number and a password. If a second factor is required, the handler of the
   * call or of the client provides it; without a handler, the result has a `challenge` to verify.
   * API, "B. Login".
   *
   * @throws RequestValidationError if the password does not have 8–72 characters.
   * @throws AccountDisabledError, AccountDeletionScheduledError: repeat the call with `undelete: true`.
   * @throws ApiError if the service rejects the login; `serviceMessage` and `fieldErrors` are suitable for display.
   *
   * @example
   * const result = await client.auth.login({ login: 'ada@example.test', password: 'correct horse' })
   * if (result.status === 'mfa') await result.challenge.verify({ type: 'totp', code: '123456' })
   */
  login(params: LoginParams, options: WithMfaHandler): ApiPromise<LoginCompleted>
  login(params: LoginParams, options?: RequestOptions): ApiPromise<LoginResult>
  login(params: LoginParams, options: RequestOptions = {}): ApiPromise<LoginResult> {
    return callPromise(runFlow(this.#context, signInFlow(this.#transport, params), options))
  }

  /**
   * Verifies the second factor of a login. For manual flows only: `auth.login` keeps the ticket private to its
   * `challenge`, so send Login Account by `client.request` to obtain one. API, "B. Login".
   *
   * @param authenticatorType Kind of code; documented values are in `AuthenticatorType`.
   *
   * @example
   * await client.auth.verifyMfaLogin('totp', { ticket: 'the ticket of the login', code: '123456' })
   */
  verifyMfaLogin(
    authenticatorType: Open<AuthenticatorType>,
    params: VerifyMfaLoginParams,
    options?: RequestOptions,
  ): ApiPromise<VerifyMfaLoginResponse> {
    return this.#transport.send(login.verifyMfaLogin, options, params, [authenticatorType], storeToken(this.#transport))
  }

  /** Authorizes the caller's IP address with the token of a verification email or SMS. API, "B. Login". */
  authorizeIp(params: AuthorizeIpParams, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(login.authorizeIp, options, params)
  }

  /**
   * Creates a handoff token, with which another client can sign in as this user: once, from the same IP address, with
   * the same key. API, "Handoff token".
   */
  createHandoffToken(params: CreateHandoffTokenParams, options?: RequestOptions): ApiPromise<HandoffToken> {
    return this.#transport.send(handoff.createHandoffToken, options, params)
  }

  /** Signs in with the handoff token of another client. API, "Handoff token". */
  exchangeHandoffToken(params: ExchangeHandoffTokenParams, options?: RequestOptions): ApiPromise<HandoffExchange> {
    return this.#transport.send(handoff.exchangeHandoffToken, options, params, undefined, storeToken(this.#transport))
  }

  /** Signs out and unregisters push notifications. API, "D. Logout". */
  logout(params?: LogoutParams, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(logout.logout, options, params, undefined, removeToken(this.#transport))
  }
}

/** Sessions of the user. API, "A. Sessions". */
export class AuthSessionsResource {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
    bindMembers(this)
  }

  /**
   * Returns the active sessions of the account, at most 50. API, "A. Sessions".
   *
   * @example
   * const { user_sessions } = await client.auth.sessions.list()
   * for (const { client_info } of user_sessions) console.log(client_info.platform, client_info.location)
   */
  list(options?: RequestOptions): ApiPromise<AuthSessions> {
    return this.#transport.send(sessions.list, options)
  }

  /**
   * Ends 1–64 sessions. The service may require a second factor. API, "A. Sessions".
   *
   * @throws RequestValidationError if there are no hashes or more than 64.
   * @throws MfaRequiredError if a second factor is required and there is no handler.
   */
  logout(params: LogoutSessionsParams, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(sessions.logout, options, params)
  }
}

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

  /** Signs in with the credential of a ceremony. For manual flows; see `auth.loginWithPasskey`. API, "B. Login". */
  finishPasswordlessLogin(
    params: FinishPasswordlessLoginParams,
    options?: RequestOptions,
  ): ApiPromise<PasswordlessLoginResponse> {
    return this.#transport.send(
      passwordless.finishPasswordlessLogin,
      options,
      params,
      undefined,
      storeToken(this.#transport),
    )
  }
}

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
    const { register } = registration
    // Within the call: getters of the caller may throw.
    const prepareCall = (issues: readonly Issue[]) => {
      const { fingerprint } = this.#transport.session
      const isSet = fingerprint === null || params?.fingerprint !== undefined
      return prepare(register, [], isSet ? params : { ...params, fingerprint }, issues)
    }
    return this.#transport.run<RegisterResponse, RegisterResponse>(
      register,
      options,
      prepareCall,
      storeToken(this.#transport),
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
    return this.#transport.send(recovery.oneTimeLogin, options, params, undefined, storeToken(this.#transport))
  }

  /**
   * Recovers an account with the token of the recovery email, valid for 2 days. Ends all sessions, restores the email
   * address, sets the password, and removes second factors and the phone number. API, "F. Account recovery".
   */
  revertAccount(params: RevertAccountParams, options?: RequestOptions): ApiPromise<RevertAccountResponse> {
    return this.#transport.send(recovery.revertAccount, options, params, undefined, removeToken(this.#transport))
  }
}

/** Where the token of a client is; see `session` of its options. */
export type SessionMode = 'token' | 'cookie'

/** A result, or the challenge that leads to it, without the token. */
export type WithoutToken<T> = T extends MfaPending<infer R> ? MfaPending<WithoutToken<R>> : Omit<T, 'token'>

/** Methods whose result has a token, besides those with overloads. */
type SignInMethod =
  | ('verifyMfaLogin' | 'exchangeHandoffToken' | 'finishPasswordlessLogin')
  | ('loginWithPasskey' | 'register' | 'oneTimeLogin')

/** What a method of `client.auth` returns, without the token. */
type WithoutTokenOf<M extends SignInMethod> = ApiPromise<WithoutToken<Awaited<ReturnType<Auth[M]>>>>

/** `client.auth` with `session: 'cookie'`: the result of a sign-in has no `token`. */
export interface CookieAuth extends Omit<Auth, 'login' | 'resetPassword' | SignInMethod> {
  /** As {@link SignIn.login}, with a handler. */
  login(params: LoginParams, options: WithMfaHandler): ApiPromise<WithoutToken<LoginCompleted>>
  /** As {@link SignIn.login}. */
  login(params: LoginParams, options?: RequestOptions): ApiPromise<WithoutToken<LoginResult>>
  /** As {@link Recovery.resetPassword}, with a handler. */
  resetPassword(params: ResetPasswordParams, options: WithMfaHandler): ApiPromise<WithoutToken<ResetCompleted>>
  /** As {@link Recovery.resetPassword}. */
  resetPassword(params: ResetPasswordParams, options?: RequestOptions): ApiPromise<WithoutToken<ResetResult>>
  /** As {@link SignIn.verifyMfaLogin}. */
  verifyMfaLogin(...parameters: Parameters<Auth['verifyMfaLogin']>): WithoutTokenOf<'verifyMfaLogin'>
  /** As {@link SignIn.exchangeHandoffToken}. */
  exchangeHandoffToken(...parameters: Parameters<Auth['exchangeHandoffToken']>): WithoutTokenOf<'exchangeHandoffToken'>
  /** As {@link Passkeys.finishPasswordlessLogin}. */
  finishPasswordlessLogin(
    ...parameters: Parameters<Auth['finishPasswordlessLogin']>
  ): WithoutTokenOf<'finishPasswordlessLogin'>
  /** As {@link Passkeys.loginWithPasskey}. */
  loginWithPasskey(...parameters: Parameters<Auth['loginWithPasskey']>): WithoutTokenOf<'loginWithPasskey'>
  /** As {@link Registration.register}. */
  register(...parameters: Parameters<Auth['register']>): WithoutTokenOf<'register'>
  /** As {@link Recovery.oneTimeLogin}. */
  oneTimeLogin(...parameters: Parameters<Auth['oneTimeLogin']>): WithoutTokenOf<'oneTimeLogin'>
}

/** `client.auth` of a client whose token is there. If that is not known, it is as with `token`. */
export type AuthIn<Mode extends SessionMode> = {
  readonly token: Auth
  readonly cookie: CookieAuth
}[[Mode] extends ['cookie'] ? 'cookie' : 'token']
