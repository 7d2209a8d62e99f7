import { AbortScope, bindFlow, type FlowCalls, throwIfAborted } from '../abort'
import { type MfaMethod, sendMfaSms } from '../contract/mfa'
import { isRapportError, RapportError, redactCause, wrapError } from '../errors/base'
import {
  isMfaCancelledError,
  isTimeoutError,
  MfaCancelledError,
  MfaFailedError,
  RequestValidationError,
} from '../errors/client-errors'
import { bindMembers, showMembers } from '../internal/bind-members'
import { Emitter } from '../internal/emitter'
import { createIssue, type Issue } from '../internal/issue'
import { describeType, isError, isObject, omitUndefined, withoutPrototype } from '../internal/json'
import { readOptions, signalOption } from '../internal/options'
import { compileSecrets, requestSecrets, type Secrets } from '../internal/redact'
import type { Transport } from '../transport/transport'
import type {
  MfaAnswer,
  MfaChallenge,
  MfaChallengeMethod,
  MfaFailureKind,
  MfaHandler,
  MfaOutcome,
  MfaState,
  PublicKeyRequestOptions,
  SaveChallengeOptions,
  UnsavedChallenge,
} from '../types/mfa'
import type { RequestOptions } from '../types/options'
import { parseRequestOptions, runCeremony } from '../webauthn/ceremony'
import { type MfaConfig, TicketExpired } from './options'

/** Number of rejected answers after which a prompt fails. */
const MAX_ATTEMPTS = 3
const FINAL: readonly MfaState[] = ['accepted', 'failed', 'cancelled']
const ANSWER_FORMAT =
  'an answer is `{ type, code }` with strings, or `{ type: "webauthn", credential }`; `null` cancels'

/** Parts of a client that flows with second factors use. */
export interface MfaContext {
  readonly transport: Transport
  readonly config: MfaConfig
}

/** The part of a flow that its challenge needs. */
export interface ChallengeSource<T> extends MfaContext {
  readonly endpoint: string
  /** What the events of the challenge's own calls refer to. */
  readonly calls: FlowCalls
  readonly reason: MfaChallenge['reason']
  readonly methods: readonly MfaMethod[]
  readonly ticket: string
  /** Error of the previous ticket, if it has expired. */
  readonly expired?: Error | undefined
  /** Returns the secrets of the flow, which errors of a handler or an adapter may quote. */
  readonly secrets: () => readonly string[]
  /** Options of the challenge's own calls, which never prompt. */
  readonly options: RequestOptions
  /** What a sign-in or reset needs to be resumed. */
  readonly flow?: UnsavedChallenge['flow']
  /** State of a challenge that was resumed. */
  readonly resumed?: Pick<UnsavedChallenge, 'attempt' | 'expiresAt'>
  /** Verifies an answer and returns the result of the flow. */
  submit(answer: MfaPayload, options: RequestOptions): Promise<T>
}

/** An answer in the form that is sent. */
export interface MfaPayload {
  readonly type: string
  readonly code: string
}

/** Implements {@link MfaChallenge}. `inspect` and JSON show what is public, never the ticket or an answer. */
export class Challenge<T> implements MfaChallenge<T> {
  readonly reason: MfaChallenge['reason']
  readonly endpoint: string
  readonly methods: readonly MfaChallengeMethod[]
  readonly #source: ChallengeSource<T>
  readonly #handlerSignal: AbortSignal | undefined
  /** Ends a challenge without a handler when the client is disposed. */
  readonly #control = new AbortController()
  #release: (() => void) | undefined
  #options: RequestOptions & { readonly signal: AbortSignal }
  #attempt: number
  readonly #expiresAt: number
  #lastError: Error | undefined
  #state: MfaState = 'waiting'
  #changes: Emitter<{ change: MfaState }> | undefined
  #isTemporary = (_: Error): boolean => false
  readonly #settled: Promise<MfaOutcome>
  #resolve: (outcome: MfaOutcome) => void = () => {}
  /** Codes, passwords and credentials submitted so far. */
  readonly #submitted: string[] = []

