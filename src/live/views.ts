/** What readers of a store are given: lists that stay the same until something of them changes. */
export class Views<Item, Type> {
  readonly #isOfType: (item: Item, type: Type) => boolean
  readonly #read: () => Item[]
  #all: readonly Item[] | undefined
  readonly #byType = new Map<Type, readonly Item[]>()
  /** Types whose list was made of the items as they are. */
  readonly #fresh = new Set<Type>()

  /** `read` gives the items, in a list of their own. */
  constructor(isOfType: (item: Item, type: Type) => boolean, read: () => Item[]) {
    this.#isOfType = isOfType
    this.#read = read
  }

  /** The items are others. */
  outdate(): void {
    this.#all = undefined
    this.#fresh.clear()
  }

  all(): readonly Item[] {
    this.#all ??= Object.freeze(this.#read())
    return this.#all
  }

  /** The items of a type. Where none of them has changed it is the list of before, so that who shows it need not again. */
  ofType(type: Type): readonly Item[] {
    const before = this.#byType.get(type)
    if (before !== undefined && this.#fresh.has(type)) return before
    this.#fresh.add(type)
    const items = this.all().filter((item) => this.#isOfType(item, type))
    if (before?.length === items.length && items.every((item, index) => item === before[index])) return before
    this.#byType.set(type, Object.freeze(items))
    return items
  }
}
