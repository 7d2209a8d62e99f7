import { parseJson } from '../internal/json'
import { damagedError } from './connection'
import { Entry, type EventLog } from './event-log'

/** A place in the stream. */
interface Point {
  readonly id: string
  /** The numbers of its ID. */
  readonly order: readonly number[]
  /** Number of the last event up to it. */
  readonly number: number
}

/** Events that are settled, after one place and up to another: acknowledged, or reported as missed. */
interface Span {
  readonly after: Point
  readonly to: Point
}

/** An event that is delivered and not acknowledged. Its span includes the events that were reported as missed before it. */
interface Delivery extends Span {
  readonly owed: number
}

/** Minimum number of deliveries whose acknowledgement is awaited. */
const MIN_OPEN = 1_000

/**
 * What a group has settled. Redis keeps it, so that each consumer knows which events are gone: those with numbers that are
 * neither settled nor in the stream.
 */
export class GroupPosition {
  readonly #limit: number
  /** All events up to it are settled, except those in `#owed`. */
  #at = createPoint('0-0', 0)
  /** Number of events that were given up before `#at`, and not reported as missed. */
  #owed = 0
  /** Settled events after it, in order. They do not touch. */
  #ahead: readonly Span[] = []
  readonly #open = new Map<string, Delivery>()
  /** The event that was delivered last. */
  #last = this.#at
  /** ID of the entry that was read last. */
  readId = '0-0'
  #text: string | undefined

  /** @param maxLength Number of events that the stream keeps: as many may be open. */
  constructor(maxLength: number) {
    this.#limit = Math.max(MIN_OPEN, maxLength)
  }

  /**
   * Continues at a stored position.
   * @throws TypeError if it was not written by `toString`.
   */
  load(text: string): void {
    const stored: unknown = parseJson(text)
    const [owed, ...points]: unknown[] = Array.isArray(stored) ? stored : []
    const pointAt = (index: number): Point => {
      const [id, number] = points.slice(index)
      if (typeof id !== 'string' || !Number.isSafeInteger(number)) throw new TypeError('expected a place')
      return createPoint(id, Number(number))
    }
    this.#at = pointAt(0)
    this.#owed = Number(owed)
    const spans = Array.from({ length: Math.floor((points.length - 2) / 4) }, (_, index) => 2 + index * 4)
    this.#ahead = spans.map((index) => ({ after: pointAt(index), to: pointAt(index + 2) }))
    this.#text = undefined
    this.restart()
  }

  toString(): string {
    const points = [this.#at, ...this.#ahead.flatMap(({ after, to }) => [after, to])]
    this.#text ??= JSON.stringify([this.#owed, ...points.flatMap(({ id, number }) => [id, number])])
    return this.#text
  }

  /** Starts again with the events that are not acknowledged. */
  restart(): void {
    this.#last = this.#at
    this.readId = this.#at.id
  }

  /** Records that an entry is delivered. Returns the number of events that were missed before it; `undefined` if it is settled. */
  deliver(entry: Entry): number | undefined {
    const { id } = entry
    this.readId = id
    // Acknowledged since the start.
    if (isAfter(this.#at, this.#last)) this.#last = this.#at
    const after = this.#last
    // Something else may have written an entry without a number.
    const to = createPoint(id, entry.isEvent ? entry.number : after.number)
    if (!isAfter(to, this.#at)) return undefined
    if (this.#ahead.some((span) => isAfter(to, span.after) && !isAfter(to, span.to))) return undefined
    this.#last = to
    const owed = after === this.#at ? this.#owed : 0
    this.#open.delete(id)
    this.#open.set(id, { after, to, owed })
    const [oldest = ''] = this.#open.keys()
    if (this.#open.size > this.#limit) this.#open.delete(oldest)
    let missed = to.number - after.number - (entry.isEvent ? 1 : 0)
    // The numbers have started again. A Ready says so; if it is gone too, all events before this one are.
    if (entry.isEvent && missed < 0 && entry.fields.get('t') !== 'ready') return owed + to.number - 1
    for (const span of this.#ahead) if (!isAfter(after, span.after) && isAfter(to, span.to)) missed -= sizeOf(span)
    return owed + Math.max(0, missed)
  }

  /** Settles a delivery. */
  acknowledge(id: string): void {
    const delivery = this.#open.get(id)
    if (delivery === undefined || !this.#open.delete(id)) return
    this.#text = undefined
    this.#owed = Math.max(0, this.#owed - delivery.owed)
    const isBefore = (span: Span) => isAfter(delivery.after, span.to)
    const isBehind = (span: Span) => isAfter(span.after, delivery.to)
    const touching = this.#ahead.filter((span) => !isBefore(span) && !isBehind(span))
    const join = (one: Span, other: Span): Span => ({
      after: isAfter(one.after, other.after) ? other.after : one.after,
      to: isAfter(other.to, one.to) ? other.to : one.to,
    })
    const joined = touching.reduce(join, delivery)
    const spans = [...this.#ahead.filter(isBefore), joined, ...this.#ahead.filter(isBehind)]
    // Memory is bounded also if some events are never acknowledged.
    while (spans[0] && (!isAfter(spans[0].after, this.#at) || spans.length > this.#limit)) {
      const { after, to } = spans[0]
      this.#owed += Math.max(0, after.number - this.#at.number)
      if (isAfter(to, this.#at)) this.#at = to
      spans.shift()
    }
    this.#ahead = spans
  }
}

function createPoint(id: string, number: number): Point {
  return { id, number, order: id.split('-').map(Number) }
}

function sizeOf({ after, to }: Span): number {
  return Math.max(0, to.number - after.number)
}

/** Whether a place is after another in the stream. */
function isAfter(
  { order: [time = 0, serial = 0] }: Point,
  { order: [otherTime = 0, otherSerial = 0] }: Point,
): boolean {
  return time > otherTime || (time === otherTime && serial > otherSerial)
}

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
