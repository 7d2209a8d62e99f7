import type { Parameters } from 'fast-check'

const { FUZZ_RUNS = '100', FUZZ_SEED = '20260501' } = process.env

/** Returns the seed and the number of runs of a property. `share` multiplies the runs, by less than 1 for slow properties. */
export function runs<T>(share = 1): Parameters<T> {
  return { seed: Number(FUZZ_SEED), numRuns: Math.ceil(Number(FUZZ_RUNS) * share) }
}