  /** @param handlerSignal Aborts the prompt of a handler; absent if there is no handler. */
  constructor(source: ChallengeSource<T>, handlerSignal?: AbortSignal) {
    this.#source = { ...source, methods: source.methods.map((method) => withoutPrototype(method)) }
    this.reason = source.reason
    this.endpoint = source.endpoint
    this.methods = this.#source.methods.map(({ type, backup_codes_allowed }) => ({
      type,
      ...omitUndefined({ backup_codes_allowed }),
    }))
    this.#lastError = source.expired
    this.#attempt = source.resumed?.attempt ?? 1
    this.#expiresAt = source.resumed?.expiresAt ?? Date.now() + source.config.mfaTimeout
    this.#settled = new Promise((resolve) => {
      this.#resolve = resolve
    })
    bindMembers(this)
    showMembers<Challenge<T>>(this, 'MfaChallenge', ['reason', 'endpoint', 'methods', 'attempt', 'state'])
    this.#handlerSignal = handlerSignal
    bindFlow(this.#control.signal, { remainingMs: Infinity }, source.calls)
    this.#options = { ...source.options, signal: handlerSignal ?? this.#control.signal, onMfaRequired: false }
  }

  get attempt(): number {
    return this.#attempt
  }

  get attemptsLeft(): number | undefined {
    const isCounted = this.#handlerSignal || this.#source.resumed
    return isCounted && Math.max(0, MAX_ATTEMPTS + 1 - this.#attempt)
  }

  get lastError(): Error | undefined {
    return this.#lastError
  }

  get state(): MfaState {
    // Without `#cancelOnDispose`, which would keep a challenge that was only logged until `dispose`.
    const isDisposed = !this.#handlerSignal && this.#source.transport.isDisposed
    return isDisposed && !FINAL.includes(this.#state) ? 'cancelled' : this.#state
  }

  get settled(): Promise<MfaOutcome> {
    this.#cancelOnDispose()
    return this.#settled
  }

  onChange(listener: (state: MfaState) => void): () => void {
    this.#cancelOnDispose()
    this.#changes ??= new Emitter(this.#source.transport.events.report)
    return this.#changes.on('change', listener)
  }

  get signal(): AbortSignal {
    this.#cancelOnDispose()
    return this.#options.signal
  }

  allows(type: string): boolean {
    return this.#source.methods.some(
      (method) => method.type === type || (type === 'backup' && method.backup_codes_allowed === true),
    )
  }

  sendSms(): Promise<{ phone: string }> {
    const { transport, ticket } = this.#source
    return transport.send(sendMfaSms, this.#options, { ticket })
  }

  /** Whether `webauthn` can work here. Only the dialog reads it, which offers no passkey that cannot. */
  get canUseWebAuthn(): boolean {
    const { webauthn } = this.#source.config
    return webauthn !== undefined && (!webauthn.needsBrowser || 'PublicKeyCredential' in globalThis)
  }

  /**
   * Keeps a prompt open after a failure that is temporary, and shows a rate limit instead of waiting. Only `createMfaPrompt`
   * calls it, for users who can answer again.
   */
  stayOpen(isTemporary: (error: Error) => boolean): void {
    this.#isTemporary = isTemporary
    this.#options = { ...this.#options, retry: 0 }
  }

  webauthnOptions(): PublicKeyRequestOptions {
    return parseRequestOptions(
      this.#source.methods.find(({ type, challenge }) => type === 'webauthn' && challenge !== undefined)?.challenge,
    )
  }

  async webauthn(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<MfaAnswer> {
    const issues: Issue[] = []
    const validated = readOptions(options, { signal: signalOption }, issues)
    if (issues.length > 0) throw new RequestValidationError('challenge.webauthn', issues)
    const signal = validated.signal ? AbortSignal.any([validated.signal, this.signal]) : this.signal
    const { config, secrets } = this.#source
    const credential = await runCeremony(config.webauthn, this.webauthnOptions(), { signal }, secrets())
    return { type: 'webauthn', credential }
  }

  async verify(answer: MfaAnswer): Promise<T> {
    if (this.#handlerSignal) {
      throw new RapportError('`challenge.verify` cannot be called in a handler: return the answer instead.')
    }
    try {
      return await this.#submit(this.#normalize(toPayload(answer)))
    } catch (error) {
      if (this.#classifyFailure(error) === 'expired' || isMfaCancelledError(error)) this.#fail(error)
      throw error
    } finally {
      if (this.#state === 'verifying') this.#change('waiting')
    }
  }

  async save(options: SaveChallengeOptions): Promise<string> {
    const { transport, options: shared } = this.#source
    if (!transport.stepUp) throw new RapportError('`challenge.save` needs the part `mfa`.')
    const unsaved = { ...this.#source, token: shared.token, attempt: this.#attempt, expiresAt: this.#expiresAt }
    return transport.stepUp.save(transport, unsaved, options)
  }

  /**
   * Calls the handler until the service accepts an answer, at most {@link MAX_ATTEMPTS} times and for `mfaTimeout`. Static,
   * so that a handler cannot call it.
   */
  static async prompt<T>(source: ChallengeSource<T>, handler: MfaHandler, signal: AbortSignal): Promise<T> {
    const scope = new AbortScope(source.endpoint, signal, Infinity)
    const challenge = new Challenge(source, scope.signal)
    const { prompts } = source.transport
    bindFlow(scope.signal, scope, source.calls)
    prompts.add(challenge)
    try {
      throwIfAborted(scope.signal)
      return await scope.withTimeout('mfaTimeout', source.config.mfaTimeout, () =>
        challenge.#promptUntilAccepted(handler, scope.signal),
      )
    } catch (error) {
      challenge.#fail(error)
      throw error
    } finally {
      prompts.delete(challenge)
      scope.close()
    }
  }

  async #promptUntilAccepted(handler: MfaHandler, signal: AbortSignal): Promise<T> {
    const refused = new Set<string>()
    for (;;) {
      const answer = this.#normalize(await this.#prompt(handler))
      throwIfAborted(signal)
      const key = JSON.stringify(answer)
      if (refused.has(key))
        throw new MfaFailedError(refused.size, 'the handler repeated a refused answer', { cause: this.#lastError })
      try {
        return await this.#submit(answer)
      } catch (error) {
        if (signal.aborted) throw error
        const kind = this.#classifyFailure(error)
        if (kind === 'expired' && isError(error)) throw new TicketExpired(error)
        if (kind === 'fatal' && isError(error) && this.#isTemporary(error)) this.#reopen('waiting', error)
        else if (kind !== 'refused') throw error
        else refused.add(key)
        if (this.#attempt > MAX_ATTEMPTS)
          throw new MfaFailedError(MAX_ATTEMPTS, `${MAX_ATTEMPTS} answers were refused`, { cause: error })
      }
    }
  }

  /** Returns an answer as it is sent. Errors of the app may quote it as it was given. */
  #normalize({ type, code: given }: MfaPayload): MfaPayload {
    const code = normalizeCode(type, given)
    this.#submitted.push(given, code)
    return { type, code }
  }

  async #submit(answer: MfaPayload): Promise<T> {
    this.#change('verifying')
    const result = await this.#source.submit(answer, this.#options)
    this.#settle({ state: 'accepted' })
    return result
  }

  #fail(thrown: unknown): void {
    const error = thrown instanceof TicketExpired ? thrown.error : thrown
    const isCancelled = isMfaCancelledError(error) || (this.#options.signal.aborted && !isTimeoutError(error))
    this.#settle({ state: isCancelled ? 'cancelled' : 'failed', error })
  }

  #settle(outcome: MfaOutcome): void {
    this.#change(outcome.state)
    this.#resolve(outcome)
    this.#release?.()
  }

  /** From now on `dispose` cancels a challenge without a handler; not before, because many are never read. */
  #cancelOnDispose(): void {
    if (this.#handlerSignal || this.#release || FINAL.includes(this.#state)) return
    const { signal } = this.#control
    signal.addEventListener('abort', () => this.#fail(signal.reason))
    this.#release = this.#source.transport.abortOnDispose(this.#control)
  }

  /** Changes the state unless it is final. */
  #change(state: MfaState): void {
    if (state === this.#state || FINAL.includes(this.#state)) return
    this.#state = state
    this.#changes?.emit('change', state)
  }

  /** Classifies an error and increments `attempt` if the answer was rejected. */
  #classifyFailure(error: unknown): MfaFailureKind {
    if (!isError(error)) return 'fatal'
    const kind = this.#classify(error)
    if (kind === 'refused') {
      this.#attempt++
      this.#reopen('refused', error)
    }
    return kind
  }

  #reopen(state: MfaState, error: Error): void {
    this.#lastError = error
    this.#change(state)
  }

  #classify(error: Error): MfaFailureKind {
    const { config, endpoint } = this.#source
    let kind: unknown
    try {
      kind = config.classifyMfaFailure(error)
    } catch (thrown) {
      throw wrapError(`${endpoint}: \`classifyMfaFailure\` threw.`, thrown, this.#secrets)
    }
    if (kind === 'refused' || kind === 'expired' || kind === 'fatal') return kind
    // A promise is not awaited here; avoid an unhandled rejection.
    if (kind instanceof Promise) kind.catch(() => {})
    const message = `${endpoint}: \`classifyMfaFailure\` returned ${describeType(kind)}, expected 'refused', 'expired' or 'fatal'.`
    throw new RapportError(message, { cause: error })
  }

  get #secrets(): Secrets {
    return compileSecrets(this.#source.secrets(), requestSecrets(this.#submitted.map((data) => ({ data }))))
  }

  /** Calls a handler and validates its answer. */
  async #prompt(handler: MfaHandler): Promise<MfaPayload> {
    let answer: MfaAnswer | null
    try {
      // `T` is only the result of `verify`, which throws in a handler.
      answer = await handler(this as unknown as MfaChallenge<never>)
    } catch (error) {
      const cause = redactCause(error, this.#secrets)
      const detail = isRapportError(cause) ? `: ${cause.message.replace(/\.$/, '')}` : ''
      throw new MfaCancelledError(`the handler threw${detail}`, { cause })
    }
    if (answer === null) throw new MfaCancelledError('the handler returned null')
    try {
      return toPayload(answer)
    } catch (cause) {
      throw new MfaCancelledError(`the handler did not return an answer; ${ANSWER_FORMAT}`, { cause })
    }
  }
}

/** Validates an answer and serializes its credential. */
function toPayload(answer: MfaAnswer): MfaPayload {
  let type: unknown
  try {
    // Comes from the app, in JavaScript of any shape.
    const { type: kind, code, credential }: Record<string, unknown> = Object(answer)
    type = kind
    const value = credential ?? code
    const serialized = isObject(value) ? JSON.stringify(value) : value
    if (typeof type === 'string' && typeof serialized === 'string') return { type, code: serialized }
  } catch {
    // The credential cannot be serialized, or a getter threw. Either error may quote it.
  }
  const path = typeof type === 'string' ? ['code'] : ['type']
  throw new RequestValidationError('onMfaRequired', [createIssue(path, 'invalid_type', ANSWER_FORMAT)])
}

/**
 * Removes the spaces of a code of an app or an SMS, and makes its digits ASCII, whatever the script of the keyboard.
 * Backup codes lose the space around them. Passwords, credentials and unknown kinds stay as they are.
 */
export function normalizeCode(type: string, code: string): string {
  if (type === 'backup') return code.trim()
  if (type !== 'totp' && type !== 'sms') return code
  return code.replace(/\s/g, '').replace(/\p{Nd}/gu, toAsciiDigit)
}

/** Unicode has the digits of a script in a row, from 0 to 9; those of another script may precede them. */
function toAsciiDigit(digit: string): string {
  let value = 0
  while (/\p{Nd}/u.test(String.fromCodePoint((digit.codePointAt(0) ?? 0) - value - 1))) value++
  return String(value % 10)
}
