import type {
  AuthorizeIpParams,
  CreateHandoffTokenParams,
  ExchangeHandoffTokenParams,
  HandoffExchange,
  HandoffToken,
  LoginParams,
  LogoutParams,
  VerifyMfaLoginParams,
  VerifyMfaLoginResponse,
} from '../contract/login'
import { handoff, login, logout } from '../contract/login'
import type { AuthenticatorType } from '../contract/mfa'
import type { Open } from '../contract/schema'
import { type AuthSessions, type LogoutSessionsParams, sessions } from '../contract/sessions'
import { bindMembers } from '../internal/bind-members'
import type { MfaContext } from '../mfa/challenge'
import type { MfaConfig } from '../mfa/options'
import { type MfaPending, removeToken, runFlow, signInFlow, storeToken, type WithMfaHandler } from '../mfa/sign-in'
import { type ApiPromise, callPromise } from '../transport/call'
import type { Transport } from '../transport/transport'
import type { LoginCompleted } from '../types/mfa'
import type { RequestOptions } from '../types/options'
import type { Passkeys } from './passkeys'
import type { Recovery } from './recovery'
import type { Registration } from './registration'

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
   * import { Client } from 'rapport-sdk'
   *
   * const client = new Client({ baseUrl: 'https://service.example' })
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
    return this.#transport.send(
      login.verifyMfaLogin,
      options,
      params,
      [authenticatorType],
      storeToken(this.#transport.session),
    )
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
    return this.#transport.send(
      handoff.exchangeHandoffToken,
      options,
      params,
      undefined,
      storeToken(this.#transport.session),
    )
  }

  /** Signs out and unregisters push notifications. API, "D. Logout". */
  logout(params?: LogoutParams, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(logout.logout, options, params, undefined, removeToken(this.#transport.session))
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
   * import { Client } from 'rapport-sdk'
   *
   * const client = new Client({ baseUrl: 'https://service.example', token: 'a token' })
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
