import ky from 'ky'
import { ConnectionError } from '../errors/connection-errors'
import { sleep } from './abortable'
import type { Retry } from './config'
import type { Lifetime } from './lifetime'
import { type RawResponse, read } from './read'

/** A request as it goes out. */
export interface HttpRequest {
  readonly endpoint: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: BodyInit | undefined
}

/** How it goes out, and who is told. */
export interface HttpPolicy {
  readonly fetch: typeof globalThis.fetch | undefined
  readonly credentials: RequestCredentials | undefined
  readonly timeout: number
  readonly maxResponseBytes: number
  readonly retry: Retry
  onAttempt(): void
  onAnswer(raw: RawResponse): void
  onRetry(status: number | undefined): void
  /** Makes a failure of the platform's, or of a given fetch, fit to be shown. */
  maskCause(cause: unknown): unknown
}

/**
 * Sends a request by ky, which repeats it after network errors and 5xx as `retry` says. Whatever status comes back is
 * an answer. What ky calls a fetch is a whole attempt here, with its body, so that ky's retries cover a body that
 * breaks off. ky has no other job: its own timeout ends with the headers, its 429 wait has no bound, its hooks after a
 * response lose aborts.
 */
export async function exchange(request: HttpRequest, policy: HttpPolicy, lifetime: Lifetime): Promise<RawResponse> {
  const { method, url, headers, body } = request
  const { signal } = lifetime
  let raw: RawResponse | undefined
  let isRedirect = false

  const attempt = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    signal.throwIfAborted()
    raw = undefined
    policy.onAttempt()
    return await lifetime.attempt(policy.timeout, async () => {
      const response = await (policy.fetch ?? globalThis.fetch)(input, { ...init, signal })
      isRedirect = response.type === 'opaqueredirect' || response.redirected || REDIRECTS.has(response.status)
      if (isRedirect) {
        await response.body?.cancel()
        throw new ConnectionError(request.endpoint, REDIRECT_REFUSED)
      }
      const received = await read(response, policy.maxResponseBytes, policy.maskCause)
      signal.throwIfAborted()
      raw = received
      policy.onAnswer(received)
      const { flaw } = received
      if (flaw?.isConnection && response.ok) throw new ConnectionError(request.endpoint, flaw.reason)
      return response
    })
  }

  const shouldRetry = async ({ retryCount }: { retryCount: number }): Promise<boolean> => {
    if (signal.aborted || isRedirect) return false
    policy.onRetry(raw?.status)
    // Full jitter, so that clients that failed together do not come back together.
    await sleep(Math.random() * BACK_OFF_MS * 2 ** (retryCount - 1), signal)
    return true
  }

  try {
    await ky(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      ...(policy.credentials !== undefined && { credentials: policy.credentials }),
      // The signal goes to fetch alone: handing it to ky as well would cost three more signals a call.
      fetch: attempt,
      // `manual` rather than `error`: some edge runtimes have no `error`, and either way a redirect is refused here.
      redirect: 'manual',
      timeout: false,
      throwHttpErrors: (status) => status >= 500,
      retry: {
        limit: policy.retry.limit,
        methods: policy.retry.methods.map((name) => name.toLowerCase() as 'get'),
        shouldRetry,
        delay: () => 0,
      },
    })
  } catch (cause) {
    if (signal.aborted) throw signal.reason
    // ky's own error for a status carries the request, token and all; the answer itself is in `raw`.
    if (raw === undefined)
      throw cause instanceof ConnectionError ? cause : unreachable(request, policy.maskCause(cause))
  }
  return raw as RawResponse
}

const BACK_OFF_MS = 300
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const REDIRECT_REFUSED =
  'the answer is a redirect, which is not followed: it could carry secrets elsewhere. Check `baseUrl`.'

function unreachable({ endpoint, method, url }: HttpRequest, cause: unknown): ConnectionError {
  const { origin } = new URL(url)
  return new ConnectionError(endpoint, `no answer to ${method} from ${origin}. Check the connection and \`baseUrl\`.`, {
    cause,
  })
}
