/** A duration: milliseconds, or a number with a unit such as `'30s'`, `'5m'` or `'2d'`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

/** Start of a clock: a fixed point in time, or a function that returns the time in milliseconds. */
export type ClockStart = Date | number | string | (() => number)

/** The clock of one service, its only source of time. */
export interface Clock {
  /** Returns the current time in milliseconds since the epoch. */
  now(): number
  /**
   * Moves the time forward; everything that expires in between expires at once.
   * @throws RangeError if the step is negative or not finite, or ends after the year 9999; TypeError if it is no
   * duration.
   */
  advance(by: Duration): void
  /**
   * Sets the time, forward or back; what expires by then expires at once.
   * @param to a date, ISO 8601, or milliseconds since the epoch.
   * @throws TypeError if it is no point in time, RangeError if it is not from 1970 to 9999.
   * @example
   * service.clock.set('2026-12-31T23:59:00Z')
   */
  set(to: Date | number | string): void
  /**
   * Stops the clock where it is, or with `false` lets it continue from there. `advance` and `set` move a frozen clock,
   * too.
   */
  freeze(frozen?: boolean): void
  /** Whether {@link Clock.freeze} has stopped it. */
  readonly isFrozen: boolean
}

/** A {@link Clock} whose position can be saved and restored. */
export interface PositionedClock extends Clock {
  /** Milliseconds between its start, or the wall clock, and its time; while frozen, when it was frozen. */
  offset: number
  /** Time at which it stands; `null` while it runs. */
  frozenAt: number | null
  /** Whether it follows the wall clock. */
  readonly isWallClock: boolean
}

/** Maximum delay of a platform timer in milliseconds: a longer one would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1
/** Latest time with a year of four digits. */
export const MAX_TIMESTAMP = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Converts a duration to milliseconds. @throws TypeError for an invalid duration. */
export function milliseconds(duration: Duration): number {
  if (typeof duration === 'number') return duration
  // JavaScript callers may pass other types.
  const value: unknown = duration
  const parts = typeof value === 'string' ? /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(value) : null
  const [, amount, unit = ''] = parts ?? []
  const factor = UNITS[unit]
  if (amount === undefined || factor === undefined) {
    const quoted = typeof value === 'string' ? `"${value}"` : String(value)
    throw new TypeError(`${quoted} is not a duration; pass milliseconds or a string such as "30s", "5m" or "2d"`)
  }
  return Number(amount) * factor
}

/** Creates a clock that starts at `start`; without it, the clock follows the wall clock. */
export function createClock(start?: ClockStart): PositionedClock {
  const source = createTimeSource(start)
  return {
    offset: 0,
    frozenAt: null,
    isWallClock: start === undefined,
    get isFrozen() {
      return this.frozenAt !== null
    },
    now() {
      return this.frozenAt ?? source() + this.offset
    },
    advance(by) {
      const step = milliseconds(by)
      if (!(step >= 0))
        throw new RangeError(`clock.advance: ${step} ms; it only moves forward, clock.set also moves back`)
      if (!(this.now() + step <= MAX_TIMESTAMP)) {
        throw new RangeError(`clock.advance: ${step} ms from now is past the end of the year 9999`)
      }
      if (this.frozenAt === null) this.offset += step
      else this.frozenAt += step
    },
    set(to) {
      const time = timeOf('clock.set', to)
      if (!(time >= 0 && time <= MAX_TIMESTAMP)) throw new RangeError(`clock.set: ${time} is not from 1970 to 9999`)
      if (this.frozenAt === null) this.offset = time - source()
      else this.frozenAt = time
    },
    freeze(frozen = true) {
      if (frozen) this.frozenAt ??= this.now()
      else if (this.frozenAt !== null) {
        this.offset = this.frozenAt - source()
        this.frozenAt = null
      }
    },
  }
}

function createTimeSource(start: ClockStart | undefined): () => number {
  if (start === undefined) return Date.now
  if (typeof start === 'function') return start
  const time = timeOf('now', start)
  return () => time
}

function timeOf(subject: string, given: Date | number | string): number {
  const time = new Date(given).getTime()
  if (Number.isNaN(time)) throw new TypeError(`${subject}: ${String(given)} is not a point in time`)
  return time
}
