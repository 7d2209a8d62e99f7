import { listFriendSuggestions } from '../contract/friend-suggestions'
import { listGameRelationships } from '../contract/game-relationships'
import { listRelationships } from '../contract/relationships'
import { GatewayError } from '../errors/client-errors'
import { Queue } from '../internal/emitter'
import type { Transport } from '../transport/transport'
import type { StoreDefinition } from './collection'
import { type LiveStore, Store } from './live-store'
import { type Load, SharedStore, type StoreContext } from './shared-store'
import {
  type FriendSuggestionStore,
  friendSuggestionStore,
  type GameRelationshipStore,
  gameRelationshipStore,
  type RelationshipStore,
  relationshipStore,
} from './stores'

/** Members of a shared store that do not depend on the type of its items. */
type OpenStore = Pick<SharedStore<unknown, unknown, unknown>, 'syncSession' | 'close'>

/** Opens the live stores of a client. */
export class Live {
  readonly relationships: () => RelationshipStore
  readonly gameRelationships: () => GameRelationshipStore
  readonly friendSuggestions: () => FriendSuggestionStore
  readonly #context: StoreContext
  readonly #open = new Set<OpenStore>()
  #isDisposed = false

  /** @internal */
  constructor(transport: Transport, context: Omit<StoreContext, 'queue'>) {
    const queue = new Queue()
    this.#context = { ...context, queue }
    context.session.follow('stores', () => {
      queue.run(() => {
        // Empty all stores first: a request that is aborted may have a listener that reads any of them.
        for (const load of [...this.#open].map((store) => store.syncSession())) load()
      })
    })
    this.relationships = this.#createOpener(relationshipStore, (options) => transport.send(listRelationships, options))
    this.gameRelationships = this.#createOpener(gameRelationshipStore, (options) =>
      transport.send(listGameRelationships, options),
    )
    this.friendSuggestions = this.#createOpener(friendSuggestionStore, (options) =>
      transport.send(listFriendSuggestions, options),
    )
  }

  dispose(): void {
    this.#isDisposed = true
    for (const store of [...this.#open]) store.close('the client was disposed')
  }

  /**
   * Returns a function that opens stores of one kind, which share their requests. It throws GatewayError if the client has no
   * `gateway` option or was disposed.
   */
  #createOpener<Item, Key, Type>(
    definition: StoreDefinition<Item, Key, Type>,
    load: Load<Item>,
  ): () => LiveStore<Item, Key, Type> {
    let shared: SharedStore<Item, Key, Type> | undefined
    return () => {
      const { name } = definition
      if (this.#isDisposed) throw new GatewayError('disconnected', `${name}: the client was disposed.`)
      if (!this.#context.gateway.isConfigured) {
        const advice = 'pass the option `gateway: { url }` to the client, or use `list`.'
        throw new GatewayError('not_configured', `${name} needs events: ${advice}`)
      }
      if (shared === undefined) {
        const opened = new SharedStore(definition, this.#context, load, () => {
          this.#open.delete(opened)
          if (shared === opened) shared = undefined
        })
        this.#open.add(opened)
        shared = opened
      }
      return new Store(shared)
    }
  }
}
