import { GatewayError } from '../errors/gateway-error'
import type { Gateway } from '../gateway/gateway'
import type { SessionState } from '../session/session'
import { NotificationQueue } from './emitter'
import type { LiveStore } from './live-store'
import { type Load, SharedStore, type StoreContext } from './shared-store'
import { Store } from './store'
import type { StoreDefinition } from './store-definition'

/** The part of a store that does not depend on its items. */
type OpenStore = Pick<SharedStore<unknown, unknown, unknown>, 'followSession' | 'end'>

/** The open stores of one client. */
export class LiveStores {
  readonly #context: StoreContext
  readonly #isConfigured: boolean
  readonly #open = new Set<OpenStore>()
  #isDisposed = false

  constructor(gateway: Gateway, isConfigured: boolean, session: SessionState, report: (error: unknown) => void) {
    const queue = new NotificationQueue()
    this.#context = { gateway, session, report, queue }
    this.#isConfigured = isConfigured
    session.onChange(() => {
      queue.run(() => {
        for (const store of [...this.#open]) store.followSession()
      })
    })
  }

  /**
   * Returns a function that opens stores of one kind, which share one load. It throws `GatewayError` without a gateway
   * and once the client is disposed.
   */
  opener<Item, Key, Type>(
    definition: StoreDefinition<Item, Key, Type>,
    load: Load<Item>,
  ): () => LiveStore<Item, Key, Type> {
    let shared: SharedStore<Item, Key, Type> | undefined
    return () => {
      if (this.#isDisposed) throw new GatewayError('disconnected', `${definition.name}: the client was disposed.`)
      if (!this.#isConfigured) {
        const advice = 'give the client the option `gateway: { url }`, or use `list`.'
        throw new GatewayError('not_configured', `${definition.name} needs events: ${advice}`)
      }
      if (shared === undefined) {
        const opened = new SharedStore(definition, this.#context, load, () => {
          this.#open.delete(opened)
          shared = undefined
        })
        this.#open.add(opened)
        shared = opened
      }
      return new Store(shared)
    }
  }

  dispose(): void {
    this.#isDisposed = true
    for (const store of [...this.#open]) store.end('the client was disposed')
  }
}
