import { ApiPromise, type WithResponse } from '../api-promise'
import type { Endpoint, ParamsOf, ResponseOf } from '../contract/endpoint'
import type { Issue } from '../contract/issue'
import type { ApiFailure } from '../errors/api-error'
import { RapportError } from '../errors/rapport-error'
import { RateLimitError } from '../errors/status-errors'
import { RequestValidationError, ResponseMismatchError } from '../errors/validation-errors'
import type { MaybePromise, RequestOptions } from '../options'
import type { SessionState } from '../session/session'
import { abortable } from './abortable'
import { type Call, callInfo, responseInfo } from './call'
import { type Config, readRequestOptions } from './config'
import type { CustomRequest } from './custom-request'
import { decodeFailure } from './decode'
import type { Events } from './events'
import { readFailure, toApiError } from './failure'
import { checkHeaderValue } from './headers'
import { exchange } from './http'
import { Lifetime } from './lifetime'
import { type PreparedCall, prepare, prepareCustom } from './prepare'
import { type RateLimitGate, readRateLimit } from './rate-limits'
import type { RawResponse } from './read'
import { maskError, redact, redactHeaders, secretHeaderValues } from './redact'
import { sendWithStepUp } from './step-up'

/**
 * The pipeline of every call: check, send, wait out a 429, step up on a 60003, read, decode. Resources call `send`;
 * what ends a call at any point is its {@link Lifetime}.
 */
export class Transport {
  readonly config: Config
  readonly session: SessionState
  readonly events: Events
  readonly #gate: RateLimitGate
  readonly #open = new Set<Lifetime>()
  #isDisposed = false

  constructor(config: Config, session: SessionState, events: Events, gate: RateLimitGate) {
    this.config = config
    this.session = session
    this.events = events
    this.#gate = gate
  }

  /** Makes a call of the contract. `finish` is what is left to do with its data, and may replace them. */
  send<E extends Endpoint, T = ResponseOf<E>>(
    endpoint: E,
    pathValues: readonly string[],
    params: ParamsOf<E> | undefined,
    options: RequestOptions = {},
    finish?: (data: ResponseOf<E>, call: Call) => MaybePromise<T>,
  ): ApiPromise<T> {
    const run = this.#run(options, endpoint.name, (issues) => prepare(endpoint, pathValues, params, issues), finish)
    return new ApiPromise(run)
  }

