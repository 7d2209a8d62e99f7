import { throwIfAborted } from '../internal/throw-if-aborted'
import { abortable } from '../transport/abortable'
import type { Lifetime } from '../transport/lifetime'

/** One piece of work that several calls wait for. It ends when it is done, or when the last of them has gone. */
export class Flight {
  readonly #control = new AbortController()
  readonly #work: Promise<void>
  readonly #onEnd: () => void
  /** The calls that wait, each with what lets its deadline run again. */
  readonly #waiting = new Map<Lifetime, () => void>()
  #isPaused = false

  constructor(run: (flight: Flight) => Promise<void>, onEnd: () => void) {
    this.#onEnd = onEnd
    this.#work = this.#start(run).finally(onEnd)
    // Each waiter sees how it ends; alone it must not end the process.
    this.#work.catch(() => {})
  }

  /** Aborts when the work is to stop. */
  get signal(): AbortSignal {
    return this.#control.signal
  }

  /** Starts when whoever made the flight has it in hand, since the work may bring about its end. */
  async #start(run: (flight: Flight) => Promise<void>): Promise<void> {
    await Promise.resolve()
    throwIfAborted(this.signal)
    await abortable(run(this), this.signal)
  }

  /** Waits for the work, no longer than the call lasts. */
  async join(call: Lifetime): Promise<void> {
    this.#waiting.set(call, this.#isPaused ? call.pause() : () => {})
    try {
      await abortable(this.#work, call.signal)
    } finally {
      this.#waiting.get(call)?.()
      this.#waiting.delete(call)
      if (this.#waiting.size === 0 && call.signal.aborted) this.end(call.signal.reason)
    }
  }

  /** Waits for a person: the deadlines of all calls that wait stand still. */
  async pausedFor<T>(run: () => Promise<T>): Promise<T> {
    this.#isPaused = true
    for (const call of this.#waiting.keys()) this.#waiting.set(call, call.pause())
    try {
      return await run()
    } finally {
      this.#isPaused = false
      for (const [call, resume] of this.#waiting) {
        resume()
        this.#waiting.set(call, () => {})
      }
    }
  }

  /** Stops the work and rejects everyone who waits. Whoever comes next starts anew. */
  end(reason: unknown): void {
    this.#onEnd()
    this.#control.abort(reason)
  }
}
