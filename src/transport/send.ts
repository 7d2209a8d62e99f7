import { raceAbort, sleep, throwIfAborted } from '../abort'
import type { Endpoint } from '../contract/endpoint'
import { redactError } from '../errors/base'
import { ConnectionError } from '../errors/client-errors'
import { withoutPrototype } from '../internal/json'
import { headerSecrets, redact, redactHeaders } from '../internal/redact'
import type { FetchInit, FetchResponse } from '../types/fetch'
import type { RateLimit, RateLimitResponse } from '../types/options'
import { type Call, type CallContext, callInfo, callOption, createSending, type Sending, secretsOf } from './call'
import type { Events } from './events'
import { type BufferedResponse, decodeFailure, headerEntries, readRateLimit } from './response'

const BACKOFF_MS = 300
const MAX_BACKOFF_MS = 30_000
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const REDIRECT_MESSAGE =
  'the response is a redirect, which is not followed: it could send secrets to another origin. Check `baseUrl`.'
/** Paths of sign-in, sign-out and MFA calls: a request whose response was lost may have consumed its ticket or code. */
const SENSITIVE_PATH = /^\/(?:auth|mfa)\//

/** Sends a request, waiting for rate limits, and returns the final response. */
export async function sendWithRateLimit(context: CallContext, call: Call): Promise<BufferedResponse> {
  const sending = createSending(context, call, call.prepared)
  for (;;) {
    const response = await fetchWithRetry(context, call, sending)
    const { waitMs } = sending
    if (response.status !== 429 || waitMs === undefined) return response
    const global = response.rateLimit?.global ?? false
    context.events.emit('rateLimited', { ...callInfo(call), retryAfterMs: waitMs, global })
  }
}

/** Waits while calls of an endpoint are known to be limited for the account of a call, as long as that call may wait. */
export async function waitForLimit(context: CallContext, call: Call, endpoint: Endpoint): Promise<void> {
  const sending = createSending(context, call, { ...endpoint, target: endpoint.path, content: undefined })
  await context.rateLimiter.enter(sending)
  await follow(context, sending)
  context.rateLimiter.leave(sending)
}

/** Waits for the limits of other processes, then takes the place of a request in the limiter again. */
async function follow({ rateLimiter }: CallContext, sending: Sending): Promise<void> {
  const { follower } = rateLimiter
  if (!follower || !sending.isShared) return
  for (let isFree = false; !isFree; ) {
    isFree = true
    try {
      for (const key of [sending.account, sending.key]) {
        const reset = follower.msUntilReset(key)
        const ms = typeof reset === 'number' ? reset : await raceAbort(reset, sending.scope.signal)
        if (ms > 0) isFree = false
        if (ms > 0) rateLimiter.block(sending, ms, key === sending.account)
      }
    } catch (error) {
      rateLimiter.leave(sending)
      throw error
    }
    if (isFree) return
    rateLimiter.leave(sending)
    await rateLimiter.enter(sending)
  }
}

/** Reads a response with the function of the app, which may throw, and return anything. */
function readOwnRateLimit(read: (response: RateLimitResponse) => unknown, response: BufferedResponse, events: Events) {
  const { status, headers } = response
  const rateLimit: { -readonly [Name in keyof RateLimit]: RateLimit[Name] } = {}
  try {
    const result = read({ status, headers, body: decodeFailure(response) })
    if (result instanceof Promise) result.catch(events.report)
    const times = Object(result)
    rateLimit.global = times.global === true
    for (const name of ['retryAfterMs', 'remaining', 'resetAfterMs'] as const) {
      // JSON would serialize `Infinity` as null.
      if (times[name] >= 0) rateLimit[name] = Math.min(times[name], Number.MAX_SAFE_INTEGER)
    }
  } catch (error) {
    events.report(error)
  }
  return rateLimit
}

