import type { WithResponse } from '../api-promise'
import { contract } from '../contract'
import type { LoginOrigin, LoginParams, LoginResponse, MfaFlags } from '../contract/login'
import type { ResetPasswordParams, ResetPasswordResponse } from '../contract/recovery'
import { ResponseMismatchError } from '../errors/validation-errors'
import type { RequestOptions } from '../options'
import type { Transport } from '../transport/transport'
import { parseRequestOptions } from '../webauthn/adapter'
import type { LoginCompleted, ResetCompleted } from './challenge'
import { SharedDeadline } from './deadline'
import type { MfaFlow } from './mfa-flow'

const rows = contract.auth

/** Login Account, and Verify MFA Login where a second factor is due. Interface, "B. Login". */
export function signInFlow(transport: Transport, params: LoginParams): MfaFlow<LoginResponse, LoginCompleted> {
  const { login_source, gift_code_sku_id } = params ?? {}
  return {
    row: rows.login,
    reason: 'login',
    start: (options) => transport.send(rows.login, [], params, options).withResponse(),
    complete: async (first) => {
      if (isPending(first)) return undefined
      return { ...first, status: 'complete', token: await keepToken(transport, rows.login.name, first) }
    },
    submit: async ({ user_id, login_instance_id, required_actions }, ticket, { type, code }, options) => {
      const body = {
        ticket,
        ...(login_instance_id !== undefined && { login_instance_id }),
        code,
        ...(login_source !== undefined && { login_source }),
        ...(gift_code_sku_id !== undefined && { gift_code_sku_id }),
      }
      const answer = await transport.send(rows.verifyMfaLogin, [type], body, options)
      const token = await keepToken(transport, rows.verifyMfaLogin.name, answer)
      return { ...answer, status: 'complete', token, user_id, ...(required_actions && { required_actions }) }
    },
  }
}

/** Reset Password, repeated with method, ticket and code where a second factor is due. Interface, "E. …". */
export function resetFlow(
  transport: Transport,
  params: ResetPasswordParams,
): MfaFlow<ResetPasswordResponse, ResetCompleted> {
  const finish = async (answer: ResetPasswordResponse, userId = answer.user_id): Promise<ResetCompleted> => {
    const token = await keepToken(transport, rows.resetPassword.name, answer)
    return { status: 'complete', token, ...(userId !== undefined && { user_id: userId }) }
  }
  return {
    row: rows.resetPassword,
    reason: 'password_reset',
    start: (options) => transport.send(rows.resetPassword, [], params, options).withResponse(),
    complete: async (first) => (isPending(first) ? undefined : finish(first)),
    submit: async ({ user_id }, ticket, { type, code }, options) => {
      const body = { ...params, method: type, ticket, code }
      const answer = await transport.send(rows.resetPassword, [], body, options)
      return finish(answer, user_id)
    },
  }
}

/** How a passkey login may be told to go. */
export interface PasskeyLoginOptions extends LoginOrigin, RequestOptions {
  /**
   * Whether to offer passkeys in the browser's autofill instead of a dialog.
   * @default false
   */
  readonly autofill?: boolean
}

/** Start Passwordless Login, the ceremony, Finish Passwordless Login. Interface, "B. Login". */
export async function passkeyLogin(
  transport: Transport,
  given: PasskeyLoginOptions,
): Promise<WithResponse<LoginCompleted>> {
  const { autofill = false, login_source, gift_code_sku_id, ...options } = given
  const deadline = new SharedDeadline(options.deadline ?? transport.config.deadline)
  const start = (given: RequestOptions) => transport.send(rows.startPasswordlessLogin, [], undefined, given)
  const { ticket, challenge } = await deadline.spend(options, start)
  const { signal } = options
  const request = { autofill, ...(signal && { signal }) }
  const credential = await transport.config.webauthn.get(parseRequestOptions(challenge), request)
  const params = {
    ticket,
    credential: JSON.stringify(credential),
    ...(login_source !== undefined && { login_source }),
    ...(gift_code_sku_id !== undefined && { gift_code_sku_id }),
  }
  const finish = (given: RequestOptions) =>
    transport.send(rows.finishPasswordlessLogin, [], params, given).withResponse()
  const { data, response } = await deadline.spend(options, finish)
  await keepToken(transport, rows.finishPasswordlessLogin.name, data)
  return { data: { ...data, status: 'complete' }, response }
}

/** Whether a second factor is due before there is a token. */
function isPending({ mfa, ticket }: MfaFlags): boolean {
  return mfa === true && ticket !== undefined
}

/** Stores the token of an answer. One that has neither a token nor a ticket is of no use to anyone. */
async function keepToken(transport: Transport, endpoint: string, { token }: { token?: string }): Promise<string> {
  if (token === undefined) {
    const message = 'required: a token, or a ticket with `mfa`'
    throw new ResponseMismatchError(endpoint, [{ path: ['token'], code: 'required', message, severity: 'error' }])
  }
  await transport.session.setToken(token)
  return token
}
