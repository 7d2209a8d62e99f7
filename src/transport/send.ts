import { type AbortScope, sleep, throwIfAborted } from '../abort'
import type { Endpoint } from '../contract/endpoint'
import { redactError } from '../errors/base'
import { ConnectionError } from '../errors/client-errors'
import { ignoreErrors } from '../internal/emitter'
import { withoutPrototype } from '../internal/json'
import { addHeaderSecrets } from '../internal/redact'
import type { FetchInit, FetchResponse, RateLimit, RateLimitFollower } from '../types/options'
import {
  type Call,
  callOption,
  countWait,
  createSending,
  endRequest,
  notify,
  type Sending,
  secretsOf,
  startRequest,
} from './call'
import { type BufferedResponse, readRateLimit, readWith } from './response'
import { RETRY_POLICY, type RepeatableRequest } from './retry'

export const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const REDIRECT_MESSAGE =
  'the response is a redirect, which is not followed: it could send secrets to another origin. Check `baseUrl`.'
const NO_FETCH_MESSAGE = '`fetch` is not available here. Set the option `fetch`.'
/** Paths of sign-in, sign-out and MFA calls: a request whose response was lost may have consumed its ticket or code. */
const SENSITIVE_PATH = /^\/(?:auth|mfa)\//

/**
 * Sends a request, retries it after network errors, 408, 5xx and truncated bodies as `retry` says, and waits for rate
 * limits. Returns the final response: any status is a response, not an error.
 */
export async function sendRequest(call: Call): Promise<BufferedResponse> {
  const { context, prepared, limits, scope } = call
  const { config, rateLimiter } = context
  const { method, path, isOneShot } = prepared
  const sending = createSending(call, prepared)
  const authorization = authorizationHeader(call)
  const body = await prepared.body
  const payload: Pick<FetchInit, 'body' | 'duplex'> = {}
  // The public type is that of JSON: for other bodies the types of libraries differ.
  if (body !== undefined) payload.body = body as string
  if (isOneShot) payload.duplex = 'half'
  try {
    // First of all: what waits is kept by every garbage collection, and requests and signals are large.
    await takePlace(sending)
    const { signal } = scope
    // `manual`, because some edge runtimes do not support `error`; redirects are refused below.
    const init: RepeatableRequest['init'] = { method, headers: requestHeaders(call), redirect: 'manual' }
    if (prepared.keepalive) init.keepalive = true
    // Cloudflare's workers may refuse it. Not by `Request`: reading that makes Node load its `fetch`.
    if (!('WebSocketPair' in globalThis)) init.cache = 'no-store'
    if (config.credentials) init.credentials = config.credentials
    const isRepeatable = !isOneShot && (method === 'GET' || !SENSITIVE_PATH.test(path))
    const request: RepeatableRequest = {
      url: config.baseUrl.href.replace(/\/$/, '') + prepared.target,
      init,
      retry: isRepeatable ? limits.retry : { limit: 0, methods: [] },
      // Without a prototype: `fetch` reads inherited options too.
      send: (url, method, headers) =>
        sendOnce(
          sending,
          url,
          withoutPrototype({ ...init, ...payload, method, signal, headers: { ...headers, ...authorization } }),
        ),
      shouldRetry: (retryCount) => shouldRetry(sending, retryCount),
    }
    for (;;) {
      let failure: unknown
      try {
        await config.retryLoop(request)
      } catch (error) {
        throwIfAborted(signal)
        if (sending.final) throw sending.final
        // Its error may contain the request, and is dropped if there was a response.
        failure = error
      }
      const { response, waitMs } = sending
      if (!response) throw connectionError(call, failure)
      if (response.status !== 429 || waitMs === undefined) return response
      const { global = false } = response.rateLimit ?? {}
      notify(call, 'rateLimited', { reason: 429, waitMs, global })
    }
  } finally {
    // If nothing was sent.
    rateLimiter.leave(sending)
  }
}

/** Waits while calls of an endpoint are known to be limited for the account of a call, as long as that call may wait. */
export async function waitForLimit(call: Call, endpoint: Endpoint): Promise<void> {
  const sending = createSending(call, { ...endpoint, target: endpoint.path, content: undefined })
  await takePlace(sending).finally(() => call.context.rateLimiter.leave(sending))
}

/** Waits for the place of a request in the limiter, which it has then, and for the limits of other processes. */
async function takePlace(sending: Sending): Promise<void> {
  const { call, isShared } = sending
  const { rateLimiter, events } = call.context
  const { follower } = rateLimiter
  call.scope.throwIfAborted()
  const queued = rateLimiter.enter(sending)
  if (queued) await countWait(call, events.followers.instrumentation?.queue(queued) ?? queued)
  if (!follower || !isShared || !(await countWait(call, learnFrom(follower, sending)))) return
  rateLimiter.leave(sending)
  await takePlace(sending)
}

