import { GatewayError, ResponseMismatchError } from '../errors/client-errors'
import type { Gateway } from '../gateway/gateway'
import { bindMembers } from '../internal/bind-members'
import { Emitter } from '../internal/emitter'
import { createIssue } from '../internal/issue'
import { deepFreeze } from '../internal/values'
import type { SessionManager } from '../session/session'
import { checkEventNames } from '../transport/events'
import type { RequestOptions } from '../types/options'
import { Collection } from './collection'
import type { Change, LiveChange, LiveStore, StoreDefinition } from './live-store'
import { handled, Loader, type ReloadCause } from './loader'
import { subscribe } from './subscription'

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

/**
 * Runs notifications one after another: an event that a listener causes is delivered after the current one, to every
 * listener. Shared by the stores of a client.
 */
export class NotificationQueue {
  #jobs: (() => void)[] = []
  #isRunning = false

  /** Calls `act`, which may add jobs, and then runs all jobs, unless they are running already. */
  run(act: () => void): void {
    const isOutermost = !this.#isRunning
    this.#isRunning = true
    try {
      act()
      // Includes jobs that are added meanwhile.
      if (isOutermost) for (const job of this.#jobs) job()
    } finally {
      if (isOutermost) {
        this.#jobs = []
        this.#isRunning = false
      }
    }
  }

  add(job: () => void): void {
    this.#jobs.push(job)
  }
}

/** What a store needs of its client. */
export interface StoreContext {
  readonly gateway: Gateway
  readonly session: SessionManager
  /** Receives what listeners throw. */
  readonly report: (error: unknown) => void
  readonly queue: NotificationQueue
}

/** Requests everything that is in a store. */
export type Load<Item> = (options: RequestOptions) => Promise<readonly Item[]>

/** Callbacks of one who uses a {@link SharedStore}. */
export interface StoreUser<Item> {
  /** The items, `stale` or `lastError` have changed. */
  changed(changes: LiveChange<Item> | undefined): void
  end(why: string): void
}

/** What the open stores of one kind have in common: the items, and how they are loaded and kept up to date. */
export class SharedStore<Item, Key, Type> {
  readonly definition: StoreDefinition<Item, Key, Type>
  readonly context: StoreContext
  readonly items: Collection<Item, Key, Type>
  lastError: unknown
  readonly #loader: Loader<readonly Item[]>
  readonly #users = new Set<StoreUser<Item>>()
  readonly #unsubscribe: () => void
  readonly #closed: () => void
  /** The token whose account the items belong to. */
  #token: string | null = null
  /** The events since the request in flight was sent. */
  #journal: Change<Item>[] | undefined
  /** Whether something was missed since then that the response need not have. */
  #missesMore = false
  /** Whether the items are a whole response and everything after it. */
  #isSound = false
  #isConnected: boolean
  #reportedStale = true
  #reportedError: unknown

