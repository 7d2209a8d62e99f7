import type { GatewayServiceEvents } from '../gateway/events'

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

/** Adds or replaces an item. */
export function put<Item>(key: string, item: Item): Change<Item> {
  return { key, isPartial: false, apply: () => item }
}

/** Removes an item if there is one. */
export function drop<Item>(key: string): Change<Item> {
  return { key, isPartial: false, apply: () => undefined }
}

/** Changes some fields of an item. */
export function patch<Item>(key: string, apply: (before: Item | undefined) => Item): Change<Item> {
  return { key, isPartial: true, apply }
}
