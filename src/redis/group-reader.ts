import type { Entry, EventLog } from './event-log'

/** Maximum number of events that are read at once. */
const BATCH = 100
/** Maximum wait before events are looked for without a notification, in milliseconds. */
const POLL_MS = 5_000
/** Minimum wait before another attempt, in milliseconds. */
const MIN_WAIT_MS = 20

/**
 * A consumer of a group. Only one of a group is active, so that its events stay in order; it has a lease, and the others wait. A
 * consumer that becomes active first receives the events that the one before did not acknowledge.
 */
export class GroupReader {
  readonly #log: EventLog
  readonly #group: string
  readonly #id: string = crypto.randomUUID()
  /** ID of the last pending event that was received. */
  #after = '0-0'
  #isPendingDone = false
  #isActive = false
  #acknowledged: string[] = []
  /** Number of calls of `pause`. */
  #pauses = 0
  #renewal: ReturnType<typeof setInterval> | undefined
  #wakeUp: ReturnType<typeof setTimeout> | undefined
  /** Called when `next` should be called again. */
  onWake = () => {}

  constructor(log: EventLog, group: string) {
    this.#log = log
    this.#group = group
  }

  /** Whether this consumer is the one that receives the events. */
  get isActive(): boolean {
    return this.#isActive
  }

  /** Returns the next events, none if there are none now or another consumer is active. */
  async next(): Promise<readonly Entry[]> {
    clearTimeout(this.#wakeUp)
    const acknowledged = this.#acknowledged.splice(0)
    const pauses = this.#pauses
    try {
      for (;;) {
        const found = await this.#log.readGroup(
          this.#group,
          this.#id,
          this.#after,
          BATCH,
          acknowledged,
          this.#isPendingDone,
        )
        if (pauses !== this.#pauses) {
          if (found.status !== 'held') await this.flush(true)
          return []
        }
        if (found.status === 'held') {
          this.#setActive(false)
          this.#wakeAfter(Math.max(MIN_WAIT_MS, found.waitMs + 1))
          return []
        }
        if (found.status === 'acquired') {
          this.#readPending()
          this.#setActive(true)
          continue
        }
        this.#setActive(true)
        const { entries } = found
        this.#after = entries.at(-1)?.id ?? this.#after
        if (entries.length === 0 && !this.#isPendingDone) {
          this.#isPendingDone = true
          continue
        }
        if (entries.length === 0) this.#wakeAfter(POLL_MS)
        return entries
      }
    } catch (error) {
      // Acknowledged again later. Redis may have run the command, so that its events are pending.
      this.#acknowledged.unshift(...acknowledged)
      this.#readPending()
      throw error
    }
  }

  /** Acknowledges an event with the next call of `next` or `flush`. */
  acknowledge(id: string): void {
    this.#acknowledged.push(id)
  }

  /** Sends the acknowledgements. */
  async flush(isEnd = false): Promise<void> {
    const ids = this.#acknowledged.splice(0)
    if (ids.length === 0 && !isEnd) return
    try {
      await this.#log.advance(this.#group, this.#id, ids, isEnd)
    } catch (error) {
      this.#acknowledged.unshift(...ids)
      throw error
    }
  }

  /** Lets another consumer become active; `next` tries to become active again. */
  pause(): void {
    this.#pauses++
    clearTimeout(this.#wakeUp)
    this.onWake = () => {}
    this.#readPending()
    if (!this.#isActive) return
    this.#setActive(false)
    this.flush(true).catch(() => {})
  }

  /** Starts again with the events that are not acknowledged. */
  #readPending(): void {
    this.#after = '0-0'
    this.#isPendingDone = false
  }

  #setActive(isActive: boolean): void {
    if (isActive === this.#isActive) return
    this.#isActive = isActive
    clearInterval(this.#renewal)
    if (!isActive) return
    const renew = async () => {
      // An error may be a short outage: `next` finds out.
      const isOurs = await this.#log.advance(this.#group, this.#id, []).catch(() => true)
      if (!isOurs) this.#setActive(false)
    }
    this.#renewal = setInterval(renew, this.#log.leaseMs / 3)
  }

  #wakeAfter(ms: number): void {
    clearTimeout(this.#wakeUp)
    this.#wakeUp = setTimeout(() => this.onWake(), Math.min(ms, POLL_MS))
  }
}
