import { expect } from 'vitest'

/** CPU time in milliseconds of this process, whatever else the machine does. Needs the `forks` pool: threads share one process. */
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
  /** Makes an input of about this size; its time is not counted. */
  readonly make: (size: number) => Input
  readonly run: (input: Input) => unknown
  readonly small: number
  readonly large: number
}

/** How often either size is measured at most. Other work can only add to a time, so the least one counts. */
const MAX_RUNS = 3
/** A shorter time is all call overhead, and no measure of the input. */
const MIN_MS = 0.05

/**
 * Expects that CPU time grows with the size of the input, not with its square. For 30 times the input, linear is 30 and quadratic 900; the
 * limit is in the middle, 164, which leaves room for caches and garbage collection.
 */
export async function expectLinearTime<Input>({ make, run, small, large }: Growth<Input>): Promise<void> {
  const [little, much] = [make(small), make(large)]
  await run(little)
  let smallMs = Number.POSITIVE_INFINITY
  for (let count = 0; count < MAX_RUNS; count += 1) smallMs = Math.min(smallMs, await cpuTimeOf(() => run(little)))
  const limit = (large / small) ** 1.5
  let growth = Number.POSITIVE_INFINITY
  for (let count = 0; count < MAX_RUNS && growth >= limit; count += 1) {
    growth = Math.min(growth, (await cpuTimeOf(() => run(much))) / Math.max(smallMs, MIN_MS))
  }
  expect(growth).toBeLessThan(limit)
}
