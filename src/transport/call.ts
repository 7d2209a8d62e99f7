import type { AbortScope } from '../abort'
import type { Endpoint } from '../contract/endpoint'
import { RateLimitError } from '../errors/api-errors'
import { RapportError, redactError, wrapError } from '../errors/base'
import { isTimeoutError, RequestValidationError } from '../errors/client-errors'
import { isHeaderValue, validateHeaderValue } from '../internal/options'
import { compileSecrets, redact, redactHeaders, responseSecrets, type Secrets } from '../internal/redact'
import type { Elevation } from '../session/elevation'
import type { SessionManager } from '../session/session'
import type {
  CallInfo,
  ErrorContent,
  ErrorResponse,
  Fetch,
  RateLimit,
  RateLimitCall,
  RateLimitResponse,
  RateLimitStore,
  StandardSchema,
} from '../types/options'
import type { CallEnd, ClientEvents, Events } from './events'
import type { Place, RateLimiter } from './rate-limit'
import type { CallDefaults, PreparedCall, ReadOptions } from './request'
import { type BufferedResponse, decodeFailure, headerEntries, readFailure } from './response'
import type { RetryLoop } from './retry'

/** Client options that its calls use. */
export interface TransportConfig extends CallDefaults {
  readonly baseUrl: URL
  /** Headers of every request, names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly authorize?: ((token: string) => string) | undefined
  readonly fetch?: Fetch | undefined
  readonly retryLoop: RetryLoop
  readonly credentials?: 'omit' | 'same-origin' | 'include' | undefined
  readonly maxResponseBytes: number
  readonly onResponseMismatch: 'report' | 'throw' | 'ignore'
  readonly requestIdHeaders: readonly string[]
  readonly rateLimits?: RateLimitStore | undefined
  readonly rateLimitKey?: ((call: RateLimitCall) => string) | undefined
  readonly maxConcurrency: number
  readonly readRateLimit?: ((response: RateLimitResponse) => RateLimit) | undefined
  readonly readError?: ((response: ErrorResponse) => ErrorContent) | undefined
  readonly isStepUp?: ((response: ErrorResponse) => boolean) | undefined
  /** Absent also if mismatches are ignored. */
  readonly userSchema?: StandardSchema | undefined
}

/** Client state shared by its calls. */
export interface CallContext {
  readonly config: TransportConfig
  readonly session: SessionManager
  readonly events: Events
  readonly rateLimiter: RateLimiter
  /** Names this client in `rateLimiter`. */
  readonly id: number
}

/** A call in progress: its client, its request, its options and its state. */
export interface Call {
  readonly context: CallContext
  readonly prepared: PreparedCall
  readonly limits: ReadOptions
  readonly scope: AbortScope
  /** Token at the start of the call; it stays the same when the session changes. */
  readonly token: string | null
  /** Absent if the client does not step up. */
  readonly elevation: Elevation | undefined
  readonly record: CallRecord
  /** Start of the request in flight, if the call is observed. */
  sentAt: number | undefined
  /** Number of prompts that had failed when the first request was sent. */
  failuresBefore: number
  /** Verification JWT of the last request. */
  jwt: string | undefined
  /** Secrets in the headers of all requests sent so far. */
  readonly sentSecrets: Set<string>
}

/** State of a call that its last event shows; all but `startedAt`. `errorName` is set only if the call is observed. */
export type CallRecord = {
  -readonly [Field in Exclude<keyof CallEnd, 'outcome' | 'durationMs' | 'promptMs'>]: CallEnd[Field]
} & {
  /** Start of the call, by `performance.now()`; `undefined` if nobody observes the call. */
  readonly startedAt: number | undefined
}

/** Endpoint of a call; of a custom request only the name, until it is valid. */
export type CallTarget = Pick<Endpoint, 'name'> & Partial<Pick<Endpoint, 'method' | 'path'>>

let lastCallId = 0

export function createRecord({ events }: CallContext, { name, method, path }: CallTarget): CallRecord {
  const isObserved = events.isObserved
  return {
    callId: ++lastCallId,
    parentCallId: undefined,
    endpoint: name,
    method,
    path,
    attempts: 0,
    status: undefined,
    errorName: undefined,
    waitedMs: 0,
    startedAt: isObserved ? performance.now() : undefined,
  }
}

/** Events of attempts. */
type CallEvent = { [K in keyof ClientEvents]: ClientEvents[K] extends CallInfo ? K : never }[keyof ClientEvents]

/** Emits an event of a call with these fields, if they are observed. */
export function notify<K extends CallEvent>(
  call: Call,
  type: K,
  fields: Omit<ClientEvents[K], keyof CallInfo>,
  readDetails?: () => object,
): void {
  const { events } = call.context
  // Together they are an event: `fields` has what it has more.
  if (events.isObserved) events.emit(type, { ...callInfo(call), ...fields } as ClientEvents[K], readDetails)
}

