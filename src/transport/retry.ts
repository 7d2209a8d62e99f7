import type { Method } from '../contract/endpoint'

/** A request that a {@link RetryLoop} sends. */
export interface RepeatableRequest {
  readonly endpoint: string
  readonly url: string
  readonly method: Method
  /** Maximum number of retries. */
  readonly limit: number
  /** Sends the request once; rejects if it failed. */
  send(): Promise<unknown>
  /** Waits before a retry, of which the first has number 1. Returns whether to send the request again. */
  shouldRetry(retryCount: number): Promise<boolean>
}

/**
 * Sends a request until it succeeds; rejects with the last failure when there are no retries left, or `shouldRetry`
 * returns `false`. Throws at once if the platform cannot send requests.
 */
export type RetryLoop = (request: RepeatableRequest) => Promise<unknown>

/** The loop of clients of parts, and of every client with a `fetch` of its own. */
export const plainRetryLoop: RetryLoop = async ({ limit, send, shouldRetry }) => {
  for (let retryCount = 1; ; retryCount++) {
    try {
      return await send()
    } catch (error) {
      if (retryCount > limit || !(await shouldRetry(retryCount))) throw error
    }
  }
}
