import { contract } from '../contract'
import { MFA_REQUIRED_CODE, type MfaMethod, type MfaVerificationRequest } from '../contract/mfa'
import { ApiError, type ApiFailure } from '../errors/api-errors'
import { declareKind, guardFor } from '../errors/base'
import type { Secrets } from '../internal/redact'
import type { Elevation, SharedOperation } from '../session/elevation'
import { type Call, callInfo, listSecrets, secretsOf } from '../transport/call'
import { type BufferedResponse, decodeFailure } from '../transport/response'
import type { Transport } from '../transport/transport'
import type { Elevated, MfaChallenge } from '../types/mfa'
import { Challenge, type ChallengeSource, extractToken, promptForMfa, rethrowUnlessExpired } from './challenge'

/** Prompts that one call may lead to: the first, and one more where the service asks again after a verification. */
const MAX_PROMPTS = 2

/** Replays without a prompt, each with a JWT that another call has obtained meanwhile. */
const MAX_REPLAYS = 3

/**
 * Sends a call; where the service asks for a second factor (60003), has it given and sends the call again, the same to
 * the byte but for the MFA header. Interface, "Multi-factor elevation". Whatever the service does, this ends: prompts,
 * replays and restarts are bounded.
 */
export async function sendWithStepUp(
  transport: Transport,
  call: Call,
  send: () => Promise<BufferedResponse>,
): Promise<BufferedResponse> {
  const { prepared, elevation, scope, options } = call
  let prompts = 0
  let replays = 0
  let isRestart = false
  let isAsked = false
  const handler = options.onMfaRequired ?? transport.config.onMfaRequired
  for (;;) {
    if (prompts > 0) elevation.throwIfClosed()
    const raw = await send()
    const required = prepared.stepUp ? readRequirement(raw) : undefined
    if (required === undefined) {
      if (isAsked && call.jwt !== undefined && raw.status < 300) elevation.accept(call.jwt)
      return raw
    }
    isAsked = true
    if (call.jwt !== undefined) elevation.invalidate(call.jwt)
    if (handler && !prepared.isOneShot) elevation.throwIfFailedSince(call.failuresBefore)
    // Another call may have been elevated while this one was on its way.
    if (elevation.jwt !== undefined && !prepared.isOneShot && replays++ < MAX_REPLAYS) continue

    const source = required.mfa && elevationSource(transport, call, raw, required.mfa)
    const refuse = (advice?: string) =>
      new MfaRequiredError(transport.failure(call, raw), source && new Challenge(source), advice)
    const methods = publicMethods(required.mfa, secretsOf(call, raw))
    transport.events.emit('mfaRequired', { ...callInfo(call), methods })
    if (source === undefined) throw refuse('The service named nothing to verify.')
    const { isBlocked } = elevation
    const askedAgain =
      'The service asks again although a second factor was verified. Check that nothing on the way, such as a proxy, ' +
      `removes the header ${transport.config.mfaHeader} (\`mfaHeader\`).`
    if (!handler) throw refuse(isBlocked ? askedAgain : undefined)
    if (prepared.isOneShot)
      throw refuse('A stream can be sent once: verify `error.challenge`, then call with a new stream.')
    if (isBlocked) throw refuse(`${askedAgain} Prompts stop for 5 minutes.`)
    if (prompts++ >= MAX_PROMPTS) throw refuse(askedAgain)

    const prompt = async (flight: SharedOperation): Promise<void> => {
      // The deadlines of all calls that wait hold for the verification; none of its own does.
      const shared = { ...source, options: { ...source.options, deadline: Infinity } }
      await promptForMfa(shared, (challenge) => flight.pauseWhile(async () => handler(challenge)), flight.signal)
    }
    try {
      await elevation.join(prompt, scope)
    } catch (error) {
      rethrowUnlessExpired(error, isRestart)
      isRestart = true
      prompts--
    }
  }
}