  /** Makes a call that the document leaves out; a suspended user's token goes into the body. */
  request<T>(request: CustomRequest<T>, options: RequestOptions = {}, suspendedToken?: string): ApiPromise<T> {
    const name = `${request.method ?? 'GET'} ${request.path}`
    return new ApiPromise(this.#run(options, name, (issues) => prepareCustom(request, suspendedToken, issues)))
  }

  /** Ends every call that is open; later ones fail. */
  dispose(): void {
    this.#isDisposed = true
    const reason = new RapportError('The client was disposed.')
    for (const lifetime of this.#open) lifetime.end(reason)
    this.events.clear()
  }

  /**
   * Runs what takes several calls as one: the caller's signal, the deadline and the client's end are theirs together.
   * `shared` is what each of the calls is to be given.
   */
  async together<T>(
    name: string,
    options: RequestOptions,
    run: (lifetime: Lifetime, shared: RequestOptions) => Promise<T>,
  ): Promise<T> {
    const { deadline, issues } = readRequestOptions(options, this.config)
    if (issues.length > 0) throw new RequestValidationError(name, issues)
    return this.#within(name, options.signal, deadline, (lifetime) =>
      run(lifetime, { ...options, signal: lifetime.signal, deadline: Infinity }),
    )
  }

  async #run<D, T>(
    options: RequestOptions,
    name: string,
    prepareWith: (issues: readonly Issue[]) => PreparedCall,
    finish?: (data: D, call: Call) => MaybePromise<T>,
  ): Promise<WithResponse<T>> {
    const limits = readRequestOptions(options, this.config)
    const prepared = prepareWith(limits.issues)
    return this.#within(name, options.signal, limits.deadline, async (lifetime) => {
      if (this.session.ready !== undefined) await abortable(this.session.ready, lifetime.signal)
      const token = options.token ?? this.session.token
      const elevation = this.session.elevation(token)
      const call: Call = {
        prepared,
        options,
        limits,
        lifetime,
        token,
        elevation,
        attempts: 0,
        elevated: false,
        sent: [],
      }
      const raw = await elevation.heldFor(() => sendWithStepUp(this, call))
      const data = await this.#read(call, raw)
      return { data: finish ? await finish(data as D, call) : (data as T), response: responseInfo(call, raw) }
    })
  }

  async #within<T>(
    name: string,
    caller: AbortSignal | undefined,
    deadline: number,
    run: (lifetime: Lifetime) => Promise<T>,
  ): Promise<T> {
    if (this.#isDisposed) throw new RapportError(`${name}: the client was disposed.`)
    const lifetime = new Lifetime(name, caller, deadline)
    this.#open.add(lifetime)
    try {
      lifetime.signal.throwIfAborted()
      return await run(lifetime)
    } finally {
      lifetime.close()
      this.#open.delete(lifetime)
    }
  }

  /** Sends a call, with retries and 429 waits, and gives whatever the service answers in the end. */
  async exchange(call: Call, jwt: string | undefined): Promise<RawResponse> {
    const { prepared, limits } = call
    const { limit, maxRateLimitWaitMs } = limits.retry
    const key = `${prepared.method} ${prepared.template}`
    let waitedMs = 0
    for (let waits = 0; ; waits++) {
      if (limit > 0) waitedMs += await this.#passGate(call, key, maxRateLimitWaitMs - waitedMs)
      const raw = await this.#sendByHttp(call, jwt)
      if (raw.status !== 429) return raw
      const { retryAfterMs = 1000 * 2 ** waits, global } = readRateLimit(raw.headers, decodeFailure(raw))
      if (retryAfterMs > maxRateLimitWaitMs - waitedMs) return raw
      this.#gate.close(key, { retryAfterMs, global })
      if (waits >= limit || prepared.isOneShot) return raw
      this.events.emit('rateLimited', { ...callInfo(call), retryAfterMs, global })
    }
  }

  /** Waits while the service wants an endpoint left alone. Answers for how long, in milliseconds. */
  async #passGate({ prepared, lifetime }: Call, key: string, mostMs: number): Promise<number> {
    const remainingMs = this.#gate.remaining(key)
    if (remainingMs > mostMs) {
      const serviceMessage = 'the service has asked to wait, and `maxRateLimitWaitMs` is shorter'
      const failure = { endpoint: prepared.name, status: 429, serviceMessage, fieldErrors: [], body: undefined }
      throw new RateLimitError(failure, remainingMs, false)
    }
    if (remainingMs > 0) await this.#gate.pass(key, lifetime.signal)
    return remainingMs
  }

  async #sendByHttp(call: Call, jwt: string | undefined): Promise<RawResponse> {
    const { prepared, limits, lifetime } = call
    const { config, events } = this
    const headers = this.#headers(call, jwt)
    const url = config.baseUrl.href.replace(/\/$/, '') + prepared.target
    let startedAt = 0
    call.elevated = jwt !== undefined
    call.sent = secretHeaderValues(headers, config.mfaHeader)
    // Signing in and second factors are never repeated: a lost answer may have used up what they carry.
    const retry = prepared.stepUp || prepared.method === 'GET' ? limits.retry : { ...limits.retry, methods: [] }
    return exchange(
      { endpoint: prepared.name, method: prepared.method, url, headers, body: await prepared.body },
      {
        fetch: config.fetch,
        credentials: config.credentials,
        timeout: limits.timeout,
        maxResponseBytes: config.maxResponseBytes,
        retry: prepared.isOneShot ? { ...retry, methods: [] } : retry,
        onAttempt: () => {
          startedAt = performance.now()
          call.attempts++
          events.emit('request', callInfo(call))
          events.logger?.debug?.(`→ ${prepared.name}: ${prepared.method} ${prepared.template}`, {
            headers: redactHeaders(Object.entries(headers), config.mfaHeader),
            body: redact(prepared.content, secretsOf(call)),
          })
        },
        onAnswer: (raw) => {
          const durationMs = performance.now() - startedAt
          events.emit('response', { ...callInfo(call), status: raw.status, durationMs })
          events.logger?.debug?.(`← ${raw.status} ${prepared.name} in ${durationMs.toFixed(1)} ms`, {
            headers: redactHeaders(raw.headers, config.mfaHeader),
            body: redact(decodeFailure(raw), secretsOf(call)),
          })
        },
        maskCause: (cause) => maskError(cause, secretsOf(call)),
        onRetry: (status) => events.emit('retry', { ...callInfo(call), ...(status !== undefined && { status }) }),
      },
      lifetime,
    )
  }

  /** The headers of a request, names in lower case; what a call gives goes over what the client was given. */
  #headers({ prepared, limits, token }: Call, jwt: string | undefined): Record<string, string> {
    const { config, session } = this
    const headers: Record<string, string> = { accept: 'application/json', ...config.headers, ...limits.headers }
    if (prepared.contentType !== undefined) headers['content-type'] = prepared.contentType
    if (token !== null && prepared.auth !== 'none') {
      headers.authorization = checkHeaderValue('authorize', config.authorize(token))
    }
    // A fingerprint goes out until authentication completes (Interface, "Authentication", 3).
    if (session.fingerprint !== null && token === null) headers['x-fingerprint'] = session.fingerprint
    if (jwt !== undefined) headers[config.mfaHeader] = checkHeaderValue('mfaHeader', jwt)
    return headers
  }

  /** Turns what came back into data or into an error. */
  async #read(call: Call, raw: RawResponse): Promise<unknown> {
    const { prepared } = call
    if (raw.status < 200 || raw.status > 299) {
      // Where a call is itself part of signing in, a 401 says nothing of the token.
      if (raw.status === 401 && prepared.stepUp) this.events.emit('unauthorized', callInfo(call))
      throw toApiError(this.failure(call, raw), raw)
    }
    const { data, issues } = await prepared.read(prepared.name, raw)
    if (issues.length > 0 && this.config.onResponseMismatch !== 'ignore') {
      if (this.config.onResponseMismatch === 'throw') throw new ResponseMismatchError(prepared.name, issues)
      this.events.emit('responseMismatch', { ...callInfo(call), issues })
    }
    return data
  }

  /** What a failed answer says, with every secret of the call masked. */
  failure(call: Call, raw: RawResponse, further: readonly string[] = []): ApiFailure {
    return readFailure(call.prepared.name, raw.status, decodeFailure(raw), [...secretsOf(call), ...further])
  }
}

/** What the last request of a call carried that must not be shown; the longest first, since one may begin another. */
function secretsOf({ prepared, token, sent }: Call): string[] {
  const secrets = [...sent, ...prepared.secrets, ...(token === null ? [] : [token])]
  return secrets.sort((one, other) => other.length - one.length)
}
