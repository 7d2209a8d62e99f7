import { type GameRelationship, GameRelationshipType } from '../../src/contract/game-relationships'
import { RelationshipType } from '../../src/contract/relationships'
import { type ServiceContext, toTimestamp } from '../core'
import type { GameRelationshipRecord, UserRecord } from '../database'
import { apiError } from '../errors'
import { joinIds } from '../table'
import { relationshipOf, type Viewer } from './relationships'
import { partialUser } from './users'

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

const { FRIEND, INCOMING_REQUEST, OUTGOING_REQUEST } = GameRelationshipType
export function gameRelationshipsOf({ db }: ServiceContext, userId: string): GameRelationshipRecord[] {
  return db.gameRelationships.where('userId', userId)
}

function gameRelationshipOf({ db }: ServiceContext, userId: string, targetId: string, applicationId: string) {
  return db.gameRelationships.get(joinIds(userId, targetId, applicationId))
}

/** Accepts the request of `target`, else sends one. */
export function acceptOrRequest(
  core: ServiceContext,
  user: UserRecord,
  target: UserRecord,
  applicationId: string,
): void {
  if (user.id === target.id) throw apiError(core.policy, 'requestToSelf')
  const mine = gameRelationshipOf(core, user.id, target.id, applicationId)?.type
  if (mine === FRIEND) throw apiError(core.policy, 'alreadyFriends')
  if (mine === INCOMING_REQUEST) {
    setBoth(core, user, target, applicationId, FRIEND, FRIEND)
    return
  }
  if (hasBlocked(core, user, target)) throw apiError(core.policy, 'blockedByYou')
  if (hasBlocked(core, target, user)) throw apiError(core.policy, 'requestRefused')
  setBoth(core, user, target, applicationId, OUTGOING_REQUEST, INCOMING_REQUEST)
}

function hasBlocked(core: ServiceContext, user: UserRecord, other: UserRecord): boolean {
  return relationshipOf(core, user.id, other.id)?.type === RelationshipType.BLOCKED
}

export function acceptRequest(core: ServiceContext, user: UserRecord, target: UserRecord, applicationId: string): void {
  const mine = gameRelationshipOf(core, user.id, target.id, applicationId)
  if (mine?.type === FRIEND) publishAdded(core, mine)
  else if (mine?.type === INCOMING_REQUEST) setBoth(core, user, target, applicationId, FRIEND, FRIEND)
  else throw apiError(core.policy, 'noIncomingRequest')
}

export function removeGameRelationship(
  core: ServiceContext,
  user: UserRecord,
  target: UserRecord,
  applicationId: string,
): void {
  const mine = gameRelationshipOf(core, user.id, target.id, applicationId)
  if (mine === undefined) throw apiError(core.policy, 'unknownRelationship')
  for (const side of [mine, gameRelationshipOf(core, target.id, user.id, applicationId)]) {
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
  user: UserRecord,
  target: UserRecord,
  applicationId: string,
  mine: GameRelationshipType,
  theirs: GameRelationshipType,
): void {
  const since = core.clock.now()
  const pair = { applicationId, since }
  setSide(core, { userId: user.id, targetId: target.id, type: mine, ...pair })
  setSide(core, { userId: target.id, targetId: user.id, type: theirs, ...pair })
}

/** Sets one side; all changes except removals go through this function. */
function setSide(core: ServiceContext, side: GameRelationshipRecord): void {
  core.db.gameRelationships.set(joinIds(side.userId, side.targetId, side.applicationId), side)
  publishAdded(core, side)
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
