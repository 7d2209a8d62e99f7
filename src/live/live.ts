import { listFriendSuggestions } from '../contract/friend-suggestions'
import { listGameRelationships } from '../contract/game-relationships'
import { listRelationships } from '../contract/relationships'
import { bindMembers } from '../internal/bind-members'
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

/**
 * Lists that are kept up to date by gateway events until they are closed. Opening one does not connect the gateway; a store
 * is `stale` until it is connected. Interface, "Events".
 */
export class Live {
  readonly #stores: LiveStores
  readonly #openRelationships: () => RelationshipStore
  readonly #openGameRelationships: () => GameRelationshipStore
  readonly #openFriendSuggestions: () => FriendSuggestionStore

  /** @internal */
  constructor(transport: Transport, context: Omit<StoreContext, 'queue'>) {
    const stores = new LiveStores(context)
    this.#stores = stores
    this.#openRelationships = stores.createOpener(relationshipStore, (options) =>
      transport.send(listRelationships, options),
    )
    this.#openGameRelationships = stores.createOpener(gameRelationshipStore, (options) =>
      transport.send(listGameRelationships, options),
    )
    this.#openFriendSuggestions = stores.createOpener(friendSuggestionStore, (options) =>
      transport.send(listFriendSuggestions, options),
    )
    bindMembers(this)
  }

  /**
   * Opens a live store of the user's relationships. Interface, "Relationship" and "Events".
   *
   * @returns Store with the IDs of the other users as keys.
   * @throws GatewayError if the client has no `gateway` option or was disposed.
   *
   * @example
   * import { RelationshipType } from 'rapport-sdk'
   * import { createClient, gateway, live } from 'rapport-sdk/core'
   *
   * const client = createClient(
   *   {
   *     baseUrl: 'https://service.example',
   *     token: 'a token',
   *     gateway: { url: 'wss://gateway.service.example', connectOnSignIn: true },
   *   },
   *   { gateway, live },
   * )
   * const relationships = client.live.relationships()
   * relationships.subscribe(() => console.log(relationships.filter(RelationshipType.FRIEND).length))
   */
  relationships(): RelationshipStore {
    return this.#openRelationships()
  }

  /**
   * Opens a live store of the user's relationships in games. Interface, "Game Relationship" and "Events".
   *
   * @returns Store with the IDs of application and user as keys.
   * @throws GatewayError if the client has no `gateway` option or was disposed.
   */
  gameRelationships(): GameRelationshipStore {
    return this.#openGameRelationships()
  }

  /**
   * Opens a live store of suggested users, from which events remove suggestions. There is no event for new suggestions:
   * call `refresh`. Interface, "Friend Suggestion" and "Events".
   *
   * @returns Store with the IDs of the suggested users as keys and the types of their reasons as types.
   * @throws GatewayError if the client has no `gateway` option or was disposed.
   */
  friendSuggestions(): FriendSuggestionStore {
    return this.#openFriendSuggestions()
  }

  /** @internal */
  dispose(): void {
    this.#stores.dispose()
  }
}