/** What a 60003 asks for; `undefined` for any other answer. */
function readRequirement(raw: BufferedResponse): { mfa: MfaVerificationRequest | undefined } | undefined {
  if (raw.status !== 401) return undefined
  const body = decodeFailure(raw) as
    | { code?: unknown; mfa?: { ticket?: unknown; methods?: unknown } | null }
    | null
    | undefined
  if (body?.code !== MFA_REQUIRED_CODE) return undefined
  const { ticket, methods: given } = body.mfa ?? {}
  if (typeof ticket !== 'string' || !Array.isArray(given)) return { mfa: undefined }
  const methods = given.flatMap(readMethod)
  return { mfa: methods.length === 0 && given.length > 0 ? undefined : { ticket, methods } }
}

/** Reads what can be read of one method, so that a malformed one does not keep the others from being offered. */
function readMethod(given: { [K in keyof MfaMethod]?: unknown } | null): MfaMethod[] {
  const { type, challenge, backup_codes_allowed } = given ?? {}
  if (typeof type !== 'string') return []
  const method: MfaMethod = { type }
  if (typeof challenge === 'string') method.challenge = challenge
  if (typeof backup_codes_allowed === 'boolean') method.backup_codes_allowed = backup_codes_allowed
  return [method]
}

function publicMethods(mfa: MfaVerificationRequest | undefined, secrets: Secrets) {
  return (mfa?.methods ?? []).map(({ type }) => ({ type: secrets.text(type) }))
}

/** How a step-up challenge is answered: with the call's own token, past any prompt. */
function elevationSource(
  transport: Transport,
  call: Call,
  raw: BufferedResponse,
  mfa: MfaVerificationRequest,
): ChallengeSource<Elevated> {
  const { token, elevation, prepared } = call
  const { ticket, methods } = mfa
  return {
    transport,
    endpoint: prepared.name,
    reason: 'elevation',
    methods,
    ticket,
    secrets: () => listSecrets(call, raw),
    options: { token: token ?? undefined },
    submit: async ({ type, code }, bypass) => {
      elevation.throwIfClosed()
      const requestedAt = performance.now()
      const params = { ticket, mfa_type: type, data: code }
      return transport.send(contract.mfa.finish, [], params, bypass, (answer, finish): Elevated => {
        elevation.throwIfClosed()
        // The elevation of the call that asked may be forgotten by now; that of `finish` is the one calls share.
        const expiresInMs = keepVerification(transport, finish.elevation, prepared.name, answer, requestedAt)
        return { status: 'elevated', expiresInMs }
      })
    },
  }
}

/** Keeps the JWT of a verified second factor, and tells of it. Answers how long it will be used, in milliseconds. */
export function keepVerification(
  { events }: Transport,
  elevation: Elevation,
  endpoint: string,
  answer: unknown,
  requestedAt: number,
): number {
  const expiresInMs = elevation.store(extractToken(contract.mfa.finish.name, answer), requestedAt)
  events.emit('elevated', { endpoint })
  return expiresInMs
}

/**
 * Status 401 with code 60003: the call needs a second factor, and no handler has given it; or the service asks again
 * although second factors were verified, in which case prompts stop for 5 minutes and the message says what to check.
 */
export class MfaRequiredError extends ApiError {
  declare readonly name: 'MfaRequiredError'
  /** Verify it, then repeat the call, which passes. `undefined` where the service gave nothing to verify. */
  declare readonly challenge: MfaChallenge<Elevated> | undefined

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(MfaRequiredError, 'MfaRequiredError')

  constructor(failure: ApiFailure, challenge: MfaChallenge<Elevated> | undefined, note?: string) {
    super(failure, note ?? 'Give an `onMfaRequired` handler, or verify `error.challenge` and repeat the call.')
    Object.defineProperty(this, 'challenge', { value: challenge, enumerable: false })
  }
}

/** Whether an error is an {@link MfaRequiredError}. */
export const isMfaRequiredError: (error: unknown) => error is MfaRequiredError =
  /*@__PURE__*/ guardFor('MfaRequiredError')
