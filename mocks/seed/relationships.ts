import { CreateRelationshipParamsSchema, RelationshipType } from '../../src/contract/relationships'
import type { ServiceContext } from '../core'
import type { UserRef } from '../database'
import { assertOptions, boolean, matches, type OptionChecks } from '../settings'
import { changeRelationship, relationshipOf, setSide } from '../state/relationships'
import { pairOf, userOf } from '../state/users'

/** Options of a seeded friend request. */
export interface SeedRequestOptions {
  /** Note to the recipient, at most 120 characters. @default null */
  readonly note?: string | null
  /** Whether the request is flagged as spam. @default false */
  readonly spam?: boolean
  /** Whether the sender is a stranger. Default: if they have no mutual friend. */
  readonly stranger?: boolean
}

/** Seeds relationships without the calls that create them. Each needs two different users. */
export interface MockRelationships {
  /** Makes two users friends. */
  befriend(user: UserRef, other: UserRef): void
  /** Sends a friend request from one user to another. */
  request(from: UserRef, to: UserRef, options?: SeedRequestOptions): void
  /** Makes one user block another. */
  block(user: UserRef, target: UserRef): void
  /** Makes one user remove the relationship with another: a friend, a request, or a block. */
  remove(user: UserRef, target: UserRef): void
  /** Adds a relationship of type IMPLICIT, an affinity, on the first user's side only. */
  addImplicit(user: UserRef, target: UserRef): void
  /** Returns the type of a relationship; NONE if there is none. */
  between(user: UserRef, target: UserRef): RelationshipType
}

export const REQUEST_OPTIONS: OptionChecks = {
  note: matches(CreateRelationshipParamsSchema, 'note'),
  spam: boolean,
  stranger: boolean,
}

export function createRelationships(core: ServiceContext): MockRelationships {
  return {
    befriend(user, other) {
      const [one, two] = pairOf(core, user, other)
      const since = core.clock.now()
      setSide(core, one.id, two.id, RelationshipType.FRIEND, { since })
      setSide(core, two.id, one.id, RelationshipType.FRIEND, { since })
    },
    request(from, to, options = {}) {
      const read = assertOptions('relationships.request', options, REQUEST_OPTIONS)
      changeRelationship(core, 'request', ...pairOf(core, from, to), read)
    },
    block: (user, target) => changeRelationship(core, 'block', ...pairOf(core, user, target)),
    remove: (user, target) => changeRelationship(core, 'remove', ...pairOf(core, user, target)),
    addImplicit(user, target) {
      const [one, two] = pairOf(core, user, target)
      setSide(core, one.id, two.id, RelationshipType.IMPLICIT)
    },
    between: (user, target) =>
      relationshipOf(core, userOf(core, user).id, userOf(core, target).id)?.type ?? RelationshipType.NONE,
  }
}
