import type { AbortScope, FlowCalls } from '../abort'
import type { Endpoint } from '../contract/endpoint'
import {
  type LoginOrigin,
  type LoginParams,
  type LoginResponse,
  login,
  type MfaFlags,
  passwordless,
} from '../contract/login'
import type { MfaMethod } from '../contract/mfa'
import { type ResetPasswordParams, type ResetPasswordResponse, recovery } from '../contract/recovery'
import { verificationErrors } from '../errors/api-errors'
import { RapportError } from '../errors/base'
import { MfaCancelledError } from '../errors/client-errors'
import { isObject, omitUndefined, withoutPrototype } from '../internal/json'
import { anyValue, readOptions } from '../internal/options'
import { requestSecrets, responseSecrets } from '../internal/redact'
import { readUser, type SessionManager } from '../session/session'
import { type Call, notify, type WithResponse } from '../transport/call'
import { REQUEST_OPTIONS } from '../transport/request'
import { extractToken } from '../transport/response'
import type { Transport } from '../transport/transport'
import type { LoginCompleted, MfaChallenge, MfaHandler, ResetCompleted } from '../types/mfa'
import type { RequestOptions } from '../types/options'
import { parseRequestOptions, runCeremony, serializeCredential } from '../webauthn/ceremony'
import { Challenge, type ChallengeSource, type MfaContext, type MfaPayload } from './challenge'
import { rethrowUnlessExpired } from './options'

/** Flow of Login Account, and of Verify MFA Login if a second factor is required. API, "B. Login". */
export function signInFlow(transport: Transport, params: LoginParams): MfaFlow<LoginResponse, LoginCompleted> {
  return {
    endpoint: login.login,
    params,
    reason: 'login',
    start: (options, finish) => transport.send(login.login, options, params, undefined, finish).withResponse(),
    complete: (first) =>
      isMfaPending(first) ? undefined : { ...first, status: 'complete', token: extractToken(login.login.name, first) },
    submit: async ({ user_id, login_instance_id, required_actions }, ticket, { type, code }, options) => {
      const { login_source, gift_code_sku_id } = params
      const body = { ticket, code, ...omitUndefined({ login_instance_id, login_source, gift_code_sku_id }) }
      const response = await transport.send(login.verifyMfaLogin, options, body, [type])
      const token = extractToken(login.verifyMfaLogin.name, response)
      return { ...response, status: 'complete', token, user_id, ...(required_actions && { required_actions }) }
    },
  }
}

/**
 * Flow of Reset Password, repeated with method, ticket and code if a second factor is required.
 * API, "E. Password recovery".
 */
export function resetFlow(
  transport: Transport,
  params: ResetPasswordParams,
): MfaFlow<ResetPasswordResponse, ResetCompleted> {
  const toResult = (response: ResetPasswordResponse, first = response): ResetCompleted => {
    const token = extractToken(recovery.resetPassword.name, response)
    return { ...response, status: 'complete', token, ...omitUndefined({ user_id: first.user_id }) }
  }
  return {
    endpoint: recovery.resetPassword,
    params,
    reason: 'password_reset',
    start: (options, finish) =>
      transport.send(recovery.resetPassword, options, params, undefined, finish).withResponse(),
    complete: (first) => (isMfaPending(first) ? undefined : toResult(first)),
    submit: async (first, ticket, { type, code }, options) => {
      const body = { ...params, method: type, ticket, code }
      try {
        return toResult(await transport.send(recovery.resetPassword, options, body), first)
      } catch (error) {
        verificationErrors.add(Object(error))
        throw error
      }
    },
  }
}

/** Options of a passkey login. */
export interface PasskeyLoginOptions extends LoginOrigin, RequestOptions {
  /**
   * Whether to offer passkeys in the browser's autofill instead of a dialog.
   * @default false
   */
  readonly autofill?: boolean | undefined
}

