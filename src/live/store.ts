import { bindMembers } from '../internal/bind-members'
import { checkEventNames } from '../transport/event-names'
import { Emitter } from './emitter'
import type { LiveChange, LiveStore } from './live-store'
import { handled } from './loader'
import type { SharedStore, StoreUser } from './shared-store'

/** A {@link LiveStore} of any kind. */
export class Store<Item, Key, Type> implements LiveStore<Item, Key, Type> {
  readonly #shared: SharedStore<Item, Key, Type>
  /** Where to read: once closed, it is what there was then. */
  #state: Pick<SharedStore<Item, Key, Type>, 'items' | 'stale' | 'lastError'>
  readonly #changes: Emitter<LiveChange<Item>>
  readonly #subscribers: Emitter<void>
  readonly #user: StoreUser<Item> = { changed: (changes) => this.#changed(changes), end: (why) => this.#close(why) }
  /** Rejects what waits for this store. */
  readonly #pending = new Set<(reason: unknown) => void>()
  #sharedReady: Promise<void>
  #ready: Promise<void>
  /** Why it is closed. */
  #end: string | undefined

  constructor(shared: SharedStore<Item, Key, Type>) {
    const { queue, report } = shared.context
    this.#shared = shared
    bindMembers(this)
    this.#state = shared
    this.#changes = new Emitter(queue, report)
    this.#subscribers = new Emitter(queue, report)
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
    return this.#subscribers.add(listener)
  }

  getSnapshot(): readonly Item[] {
    return this.all()
  }

  on(type: 'change', listener: (change: LiveChange<Item>) => void): () => void {
    checkEventNames(`${this.#shared.definition.name}().on`, [type], ['change'])
    return this.#changes.add(listener)
  }

  close(): void {
    this.#close('`close` was called')
  }

  #changed(changes: LiveChange<Item> | undefined): void {
    // Without an item it is the order that has changed.
    if (changes?.added.length || changes?.updated.length || changes?.removed.length) this.#changes.emit(changes)
    this.#subscribers.emit()
  }

  #close(why: string): void {
    if (this.#end !== undefined) return
    this.#end = `the store was closed: ${why}`
    const { stale, lastError } = this.#shared
    this.#state = { items: this.#shared.leave(this.#user), stale: true, lastError }
    for (const reject of this.#pending) reject(this.#shared.closedError(this.#end))
    if (!stale) this.#shared.context.queue.run(() => this.#subscribers.emit())
    this.#changes.clear()
    this.#subscribers.clear()
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
