import { afterAll, vi } from 'vitest'

/** Maximum time of one wait, in milliseconds. Nothing that works takes so long, also on a busy machine. */
export const PATIENCE_MS = 120_000

// The default of Vitest is one second, which a busy machine needs for less.
const { waitFor } = vi
vi.waitFor = (callback, options) => {
  const { timeout = PATIENCE_MS, interval } = typeof options === 'number' ? { timeout: options } : (options ?? {})
  return waitFor(callback, { timeout, ...(interval !== undefined && { interval }) })
}
afterAll(() => {
  vi.waitFor = waitFor
})
