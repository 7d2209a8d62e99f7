import { AbortScope, bindFlow, type FlowCalls, flowCalls } from '../abort'
import type { Endpoint, ParamsOf, ResponseOf } from '../contract/endpoint'
import { type ApiFailure, MfaRequiredError } from '../errors/api-errors'
import { addAsyncFrames, DISPOSED, isRapportError, RapportError, wrapError } from '../errors/base'
import {
  isRequestValidationError,
  isTimeoutError,
  RequestValidationError,
  ResponseMismatchError,
} from '../errors/client-errors'
import type { Issue } from '../internal/issue'
import { withoutPrototype } from '../internal/json'
import { ANY_VALUE, compileSecrets, redactHeaders, redactPath, type Secrets, tokenSecrets } from '../internal/redact'
import type { Elevation, Elevations } from '../session/elevation'
import type { SessionManager } from '../session/session'
import type { SaveChallengeOptions, UnsavedChallenge } from '../types/mfa'
import type { MaybePromise, RequestOptions } from '../types/options'
import {
  type ApiPromise,
  type Call,
  type CallContext,
  type CallRecord,
  type CallTarget,
  callPromise,
  createRecord,
  listSecrets,
  notify,
  secretsOf,
  type TransportConfig,
  type WithResponse,
} from './call'
import { type Events, eventErrorName } from './events'
import type { RateLimiter } from './rate-limit'
import { type PreparedCall, prepare, type ReadOptions, readRequestOptions } from './request'
import type { BufferedResponse } from './response'
import { decodeFailure, headerEntries, readFailure, requiresStepUp, toApiError } from './response'
import { reporterOf, sendRequest } from './send'

/**
 * The pipeline of every call: validate, send, wait out a 429, step up, read the response. Resources call
 * `send`. An {@link AbortScope} can end a call at any point.
 */
export class Transport implements CallContext {
  readonly id: number
  /** What `dispose` aborts; calls with their state. */
  readonly open = new Map<Pick<AbortController, 'abort'>, CallRecord | undefined>()
  /** Challenges that a handler is to answer. */
  readonly prompts = new Set<object>()
  #isDisposed = false

  constructor(
    readonly config: TransportConfig,
    readonly session: SessionManager,
    readonly events: Events,
    readonly rateLimiter: RateLimiter,
    readonly stepUp?: StepUp,
  ) {
    this.id = rateLimiter.clients++
  }

  /** Calls an endpoint. `finish` processes the data of the response and returns the result of the call. */
  send<E extends Endpoint, T = ResponseOf<E>>(
    endpoint: E,
    options: RequestOptions | undefined,
    params?: ParamsOf<E>,
    path: readonly string[] = [],
    finish?: (data: ResponseOf<E>, call: Call) => MaybePromise<T>,
  ): ApiPromise<T> {
    return this.run(endpoint, options, (issues) => prepare(endpoint, path, params, issues), finish)
  }

  /** Runs a call. `prepareCall` receives the issues of the options and throws those of the call with them. */
  run<D, T>(
    target: CallTarget,
    options: RequestOptions | undefined,
    prepareCall: (issues: readonly Issue[]) => PreparedCall,
    finish?: (data: D, call: Call) => MaybePromise<T>,
  ): ApiPromise<T> {
    const record = createRecord(this, target)
    const start = () => this.#run(record, target, options, prepareCall, finish)
    const { instrumentation } = this.events.followers
    return callPromise(instrumentation ? instrumentation.call(record.callId, target.name, start) : start())
  }

  get isDisposed(): boolean {
    return this.#isDisposed
  }

  /** Aborts pending calls. Later calls reject. Listeners stay: each of these calls has a last event. */
  dispose(): void {
    this.#isDisposed = true
    const reason = new RapportError(DISPOSED)
    for (const control of this.open.keys()) control.abort(reason)
  }

