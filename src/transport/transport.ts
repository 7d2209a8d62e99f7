import { AbortScope, raceAbort, throwIfAborted } from '../abort'
import type { Endpoint, ParamsOf, ResponseOf } from '../contract/endpoint'
import type { ApiFailure } from '../errors/api-errors'
import { isRapportError, RapportError, wrapError } from '../errors/base'
import { isRequestValidationError, RequestValidationError, ResponseMismatchError } from '../errors/client-errors'
import type { Issue } from '../internal/issue'
import { ANY_VALUE, compileSecrets, redactPath, type Secrets, tokenSecrets } from '../internal/redact'
import type { SessionManager } from '../session/session'
import type { MaybePromise, RequestOptions } from '../types/options'
import {
  type ApiPromise,
  type Call,
  type CallContext,
  callInfo,
  callPromise,
  listSecrets,
  responseInfo,
  secretsOf,
  type TransportConfig,
  type WithResponse,
} from './call'
import type { Events } from './events'
import type { RateLimiter } from './rate-limit'
import type { CustomRequest } from './request'
import { customName, type PreparedCall, prepare, prepareCustomRequest, readRequestOptions } from './request'
import type { BufferedResponse } from './response'
import { decodeFailure, readFailure, toApiError } from './response'
import { sendWithRateLimit } from './send'

/** Middleware around the sends of a call: obtains a second factor if the service requires one, then sends again. */
export type StepUp = (
  transport: Transport,
  call: Call,
  send: () => Promise<BufferedResponse>,
) => Promise<BufferedResponse>

/**
 * The pipeline of every call: check, send, wait out a 429, step up on a 60003, read, decode. Resources call `send`;
 * what ends a call at any point is its {@link AbortScope}.
 */
export class Transport implements CallContext {
  readonly config: TransportConfig
  readonly session: SessionManager
  readonly events: Events
  readonly rateLimiter: RateLimiter
  readonly #stepUp: StepUp
  readonly #open = new Set<AbortScope>()
  #isDisposed = false

  constructor(
    config: TransportConfig,
    session: SessionManager,
    events: Events,
    rateLimiter: RateLimiter,
    stepUp: StepUp,
  ) {
    this.#stepUp = stepUp
    this.config = config
    this.session = session
    this.events = events
    this.rateLimiter = rateLimiter
  }

  /** Makes a call of the contract. `finish` is what is left to do with its data, and may replace them. */
  send<E extends Endpoint, T = ResponseOf<E>>(
    endpoint: E,
    pathValues: readonly string[],
    params: ParamsOf<E> | undefined,
    options: RequestOptions = {},
    finish?: (data: ResponseOf<E>, call: Call) => MaybePromise<T>,
  ): ApiPromise<T> {
    return this.sendWith(endpoint, pathValues, () => params, options, finish)
  }

