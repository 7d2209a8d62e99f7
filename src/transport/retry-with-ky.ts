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
 * Of what it builds the URL and the method are sent; the headers, which it does not change, as they were given.
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
    // ky always passes a `Request`, and the `fetch` of `send` is the platform's.
    fetch: (input) => send((input as Request).url, (input as Request).method) as Promise<Response>,
  })
}
