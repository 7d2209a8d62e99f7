import { throwIfAborted } from '../internal/throw-if-aborted'
import { abortable } from '../transport/abortable'

/** One piece of work that several callers wait for. It ends when it is done, or when the last of them has gone. */
export class Flight {
  readonly #control = new AbortController()
  readonly #work: Promise<void>
  readonly #onEnd: () => void
  #waiting = 0

  constructor(run: (signal: AbortSignal) => Promise<void>, onEnd: () => void) {
    this.#onEnd = onEnd
    this.#work = this.#start(run).finally(onEnd)
    // Each waiter sees how it ends; alone it must not end the process.
    this.#work.catch(() => {})
  }

  /** Starts when whoever made the flight has it in hand, since the work may bring about its end. */
  async #start(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.#control
    await Promise.resolve()
    throwIfAborted(signal)
    await abortable(run(signal), signal)
  }

  /** Waits for the work, no longer than `signal` lets it. */
  async join(signal: AbortSignal): Promise<void> {
    this.#waiting++
    try {
      await abortable(this.#work, signal)
    } finally {
      this.#waiting--
      if (this.#waiting === 0 && signal.aborted) this.end(signal.reason)
    }
  }

  /** Stops the work and rejects everyone who waits. Whoever comes next starts anew. */
  end(reason: unknown): void {
    this.#onEnd()
    this.#control.abort(reason)
  }
}
