// A longer timer would end at once.
const LONGEST_WAIT = 2 ** 31 - 1

/** The one timer of a gateway whose service follows the wall clock. It keeps no process alive. */
export interface Alarm {
  /** Rings at this time, or not at all (`undefined` or `Infinity`); any other time that was set is forgotten. */
  set(at: number | undefined): void
}

/** An {@link Alarm} that goes by what `now` tells, in milliseconds. */
export function createAlarm(now: () => number, ring: () => void): Alarm {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    set(at) {
      clearTimeout(timer)
      timer = undefined
      if (at === undefined || at === Number.POSITIVE_INFINITY) return
      timer = setTimeout(ring, Math.min(Math.max(at - now(), 0), LONGEST_WAIT))
      // Node's timers hold the process; those of browsers are numbers.
      if (typeof timer === 'object') timer.unref()
    },
  }
}
