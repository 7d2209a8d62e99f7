/** For each run of backticks, where the next run of as many is: from the last to the first, so each is looked at once. */
export function codeSpans(text: string): ReadonlyMap<number, number> {
  const nextOf = new Map<number, number>()
  const ends = new Map<number, number>()
  for (const { index, 0: run } of [...text.matchAll(/`+/g)].reverse()) {
    const next = nextOf.get(run.length)
    if (next !== undefined) ends.set(index, next)
    nextOf.set(run.length, index)
  }
  return ends
}