  /** `closed` is called when the last user has left. */
  constructor(
    definition: StoreDefinition<Item, Key, Type>,
    context: StoreContext,
    load: Load<Item>,
    closed: () => void,
  ) {
    this.definition = definition
    this.context = context
    this.items = new Collection(definition)
    this.#closed = closed
    this.#isConnected = context.gateway.state === 'ready'
    this.#loader = new Loader({
      // Nobody is there to answer a prompt that a retry opens, and it would open one after another.
      load: (signal, isRetry) => load(isRetry ? { signal, onMfaRequired: false } : { signal }),
      began: () => {
        this.#journal = []
        this.#missesMore = false
      },
      loaded: (answer) => this.#adopt(answer),
      failed: (error) => {
        this.#journal = undefined
        this.lastError = error
        this.#publish()
      },
      batch: (act) => context.queue.run(act),
    })
    // Before the first request, so that no event after it is missed.
    this.#unsubscribe = subscribe(context.gateway, definition, {
      received: (change) => this.#receive(change),
      connected: (isConnected) => {
        this.#isConnected = isConnected
        this.#publish()
      },
      missed: (cause) => this.#miss(cause),
      started: () => this.#restart(),
    })
    // Even while the gateway connects, though a session that starts then has it loaded again: no event reports what happened
    // between this response and that start. Waiting for the session would save a request, and leave readers without a
    // list for as long as the gateway cannot be reached.
    this.followSession()
    context.session.ready?.catch((error) => {
      if (!context.session.isAuthenticated) this.#loader.fail(error)
    })
  }

  get ready(): Promise<void> {
    return this.#loader.ready
  }

  get stale(): boolean {
    return !this.#isConnected || !this.#isSound || !this.items.isComplete
  }

  refresh(): Promise<void> {
    return this.#loader.refresh()
  }

  join(user: StoreUser<Item>): void {
    const isFirst = this.#users.size === 0
    this.#users.add(user)
    const mayMissItems = this.stale || this.definition.missesAdditions === true
    if (!isFirst && mayMissItems && this.#token !== null && !this.#loader.isBusy) this.#loader.refresh()
  }

  /** Returns the items for the user to keep, which nothing changes any longer. */
  leave(user: StoreUser<Item>): Collection<Item, Key, Type> {
    this.#users.delete(user)
    if (this.#users.size > 0) return this.items.copy()
    this.#unsubscribe()
    this.#loader.pause(undefined)
    this.#closed()
    return this.items
  }

  end(why: string): void {
    for (const user of [...this.#users]) user.end(why)
  }

  /** Another token may be another user's: forgets the items and loads those of the token, if there is one. */
  followSession(): void {
    const { token } = this.context.session
    if (token === this.#token) return
    this.#token = token
    const changes = this.items.replaceBy(new Collection(this.definition))
    this.#isSound = false
    this.#journal = undefined
    this.lastError = undefined
    if (token === null) this.#loader.pause(this.closedError('the session was signed out'))
    else this.#loader.restart(true)
    this.#publish(changes)
  }

  closedError(why: string): GatewayError {
    return new GatewayError('disconnected', `${this.definition.name}: ${why}.`)
  }

  /** A fresh session: what happened before it is unknown. */
  #restart(): void {
    this.#isConnected = true
    this.#isSound = false
    this.#loader.restart(false)
    this.#publish()
  }

  #miss(cause: ReloadCause): void {
    this.#isSound = false
    this.#missesMore = true
    this.#loader.schedule(cause)
    this.#publish()
  }

  #receive(change: Change<Item>): void {
    const changes = this.items.apply(change)
    this.#journal?.push(change)
    // The response to a request in flight may have what is missing.
    if (change.isPartial && changes?.added.length && this.#journal === undefined) this.#loader.schedule('damage')
    this.#publish(changes)
  }

  /** Replaces all items by the response, then applies the events since the request again. */
  #adopt(answer: readonly Item[]): void {
    const next = this.#itemsOf(answer)
    const removed = new Set<string>()
    let isOrderKnown = true
    for (const change of this.#journal ?? []) {
      const changes = next.apply(change)
      if (changes?.removed.length) removed.add(change.key)
      // Whether the response was made before it went or after it came again, nothing tells.
      if (changes?.added.length && removed.has(change.key)) isOrderKnown = false
    }
    this.#journal = undefined
    const changes = this.items.replaceBy(next)
    this.#isSound = isOrderKnown && !this.#missesMore
    this.lastError = undefined
    if (!isOrderKnown || !next.isComplete) this.#loader.schedule('damage')
    this.#publish(changes)
  }

  /** With `validateResponses` off or `warn`, a response may be anything. */
  #itemsOf(answer: readonly Item[]): Collection<Item, Key, Type> {
    try {
      return new Collection(this.definition, deepFreeze(answer))
    } catch {
      const issue = createIssue([], 'invalid_type', 'expected a list of what has an ID')
      throw new ResponseMismatchError(this.definition.name, [issue])
    }
  }

  #publish(changes?: LiveChange<Item>): void {
    const { stale, lastError } = this
    if (changes === undefined && stale === this.#reportedStale && lastError === this.#reportedError) return
    this.#reportedStale = stale
    this.#reportedError = lastError
    this.context.queue.run(() => {
      for (const user of this.#users) user.changed(changes)
    })
  }
}
