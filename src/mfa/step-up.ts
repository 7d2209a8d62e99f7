import { raceAbort } from '../abort'
import { finishMfa, MFA_REQUIRED_CODE, type MfaMethod, type MfaVerificationRequest } from '../contract/mfa'
import { isApiError, MfaRequiredError } from '../errors/api-errors'
import { MfaCancelledError } from '../errors/client-errors'
import { readField } from '../internal/json'
import type { Secrets } from '../internal/redact'
import { type Elevation, Elevations, type SharedOperation } from '../session/elevation'
import type { SharedVerifications } from '../session/shared-verifications'
import { type Call, callInfo, listSecrets, notify, secretsOf } from '../transport/call'
import { type BufferedResponse, decodeFailure, extractToken } from '../transport/response'
import { waitForLimit } from '../transport/send'
import type { StepUp, Transport } from '../transport/transport'
import type { Elevated, MfaFailureKind, MfaHandler } from '../types/mfa'
import type { CallInfo } from '../types/options'
import { Challenge, type ChallengeSource, type MfaContext } from './challenge'
import { type MfaConfig, type MfaOptions, rethrowUnlessExpired } from './options'

/** Maximum number of prompts per call: the first, and one more if the service requires another verification. */
const MAX_PROMPTS = 2
/** Maximum number of retries per call without a prompt, each with a JWT that another call has obtained meanwhile. */
const MAX_REPLAYS = 3

/** Creates the step-up of a client and of all that it creates: they share the verifications of their accounts. */
export function createStepUp(config: MfaConfig, shared?: Promise<SharedVerifications>): Omit<StepUp, 'save'> {
  return {
    elevations: new Elevations(shared),
    run: (transport, call, elevation, first, send) =>
      new CallStepUp({ transport, config }, call, elevation, shared).run(first, send),
  }
}

/** The step-up of one call. The numbers of prompts, replays and restarts are limited, so it ends even if every response is a 60003. */
class CallStepUp {
  readonly #context: MfaContext
  readonly #call: Call
  readonly #elevation: Elevation
  readonly #shared: Promise<SharedVerifications> | undefined
  readonly #handler: MfaHandler | false | undefined
  #prompts = 0
  #replays = 0
  #isRead = false
  #expired: Error | undefined

  constructor(context: MfaContext, call: Call, elevation: Elevation, shared: Promise<SharedVerifications> | undefined) {
    this.#context = context
    this.#call = call
    this.#elevation = elevation
    this.#shared = shared
    this.#handler = call.limits.options.onMfaRequired ?? context.config.onMfaRequired
  }

