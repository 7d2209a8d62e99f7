/** An item and its place: a higher rank comes later. */
export interface Entry<Item> {
  readonly rank: number
  item: Item
}

/** The items that match, in order, as an array that stays the same until one of them changes. */
export class View<Item> {
  readonly #matches: (item: Item) => boolean
  /** `undefined` if the view must be built from all entries. */
  #ranks: number[] | undefined
  #items: Item[] = []
  /** A copy of its own, since writing to a copy of a frozen array is a hundred times slower. */
  #snapshot: readonly Item[] | undefined

  constructor(matches: (item: Item) => boolean, snapshot?: readonly Item[]) {
    this.#matches = matches
    this.#snapshot = snapshot
  }

  read(entries: Iterable<Entry<Item>>): readonly Item[] {
    if (this.#ranks === undefined) this.#build(entries)
    this.#snapshot ??= Object.freeze(this.#items.slice())
    return this.#snapshot
  }

  /** Takes over one change, at a cost that hardly depends on the number of items. */
  update(rank: number, before: Item | undefined, after: Item | undefined): void {
    if (this.#ranks === undefined) return
    const was = before !== undefined && this.#matches(before)
    const is = after !== undefined && this.#matches(after)
    if (!was && !is) return
    const index = indexOf(this.#ranks, rank)
    if (was && is) this.#items[index] = after
    else {
      this.#ranks.splice(index, Number(was), ...(is ? [rank] : []))
      this.#items.splice(index, Number(was), ...(is ? [after] : []))
    }
    this.#snapshot = undefined
  }

  /** All entries may have changed. */
  invalidate(): void {
    this.#ranks = undefined
  }

  #build(entries: Iterable<Entry<Item>>): void {
    const matching = Array.from(entries).filter(({ item }) => this.#matches(item))
    this.#ranks = matching.map(({ rank }) => rank)
    this.#items = matching.map(({ item }) => item)
    const before = this.#snapshot
    const isSame = before?.length === this.#items.length && this.#items.every((item, index) => item === before[index])
    if (!isSame) this.#snapshot = undefined
  }
}

/** Returns the index of the first rank that is not lower. */
function indexOf(ranks: readonly number[], rank: number): number {
  let [low, high] = [0, ranks.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (Number(ranks[middle]) < rank) low = middle + 1
    else high = middle
  }
  return low
}