/** Learns the limit that a response shows, before the next call leaves. */
function learn({ config, events, rateLimiter }: CallContext, call: Call, sending: Sending, response: BufferedResponse) {
  const { status } = response
  const { readRateLimit: readOwn } = config
  const rateLimit = readOwn ? readOwnRateLimit(readOwn, response, events) : readRateLimit(response)
  response.rateLimit = rateLimit
  sending.waitMs = undefined
  if (status !== 429) return rateLimiter.learn(sending, rateLimit)
  const { retryAfterMs, global = false } = rateLimit
  const waitMs = retryAfterMs ?? 1000 * 2 ** sending.refusals
  const mayWait = waitMs <= Math.min(sending.leftMs, call.scope.remainingMs)
  const willRetry = sending.refusals++ < call.limits.retry.limit && mayWait && !call.prepared.isOneShot
  if (willRetry) sending.waitMs = waitMs
  sending.isLast = sending.refusals >= call.limits.retry.limit
  // A wait set by the service also applies to later calls, a guessed one only while a call waits.
  if (!willRetry && retryAfterMs === undefined) return
  rateLimiter.block(sending, waitMs, global)
  if (sending.isShared) config.rateLimits?.block(global ? sending.account : sending.key, waitMs)
}

/**
 * Sends a request and retries it after network errors, 408, 5xx and truncated bodies as `retry` says. Any status is a
 * response, not an error.
 */
async function fetchWithRetry(context: CallContext, call: Call, sending: Sending): Promise<BufferedResponse> {
  const { config, events, rateLimiter } = context
  const { prepared, limits, scope, elevation } = call
  const { name, method, isOneShot } = prepared
  const { signal } = scope
  const url = config.baseUrl.href.replace(/\/$/, '') + prepared.target
  const shared = requestHeaders(context, call)
  const body = await prepared.body
  const redactCause = (cause: unknown) => redactError(cause, secretsOf(call))
  /** An error that no retry could mend. */
  let final: unknown

  const attempt = async (): Promise<BufferedResponse> => {
    if (call.attempts++ === 0) call.failuresBefore = elevation?.failures ?? 0
    call.jwt = prepared.stepUp ? elevation?.jwt : undefined
    const headers = { ...shared, ...sessionHeaders(context, call) }
    for (const secret of headerSecrets(headers, prepared.isSecretName)) call.sentSecrets.add(secret)
    const startedAt = performance.now()
    logRequest(context, call, headers)
    // `manual`, because some edge runtimes do not support `error`; redirects are refused below.
    // Without a prototype: `fetch` reads inherited options too.
    const init: FetchInit = withoutPrototype({ method, headers, signal, redirect: 'manual' })
    // The public type is that of JSON: for other bodies the types of libraries differ.
    if (body !== undefined) init.body = body as string
    if (isOneShot) init.duplex = 'half'
    if (prepared.keepalive) init.keepalive = true
    // Cloudflare's workers may refuse it. Not by `Request`: reading that makes Node load its `fetch`.
    if (!('WebSocketPair' in globalThis)) init.cache = 'no-store'
    if (config.credentials) init.credentials = config.credentials
    const fetched = await (config.fetch ?? globalThis.fetch)(url, init)
    if (fetched.type === 'opaqueredirect' || fetched.redirected || REDIRECTS.has(fetched.status)) {
      openBody(fetched).cancel()
      final = new ConnectionError(name, REDIRECT_MESSAGE)
      throw final
    }
    const buffered = await readResponse(fetched, url, config.maxResponseBytes, signal, redactCause)
    throwIfAborted(signal)
    logResponse(context, call, buffered, performance.now() - startedAt)
    return buffered
  }

  let response: BufferedResponse | undefined
  const send = async (): Promise<void> => {
    throwIfAborted(signal)
    response = undefined
    try {
      const queued = rateLimiter.enter(sending)
      if (queued) await queued
      if (rateLimiter.follower) await follow(context, sending)
    } catch (error) {
      final = error
      throw error
    }
    try {
      response = await scope.withTimeout('timeout', limits.timeout, attempt)
      learn(context, call, sending, response)
    } finally {
      rateLimiter.leave(sending, response?.status)
    }
    if (isRetryable(response)) throw new Error('retryable')
  }
  const shouldRetry = async (retryCount: number): Promise<boolean> => {
    if (signal.aborted || final) return false
    // Only a 503 has one, for this call alone.
    const retryAfterMs = response?.rateLimit?.retryAfterMs ?? 0
    if (retryAfterMs > Math.min(sending.leftMs, scope.remainingMs)) return false
    sending.leftMs -= retryAfterMs
    events.emit('retry', { ...callInfo(call), ...(response && { status: response.status }) })
    // Full jitter: clients that failed at the same time retry at different times.
    const backoffMs = Math.random() * Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** (retryCount - 1))
    await sleep(Math.max(retryAfterMs, backoffMs), signal)
    return true
  }

  const isRepeatable = !isOneShot && (method === 'GET' || !SENSITIVE_PATH.test(prepared.path))
  const limit = isRepeatable && limits.retry.methods.includes(method) ? limits.retry.limit : 0
  const done = config.retryLoop({ endpoint: name, url, method, limit, send, shouldRetry })
  try {
    await done
  } catch (error) {
    throwIfAborted(signal)
    if (final) throw final
    if (response === undefined) {
      const { origin } = config.baseUrl
      const { location, navigator }: Partial<typeof globalThis> = globalThis
      const cause = redactCause(error)
      // A browser may have refused a response of another origin: it reports that like a lost connection. By name, because
      // `fetch` may be that of another realm.
      const isCorsSuspected =
        Object(cause).name === 'TypeError' && !!location && location.origin !== origin && navigator?.onLine !== false
      const advice = isCorsSuspected
        ? `Check the connection, and whether the service allows requests from ${location.origin} (CORS): see the guide "CORS".`
        : 'Check the connection and `baseUrl`.'
      throw new ConnectionError(name, `no response to ${method} from ${origin}. ${advice}`, {
        cause,
        isCorsSuspected,
      })
    }
  }
  // Set by the attempt, or else the loop threw.
  return response as BufferedResponse
}

