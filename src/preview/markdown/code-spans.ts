/** For each run of backticks, where the next run of as many is: from the last to the first, so each is looked at once. */
export function codeSpans(text: string): ReadonlyMap<number, number> {
  const runs = [...text.matchAll(/`+/g)].map(({ index, 0: run }) => ({ index, length: run.length }))
  const nextOf = new Map<number, number>()
  const ends = new Map<number, number>()
  for (const { index, length } of runs.reverse()) {
    const next = nextOf.get(length)
    if (next !== undefined) ends.set(index, next)
    nextOf.set(length, index)
  }
  return ends
}
