import ky from 'ky'
import { sleep, throwIfAborted } from '../abort'
import { RateLimitError } from '../errors/api-errors'
import { RapportError, wrapError } from '../errors/base'
import { ConnectionError } from '../errors/client-errors'
import { compileSecrets, headerSecrets, redact, redactError, redactHeaders } from '../internal/redact'
import { checkHeaderValue } from '../session/session'
import type { FetchInit, FetchResponse } from '../types/fetch'
import { type Call, type CallContext, callInfo, secretsOf } from './call'
import { readRateLimit } from './rate-limit'
import { type BufferedResponse, decodeFailure } from './response'

/** Timers fire a little early: the rest of a wait is waited, even by a call that must not wait. */
const TIMER_SLACK_MS = 5

/** Sends a request, waiting out 429 responses, and returns the final response. */
export async function sendWithRateLimit(context: CallContext, call: Call): Promise<BufferedResponse> {
  const { prepared, limits, scope } = call
  const { limit, maxRateLimitWaitMs } = limits.retry
  const { rateLimiter, events } = context
  const key = `${prepared.method} ${prepared.path}`
  let leftMs = limit > 0 ? maxRateLimitWaitMs : 0
  for (let waits = 0; ; waits++) {
    // Another call's 429 may prolong the wait meanwhile, and a timer waits no longer than it can.
    for (let ms = rateLimiter.msUntilReset(key); ms > 0; ms = rateLimiter.msUntilReset(key)) {
      if (ms > leftMs + TIMER_SLACK_MS) throw rateLimitError(call, ms, rateLimiter.isGlobal)
      await rateLimiter.wait(ms, scope.signal)
      leftMs -= ms
    }
    const raw = await fetchWithRetry(context, call)
    if (raw.status !== 429) return raw
    const { retryAfterMs, global } = readRateLimit(raw.headers, decodeFailure(raw))
    const waitMs = retryAfterMs ?? 1000 * 2 ** waits
    const isWaited = waits < limit && waitMs <= leftMs && !prepared.isOneShot
    // What the service asks for holds for later calls too; a guess only while a call waits for it.
    if (isWaited || retryAfterMs !== undefined) rateLimiter.block(key, waitMs, global)
    if (!isWaited) return raw
    events.emit('rateLimited', { ...callInfo(call), retryAfterMs: waitMs, global })
  }
}

/** The error of a call that is not sent, since the service wants its endpoint left alone. */
function rateLimitError({ prepared }: Call, ms: number, isGlobal: boolean): RateLimitError {
  const failure = { endpoint: prepared.name, status: 429, serviceMessage: '', fieldErrors: [], body: undefined }
  const reason = 'No request was sent: the service has asked to wait, and `limit` or `maxRateLimitWaitMs` is too low.'
  return new RateLimitError(failure, Math.ceil(ms), isGlobal, reason)
}

const BACKOFF_MS = 300

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const REDIRECT_MESSAGE =
  'the answer is a redirect, which is not followed: it could carry secrets elsewhere. Check `baseUrl`.'

/** Below these are signing in and out and second factors: a lost answer may have used up what such a call carries. */
const SENSITIVE_PATH = /^\/(?:auth|mfa)\//

/** What ky receives in place of a response: the attempt has read it already. */
const OK_RESPONSE = { ok: true } as Response

/**
 * Sends a request with ky, which retries it after network errors and 5xx as `retry` says. Any status is a response, not an
 * error. ky's `fetch` is a whole attempt including its body, so a body that breaks off is retried too, and a custom `fetch`
 * receives a URL and an init instead of ky's `Request`. ky sees neither headers nor body, so its errors hold no secret.
 */
