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
export function createStepUp(config: MfaConfig, shared?: SharedVerifications): Omit<StepUp, 'save'> {
  return {
    elevations: new Elevations(shared),
    run: (transport, call, elevation, first, send) =>
      stepUp({ transport, config, call, elevation }, first, send, shared),
  }
}

/** A call, and the parts of a client that its step-up uses. */
interface StepUpContext extends MfaContext {
  readonly call: Call
  readonly elevation: Elevation
}

/**
 * Obtains the second factor that the service requires (60003), and retries the identical request with the MFA header.
 * API, "Multi-factor elevation". The numbers of prompts, replays and restarts are limited, so this ends even if
 * every response is a 60003.
 */
async function stepUp(
  context: StepUpContext,
  first: BufferedResponse,
  send: () => Promise<BufferedResponse>,
  shared: SharedVerifications | undefined,
): Promise<BufferedResponse> {
  const { transport, config, call, elevation } = context
  const { prepared, scope, options } = call
  let prompts = 0
  let replays = 0
  let isRead = false
  let expired: Error | undefined
  const handler = options.onMfaRequired ?? config.onMfaRequired
  const sendAgain = () => {
    if (prompts > 0) elevation.throwIfClosed()
    return send()
  }
  for (let response = first; ; response = await sendAgain()) {
    const required = transport.requiresStepUp(response) ? readRequirement(response) : undefined
    if (required === undefined) {
      if (call.jwt !== undefined && response.status < 300) elevation.accept(call.jwt)
      return response
    }
    if (call.jwt !== undefined) elevation.invalidate(call.jwt)
    if (shared && !isRead && elevation.jwt === undefined && call.token !== null && !prepared.isOneShot) {
      isRead = true
      const found = await raceAbort(shared.read(call.token, transport.events.warn), scope.signal)
      if (found) elevation.adopt(found.jwt, found.expiresInMs, call.jwt)
    }
    if (handler && !prepared.isOneShot) {
      elevation.throwIfFailedSince(call.failuresBefore)
      // A code could not be verified: the user would be asked in vain.
      if (elevation.jwt === undefined) await waitForLimit(transport, call, finishMfa)
    }
    // Another call may have obtained a JWT in the meantime.
    if (elevation.jwt !== undefined && !prepared.isOneShot && replays++ < MAX_REPLAYS) continue

    const origin = {
      endpoint: prepared.name,
      token: call.token ?? undefined,
      calls: { callId: call.record.callId },
      secrets: () => listSecrets(call, response),
      describe: () => callInfo(transport, call),
    }
    const source = required.mfa && elevationSource(context, origin, required.mfa)
    const createError = (advice?: string) =>
      new MfaRequiredError(transport.failure(call, response), source && new Challenge(source), advice)
    notify(transport, call, 'mfaRequired', (info) => {
      return { ...info, methods: publicMethods(required.mfa, secretsOf(call, response)) }
    })
    if (source === undefined) throw createError('The response contains nothing to verify.')
    const { isBlocked } = elevation
    const requiredAgain =
      'The service requires a second factor again although one was verified. Check that no proxy ' +
      `removes the header ${transport.config.mfaHeader} (\`mfaHeader\`).`
    if (!handler) throw createError(isBlocked ? requiredAgain : undefined)
    if (prepared.isOneShot)
      throw createError('A stream can be sent only once: verify `error.challenge`, then call with a new stream.')
    if (isBlocked) throw createError(`${requiredAgain} Prompts are blocked for 5 minutes.`)
    if (prompts++ >= MAX_PROMPTS) throw createError(requiredAgain)

    const prompt = async (operation: SharedOperation): Promise<void> => {
      // The verification has no deadline of its own: those of the waiting calls apply.
      const shared = { ...source, expired, options: { ...source.options, deadline: Infinity } }
      const pausingHandler: MfaHandler = (challenge) => operation.pauseWhile(async () => handler(challenge))
      // Calls of other clients may wait for it.
      const release = transport.abortOnDispose(operation)
      await Challenge.prompt(shared, pausingHandler, operation.signal).finally(release)
    }
    try {
      await elevation.join(prompt, scope)
    } catch (error) {
      expired = rethrowUnlessExpired(error, expired)
      prompts--
    }
  }
}

/** Returns the verification that a response requires. */
function readRequirement(response: BufferedResponse): { mfa: MfaVerificationRequest | undefined } {
  const mfa = response.content?.mfa ?? readField(decodeFailure(response), 'mfa')
  const ticket = readField(mfa, 'ticket')
  const values = readField(mfa, 'methods')
  if (typeof ticket !== 'string' || !Array.isArray(values)) return { mfa: undefined }
  const methods = values.flatMap(readMethod)
  return { mfa: methods.length === 0 && values.length > 0 ? undefined : { ticket, methods } }
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
  describe = () => callInfo(transport, call),
): Promise<number> {
  const { events, stepUp } = transport
  const { elevation, token } = call
  const jwt = extractToken(finishMfa.name, response)
  const expiresInMs = elevation?.store(jwt, requestedAt, describe) ?? 0
  if (token !== null) await stepUp?.elevations.shared?.write(token, { jwt, expiresInMs }, events.warn)
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
