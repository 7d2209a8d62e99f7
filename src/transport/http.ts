import ky from 'ky'
import { ConnectionError } from '../errors/connection-errors'
import { headerSecrets, redactError } from '../internal/redact'
import { sleep } from './abortable'
import { type Call, callInfo, secretsOf } from './call'
import { tellAnswer, tellRequest } from './call-events'
import { type RawResponse, read } from './read'
import { requestHeaders, sessionHeaders } from './request-headers'
import type { Transport } from './transport'

const BACK_OFF_MS = 300
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const REDIRECT_REFUSED =
  'the answer is a redirect, which is not followed: it could carry secrets elsewhere. Check `baseUrl`.'
/** Below these are signing in and out and second factors: a lost answer may have used up what such a call carries. */
const SENSITIVE_PATH = /^\/(?:auth|mfa)\//

/**
 * Sends a request by ky, which repeats it after network errors and 5xx as `retry` says. Whatever status comes back is
 * an answer. What ky calls a fetch is a whole attempt here, with its body, so that ky's retries cover a body that
 * breaks off. ky has no other job: its own timeout ends with the headers, its 429 wait has no bound, its hooks after a
 * response lose aborts.
 */
export async function exchange(transport: Transport, call: Call): Promise<RawResponse> {
  const { config, events } = transport
  const { prepared, limits, lifetime, elevation } = call
  const { name, method } = prepared
  const { signal } = lifetime
  const headers = requestHeaders(transport, call)
  const redactCause = (cause: unknown) => redactError(cause, secretsOf(call))
  let raw: RawResponse | undefined
  let isRedirect = false

  const attempt = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    signal.throwIfAborted()
    raw = undefined
    call.attempts++
    call.jwt = prepared.stepUp ? elevation.jwt : undefined
    const current = sessionHeaders(transport, call)
    const sent = { ...headers, ...current }
    for (const secret of headerSecrets(sent, config.mfaHeader)) call.sent.add(secret)
    const startedAt = performance.now()
    tellRequest(transport, call, sent)
    return await lifetime.within('timeout', limits.timeout, async () => {
      // ky keeps a copy for its next attempt, which has only the headers that all attempts share.
      if (input instanceof Request)
        for (const [header, value] of Object.entries(current)) input.headers.set(header, value)
      const response = await (config.fetch ?? globalThis.fetch)(input, { ...init, signal })
      isRedirect = response.type === 'opaqueredirect' || response.redirected || REDIRECTS.has(response.status)
      if (isRedirect) {
        await response.body?.cancel()
        throw new ConnectionError(name, REDIRECT_REFUSED)
      }
      const received = await read(response, config.maxResponseBytes, redactCause)
      signal.throwIfAborted()
      raw = received
      tellAnswer(transport, call, received, performance.now() - startedAt)
      const { flaw } = received
      if (flaw?.isConnection && response.ok) throw new ConnectionError(name, flaw.reason)
      return response
    })
  }

  const shouldRetry = async ({ retryCount }: { retryCount: number }): Promise<boolean> => {
    if (signal.aborted || isRedirect) return false
    events.emit('retry', { ...callInfo(call), ...(raw && { status: raw.status }) })
    // Full jitter, so that clients that failed together do not come back together.
    await sleep(Math.random() * BACK_OFF_MS * 2 ** (retryCount - 1), signal)
    return true
  }

  const isRepeatable = !prepared.isOneShot && (method === 'GET' || !SENSITIVE_PATH.test(prepared.path))
  const body = await prepared.body
  try {
    await ky(config.baseUrl.href.replace(/\/$/, '') + prepared.target, {
      method,
      headers,
      ...(body !== undefined && { body }),
      ...(config.credentials && { credentials: config.credentials }),
      // The signal goes to fetch alone: handing it to ky as well would cost three more signals a call.
      fetch: attempt,
      // `manual` rather than `error`: some edge runtimes have no `error`, and either way a redirect is refused here.
      redirect: 'manual',
      timeout: false,
      throwHttpErrors: (status) => status >= 500,
      retry: {
        limit: limits.retry.limit,
        methods: isRepeatable ? limits.retry.methods.map((one) => one.toLowerCase() as 'get') : [],
        shouldRetry,
        delay: () => 0,
      },
    })
  } catch (error) {
    if (signal.aborted) throw signal.reason
    // ky's own error for a status carries the request, token and all; the answer itself is in `raw`.
    if (raw !== undefined) return raw
    if (error instanceof ConnectionError) throw error
    const advice = 'Check the connection and `baseUrl`.'
    throw new ConnectionError(name, `no answer to ${method} from ${config.baseUrl.origin}. ${advice}`, {
      cause: redactCause(error),
    })
  }
  return raw as RawResponse
}
