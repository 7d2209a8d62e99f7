// What differs between the kinds of live stores: their lists, keys and events.
import type { GameRelationship } from '../contract/game-relationships'
import type { ReadyEvent } from '../contract/gateway-events'
import type { FriendSuggestion, Relationship } from '../contract/relationships'
import type { Immutable } from '../contract/schema'
import type { GatewayServiceEvents } from '../gateway/events'
import { deepFreeze, isDeepEqual, parseJson } from '../internal/json'

/** Definition of one kind of store. */
export interface StoreDefinition<Item, Key, Type> {
  /** Name of the method that opens stores, for messages. */
  readonly name: string
  readonly keyOf: (item: Item) => string
  /** Converts a key that callers pass. */
  readonly keyFor: (key: Key) => string
  readonly isOfType: (item: Item, type: Type) => boolean
  /** Returns the items that Ready contains, if any. */
  readonly itemsOf?: (ready: ReadyEvent) => readonly Item[] | undefined
  /** Returns the items that a server has loaded, if any. */
  readonly initialItems: (lists: InitialLists) => readonly Item[] | undefined
  /** Registers the effect of each event. */
  readonly events: (register: RegisterEvent<Item>) => void
}

/** Registers the effect of an event. `change` receives its own copy of the payload, as each listener of the gateway does. */
export type RegisterEvent<Item> = <K extends keyof GatewayServiceEvents>(
  event: K,
  change: (payload: GatewayServiceEvents[K]) => Change<Item>,
) => void

/** Effect of an event on one item. It may be applied again, to the item with that key in a later response. */
export interface Change<Item> {
  readonly key: string
  /** Returns the item after the event, or `undefined` if it was removed. */
  readonly apply: (before: Item | undefined) => Item | undefined
  /**
   * Whether the event has only some of the fields. Then `apply` creates a placeholder for an unknown item, and returns the
   * same object if nothing changes.
   */
  readonly isPartial: boolean
}

/** Changes of the items of a {@link LiveStore} by one event or one load. */
export interface LiveChange<Item> {
  /** New items. */
  readonly added: readonly Item[]
  /** Changed items, after the change. */
  readonly updated: readonly Item[]
  /** Removed items, as they were before. */
  readonly removed: readonly Item[]
}

type Changes<Item> = { readonly [K in keyof LiveChange<Item>]: Item[] }

/** Time for which a list of a server is not loaded again, in milliseconds. */
const FRESH_MS = 60_000

const NONE: readonly never[] = Object.freeze([])

/** Items of a store, by key and in order. */
export class Collection<Item, Key, Type> {
  readonly #definition: StoreDefinition<Item, Key, Type>
  /** Ordered by rank. */
  #entries = new Map<string, Entry<Item>>()
  #nextRank = 0
  /** Keys of items whose fields are only partly known. */
  #placeholders = new Set<string>()
  #all = new View<Item>(() => true)
  readonly #byType = new Map<Type, View<Item>>()

  constructor(definition: StoreDefinition<Item, Key, Type>, items: readonly Item[] = []) {
    this.#definition = definition
    for (const item of items) {
      const key: unknown = definition.keyOf(item)
      if (typeof key !== 'string') throw new TypeError('expected an item with a key')
      const entry = this.#entries.get(key)
      if (entry === undefined) this.#add(key, item)
      else entry.item = item
    }
  }

  /** Whether all fields of all items are known. */
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

