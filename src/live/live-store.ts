import { bindMembers } from '../internal/bind-members'
import { Emitter } from '../internal/emitter'
import { deepFreeze } from '../internal/json'
import type { InitialState, LiveChange } from './collection'
import { ignoreRejection } from './loader'
import type { LiveStatus, SharedStore, StoreUser } from './shared-store'

/** Part of a live store that a selector reads. */
export type LiveView<Item, Key, Type> = Pick<
  LiveStore<Item, Key, Type>,
  'all' | 'get' | 'filter' | 'status' | 'stale' | 'lastError'
>

/** A list of a server; see {@link LiveStore.readInitial}. */
export interface InitialView<Item, Key, Type> {
  /** The list, as the store shows it. */
  readonly view: LiveView<Item, Key, Type>
  /** Starts the store from it, as `live({ initial })` does. */
  readonly adopt: () => void
}

/** A value selected from a live store. Its functions can be passed on without it. */
export interface LiveSelection<T> {
  /** Calls `listener` after each change of the value. Returns an unsubscribe function. */
  readonly subscribe: (listener: () => void) => () => void
  /** Returns the value: the same one until the store has changed and the selector returns another. */
  readonly getSnapshot: () => T
}

/**
 * A list of the service that is kept up to date: it is loaded once, and events are applied to it. If an event may have been
 * missed, `stale` is true and the list is loaded again: at most once in 10 seconds, and with backoff, up to 60 seconds, after
 * a failed load. After an `AuthenticationError`, it waits for another token, a new Gateway session or
 * `refresh`. The stores of one kind share their requests.
 *
 * Signing out clears the store, and signing in loads it for that account. While nobody is signed in, it sends no request.
 *
 * Items and arrays are frozen. They stay the same objects until something in them changes.
 *
 * @typeParam Item Item of the list, such as a relationship.
 * @typeParam Key Key of an item, for `get` and `subscribeTo`, such as the ID of the other user.
 * @typeParam Type Type of items, for `filter`, such as `RelationshipType`.
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
  /**
   * State for this account: `signedOut`, `loading`, `failed` (the first load failed; see `lastError`) or
   * `ready`, even if later loads fail; or `closed`. While the stored token is being loaded: `loading`.
   */
  readonly status: LiveStatus
  /** Error of the last load, which is retried unless it is an `AuthenticationError`; `undefined` if it succeeded. */
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
   * Calls `listener` after each change of the items, their order, `status`, `stale` or `lastError`. Can be passed on without the store,
   * for example to React's `useSyncExternalStore`. Changes are delivered in order; a change that a listener causes is delivered
   * to all listeners afterwards.
   *
   * @returns An unsubscribe function.
   */
  readonly subscribe: (listener: () => void) => () => void
  /** The same as `all`; can be passed on without the store. */
  readonly getSnapshot: () => readonly Item[]
  /**
   * Derives a value from the store, for example for React's `useSyncExternalStore`. The selector may create new objects:
   * it runs once for each change of the store.
   *
   * @param isEqual Whether a new value counts as the previous one, which is then kept. Default: `Object.is`.
   *
   * @example
   * import { type RelationshipStore, RelationshipType } from 'rapport-sdk'
   *
   * declare const relationships: RelationshipStore
   * const friends = relationships.select(({ filter }) => filter(RelationshipType.FRIEND).length)
   * friends.subscribe(() => console.log(friends.getSnapshot()))
   */
  select<T>(
    selector: (store: LiveView<Item, Key, Type>) => T,
    isEqual?: (one: T, other: T) => boolean,
  ): LiveSelection<T>
  /**
   * Calls `listener` with one item after each change of it; with `undefined` if it was removed.
   *
   * @returns An unsubscribe function.
   */
  subscribeTo(key: Key, listener: (item: Item | undefined) => void): () => void
  /**
   * Calls `listener` with the changed items. Its exceptions are logged, or surface as uncaught errors if the client has no
   * logger.
   *
   * @returns An unsubscribe function.
   */
  on(type: 'change', listener: (change: LiveChange<Item>) => void): () => void
  /**
   * Reads the list of a server without changing the store, for bindings such as `useLive`: on a server, a store may belong to
   * the requests of several users. `live({ initial })` is simpler.
   *
   * @returns The list as the store shows it, and a function that starts the store from it; `undefined` if there is none.
   */
  readInitial(initial: InitialState): InitialView<Item, Key, Type> | undefined
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
  #state: Pick<SharedStore<Item, Key, Type>, 'items' | 'status' | 'stale' | 'lastError' | 'version'>
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

  get status(): LiveStatus {
    return this.#state.status
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

  select<T>(
    selector: (store: LiveView<Item, Key, Type>) => T,
    isEqual: (one: T, other: T) => boolean = Object.is,
  ): LiveSelection<T> {
    let selected: readonly [version: number, value: T] | undefined
    const getSnapshot = () => {
      const { version } = this.#state
      if (selected?.[0] !== version) {
        const value = selector(this)
        selected = [version, selected && isEqual(selected[1], value) ? selected[1] : value]
      }
      return selected[1]
    }
    const subscribe = (listener: () => void) => {
      let value = getSnapshot()
      return this.subscribe(() => {
        const before = value
        value = getSnapshot()
        // Returned, so that a rejection is reported.
        return Object.is(before, value) || listener()
      })
    }
    return { subscribe, getSnapshot }
  }

  subscribeTo(key: Key, listener: (item: Item | undefined) => void): () => void {
    const { subscribe, getSnapshot } = this.select(({ get }) => get(key))
    return subscribe(() => listener(getSnapshot()))
  }

  on(type: 'change', listener: (change: LiveChange<Item>) => void): () => void {
    return this.#emitter.on(type, listener)
  }

  close(): void {
    this.#close('`close` was called')
  }

  readInitial(initial: InitialState): InitialView<Item, Key, Type> | undefined {
    const seed = this.#shared.read(initial)
    if (!seed) return undefined
    const { items } = seed
    const get = (key: Key) => items.get(this.#shared.definition.keyFor(key))
    const lists = { all: () => items.all(), get, filter: (type: Type) => items.ofType(type) }
    const adopt = () => {
      if (this.#closeReason === undefined) this.#shared.adopt(seed)
    }
    return { view: { ...lists, status: 'ready', stale: true, lastError: undefined }, adopt }
  }

  #onChange(changes: LiveChange<Item> | undefined): void {
    // Empty changes mean that only the order has changed.
    if (changes?.added.length || changes?.updated.length || changes?.removed.length) this.#queueEvent('change', changes)
    this.#queueEvent('notify', undefined)
  }

  #close(reason: string): void {
    if (this.#closeReason !== undefined) return
    this.#closeReason = `the store was closed: ${reason}`
    const { lastError } = this.#shared
    this.#state = { items: this.#shared.leave(this.#user), status: 'closed', stale: true, lastError, version: -1 }
    for (const reject of this.#pending) reject(this.#shared.closedError(this.#closeReason))
    this.#shared.context.queue.run(() => this.#queueEvent('notify', undefined))
    this.#emitter.clear()
  }

  /** Queues an event for the current listeners. */
  #queueEvent<K extends keyof StoreEvents<Item>>(type: K, event: StoreEvents<Item>[K]): void {
    this.#shared.context.queue.add(this.#emitter.defer(type, deepFreeze(event)))
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