  /**
   * Obtains the second factor that the service requires (60003), and retries the identical request with the MFA header.
   * API, "Multi-factor elevation".
   */
  async run(first: BufferedResponse, send: () => Promise<BufferedResponse>): Promise<BufferedResponse> {
    const { transport } = this.#context
    const elevation = this.#elevation
    const call = this.#call
    const sendAgain = () => {
      if (this.#prompts > 0) elevation.throwIfClosed()
      return send()
    }
    for (let response = first; ; response = await sendAgain()) {
      if (!transport.requiresStepUp(call, response)) {
        if (call.jwt !== undefined && response.status < 300) elevation.accept(call.jwt)
        return response
      }
      if (call.jwt !== undefined) elevation.invalidate(call.jwt)
      if (!(await this.#hasVerification())) await this.#verify(response)
    }
  }

  /** Whether the request can be sent again with a JWT that another call or process has obtained meanwhile. */
  async #hasVerification(): Promise<boolean> {
    const { transport } = this.#context
    const { prepared, scope, token, jwt, failuresBefore } = this.#call
    const elevation = this.#elevation
    if (prepared.isOneShot) return false
    if (this.#shared && !this.#isRead && elevation.jwt === undefined && token !== null) {
      this.#isRead = true
      const reading = this.#shared.then((shared) => shared.read(token, transport.events.warn))
      const found = await raceAbort(reading, scope.signal)
      if (found) elevation.adopt(found.jwt, found.expiresInMs, jwt)
    }
    if (this.#handler) {
      elevation.throwIfFailedSince(failuresBefore)
      // A code could not be verified: a prompt would be pointless.
      if (elevation.jwt === undefined) await waitForLimit(this.#call, finishMfa)
    }
    return elevation.jwt !== undefined && this.#replays++ < MAX_REPLAYS
  }

  /** Prompts for the second factor that a response requires, or throws if that is not possible. */
  async #verify(response: BufferedResponse): Promise<void> {
    const { transport, config } = this.#context
    const call = this.#call
    const mfa = readRequirement(response)
    const origin = {
      endpoint: call.prepared.name,
      token: call.token ?? undefined,
      calls: { callId: call.record.callId },
      secrets: () => listSecrets(call, response),
      describe: () => callInfo(call),
    }
    const source = mfa && elevationSource({ transport, config, elevation: this.#elevation }, origin, mfa)
    if (transport.events.isObserved)
      notify(call, 'mfaRequired', { methods: publicMethods(mfa, secretsOf(call, response)) })
    const problem = this.#problem(source)
    if (!source || !this.#handler || problem !== undefined)
      throw new MfaRequiredError(transport.failure(call, response), source && new Challenge(source), problem)
    await this.#prompt(source, this.#handler)
  }

  /** Returns why there can be no prompt, if there is a reason that the caller does not know. */
  #problem(source: ChallengeSource<Elevated> | undefined): string | undefined {
    const { isBlocked } = this.#elevation
    const requiredAgain =
      'The service requires a second factor again although one was verified. Check that no proxy ' +
      `removes the header ${this.#context.transport.config.mfaHeader} (\`mfaHeader\`).`
    if (source === undefined) return 'The response contains nothing to verify.'
    if (!this.#handler) return isBlocked ? requiredAgain : undefined
    if (this.#call.prepared.isOneShot)
      return 'A stream can be sent only once: verify `error.challenge`, then call with a new stream.'
    if (isBlocked) return `${requiredAgain} Prompts are blocked for 5 minutes.`
    return this.#prompts++ >= MAX_PROMPTS ? requiredAgain : undefined
  }

  /** Joins or opens the prompt of the account. A ticket that has expired is renewed by the next response, once. */
  async #prompt(source: ChallengeSource<Elevated>, handler: MfaHandler): Promise<void> {
    const { transport } = this.#context
    const prompt = async (operation: SharedOperation): Promise<void> => {
      // The verification has no deadline: those of the waiting calls apply.
      const shared = { ...source, expired: this.#expired, options: { ...source.options, deadline: Infinity } }
      const pausingHandler: MfaHandler = (challenge) => operation.pauseWhile(async () => handler(challenge))
      // Calls of other clients may wait for it.
      const release = transport.abortOnDispose(operation)
      await Challenge.prompt(shared, pausingHandler, operation.signal).finally(release)
    }
    try {
      await this.#elevation.join(prompt, this.#call.scope)
    } catch (error) {
      this.#expired = rethrowUnlessExpired(error, this.#expired)
      this.#prompts--
    }
  }
}

/** Returns the verification that a response requires; `undefined` if it contains nothing to verify. */
function readRequirement(response: BufferedResponse): MfaVerificationRequest | undefined {
  const mfa = response.content?.mfa ?? readField(decodeFailure(response), 'mfa')
  const ticket = readField(mfa, 'ticket')
  const values = readField(mfa, 'methods')
  if (typeof ticket !== 'string' || !Array.isArray(values)) return undefined
  const methods = values.flatMap(readMethod)
  return methods.length === 0 && values.length > 0 ? undefined : { ticket, methods }
}

const METHOD_FIELDS = ['type', 'challenge', 'backup_codes_allowed']

/** Reads the valid fields of a method; without a type it is omitted. A malformed method does not affect the others. */
function readMethod(value: unknown): MfaMethod[] {
  const [type, challenge, backup_codes_allowed] = METHOD_FIELDS.map((name) => readField(value, name))
  if (typeof type !== 'string') return []
  const method: MfaMethod = { type }
  if (typeof challenge === 'string') method.challenge = challenge
  if (typeof backup_codes_allowed === 'boolean') method.backup_codes_allowed = backup_codes_allowed
  return [method]
}

/** Returns the types of the methods for an event, without challenges and other secrets. */
function publicMethods(mfa: MfaVerificationRequest | undefined, secrets: Secrets) {
  return (mfa?.methods ?? []).map(({ type }) => ({ type: secrets.text(type) }))
}

/** Creates the source of a step-up challenge, which is verified with the call's own token. `describe` returns that call. */
export function elevationSource(
  { transport, config, elevation }: MfaContext & { readonly elevation: Elevation },
  {
    endpoint,
    token,
    calls,
    secrets,
    describe,
  }: Pick<ChallengeSource<Elevated>, 'endpoint' | 'calls' | 'secrets'> & {
    token: string | undefined
    describe?: () => CallInfo
  },
  { ticket, methods }: Pick<ChallengeSource<Elevated>, 'ticket' | 'methods'>,
): ChallengeSource<Elevated> {
  return {
    transport,
    config,
    endpoint,
    calls,
    reason: 'elevation',
    methods,
    ticket,
    secrets,
    options: { token },
    submit: async ({ type, code }, options) => {
      elevation.throwIfClosed()
      if (transport.isDisposed) throw new MfaCancelledError('the client was disposed')
      const requestedAt = performance.now()
      const params = { ticket, mfa_type: type, data: code }
      return transport.send(finishMfa, options, params, undefined, async (verified, finish): Promise<Elevated> => {
        elevation.throwIfClosed()
        // The elevation of the original call may have been evicted; calls share that of `finish`.
        const expiresInMs = await keepVerification(transport, finish, verified, requestedAt, describe)
        return { status: 'elevated', expiresInMs }
      })
    },
  }
}

/**
 * Stores the JWT that a call has verified, also for other processes, and emits `elevated`. Returns the time of its use, in
 * milliseconds.
 */
export async function keepVerification(
  transport: Transport,
  call: Call,
  response: unknown,
  requestedAt: number,
  describe = () => callInfo(call),
): Promise<number> {
  const { events, stepUp } = transport
  const { elevation, token } = call
  const jwt = extractToken(finishMfa.name, response)
  const expiresInMs = elevation?.store(jwt, requestedAt, describe) ?? 0
  // Before it waits for the store, which may take seconds.
  const expiresAt = Date.now() + expiresInMs
  const shared = await stepUp?.elevations.shared
  if (token !== null) await shared?.write(token, { jwt, expiresAt }, events.warn)
  return expiresInMs
}

/** Fills in the defaults of the options for second factors. */
export function readMfaConfig(options: MfaOptions): MfaConfig {
  const { onMfaRequired, mfaTimeout = 300_000, webauthn } = options
  return { onMfaRequired, mfaTimeout, webauthn, classifyMfaFailure: options.classifyMfaFailure ?? classifyByStatus }
}

/** Default of the option `classifyMfaFailure`; a convention. */
function classifyByStatus(error: Error): MfaFailureKind {
  if (!isApiError(error) || error.code === MFA_REQUIRED_CODE || error.status === 429) return 'fatal'
  if (error.status === 401) return 'expired'
  return error.status >= 400 && error.status < 500 ? 'refused' : 'fatal'
}
