import type { ReadyEvent } from '../contract/gateway-events'
import { GatewayError, ResponseMismatchError } from '../errors/client-errors'
import type { GatewayStateChange, GatewayWarning } from '../gateway/events'
import type { Gateway } from '../gateway/gateway'
import type { Queue } from '../internal/emitter'
import { createIssue } from '../internal/issue'
import { deepFreeze, isObject } from '../internal/json'
import type { SessionManager } from '../session/session'
import type { RequestOptions } from '../types/options'
import {
  type Change,
  Collection,
  type InitialState,
  type LiveChange,
  type LiveOptions,
  readSeed,
  type Seed,
  type StoreDefinition,
} from './collection'
import { Loader } from './loader'

/** Parts of the client that a store uses. */
export interface StoreContext {
  readonly gateway: Gateway
  readonly session: SessionManager
  /** Receives the exceptions of listeners. */
  readonly report: (error: unknown) => void
  /** Delivers an event that a listener causes to all listeners after the current one. Shared by all stores. */
  readonly queue: Queue
}

/**
 * State of a live store: `signedOut` while nobody is signed in; `loading` and `failed` before the first load of an
 * account has succeeded, `ready` after it; `closed` after `close`.
 */
export type LiveStatus = 'signedOut' | 'loading' | 'failed' | 'ready' | 'closed'

/** Requests all items of a store. */
export type Load<Item> = (options: RequestOptions) => Promise<readonly Item[]>

/** Callbacks of an open store that uses a {@link SharedStore}. */
export interface StoreUser<Item> {
  /** Called when the items, `status`, `stale` or `lastError` have changed. */
  onChange(changes: LiveChange<Item> | undefined): void
  close(reason: string): void
}

/**
 * Maximum time that a load waits for the gateway's new session, in milliseconds. Events before its start are not received,
 * so a load before it would have to be repeated; but the store must not stay empty during an outage.
 */
const MAX_START_MS = 1_000

/** State that the open stores of one kind share: the items, which are loaded and kept up to date. */
export class SharedStore<Item, Key, Type> {
  readonly definition: StoreDefinition<Item, Key, Type>
  readonly context: StoreContext
  readonly name: string
  readonly items: Collection<Item, Key, Type>
  lastError: unknown
  /** Number of changes that were published. */
  version = 0
  readonly #loader: Loader<readonly Item[]>
  readonly #users = new Set<StoreUser<Item>>()
  readonly #unsubscribe: () => void
  readonly #onClose: () => void
  /** Token of the account that the items belong to. */
  #token: string | null = null
  /** Changes since the request in flight was sent; `undefined` without a request. */
  #changesSinceRequest: Change<Item>[] | undefined
  /** Whether events were missed since then; the response may not contain their effects. */
  #missedSinceRequest = false
  /** Whether the items are a response and the effects of all events after it. */
  #isUpToDate = false
  /** Whether the items are, or were once, those of the account; or those of a server, while the session is loading. */
  #isLoaded = false
  /** Lists of a server that were read, also those that are damaged. */
  readonly #seeds = new WeakMap<InitialState, Seed<Item, Key, Type> | undefined>()
  /** The last one that the items were taken from. */
  #seed: Seed<Item, Key, Type> | undefined
  #isConnected: boolean
  #reported: readonly unknown[] = [true]

