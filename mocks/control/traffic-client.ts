// The requests and stubs of `createMockControl`.
import type { Duration } from '../clock'
import type { JournalEntry } from '../journal'
import type { Stub, StubAnswer, StubEndpoint } from '../stubs/stubs'
import { type Caller, items, sentFilter } from './caller'
import type { RequestExpectation, RequestFilter } from './rows-traffic'

/** Stubs of a mock in another process: endpoints that the API document does not list. */
export interface ControlStubs {
  /**
   * Responds to requests to an endpoint. Replaces an earlier stub of that endpoint.
   * @param answer `{{params.x}}`, `{{query.x}}` and `{{body.x}}` in strings of its body are replaced by values of the
   * request.
   */
  on(endpoint: StubEndpoint, answer: StubAnswer): Promise<Stub>
  /** Returns the stubs. */
  all(): Promise<Stub[]>
  /** Removes the stub of an endpoint. */
  remove(endpoint: StubEndpoint): Promise<void>
  /** Removes all stubs. */
  clear(): Promise<void>
}

/** Requests that a mock in another process received. */
export interface ControlRequests {
  /**
   * Returns the requests, oldest first.
   * @param filter `limit` keeps the last ones; `wait` is the real time to wait for `count` of them, or one, at most
   * `'60s'`.
   */
  all(
    filter?: RequestFilter & { readonly limit?: number; readonly wait?: Duration; readonly count?: number },
  ): Promise<JournalEntry[]>
  /** Returns the number of requests. */
  count(filter?: RequestFilter): Promise<number>
  /**
   * Resolves if the requests were received.
   * @param expected `times` is their exact number, by default at least one; with `order`, each of these requests must
   * follow the one before it, with any others in between; `wait` is the real time to wait for them, at most `'60s'`.
   * @throws MockControlError with status 409 and the requests that come closest.
   */
  verify(
    expected: RequestExpectation & {
      readonly times?: number
      readonly order?: readonly RequestExpectation[]
      readonly wait?: Duration
    },
  ): Promise<void>
  /** Deletes the recorded requests. */
  clear(): Promise<void>
}

type Call = Caller['call']

export const stubsOf = (call: Call): ControlStubs => ({
  on: (endpoint, answer) => call('POST /stubs', { endpoint, ...answer }),
  all: () => items(call('GET /stubs')),
  remove: (endpoint) => call('DELETE /stubs', { endpoint }),
  clear: () => call('DELETE /stubs'),
})

export const requestsOf = (call: Call): ControlRequests => ({
  all: (filter = {}) => items(call('GET /requests', sentFilter(filter))),
  count: async (filter = {}) => (await call('GET /requests/count', sentFilter(filter))).count,
  verify: ({ order, ...expected }) =>
    call('POST /requests/verify', { ...sentFilter(expected), ...(order && { order: order.map(sentFilter) }) }),
  clear: () => call('DELETE /requests'),
})
