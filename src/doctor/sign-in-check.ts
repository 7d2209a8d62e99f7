// Sign-in of a check, its second factors, and the end of its session.
import { throwIfAborted } from '../abort'
import type { Endpoint } from '../contract/endpoint'
import { login } from '../contract/login'
import { finishMfa, type MfaMethod, sendMfaSms } from '../contract/mfa'
import { sessions } from '../contract/sessions'
import { RapportError } from '../errors/base'
import { readField } from '../internal/json'
import type { MfaConfig } from '../mfa/options'
import { readMfaConfig } from '../mfa/step-up'
import type { TransportConfig } from '../transport/call'
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

/** A session that the check has started. */
export interface OwnSession {
  readonly token: string
  readonly userId: unknown
}

export class SignInCheck {
  readonly #config: TransportConfig
  readonly #mfa: MfaConfig
  readonly #probe: Probe

  constructor(config: TransportConfig, probe: Probe) {
    this.#config = config
    // The options of the parts of a client are there too.
    this.#mfa = readMfaConfig(Object(config))
    this.#probe = probe
  }

  /** Signs in. */
  async signIn({ login: name, password, wrongCode = false }: SignInParams): Promise<OwnSession> {
    const started = await this.#probe.request(login.login, { body: { login: name, password }, authorization: null })
    if (!started.isSuccess) throw new RapportError(`The service refused the sign-in with status ${started.status}.`)
    const token = readField(started.body, 'token') ?? (await this.#verifyLogin(started.body, wrongCode))
    if (typeof token !== 'string') throw new RapportError('The sign-in returned no token.')
    return { token, userId: readField(started.body, 'user_id') }
  }

  async #verifyLogin(started: unknown, wrongCode: boolean): Promise<unknown> {
    const ticket = readField(started, 'ticket')
    const login_instance_id = readField(started, 'login_instance_id')
    const methods = (['totp', 'sms', 'backup'] as const).filter((method) => readField(started, method) === true)
    const { verifyMfaLogin } = login
    const verify = (type: string, code: string) => {
      const path = { authenticator_type: type }
      return this.#probe.request(verifyMfaLogin, {
        path,
        body: { ticket, login_instance_id, code },
        authorization: null,
      })
    }
    if (wrongCode && methods[0]) this.#readWrongCode(await verify(methods[0], '000000'))
    const types = methods.map((type) => ({ type }))
    const { type, code } = await this.#ask('login', login.login, types, ticket)
    const verified = await verify(type, code)
    if (!verified.isSuccess) throw new RapportError(`The service refused the code with status ${verified.status}.`)
    return readField(verified.body, 'token')
  }

  #readWrongCode({ status, headers, body, code: seen }: Answer): void {
    const { readError } = this.#config
    const code = readError ? readError({ status, headers, body }).code : seen
    const failure = { endpoint: '', status, code, serviceMessage: '', fieldErrors: [], body: undefined }
    const isRefused = this.#mfa.classifyMfaFailure(toApiError(failure)) === 'refused'
    this.#probe.findings.record('mfaFailureStatuses', isRefused, `status ${status} for a wrong code`)
    this.#probe.findings.facts.wrongCode = { status, ...(seen !== undefined && { code: seen }) }
  }

  /** Obtains a second factor by the client's handler. */
  async #ask(
    reason: MfaChallenge['reason'],
    { name: endpoint }: Endpoint,
    methods: readonly MfaMethod[],
    ticket: unknown,
  ): Promise<{ readonly type: string; readonly code: string }> {
    const { signal } = this.#probe
    const unsupported = () => {
      throw new RapportError('A check supports second factors that are typed.')
    }
    const allows = (type: string) =>
      methods.some((one) => one.type === type || (type === 'backup' && one.backup_codes_allowed === true))
    const challenge: MfaChallenge = {
      ...{ reason, endpoint, methods, signal, allows, attempt: 1, attemptsLeft: undefined, lastError: undefined },
      state: 'waiting',
      settled: new Promise(() => {}),
      onChange: () => () => {},
      sendSms: async () => {
        const { body } = await this.#probe.request(sendMfaSms, { body: { ticket } })
        return { phone: String(readField(body, 'phone')) }
      },
      ...{ webauthnOptions: unsupported, webauthn: unsupported, verify: unsupported, save: unsupported },
    }
    const answer = await this.#mfa.onMfaRequired?.(challenge)
    throwIfAborted(signal)
    const code = readField(answer ?? undefined, 'code')
    if (!answer || typeof code !== 'string') throw new RapportError(`${endpoint} needs a second factor.`)
    this.#probe.findings.hide(code)
    return { type: answer.type, code: answer.type === 'password' ? code : code.replace(/\s/g, '') }
  }

  /**
   * Calls Logout Auth Sessions, and verifies a second factor if it is required. Returns the verification, or else whether the
   * call has succeeded. Without a hash it names no session, so that none can end.
   */
  async stepUp(hash = 'no-session'): Promise<string | boolean> {
    const { findings } = this.#probe
    const answer = await this.#probe.request(sessions.logout, { body: { session_id_hashes: [hash] } })
    const required = answer.isSuccess ? undefined : findTicket(answer.body)
    if (!required) return answer.isSuccess
    findings.facts.logoutNeedsStepUp = true
    const { ticket, methods } = required
    const { type, code } = await this.#ask('elevation', sessions.logout, methods, ticket)
    const verified = await this.#probe.request(finishMfa, { body: { ticket, mfa_type: type, data: code } })
    const jwt = readField(verified.body, 'token')
    if (typeof jwt === 'string') return jwt
    findings.skipEndpoint(finishMfa.name, `status ${verified.status}`)
    return false
  }

  /** Ends the session by Logout Auth Sessions. Returns whether it ended. */
  async endSession(token: string, gateway: GatewayCheck | undefined, verified: string | boolean): Promise<boolean> {
    const { findings } = this.#probe
    const hash = readField(gateway?.ready, 'auth_session_id_hash')
    if (typeof hash !== 'string') {
      findings.skipEndpoint(sessions.logout.name, 'only Ready of the gateway says which session is that of the check')
      return false
    }
    const jwt = typeof verified === 'string' ? verified : await this.stepUp(hash)
    if (typeof jwt === 'boolean') {
      findings.facts.logoutNeedsStepUp ??= !jwt
      return jwt
    }
    const isConnected = (await gateway?.resume(token)) === true
    const answer = await this.#probe.request(sessions.logout, { body: { session_id_hashes: [hash] }, jwt })
    if (!answer.isSuccess) findings.skipEndpoint(sessions.logout.name, `status ${answer.status}`)
    else if (isConnected) await gateway?.expectEnd()
    return answer.isSuccess
  }
}
