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
}

/** A {@link Clock} whose position can be saved and restored. */
export interface PositionedClock extends Clock {
  /** Milliseconds that the clock has been advanced. */
  offset: number
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
    isWallClock: start === undefined,
    now() {
      return source() + this.offset
    },
    advance(by) {
      const step = milliseconds(by)
      if (!(step >= 0)) throw new RangeError(`clock.advance: ${step} ms; a clock only moves forward`)
      if (!(this.now() + step <= MAX_TIMESTAMP)) {
        throw new RangeError(`clock.advance: ${step} ms from now is past the end of the year 9999`)
      }
      this.offset += step
    },
  }
}

function createTimeSource(start: ClockStart | undefined): () => number {
  if (start === undefined) return Date.now
  if (typeof start === 'function') return start
  const time = new Date(start).getTime()
  if (Number.isNaN(time)) throw new TypeError(`now: ${String(start)} is not a point in time`)
  return () => time
}