/** Learns the limits of other processes. Returns whether there are any. */
async function learnFrom(follower: RateLimitFollower, sending: Sending): Promise<boolean> {
  const { account, key, call } = sending
  let isLimited = false
  for (const limited of [account, key]) {
    const reset = follower.msUntilReset(limited)
    const ms = typeof reset === 'number' ? reset : await call.scope.race(reset)
    if (!(ms > 0)) continue
    isLimited = true
    call.context.rateLimiter.block(sending, ms, limited === account)
  }
  return isLimited
}

/** Picks the valid fields of the result of `readRateLimit`. */
function pickRateLimit(result: unknown): RateLimit {
  const times = Object(result)
  const rateLimit: { -readonly [Name in keyof RateLimit]: RateLimit[Name] } = { global: times.global === true }
  for (const name of ['retryAfterMs', 'remaining', 'resetAfterMs'] as const) {
    // JSON would serialize `Infinity` as null.
    if (times[name] >= 0) rateLimit[name] = Math.min(times[name], Number.MAX_SAFE_INTEGER)
  }
  return rateLimit
}

/** Returns what reports an error of an option that reads responses: it may quote what it has read. */
export function reporterOf(call: Call, response: BufferedResponse): (error: unknown) => void {
  return (error) => call.context.events.report(redactError(error, secretsOf(call, response)))
}

/** Learns the limit that a response shows, before the next call leaves. */
function learn(sending: Sending, response: BufferedResponse) {
  const { call } = sending
  const { config, rateLimiter } = call.context
  const { status } = response
  const { readRateLimit: readOwn } = config
  const rateLimit = readOwn
    ? (readWith(readOwn, response, reporterOf(call, response), pickRateLimit) ?? {})
    : readRateLimit(response)
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

/** Sends a request once. Rejects if a retry may mend the body of a success. */
async function sendOnce(sending: Sending, url: string, init: FetchInit) {
  const { call } = sending
  const { context, limits, scope } = call
  scope.throwIfAborted()
  try {
    // The first request of a call has it.
    if (!sending.lane) await takePlace(sending)
  } catch (error) {
    sending.final = error
    throw error
  }
  try {
    return await scope.withTimeout('timeout', limits.timeout, () => attempt(sending, url, init))
  } catch (error) {
    endRequest(call, error)
    throw error
  } finally {
    context.rateLimiter.leave(sending, sending.response?.status)
  }
}

async function attempt(sending: Sending, url: string, init: FetchInit): Promise<FetchResponse> {
  const { call } = sending
  const { context, prepared, elevation, scope, record } = call
  const { config } = context
  sending.response = record.status = undefined
  record.attempts++
  const { fingerprint } = context.session
  // It is sent until authentication completes (API, "Authentication", 3), and may have changed since the previous request.
  if (fingerprint !== null && call.token === null) init.headers['x-fingerprint'] = fingerprint
  elevation?.addTo(call, init.headers, config.mfaHeader)
  addHeaderSecrets(call.sentSecrets, init.headers)
  startRequest(call, init.headers)
  const { instrumentation } = context.events.followers
  const { fetch = globalThis.fetch } = config
  if (!fetch) {
    sending.final = new ConnectionError(prepared.name, NO_FETCH_MESSAGE)
    throw sending.final
  }
  const fetched = await (instrumentation
    ? instrumentation.send(record.callId, init.headers, () => fetch(url, init))
    : fetch(url, init))
  // 0 if a browser hides a redirect.
  record.status = fetched.status || undefined
  if (fetched.type === 'opaqueredirect' || fetched.redirected || REDIRECTS.has(fetched.status)) {
    openBody(fetched).cancel()
    sending.final = new ConnectionError(prepared.name, REDIRECT_MESSAGE)
    throw sending.final
  }
  const redactCause = (cause: unknown) => redactError(cause, secretsOf(call))
  const response = await readResponse(fetched, url, config.maxResponseBytes, scope, redactCause)
  throwIfAborted(scope.signal)
  const { status, bodyError } = response
  if (config.readError && !(status >= 200 && status < 300)) {
    const content = readWith(config.readError, response, reporterOf(call, response), Object)
    if (content) response.content = content
    // Before the log line of the response: its name there may be any.
    const ticket = content?.mfa?.ticket
    if (typeof ticket === 'string') call.sentSecrets.add(ticket)
  }
  endRequest(call, bodyError && (bodyError.cause ?? { name: 'ResponseParseError' }), response)
  sending.response = response
  learn(sending, response)
  if (status >= 200 && status < 300 && bodyError?.isConnection) throw new Error(bodyError.reason)
  return fetched
}

/** Decides on a retry, emits its event and waits, also for the `Retry-After` of a 503, the only response that has one here. */
async function shouldRetry(sending: Sending, retryCount: number): Promise<false | undefined> {
  const { call, response, leftMs } = sending
  const { signal, remainingMs } = call.scope
  if (signal.aborted || sending.final) return false
  const retryAfterMs = response?.rateLimit?.retryAfterMs ?? 0
  if (retryAfterMs > Math.min(leftMs, remainingMs)) return false
  sending.leftMs -= retryAfterMs
  const waitMs = retryAfterMs + RETRY_POLICY.delay(retryCount)
  const { errorName, status = 'Error' } = call.record
  notify(call, 'retry', { reason: errorName ?? status, waitMs })
  await countWait(call, sleep(waitMs, signal))
  return undefined
}

/** Returns the error of a call whose last request had no response. */
function connectionError(call: Call, error: unknown): ConnectionError {
  const { name, method } = call.prepared
  const { origin } = call.context.config.baseUrl
  const { location, navigator }: Partial<typeof globalThis> = globalThis
  const cause = redactError(error, secretsOf(call))
  // A browser may have refused a response of another origin: it reports that like a lost connection. By name, because
  // `fetch` may be that of another realm.
  const isCorsSuspected =
    Object(cause).name === 'TypeError' && !!location && location.origin !== origin && navigator?.onLine !== false
  const advice = isCorsSuspected
    ? `Check the connection, and whether the service allows requests from ${location.origin} (CORS): see the guide "CORS".`
    : 'Check the connection and `baseUrl`.'
  return new ConnectionError(name, `no response to ${method} from ${origin}. ${advice}`, { cause, isCorsSuspected })
}

/** Returns the header with the token, if the request carries it. */
function authorizationHeader({ context, prepared, token }: Call): { authorization?: string } {
  if (token === null || prepared.auth === 'none') return {}
  const { authorize } = context.config
  return { authorization: authorize ? callOption(authorize, 'authorize', prepared.name, token, token) : token }
}

/** Returns the headers shared by all requests of a call, without the token, names in lower case; the call's override the client's. */
function requestHeaders({ context, prepared, limits }: Call): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json', ...context.config.headers, ...limits.headers }
  // Only JSON is sent as a string.
  const contentType = typeof prepared.body === 'string' ? 'application/json' : prepared.contentType
  if (contentType) headers['content-type'] = contentType
  return headers
}

