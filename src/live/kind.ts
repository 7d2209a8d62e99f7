import type { GatewayServiceEvents } from '../gateway/events'

/** What an event does to one item. It may be done twice, to another item of that key the second time. */
export interface Change<Item> {
  /** Names the item. */
  readonly key: string
  /** What becomes of what is there, `undefined` for nothing. */
  readonly apply: (before: Item | undefined) => Item | undefined
  /** Whether it tells a part alone, so that where there is nothing yet a placeholder comes of it. */
  readonly isPartial: boolean
}

/** Ties an event to what it does. */
export type TieEvent<Item> = <K extends keyof GatewayServiceEvents>(
  event: K,
  change: (payload: GatewayServiceEvents[K]) => Change<Item>,
) => void

/** What tells the stores of one kind from others. */
export interface Kind<Item, Key, Type> {
  /** The call that opens one. */
  readonly name: string
  /** Names an item. */
  readonly keyOf: (item: Item) => string
  /** The same for what callers give. */
  readonly keyFor: (key: Key) => string
  /** Whether an item is of a type. */
  readonly isOfType: (item: Item, type: Type) => boolean
  /** Calls `tie` for each event that the store follows. */
  readonly events: (tie: TieEvent<Item>) => void
}

/** An item is this from now on, whether it was there or not. */
export function put<Item>(key: string, item: Item): Change<Item> {
  return { key, isPartial: false, apply: () => item }
}

/** An item is no more, if it was there. */
export function drop<Item>(key: string): Change<Item> {
  return { key, isPartial: false, apply: () => undefined }
}

/** Something of an item changes. */
export function patch<Item>(key: string, apply: (before: Item | undefined) => Item): Change<Item> {
  return { key, isPartial: true, apply }
}
