import { type GameRelationship, GameRelationshipType } from '../../src/contract/game-relationships'
import { type Relationship, RelationshipType } from '../../src/contract/relationships'
import { type ServiceContext, toTimestamp } from '../core'
import type { GameRelationshipRecord, RelationshipRecord, SessionRecord, UserRecord } from '../database'
import { apiError } from '../errors'
import type { RelationshipChange } from '../policy'
import { joinIds } from '../table'
import { partialUser } from './users'

/** A session that reads data: an application sees less than its user. */
export type Viewer = Pick<SessionRecord, 'userId' | 'applicationId'>

function relationshipView(core: ServiceContext, record: RelationshipRecord, { applicationId }: Viewer): Relationship {
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
    ...(record.since !== null && { since: toTimestamp(record.since) }),
    ...(record.note !== null && { note: record.note }),
    ...(application !== undefined && { has_played_game: application.authorizedBy.includes(record.targetId) }),
  }
}

export function relationshipViews(core: ServiceContext, viewer: Viewer): Relationship[] {
  return core.db.relationships.where('userId', viewer.userId).map((record) => relationshipView(core, record, viewer))
}

export function relationshipOf(
  { db }: ServiceContext,
  userId: string,
  targetId: string,
): RelationshipRecord | undefined {
  return db.relationships.get(joinIds(userId, targetId))
}

function typeOf(core: ServiceContext, userId: string, targetId: string): RelationshipType {
  return relationshipOf(core, userId, targetId)?.type ?? RelationshipType.NONE
}

export interface RequestDetails {
  readonly note?: string | null | undefined
  readonly originApplicationId?: string | null
  readonly spam?: boolean
  /** Whether the acting user also stops ignoring the other. */
  readonly unignores?: boolean
}

/** Changes both sides of a relationship as the acting user requests. @throws ServiceError if the policy rejects it. */
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
  const request = isNewRequest ? createRequest(core, user, target, details) : {}
  const mine = { ...request, ...(details.unignores && { ignored: false }) }
  setSide(core, user.id, target.id, outcome.mine, mine, action === 'remove' ? undefined : 'Relationship Add')
  setSide(core, target.id, user.id, outcome.theirs, request)
}

function createRequest(core: ServiceContext, user: UserRecord, target: UserRecord, details: RequestDetails) {
  const { note = null, originApplicationId = null, spam = false } = details
  const stranger = mutualFriends(core, user.id, target.id) === 0
  return { note, originApplicationId, since: core.clock.now(), stranger, spam }
}

function mutualFriends(core: ServiceContext, userId: string, otherId: string): number {
  const mine = core.db.relationships.where('userId', userId)
  return mine.filter(
    ({ type, targetId }) =>
      type === RelationshipType.FRIEND && typeOf(core, otherId, targetId) === RelationshipType.FRIEND,
  ).length
}

/**
 * Event for the acting user even if the relationship does not change: the API document shows it for each success of the call,
 * without a condition, in "J. Relationships" and "Events".
 */
export type OwnEvent = 'Relationship Add' | 'Relationship Update'

/**
 * Sets one side of a relationship; all changes go through this function. `ownEvent` is emitted to the acting user even
 * if the relationship does not change.
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
  const record: RelationshipRecord = { ...(before ?? createSide(userId, targetId)), ...details, type }
  if (type !== FRIEND) record.nickname = null
  if (type !== INCOMING_REQUEST) Object.assign(record, { spam: false, stranger: false })
  // A block and the absence of a relationship keep no details of a request.
  if (type === NONE || type === BLOCKED) Object.assign(record, { note: null, since: null })
  if (type === NONE) record.type = core.policy.ignoredType
  const after = type === NONE && !record.ignored ? undefined : record
  // A removal that leaves the target ignored emits Remove and Add, so the new record becomes the last one.
  if (type === NONE && before?.type !== after?.type) core.db.relationships.delete(joinIds(userId, targetId))
  if (after !== undefined) core.db.relationships.set(joinIds(userId, targetId), after)
  publishSideChange(core, before, after, type, ownEvent)
  // Friends are not suggested.
  if (type === FRIEND && before?.type !== FRIEND) endSuggestion(core, userId, targetId)
}

function createSide(userId: string, targetId: string): RelationshipRecord {
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

/** Publishes the events of a change to the user of that side. API, "Events"; the payloads are a convention. */
function publishSideChange(
  core: ServiceContext,
  before: RelationshipRecord | undefined,
  after: RelationshipRecord | undefined,
  requested: RelationshipType,
  ownEvent: OwnEvent | undefined,
): void {
  if (after === undefined) {
    if (before !== undefined) publishEvent(core, 'Relationship Remove', before)
  } else if (before === undefined) {
    publishEvent(core, 'Relationship Add', after)
  } else if (before.type !== after.type) {
    // Removing a relationship with an ignored user leaves one of the ignored type: emit both events.
    if (requested === RelationshipType.NONE) publishEvent(core, 'Relationship Remove', before)
    publishEvent(core, 'Relationship Add', after)
  } else if (ownEvent !== undefined) {
    publishEvent(core, ownEvent, after)
  } else if (JSON.stringify(before) !== JSON.stringify(after)) {
    publishEvent(core, 'Relationship Update', after)
  }
}

