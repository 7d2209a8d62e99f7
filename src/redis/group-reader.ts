import { damagedError } from './connection'
import { Entry, type EventLog } from './event-log'
import { GroupPosition } from './group-position'

/** Maximum wait before events are looked for without a notification, in milliseconds. */
const POLL_MS = 5_000
/** Minimum wait before another attempt, in milliseconds. */
const MIN_WAIT_MS = 20

/** An event of a group, and how many were missed before it. */
export interface GroupEntry {
  readonly entry: Entry
  readonly missed: number
}

/**
 * A consumer of a group. Only one of a group is active, so that its events stay in order; it has a lease, and the others wait. A
 * consumer that becomes active first receives the events that the one before did not acknowledge.
 */
export class GroupReader {
  readonly #log: EventLog
  readonly #group: string
  readonly #id: string = crypto.randomUUID()
  readonly #position: GroupPosition
  /** The position as Redis has it; the empty string before this consumer was active. */
  #stored = ''
  #isActive = false
  /** Number of calls of `pause`. */
  #pauses = 0
  #renewal: ReturnType<typeof setInterval> | undefined
  #wakeUp: ReturnType<typeof setTimeout> | undefined
  /** Called when `next` should be called again. */
  onWake = () => {}

  constructor(log: EventLog, group: string) {
    this.#log = log
    this.#group = group
    this.#position = new GroupPosition(log.maxLength)
  }

  /** Whether this consumer is the one that receives the events. */
  get isActive(): boolean {
    return this.#isActive
  }

  /** Returns the next events, none if there are none now or another consumer is active. */
  async next(): Promise<readonly GroupEntry[]> {
    clearTimeout(this.#wakeUp)
    const pauses = this.#pauses
    const position = this.#position
    try {
      for (;;) {
        const text = this.#text
        const reply = await this.#log.readGroup(this.#group, this.#id, text, position.readId)
        const { status } = reply
        if (pauses !== this.#pauses) {
          if (status !== 'held') await this.flush(true)
          return []
        }
        const wasActive = this.#isActive
        this.#setActive(status !== 'held')
        if (status === 'held') {
          this.#wakeAfter(Math.max(MIN_WAIT_MS, reply.number(1) + 1))
          return []
        }
        if (status === 'acquired') {
          const stored = reply.text(1)
          // A position of this consumer may be older than the one that it knows, after a failover, or missing.
          if (reply.text(2) === '1' || this.#stored === '') this.#load(stored)
          else if (!wasActive) position.restart()
          this.#stored = stored
          continue
        }
        this.#stored = text
        const entries = reply.list(1).map((entry) => new Entry(entry))
        if (entries.length === 0) this.#wakeAfter(POLL_MS)
        const due = entries.flatMap((entry) => {
          const missed = position.deliver(entry)
          return missed === undefined ? [] : [{ entry, missed }]
        })
        if (due.length > 0 || entries.length === 0) return due
      }
    } catch (error) {
      position.restart()
      throw error
    }
  }

  /** Acknowledges an event with the next call of `next` or `flush`. */
  acknowledge(id: string): void {
    this.#position.acknowledge(id)
  }

  /** Sends the acknowledgements. */
  async flush(isEnd = false): Promise<void> {
    const text = this.#text
    if (text === this.#stored && !isEnd) return
    await this.#log.advance(this.#group, this.#id, text, isEnd)
    // Also if another consumer is active: it has received the events.
    if (text !== '') this.#stored = text
  }

  /** Lets another consumer become active; `next` tries to become active again. */
  pause(): void {
    this.#pauses++
    clearTimeout(this.#wakeUp)
    this.onWake = () => {}
    if (!this.#isActive) return
    this.#setActive(false)
    this.flush(true).catch(() => {})
  }

  #load(position: string): void {
    try {
      this.#position.load(position)
    } catch {
      throw damagedError(`${this.#log.events}:groups`)
    }
  }

  /** The position as Redis should have it; the empty string before this consumer was active. */
  get #text(): string {
    return this.#stored === '' ? '' : String(this.#position)
  }

  #setActive(isActive: boolean): void {
    if (isActive === this.#isActive) return
    this.#isActive = isActive
    clearInterval(this.#renewal)
    if (!isActive) return
    const renew = async () => {
      // The whole position, in case that Redis has lost it. An error may be a short outage: `next` finds out.
      const isOurs = await this.#log.advance(this.#group, this.#id, this.#text).catch(() => true)
      if (isOurs || !this.#isActive) return
      this.#setActive(false)
      this.onWake()
    }
    this.#renewal = setInterval(renew, this.#log.leaseMs / 3)
  }

  #wakeAfter(ms: number): void {
    clearTimeout(this.#wakeUp)
    this.#wakeUp = setTimeout(() => this.onWake(), Math.min(ms, POLL_MS))
  }
}
