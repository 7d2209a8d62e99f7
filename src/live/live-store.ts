/** What has become of the items of a {@link LiveStore}, all at once. */
export interface LiveChange<Item> {
  /** Those that were not there before. */
  readonly added: readonly Item[]
  /** Those that are another than they were, as they are now. */
  readonly updated: readonly Item[]
  /** Those that are no more, as they were last. */
  readonly removed: readonly Item[]
}

/**
 * A list of the service that follows its events: it is loaded, and from then on each event changes it. Where an event may
 * have been missed it says so by `stale`, and is loaded again. Signing out and `client.dispose` close it.
 *
 * What it gives cannot be changed, and is the same object until something of it changes.
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
   * Resolves once it has been loaded. Rejects with why it could not be, or with GatewayError where it was closed before;
   * then it is another promise as soon as it is loaded anew. Nobody has to wait for it.
   */
  readonly ready: Promise<void>
  /**
   * Whether it may differ from what the service has: before it is loaded, while the gateway is not connected, and after
   * a fresh session, a gap, an invalid payload or an update of something unknown until it has been loaded again.
   */
  readonly stale: boolean
  /** Why it could not be loaded the last time, `undefined` where it was. */
  readonly lastError: unknown
  /** One item, `undefined` where there is none. */
  get(key: Key): Item | undefined
  /** All items, in the order in which the service gave them; what comes by event is last. */
  all(): readonly Item[]
  /** The items of one type; the same list until one of them changes. */
  filter(type: Type): readonly Item[]
  /**
   * Loads everything again. Where it is being loaded already, it is once more after that: the answer is of after the call.
   * What fails leaves the items as they are, and may be tried again.
   *
   * @throws GatewayError where it was closed, else as `list` does.
   */
  refresh(): Promise<void>
  /**
   * Calls `listener` after each change of the items, of `stale` or of `lastError`. It can be passed on as it is, to
   * React's `useSyncExternalStore` say.
   *
   * @returns What ends it.
   */
  readonly subscribe: (listener: () => void) => () => void
  /** The same as `all`, to be passed on as it is. */
  readonly getSnapshot: () => readonly Item[]
  /**
   * Calls `listener` with what has changed. What it throws goes to the client's logger, or else surfaces as an uncaught
   * error.
   *
   * @returns What ends it.
   */
  on(type: 'change', listener: (change: LiveChange<Item>) => void): () => void
  /** Ends it: it follows no event and, told of it a last time, has no listener any more. It keeps what it has, `stale`. */
  close(): void
}
