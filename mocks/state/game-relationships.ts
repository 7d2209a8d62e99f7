import { type GameRelationship, GameRelationshipType } from '../../src/contract/game-relationships'
import { RelationshipType } from '../../src/contract/relationships'
import { type ServiceContext, timestamp } from '../core'
import type { GameRelationshipRecord, UserRecord } from '../database'
import { apiError } from '../errors'
import { relationshipOf, type Viewer } from './relationships'
import { partialUser } from './users'

/** A game relationship as a list or an event shows it to a session of its user. */
export function gameRelationshipView(
  core: ServiceContext,
  record: GameRelationshipRecord,
  viewer: Viewer,
): GameRelationship {
  return {
    id: record.targetId,
    application_id: record.applicationId,
    type: record.type,
    // "Absent when fetched through OAuth2". Interface, "Game Relationship".
    ...(viewer.applicationId === null && { user: partialUser(core, record.targetId) }),
    since: timestamp(record.since),
    dm_access_type: core.policy.dmAccessType,
    user_id: record.userId,
  }
}

/** Whether a session sees a game relationship: an application sees its own alone. */
export function isVisible({ applicationId }: GameRelationshipRecord, viewer: Viewer): boolean {
  return viewer.applicationId === null || viewer.applicationId === applicationId
}

/** The game relationships that a session sees, the oldest first. */
export function gameRelationshipViews(core: ServiceContext, viewer: Viewer): GameRelationship[] {
  const mine = core.db.gameRelationships.where('userId', viewer.userId)
  return mine.filter((record) => isVisible(record, viewer)).map((record) => gameRelationshipView(core, record, viewer))
}

const { FRIEND, INCOMING_REQUEST, OUTGOING_REQUEST } = GameRelationshipType
const keyOf = (userId: string, targetId: string, applicationId: string) => `${userId} ${targetId} ${applicationId}`

/** What a user sees in one application, or in all, the oldest first. */
export function gameRelationshipsOf(
  { db }: ServiceContext,
  userId: string,
  applicationId?: string,
): GameRelationshipRecord[] {
  const mine = db.gameRelationships.where('userId', userId)
  return applicationId === undefined ? mine : mine.filter((record) => record.applicationId === applicationId)
}

/** What a user sees of another in one application, if anything. */
export function gameRelationshipOf({ db }: ServiceContext, userId: string, targetId: string, applicationId: string) {
  return db.gameRelationships.get(keyOf(userId, targetId, applicationId))
}

/** Accepts the request of `target`, or asks for one's own. */
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
  if (blocks(core, user, target)) throw apiError(core.policy, 'blockedByYou')
  if (blocks(core, target, user)) throw apiError(core.policy, 'requestRefused')
  setBoth(core, user, target, applicationId, OUTGOING_REQUEST, INCOMING_REQUEST)
}

function blocks(core: ServiceContext, user: UserRecord, other: UserRecord): boolean {
  return relationshipOf(core, user.id, other.id)?.type === RelationshipType.BLOCKED
}

/** Accepts the request of `target`; there has to be one. */
export function accept(core: ServiceContext, user: UserRecord, target: UserRecord, applicationId: string): void {
  const mine = gameRelationshipOf(core, user.id, target.id, applicationId)
  if (mine?.type === FRIEND) tellAdded(core, mine)
  else if (mine?.type === INCOMING_REQUEST) setBoth(core, user, target, applicationId, FRIEND, FRIEND)
  else throw apiError(core.policy, 'noIncomingRequest')
}

/** Ends what the two are to each other in one application. */
export function part(core: ServiceContext, user: UserRecord, target: UserRecord, applicationId: string): void {
  const mine = gameRelationshipOf(core, user.id, target.id, applicationId)
  if (mine === undefined) throw apiError(core.policy, 'unknownRelationship')
  for (const side of [mine, gameRelationshipOf(core, target.id, user.id, applicationId)]) {
    if (side === undefined) continue
    core.db.gameRelationships.delete(keyOf(side.userId, side.targetId, applicationId))
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

/** All changes of game relationships end here, removals aside. */
function setSide(core: ServiceContext, side: GameRelationshipRecord): void {
  core.db.gameRelationships.set(keyOf(side.userId, side.targetId, side.applicationId), side)
  tellAdded(core, side)
}

/** Interface, "Events": there is no other event for a game relationship that comes or changes. */
function tellAdded(core: ServiceContext, side: GameRelationshipRecord): void {
  core.publish({
    kind: 'event',
    userId: side.userId,
    event: 'Game Relationship Add',
    dataFor: (session) => (isVisible(side, session) ? gameRelationshipView(core, side, session) : undefined),
  })
}
