import { RelationshipType } from '../../src/contract/relationships'
import type { Core } from '../core'
import { refusal } from '../envelope'
import { viewOf } from '../mock-user'
import type { RelationshipChange } from '../relationship-policy'
import type { RelationshipRecord, UserRecord } from './database'
import { type OwnEvent, tellSide } from './relationship-events'
import { endSuggestion } from './suggestions'

const keyOf = (userId: string, targetId: string) => `${userId} ${targetId}`

/** What one user sees of another, if anything. */
export function relationshipOf({ db }: Core, userId: string, targetId: string): RelationshipRecord | undefined {
  return db.relationships.get(keyOf(userId, targetId))
}

/** Everything that a user sees. */
export function relationshipsOf({ db }: Core, userId: string): RelationshipRecord[] {
  return db.relationships.where('userId', userId)
}

/** What comes with a request. */
export interface RequestDetails {
  readonly note?: string | null | undefined
  readonly originApplicationId?: string | null
  readonly confirmsStranger?: boolean
  readonly spam?: boolean
  readonly stranger?: boolean
  /** Whether the acting user also ignores the other no more. */
  readonly unignores?: boolean
}

/** Changes a relationship as one of the two asks for, on both sides. */
export function changeRelationship(
  core: Core,
  action: RelationshipChange['action'],
  user: UserRecord,
  target: UserRecord,
  details: RequestDetails = {},
): void {
  if (user.id === target.id) throw refusal(core.policy, 'requestToSelf')
  const before = { mine: typeOf(core, user.id, target.id), theirs: typeOf(core, target.id, user.id) }
  const outcome = core.policy.changeRelationship({ action, ...before })
  if (typeof outcome === 'string') throw refusal(core.policy, outcome)
  const isNewRequest = outcome.theirs === RelationshipType.INCOMING_REQUEST && before.theirs !== outcome.theirs
  const request = isNewRequest ? requestBetween(core, user, target, details) : {}
  const mine = { ...request, spam: false, stranger: false, ...(details.unignores && { ignored: false }) }
  setSide(core, user.id, target.id, outcome.mine, mine, action === 'remove' ? undefined : 'Relationship Add')
  setSide(core, target.id, user.id, outcome.theirs, request)
}

/**
 * Sets what one user sees of another. All changes of relationships end here. `ownEvent` is what the user hears who
 * asked for it, even where the relationship stays what it is.
 */
export function setSide(
  core: Core,
  userId: string,
  targetId: string,
  type: RelationshipType,
  details: Partial<Omit<RelationshipRecord, 'userId' | 'targetId' | 'type'>> = {},
  ownEvent?: OwnEvent,
): void {
  const { BLOCKED, FRIEND, NONE, INCOMING_REQUEST } = RelationshipType
  const before = relationshipOf(core, userId, targetId)
  const record: RelationshipRecord = { ...(before ?? emptySide(userId, targetId)), ...details, type }
  if (type !== FRIEND) record.nickname = null
  if (type !== INCOMING_REQUEST) Object.assign(record, { spam: false, stranger: false })
  // Neither a block nor nothing was requested, so nothing of a request is left.
  if (type === NONE || type === BLOCKED) Object.assign(record, { note: null, since: null })
  if (type === NONE) record.type = core.policy.ignoredType
  const after = type === NONE && !record.ignored ? undefined : record
  if (after === undefined) core.db.relationships.delete(keyOf(userId, targetId))
  else core.db.relationships.set(keyOf(userId, targetId), after)
  tellSide(core, { before, after, asked: type, ownEvent })
  // Nobody is suggested as a friend who is one.
  if (type === FRIEND && before?.type !== FRIEND) endSuggestion(core, userId, targetId)
}

/** How many friends two users have in common. */
export function mutualFriends(core: Core, userId: string, otherId: string): number {
  return relationshipsOf(core, userId).filter(
    ({ type, targetId }) =>
      type === RelationshipType.FRIEND && typeOf(core, otherId, targetId) === RelationshipType.FRIEND,
  ).length
}

function typeOf(core: Core, userId: string, targetId: string): RelationshipType {
  return relationshipOf(core, userId, targetId)?.type ?? RelationshipType.NONE
}

function requestBetween(core: Core, user: UserRecord, target: UserRecord, details: RequestDetails) {
  const { note = null, originApplicationId = null } = details
  const [from, to] = [viewOf(user), viewOf(target)]
  const stranger = details.stranger ?? core.policy.isStranger(mutualFriends(core, user.id, target.id))
  if (stranger && details.confirmsStranger === false && core.policy.requireStrangerConfirmation(from, to)) {
    throw refusal(core.policy, 'strangerConfirmationRequired')
  }
  const spam = details.spam ?? core.policy.isSpam(from, to, note)
  return { note, originApplicationId, since: core.clock.now(), stranger, spam }
}

function emptySide(userId: string, targetId: string): RelationshipRecord {
  return {
    userId,
    targetId,
    type: RelationshipType.NONE,
    nickname: null,
    ignored: false,
    spam: false,
    stranger: false,
    originApplicationId: null,
    since: null,
    note: null,
  }
}
