import type { WithResponse } from '../api-promise'
import { contract } from '../contract'
import type { LoginOrigin, LoginParams, LoginResponse, MfaFlags } from '../contract/login'
import type { ResetPasswordParams, ResetPasswordResponse } from '../contract/recovery'
import { issuedSecrets } from '../internal/redact'
import type { RequestOptions } from '../options'
import { anything, REQUEST_OPTIONS, takeOptions } from '../transport/option-checks'
import type { Transport } from '../transport/transport'
import { parseRequestOptions } from '../webauthn/adapter'
import { runCeremony, serializeCredential } from '../webauthn/ceremony'
import { answeredToken } from './answered-token'
import type { LoginCompleted, ResetCompleted } from './challenge'
import type { MfaFlow } from './mfa-flow'
import { SessionHold } from './session-hold'

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
        : { ...first, status: 'complete', token: answeredToken(contract.auth.login.name, first) },
    submit: async ({ user_id, login_instance_id, required_actions }, ticket, { type, code }, options) => {
      const { login_source, gift_code_sku_id } = params
      const body = { ticket, code, ...present({ login_instance_id, login_source, gift_code_sku_id }) }
      const answer = await transport.send(contract.auth.verifyMfaLogin, [type], body, options)
      const token = answeredToken(contract.auth.verifyMfaLogin.name, answer)
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
    const token = answeredToken(contract.auth.resetPassword.name, answer)
    return { ...answer, status: 'complete', token, ...present({ user_id: first.user_id }) }
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
  const checks = { ...REQUEST_OPTIONS, autofill: anything, login_source: anything, gift_code_sku_id: anything }
  const read = transport.read(finish.name, () => takeOptions(given, checks, []))
  const { autofill = false, login_source, gift_code_sku_id, ...rest } = read
  // What is no object is refused with the options.
  const options: RequestOptions = typeof given === 'object' && given !== null ? rest : given
  return transport.together(finish.name, options, async (lifetime, shared) => {
    const hold = new SessionHold(transport.session)
    const started = await transport.send(start, [], undefined, shared)
    hold.watch(lifetime)
    const ceremony = () => {
      const request = { autofill, signal: lifetime.signal }
      const options = parseRequestOptions(started?.challenge)
      return runCeremony(transport.config.webauthn, options, request, issuedSecrets(started))
    }
    const credential = serializeCredential(await lifetime.pausedFor(ceremony).finally(() => hold.release()))
    const params = { credential, ticket: started.ticket, ...present({ login_source, gift_code_sku_id }) }
    const { data, response } = await transport.send(finish, [], params, shared).withResponse()
    await hold.replace(finish.name, answeredToken(finish.name, data), shared.timeout)
    return { data: { ...data, status: 'complete' }, response }
  })
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** The fields that there are. */
function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>
}

/** Whether a second factor is due before there is a token. */
function isPending(first: MfaFlags): boolean {
  return first?.mfa === true && typeof first.ticket === 'string'
}