  /** Applies the effect of an event. Returns the changes, or `undefined` if there are none. */
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
   * Replaces all items by those of `next`; equal items stay the same objects. Returns the changes, or `undefined` if there are
   * none. If only the order has changed, the changes are empty.
   */
  replaceBy(next: Collection<Item, Key, Type>): LiveChange<Item> | undefined {
    const changes: Changes<Item> = { added: [], updated: [], removed: [] }
    const before = this.#entries.values()
    let isUnchanged = this.#entries.size === next.#entries.size
    for (const [key, entry] of next.#entries) {
      const old = this.#entries.get(key)?.item
      if (old !== undefined && isDeepEqual(old, entry.item)) entry.item = old
      else recordChange(changes, old, entry.item)
      isUnchanged &&= before.next().value?.item === entry.item
    }
    for (const [key, { item }] of this.#entries) if (!next.#entries.has(key)) recordChange(changes, item, undefined)
    this.#placeholders = next.#placeholders
    if (isUnchanged) return undefined
    this.#entries = next.#entries
    this.#nextRank = next.#nextRank
    this.#all.invalidate()
    for (const view of this.#byType.values()) view.invalidate()
    return changes
  }

  /** Returns a copy whose `all` and `ofType` return the same arrays. */
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

/** Lists that a server has loaded. */
export interface InitialLists {
  /** The relationships. */
  readonly relationships?: readonly Immutable<Relationship>[] | undefined
  /** The relationships in games. */
  readonly gameRelationships?: readonly Immutable<GameRelationship>[] | undefined
  /** The friend suggestions. */
  readonly friendSuggestions?: readonly Immutable<FriendSuggestion>[] | undefined
}

/** State of a client on a server, which `dehydrate` of `rapport-sdk/server` returns: plain JSON without a secret. */
export interface InitialState {
  /** The session: `user` has only its `id`, and is `null` if nobody is signed in or the user is unknown. */
  readonly session: { readonly status: 'signedIn' | 'signedOut'; readonly user: { readonly id: string } | null }
  /** Time before the lists were requested, in milliseconds since 1970. */
  readonly time: number
  /** The lists; empty if `session.user` is `null`. */
  readonly live: InitialLists
}

/** Options of the methods that open a live store. */
export interface LiveOptions {
  /**
   * State that a server has loaded: the store is `ready` at once, and sends no request before the gateway's Ready if the
   * list is less than 60 seconds old; an older one is shown and loaded again. The list of another user, or of a session
   * whose user is unknown, and a damaged one are dropped. A store that is loaded ignores it.
   */
  readonly initial?: InitialState | null | undefined
}

/** A list that a server has loaded for a user. */
export interface Seed<Item, Key, Type> {
  readonly userId: string
  readonly items: Collection<Item, Key, Type>
  /** Time of `Date.now()` from which it is loaded again. */
  readonly freshUntil: number
}

/** Returns the list of a store, or `undefined` if the state has none, or is damaged. */
export function readSeed<Item, Key, Type>(
  definition: StoreDefinition<Item, Key, Type>,
  state: InitialState,
): Seed<Item, Key, Type> | undefined {
  try {
    // A copy, which can be frozen and has no `__proto__` keys.
    const { session, time, live }: InitialState = Object(parseJson(JSON.stringify(state)))
    const items = definition.initialItems(live)
    if (!items || !session.user || !time) return undefined
    // The clock of a server may be ahead.
    const freshUntil = Math.min(time, Date.now()) + FRESH_MS
    return { userId: session.user.id, items: new Collection(definition, deepFreeze(items)), freshUntil }
  } catch {
    return undefined
  }
}

function recordChange<Item>(changes: Changes<Item>, before: Item | undefined, after: Item | undefined): void {
  if (after !== undefined) changes[before === undefined ? 'added' : 'updated'].push(after)
  else if (before !== undefined) changes.removed.push(before)
}

/** An item and its rank in the order. */
interface Entry<Item> {
  readonly rank: number
  item: Item
}

/** Matching items in order, as an array that is reused until one of them changes. */
class View<Item> {
  readonly #matches: (item: Item) => boolean
  /** `undefined` if the view must be rebuilt from all entries. */
  #ranks: number[] | undefined
  #items: Item[] = []
  /** Frozen copy of `#items`: writing to an array copied from a frozen one would be 100 times slower. */
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

  /** Applies one change without a rebuild. */
  update(rank: number, before: Item | undefined, after: Item | undefined): void {
    if (this.#ranks === undefined) return
    const matched = before !== undefined && this.#matches(before)
    const matches = after !== undefined && this.#matches(after)
    if (!matched && !matches) return
    const index = findIndex(this.#ranks, rank)
    if (matched && matches) this.#items[index] = after
    else {
      this.#ranks.splice(index, Number(matched), ...(matches ? [rank] : []))
      this.#items.splice(index, Number(matched), ...(matches ? [after] : []))
    }
    this.#snapshot = undefined
  }

  /** Marks the view for a rebuild. */
  invalidate(): void {
    this.#ranks = undefined
  }

  #build(entries: Iterable<Entry<Item>>): void {
    const matching = Array.from(entries).filter(({ item }) => this.#matches(item))
    this.#ranks = matching.map(({ rank }) => rank)
    this.#items = matching.map(({ item }) => item)
    const before = this.#snapshot
    const isUnchanged =
      before?.length === this.#items.length && this.#items.every((item, index) => item === before[index])
    if (!isUnchanged) this.#snapshot = undefined
  }
}

/** Returns the index of the first rank that is not lower than `rank`. */
function findIndex(ranks: readonly number[], rank: number): number {
  let [low, high] = [0, ranks.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (Number(ranks[middle]) < rank) low = middle + 1
    else high = middle
  }
  return low
}
