import { issueAt } from '../contract/issue'
import type { MfaMethod } from '../contract/mfa'
import { MFA_REQUIRED_CODE } from '../contract/mfa'
import { isApiError } from '../errors/api-error'
import { TimeoutError } from '../errors/connection-errors'
import { MfaCancelledError, MfaFailedError } from '../errors/mfa-errors'
import { RapportError } from '../errors/rapport-error'
import { RequestValidationError } from '../errors/validation-errors'
import type { MfaFailureKind } from '../options'
import { abortable } from '../transport/abortable'
import { after } from '../transport/timer'
import { type PublicKeyRequestOptions, parseRequestOptions, type WebAuthnAdapter } from '../webauthn/adapter'
import { runCeremony } from '../webauthn/ceremony'
import type { MfaAnswer, MfaChallenge, MfaChallengeMethod, MfaHandler } from './challenge'

/** How often a handler may answer before the prompt fails. */
const MAX_ATTEMPTS = 3

/** What a challenge needs of the flow it belongs to. The ticket stays in its closures. */
export interface ChallengeSource<T> {
  readonly endpoint: string
  readonly reason: MfaChallenge['reason']
  readonly methods: readonly MfaMethod[]
  readonly webauthn: WebAuthnAdapter
  submit(answer: { type: string; code: string }, signal: AbortSignal): Promise<T>
  sendSms(signal: AbortSignal): Promise<{ phone: string }>
  classify(error: Error): MfaFailureKind
}

/** The service no longer knows the ticket: what asked for the second factor is to be asked again. */
export class TicketExpired {
  constructor(readonly error: unknown) {}
}

/** The one implementation of {@link MfaChallenge}; `inspect` and JSON show nothing of it. */
export class Challenge<T> implements MfaChallenge<T> {
  readonly #source: ChallengeSource<T>
  readonly #signal: AbortSignal
  readonly #isHandled: boolean
  #attempt = 1
  #lastError: Error | undefined

  constructor(source: ChallengeSource<T>, signal: AbortSignal, isHandled: boolean) {
    this.#source = source
    this.#signal = signal
    this.#isHandled = isHandled
  }

  get reason(): MfaChallenge['reason'] {
    return this.#source.reason
  }

  get endpoint(): string {
    return this.#source.endpoint
  }

  get methods(): readonly MfaChallengeMethod[] {
    return this.#source.methods.map(({ type, backup_codes_allowed }) =>
      backup_codes_allowed === undefined ? { type } : { type, backup_codes_allowed },
    )
  }

  get attempt(): number {
    return this.#attempt
  }

  get lastError(): Error | undefined {
    return this.#lastError
  }

  get signal(): AbortSignal {
    return this.#signal
  }

  allows(type: string): boolean {
    return this.#source.methods.some(
      (method) => method.type === type || (type === 'backup' && method.backup_codes_allowed === true),
    )
  }

  sendSms(): Promise<{ phone: string }> {
    return this.#source.sendSms(this.#signal)
  }

  webauthnOptions(): PublicKeyRequestOptions {
    return parseRequestOptions(this.#source.methods.find((method) => method.type === 'webauthn')?.challenge)
  }

  async webauthn(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<MfaAnswer> {
    const signal = options.signal ? AbortSignal.any([options.signal, this.#signal]) : this.#signal
    const credential = await runCeremony(this.#source.webauthn, this.webauthnOptions(), { signal })
    return { type: 'webauthn', credential }
  }

  async verify(answer: MfaAnswer): Promise<T> {
    if (this.#isHandled) {
      throw new RapportError('`challenge.verify` is not for handlers: return the answer from the handler instead.')
    }
    try {
      return await this.submit(answer)
    } catch (error) {
      this.judge(error)
      throw error
    }
  }

  /** Gives an answer. Not part of the public interface. */
  async submit(answer: MfaAnswer): Promise<T> {
    return this.#source.submit(wireAnswer(answer), this.#signal)
  }

  /** Tells what a failure means, and counts it where the answer was refused. Not part of the public interface. */
  judge(error: unknown): MfaFailureKind {
    const kind = error instanceof Error ? this.#source.classify(error) : 'fatal'
    if (kind === 'refused') {
      this.#attempt++
      this.#lastError = error as Error
    }
    return kind
  }
}

/** How long a prompt may stay open. */
export interface PromptLimits {
  readonly mfaTimeout: number
  readonly signal: AbortSignal
}

/** Asks the handler until the service accepts an answer, at most {@link MAX_ATTEMPTS} times. */
export async function askHandler<T>(source: ChallengeSource<T>, handler: MfaHandler, limits: PromptLimits): Promise<T> {
  const { mfaTimeout, signal } = limits
  signal.throwIfAborted()
  const control = new AbortController()
  const abort = () => control.abort(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  const cancelTimer = after(mfaTimeout, () =>
    control.abort(new TimeoutError(source.endpoint, 'mfaTimeout', mfaTimeout)),
  )
  try {
    return await abortable(converse(source, handler, control.signal), control.signal)
  } finally {
    cancelTimer()
    signal.removeEventListener('abort', abort)
  }
}

async function converse<T>(source: ChallengeSource<T>, handler: MfaHandler, signal: AbortSignal): Promise<T> {
  const challenge = new Challenge(source, signal, true)
  for (;;) {
    // Handlers never see what `verify` gives: within one it throws. So they need not know of what `T` the challenge is.
    const answer = await answerOf(handler, challenge as unknown as MfaChallenge)
    signal.throwIfAborted()
    try {
      return await challenge.submit(answer)
    } catch (error) {
      if (signal.aborted) throw error
      const kind = challenge.judge(error)
      if (kind === 'expired') throw new TicketExpired(error)
      if (kind !== 'refused') throw error
      if (challenge.attempt > MAX_ATTEMPTS) {
        throw new MfaFailedError(MAX_ATTEMPTS, `${MAX_ATTEMPTS} answers were refused`, { cause: error })
      }
    }
  }
}

async function answerOf(handler: MfaHandler, challenge: MfaChallenge): Promise<MfaAnswer> {
  let answer: MfaAnswer | null
  try {
    answer = await handler(challenge)
  } catch (cause) {
    throw new MfaCancelledError('the handler threw', { cause })
  }
  if (answer === null) throw new MfaCancelledError('the handler gave null')
  try {
    wireAnswer(answer)
  } catch (cause) {
    throw new MfaCancelledError(`the handler gave no answer; ${ANSWERS}`, { cause })
  }
  return answer
}

const ANSWERS = 'an answer is `{ type, code }` with strings, or `{ type: "webauthn", credential }`; `null` cancels'

function wireAnswer(answer: MfaAnswer): { type: string; code: string } {
  const given = (answer ?? {}) as { type?: unknown; code?: unknown; credential?: unknown }
  const code = given.credential ?? given.code
  if (typeof given.type === 'string' && typeof code === 'string') return { type: given.type, code }
  if (typeof given.type === 'string' && typeof code === 'object' && code !== null)
    return { type: given.type, code: JSON.stringify(code) }
  const path = typeof given.type === 'string' ? ['code'] : ['type']
  throw new RequestValidationError('onMfaRequired', [issueAt(path, 'invalid_type', ANSWERS)])
}

/** The default of `classifyMfaFailure`, a convention. */
export function classifyMfaFailure(error: Error): MfaFailureKind {
  if (!isApiError(error) || error.code === MFA_REQUIRED_CODE || error.status === 429) return 'fatal'
  if (error.status === 401) return 'expired'
  return error.status >= 400 && error.status < 500 ? 'refused' : 'fatal'
}