/** Whether a response is a 408 or 5xx, or a success whose body was truncated. */
function isRetryable({ status, bodyError }: BufferedResponse): boolean | undefined {
  return status === 408 || status >= 500 || (status >= 200 && status < 300 && bodyError?.isConnection)
}

/** Returns the headers shared by all requests of a call, names in lower case; the call's override the client's. */
function requestHeaders({ config }: CallContext, { prepared, limits, token }: Call): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json', ...config.headers, ...limits.headers }
  // Only JSON is sent as a string.
  const contentType = typeof prepared.body === 'string' ? 'application/json' : prepared.contentType
  if (contentType) headers['content-type'] = contentType
  if (token !== null && prepared.auth !== 'none') {
    headers.authorization = config.authorize
      ? callOption(config.authorize, 'authorize', prepared.name, token, token)
      : token
  }
  return headers
}

/** Returns the headers that depend on the current session, which may have changed since the previous request. */
function sessionHeaders({ config, session }: CallContext, { token, jwt }: Call): Record<string, string> {
  return {
    // The fingerprint is sent until authentication completes (API, "Authentication", 3).
    ...(session.fingerprint !== null && token === null && { 'x-fingerprint': session.fingerprint }),
    ...(jwt !== undefined && { [config.mfaHeader]: jwt }),
  }
}

/**
 * Reads at most `maxBytes` of a body. A truncated body sets `bodyError` and does not reject. An abort cancels the body: a
 * custom `fetch` may not follow its signal, nor does that of Node 20 if a `Request` made of it was garbage-collected.
 */
