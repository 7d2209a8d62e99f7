/** A length of time: milliseconds, or a number with a unit such as `'30s'`, `'5m'` or `'2d'`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

/** Where a clock starts: a point in time that then stands still, or a function that tells the time. */
export type ClockStart = Date | number | string | (() => number)

/** The time of one service. Nothing in the service looks at another clock. */
export interface Clock {
  /** The time now, in milliseconds since the epoch. */
  now(): number
  /**
   * Moves the time forward; what expires meanwhile is expired at once.
   * @throws RangeError for a time that is negative, not finite or beyond the year 9999; TypeError for no duration.
   */
  advance(by: Duration): void
}

/** A {@link Clock} whose position can be saved and put back. */
export interface PositionedClock extends Clock {
  /** How far the clock has been advanced, in milliseconds. */
  offset: number
  /** Whether it follows the wall clock, and so moves without being told to. */
  readonly isWallClock: boolean
}

/** The last moment that a timestamp of four digits for the year can tell. */
export const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A duration in milliseconds. */
export function milliseconds(duration: Duration): number {
  if (typeof duration === 'number') return duration
  // Callers of plain JavaScript may give anything.
  const given: unknown = duration
  const parts = typeof given === 'string' ? /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(given) : null
  const [, amount, unit = ''] = parts ?? []
  const factor = UNITS[unit]
  if (amount === undefined || factor === undefined) {
    const shown = typeof given === 'string' ? `"${given}"` : String(given)
    throw new TypeError(`${shown} is not a duration; give milliseconds or a text such as "30s", "5m" or "2d"`)
  }
  return Number(amount) * factor
}

/** A clock that starts at `start`, or follows the wall clock without one. */
export function createClock(start?: ClockStart): PositionedClock {
  const source = timeSource(start)
  return {
    offset: 0,
    isWallClock: start === undefined,
    now() {
      return source() + this.offset
    },
    advance(by) {
      const step = milliseconds(by)
      if (!(step >= 0)) throw new RangeError(`clock.advance: ${step} ms; a clock only moves forward`)
      if (!(this.now() + step <= LAST_MOMENT)) {
        throw new RangeError(`clock.advance: ${step} ms from now is past the end of the year 9999`)
      }
      this.offset += step
    },
  }
}

function timeSource(start: ClockStart | undefined): () => number {
  if (start === undefined) return Date.now
  if (typeof start === 'function') return start
  const time = new Date(start).getTime()
  if (Number.isNaN(time)) throw new TypeError(`now: ${String(start)} is not a point in time`)
  return () => time
}
