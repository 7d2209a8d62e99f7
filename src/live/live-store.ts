import { bindMembers } from '../internal/bind-members'
import { Emitter } from '../internal/emitter'
import { deepFreeze } from '../internal/json'
import { checkEventNames } from '../transport/events'
import type { LiveChange } from './collection'
import { handled } from './loader'
import type { SharedStore, StoreUser } from './shared-store'

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

interface StoreEvents<Item> {
  change: LiveChange<Item>
  notify: undefined
}

/** A {@link LiveStore} of any kind. */
export class Store<Item, Key, Type> implements LiveStore<Item, Key, Type> {
  readonly #shared: SharedStore<Item, Key, Type>
  /** Where to read: once closed, it is what there was then. */
  #state: Pick<SharedStore<Item, Key, Type>, 'items' | 'stale' | 'lastError'>
  readonly #emitter: Emitter<StoreEvents<Item>>
  readonly #user: StoreUser<Item> = { changed: (changes) => this.#changed(changes), end: (why) => this.#close(why) }
  /** Rejects what waits for this store. */
  readonly #pending = new Set<(reason: unknown) => void>()
  #sharedReady: Promise<void>
  #ready: Promise<void>
  /** Why it is closed. */
  #end: string | undefined

  constructor(shared: SharedStore<Item, Key, Type>) {
    this.#shared = shared
    bindMembers(this)
    this.#state = shared
    this.#emitter = new Emitter(shared.context.report)
    shared.join(this.#user)
    this.#sharedReady = shared.ready
    this.#ready = this.#untilClosed(shared.ready)
  }

  get ready(): Promise<void> {
    const { ready } = this.#shared
    if (this.#end === undefined && ready !== this.#sharedReady) {
      this.#sharedReady = ready
      this.#ready = this.#untilClosed(ready)
    }
    return this.#ready
  }

  get stale(): boolean {
    return this.#state.stale
  }

  get lastError(): unknown {
    return this.#state.lastError
  }

  get(key: Key): Item | undefined {
    return this.#state.items.get(this.#shared.definition.keyFor(key))
  }

  all(): readonly Item[] {
    return this.#state.items.all()
  }

  filter(type: Type): readonly Item[] {
    return this.#state.items.ofType(type)
  }

  refresh(): Promise<void> {
    if (this.#end !== undefined) return handled(Promise.reject(this.#shared.closedError(this.#end)))
    return this.#untilClosed(this.#shared.refresh())
  }

  subscribe(listener: () => void): () => void {
    return this.#emitter.on('notify', listener)
  }

  getSnapshot(): readonly Item[] {
    return this.all()
  }

  on(type: 'change', listener: (change: LiveChange<Item>) => void): () => void {
    checkEventNames(`${this.#shared.definition.name}().on`, [type], ['change'])
    return this.#emitter.on('change', listener)
  }

  close(): void {
    this.#close('`close` was called')
  }

  #changed(changes: LiveChange<Item> | undefined): void {
    // Without an item it is the order that has changed.
    if (changes?.added.length || changes?.updated.length || changes?.removed.length) this.#notify('change', changes)
    this.#notify('notify', undefined)
  }

  #close(why: string): void {
    if (this.#end !== undefined) return
    this.#end = `the store was closed: ${why}`
    const { stale, lastError } = this.#shared
    this.#state = { items: this.#shared.leave(this.#user), stale: true, lastError }
    for (const reject of this.#pending) reject(this.#shared.closedError(this.#end))
    if (!stale) this.#shared.context.queue.run(() => this.#notify('notify', undefined))
    this.#emitter.clear()
  }

  /** Queues an event for the current listeners. */
  #notify<K extends keyof StoreEvents<Item>>(type: K, event: StoreEvents<Item>[K]): void {
    if (this.#emitter.count(type) === 0) return
    this.#shared.context.queue.add(this.#emitter.later(type, deepFreeze(event)))
  }

  #untilClosed(promise: Promise<void>): Promise<void> {
    return handled(
      new Promise((resolve, reject) => {
        this.#pending.add(reject)
        promise.then(resolve, reject).finally(() => this.#pending.delete(reject))
      }),
    )
  }
}
