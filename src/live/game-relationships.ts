import type { GameRelationship, GameRelationshipType } from '../contract/game-relationships'
import type { Immutable, Open } from '../contract/schema'
import type { LiveStore } from './live-store'
import { drop, put, type StoreDefinition } from './store-definition'
import { freeze } from './values'

/** Names a game relationship: two users may be friends in several games. A game relationship is one itself. */
export interface GameRelationshipKey {
  /** ID of the game's application. */
  readonly application_id: string
  /** ID of the other user. */
  readonly id: string
}

/**
 * What `client.gameRelationships.live` gives: the user's relationships in games, by the IDs of application and user, filtered
 * by what the two are to each other there. Interface, "Game Relationship" and "Events".
 */
export interface GameRelationshipStore
  extends LiveStore<Immutable<GameRelationship>, GameRelationshipKey, Open<GameRelationshipType>> {}

// As JSON, since no two pairs of strings give the same one.
const keyOf = ({ application_id, id }: GameRelationshipKey) => JSON.stringify([application_id, id])

/** Defines a {@link GameRelationshipStore}. */
export const gameRelationships: StoreDefinition<
  Immutable<GameRelationship>,
  GameRelationshipKey,
  Open<GameRelationshipType>
> = {
  name: 'client.gameRelationships.live',
  keyOf,
  keyFor: keyOf,
  isOfType: (relationship, type) => relationship.type === type,
  events(register) {
    register('gameRelationshipAdd', (added) => put(keyOf(added), freeze(added)))
    register('gameRelationshipRemove', (removed) => drop(keyOf(removed)))
  },
}
