/** The last entries of a log that may have no end. */
export class Ring<T> {
  readonly #max: number
  #entries: T[] = []
  #dropped = 0

  constructor(max: number) {
    this.#max = max
  }

  /** The entries, the oldest first. */
  get entries(): T[] {
    return [...this.#entries]
  }

  /** How many entries had to make room. */
  get dropped(): number {
    return this.#dropped
  }

  push(entry: T): void {
    this.#entries.push(entry)
    if (this.#entries.length <= this.#max) return
    this.#entries.shift()
    this.#dropped += 1
  }

  /** Replaces all entries by the last of some others. */
  load(entries: readonly T[]): void {
    this.#entries = entries.slice(-this.#max)
    this.#dropped = entries.length - this.#entries.length
  }
}
