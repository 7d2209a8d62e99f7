import type { RelationshipUpdateEvent } from '../contract/gateway-events'
import { type Relationship, RelationshipType } from '../contract/relationships'
import type { Immutable, Open } from '../contract/schema'
import type { LiveStore } from './live-store'
import { drop, patch, put, type StoreDefinition } from './store-definition'
import { freeze, isDeepEqual } from './values'

/**
 * What `client.relationships.live` gives: the user's relationships, by the ID of the other, filtered by what the two are to
 * each other. Interface, "Relationship" and "Events".
 */
export interface RelationshipStore extends LiveStore<Immutable<Relationship>, string, Open<RelationshipType>> {}

/** Fields that are left out rather than `null`: in an event `null` removes them. */
const OPTIONAL: readonly string[] = ['is_spam_request', 'stranger_request', 'since', 'has_played_game', 'note']

/** Defines a {@link RelationshipStore}. */
export const relationships: StoreDefinition<Immutable<Relationship>, string, Open<RelationshipType>> = {
  name: 'client.relationships.live',
  keyOf: ({ id }) => id,
  keyFor: (id) => id,
  isOfType: (relationship, type) => relationship.type === type,
  events(register) {
    register('relationshipAdd', (added) => put(added.id, freeze(added)))
    register('relationshipUpdate', (partial) =>
      patch(partial.id, (before) => merge(before ?? placeholder(partial.id), partial)),
    )
    register('relationshipRemove', ({ id }) => drop(id))
  },
}

/** Stands for a relationship of which only the ID is known. */
function placeholder(id: string): Immutable<Relationship> {
  return Object.freeze({
    id,
    type: RelationshipType.NONE,
    user: Object.freeze({ id }),
    nickname: null,
    user_ignored: false,
  })
}

/**
 * Applies an Update: an absent field stays, `null` clears. That events may be partial is a convention. Without a change it
 * returns the same object.
 */
function merge(before: Immutable<Relationship>, partial: RelationshipUpdateEvent): Immutable<Relationship> {
  let after: (Immutable<Relationship> & Record<string, unknown>) | undefined
  for (const name in partial) {
    const value = partial[name]
    const old: unknown = Reflect.get(before, name)
    // Of a protocol of one's own that parses JSON as it is: the assignment would set the prototype.
    if (value === old || value === undefined || name === '__proto__') continue
    const removes = value === null && OPTIONAL.includes(name)
    if (removes ? !(name in before) : isDeepEqual(old, value)) continue
    after ??= { ...before }
    if (removes) delete after[name]
    else after[name] = freeze(value)
  }
  return after === undefined ? before : Object.freeze(after)
}