/** Runs Start Passwordless Login, the ceremony and Finish Passwordless Login. API, "B. Login". */
export async function passkeyLogin(
  { transport, config }: MfaContext,
  input: PasskeyLoginOptions,
): Promise<WithResponse<LoginCompleted>> {
  const { startPasswordlessLogin: start, finishPasswordlessLogin: finish } = passwordless
  const checks = { ...REQUEST_OPTIONS, autofill: anyValue, login_source: anyValue, gift_code_sku_id: anyValue }
  const read = transport.readInput(finish.name, () => readOptions(input, checks, []))
  const { autofill = false, login_source, gift_code_sku_id, ...rest } = read
  // `withScope` reports a value that is not an object.
  const options: RequestOptions = isObject(input) ? rest : input
  return transport.withScope(finish, options, async (scope, shared) => {
    const guard = new SessionGuard(transport.session)
    const started = await transport.send(start, shared)
    guard.watch(scope)
    const ceremony = () => {
      const request = { autofill, signal: scope.signal }
      const options = parseRequestOptions(started?.challenge)
      return runCeremony(config.webauthn, options, request, responseSecrets(started))
    }
    const credential = serializeCredential(await scope.pauseWhile(ceremony).finally(() => guard.release()))
    const params = { credential, ticket: started.ticket, ...omitUndefined({ login_source, gift_code_sku_id }) }
    const { data, response } = await transport.send(finish, shared, params).withResponse()
    await guard.replace(finish.name, data, shared.timeout)
    return { data: { ...data, status: 'complete' }, response }
  })
}

/** Whether a second factor is required before the service issues a token. */
function isMfaPending(first: MfaFlags): boolean {
  return first.mfa === true && typeof first.ticket === 'string'
}

/** A sign-in or password reset that requires a second factor. */
export interface MfaPending<T> {
  /** Distinguishes it from a completed one. */
  status: 'mfa'
  /** Verify it to complete the sign-in or reset. */
  challenge: MfaChallenge<T>
  /** ID of the user. */
  user_id: string
}

/** Request options with an MFA handler, so that the result is always a completed one. */
export type WithMfaHandler = RequestOptions & {
  /** Handler that returns the second factor. */
  readonly onMfaRequired: MfaHandler
}

/** Result of a completed flow. */
interface Authenticated {
  /** New token of the session. */
  readonly token: string
}

/** A call that returns a token, or the second factors that are required for one. */
export interface MfaFlow<
  First extends MfaFlags & Pick<Partial<LoginResponse>, 'user_id'>,
  Result extends Authenticated,
> {
  readonly endpoint: Endpoint
  /** Parameters of the call, for redaction. */
  readonly params: unknown
  readonly reason: MfaChallenge['reason']
  /** Sends the call. `finish` processes its response. */
  start(options: RequestOptions, finish: (first: First, call: Call) => First): Promise<WithResponse<First>>
  /** Returns the result if the response has a token, or `undefined` if a second factor is required. */
  complete(first: First): Result | undefined
  /** Verifies a second factor. */
  submit(first: First, ticket: string, answer: MfaPayload, options: RequestOptions): Promise<Result>
}

/**
 * Runs a flow: to its end if there is a handler, else up to the challenge. An expired ticket is renewed once.
 * API, "Login and multi-factor flow".
 */
export async function runFlow<First extends MfaFlags & { user_id?: string }, Result extends Authenticated>(
  context: MfaContext,
  flow: MfaFlow<First, Result>,
  input: RequestOptions,
): Promise<WithResponse<Result | MfaPending<Result>>> {
  const { transport, config } = context
  const { name } = flow.endpoint
  return transport.withScope(flow.endpoint, input, async (scope, shared, options, calls) => {
    const handler = options.onMfaRequired ?? config.onMfaRequired
    const guard = new SessionGuard(transport.session)
    for (let expired: Error | undefined; ; ) {
      const { data: first, response } = await flow.start(shared, (data, call) => {
        const first = withoutPrototype(data)
        const methods = methodsOf(first).map(({ type }) => ({ type }))
        if (isMfaPending(first)) notify(call, 'mfaRequired', { methods })
        return first
      })
      const result = flow.complete(first)
      if (result !== undefined) {
        await guard.replace(name, result, options.timeout)
        return { data: result, response }
      }

      // A challenge without a handler outlives this call, its signal and its deadline.
      const source = flowSource(context, flow, first, guard, handler ? shared : options, calls)
      if (!handler) {
        return { data: { status: 'mfa', challenge: new Challenge(source), user_id: first.user_id ?? '' }, response }
      }
      const pausingHandler: MfaHandler = (challenge) => {
        const promptedMs = scope.pausedMs
        return scope
          .pauseWhile(async () => handler(challenge))
          .finally(() => {
            calls.promptMs = scope.pausedMs - promptedMs
          })
      }
      guard.watch(scope)
      try {
        return { data: await Challenge.prompt({ ...source, expired }, pausingHandler, scope.signal), response }
      } catch (error) {
        expired = rethrowUnlessExpired(error, expired)
      } finally {
        guard.release()
      }
    }
  })
}

