import type { AbortScope } from '../abort'
import { contract } from '../contract'
import type { Endpoint } from '../contract/endpoint'
import type { LoginOrigin, LoginParams, LoginResponse, MfaFlags } from '../contract/login'
import type { MfaMethod } from '../contract/mfa'
import type { ResetPasswordParams, ResetPasswordResponse } from '../contract/recovery'
import { RapportError } from '../errors/base'
import { MfaCancelledError } from '../errors/client-errors'
import { anyValue, readOptions } from '../internal/options'
import { requestSecrets, responseSecrets } from '../internal/redact'
import type { SessionManager } from '../session/session'
import type { WithResponse } from '../transport/call'
import { REQUEST_OPTIONS } from '../transport/request'
import type { Transport } from '../transport/transport'
import type { LoginCompleted, MfaChallenge, MfaHandler, ResetCompleted } from '../types/mfa'
import type { RequestOptions } from '../types/options'
import { parseRequestOptions, runCeremony, serializeCredential } from '../webauthn/adapter'
import {
  Challenge,
  type ChallengeSource,
  extractToken,
  type MfaPayload,
  promptForMfa,
  rethrowUnlessExpired,
} from './challenge'

/** Login Account, and Verify MFA Login where a second factor is due. Interface, "B. Login". */
export function signInFlow(transport: Transport, params: LoginParams): MfaFlow<LoginResponse, LoginCompleted> {
  return {
    row: contract.auth.login,
    params,
    reason: 'login',
    start: (options) => transport.send(contract.auth.login, [], params, options).withResponse(),
    complete: (first) =>
      isPending(first)
        ? undefined
        : { ...first, status: 'complete', token: extractToken(contract.auth.login.name, first) },
    submit: async ({ user_id, login_instance_id, required_actions }, ticket, { type, code }, options) => {
      const { login_source, gift_code_sku_id } = params
      const body = { ticket, code, ...omitUndefined({ login_instance_id, login_source, gift_code_sku_id }) }
      const answer = await transport.send(contract.auth.verifyMfaLogin, [type], body, options)
      const token = extractToken(contract.auth.verifyMfaLogin.name, answer)
      return { ...answer, status: 'complete', token, user_id, ...(required_actions && { required_actions }) }
    },
  }
}

/**
 * Reset Password, repeated with method, ticket and code where a second factor is due.
 * Interface, "E. Password recovery".
 */
export function resetFlow(
  transport: Transport,
  params: ResetPasswordParams,
): MfaFlow<ResetPasswordResponse, ResetCompleted> {
  const finish = (answer: ResetPasswordResponse, first = answer): ResetCompleted => {
    const token = extractToken(contract.auth.resetPassword.name, answer)
    return { ...answer, status: 'complete', token, ...omitUndefined({ user_id: first.user_id }) }
  }
  return {
    row: contract.auth.resetPassword,
    params,
    reason: 'password_reset',
    start: (options) => transport.send(contract.auth.resetPassword, [], params, options).withResponse(),
    complete: (first) => (isPending(first) ? undefined : finish(first)),
    submit: async (first, ticket, { type, code }, options) => {
      const body = { ...params, method: type, ticket, code }
      const answer = await transport.send(contract.auth.resetPassword, [], body, options)
      return finish(answer, first)
    },
  }
}

/** How a passkey login may be told to go. */
export interface PasskeyLoginOptions extends LoginOrigin, RequestOptions {
  /**
   * Whether to offer passkeys in the browser's autofill instead of a dialog.
   * @default false
   */
  readonly autofill?: boolean | undefined
}

/** Start Passwordless Login, the ceremony, Finish Passwordless Login. Interface, "B. Login". */
export async function passkeyLogin(
  transport: Transport,
  given: PasskeyLoginOptions,
): Promise<WithResponse<LoginCompleted>> {
  const { startPasswordlessLogin: start, finishPasswordlessLogin: finish } = contract.auth
  const checks = { ...REQUEST_OPTIONS, autofill: anyValue, login_source: anyValue, gift_code_sku_id: anyValue }
  const read = transport.readInput(finish.name, () => readOptions(given, checks, []))
  const { autofill = false, login_source, gift_code_sku_id, ...rest } = read
  // What is no object is refused with the options.
  const options: RequestOptions = typeof given === 'object' && given !== null ? rest : given
  return transport.withScope(finish.name, options, async (scope, shared) => {
    const hold = new SessionGuard(transport.session)
    const started = await transport.send(start, [], undefined, shared)
    hold.watch(scope)
    const ceremony = () => {
      const request = { autofill, signal: scope.signal }
      const options = parseRequestOptions(started?.challenge)
      return runCeremony(transport.config.webauthn, options, request, responseSecrets(started))
    }
    const credential = serializeCredential(await scope.pauseWhile(ceremony).finally(() => hold.release()))
    const params = { credential, ticket: started.ticket, ...omitUndefined({ login_source, gift_code_sku_id }) }
    const { data, response } = await transport.send(finish, [], params, shared).withResponse()
    await hold.replace(finish.name, extractToken(finish.name, data), shared.timeout)
    return { data: { ...data, status: 'complete' }, response }
  })
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** The fields that there are. */
function omitUndefined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>
}

/** Whether a second factor is due before there is a token. */
function isPending(first: MfaFlags): boolean {
  return first?.mfa === true && typeof first.ticket === 'string'
}

/** A sign-in or a reset that needs a second factor. */
export interface MfaPending<T> {
  /** Tells it from one that is completed. */
  status: 'mfa'
  /** Verify it to complete. */
  challenge: MfaChallenge<T>
  /** ID of the user. */
  user_id: string
}