/**
 * Reads at most `maxBytes` of a body. A truncated body sets `bodyError` and does not reject. An abort cancels the body: a
 * custom `fetch` may not follow its signal, nor does that of Node 20 if a `Request` made of it was garbage-collected.
 */
export async function readResponse(
  response: FetchResponse,
  requestUrl: string,
  maxBytes: number,
  scope: AbortScope,
  redactCause: (cause: unknown) => unknown,
): Promise<BufferedResponse> {
  const { status, headers, url } = response
  const chunks: [chunk: Uint8Array, offset: number][] = []
  const { read, cancel } = openBody(response)
  let size = 0
  let bodyError: BufferedResponse['bodyError']
  // Until the end of the call: then there is nothing to cancel.
  scope.onAbort(cancel)
  try {
    if (scope.signal.aborted) cancel()
    else if (response.bodyUsed || Object(response.body).locked) bodyError = { reason: 'your `fetch` has read it' }
    else if (Number(headers.get('content-length')) > maxBytes) size = Infinity
    else {
      await read((chunk) => {
        chunks.push([chunk, size])
        size += chunk.byteLength
        return size <= maxBytes
      })
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
  }
  if (bodyError) size = chunks.length = 0
  // Most bodies arrive in one piece, which is not copied.
  const [[first] = [], second] = chunks
  const body = first && !second ? first : new Uint8Array(size)
  if (second) for (const [chunk, offset] of chunks) body.set(chunk, offset)
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
      async read(take) {
        reader = body.getReader()
        for (let next = await reader.read(); !next.done && take(next.value); ) next = await reader.read()
      },
      // Rejects if the stream has already failed.
      cancel: () => ignoreErrors(() => (reader ?? body).cancel()),
    }
  }
  return {
    async read(take) {
      if (Symbol.asyncIterator in body) {
        for await (const chunk of body) if (!take(chunk)) return
      } else if (response.status !== 204) take(new Uint8Array(await response.arrayBuffer()))
    },
    cancel: () => ignoreErrors(() => body.destroy?.()),
  }
}

interface Body {
  /** Passes chunks to `take` until it returns `false`. */
  read(take: (chunk: Uint8Array) => boolean): Promise<void>
  cancel(): void
}

/** A web stream, a stream of Node, another iterable, or none of these. */
type PlatformBody = ReadableStream<Uint8Array> | NodeBody | (NodeBody & AsyncIterable<Uint8Array>)

interface NodeBody {
  destroy?(): void
}
