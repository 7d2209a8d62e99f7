import ky from 'ky'
import { ConnectionError } from '../errors/connection-errors'
import { RapportError } from '../errors/rapport-error'
import { headerSecrets, redactError } from '../internal/redact'
import { throwIfAborted } from '../internal/throw-if-aborted'
import { sleep } from './abortable'
import { type Call, callInfo, secretsOf } from './call'
import { tellAnswer, tellRequest } from './call-events'
import type { FetchInit } from './fetch'
import { discard, type RawResponse, read } from './read'
import { requestHeaders, sessionHeaders } from './request-headers'
import type { Transport } from './transport'

const BACK_OFF_MS = 300
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const REDIRECT_REFUSED =
  'the answer is a redirect, which is not followed: it could carry secrets elsewhere. Check `baseUrl`.'
/** Below these are signing in and out and second factors: a lost answer may have used up what such a call carries. */
const SENSITIVE_PATH = /^\/(?:auth|mfa)\//

/** What ky receives in place of a response: the attempt has read it already. */
const DONE = { ok: true } as Response

/**
 * Sends a request with ky, which retries it after network errors and 5xx as `retry` says. Any status is a response, not an
 * error. ky's `fetch` is a whole attempt including its body, so a body that breaks off is retried too, and a custom `fetch`
 * receives a URL and an init instead of ky's `Request`. ky sees neither headers nor body, so its errors hold no secret.
 */
export async function exchange(transport: Transport, call: Call): Promise<RawResponse> {
  const { config, events } = transport
  const { prepared, limits, lifetime, elevation } = call
  const { name, method, isOneShot } = prepared
  const { signal } = lifetime
  const url = config.baseUrl.href.replace(/\/$/, '') + prepared.target
  const shared = requestHeaders(transport, call)
  const body = await prepared.body
  const redactCause = (cause: unknown) => redactError(cause, secretsOf(call))

  let isRedirect = false

  const attempt = async (): Promise<RawResponse> => {
    if (call.attempts++ === 0) call.failuresBefore = elevation.failures
    call.jwt = prepared.stepUp ? elevation.jwt : undefined
    const headers = { ...shared, ...sessionHeaders(transport, call) }
    for (const secret of headerSecrets(headers, config.mfaHeader)) call.sent.add(secret)
    const startedAt = performance.now()
    tellRequest(transport, call, headers)
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
      throw new ConnectionError(name, REDIRECT_REFUSED)
    }
    const raw = await read(response, url, config.maxResponseBytes, redactCause)
    throwIfAborted(signal)
    tellAnswer(transport, call, raw, performance.now() - startedAt)
    return raw
  }

  let raw: RawResponse | undefined
  const send = async (): Promise<Response> => {
    throwIfAborted(signal)
    raw = undefined
    raw = await lifetime.within('timeout', limits.timeout, attempt)
    if (isWorthRetrying(raw)) throw new ConnectionError(name, 'the response is worth a retry')
    return DONE
  }
  const shouldRetry = async ({ retryCount }: { retryCount: number }): Promise<boolean> => {
    if (signal.aborted || isRedirect) return false
    events.emit('retry', { ...callInfo(call), ...(raw && { status: raw.status }) })
    // Full jitter, so that clients that failed together do not come back together.
    await sleep(Math.random() * BACK_OFF_MS * 2 ** (retryCount - 1), signal)
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
  return raw as RawResponse
}

/** Whether the service failed, or its success broke off. */
function isWorthRetrying({ status, flaw }: RawResponse): boolean {
  return status >= 500 || (status >= 200 && status < 300 && flaw?.isConnection === true)
}