/** Creates the source of the challenge of a flow, from the response that requires a second factor. */
export function flowSource<First extends MfaFlags, Result extends Authenticated>(
  context: MfaContext,
  flow: MfaFlow<First, Result>,
  first: First,
  guard = new SessionGuard(context.transport.session),
  options: RequestOptions = {},
  calls: FlowCalls = {},
): ChallengeSource<Result> {
  const ticket = first.ticket ?? ''
  return {
    ...context,
    endpoint: flow.endpoint.name,
    calls,
    reason: flow.reason,
    methods: methodsOf(first),
    ticket,
    secrets: () => [...requestSecrets(flow.params), ...responseSecrets(first)],
    options,
    flow: { params: flow.params, first },
    submit: async (answer, submitOptions) => {
      guard.throwIfChanged()
      const result = await flow.submit(first, ticket, answer, submitOptions)
      guard.throwIfChanged()
      await guard.replace(flow.endpoint.name, result, options.timeout)
      return result
    },
  }
}

/** Converts the flags of a login or reset to the array of methods that a 60003 contains. */
function methodsOf({ totp, sms, backup, webauthn }: MfaFlags): MfaMethod[] {
  const methods: MfaMethod[] = []
  if (totp) methods.push({ type: 'totp', ...(backup && { backup_codes_allowed: true }) })
  if (sms) methods.push({ type: 'sms' })
  if (backup) methods.push({ type: 'backup' })
  if (webauthn) methods.push({ type: 'webauthn', challenge: webauthn })
  return methods
}

/** Prevents a sign-in from replacing a session that changed after the sign-in started. */
class SessionGuard {
  readonly #session: SessionManager
  readonly #sequence: number
  #unsubscribe = () => {}

  constructor(session: SessionManager) {
    this.#session = session
    this.#sequence = session.nextSequence()
  }

  /** Aborts a sign-in when the session changes, until `release` or `replace`. */
  watch(scope: AbortScope): void {
    const check = () => {
      if (this.#isSuperseded) scope.abort(this.#cancelled())
    }
    this.#unsubscribe = this.#session.onChange(check)
    // The session may have changed since the guard was created.
    check()
  }

  /**
   * Throws if the session has changed since the sign-in started.
   * @throws MfaCancelledError
   */
  throwIfChanged(): void {
    if (this.#isSuperseded) throw this.#cancelled()
  }

  /**
   * Sets the token and the user of a completed sign-in, whose result loses a token that is in a cookie.
   * @throws ResponseMismatchError if the response has no token.
   * @throws RapportError if the session has changed since the sign-in started: the token is then not used.
   */
  async replace(endpoint: string, response: object, timeoutMs?: number): Promise<void> {
    this.release()
    const token = extractToken(endpoint, response)
    if (this.#isSuperseded) {
      // The answer has set the cookie again. What the sign-out says then is of no use to the caller.
      if (this.#session.isCookie && this.#session.token === null) await this.#session.setToken(null).catch(() => {})
      throw new RapportError(`${endpoint} succeeded, but ${this.#change} meanwhile: its token is not used.`)
    }
    await this.#session.replace(token, this.#sequence, timeoutMs, readUser(response))
    if (this.#session.isCookie) Reflect.deleteProperty(response, 'token')
  }

  /** Stops watching the session. */
  release(): void {
    this.#unsubscribe()
  }

  get #isSuperseded(): boolean {
    return this.#session.isSuperseded(this.#sequence)
  }

  get #change(): string {
    return this.#session.token === null ? 'the session was signed out' : 'the session changed'
  }

  #cancelled(): MfaCancelledError {
    return new MfaCancelledError(this.#change)
  }
}

/** Returns a callback that stores the token of a sign-in, unless the session changes from now on. */
export function storeToken({ session }: Transport) {
  const guard = new SessionGuard(session)
  return async <T extends { token: string }>(response: T, { prepared, limits }: Call): Promise<T> => {
    await guard.replace(prepared.name, response, limits.timeout)
    return response
  }
}

/** Returns a callback that removes the token that the call was made with; a newer token is kept. */
export function removeToken({ session }: Transport) {
  const sequence = session.nextSequence()
  return async <T>(response: T, { token, limits }: Call): Promise<T> => {
    await session.forget(token, sequence, limits.timeout)
    return response
  }
}
