import { GatewayError, ResponseMismatchError } from '../errors/client-errors'
import type { GatewayStateChange, GatewayWarning } from '../gateway/events'
import type { Gateway } from '../gateway/gateway'
import { createIssue } from '../internal/issue'
import { deepFreeze } from '../internal/json'
import type { SessionManager } from '../session/session'
import type { RequestOptions } from '../types/options'
import { type Change, Collection, type LiveChange, type StoreDefinition } from './collection'
import { Loader, type ReloadCause } from './loader'

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

/** Callbacks of a subscription. None is called after it has ended. */
export interface StoreHandlers<Item> {
  received(change: Change<Item>): void
  /** The connection was lost, or resumed without a gap. */
  connected(isConnected: boolean): void
  /** An event was not received, or could not be used, that may have been for the store. */
  missed(cause: ReloadCause): void
  /** A fresh session has started: what happened before it is unknown. */
  started(): void
}

/** Subscribes to the events of a gateway that matter to one kind of store. Returns an unsubscribe function. */
export function subscribe<Item, Key, Type>(
  gateway: Gateway,
  definition: StoreDefinition<Item, Key, Type>,
  handlers: StoreHandlers<Item>,
): () => void {
  const ends: (() => void)[] = []
  const events = new Set<string>()
  let wasUnread = false
  const listen: Listen = (type, listener) => {
    gateway.on(type, listener)
    ends.push(() => gateway.off(type, listener))
  }
  definition.events((type, change) => {
    events.add(type)
    listen(type, (payload) => {
      try {
        handlers.received(change(payload))
      } catch (error) {
        // Nested too deeply, for example. The gateway reports it.
        handlers.missed('damage')
        throw error
      }
    })
  })
  listen('stateChange', ({ state }: GatewayStateChange) => {
    // `ready` and `resumed` say more than this state.
    if (state !== 'ready') handlers.connected(false)
  })
  listen('resumed', () => handlers.connected(true))
  listen('ready', () => handlers.started())
  listen('warning', ({ code, event }: GatewayWarning) => {
    if (code === 'sequence_gap') {
      // A frame that could not be read leaves a gap: that is one cause, not two.
      handlers.missed(wasUnread ? 'damage' : 'gap')
      wasUnread = false
    } else if (code === 'malformed_frame' || code === 'frame_too_large') {
      // It may have been an event.
      wasUnread = true
      handlers.missed('damage')
    } else if (code === 'invalid_payload' && event !== undefined && events.has(event)) handlers.missed('damage')
  })
  return () => {
    for (const end of ends) end()
  }
}

type Listen = <K extends Parameters<Gateway['on']>[0]>(
  type: K,
  listener: Parameters<typeof Gateway.prototype.on<K>>[1],
) => void
