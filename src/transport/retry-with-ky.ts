import ky from 'ky'
import { RapportError } from '../errors/base'
import type { RetryLoop } from './retry'

/** Returned to ky in place of the response, which has been read already. */
const OK_RESPONSE = { ok: true } as Response

/**
 * The loop of `Client`, run by ky. The `fetch` passed to ky also reads the body, so ky retries when the body is
 * truncated. ky sees neither headers nor body, so its errors contain no secret.
 */
export const kyRetryLoop: RetryLoop = ({ endpoint, url, method, limit, send, shouldRetry }) => {
  if (typeof Request !== 'function')
    throw new RapportError(`${endpoint}: this platform has no Request. Pass your own fetch.`)
  return ky(url, {
    method,
    fetch: () => send().then(() => OK_RESPONSE),
    timeout: false,
    retry: {
      limit,
      // ky lists its methods in a type, and accepts any.
      methods: [method.toLowerCase() as 'get'],
      shouldRetry: ({ retryCount }) => shouldRetry(retryCount),
      delay: () => 0,
    },
  })
}
