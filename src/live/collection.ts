import type { GatewayServiceEvents } from '../gateway/events'
import { isDeepEqual } from '../internal/json'

type Changes<Item> = { readonly [K in keyof LiveChange<Item>]: Item[] }

/** The items of a store, by key and in order. */
export class Collection<Item, Key, Type> {
  readonly #definition: StoreDefinition<Item, Key, Type>
  /** In the order of their ranks. */
  #entries = new Map<string, Entry<Item>>()
  #nextRank = 0
  /** Keys of items of which only a part is known. */
  #placeholders = new Set<string>()
  #all = new View<Item>(() => true)
  readonly #byType = new Map<Type, View<Item>>()

  constructor(definition: StoreDefinition<Item, Key, Type>, items: readonly Item[] = []) {
    this.#definition = definition
    for (const item of items) {
      const key: unknown = definition.keyOf(item)
      if (typeof key !== 'string') throw new TypeError('an item without a key')
      const entry = this.#entries.get(key)
      if (entry === undefined) this.#add(key, item)
      else entry.item = item
    }
  }

  /** Whether all items are known in full. */
  get isComplete(): boolean {
    return this.#placeholders.size === 0
  }

  get(key: string): Item | undefined {
    return this.#entries.get(key)?.item
  }

  all(): readonly Item[] {
    return this.#all.read(this.#entries.values())
  }

  ofType(type: Type): readonly Item[] {
    let view = this.#byType.get(type)
    if (view === undefined) {
      view = new View((item) => this.#definition.isOfType(item, type))
      this.#byType.set(type, view)
    }
    return view.read(this.#entries.values())
  }

  /** Applies an event. Returns what it changes, `undefined` if nothing. */
  apply({ key, isPartial, apply }: Change<Item>): LiveChange<Item> | undefined {
    const entry = this.#entries.get(key)
    const before = entry?.item
    const after = apply(before)
    if (!isPartial) this.#placeholders.delete(key)
    else if (before === undefined) this.#placeholders.add(key)
    if (isPartial ? before === after : isDeepEqual(before, after)) return undefined
    const rank = entry?.rank ?? this.#nextRank
    if (after === undefined) this.#entries.delete(key)
    else if (entry === undefined) this.#add(key, after)
    else entry.item = after
    this.#all.update(rank, before, after)
    for (const view of this.#byType.values()) view.update(rank, before, after)
    const items = (item: Item | undefined) => (item === undefined ? NONE : [item])
    return before === undefined || after === undefined
      ? { added: items(after), updated: NONE, removed: items(before) }
      : { added: NONE, updated: [after], removed: NONE }
  }

  /**
   * Becomes what `next` is; items that are equal stay the same objects. Returns what has changed, which may be the order
   * alone, `undefined` if nothing.
   */
  replaceBy(next: Collection<Item, Key, Type>): LiveChange<Item> | undefined {
    const changes: Changes<Item> = { added: [], updated: [], removed: [] }
    const before = this.#entries.values()
    let isSame = this.#entries.size === next.#entries.size
    for (const [key, entry] of next.#entries) {
      const old = this.#entries.get(key)?.item
      if (old !== undefined && isDeepEqual(old, entry.item)) entry.item = old
      else record(changes, old, entry.item)
      isSame &&= before.next().value?.item === entry.item
    }
    for (const [key, { item }] of this.#entries) if (!next.#entries.has(key)) record(changes, item, undefined)
    this.#placeholders = next.#placeholders
    if (isSame) return undefined
    this.#entries = next.#entries
    this.#nextRank = next.#nextRank
    this.#all.invalidate()
    for (const view of this.#byType.values()) view.invalidate()
    return changes
  }

  /** Returns a copy that gives the same arrays. */
  copy(): Collection<Item, Key, Type> {
    const copy = new Collection(this.#definition, this.all())
    copy.#all = new View(() => true, this.all())
    for (const type of this.#byType.keys()) {
      copy.#byType.set(type, new View((item) => this.#definition.isOfType(item, type), this.ofType(type)))
    }
    return copy
  }

  #add(key: string, item: Item): void {
    this.#entries.set(key, { rank: this.#nextRank++, item })
  }
}

const NONE: readonly never[] = /*@__PURE__*/ Object.freeze([])

function record<Item>(changes: Changes<Item>, before: Item | undefined, after: Item | undefined): void {
  if (after !== undefined) changes[before === undefined ? 'added' : 'updated'].push(after)
  else if (before !== undefined) changes.removed.push(before)
}

/** An item and its place: a higher rank comes later. */
export interface Entry<Item> {
  readonly rank: number
  item: Item
}

/** The items that match, in order, as an array that stays the same until one of them changes. */
class View<Item> {
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

/** The changes of the items of a {@link LiveStore} by one event or one load. */
export interface LiveChange<Item> {
  /** Items that were not there before. */
  readonly added: readonly Item[]
  /** Items that have changed, as they are now. */
  readonly updated: readonly Item[]
  /** Items that are no longer there, as they were last. */
  readonly removed: readonly Item[]
}

/** The effect of an event on one item. It may be applied twice, the second time to another item of that key. */
export interface Change<Item> {
  readonly key: string
  /** Returns the item as it is afterwards, `undefined` if there is none. */
  readonly apply: (before: Item | undefined) => Item | undefined
  /**
   * Whether the event has only some of the fields: without an item it makes a placeholder, and `apply` returns the same
   * object unless it changes something.
   */
  readonly isPartial: boolean
}

/** Registers the effect of an event. Its payload is the store's own: each listener of the gateway receives another copy. */
export type RegisterEvent<Item> = <K extends keyof GatewayServiceEvents>(
  event: K,
  change: (payload: GatewayServiceEvents[K]) => Change<Item>,
) => void

/** How the stores of one kind differ from others. */
export interface StoreDefinition<Item, Key, Type> {
  /** The call that opens one. */
  readonly name: string
  /** Whether items may be added without an event. */
  readonly missesAdditions?: boolean
  readonly keyOf: (item: Item) => string
  /** The same for keys that callers pass. */
  readonly keyFor: (key: Key) => string
  readonly isOfType: (item: Item, type: Type) => boolean
  /** Calls `register` for each event that the store follows. */
  readonly events: (register: RegisterEvent<Item>) => void
}