async function readResponse(
  response: FetchResponse,
  requestUrl: string,
  maxBytes: number,
  signal: AbortSignal,
  redactCause: (cause: unknown) => unknown,
): Promise<BufferedResponse> {
  const { status, headers, url } = response
  const chunks: [chunk: Uint8Array, offset: number][] = []
  const { read, cancel } = openBody(response)
  let size = 0
  let bodyError: BufferedResponse['bodyError']
  signal.addEventListener('abort', cancel)
  try {
    if (signal.aborted) cancel()
    else if (response.bodyUsed || Object(response.body).locked) bodyError = { reason: 'your `fetch` has read it' }
    else if (Number(headers.get('content-length')) > maxBytes) size = Infinity
    else {
      for await (const chunk of read()) {
        chunks.push([chunk, size])
        size += chunk.byteLength
        if (size > maxBytes) break
      }
    }
    if (size > maxBytes) {
      cancel()
      bodyError = { reason: `it is larger than ${maxBytes} bytes (\`maxResponseBytes\`)` }
    }
  } catch (error) {
    const cause = redactCause(error)
    const { name, message: reason } = Object(cause)
    // `undiciFetch` does not support the encoding: a retry would not help.
    bodyError =
      name === 'RapportError'
        ? { reason }
        : { reason: `the connection broke after ${size} bytes`, cause, isConnection: true }
  } finally {
    signal.removeEventListener('abort', cancel)
  }
  const body = new Uint8Array(bodyError ? 0 : size)
  if (!bodyError) for (const [chunk, offset] of chunks) body.set(chunk, offset)
  return {
    status,
    // Other libraries have `Headers` classes of their own.
    headers: headers as Headers,
    url: url || requestUrl,
    body,
    bodyError,
  }
}

/** Returns a reader of a web stream or async iterable (node-fetch), else of the whole body (React Native, polyfills). */
function openBody(response: FetchResponse): Body {
  const body: PlatformBody = Object(response.body)
  if ('getReader' in body) {
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
    return {
      // Not every platform has async iteration of streams.
      async *read() {
        reader = body.getReader()
        for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
      },
      // Rejects if the stream has already failed.
      cancel: () => void (reader ?? body).cancel().catch(() => {}),
    }
  }
  const read = () => (response.status === 204 ? [] : [response.arrayBuffer().then((buffer) => new Uint8Array(buffer))])
  return { read: Symbol.asyncIterator in body ? () => body : read, cancel: () => body.destroy?.() }
}

interface Body {
  read(): AsyncIterable<Uint8Array> | Iterable<Promise<Uint8Array>>
  cancel(): void
}

/** A web stream, a stream of Node, another iterable, or none of these. */
type PlatformBody = ReadableStream<Uint8Array> | NodeBody | (NodeBody & AsyncIterable<Uint8Array>)

interface NodeBody {
  destroy?(): void
}

/** Emits `request` and writes a debug log entry. */
function logRequest(context: CallContext, call: Call, headers: Readonly<Record<string, string>>): void {
  const { name, method, path, content } = call.prepared
  if (context.events.hasListeners) context.events.emit('request', callInfo(call))
  log(context, call, () => [`→ ${name}: ${method} ${path}`, Object.entries(headers), content])
}

/** Emits `response` and writes a debug log entry. */
function logResponse(context: CallContext, call: Call, response: BufferedResponse, durationMs: number): void {
  const { status, headers } = response
  if (context.events.hasListeners) context.events.emit('response', { ...callInfo(call), status, durationMs })
  log(
    context,
    call,
    () => [
      `← ${status} ${call.prepared.name} in ${durationMs.toFixed(1)} ms`,
      headerEntries(headers),
      decodeFailure(response),
    ],
    response,
  )
}

/** Writes a debug log entry. Without a debug logger nothing is redacted, which takes longer than the rest of a call. */
function log(
  { events }: CallContext,
  call: Call,
  read: () => [line: string, headers: Iterable<[string, string]>, body: unknown],
  response?: BufferedResponse,
): void {
  if (events.logger?.debug === undefined) return
  const [line, headers, body] = read()
  const secrets = secretsOf(call, response)
  events.logger.debug(line, { headers: redactHeaders(headers, secrets), body: redact(body, secrets) })
}
