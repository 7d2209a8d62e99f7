import type { Change } from './kind'
import { freeze, isSame } from './values'

/** What tells two states of a store apart. */
export interface Difference<Item> {
  readonly added: Item[]
  readonly updated: Item[]
  readonly removed: Item[]
}

/** The items of a store, by key and in order. */
export class Items<Item> {
  readonly #byKey = new Map<string, Item>()
  /** Keys of placeholders: of these the service has more than is known here. */
  readonly #placeholders = new Set<string>()

  constructor(items: readonly Item[], keyOf: (item: Item) => string) {
    for (const item of items) {
      const key: unknown = keyOf(item)
      if (typeof key !== 'string') throw new TypeError('an item without a key')
      this.#byKey.set(key, item)
    }
  }

  /** Whether none of them is a placeholder. */
  get isWhole(): boolean {
    return this.#placeholders.size === 0
  }

  get(key: string): Item | undefined {
    return this.#byKey.get(key)
  }

  all(): Item[] {
    return [...this.#byKey.values()]
  }

  /** Does what an event says. An item that stays as it was stays the same object. */
  apply({ key, isPartial, apply }: Change<Item>): Difference<Item> {
    const difference: Difference<Item> = { added: [], updated: [], removed: [] }
    const before = this.#byKey.get(key)
    const after = apply(before)
    if (!isPartial) this.#placeholders.delete(key)
    else if (before === undefined) this.#placeholders.add(key)
    if (isSame(before, after)) return difference
    if (after === undefined) this.#byKey.delete(key)
    else this.#byKey.set(key, freeze(after))
    note(difference, before, after)
    return difference
  }

  /** What has become of the items of `before`. Those that are as they were become the same objects again. */
  takeOverFrom(before: Items<Item>): Difference<Item> {
    const difference: Difference<Item> = { added: [], updated: [], removed: [] }
    for (const [key, item] of this.#byKey) {
      const old = before.#byKey.get(key)
      if (old !== undefined && isSame(old, item)) this.#byKey.set(key, old)
      else note(difference, old, item)
    }
    for (const [key, old] of before.#byKey) if (!this.#byKey.has(key)) note(difference, old, undefined)
    return difference
  }
}

/** Notes what has become of one item. */
function note<Item>(difference: Difference<Item>, before: Item | undefined, after: Item | undefined): void {
  if (after === undefined) {
    if (before !== undefined) difference.removed.push(before)
  } else if (before === undefined) difference.added.push(after)
  else difference.updated.push(after)
}