async function fetchWithRetry(context: CallContext, call: Call): Promise<BufferedResponse> {
  const { config, events } = context
  const { prepared, limits, scope, elevation } = call
  const { name, method, isOneShot } = prepared
  const { signal } = scope
  const url = config.baseUrl.href.replace(/\/$/, '') + prepared.target
  const shared = requestHeaders(context, call)
  const body = await prepared.body
  const redactCause = (cause: unknown) => redactError(cause, secretsOf(call))

  let isRedirect = false

  const attempt = async (): Promise<BufferedResponse> => {
    if (call.attempts++ === 0) call.failuresBefore = elevation.failures
    call.jwt = prepared.stepUp ? elevation.jwt : undefined
    const headers = { ...shared, ...sessionHeaders(context, call) }
    for (const secret of headerSecrets(headers, config.mfaHeader)) call.sent.add(secret)
    const startedAt = performance.now()
    logRequest(context, call, headers)
    // `manual` rather than `error`: some edge runtimes have no `error`, and either way a redirect is refused here.
    const init: FetchInit = { method, headers, signal, redirect: 'manual' }
    // Its public type is that of JSON: libraries have types of their own for everything else.
    if (body !== undefined) init.body = body as string
    if (isOneShot) init.duplex = 'half'
    if (config.credentials) init.credentials = config.credentials
    const response = await (config.fetch ?? globalThis.fetch)(url, init)
    isRedirect = response.type === 'opaqueredirect' || response.redirected === true || REDIRECTS.has(response.status)
    if (isRedirect) {
      discard(response)
      throw new ConnectionError(name, REDIRECT_MESSAGE)
    }
    const raw = await readResponse(response, url, config.maxResponseBytes, redactCause)
    throwIfAborted(signal)
    logResponse(context, call, raw, performance.now() - startedAt)
    return raw
  }

  let raw: BufferedResponse | undefined
  const send = async (): Promise<Response> => {
    throwIfAborted(signal)
    raw = undefined
    raw = await scope.withTimeout('timeout', limits.timeout, attempt)
    if (isRetryable(raw)) throw new ConnectionError(name, 'the response is worth a retry')
    return OK_RESPONSE
  }
  const shouldRetry = async ({ retryCount }: { retryCount: number }): Promise<boolean> => {
    if (signal.aborted || isRedirect) return false
    events.emit('retry', { ...callInfo(call), ...(raw && { status: raw.status }) })
    // Full jitter, so that clients that failed together do not come back together.
    await sleep(Math.random() * BACKOFF_MS * 2 ** (retryCount - 1), signal)
    return true
  }

  if (typeof Request !== 'function')
    throw new RapportError(`${name}: this platform has no Request, nothing was sent. Add a polyfill of fetch.`)
  const isRepeatable = !isOneShot && (method === 'GET' || !SENSITIVE_PATH.test(prepared.path))
  const limit = isRepeatable && limits.retry.methods.includes(method) ? limits.retry.limit : 0
  try {
    await ky(url, {
      method,
      fetch: send,
      timeout: false,
      retry: { limit, methods: [method.toLowerCase() as 'get'], shouldRetry, delay: () => 0 },
    })
  } catch (error) {
    throwIfAborted(signal)
    if (isRedirect) throw error
    if (raw === undefined) {
      const advice = 'Check the connection and `baseUrl`.'
      throw new ConnectionError(name, `no answer to ${method} from ${config.baseUrl.origin}. ${advice}`, {
        cause: redactCause(error),
      })
    }
  }
  return raw as BufferedResponse
}

/** Whether the service failed, or its success broke off. */
function isRetryable({ status, bodyError }: BufferedResponse): boolean {
  return status >= 500 || (status >= 200 && status < 300 && bodyError?.isConnection === true)
}

/** Returns the headers that all requests of a call share, names in lower case; those of the call replace the client's. */
function requestHeaders({ config }: CallContext, { prepared, limits, token }: Call): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json', ...config.headers, ...limits.headers }
  if (prepared.contentType !== undefined) headers['content-type'] = prepared.contentType
  if (token !== null && prepared.auth !== 'none') {
    headers.authorization = checkHeaderValue('authorize', authorize(config, prepared.name, token))
  }
  return headers
}

function authorize(config: CallContext['config'], endpoint: string, token: string): string {
  try {
    const value: unknown = config.authorize(token)
    // It is refused as no string; alone it must not end the process.
    if (value instanceof Promise) value.catch(() => {})
    return value as string
  } catch (error) {
    throw wrapError(`${endpoint}: \`authorize\` threw, nothing was sent.`, error, compileSecrets([token]))
  }
}

/** Returns the headers that depend on the session as it is now: a call may have waited since its last request. */
function sessionHeaders({ config, session }: CallContext, { token, jwt }: Call): Record<string, string> {
  return {
    // A fingerprint goes out until authentication completes (Interface, "Authentication", 3).
    ...(session.fingerprint !== null && token === null && { 'x-fingerprint': session.fingerprint }),
    ...(jwt !== undefined && { [config.mfaHeader]: jwt }),
  }
}

