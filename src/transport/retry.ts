import type { FetchInit, FetchResponse } from '../types/options'
import type { Retry } from './request'

/** Which responses are failures that a retry may mend, and the wait before each retry. */
export const RETRY_POLICY = {
  /** 408, and 500 to 599. */
  statusCodes: Array.from({ length: 101 }, (_, index) => (index === 0 ? 408 : 499 + index)),
  /**
   * Returns a wait in milliseconds; the first retry has number 1. Full jitter: clients that failed at the same time retry at
   * different times.
   */
  delay: (retryCount: number): number => Math.random() * Math.min(30_000, 300 * 2 ** (retryCount - 1)),
} as const

/** A request that a {@link RetryLoop} sends. */
export interface RepeatableRequest {
  readonly url: string
  /** Without body, signal and secrets, which `send` adds. */
  readonly init: Omit<FetchInit, 'signal'>
  readonly retry: Pick<Retry, 'limit' | 'methods'>
  /** Sends the request once and reads the response. Rejects if there is none, or the body of a success is cut off. */
  send(url: string, method: string, headers: FetchInit['headers']): Promise<FetchResponse>
  /** Decides on a retry, and waits before it. Returns `false` if there must be none. */
  shouldRetry(retryCount: number): Promise<false | undefined>
}

/**
 * Sends a request until it succeeds; rejects when there are no retries left, or `shouldRetry` returns `false`. What it
 * rejects with may contain the request.
 */
export type RetryLoop = (request: RepeatableRequest) => Promise<unknown>

/** The loop of clients of parts, of every client with a `fetch` of its own, and of platforms on which ky cannot run. */
export const plainRetryLoop: RetryLoop = async ({ url, init: { method, headers }, retry, send, shouldRetry }) => {
  const limit = retry.methods.some((one) => one === method) ? retry.limit : 0
  for (let retryCount = 1; ; retryCount++) {
    try {
      const { status } = await send(url, method, headers)
      if (!RETRY_POLICY.statusCodes.includes(status)) return
      throw new Error(`status ${status}`)
    } catch (error) {
      if (retryCount > limit || (await shouldRetry(retryCount)) === false) throw error
    }
  }
}
