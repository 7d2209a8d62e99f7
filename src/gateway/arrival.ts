import type { ReadyEvent } from '../contract/gateway-events'
import { follow } from '../transport/followers'

interface Waiter {
  readonly resolve: (ready: ReadyEvent) => void
  readonly reject: (reason: unknown) => void
}

/** Whoever waits for a gateway to be ready. */
export class Arrival {
  readonly #waiting = new Set<Waiter>()
  readonly #abandoned: () => void

  /** `abandoned` is called when the last who waits has gone. */
  constructor(abandoned: () => void) {
    this.#abandoned = abandoned
  }

  wait(signal: AbortSignal | undefined): Promise<ReadyEvent> {
    return new Promise((resolve, reject) => {
      const leave = signal === undefined ? () => {} : follow(signal, () => this.#abort(waiter, signal.reason))
      const waiter: Waiter = {
        resolve: (ready) => {
          leave()
          resolve(ready)
        },
        reject: (reason) => {
          leave()
          reject(reason)
        },
      }
      this.#waiting.add(waiter)
    })
  }

  resolve(ready: ReadyEvent): void {
    for (const waiter of this.#take()) waiter.resolve(ready)
  }

  reject(reason: unknown): void {
    for (const waiter of this.#take()) waiter.reject(reason)
  }

  #take(): Waiter[] {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    return waiting
  }

  #abort(waiter: Waiter, reason: unknown): void {
    this.#waiting.delete(waiter)
    waiter.reject(reason)
    if (this.#waiting.size === 0) this.#abandoned()
  }
}
