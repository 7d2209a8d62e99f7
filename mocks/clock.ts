/** A duration: milliseconds, or a number with a unit such as `'30s'`, `'5m'` or `'2d'`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

/** The clock of one service, its only source of time. */
export interface Clock {
  /** Returns the current time in milliseconds since the epoch. */
  now(): number
  /**
   * Moves the time forward; everything that expires in between expires at once.
   * @throws RangeError if the step is negative or not an integer of milliseconds, or ends after the year 9999; TypeError if it is no
   * duration.
   */
  advance(by: Duration): void
  /**
   * Sets the time, forward or back; what expires by then expires at once.
   * @param to a `Date`, ISO 8601 with time and zone, or milliseconds since the epoch.
   * @throws TypeError if it is no point in time, RangeError if it is not from 1970 to 9999.
   * @example
   * service.clock.set('2026-12-31T23:59:00Z')
   */
  set(to: Date | number | string): void
  /**
   * Stops the clock where it is, or with `false` lets it continue from there. `advance` and `set` move a frozen clock,
   * too. A clock that started at a fixed time is frozen.
   */
  freeze(frozen?: boolean): void
  /** Whether it stands still. */
  readonly isFrozen: boolean
}

/** Position of a clock, as a snapshot contains it. */
export interface ClockPosition {
  /** Milliseconds between the wall clock and its time; while frozen, when it was frozen. */
  readonly offset: number
  /** Time at which it stands still; `null` otherwise. */
  readonly frozenAt: number | null
}

export interface PositionedClock extends Clock {
  save(): ClockPosition
  /** Restores a position. Default: its start. @throws TypeError if it is not from 1970 to 9999, without moving. */
  load(position?: ClockPosition): void
}

/** Maximum delay of a platform timer in milliseconds: a longer one would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1
export const MAX_TIMESTAMP = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

const isInRange = (time: number) => time >= 0 && time <= MAX_TIMESTAMP

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

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
  // Without the error of floating point numbers: 1.005 s are 1005 ms.
  return Number((Number(amount) * factor).toFixed(6))
}

/**
 * Creates a clock that is frozen at `start` until it is unfrozen; without it, the clock follows the wall clock, which is read at each
 * use, because fake timers replace `Date`.
 * @param onMoved called after `advance`, `set` and `freeze`.
 */
export function createClock(start: Date | number | string | undefined, onMoved: () => void): PositionedClock {
  const fixed = start === undefined ? null : timeOf('now', start)
  /** Milliseconds from the wall clock, while not frozen. */
  let offset = 0
  let frozenAt = fixed
  const now = () => frozenAt ?? Date.now() + offset
  return {
    get isFrozen() {
      return frozenAt !== null
    },
    now,
    advance(by) {
      const step = milliseconds(by)
      if (!(step >= 0))
        throw new RangeError(`clock.advance: ${step} ms; it only moves forward, clock.set also moves back`)
      if (!Number.isInteger(step)) throw new RangeError(`clock.advance: ${step} ms; expected whole milliseconds`)
      if (!(now() + step <= MAX_TIMESTAMP)) {
        throw new RangeError(`clock.advance: ${step} ms from now is past the end of the year 9999`)
      }
      if (frozenAt === null) offset += step
      else frozenAt += step
      onMoved()
    },
    set(to) {
      const time = timeOf('clock.set', to)
      if (frozenAt === null) offset = time - Date.now()
      else frozenAt = time
      onMoved()
    },
    freeze(frozen: unknown = true) {
      if (typeof frozen !== 'boolean') throw new TypeError(`clock.freeze: expected true or false, got ${show(frozen)}`)
      const time = now()
      frozenAt = frozen ? time : null
      if (!frozen) offset = time - Date.now()
      onMoved()
    },
    save: () => ({ offset, frozenAt }),
    load(position = { offset: 0, frozenAt: fixed }) {
      const time = position.frozenAt ?? Date.now() + position.offset
      if (!isInRange(time)) {
        throw new TypeError(`service.restore: offset: the time ${time} is not from 1970 to 9999`)
      }
      offset = position.offset
      frozenAt = position.frozenAt
    },
  }
}

const show = (given: unknown) => (typeof given === 'string' ? JSON.stringify(given) : String(given))

function timeOf(subject: string, given: Date | number | string): number {
  const time = parseTime(given)
  if (Number.isNaN(time)) {
    const expected = 'pass ISO 8601 with time and zone, such as "2026-12-31T23:59:00Z", or milliseconds since the epoch'
    throw new TypeError(`${subject}: ${show(given)} is not a point in time; ${expected}`)
  }
  if (!isInRange(time)) throw new RangeError(`${subject}: ${time} is not from 1970 to 9999`)
  return time
}

/** A date and time with its zone: without one it would depend on the machine. */
const ISO_8601 = /^((?:[+-]\d\d)?\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/

/** Returns the milliseconds of a point in time, or `NaN`. `Date` alone would turn `2026-02-30` into March 2. */
export function parseTime(given: Date | number | string): number {
  if (typeof given === 'number') return Number.isInteger(given) ? new Date(given).getTime() : Number.NaN
  // Dates of any realm, and nothing else that `Date` would convert.
  if (typeof given !== 'string')
    return /Date/.test(Object.prototype.toString.call(given)) ? given.getTime() : Number.NaN
  const [, day] = ISO_8601.exec(given) ?? []
  return day !== undefined && new Date(day).toJSON()?.startsWith(day) ? new Date(given).getTime() : Number.NaN
}
