import type { Parameters } from 'fast-check'

const { FUZZ_RUNS = '50', FUZZ_SEED = '20260501', FUZZ_SHRINK = 'yes' } = process.env

/**
 * Returns the seed and the number of runs of a property. `share` multiplies the runs, by less than 1 for slow properties.
 * With `FUZZ_SHRINK=no` the first failure ends it, without a search for a smaller example.
 */
export function runs<T>(share = 1): Parameters<T> {
  return { seed: Number(FUZZ_SEED), numRuns: Math.ceil(Number(FUZZ_RUNS) * share), endOnFailure: FUZZ_SHRINK === 'no' }
}