/** Returns what events show of a call and its last attempt. */
export function callInfo({ prepared: { method, path, shownPath = path }, record }: Call): CallInfo {
  const { callId, parentCallId, endpoint, attempts: attempt } = record
  return { callId, parentCallId, endpoint, method, path: shownPath, attempt }
}

/** Waits, and adds the time to that which the call has waited. */
export async function countWait<T>({ record }: Call, wait: Promise<T>): Promise<T> {
  const { startedAt } = record
  const since = startedAt && performance.now()
  try {
    return await wait
  } finally {
    if (since) record.waitedMs += performance.now() - since
  }
}

/** Emits `request`, if the call is observed. */
export function startRequest(call: Call, headers: Readonly<Record<string, string>>): void {
  if (call.record.startedAt === undefined) return
  call.sentAt = performance.now()
  notify(call, 'request', {}, () => redactMessage(secretsOf(call), Object.entries(headers), call.prepared.content))
}

/** Emits the end of the request in flight, once. `error` is why it has no complete response. */
export function endRequest(call: Call, error: unknown, response?: BufferedResponse): void {
  const { record, scope, sentAt } = call
  if (sentAt === undefined) return
  call.sentAt = record.errorName = undefined
  const { status } = record
  const durationMs = performance.now() - sentAt
  if (response && !error) {
    const details = () =>
      redactMessage(secretsOf(call, response), headerEntries(response.headers), decodeFailure(response))
    notify(call, 'response', { status: response.status, durationMs }, details)
    return
  }
  const isAbort = scope.signal.aborted && error === scope.signal.reason
  const { name = 'Error', code, cause } = Object(isAbort ? error : redactError(error, secretsOf(call)))
  const isAppAbort = isAbort && !isTimeoutError(error)
  const errorName = isAppAbort ? 'AbortError' : String(name)
  const errorCode = isAbort ? undefined : [code, Object(cause).code].find((value) => typeof value === 'string')
  record.errorName = errorName
  notify(call, 'requestFailed', { errorName, errorCode, status, durationMs })
}

function redactMessage(secrets: Secrets, headers: Iterable<[string, string]>, body: unknown): object {
  return { headers: redactHeaders(headers, secrets), body: redact(body, secrets) }
}

/** Compiled secrets by response, or by `sentSecrets` of the call; `size` is the number of those at that time. */
const compiled = new WeakMap<object, { readonly secrets: Secrets; readonly size: number }>()

/** Returns the secrets sent with the request or returned in the response, compiled for redaction. */
export function secretsOf(call: Call, response?: BufferedResponse): Secrets {
  const { sentSecrets } = call
  const known = compiled.get(response ?? sentSecrets)
  if (known?.size === sentSecrets.size) return known.secrets
  const issued = response ? responseSecrets(decodeFailure(response)) : []
  const secrets = response && issued.length === 0 ? secretsOf(call) : compileSecrets(listSecrets(call), issued)
  compiled.set(response ?? sentSecrets, { secrets, size: sentSecrets.size })
  return secrets
}

/** Returns the secrets of {@link secretsOf} as strings, to be compiled together with others. */
export function listSecrets({ prepared, token, sentSecrets }: Call, response?: BufferedResponse): string[] {
  const issued = response ? responseSecrets(decodeFailure(response)) : []
  return [...sentSecrets, ...prepared.secrets(), ...(token === null ? [] : [token]), ...issued]
}

/** Metadata of the final response of a call. */
export interface ResponseInfo {
  /** HTTP status. */
  readonly status: number
  /** Headers of the response. */
  readonly headers: Headers
  /** URL of the response. */
  readonly url: string
  /** Number of requests that the call sent, including retries after errors, rate limits and a second factor. */
  readonly attempts: number
  /** Whether the last request carried the verification JWT of a second factor. */
  readonly elevated: boolean
}

/** Data of a call with the metadata of its response. */
export interface WithResponse<T> {
  /** Value that the promise itself resolves with. */
  data: T
  /** Metadata of the final response. */
  response: ResponseInfo
}

/** Promise of a call's data; `withResponse()` adds the metadata of the response. */
export class ApiPromise<T> extends Promise<T> {
  readonly #outcome: Promise<WithResponse<T>> | undefined

  /** @internal `then` and the like return plain promises, which have no response. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  /** @internal Accepts an executor like any promise; `ApiPromise.resolve`, `all` and the like rely on that. */
  constructor(executor: ConstructorParameters<typeof Promise<T>>[0], outcome?: Promise<WithResponse<T>>) {
    super(executor)
    this.#outcome = outcome
    // Own and bound, so that it can be detached; not enumerable, so that consoles do not show it.
    Object.defineProperty(this, 'withResponse', {
      value: this.withResponse.bind(this),
      configurable: true,
      writable: true,
    })
  }

