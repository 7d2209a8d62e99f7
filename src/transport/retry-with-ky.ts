import ky from 'ky'
import { plainRetryLoop, RETRY_POLICY, type RetryLoop } from './retry'

/**
 * The loop of `Client`: ky builds the request, and decides which responses are failures and which failures are retried.
 * What ky is not given:
 * - bodies, and so streams that can be sent once: ky copies them before the first attempt;
 * - `timeout`: its timer outlives an abort;
 * - `Retry-After`: ky would wait 24 days for one that it cannot read, and `maxRetryAfter` shortens a wait that is too long;
 * - the wait: `shouldRetry` waits, because events say for how long before it begins;
 * - the signal: our waits and our `fetch` follow it, and ky would combine it with one of its own for each request.
 */
export const kyRetryLoop: RetryLoop = (request) => {
  const { url, init, retry, send, shouldRetry } = request
  // React Native and old versions of jsdom.
  if (typeof Request !== 'function' || !AbortSignal.prototype.throwIfAborted) return plainRetryLoop(request)
  return ky(url, {
    ...init,
    timeout: false,
    throwHttpErrors: (status) => RETRY_POLICY.statusCodes.includes(status),
    retry: {
      limit: retry.limit,
      methods: [...retry.methods],
      statusCodes: RETRY_POLICY.statusCodes,
      afterStatusCodes: [],
      delay: () => 0,
      // An error of a `fetch` that is named so; that of our own `timeout` is not retried.
      retryOnTimeout: true,
      shouldRetry: ({ retryCount }) => shouldRetry(retryCount),
    },
    fetch: (input) => {
      // ky always passes a `Request`.
      const { url, method, headers } = input as Request
      // Only headers that ky was given: of a string it reads `headers`, which a polluted prototype may have.
      const given = Object.keys(init.headers).map((name) => [name, headers.get(name) ?? ''])
      // The `fetch` of `send` is the platform's.
      return send(url, method, Object.fromEntries(given)) as Promise<Response>
    },
  })
}
