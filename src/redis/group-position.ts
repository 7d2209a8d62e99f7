import { parseJson } from '../internal/json'
import type { Entry } from './event-log'

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