  /**
   * Resolves with the data and the metadata of the response. Rejects with a `RapportError` if the promise was not
   * returned by a call.
   *
   * @example
   * import { Client } from 'rapport-sdk'
   *
   * const client = new Client({ baseUrl: 'https://service.example', token: 'a token' })
   * const { data, response } = await client.relationships.list().withResponse()
   * console.log(data.length, response.status, response.attempts)
   */
  withResponse(): Promise<WithResponse<T>> {
    const outcome = this.#outcome
    // Derived from this promise: its rejection is then handled, and V8 finds the code that awaits it.
    return this.then(() => {
      if (outcome) return outcome
      throw new RapportError('This promise was not returned by a call.')
    })
  }
}

/** Creates the promise of a call from its outcome. */
export function callPromise<T>(outcome: Promise<WithResponse<T>>): ApiPromise<T> {
  // V8 follows only `resolve` itself to the code that awaits this promise, for the stacks of errors.
  return new ApiPromise((resolve, reject) => outcome.then(({ data }) => data).then(resolve, reject), outcome)
}

/** A request of a call: what the limiter needs, and its waits for its own 429. */
export interface Sending extends Place {
  readonly call: Call
  /** Whether its limits are also those of other processes; those of a sign-in are not. */
  readonly isShared: boolean
  /** Number of 429 responses so far. */
  refusals: number
  /** Wait that the last 429 requires; `undefined` if the call does not wait. */
  waitMs: number | undefined
  /** Response to the last request; absent if it failed. */
  response?: BufferedResponse | undefined
  /** An error that no retry could mend. */
  final?: unknown
}

/** Fields of the body that name the account of a call without a token: those of sign-ins, and a suspended token. */
const ACCOUNT_FIELDS = ['login', 'ticket', 'token']

export function createSending(
  call: Call,
  prepared: Pick<PreparedCall, 'name' | 'method' | 'path' | 'target' | 'auth' | 'content'>,
): Sending {
  const { token, limits, context, scope } = call
  const { rateLimitKey, maxConcurrency } = context.config
  const { name, method, path, target, auth, content } = prepared
  const isShared = token !== null && auth !== 'none'
  const account = isShared ? `token ${token}` : accountWithoutToken(context, content)
  let group = `${account}\n${method} ${path}`
  // Only templates with parameters have other paths.
  let key = path.includes('{') ? `${account}\n${method} ${pathOf(target)}` : group
  // Its path may contain IDs, which `inspect` must not show.
  if (key === group && name.includes('/')) group += '\n'
  if (rateLimitKey) {
    const info = { account, endpoint: name, method, path, concretePath: pathOf(target) }
    key = group = `key ${callOption(rateLimitKey, 'rateLimitKey', name, info, account)}`
  }
  const { limit, maxRateLimitWaitMs } = limits.retry
  return {
    call,
    account,
    key,
    group,
    isShared,
    maxConcurrency,
    scope,
    createError: (ms, isGlobal) => rateLimitError(call, name, ms, isGlobal),
    leftMs: limit > 0 ? maxRateLimitWaitMs : 0,
    refusals: 0,
    waitMs: undefined,
  }
}

function accountWithoutToken({ session, id }: CallContext, content: unknown): string {
  const fieldOf = (field: string): unknown => Object.getOwnPropertyDescriptor(Object(content), field)?.value
  const field = ACCOUNT_FIELDS.find((field) => typeof fieldOf(field) === 'string')
  if (field) return `${field}: ${fieldOf(field)}`
  return session.fingerprint !== null ? `fingerprint ${session.fingerprint}` : `client ${id}`
}

/** Returns a path without its query. */
function pathOf(target: string): string {
  return target.replace(/\?.*/, '')
}

/** Calls an option of the app that returns a string for a header or a key, and redacts its errors. */
export function callOption<T>(
  read: (value: T) => unknown,
  option: string,
  endpoint: string,
  value: T,
  secret: string,
): string {
  let result: unknown
  try {
    result = read(value)
    // It is refused below, as it is not a string; avoid an unhandled rejection.
    if (result instanceof Promise) result.catch(() => {})
  } catch (error) {
    throw wrapError(`${endpoint}: \`${option}\` threw, nothing was sent.`, error, compileSecrets([secret]))
  }
  if (!isHeaderValue(result)) throw new RequestValidationError('Client', validateHeaderValue(option, result), true)
  return result
}

/** Returns the error of a call that is not sent because of a rate limit. */
function rateLimitError(call: Call, name: string, ms: number, isGlobal: boolean): RateLimitError {
  const failure = { ...readFailure(name, 429, undefined, secretsOf(call)), attempts: call.record.attempts }
  const reason =
    'No request was sent: the service has asked to wait, and `limit`, `maxRateLimitWaitMs` or `deadline` is too low.'
  return new RateLimitError(failure, Math.ceil(ms), isGlobal, reason)
}
