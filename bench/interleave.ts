/** A function to measure, and its name in the report. */
export interface Candidate {
  readonly name: string
  run(): Promise<unknown>
}

/**
 * Measures one call of each candidate in turn, so that other load slows all of them equally. The order rotates between
 * rounds, so that no candidate always pays for the garbage of the same other one.
 */
export async function interleave(
  candidates: readonly Candidate[],
  warmUp: number,
  rounds: number,
): Promise<number[][]> {
  const samples = candidates.map((): number[] => [])
  for (let round = -warmUp; round < rounds; round += 1) {
    for (let turn = 0; turn < candidates.length; turn += 1) {
      const index = (((round + turn) % candidates.length) + candidates.length) % candidates.length
      const started = performance.now()
      await candidates[index]?.run()
      const took = performance.now() - started
      if (round >= 0) samples[index]?.push(took)
    }
  }
  return samples
}

/** Returns the value below which `share` of the samples lie. `share` is between 0 and 1. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
