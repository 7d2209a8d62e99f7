import { expect } from 'vitest'

/** Returns the CPU time of this process in milliseconds, independent of other processes. Requires the `forks` pool, because threads share one process. */
export function cpuNow(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Returns the CPU milliseconds of one run, averaged over as many runs as take at least 2 ms. */
export async function cpuTimeOf(run: () => unknown): Promise<number> {
  const startedAt = cpuNow()
  for (let runs = 1; ; runs += 1) {
    await run()
    const spent = cpuNow() - startedAt
    if (spent >= 2) return spent / runs
  }
}

export interface Growth<Input> {
  /** Creates an input of about this size; its time is not counted. */
  readonly make: (size: number) => Input
  readonly run: (input: Input) => unknown
  readonly small: number
  readonly large: number
}

/** Number of measurements of the small input. Other work can only increase a time, so the lowest one counts. */
const SMALL_RUNS = 3
/** Maximum number of measurements of the large input, which end when one is within the limit. */
const MAX_LARGE_RUNS = 10
/** Lower bound of a measured time; a shorter one is mostly call overhead. */
const MIN_MS = 0.05

/**
 * Expects that CPU time grows with the size of the input, not with its square. For 30 times the input, linear is 30 and quadratic 900; the
 * limit is in the middle, 164, which leaves room for caches and garbage collection. Most large inputs take less than that for the shortest time
 * that counts, so that there is no small one to measure.
 */
export async function expectLinearTime<Input>({ make, run, small, large }: Growth<Input>): Promise<void> {
  const limit = (large / small) ** 1.5
  const largeInput = make(large)
  const startedAt = cpuNow()
  await run(largeInput)
  let largeMs = cpuNow() - startedAt
  if (largeMs < limit * MIN_MS) return
  const smallInput = make(small)
  await run(smallInput)
  let smallMs = Number.POSITIVE_INFINITY
  for (let count = 0; count < SMALL_RUNS; count += 1)
    smallMs = Math.min(smallMs, await cpuTimeOf(() => run(smallInput)))
  for (let count = 1; count < MAX_LARGE_RUNS && largeMs / Math.max(smallMs, MIN_MS) >= limit; count += 1)
    largeMs = Math.min(largeMs, await cpuTimeOf(() => run(largeInput)))
  expect(largeMs / Math.max(smallMs, MIN_MS)).toBeLessThan(limit)
}
