import type { RequestOptions } from '../options'

/**
 * The `deadline` of a call that takes several requests: what one has used up, the next no longer has. Between them
 * people are waited for, which does not count.
 */
export class SharedDeadline {
  readonly #deadlineMs: number
  #usedMs = 0

  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs
  }

  /** Makes one of the requests. */
  async spend<T>(options: RequestOptions, send: (options: RequestOptions) => PromiseLike<T>): Promise<T> {
    const startedAt = performance.now()
    // The first is given the deadline as it is, so that one that cannot be is refused as anywhere else.
    const deadline = this.#usedMs === 0 ? this.#deadlineMs : Math.max(1, this.#deadlineMs - this.#usedMs)
    try {
      return await send({ ...options, deadline })
    } finally {
      this.#usedMs += performance.now() - startedAt
    }
  }
}
