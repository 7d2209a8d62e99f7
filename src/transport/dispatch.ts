import { RateLimitError } from '../errors/status-errors'
import type { SessionState } from '../session/session'
import { sleep } from './abortable'
import { type Call, callInfo, secretsOf } from './call'
import type { Config } from './config'
import { decodeFailure } from './decode'
import type { Events } from './events'
import { checkHeaderValue } from './headers'
import { exchange } from './http'
import { secretHeaderValues } from './known-secrets'
import { maskError } from './mask-error'
import { type RateLimitGate, readRateLimit } from './rate-limits'
import type { RawResponse } from './read'
import { redact, redactHeaders } from './redact'

/** What sending needs of the client. */
export interface Wiring {
  readonly config: Config
  readonly session: SessionState
  readonly events: Events
  readonly gate: RateLimitGate
}

/** Sends a call, with retries and 429 waits, and gives whatever the service answers in the end. */
export async function dispatch(wiring: Wiring, call: Call, jwt: string | undefined): Promise<RawResponse> {
  const { prepared, limits } = call
  const { limit, maxRateLimitWaitMs } = limits.retry
  const key = `${prepared.method} ${prepared.template}`
  let waitedMs = 0
  for (let waits = 0; ; waits++) {
    if (limit > 0) waitedMs += await passGate(wiring, call, key, maxRateLimitWaitMs - waitedMs)
    const raw = await sendByHttp(wiring, call, jwt)
    if (raw.status !== 429) return raw
    const { retryAfterMs = 1000 * 2 ** waits, global } = readRateLimit(raw.headers, decodeFailure(raw))
    if (retryAfterMs > maxRateLimitWaitMs - waitedMs) return raw
    wiring.gate.close(key, { retryAfterMs, global })
    if (waits >= limit || prepared.isOneShot) return raw
    wiring.events.emit('rateLimited', { ...callInfo(call), retryAfterMs, global })
  }
}

/** Waits while the service wants an endpoint left alone. Answers for how long, in milliseconds. */
async function passGate({ gate }: Wiring, { prepared, lifetime }: Call, key: string, mostMs: number): Promise<number> {
  let waitedMs = 0
  // Another call's 429 may prolong the wait meanwhile, and a timer waits no longer than it can.
  for (let ms = gate.remaining(key); ms > 0; ms = gate.remaining(key)) {
    if (waitedMs + ms > mostMs) {
      const serviceMessage = 'the service has asked to wait, and `maxRateLimitWaitMs` is shorter'
      const failure = { endpoint: prepared.name, status: 429, serviceMessage, fieldErrors: [], body: undefined }
      throw new RateLimitError(failure, ms, gate.isGlobal)
    }
    const startedAt = performance.now()
    await sleep(ms, lifetime.signal)
    waitedMs += performance.now() - startedAt
  }
  return waitedMs
}

async function sendByHttp(wiring: Wiring, call: Call, jwt: string | undefined): Promise<RawResponse> {
  const { prepared, limits, lifetime } = call
  const { config, events } = wiring
  const headers = requestHeaders(wiring, call, jwt)
  const url = config.baseUrl.href.replace(/\/$/, '') + prepared.target
  let startedAt = 0
  call.elevated = jwt !== undefined
  for (const secret of secretHeaderValues(headers, config.mfaHeader)) call.sent.add(secret)
  // Signing in and out and second factors are never repeated: a lost answer may have used up what they carry.
  const isRepeatable = prepared.method === 'GET' || !/^\/(?:auth|mfa)\//.test(prepared.template)
  const retry = isRepeatable ? limits.retry : { ...limits.retry, methods: [] }
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
        if (events.logger?.debug === undefined) return
        const known = secretsOf(call)
        events.logger.debug(`→ ${prepared.name}: ${prepared.method} ${prepared.template}`, {
          headers: redactHeaders(Object.entries(headers), config.mfaHeader, known),
          body: redact(prepared.content, known),
        })
      },
      onAnswer: (raw) => {
        const durationMs = performance.now() - startedAt
        events.emit('response', { ...callInfo(call), status: raw.status, durationMs })
        if (events.logger?.debug === undefined) return
        const body = decodeFailure(raw)
        const known = secretsOf(call, body)
        events.logger.debug(`← ${raw.status} ${prepared.name} in ${durationMs.toFixed(1)} ms`, {
          headers: redactHeaders(raw.headers, config.mfaHeader, known),
          body: redact(body, known),
        })
      },
      maskCause: (cause) => maskError(cause, secretsOf(call)),
      onRetry: (status) => events.emit('retry', { ...callInfo(call), ...(status !== undefined && { status }) }),
    },
    lifetime,
  )
}

/** The headers of a request, names in lower case; what a call gives goes over what the client was given. */
function requestHeaders({ config, session }: Wiring, call: Call, jwt: string | undefined): Record<string, string> {
  const { prepared, limits, token } = call
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
