/** What readers of a store are given: lists that stay the same until something of them changes. */
export class Views<Item, Type> {
  readonly #isOfType: (item: Item, type: Type) => boolean
  #all: readonly Item[] = Object.freeze([])
  /** Whether a list was made of the items as they are. */
  readonly #fresh = new Set<Type>()
  readonly #byType = new Map<Type, readonly Item[]>()
  #isFresh = true

  constructor(isOfType: (item: Item, type: Type) => boolean) {
    this.#isOfType = isOfType
  }

  /** The items are others. */
  outdate(): void {
    this.#isFresh = false
    this.#fresh.clear()
  }

  /** All items, which `read` gives where they have changed. */
  all(read: () => readonly Item[]): readonly Item[] {
    if (!this.#isFresh) this.#all = Object.freeze([...read()])
    this.#isFresh = true
    return this.#all
  }

  /** The items of a type. Where none of them has changed it is the list of before, so that who shows it need not again. */
  ofType(type: Type, read: () => readonly Item[]): readonly Item[] {
    const before = this.#byType.get(type)
    if (before !== undefined && this.#fresh.has(type)) return before
    const items = this.all(read).filter((item) => this.#isOfType(item, type))
    const isAsBefore = before?.length === items.length && items.every((item, index) => item === before[index])
    const list = isAsBefore ? before : Object.freeze(items)
    this.#byType.set(type, list)
    this.#fresh.add(type)
    return list
  }
}
