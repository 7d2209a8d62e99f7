// The requests and stubs of `createMockControl`.
import type { Duration } from '../clock'
import type { JournalEntry } from '../journal'
import type { Stub, StubAnswer, StubEndpoint } from '../stubs/stubs'
import { argument, type Caller, items, sentFilter } from './caller'
import type { RequestExpectation, RequestFilter } from './rows-traffic'

/** Stubs of a mock in another process: endpoints that the API document does not list. */
export interface ControlStubs {
  /** Responds to requests to an endpoint, as `service.stubs.on`. Replaces an earlier stub of that endpoint. */
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
   * @param filter `limit` keeps the last ones; `wait`, at most `'60s'`, is the real time to wait for `count` of them, or one.
   */
  all(
    filter?: RequestFilter & { readonly limit?: number; readonly wait?: Duration; readonly count?: number },
  ): Promise<JournalEntry[]>
  /** Returns the number of requests. @throws MockControlError with status 409 if the journal no longer has all of them. */
  count(filter?: RequestFilter): Promise<number>
  /**
   * Resolves if the requests were received.
   * @param expected `times` is their exact number, by default at least one; with `order`, each of these requests must
   * follow the one before it, with any others in between; `wait` is the real time to wait for them, at most `'60s'`.
   * @throws MockControlError with status 409 and the requests that come closest, or if the journal no longer has enough.
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

const ANSWER = 'an answer such as { body: {} }'
const REQUEST = "a request such as { endpoint: 'Login Account', times: 1 }"

export const stubsOf = (call: Caller['call']): ControlStubs => ({
  on: async (endpoint, answer) => call('POST /stubs', { endpoint, ...argument('stubs.on', ANSWER, answer) }),
  all: () => items(call('GET /stubs')),
  remove: (endpoint) => call('DELETE /stubs', { endpoint }),
  clear: () => call('DELETE /stubs'),
})

export const requestsOf = (call: Caller['call']): ControlRequests => ({
  all: async (filter = {}) => items(call('GET /requests', sentFilter(filter))),
  count: async (filter = {}) => (await call('GET /requests/count', sentFilter(filter))).count,
  async verify(expected) {
    const { order, ...request } = argument('requests.verify', REQUEST, expected)
    await call('POST /requests/verify', { ...sentFilter(request), ...(order && { order: order.map(sentFilter) }) })
  },
  clear: () => call('DELETE /requests'),
})
