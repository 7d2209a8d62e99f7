import { vi } from 'vitest'

/**
 * Stops the clock of clients until the end of the test; `vi.advanceTimersByTimeAsync` steps it. Servers and sockets go on, so that what they
 * need on a busy machine counts against no limit.
 */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
}

/** Steps the stopped clock. */
export const pass = async (ms: number): Promise<void> => void (await vi.advanceTimersByTimeAsync(ms))
