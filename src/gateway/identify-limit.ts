const MOST = 5
const WITHIN_MS = 60_000

/** Ends a loop of sessions that end as soon as they begin: so many may begin in a minute, and no more. */
export class IdentifyLimit {
  #times: number[] = []

  /** Notes that a session begins. Returns whether it may. */
  take(): boolean {
    const now = performance.now()
    this.#times = this.#times.filter((time) => now - time < WITHIN_MS)
    if (this.#times.length >= MOST) return false
    this.#times.push(now)
    return true
  }

  reset(): void {
    this.#times = []
  }
}
