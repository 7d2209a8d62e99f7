import type { RelationshipUpdateEvent } from '../contract/gateway-events'
import { type Relationship, RelationshipType } from '../contract/relationships'
import type { Immutable, Open } from '../contract/schema'
import { drop, type Kind, patch, put } from './kind'
import type { LiveStore } from './live-store'
import { frozenCopy } from './values'

/**
 * What `client.relationships.live` gives: the user's relationships, by the ID of the other, filtered by what the two are to
 * each other. Interface, "Relationship" and "Events".
 */
export interface RelationshipStore extends LiveStore<Immutable<Relationship>, string, Open<RelationshipType>> {}

/** Fields that have no `null` but may be left out: in an event `null` says that there is none. */
const OPTIONAL = ['is_spam_request', 'stranger_request', 'since', 'has_played_game', 'note'] as const

/** What tells a {@link RelationshipStore} from others. */
export const relationships: Kind<Immutable<Relationship>, string, Open<RelationshipType>> = {
  name: 'client.relationships.live',
  keyOf: ({ id }) => id,
  keyFor: (id) => id,
  isOfType: (relationship, type) => relationship.type === type,
  events(tie) {
    tie('relationshipAdd', (added) => put(added.id, frozenCopy(added)))
    tie('relationshipUpdate', (event) => {
      const partial = frozenCopy(event)
      return patch(partial.id, (before) => merged(before ?? placeholder(partial.id), partial))
    })
    tie('relationshipRemove', ({ id }) => drop(id))
  },
}

/** What stands for a relationship of which nothing is known but that it is there. */
function placeholder(id: string): Immutable<Relationship> {
  return { id, type: RelationshipType.NONE, user: { id }, nickname: null, user_ignored: false }
}

/** An absent field is as it was; `null` is none. That events may be partial is a convention. */
function merged(before: Immutable<Relationship>, partial: RelationshipUpdateEvent): Immutable<Relationship> {
  const given = Object.entries(partial).filter(([, value]) => value !== undefined)
  const after = { ...before, ...Object.fromEntries(given) }
  for (const name of OPTIONAL) if (after[name] === null) delete after[name]
  return after
}
