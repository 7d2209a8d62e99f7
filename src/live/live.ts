import { listFriendSuggestions } from '../contract/friend-suggestions'
import { listGameRelationships } from '../contract/game-relationships'
import { listRelationships } from '../contract/relationships'
import type { Transport } from '../transport/transport'
import type { StoreContext } from './shared-store'
import {
  type FriendSuggestionStore,
  friendSuggestionStore,
  type GameRelationshipStore,
  gameRelationshipStore,
  LiveStores,
  type RelationshipStore,
  relationshipStore,
} from './stores'

/** Opens the live stores of a client. */
export class Live {
  readonly #stores: LiveStores
  readonly relationships: () => RelationshipStore
  readonly gameRelationships: () => GameRelationshipStore
  readonly friendSuggestions: () => FriendSuggestionStore

  /** @internal */
  constructor(transport: Transport, context: Omit<StoreContext, 'queue'>) {
    const stores = new LiveStores(context)
    this.#stores = stores
    this.relationships = stores.createOpener(relationshipStore, (options) => transport.send(listRelationships, options))
    this.gameRelationships = stores.createOpener(gameRelationshipStore, (options) =>
      transport.send(listGameRelationships, options),
    )
    this.friendSuggestions = stores.createOpener(friendSuggestionStore, (options) =>
      transport.send(listFriendSuggestions, options),
    )
  }

  dispose(): void {
    this.#stores.dispose()
  }
}