/** What a flow ends in. */
interface Authenticated {
  /** The token that the session takes over. */
  readonly token: string
}

/** A call that answers either a token or what second factors may earn one. */
export interface MfaFlow<First extends MfaFlags & Pick<Partial<LoginResponse>, 'user_id'>, Done extends Authenticated> {
  readonly row: Endpoint
  /** What the caller gave. */
  readonly params: unknown
  readonly reason: MfaChallenge['reason']
  /** Makes the call. */
  start(options: RequestOptions): Promise<WithResponse<First>>
  /** Makes the result of an answer that has a token, else nothing. */
  complete(first: First): Done | undefined
  /** Gives a second factor. */
  submit(first: First, ticket: string, answer: MfaPayload, options: RequestOptions): Promise<Done>
}

/**
 * Runs a flow to its end where there is a handler, else as far as the challenge. A ticket that has expired meanwhile is
 * renewed once. Interface, "Login and multi-factor flow".
 */
export async function runFlow<First extends MfaFlags & { user_id?: string }, Done extends Authenticated>(
  transport: Transport,
  flow: MfaFlow<First, Done>,
  given: RequestOptions,
): Promise<WithResponse<Done | MfaPending<Done>>> {
  const { name, method, path } = flow.row
  return transport.withScope(name, given, async (scope, shared, options) => {
    const handler = options.onMfaRequired ?? transport.config.onMfaRequired
    const hold = new SessionGuard(transport.session)
    for (let isRestart = false; ; isRestart = true) {
      const { data: first, response } = await flow.start(shared)
      const done = flow.complete(first)
      if (done !== undefined) {
        await hold.replace(name, done.token, options.timeout)
        return { data: done, response }
      }

      // A challenge without a handler outlives this call, its signal and its deadline.
      const source = flowSource(transport, flow, first, hold, handler ? shared : options)
      const methods = source.methods.map(({ type }) => ({ type }))
      transport.events.emit('mfaRequired', { endpoint: name, method, path, attempt: response.attempts, methods })
      if (!handler) {
        return { data: { status: 'mfa', challenge: new Challenge(source), user_id: first.user_id ?? '' }, response }
      }
      const ask: MfaHandler = (challenge) => scope.pauseWhile(async () => handler(challenge))
      hold.watch(scope)
      try {
        return { data: await promptForMfa(source, ask, scope.signal), response }
      } catch (error) {
        rethrowUnlessExpired(error, isRestart)
      } finally {
        hold.release()
      }
    }
  })
}

function flowSource<First extends MfaFlags, Done extends Authenticated>(
  transport: Transport,
  flow: MfaFlow<First, Done>,
  first: First,
  hold: SessionGuard,
  options: RequestOptions,
): ChallengeSource<Done> {
  const ticket = first.ticket ?? ''
  return {
    transport,
    endpoint: flow.row.name,
    reason: flow.reason,
    methods: methodsOf(first),
    ticket,
    secrets: () => [...requestSecrets(flow.params), ...responseSecrets(first)],
    options,
    submit: async (answer, bypass) => {
      hold.throwIfChanged()
      const done = await flow.submit(first, ticket, answer, bypass)
      hold.throwIfChanged()
      await hold.replace(flow.row.name, done.token, options.timeout)
      return done
    },
  }
}

/** A login and a reset name second factors by flags, a 60003 by a list; here all are lists. */
function methodsOf({ totp, sms, backup, webauthn }: MfaFlags): MfaMethod[] {
  const methods: MfaMethod[] = []
  if (totp) methods.push({ type: 'totp', ...(backup && { backup_codes_allowed: true }) })
  if (sms) methods.push({ type: 'sms' })
  if (backup) methods.push({ type: 'backup' })
  if (webauthn) methods.push({ type: 'webauthn', challenge: webauthn })
  return methods
}

/** The session as it was when a sign-in began. A sign-in may replace that one, but none that has begun later. */
export class SessionGuard {
  readonly #session: SessionManager
  readonly #order: number
  #stop = () => {}

  constructor(session: SessionManager) {
    this.#session = session
    this.#order = session.nextSequence()
  }

  /** Ends a sign-in when the session changes, until `release` or `replace`. */
  watch(scope: AbortScope): void {
    const check = () => {
      if (this.#isSuperseded) scope.abort(this.#cancelled())
    }
    this.#stop = this.#session.onChange(check)
    // It may have changed since the hold began.
    check()
  }

  /** Rejects if the session has changed since a second factor was asked for. */
  throwIfChanged(): void {
    if (this.#isSuperseded) throw this.#cancelled()
  }

  /**
   * Gives the session the token that a sign-in has earned.
   * @throws RapportError if the session has changed since: the token is not used then.
   */
  async replace(endpoint: string, token: string, timeoutMs?: number): Promise<void> {
    this.release()
    if (this.#isSuperseded)
      throw new RapportError(`${endpoint} succeeded, but ${this.#change} meanwhile: its token is not used.`)
    await this.#session.replace(token, this.#order, timeoutMs)
  }

  /** Has the session forget the token of a call that has ended it. */
  forget(token: string | null, timeoutMs?: number): Promise<void> {
    return this.#session.forget(token, this.#order, timeoutMs)
  }

  /** Ends what `watch` began. */
  release(): void {
    this.#stop()
  }

  get #isSuperseded(): boolean {
    return this.#session.isSuperseded(this.#order)
  }

  get #change(): string {
    return this.#session.token === null ? 'the session was signed out' : 'the session changed'
  }

  #cancelled(): MfaCancelledError {
    return new MfaCancelledError(this.#change)
  }
}
