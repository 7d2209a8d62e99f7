import type { Parameters } from 'fast-check'

const { FUZZ_RUNS = '100', FUZZ_SEED = '20260501' } = process.env

/** From which seed a property is tried, and how often; `share` is for those whose runs are dear or cheap. */
export function runs<T>(share = 1): Parameters<T> {
  return { seed: Number(FUZZ_SEED), numRuns: Math.ceil(Number(FUZZ_RUNS) * share) }
}