/** Reads a body, no more of it than `maxBytes`. A body that breaks off is a bodyError of the answer, not an error yet. */
async function readResponse(
  response: FetchResponse,
  requestUrl: string,
  maxBytes: number,
  redactCause: (cause: unknown) => unknown,
): Promise<BufferedResponse> {
  const { status, headers, url } = response
  const chunks: Uint8Array[] = []
  let size = 0
  let bodyError: BufferedResponse['bodyError']
  const refuseSize = () => {
    bodyError = { reason: `it is larger than ${maxBytes} bytes (\`maxResponseBytes\`)`, isConnection: false }
  }
  try {
    if (Number(headers.get('content-length')) > maxBytes) {
      refuseSize()
      discard(response)
    } else {
      for await (const chunk of chunksOf(response)) {
        size += chunk.byteLength
        if (size > maxBytes) {
          refuseSize()
          break
        }
        chunks.push(chunk)
      }
    }
  } catch (cause) {
    bodyError = { reason: `the connection broke after ${size} bytes`, cause: redactCause(cause), isConnection: true }
  }
  return {
    status,
    // Typed by what the client uses of them: libraries have classes of their own.
    headers: headers as Headers,
    url: url || requestUrl,
    body: chunks.length === 1 && chunks[0] ? chunks[0] : join(chunks),
    ...(bodyError && { bodyError }),
  }
}

/** The body in pieces: of a web stream, of an async iterable (node-fetch), or whole (React Native, XHR polyfills). */
async function* chunksOf(response: FetchResponse): AsyncGenerator<Uint8Array> {
  const { body, status } = response
  if (isWebStream(body)) {
    const reader = body.getReader()
    try {
      // Not every platform iterates over its streams.
      for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
    } finally {
      // Of a stream that failed or has ended there is nothing to cancel, which is no news.
      reader.cancel().catch(() => {})
    }
  } else if (isIterable(body)) yield* body
  else if (status !== 204) yield new Uint8Array(await response.arrayBuffer())
}

/** Gives up a body that nobody reads. */
function discard({ body }: FetchResponse): void {
  if (isWebStream(body)) body.cancel().catch(() => {})
  else if (isNodeStream(body)) body.destroy()
}

const isWebStream = (body: unknown): body is ReadableStream<Uint8Array> => has(body, 'getReader')

const isNodeStream = (body: unknown): body is { destroy(): void } => has(body, 'destroy')

const isIterable = (body: unknown): body is AsyncIterable<Uint8Array> => has(body, Symbol.asyncIterator)

const has = (body: unknown, name: string | symbol) => typeof body === 'object' && body !== null && name in body

function join(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((size, { byteLength }) => size + byteLength, 0))
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.byteLength
  }
  return whole
}

/** Tells listeners and the log of a request that goes out. */
function logRequest(context: CallContext, call: Call, headers: Readonly<Record<string, string>>): void {
  const { name, method, path, content } = call.prepared
  context.events.emit('request', callInfo(call))
  log(context, call, Object.entries(headers), () => [`→ ${name}: ${method} ${path}`, content])
}

/** Tells them of an answer that has come. */
function logResponse(context: CallContext, call: Call, raw: BufferedResponse, durationMs: number): void {
  const { status, headers } = raw
  context.events.emit('response', { ...callInfo(call), status, durationMs })
  const line = () => `← ${status} ${call.prepared.name} in ${durationMs.toFixed(1)} ms`
  log(context, call, headers, () => [line(), decodeFailure(raw)], raw)
}

/** Writes to the log, if anyone reads it: what it says takes longer than the rest of a call. */
function log(
  { config, events }: CallContext,
  call: Call,
  headers: Iterable<[string, string]>,
  read: () => [line: string, body: unknown],
  answer?: BufferedResponse,
): void {
  if (events.logger?.debug === undefined) return
  const [line, body] = read()
  const secrets = secretsOf(call, answer)
  events.logger.debug(line, { headers: redactHeaders(headers, config.mfaHeader, secrets), body: redact(body, secrets) })
}
