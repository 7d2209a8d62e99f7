import { ConnectionError } from '../errors/connection-errors'
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

/**
 * Sends a request, and repeats it after network errors and 5xx as `retry` says. Any status is a response, not an error.
 * An attempt includes its body, so a body that breaks off is retried too.
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

  const isRepeatable = !isOneShot && (method === 'GET' || !SENSITIVE_PATH.test(prepared.path))
  const retries = isRepeatable && limits.retry.methods.includes(method) ? limits.retry.limit : 0
  for (let retry = 0; ; retry++) {
    throwIfAborted(signal)
    let raw: RawResponse | undefined
    try {
      raw = await lifetime.within('timeout', limits.timeout, attempt)
    } catch (error) {
      throwIfAborted(signal)
      if (isRedirect) throw error
      if (retry >= retries) {
        const advice = 'Check the connection and `baseUrl`.'
        throw new ConnectionError(name, `no answer to ${method} from ${config.baseUrl.origin}. ${advice}`, {
          cause: redactCause(error),
        })
      }
    }
    if (raw && (retry >= retries || !isWorthRetrying(raw))) return raw
    events.emit('retry', { ...callInfo(call), ...(raw && { status: raw.status }) })
    // Full jitter, so that clients that failed together do not come back together.
    await sleep(Math.random() * BACK_OFF_MS * 2 ** retry, signal)
  }
}

/** Whether the service failed, or its success broke off. */
function isWorthRetrying({ status, flaw }: RawResponse): boolean {
  return status >= 500 || (status >= 200 && status < 300 && flaw?.isConnection === true)
}
