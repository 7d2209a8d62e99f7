import { type Relationship, RelationshipType } from '../../src/contract/relationships'
import { type ServiceContext, timestamp } from '../core'
import { type RelationshipRecord, type SessionRecord, type UserRecord, viewOf } from '../database'
import { apiError } from '../errors'
import type { RelationshipChange } from '../policy'
import { isAuthorized } from './applications'
import { partialUser } from './users'

/** Who looks: an application sees other things than its user. */
export type Viewer = Pick<SessionRecord, 'userId' | 'applicationId'>

/** A relationship as a list or an event shows it to a session of its user. */
export function relationshipView(
  core: ServiceContext,
  record: RelationshipRecord,
  { applicationId }: Viewer,
): Relationship {
  const isIncoming = record.type === RelationshipType.INCOMING_REQUEST
  const application = applicationId === null ? undefined : core.db.applications.get(applicationId)
  return {
    id: record.targetId,
    type: record.type,
    user: partialUser(core, record.targetId),
    nickname: record.nickname,
    user_ignored: record.ignored,
    origin_application_id: record.originApplicationId,
    ...(isIncoming && { is_spam_request: record.spam, stranger_request: record.stranger }),
    ...(record.since !== null && { since: timestamp(record.since) }),
    ...(record.note !== null && { note: record.note }),
    ...(application !== undefined && { has_played_game: isAuthorized(application, record.targetId) }),
  }
}

/** Everything that a session's user has with others. */
export function relationshipViews(core: ServiceContext, viewer: Viewer): Relationship[] {
  return core.db.relationships.where('userId', viewer.userId).map((record) => relationshipView(core, record, viewer))
}

/** What a user hears who asks for a change of a relationship that stays what it is. */
export type OwnEvent = 'Relationship Add' | 'Relationship Update'

/** How one side of a relationship stood and stands, and what was asked for. */
export interface SideChange {
  readonly before: RelationshipRecord | undefined
  readonly after: RelationshipRecord | undefined
  /** The type that was asked for: NONE may leave a user ignored. */
  readonly asked: RelationshipType
  /** For the side that asked. */
  readonly ownEvent: OwnEvent | undefined
}

/** Tells the user of a side what became of it. Interface, "Events"; the payloads are convention. */
export function tellSide(core: ServiceContext, { before, after, asked, ownEvent }: SideChange): void {
  if (after === undefined) {
    if (before !== undefined) tell(core, 'Relationship Remove', before)
  } else if (before === undefined) {
    tell(core, 'Relationship Add', after)
  } else if (before.type !== after.type) {
    // What is left of a removal is that the other is ignored: the relationship goes, and one of that kind comes.
    if (asked === RelationshipType.NONE) tell(core, 'Relationship Remove', before)
    tell(core, 'Relationship Add', after)
  } else if (ownEvent !== undefined) {
    tell(core, ownEvent, after)
  } else if (differ(before, after)) {
    tell(core, 'Relationship Update', after)
  }
}

function tell(core: ServiceContext, event: OwnEvent | 'Relationship Remove', record: RelationshipRecord): void {
  const isWhole = event === 'Relationship Add'
  core.publish({
    kind: 'event',
    userId: record.userId,
    event,
    dataFor(session) {
      const { user, ...partial } = relationshipView(core, record, session)
      return isWhole ? { ...partial, user } : partial
    },
  })
}

function differ(before: RelationshipRecord, after: RelationshipRecord): boolean {
  return JSON.stringify(before) !== JSON.stringify(after)
}

/** Suggests a user no longer. @returns whether the user was suggested. */
export function endSuggestion(core: ServiceContext, userId: string, suggestedId: string): boolean {
  const before = core.db.suggestions.get(userId) ?? []
  const after = before.filter((suggestion) => suggestion.suggestedId !== suggestedId)
  if (after.length === before.length) return false
  core.db.suggestions.set(userId, after)
  core.publish({
    kind: 'event',
    userId,
    event: 'Friend Suggestion Delete',
    // Suggestions are the user's own: an application hears nothing of them.
    dataFor: ({ applicationId }) => (applicationId === null ? { suggested_user_id: suggestedId } : undefined),
  })
  return true
}

const keyOf = (userId: string, targetId: string) => `${userId} ${targetId}`

/** What one user sees of another, if anything. */
export function relationshipOf(
  { db }: ServiceContext,
  userId: string,
  targetId: string,
): RelationshipRecord | undefined {
  return db.relationships.get(keyOf(userId, targetId))
}

/** Everything that a user sees. */
export function relationshipsOf({ db }: ServiceContext, userId: string): RelationshipRecord[] {
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
  core: ServiceContext,
  action: RelationshipChange['action'],
  user: UserRecord,
  target: UserRecord,
  details: RequestDetails = {},
): void {
  if (user.id === target.id) throw apiError(core.policy, 'requestToSelf')
  const before = { mine: typeOf(core, user.id, target.id), theirs: typeOf(core, target.id, user.id) }
  const outcome = core.policy.changeRelationship({ action, ...before })
  if (typeof outcome === 'string') throw apiError(core.policy, outcome)
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
  core: ServiceContext,
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
  // A removal that leaves the target ignored emits a Remove and an Add, so that it is the last in the list.
  if (type === NONE && before?.type !== after?.type) core.db.relationships.delete(keyOf(userId, targetId))
  if (after !== undefined) core.db.relationships.set(keyOf(userId, targetId), after)
  tellSide(core, { before, after, asked: type, ownEvent })
  // Nobody is suggested as a friend who is one.
  if (type === FRIEND && before?.type !== FRIEND) endSuggestion(core, userId, targetId)
}

/** How many friends two users have in common. */
export function mutualFriends(core: ServiceContext, userId: string, otherId: string): number {
  return relationshipsOf(core, userId).filter(
    ({ type, targetId }) =>
      type === RelationshipType.FRIEND && typeOf(core, otherId, targetId) === RelationshipType.FRIEND,
  ).length
}

function typeOf(core: ServiceContext, userId: string, targetId: string): RelationshipType {
  return relationshipOf(core, userId, targetId)?.type ?? RelationshipType.NONE
}

function requestBetween(core: ServiceContext, user: UserRecord, target: UserRecord, details: RequestDetails) {
  const { note = null, originApplicationId = null } = details
  const [from, to] = [viewOf(user), viewOf(target)]
  const stranger = details.stranger ?? core.policy.isStranger(mutualFriends(core, user.id, target.id))
  if (stranger && details.confirmsStranger === false && core.policy.requireStrangerConfirmation(from, to)) {
    throw apiError(core.policy, 'strangerConfirmationRequired')
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
