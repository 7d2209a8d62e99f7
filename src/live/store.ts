import { issueAt } from '../contract/issue'
import { GatewayError } from '../errors/gateway-error'
import { ResponseMismatchError } from '../errors/validation-errors'
import type { Gateway } from '../gateway/gateway'
import { bindMembers } from '../internal/bind-members'
import { checkEventNames } from '../transport/event-names'
import { Audience } from './audience'
import { type Difference, Items } from './items'
import type { Change, Kind } from './kind'
import type { LiveChange, LiveStore } from './live-store'
import { Loading } from './loading'
import { subscribe } from './subscription'
import { freeze } from './values'
import { Views } from './views'

/** What a store needs of its client. */
export interface StoreHost {
  readonly gateway: Gateway
  /** Where what listeners throw is told. */
  readonly report: (error: unknown) => void
  /** It was closed, by whomever. */
  readonly closed: () => void
}

/** {@link LiveStore}, of whichever kind. */
export class Store<Item, Key, Type> implements LiveStore<Item, Key, Type> {
  readonly #kind: Kind<Item, Key, Type>
  readonly #host: StoreHost
  readonly #loading: Loading<readonly Item[]>
  readonly #changes: Audience<LiveChange<Item>>
  readonly #subscribers: Audience<void>
  readonly #views: Views<Item, Type>
  readonly #unsubscribe: () => void
  #items: Items<Item>
  /** What has happened since the request that is out was begun. */
  #journal: Change<Item>[] | undefined
  /** Whether something was missed since then that its answer need not have. */
  #missesMore = false
  /** Whether the items are a whole answer and all that came after it. */
  #isSound = false
  #isConnected: boolean
  #isClosed = false
  #lastError: unknown
  /** `stale` and `lastError` as listeners know them. */
  #told: readonly unknown[] = [true, undefined]

  constructor(kind: Kind<Item, Key, Type>, host: StoreHost, load: (signal: AbortSignal) => Promise<readonly Item[]>) {
    this.#kind = kind
    bindMembers(this)
    this.#host = host
    this.#items = new Items([], kind.keyOf)
    this.#views = new Views(kind.isOfType, () => this.#items.all())
    this.#changes = new Audience(host.report)
    this.#subscribers = new Audience(host.report)
    this.#isConnected = host.gateway.state === 'ready'
    this.#loading = new Loading({
      load,
      began: () => {
        this.#journal = []
        this.#missesMore = false
      },
      loaded: (answer) => this.#adopt(answer),
      failed: (error) => this.#fail(error),
    })
    // Before anything is loaded: what happens meanwhile is not to be missed.
    this.#unsubscribe = subscribe(host.gateway, kind, {
      changed: (change) => this.#apply(change),
      connected: (isConnected) => this.#connect(isConnected),
      missed: () => this.#miss(),
      started: () => this.#restart(),
    })
    // Even while the gateway connects, though a session that starts then has it loaded again: what happened between this
    // answer and that start, no event tells. Waiting for the session would save a request, and leave readers without a
    // list for as long as the gateway cannot be reached.
    this.#loading.refresh()
  }

  get ready(): Promise<void> {
    return this.#loading.ready
  }

  get stale(): boolean {
    return this.#isClosed || !this.#isConnected || !this.#isSound || !this.#items.isWhole
  }

  get lastError(): unknown {
    return this.#lastError
  }

  get(key: Key): Item | undefined {
    return this.#items.get(this.#kind.keyFor(key))
  }

  all(): readonly Item[] {
    return this.#views.all()
  }

  filter(type: Type): readonly Item[] {
    return this.#views.ofType(type)
  }

  refresh(): Promise<void> {
    return this.#loading.refresh()
  }

  subscribe(listener: () => void): () => void {
    return this.#subscribers.add(listener)
  }

  getSnapshot(): readonly Item[] {
    return this.all()
  }

  on(type: 'change', listener: (change: LiveChange<Item>) => void): () => void {
    checkEventNames(`${this.#kind.name}().on`, [type], ['change'])
    return this.#changes.add(listener)
  }

  close(): void {
    this.end('`close` was called')
  }

  /** Closes it, and tells why those who wait. */
  end(why: string): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#unsubscribe()
    this.#loading.close(new GatewayError('disconnected', `${this.#kind.name}: the store was closed: ${why}.`))
    this.#publish()
    this.#changes.clear()
    this.#subscribers.clear()
    this.#host.closed()
  }

  /** What it has is another user's, perhaps: forgets it and loads what there is. */
  renew(): void {
    const difference = this.#replace(new Items<Item>([], this.#kind.keyOf))
    this.#isSound = false
    this.#loading.restart(true)
    this.#publish(difference)
  }

  /** Something may have been missed: loads it anew, and drops what was asked for before. */
  #restart(): void {
    this.#isConnected = true
    this.#isSound = false
    this.#loading.restart()
    this.#publish()
  }

  #connect(isConnected: boolean): void {
    this.#isConnected = isConnected
    this.#publish()
  }

  #miss(): void {
    this.#isSound = false
    this.#missesMore = true
    this.#loading.soon()
    this.#publish()
  }

  #apply(change: Change<Item>): void {
    const isUnknown = change.isPartial && this.#items.get(change.key) === undefined
    const difference = this.#items.apply(change)
    this.#journal?.push(change)
    // While a request is out, its answer may have what is missing.
    if (isUnknown && this.#journal === undefined) this.#loading.soon()
    this.#publish(difference)
  }

  /** The answer in place of everything, then once more what has happened meanwhile. */
  #adopt(answer: readonly Item[]): void {
    const journal = this.#journal ?? []
    this.#journal = undefined
    const items = this.#itemsOf(answer)
    for (const change of journal) items.apply(change)
    const difference = this.#replace(items)
    this.#isSound = !this.#missesMore
    this.#lastError = undefined
    if (!items.isWhole) this.#loading.soon()
    this.#publish(difference)
  }

  #replace(items: Items<Item>): Difference<Item> {
    const difference = items.takeOverFrom(this.#items)
    this.#items = items
    return difference
  }

  /** Clients may let answers through that are not what the interface describes. */
  #itemsOf(answer: readonly Item[]): Items<Item> {
    try {
      return new Items(freeze(answer), this.#kind.keyOf)
    } catch {
      const issue = issueAt([], 'invalid_type', 'expected a list of what has an ID')
      throw new ResponseMismatchError(this.#kind.name, [issue])
    }
  }

  #fail(error: unknown): void {
    const hasPlaceholders = this.#journal?.some(({ isPartial }) => isPartial) && !this.#items.isWhole
    this.#journal = undefined
    this.#lastError = error
    // Those of before have had their request: what fails is not tried without end.
    if (hasPlaceholders) this.#loading.soon()
    this.#publish()
  }

  #publish(difference?: Difference<Item>): void {
    const hasChanged = difference !== undefined && Object.values(difference).some((items) => items.length > 0)
    const told = [this.stale, this.#lastError]
    const isNews = told.some((fact, index) => fact !== this.#told[index])
    this.#told = told
    if (hasChanged) this.#views.outdate()
    if (hasChanged) this.#changes.tell(freeze(difference))
    if (hasChanged || isNews) this.#subscribers.tell()
  }
}
