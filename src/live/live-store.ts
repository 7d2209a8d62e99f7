import type { GatewayServiceEvents } from '../gateway/events'

/** The changes of the items of a {@link LiveStore} by one event or one load. */
export interface LiveChange<Item> {
  /** Items that were not there before. */
  readonly added: readonly Item[]
  /** Items that have changed, as they are now. */
  readonly updated: readonly Item[]
  /** Items that are no longer there, as they were last. */
  readonly removed: readonly Item[]
}

/**
 * A list of the service that follows its events: it is loaded, and each event from then on changes it. If an event may have
 * been missed, `stale` is true and the list is loaded again: at most once in 10 seconds for events that cannot be used, and
 * with growing waits, up to 60 seconds, after a load that failed. The stores of one kind share one load.
 *
 * Signing out empties the store, and signing in loads it for that account. Opened before, it waits without a request.
 *
 * Its items and arrays are frozen, and the same objects until something in them changes.
 *
 * @example
 * import { Client, RelationshipType } from 'rapport-sdk'
 *
 * const client = new Client({
 *   baseUrl: 'https://service.example',
 *   token: 'a token',
 *   gateway: { url: 'wss://gateway.service.example', connectOnSignIn: true },
 * })
 * const friends = client.relationships.live()
 * await friends.ready
 * console.log(friends.filter(RelationshipType.FRIEND).length, friends.get('42')?.nickname)
 * friends.on('change', ({ added, removed }) => console.log(added.length, removed.length))
 */
export interface LiveStore<Item, Key, Type> {
  /**
   * Resolves once the store is loaded; waits while nobody is signed in. Rejects if the load fails, or with GatewayError if the
   * store is closed before. After a failure, and after the account has changed, it is replaced as soon as the next load
   * starts. A rejection that nobody handles does no harm.
   */
  readonly ready: Promise<void>
  /**
   * Whether the store may differ from what the service has: before it is loaded, while the gateway is not connected or nobody
   * is signed in, and after a fresh session, a gap, an event that cannot be used or an update of an unknown item, until the
   * list is loaded again.
   */
  readonly stale: boolean
  /** Why the last load failed, `undefined` if it did not. It is retried. */
  readonly lastError: unknown
  /** Returns one item, `undefined` if there is none. */
  get(key: Key): Item | undefined
  /** Returns all items in the order of the service's list, followed by later additions in the order of their events. */
  all(): readonly Item[]
  /** Returns the items of one type, in that order: the same array until one of them changes. */
  filter(type: Type): readonly Item[]
  /**
   * Loads everything again, at once, or after the load in flight. A failure leaves the items as they are.
   *
   * @throws GatewayError if the store is closed or the session signed out before the response, else as `list` does.
   */
  refresh(): Promise<void>
  /**
   * Calls `listener` after each change of the items, their order, `stale` or `lastError`. Works detached, for example with
   * React's `useSyncExternalStore`. Listeners are called in the order in which changes happened; what a listener changes is
   * reported to all of them afterwards.
   *
   * @returns An unsubscribe function.
   */
  readonly subscribe: (listener: () => void) => () => void
  /** The same as `all`, detached. */
  readonly getSnapshot: () => readonly Item[]
  /**
   * Calls `listener` with the items that have changed. What it throws goes to the client's logger, or surfaces as an uncaught
   * error if there is none.
   *
   * @returns An unsubscribe function.
   */
  on(type: 'change', listener: (change: LiveChange<Item>) => void): () => void
  /** Closes the store: it keeps its items, is `stale`, follows no event and, notified of that, has no listener any longer. */
  close(): void
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
