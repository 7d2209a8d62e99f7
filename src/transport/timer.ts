/** The longest that timers of the platform can wait: beyond it they fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/** Runs `act` after `ms`, never where it is infinite. Returns what cancels it. */
export function after(ms: number, act: () => void): () => void {
  if (ms === Infinity) return () => {}
  const timer = setTimeout(act, Math.min(ms, MAX_TIMER_MS))
  return () => clearTimeout(timer)
}
