import type { GameRelationship, GameRelationshipType } from '../contract/game-relationships'
import type { Open } from '../contract/schema'
import { drop, type Kind, put } from './kind'
import type { Immutable } from './live-store'
import { frozenCopy } from './values'

/** Names a game relationship: two users may be friends in several games. A game relationship is one itself. */
export interface GameRelationshipKey {
  /** ID of the game's application. */
  readonly application_id: string
  /** ID of the other user. */
  readonly id: string
}

// Whatever the IDs are made of, no two pairs become one text.
const keyOf = ({ application_id, id }: GameRelationshipKey) => JSON.stringify([application_id, id])

/** The user's game relationships. Interface, "Game Relationship" and "Events". */
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
