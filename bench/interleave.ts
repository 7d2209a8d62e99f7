/** Something to time, under the name it is reported by. */
export interface Candidate {
  readonly name: string
  run(): Promise<unknown>
}

/**
 * Times the candidates one call at a time, in turn, so that whatever slows the machine meanwhile slows all of them alike.
 * The order within a round rotates: who goes first is not who pays for the last one's garbage.
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

/** The value below which `share` of the samples lie. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
