import { Entry, type EventLog } from './event-log'

/** A place in the stream: the ID of an event, and the number of the last event up to it. */
interface Position {
  readonly id: string
  readonly number: number
}

/** Maximum wait before events are looked for without a notification, in milliseconds. */
const POLL_MS = 5_000
/** Minimum wait before another attempt, in milliseconds. */
const MIN_WAIT_MS = 20

/** Before the first event. */
const START: Position = { id: '0-0', number: 0 }

/** An event of a group, and how many were missed before it. */
export interface GroupEntry extends Position {
  readonly entry: Entry
  readonly missed: number
  /** The event that was delivered before it. */
  readonly after: Position
}

/**
 * A consumer of a group. Only one of a group is active, so that its events stay in order; it has a lease, and the others wait. A
 * consumer that becomes active first receives the events that the one before did not acknowledge.
 */
export class GroupReader {
  readonly #log: EventLog
  readonly #group: string
  readonly #id: string = crypto.randomUUID()
  /** The event that was acknowledged last; `undefined` before this consumer was active. */
  #acknowledged: Position | undefined
  /** The same as Redis has it. */
  #stored = ''
  /** The event that was delivered last; `undefined` to start after those that are acknowledged. */
  #delivered: Position | undefined
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
  }

  /** Whether this consumer is the one that receives the events. */
  get isActive(): boolean {
    return this.#isActive
  }

  /** Returns the next events, none if there are none now or another consumer is active. */
  async next(): Promise<readonly GroupEntry[]> {
    clearTimeout(this.#wakeUp)
    const pauses = this.#pauses
    const text = this.#text
    try {
      const reply = await this.#log.readGroup(this.#group, this.#id, text, this.#delivered?.id)
      const isHeld = reply.status === 'held'
      if (pauses !== this.#pauses) {
        if (!isHeld) await this.flush(true)
        return []
      }
      this.#setActive(!isHeld)
      if (isHeld) {
        this.#wakeAfter(Math.max(MIN_WAIT_MS, reply.number(1) + 1))
        return []
      }
      this.#stored = text
      if (reply.text(1) !== '') this.#start(reply.text(1))
      const entries = reply.list(2).map((entry) => this.#deliver(new Entry(entry)))
      if (entries.length === 0) this.#wakeAfter(POLL_MS)
      return entries
    } catch (error) {
      this.#delivered = undefined
      throw error
    }
  }

  /** Continues at a stored position, which has an ID and a number. */
  #start(text: string): void {
    const [id = '', number] = text.split(' ')
    this.#stored = text
    this.#delivered = { id, number: Number(number) }
    this.#acknowledged = this.#delivered
  }

  #deliver(entry: Entry): GroupEntry {
    const after = this.#delivered ?? START
    // Something else may have written an entry without a number.
    const delivered = { id: entry.id, number: entry.isEvent ? entry.number : after.number }
    this.#delivered = delivered
    let missed = entry.isEvent ? entry.number - after.number - 1 : 0
    // The numbers have started again. A Ready says so; if it is gone too, all events before this one are.
    if (missed < 0) missed = entry.fields.get('t') === 'ready' ? 0 : entry.number - 1
    return { ...delivered, entry, missed, after }
  }

  /** Acknowledges an event, and those before it, with the next call of `next` or `flush`. */
  acknowledge({ id, number }: Position): void {
    if (!this.#acknowledged || isAfter(id, this.#acknowledged.id)) this.#acknowledged = { id, number }
  }

  /** Acknowledges an event that cannot be read, if those before it are acknowledged. No event is after the highest ID. */
  skip({ after, entry, ...event }: GroupEntry): void {
    if (entry.hasValidId && this.#acknowledged?.id === after.id) this.acknowledge(event)
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
    this.#delivered = undefined
    this.flush(true).catch(() => {})
  }

  /** The position as Redis should have it; the empty string before this consumer was active. */
  get #text(): string {
    return this.#acknowledged ? `${this.#acknowledged.id} ${this.#acknowledged.number}` : ''
  }

  #setActive(isActive: boolean): void {
    if (isActive === this.#isActive) return
    this.#isActive = isActive
    clearInterval(this.#renewal)
    if (!isActive) return
    const renew = async () => {
      // The whole position, in case Redis has lost it. An error may be a short outage: `next` finds out.
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

/** Whether an ID is after another in the stream. */
function isAfter(id: string, other: string): boolean {
  const [time = 0, serial = 0] = id.split('-').map(Number)
  const [otherTime = 0, otherSerial = 0] = other.split('-').map(Number)
  return time > otherTime || (time === otherTime && serial > otherSerial)
}