  /** Aborts `control` when the client is disposed, or now if it was. Returns a function that removes it. */
  abortOnDispose(control: Pick<AbortController, 'abort'>): () => void {
    if (this.#isDisposed) control.abort(new RapportError(DISPOSED))
    this.open.set(control, undefined)
    return () => this.open.delete(control)
  }

  /**
   * Runs a flow of several calls that share the caller's signal, one deadline and the end of the client.
   * @param run Receives the options for each of the calls (`shared`) and the caller's, validated (`options`).
   */
  withScope<T>(
    target: CallTarget,
    options: RequestOptions,
    run: (scope: AbortScope, shared: RequestOptions, options: RequestOptions, calls: FlowCalls) => Promise<T>,
  ): Promise<T> {
    const calls: FlowCalls = {}
    const check = (issues: readonly Issue[]) => {
      if (issues.length > 0) throw new RequestValidationError(target.name, issues, true)
    }
    const runFlow = (scope: AbortScope, read: ReadOptions) => {
      const validated = withoutPrototype({ ...read.options, headers: read.headers })
      bindFlow(scope.signal, scope, calls)
      const shared = { ...validated, signal: scope.signal, deadline: Infinity }
      // Some steps do not observe the signal, such as writing to a token store.
      return scope.race(run(scope, shared, validated, calls))
    }
    return this.#runInScope(createRecord(this, target), target, options, check, runFlow, calls)
  }

  #run<D, T>(
    record: CallRecord,
    target: CallTarget,
    input: RequestOptions | undefined,
    prepareCall: (issues: readonly Issue[]) => PreparedCall,
    finish?: (data: D, call: Call) => MaybePromise<T>,
  ): Promise<WithResponse<T>> {
    const read = (issues: readonly Issue[]) => {
      const prepared = prepareCall(issues)
      const { method, path, shownPath = path } = prepared
      record.method = method
      record.path = shownPath
      return prepared
    }
    return this.#runInScope(record, target, input, read, async (scope, limits, prepared) => {
      const { ready } = this.session
      // A call that does not send the session's token does not wait for it.
      if (ready !== undefined && limits.options.token === undefined && prepared.auth !== 'none')
        await scope.withTimeout('timeout', limits.timeout, () => ready, 'the token store did not load the token')
      const { token = this.session.token } = limits.options
      const elevation = this.session.elevation(token)
      const call: Call = {
        context: this,
        prepared,
        limits,
        scope,
        token,
        elevation,
        record,
        sentAt: undefined,
        failuresBefore: 0,
        jwt: undefined,
        sentSecrets: new Set(),
      }
      elevation?.calls.set(call, this)
      try {
        const send = () => sendRequest(call)
        let buffered = await send()
        if (this.stepUp && elevation && prepared.stepUp && this.requiresStepUp(call, buffered))
          buffered = await this.stepUp.run(this, call, elevation, buffered, send)
        const data = await this.#readResponse(call, buffered)
        const { status, headers, url } = buffered
        const response = { status, headers, url, attempts: record.attempts, elevated: call.jwt !== undefined }
        // Without `finish`, `T` is `D`, the type of the endpoint's response.
        if (!finish) return { data: data as T, response }
        // Read by the schema of the endpoint; unknown fields are kept.
        const runFinish = async () => finish(data as D, call)
        return { data: await scope.race(runFinish()), response }
      } finally {
        elevation?.calls.delete(call)
      }
    })
  }

  /** Runs `read`, which reads the caller's arguments, and redacts its errors: getters may throw and quote anything. */
  readInput<T>(name: string, read: () => T): T {
    try {
      return read()
    } catch (error) {
      if (isRequestValidationError(error)) throw redactValidationError(error, tokenSecrets(this.session))
      throw wrapError(`${name}: the arguments could not be read, nothing was sent.`, error, ANY_VALUE)
    }
  }

  /**
   * Runs a call or, with `ownCalls`, a flow: reads the input, runs it in a scope of its own, wraps its error and emits its
   * end. That of a flow only if it fails between its calls.
   */
  async #runInScope<T, Prepared>(
    record: CallRecord,
    target: CallTarget,
    options: RequestOptions | undefined,
    prepareCall: (issues: readonly Issue[]) => Prepared,
    run: (scope: AbortScope, limits: ReadOptions, prepared: Prepared) => Promise<T>,
    ownCalls?: FlowCalls,
  ): Promise<T> {
    const { name } = target
    let signal: AbortSignal | undefined
    let scope: AbortScope | undefined
    let siblings: FlowCalls | undefined
    try {
      const limits = this.readInput(name, () => readRequestOptions(options, this.config))
      signal = limits.options.signal
      siblings = flowCalls(signal)
      record.parentCallId = siblings?.callId
      if (siblings) siblings.isReported = true
      const prepared = this.readInput(name, () => prepareCall(limits.issues))
      if (this.#isDisposed) throw new RapportError(`${name}: the client was disposed.`)
      scope = new AbortScope(name, signal, limits.deadline)
      this.open.set(scope, ownCalls ? undefined : record)
      scope.throwIfAborted()
      if (siblings && !ownCalls) siblings.callId ??= record.callId
      const result = await run(scope, limits, prepared)
      if (ownCalls) return result
      if (siblings) siblings.isReported = false
      this.#end(record, scope, undefined, siblings)
      return result
    } catch (error) {
      // The caller's own abort reason is rethrown unchanged.
      const isAbort = signal?.aborted && error === signal.reason
      const wrapped =
        isAbort || isRapportError(error) ? error : wrapError(`${name} failed.`, error, tokenSecrets(this.session))
      record.parentCallId ??= ownCalls?.callId
      if (!ownCalls?.isReported) this.#end(record, scope, wrapped, siblings)
      if (!isAbort && isRapportError(wrapped)) addAsyncFrames(wrapped)
      throw wrapped
    } finally {
      scope?.close()
      if (scope) this.open.delete(scope)
    }
  }

  /** Emits `callEnd`. Without a scope the call has not started. */
  #end(record: CallRecord, scope: AbortScope | undefined, error?: unknown, siblings: FlowCalls = {}): void {
    if (record.startedAt === undefined) return
    const { startedAt, ...shown } = record
    const isAborted = scope?.signal.aborted && error === scope.signal.reason && !isTimeoutError(error)
    this.events.emit('callEnd', {
      ...shown,
      outcome: error === undefined ? 'success' : isAborted ? 'aborted' : 'error',
      errorName: error === undefined ? undefined : eventErrorName(error),
      durationMs: performance.now() - startedAt,
      promptMs: (scope?.pausedMs ?? 0) + (siblings.promptMs ?? 0),
    })
    siblings.promptMs = 0
  }

  /** Returns the data of a success; throws the error of a failure. */
  async #readResponse(call: Call, response: BufferedResponse): Promise<unknown> {
    const { prepared } = call
    const { status } = response
    if (status < 200 || status > 299) {
      const failure = this.failure(call, response)
      if (prepared.stepUp && this.requiresStepUp(call, response))
        throw new MfaRequiredError(failure, undefined, MISSING_MFA)
      // A 401 of a sign-in call, or of a call with a previous token, does not concern the session's token.
      const isCurrent = call.token !== null && call.token === this.session.token
      if (status === 401 && prepared.stepUp && isCurrent) notify(call, 'unauthorized', {})
      throw toApiError(failure, response.rateLimit)
    }
    // The app's schema may be asynchronous.
    const secrets = (more?: readonly string[]) =>
      more === undefined ? secretsOf(call, response) : compileSecrets(listSecrets(call, response), more)
    const reading = prepared.read(prepared.name, response, secrets, this.config.userSchema)
    const { data, issues: found } = reading instanceof Promise ? await call.scope.race(reading) : reading
    this.events.followers.drift?.(this.events, prepared.name, data, found, secrets)
    if (found.length > 0 && this.config.onResponseMismatch !== 'ignore') {
      const issues = found.map((issue) => ({ ...issue, path: redactPath(issue.path, secrets()) }))
      if (this.config.onResponseMismatch === 'throw') throw new ResponseMismatchError(prepared.name, issues)
      notify(call, 'responseMismatch', { issues })
    }
    return data
  }

  /** Whether a response requires a second factor. */
  requiresStepUp(call: Call, response: BufferedResponse): boolean {
    return requiresStepUp(response, this.config.isStepUp, reporterOf(call, response))
  }

  /** Reads a failure and redacts the secrets of the call. */
  failure(call: Call, response: BufferedResponse): ApiFailure {
    const { config } = this
    const { status, headers } = response
    const secrets = secretsOf(call, response)
    const requestId = config.requestIdHeaders.map((name) => headers.get(name)).find(Boolean)
    return {
      ...readFailure(call.prepared.name, status, decodeFailure(response), secrets, response.content),
      attempts: call.record.attempts,
      requestId: requestId ? secrets.text(requestId) : undefined,
      headers: redactHeaders(headerEntries(headers), secrets),
    }
  }
}

const MISSING_MFA = 'Pass the part `mfa` to `createClient`: it verifies second factors and repeats the call.'

/** Verification of second factors during calls. */
export interface StepUp {
  /** Those of all clients with this step-up. */
  readonly elevations: Elevations
  /**
   * Obtains the second factor that a response requires, and sends the request again. Returns the last response.
   */
  run(
    transport: Transport,
    call: Call,
    elevation: Elevation,
    first: BufferedResponse,
    send: () => Promise<BufferedResponse>,
  ): Promise<BufferedResponse>
  /** Seals a challenge; see `MfaChallenge.save`. */
  save(transport: Transport, challenge: UnsavedChallenge, options: SaveChallengeOptions): Promise<string>
}

/** Redacts the token, which may have been passed as another argument. Names in our messages stay readable. */
function redactValidationError(error: RequestValidationError, secrets: Secrets): RequestValidationError {
  const issues = error.issues.map(({ actual, ...issue }) => ({
    ...issue,
    path: redactPath(issue.path, secrets),
    message: secrets.name(issue.message),
    ...(actual !== undefined && { actual: typeof actual === 'string' ? secrets.text(actual) : actual }),
  }))
  return new RequestValidationError(error.endpoint, issues, true)
}
