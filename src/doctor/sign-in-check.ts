// Sign-in of a check, its second factors, and the end of its session.
import { throwIfAborted } from '../abort'
import type { Endpoint } from '../contract/endpoint'
import { login } from '../contract/login'
import { finishMfa, type MfaMethod, MfaMethodSchema, sendMfaSms } from '../contract/mfa'
import { sessions } from '../contract/sessions'
import { isValid } from '../contract/validate'
import { RapportError } from '../errors/base'
import { readField } from '../internal/json'
import { normalizeCode } from '../mfa/challenge'
import { readMfaConfig } from '../mfa/step-up'
import { toApiError } from '../transport/response'
import type { MfaChallenge } from '../types/mfa'
import type { GatewayCheck } from './gateway-check'
import { type Answer, findTicket, type Probe } from './probe'

/** Account to sign in with. */
export interface SignInParams {
  /** Email address or phone number. */
  readonly login: string
  /** The password. */
  readonly password: string
  /**
   * Whether to send one wrong code before the right one.
   * @default false
   */
  readonly wrongCode?: boolean | undefined
}

/** Signs in. Returns the token and the ID of the user. */
export async function signIn(probe: Probe, { login: name, password, wrongCode = false }: SignInParams) {
  const started = await probe.request(login.login, { body: { login: name, password }, authorization: null })
  if (!started.isSuccess) throw new RapportError(`The service refused the sign-in with status ${started.status}.`)
  const token = readField(started.body, 'token') ?? (await verifyLogin(probe, started.body, wrongCode))
  if (typeof token !== 'string') throw new RapportError('The sign-in returned no token.')
  return { token, userId: readField(started.body, 'user_id') }
}

async function verifyLogin(probe: Probe, started: unknown, wrongCode: boolean): Promise<unknown> {
  const [ticket, login_instance_id] = [readField(started, 'ticket'), readField(started, 'login_instance_id')]
  const methods = ['totp', 'sms', 'backup'].flatMap((type) => (readField(started, type) === true ? { type } : []))
  const verify = (authenticator_type: string, code: string) => {
    const body = { ticket, login_instance_id, code }
    return probe.request(login.verifyMfaLogin, { path: { authenticator_type }, body, authorization: null })
  }
  const wrong = wrongCode && methods[0] ? await verify(methods[0].type, '000000') : undefined
  if (wrong) readWrongCode(probe, wrong)
  // A service that accepts any code has started the session.
  if (wrong?.isSuccess) return readField(wrong.body, 'token')
  const { type, code } = await ask(probe, 'login', login.login, methods, ticket)
  const verified = await verify(type, code)
  if (!verified.isSuccess) throw new RapportError(`The service refused the code with status ${verified.status}.`)
  return readField(verified.body, 'token')
}

function readWrongCode({ config, findings }: Probe, { seen, failure }: Answer) {
  const status = `status ${seen.status}`
  if (seen.status === 429 || seen.status >= 500)
    return findings.skipEndpoint(login.verifyMfaLogin.name, `${status} for a wrong code`)
  // The options of the parts of a client are there too.
  const isRefused = readMfaConfig(Object(config)).classifyMfaFailure(toApiError(failure)) === 'refused'
  findings.record('mfaFailureStatuses', isRefused, `${status} for a wrong code`)
  findings.facts.wrongCode = seen
}

/** Obtains a second factor by the client's handler. */
async function ask(
  probe: Probe,
  reason: MfaChallenge['reason'],
  { name: endpoint }: Endpoint,
  methods: readonly MfaMethod[],
  ticket: unknown,
): Promise<{ readonly type: string; readonly code: string }> {
  const { signal } = probe
  const unsupported = () => {
    throw new RapportError('A check supports second factors that are typed.')
  }
  const challenge: MfaChallenge<never> = {
    ...{ reason, endpoint, methods, signal, attempt: 1, attemptsLeft: undefined, lastError: undefined },
    ...{ state: 'waiting', settled: new Promise(() => {}), onChange: () => () => {} },
    ...{ webauthnOptions: unsupported, webauthn: unsupported, verify: unsupported, save: unsupported },
    allows: (type) =>
      methods.some((one) => one.type === type || (type === 'backup' && one.backup_codes_allowed === true)),
    sendSms: async () => {
      const { body } = await probe.request(sendMfaSms, { body: { ticket } })
      return { phone: String(readField(body, 'phone')) }
    },
  }
  const answer = await readMfaConfig(Object(probe.config)).onMfaRequired?.(challenge)
  throwIfAborted(signal)
  const code = readField(answer ?? undefined, 'code')
  if (!answer || typeof code !== 'string') throw new RapportError(`${endpoint} needs a second factor: none was typed.`)
  const typed = normalizeCode(answer.type, code)
  probe.findings.hide(code, typed)
  return { type: answer.type, code: typed }
}

/**
 * Calls Logout Auth Sessions for no session, and verifies a second factor if it is required. Returns the verification;
 * `undefined` if there is none.
 */
export async function stepUp(probe: Probe): Promise<string | undefined> {
  const { isSuccess, body } = await probe.request(sessions.logout, { body: { session_id_hashes: ['no-session'] } })
  const required = isSuccess ? undefined : findTicket(body)
  if (isSuccess) probe.findings.facts.policy.requireMfa = { [sessions.logout.name]: false }
  if (!required) return undefined
  const { ticket, methods } = required
  const known = Array.isArray(methods) ? methods.filter((one) => isValid(MfaMethodSchema, one)) : []
  const { type, code } = await ask(probe, 'elevation', sessions.logout, known, ticket)
  const verified = await probe.request(finishMfa, { body: { ticket, mfa_type: type, data: code } })
  const jwt = readField(verified.body, 'token')
  if (typeof jwt === 'string') return jwt
  probe.findings.skipEndpoint(finishMfa.name, `status ${verified.status}`)
  return undefined
}

/** Ends the session by Logout Auth Sessions. Returns whether it ended. */
export async function endSession(
  probe: Probe,
  token: string,
  gateway: GatewayCheck | undefined,
  jwt: string | undefined,
): Promise<boolean> {
  const { findings } = probe
  probe.throwIfStopped()
  const hash = readField(gateway?.ready, 'auth_session_id_hash')
  const skip = (reason: string) => findings.skipEndpoint(sessions.logout.name, reason)
  if (typeof hash !== 'string') skip('only Ready of the gateway says which session is that of the check')
  if (typeof hash !== 'string') return false
  const isConnected = (await gateway?.resume(token)) === true
  const { isSuccess, status } = await probe.request(sessions.logout, { body: { session_id_hashes: [hash] }, jwt })
  if (!isSuccess) skip(`status ${status}`)
  else if (isConnected) await gateway?.expectEnd()
  return isSuccess
}