function publishEvent(core: ServiceContext, event: OwnEvent | 'Relationship Remove', record: RelationshipRecord): void {
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

/** Removes a friend suggestion. @returns whether there was one. */
export function endSuggestion(core: ServiceContext, userId: string, suggestedId: string): boolean {
  const before = core.db.suggestions.get(userId) ?? []
  const after = before.filter((suggestion) => suggestion.suggestedId !== suggestedId)
  if (after.length === before.length) return false
  core.db.suggestions.set(userId, after)
  core.publish({
    kind: 'event',
    userId,
    event: 'Friend Suggestion Delete',
    // Applications do not receive events about suggestions.
    dataFor: ({ applicationId }) => (applicationId === null ? { suggested_user_id: suggestedId } : undefined),
  })
  return true
}

function gameRelationshipView(core: ServiceContext, record: GameRelationshipRecord, viewer: Viewer): GameRelationship {
  return {
    id: record.targetId,
    application_id: record.applicationId,
    type: record.type,
    // "Absent when fetched through OAuth2". API, "Game Relationship".
    ...(viewer.applicationId === null && { user: partialUser(core, record.targetId) }),
    since: toTimestamp(record.since),
    dm_access_type: core.policy.dmAccessType,
    user_id: record.userId,
  }
}

/** Whether a session sees a game relationship: an application sees only its own. */
function isVisible({ applicationId }: GameRelationshipRecord, viewer: Viewer): boolean {
  return viewer.applicationId === null || viewer.applicationId === applicationId
}

export function gameRelationshipViews(core: ServiceContext, viewer: Viewer): GameRelationship[] {
  const mine = core.db.gameRelationships.where('userId', viewer.userId)
  return mine.filter((record) => isVisible(record, viewer)).map((record) => gameRelationshipView(core, record, viewer))
}

function gameRelationshipOf({ db }: ServiceContext, ...[user, target, applicationId]: GamePair) {
  return db.gameRelationships.get(joinIds(user.id, target.id, applicationId))
}

type GamePair = readonly [user: UserRecord, target: UserRecord, applicationId: string]

/** Accepts the request of `target`, else sends one. */
export function acceptOrRequest(core: ServiceContext, ...pair: GamePair): void {
  const [user, target] = pair
  const { FRIEND, INCOMING_REQUEST, OUTGOING_REQUEST } = GameRelationshipType
  if (user === target) throw apiError(core.policy, 'requestToSelf')
  const mine = gameRelationshipOf(core, ...pair)?.type
  if (mine === FRIEND) throw apiError(core.policy, 'alreadyFriends')
  if (mine === INCOMING_REQUEST) {
    setBoth(core, pair, FRIEND, FRIEND)
    return
  }
  if (typeOf(core, user.id, target.id) === RelationshipType.BLOCKED) throw apiError(core.policy, 'blockedByYou')
  if (typeOf(core, target.id, user.id) === RelationshipType.BLOCKED) throw apiError(core.policy, 'requestRefused')
  setBoth(core, pair, OUTGOING_REQUEST, INCOMING_REQUEST)
}

export function acceptRequest(core: ServiceContext, ...pair: GamePair): void {
  const { FRIEND, INCOMING_REQUEST } = GameRelationshipType
  const mine = gameRelationshipOf(core, ...pair)
  if (mine?.type === FRIEND) publishAdded(core, mine)
  else if (mine?.type === INCOMING_REQUEST) setBoth(core, pair, FRIEND, FRIEND)
  else throw apiError(core.policy, 'noIncomingRequest')
}

export function removeGameRelationship(core: ServiceContext, ...pair: GamePair): void {
  const [user, target, applicationId] = pair
  const mine = gameRelationshipOf(core, ...pair)
  if (mine === undefined) throw apiError(core.policy, 'unknownRelationship')
  for (const side of [mine, gameRelationshipOf(core, target, user, applicationId)]) {
    if (side === undefined) continue
    core.db.gameRelationships.delete(joinIds(side.userId, side.targetId, applicationId))
    core.publish({
      kind: 'event',
      userId: side.userId,
      event: 'Game Relationship Remove',
      dataFor: (session) =>
        isVisible(side, session) ? { id: side.targetId, application_id: applicationId } : undefined,
    })
  }
}

function setBoth(
  core: ServiceContext,
  [user, target, applicationId]: GamePair,
  mine: GameRelationshipType,
  theirs: GameRelationshipType,
): void {
  const pair = { applicationId, since: core.clock.now() }
  for (const side of [
    { userId: user.id, targetId: target.id, type: mine, ...pair },
    { userId: target.id, targetId: user.id, type: theirs, ...pair },
  ]) {
    core.db.gameRelationships.set(joinIds(side.userId, side.targetId, applicationId), side)
    publishAdded(core, side)
  }
}

/** Publishes an added or changed game relationship. API, "Events": both have the same event. */
function publishAdded(core: ServiceContext, side: GameRelationshipRecord): void {
  core.publish({
    kind: 'event',
    userId: side.userId,
    event: 'Game Relationship Add',
    dataFor: (session) => (isVisible(side, session) ? gameRelationshipView(core, side, session) : undefined),
  })
}
