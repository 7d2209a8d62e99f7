import { bindMembers } from '../internal/bind-members'
import { Emitter } from '../internal/emitter'
import { deepFreeze } from '../internal/json'
import { checkEventNames } from '../transport/events'
import type { LiveChange } from './collection'
import { ignoreRejection } from './loader'
import type { SharedStore, StoreUser } from './shared-store'

/**
 * A list of the service that is kept up to date: it is loaded once, and events are applied to it. If an event may have been
 * missed, `stale` is true and the list is loaded again: at most once in 10 seconds for unusable events, and with backoff, up to
 * 60 seconds, after a failed load. The stores of one kind share their requests.
 *
 * Signing out clears the store, and signing in loads it for that account. While nobody is signed in, it sends no request.
 *
 * Items and arrays are frozen. They stay the same objects until something in them changes.
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
   * store is closed before. After a failure or a change of the account, the next load replaces the promise. A rejection may
   * stay unhandled.
   */
  readonly ready: Promise<void>
  /**
   * Whether the items may be out of date: before the first load, while the gateway is not connected or nobody is signed in,
   * and after a new Gateway session, a gap, an unusable event or an update of an unknown item, until the list is loaded again.
   */
  readonly stale: boolean
  /** Error of the last load, which is retried; `undefined` if it succeeded. */
  readonly lastError: unknown
  /** Returns an item, or `undefined` if there is none. */
  get(key: Key): Item | undefined
  /** Returns all items in the order of the service's list, followed by later additions in the order of their events. */
  all(): readonly Item[]
  /** Returns the items of one type, in the same order. Returns the same array until one of them changes. */
  filter(type: Type): readonly Item[]
  /**
   * Loads the list again, immediately or after the load in flight. A failure does not change the items.
   *
   * @throws GatewayError if the store is closed or the session signed out before the response; otherwise the same as `list`.
   */
  refresh(): Promise<void>
  /**
   * Calls `listener` after each change of the items, their order, `stale` or `lastError`. Can be passed on without the store,
   * for example to React's `useSyncExternalStore`. Changes are delivered in order; a change that a listener causes is delivered
   * to all listeners afterwards.
   *
   * @returns An unsubscribe function.
   */
  readonly subscribe: (listener: () => void) => () => void
  /** The same as `all`; can be passed on without the store. */
  readonly getSnapshot: () => readonly Item[]
  /**
   * Calls `listener` with the changed items. Its exceptions are logged, or surface as uncaught errors if the client has no
   * logger.
   *
   * @returns An unsubscribe function.
   */
  on(type: 'change', listener: (change: LiveChange<Item>) => void): () => void
  /** Closes the store: it keeps its items, becomes `stale`, notifies its listeners a last time and then removes them. */
  close(): void
}

interface StoreEvents<Item> {
  change: LiveChange<Item>
  notify: undefined
}

/** Implements {@link LiveStore} on the state that all stores of its kind share. */
export class Store<Item, Key, Type> implements LiveStore<Item, Key, Type> {
  readonly #shared: SharedStore<Item, Key, Type>
  /** State to read from: the shared one, or a copy of it once closed. */
  #state: Pick<SharedStore<Item, Key, Type>, 'items' | 'stale' | 'lastError'>
  readonly #emitter: Emitter<StoreEvents<Item>>
  readonly #user: StoreUser<Item> = {
    onChange: (changes) => this.#onChange(changes),
    close: (reason) => this.#close(reason),
  }
  /** Reject functions of the pending promises. */
  readonly #pending = new Set<(reason: unknown) => void>()
  #sharedReady: Promise<void>
  #ready: Promise<void>
  /** Why the store was closed; `undefined` while it is open. */
  #closeReason: string | undefined

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
    if (this.#closeReason === undefined && ready !== this.#sharedReady) {
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
    if (this.#closeReason !== undefined)
      return ignoreRejection(Promise.reject(this.#shared.closedError(this.#closeReason)))
    return this.#untilClosed(this.#shared.refresh())
  }

  subscribe(listener: () => void): () => void {
    return this.#emitter.on('notify', listener)
  }

  getSnapshot(): readonly Item[] {
    return this.all()
  }

  on(type: 'change', listener: (change: LiveChange<Item>) => void): () => void {
    checkEventNames(`${this.#shared.name}().on`, [type], ['change'])
    return this.#emitter.on('change', listener)
  }

  close(): void {
    this.#close('`close` was called')
  }

  #onChange(changes: LiveChange<Item> | undefined): void {
    // Empty changes mean that only the order has changed.
    if (changes?.added.length || changes?.updated.length || changes?.removed.length) this.#queueEvent('change', changes)
    this.#queueEvent('notify', undefined)
  }

  #close(reason: string): void {
    if (this.#closeReason !== undefined) return
    this.#closeReason = `the store was closed: ${reason}`
    const { stale, lastError } = this.#shared
    this.#state = { items: this.#shared.leave(this.#user), stale: true, lastError }
    for (const reject of this.#pending) reject(this.#shared.closedError(this.#closeReason))
    if (!stale) this.#shared.context.queue.run(() => this.#queueEvent('notify', undefined))
    this.#emitter.clear()
  }

  /** Queues an event for the current listeners. */
  #queueEvent<K extends keyof StoreEvents<Item>>(type: K, event: StoreEvents<Item>[K]): void {
    if (!this.#emitter.has(type)) return
    this.#shared.context.queue.add(this.#emitter.later(type, deepFreeze(event)))
  }

  #untilClosed(promise: Promise<void>): Promise<void> {
    return ignoreRejection(
      new Promise((resolve, reject) => {
        this.#pending.add(reject)
        promise.then(resolve, reject).finally(() => this.#pending.delete(reject))
      }),
    )
  }
}