  /** {@link send} with parameters that are put together from the caller's, whose getters may throw. */
  sendWith<E extends Endpoint, T = ResponseOf<E>>(
    endpoint: E,
    pathValues: readonly string[],
    makeParams: () => ParamsOf<E> | undefined,
    options: RequestOptions = {},
    finish?: (data: ResponseOf<E>, call: Call) => MaybePromise<T>,
  ): ApiPromise<T> {
    const run = this.#run(
      options,
      endpoint.name,
      (issues) => prepare(endpoint, pathValues, makeParams(), issues),
      finish,
    )
    return callPromise(run)
  }

  /** Makes a call that the document leaves out; a suspended user's token goes into the body. */
  request<T>(request: CustomRequest<T>, options: RequestOptions = {}, suspendedToken?: string): ApiPromise<T> {
    return callPromise(
      this.#run(options, customName(request), (issues) => prepareCustomRequest(request, suspendedToken, issues)),
    )
  }

  /** Ends every call that is open; later ones fail. */
  dispose(): void {
    this.#isDisposed = true
    const reason = new RapportError('The client was disposed.')
    for (const scope of this.#open) scope.abort(reason)
    this.events.clear()
  }

  /**
   * Runs what takes several calls as one: the caller's signal, the deadline and the client's end are theirs together.
   * `shared` is what each of the calls is to be given, `options` what the caller gave.
   */
  async withScope<T>(
    name: string,
    options: RequestOptions,
    run: (scope: AbortScope, shared: RequestOptions, options: RequestOptions) => Promise<T>,
  ): Promise<T> {
    const {
      options: read,
      deadline,
      headers,
    } = this.read(name, () => {
      const read = readRequestOptions(options, this.config)
      if (read.issues.length > 0) throw new RequestValidationError(name, read.issues)
      return read
    })
    const given = { ...read, headers }
    return this.#within(name, given.signal, deadline, (scope) =>
      // Not all of it is calls that know the signal: a token store may take its time.
      raceAbort(run(scope, { ...given, signal: scope.signal, deadline: Infinity }, given), scope.signal),
    )
  }

  async #run<D, T>(
    given: RequestOptions,
    name: string,
    prepareWith: (issues: readonly Issue[]) => PreparedCall,
    finish?: (data: D, call: Call) => MaybePromise<T>,
  ): Promise<WithResponse<T>> {
    const { options, limits, prepared } = this.read(name, () => {
      const { options, ...limits } = readRequestOptions(given, this.config)
      return { options, limits, prepared: prepareWith(limits.issues) }
    })
    return this.#within(name, options.signal, limits.deadline, async (scope) => {
      const { ready } = this.session
      // What needs no token of the session does not wait for its store.
      if (ready !== undefined && options.token === undefined && prepared.auth !== 'none')
        await scope.withTimeout('timeout', limits.timeout, () => ready, 'the token store did not load the token')
      const token = options.token ?? this.session.token
      const elevation = this.session.elevation(token)
      const call: Call = {
        prepared,
        options,
        limits,
        scope,
        token,
        elevation,
        attempts: 0,
        failuresBefore: 0,
        jwt: undefined,
        sent: new Set(),
      }
      elevation.calls++
      try {
        const raw = await this.#stepUp(this, call, () => sendWithRateLimit(this, call))
        const data = await this.#read(call, raw)
        const response = responseInfo(call, raw)
        if (!finish) return { data: data as T, response }
        const finished = async () => finish(data as D, call)
        return { data: await raceAbort(finished(), scope.signal), response }
      } finally {
        elevation.calls--
      }
    })
  }

  /** Reads what the caller gave. Getters may throw, and quote anything. */
  read<T>(name: string, read: () => T): T {
    try {
      return read()
    } catch (error) {
      if (isRequestValidationError(error)) throw redactValidationError(error, tokenSecrets(this.session))
      throw wrapError(`${name}: what was given could not be read, nothing was sent.`, error, ANY_VALUE)
    }
  }

  async #within<T>(
    name: string,
    caller: AbortSignal | undefined,
    deadline: number,
    run: (scope: AbortScope) => Promise<T>,
  ): Promise<T> {
    if (this.#isDisposed) throw new RapportError(`${name}: the client was disposed.`)
    const scope = new AbortScope(name, caller, deadline)
    this.#open.add(scope)
    try {
      throwIfAborted(scope.signal)
      return await run(scope)
    } catch (error) {
      // What its caller has aborted it with is theirs, whatever it is.
      if (isRapportError(error) || (caller?.aborted && error === caller.reason)) throw error
      throw wrapError(`${name} failed.`, error, tokenSecrets(this.session))
    } finally {
      scope.close()
      this.#open.delete(scope)
    }
  }

  /** Turns what came back into data or into an error. */
  async #read(call: Call, raw: BufferedResponse): Promise<unknown> {
    const { prepared } = call
    if (raw.status < 200 || raw.status > 299) {
      // If a call is itself part of signing in, or the session has another token by now, a 401 says nothing of it.
      const isCurrent = call.token !== null && call.token === this.session.token
      if (raw.status === 401 && prepared.stepUp && isCurrent) this.events.emit('unauthorized', callInfo(call))
      throw toApiError(this.failure(call, raw), raw)
    }
    // A schema of the app's own may take its time.
    const reading = prepared.read(prepared.name, raw, (more) =>
      more === undefined ? secretsOf(call, raw) : compileSecrets(listSecrets(call, raw), more),
    )
    const { data, issues: found } = reading instanceof Promise ? await raceAbort(reading, call.scope.signal) : reading
    if (found.length > 0 && this.config.onResponseMismatch !== 'ignore') {
      const secrets = secretsOf(call, raw)
      const issues = found.map((issue) => ({ ...issue, path: redactPath(issue.path, secrets) }))
      if (this.config.onResponseMismatch === 'throw') throw new ResponseMismatchError(prepared.name, issues)
      this.events.emit('responseMismatch', { ...callInfo(call), issues })
    }
    return data
  }

  /** What a failed answer says, with every secret of the call masked. */
  failure(call: Call, raw: BufferedResponse): ApiFailure {
    return readFailure(call.prepared.name, raw.status, decodeFailure(raw), secretsOf(call, raw))
  }
}

/** The token may stand in a wrong place, whose value is quoted. In our words there are names: those stay. */
function redactValidationError(error: RequestValidationError, secrets: Secrets): RequestValidationError {
  const issues = error.issues.map(({ actual, ...issue }) => ({
    ...issue,
    path: redactPath(issue.path, secrets),
    message: secrets.name(issue.message),
    ...(actual !== undefined && { actual: typeof actual === 'string' ? secrets.text(actual) : actual }),
  }))
  return new RequestValidationError(error.endpoint, issues)
}
