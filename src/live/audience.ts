import { notify } from '../transport/notify'

/** Listeners to one thing. What one throws is reported, and the others are called. */
export class Audience<E> {
  readonly #report: (error: unknown) => void
  readonly #entries = new Set<{ readonly listener: (event: E) => void }>()

  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  /** Adds a listener; one that is added twice is called twice. Returns what takes it away. */
  add(listener: (event: E) => void): () => void {
    if (typeof listener !== 'function') throw new TypeError('The listener must be a function.')
    const entry = { listener }
    this.#entries.add(entry)
    return () => {
      this.#entries.delete(entry)
    }
  }

  tell(event: E): void {
    // One that is taken away by another is not called any more.
    for (const entry of [...this.#entries]) if (this.#entries.has(entry)) notify(entry.listener, event, this.#report)
  }

  clear(): void {
    this.#entries.clear()
  }
}