  /** `onClose` is called when the last user has left. */
  constructor(
    definition: StoreDefinition<Item, Key, Type>,
    context: StoreContext,
    load: Load<Item>,
    onClose: () => void,
    options?: LiveOptions,
  ) {
    this.definition = definition
    this.context = context
    this.name = definition.name
    this.items = new Collection(definition)
    this.#onClose = onClose
    this.#isConnected = context.gateway.state === 'ready'
    this.#loader = new Loader({
      // A retry must not open MFA prompts: the user did not ask for it, and each retry would open one more.
      load: (signal, isRetry) => load(isRetry ? { signal, onMfaRequired: false } : { signal }),
      onStart: () => {
        this.#changesSinceRequest = []
        this.#missedSinceRequest = false
      },
      onLoad: (response) => this.#replaceItems(response),
      onError: (error) => {
        this.#changesSinceRequest = undefined
        this.lastError = error
        this.#publish()
      },
      batch: (callback) => context.queue.run(callback),
    })
    // Subscribe before the first request, so that no later event is missed.
    this.#unsubscribe = subscribe(context.gateway, definition, {
      onEvent: (change) => this.#applyChange(change),
      onConnectionChange: (isConnected) => {
        this.#isConnected = isConnected
        if (!context.gateway.isStarting) this.#loader.startDelayed()
        this.#publish()
      },
      onMissedEvent: () => this.#scheduleReload(),
      onNewSession: (ready) => this.#reload(ready),
    })
    this.adopt(this.read(options?.initial))
    this.syncSession()()
    context.session.ready?.catch((error) => {
      if (!context.session.isAuthenticated) this.#loader.fail(error)
    })
  }

  get ready(): Promise<void> {
    return this.#loader.ready
  }

  get status(): LiveStatus {
    if (this.#token === null && this.context.session.status !== 'loading') return 'signedOut'
    if (this.#isLoaded) return 'ready'
    return this.lastError === undefined ? 'loading' : 'failed'
  }

  get stale(): boolean {
    return !this.#isConnected || !this.#isUpToDate || !this.items.isComplete
  }

  refresh(): Promise<void> {
    if (this.status === 'signedOut') return Promise.reject(this.closedError('nobody is signed in'))
    return this.#loader.refresh()
  }

  join(user: StoreUser<Item>): void {
    this.#users.add(user)
  }

  /** Returns the final items for the user, which no longer change. */
  leave(user: StoreUser<Item>): Collection<Item, Key, Type> {
    this.#users.delete(user)
    // In a microtask, because React's StrictMode runs each effect twice: a store that is opened again keeps its items.
    queueMicrotask(() => {
      if (this.#users.size > 0) return
      this.#unsubscribe()
      this.#loader.pause(undefined)
      this.#onClose()
    })
    return this.items.copy()
  }

  close(reason: string): void {
    for (const user of [...this.#users]) user.close(reason)
  }

  /** Returns the list that a server has loaded, if it is not damaged. Changes nothing. */
  read(state: InitialState | null | undefined): Seed<Item, Key, Type> | undefined {
    if (!isObject(state)) return undefined
    if (!this.#seeds.has(state)) this.#seeds.set(state, readSeed(this.definition, state))
    return this.#seeds.get(state)
  }

  /** Takes over a list of a server, unless it is another user's, or a list is loaded or was taken from it before. */
  adopt(seed: Seed<Item, Key, Type> | undefined): void {
    const { status, user } = this.context.session
    if (!seed || seed === this.#seed || this.#isLoaded || (status !== 'loading' && user?.id !== seed.userId)) return
    this.#seed = seed
    this.#isLoaded = true
    const changes = this.items.replaceBy(seed.items.copy())
    if (this.#token !== null) this.#skipLoad(seed)
    this.#publish(changes)
  }

  /**
   * Clears the items if the token changed, possibly to another user. Returns a function that then reloads, or pauses if
   * there is no token.
   */
  syncSession(): () => void {
    const { token, status, user } = this.context.session
    const isSeeded = this.#token === null && this.#isLoaded
    if (token === this.#token && (status === 'loading' || !isSeeded)) return () => this.#publish()
    this.#token = token
    const seed = isSeeded && user?.id === this.#seed?.userId ? this.#seed : undefined
    const changes = seed ? undefined : this.items.replaceBy(new Collection(this.definition))
    this.#isUpToDate = false
    this.#isLoaded = seed !== undefined
    this.#changesSinceRequest = undefined
    this.lastError = undefined
    return () => {
      // Unless an abort listener of another store's request has changed the session again.
      if (token === this.#token) {
        if (token === null) this.#loader.pause(this.closedError('the session was signed out'))
        else if (!this.#skipLoad(seed))
          this.#loader.restart(true, undefined, this.context.gateway.isStarting ? MAX_START_MS : 0)
      }
      this.#publish(changes)
    }
  }

  /** Counts a list of a server as loaded, if it is fresh and the next Ready will load it again. Returns whether it does. */
  #skipLoad(seed: Seed<Item, Key, Type> | undefined): boolean {
    if (!seed || this.#isConnected || Date.now() >= seed.freshUntil) return false
    this.#loader.restart(true, seed.items.all())
    // Events since the server has loaded it.
    this.#missedSinceRequest = true
    return true
  }

  closedError(reason: string): GatewayError {
    return new GatewayError('disconnected', `${this.name}: ${reason}.`)
  }

  /** Reloads for a new session, because events before it are unknown. */
  #reload(ready: ReadyEvent): void {
    this.#isConnected = true
    this.#isUpToDate = false
    this.#loader.restart(false, this.definition.itemsOf?.(ready))
    this.#publish()
  }

  #scheduleReload(): void {
    this.#isUpToDate = false
    this.#missedSinceRequest = true
    this.#loader.schedule()
    this.#publish()
  }

  #applyChange(change: Change<Item>): void {
    const changes = this.items.apply(change)
    this.#changesSinceRequest?.push(change)
    // A placeholder must be loaded, unless the request in flight returns its fields.
    if (change.isPartial && changes?.added.length && this.#changesSinceRequest === undefined) this.#loader.schedule()
    this.#publish(changes)
  }

  /** Replaces all items by the response, then reapplies the events received during the request. */
  #replaceItems(response: readonly Item[]): void {
    const next = this.#createCollection(response)
    const removed = new Set<string>()
    let isOrderKnown = true
    for (const change of this.#changesSinceRequest ?? []) {
      const changes = next.apply(change)
      if (changes?.removed.length) removed.add(change.key)
      // Unknown whether the response is from before the removal or after the item was added again.
      if (changes?.added.length && removed.has(change.key)) isOrderKnown = false
    }
    this.#changesSinceRequest = undefined
    const changes = this.items.replaceBy(next)
    this.#isUpToDate = isOrderKnown && !this.#missedSinceRequest
    this.#isLoaded = true
    this.lastError = undefined
    if (!isOrderKnown || !next.isComplete) this.#loader.schedule()
    this.#publish(changes)
  }

  /**
   * Creates a collection from a response, which may be invalid unless `onResponseMismatch` is `throw`.
   * @throws ResponseMismatchError if it is not an array of items with an ID.
   */
  #createCollection(response: readonly Item[]): Collection<Item, Key, Type> {
    try {
      return new Collection(this.definition, deepFreeze(response))
    } catch {
      const issue = createIssue([], 'invalid_type', 'expected an array of items with an ID')
      throw new ResponseMismatchError(this.name, [issue])
    }
  }

  #publish(changes?: LiveChange<Item>): void {
    const before = this.#reported
    this.#reported = [this.stale, this.lastError, this.status]
    if (changes === undefined && this.#reported.every((value, index) => value === before[index])) return
    this.version++
    this.context.queue.run(() => {
      for (const user of this.#users) user.onChange(changes)
    })
  }
}

/** Callbacks of a subscription. None is called after unsubscribing. */
interface StoreHandlers<Item> {
  onEvent(change: Change<Item>): void
  /** The connection was lost, or resumed without a gap. */
  onConnectionChange(isConnected: boolean): void
  /** An event that may concern the store was not received or is unusable. */
  onMissedEvent(): void
  /** A new session has started: events before it are unknown. */
  onNewSession(ready: ReadyEvent): void
}

/** Subscribes to the events of a gateway that concern one kind of store. Returns an unsubscribe function. */
function subscribe<Item, Key, Type>(
  gateway: Gateway,
  definition: StoreDefinition<Item, Key, Type>,
  handlers: StoreHandlers<Item>,
): () => void {
  const unsubscribers: (() => void)[] = []
  const events = new Set<string>()
  const listen: Listen = (type, listener) => {
    gateway.on(type, listener)
    unsubscribers.push(() => gateway.off(type, listener))
  }
  definition.events((type, change) => {
    events.add(type)
    listen(type, (payload) => {
      try {
        handlers.onEvent(change(payload))
      } catch (error) {
        // Nested too deeply, for example. The gateway reports the exception.
        handlers.onMissedEvent()
        throw error
      }
    })
  })
  listen('stateChange', ({ state }: GatewayStateChange) => {
    // The events `ready` and `resumed` are more specific than this state.
    if (state !== 'ready') handlers.onConnectionChange(false)
  })
  listen('resumed', () => handlers.onConnectionChange(true))
  listen('ready', (ready) => handlers.onNewSession(ready))
  listen('warning', ({ code, event }: GatewayWarning) => {
    const isUnusable = code === 'invalid_payload' && event !== undefined && events.has(event)
    // A malformed frame may have been an event.
    if (code === 'sequence_gap' || code === 'malformed_frame' || isUnusable) handlers.onMissedEvent()
  })
  return () => {
    for (const unsubscribe of unsubscribers) unsubscribe()
  }
}

type Listen = <K extends Parameters<Gateway['on']>[0]>(
  type: K,
  listener: Parameters<typeof Gateway.prototype.on<K>>[1],
) => void
