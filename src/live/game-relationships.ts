import type { GameRelationship, GameRelationshipType } from '../contract/game-relationships'
import type { Immutable, Open } from '../contract/schema'
import { drop, type Kind, put } from './kind'
import type { LiveStore } from './live-store'
import { frozenCopy } from './values'

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

// Whatever the IDs are made of, no two pairs become one text.
const keyOf = ({ application_id, id }: GameRelationshipKey) => JSON.stringify([application_id, id])

/** What tells a {@link GameRelationshipStore} from others. */
export const gameRelationships: Kind<Immutable<GameRelationship>, GameRelationshipKey, Open<GameRelationshipType>> = {
  name: 'client.gameRelationships.live',
  keyOf,
  keyFor: keyOf,
  isOfType: (relationship, type) => relationship.type === type,
  events(tie) {
    tie('gameRelationshipAdd', (added) => put(keyOf(added), frozenCopy(added)))
    tie('gameRelationshipRemove', (removed) => drop(keyOf(removed)))
  },
}
